/** The states of the overview, of the audit log and of the organizations of the instance: what leads to them. */
import { prepareResponse } from '../kit/hosted-pages.ts'
import { type Lead, type States, withResponse } from './leads.ts'
import { longestAction, longestAddress, longestCode, longestName, longestRoute } from './longest.ts'

const error = (code: string) => ({ code, message: 'The message of the API' })

const presses =
  (role: 'button' | 'link', name: string | RegExp, text: string): Lead =>
  async (page) => {
    await page.getByRole('main').getByRole(role, { name }).first().click()
    await page.getByText(text).first().waitFor()
  }

const palette =
  (text: string, option: string): Lead =>
  async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill(text)
    await page.getByRole('option', { name: option }).first().waitFor()
  }

const shortcuts: Lead = async (page) => {
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
}

const notPermitted = (path: string) => withResponse(path, 403, error('FORBIDDEN'), 'You cannot open this page')
const failed = (path: string) => withResponse(path, 400, error('INTERNAL_SERVER_ERROR'), 'INTERNAL_SERVER_ERROR')

const at = '2026-11-14T00:00:00.000Z'
const points = (value: number) => Array.from({ length: 7 }, (_, day) => ({ at: `2026-11-1${day}T00:00:00.000Z`, value }))
const overview = (value: number) => ({
  ...{ range: '30d', from: at, to: at, bucket: 'day', signUps: points(value) },
  signIns: { succeeded: points(value * 20), failed: [...points(value).slice(0, 6), { at, value: value * 30 }] },
  activeUsers: { day: points(value), week: points(value * 2), month: points(value * 3) },
  rateLimits: { points: points(value), byRoute: value === 0 ? [] : [{ route: 'POST /sign-in/email', count: 7 * value }] },
  mails: { sent: points(value), failed: points(0), byKind: value === 0 ? [] : [{ kind: 'verification', sent: 7, failed: 0 }] },
  verification: { signedUp: value * 7, emailSent: value * 7, verified: value * 5, signedIn: value * 3 },
  invitations: { sent: value * 5, accepted: value * 3, rejected: value, canceled: value, expired: 0 },
  previous: { signUps: 3, signIns: 40 },
  users: { total: value === 0 ? 1 : 20_000, isEstimate: value > 0 },
})

const event = {
  ...{ id: 'event', createdAt: at, action: 'user.role-changed', outcome: 'succeeded', target: null, impersonatedBy: null },
  actor: { kind: 'user', id: 'ada', name: 'Ada', email: null, image: null },
  user: { id: 'gone', name: null, email: null },
  organization: { id: 'gone', name: null, slug: null },
  ...{ ipAddress: '192.0.2.1', requestId: 'request', details: { from: 'user', to: 'admin', reason: 'Ticket 48213', count: 2 } },
  ...{ sequence: 7, hash: 'a'.repeat(40) },
}
const changed = { ...event, previousHash: 'b'.repeat(40), isValid: false }

/** A rejected call and a change, with the longest words of all. */
const ofLongest = { id: 'longest', name: longestName, email: null }
const denied = {
  ...{ ...event, id: 'denied', action: 'access.denied', outcome: 'denied', organization: null, user: null },
  ...{ actor: { ...event.actor, name: longestName }, ipAddress: longestAddress },
  details: { route: longestRoute, code: longestCode, count: 10_000 },
}
const changedByLongest = {
  ...{ ...denied, id: 'changed', action: longestAction, outcome: 'succeeded', user: ofLongest },
  organization: { id: 'longest', name: longestName, slug: null },
  details: { from: longestName, to: longestName, team: longestName },
}
const longestEvents: Lead = async (page) => {
  prepareResponse('/admin/get-event**', { ...changed, ...denied, previousHash: changed.previousHash })
  const list = { events: [denied, changedByLongest], nextCursor: null, previousCursor: null }
  await withResponse('/admin/list-events**', 200, list, longestCode)(page)
}
const longestDetails: Lead = async (page) => {
  await longestEvents(page)
  await page.goto(`${page.url()}?event=denied`)
  await page.getByRole('dialog', { name: 'Event details' }).getByText(longestCode).waitFor()
}

const opensChanged: Lead = async (page) => {
  prepareResponse('/admin/get-event**', changed)
  await page.goto(`${page.url()}?event=event`)
  await page.getByText('this event was changed').waitFor()
}

const atTheSide: Lead = async (page) => {
  await page.setViewportSize({ width: 1440, height: 800 })
  await opensChanged(page)
  await page.getByRole('complementary', { name: 'Event details' }).waitFor()
}

const broken = {
  ...{ events: 30, lastSequence: 30, verifiedAt: at, verifiedThrough: 12, state: 'broken', retention: 34_560_000 },
  problems: [{ kind: 'changed', sequence: 13, id: 'x', message: 'Event 13 was changed' }],
}
const opensBroken: Lead = async (page) => {
  await withResponse('/admin/audit-status', 200, broken, 'Chain broken')(page)
  await page.getByRole('button', { name: 'Chain broken' }).click()
  await page.getByText('Event 13 was changed').waitFor()
}

const noEvents = { events: [], nextCursor: null, previousCursor: null }

export const eventStates: States = {
  '/admin': {
    used: withResponse('/admin/overview**', 200, overview(40), 'about 20,000'),
    'first use': withResponse('/admin/overview**', 200, overview(0), 'Nothing to show yet'),
    table: async (page) => {
      await withResponse('/admin/overview**', 200, overview(40), 'about 20,000')(page)
      await page.getByRole('region', { name: 'Sign-ins' }).getByText('Table').click()
      await page.getByRole('columnheader', { name: 'Share' }).waitFor()
    },
    'load error': failed('/admin/overview**'),
    'not permitted': notPermitted('/admin/overview**'),
    palette: palette('e', 'Users'),
    shortcuts,
    warnings: withResponse(
      '/admin/warnings',
      200,
      { isReadOnly: true, configurationChangedAt: at, migrations: 'drifted' },
      'Read-only',
    ),
  },
  '/admin/events': {
    empty: withResponse('/admin/list-events**', 200, noEvents, 'No events yet'),
    'load error': failed('/admin/list-events**'),
    'not permitted': notPermitted('/admin/list-events**'),
    'filter dialog': presses('button', /filter/i, 'Filter events'),
    'export dialog': presses('button', 'Export events', 'Export events'),
    'integrity dialog': opensBroken,
    'changed event': opensChanged,
    'longest words': longestEvents,
    'longest words of one event': longestDetails,
    'changed event at the side': atTheSide,
    'unknown event': async (page) => {
      await page.goto(`${page.url()}?event=unknown`)
      await page.getByText('This event is not in the audit log').waitFor()
    },
  },
  '/admin/organizations': {
    empty: withResponse(
      '/admin/list-organizations**',
      200,
      { organizations: [], nextCursor: null, total: 0, totalIsEstimate: false },
      'No organizations yet',
    ),
    'load error': failed('/admin/list-organizations**'),
    'not permitted': notPermitted('/admin/list-organizations**'),
  },
  '/admin/organizations/$organizationId': {
    'not found': withResponse(
      '/admin/get-organization**',
      404,
      error('ORGANIZATION_NOT_FOUND'),
      'This organization does not exist',
    ),
    'load error': failed('/admin/get-organization**'),
    confirmation: presses('button', 'Delete organization', 'Delete Halden Ferry?'),
  },
}
