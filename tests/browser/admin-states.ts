/** The states of the screens of administrators: what leads to them. */
import type { Page } from 'playwright-core'
import { type Lead, type States, withResponse } from './leads.ts'

const error = (code: string) => ({ code, message: 'The message of the API' })

const search =
  (query: string, text: string): Lead =>
  async (page) => {
    await page.goto(`${page.url()}?${query}`)
    await page.getByText(text).first().waitFor()
  }

const opens =
  (...buttons: readonly (string | RegExp)[]): Lead =>
  async (page) => {
    for (const name of buttons)
      await page
        .getByRole('button', { name, exact: typeof name === 'string' })
        .or(page.getByRole('menuitem', { name }))
        .first()
        .click()
    await page.getByRole('dialog').or(page.getByRole('alertdialog')).or(page.getByRole('menu')).first().waitFor()
  }

const selects =
  (button?: string): Lead =>
  async (page) => {
    await page.getByRole('checkbox').last().check()
    await page.getByText('on this page').waitFor()
    if (button !== undefined) await opens(button)(page)
  }

const tab =
  (name: string, text: string): Lead =>
  async (page) => {
    await page.getByRole('navigation', { name: 'User' }).getByRole('link', { name }).click()
    await page.getByText(text).first().waitFor()
  }

/** Reloads the page with these columns of the users in a response. */
const withNames = (path: string, names: object, text: string) => async (page: Page) => {
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const json = body.users
      ? { ...body, users: body.users.map((user: object) => ({ ...user, ...names })) }
      : { ...body, ...names }
    await route.fulfill({ response, json })
  })
  await page.reload()
  await page.getByText(text).first().waitFor()
}

/** Of a user who signed up with a phone number. */
const number = '+491701234567'
const byPhone = { name: number, email: '491701234567@phone.example.com', phoneNumber: number, phoneNumberVerified: true }
const named = { username: 'ada_lovelace.countess_of_1815', displayUsername: 'Ada_Lovelace.Countess_of_1815' }

const list = '/admin/list-users**'
const noUsers = { users: [], total: 0, totalIsEstimate: false, nextCursor: null }
const impersonated = async (page: Page) => {
  await opens('Impersonate')(page)
  await page.getByLabel('Reason').fill('Ticket 48213')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Exit impersonation' }).waitFor()
  // The page of the user and not of the list: the password cannot be changed here.
  await page.getByRole('link', { name: 'Password and sign-in' }).click()
  await page.getByText('This is not available while you act as another user.').first().waitFor()
}

const bulkAction = {
  ...{ id: 'x', action: 'revoke-sessions', state: 'stopped', banReason: null, banExpires: null, role: null },
  ...{ filter: { search: 'spammer', status: 'active' }, createdBy: 'y', createdByEmail: null },
  ...{ total: 12_345, done: 6000, failed: 12, skipped: 300 },
  ...{ createdAt: '2026-05-01T09:00:00.000Z', endedAt: '2026-05-01T09:30:00.000Z', expiresAt: '2026-05-31T09:00:00.000Z' },
}
const targets = [
  { id: '1', userId: 'u1', email: 'ida.wolfsgruber@example.com', outcome: 'failed', code: 'FAILED_TO_UPDATE_USER' },
  { id: '2', userId: 'u2', email: null, outcome: 'failed', code: 'no-match' },
]
const exported = {
  ...{ source: 'users', format: 'csv', code: null, filter: {}, total: 1_250_000, rows: 312_000 },
  bytes: 60_000_000,
}
const exportTimes = { createdAt: '2026-05-01T09:00:00.000Z', endedAt: null, expiresAt: '2026-05-02T09:00:00.000Z' }
const exports = [
  { ...exported, ...exportTimes, id: '1', state: 'running' },
  { ...exported, ...exportTimes, id: '2', state: 'paused', total: null },
  { ...exported, ...exportTimes, id: '3', state: 'completed' },
  { ...exported, ...exportTimes, id: '4', state: 'failed', code: 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS' },
]
const targetList = '/admin/list-bulk-action-targets**'

export const adminStates: States = {
  '/admin/bulk-actions': {
    'bulk actions': withResponse('/admin/list-bulk-actions**', 200, { actions: [bulkAction], nextCursor: null }, 'Stopped'),
    'load error': withResponse('/admin/list-bulk-actions**', 400, error('INTERNAL_SERVER_ERROR'), 'INTERNAL_SERVER_ERROR'),
  },
  '/admin/bulk-actions/$bulkActionId': {
    stopped: withResponse('/admin/get-bulk-action**', 200, bulkAction, '6,312 of 12,345 users'),
    failures: withResponse(targetList, 200, { targets, nextCursor: null }, 'FAILED_TO_UPDATE_USER'),
    'not found': withResponse('/admin/get-bulk-action**', 404, error('BULK_ACTION_NOT_FOUND'), 'Bulk action not found'),
    'load error': withResponse('/admin/get-bulk-action**', 400, error('INTERNAL_SERVER_ERROR'), 'INTERNAL_SERVER_ERROR'),
    'cancel dialog': opens('Cancel action'),
    'export dialog': opens('Export report'),
  },
  '/admin/users': {
    empty: withResponse(list, 200, noUsers, 'No users yet'),
    'no results': search('search=unknown', 'an email, username, or phone number'),
    'by phone number': withNames(list, { ...byPhone, ...named }, byPhone.email),
    filtered: search('status=active&createdAfter=2024-01-01', 'Created after'),
    'save view dialog': async (page) => {
      await search('status=active', 'Save view')(page)
      await opens('Save view')(page)
    },
    'load error': withResponse(list, 400, error('INTERNAL_SERVER_ERROR'), 'INTERNAL_SERVER_ERROR'),
    'too slow': withResponse(list, 503, error('SEARCH_TOO_SLOW'), 'SEARCH_TOO_SLOW'),
    'not permitted': withResponse(list, 403, error('YOU_ARE_NOT_ALLOWED_TO_LIST_USERS'), 'You cannot open this page'),
    'filter dialog': opens(/filter/i),
    'export dialog': async (page) => {
      await page.route('**/list-export/list**', (route) => route.fulfill({ json: { exports } }))
      await opens('Export users')(page)
      await page.getByText('312,000 rows of 1.25 million').waitFor()
    },
    'row menu': opens(/^Actions for/),
    selection: selects(),
    'role dialog': selects('Set role'),
  },
  '/admin/users/create': {
    'form errors': async (page) => {
      await page.getByRole('button', { name: 'Create user' }).click()
      await page.locator('main [aria-invalid=true]').first().waitFor()
    },
  },
  '/admin/users/$userId': {
    'not found': withResponse('/admin/get-user**', 404, error('USER_NOT_FOUND'), 'User not found'),
    'load error': withResponse('/admin/get-user**', 400, error('INTERNAL_SERVER_ERROR'), 'INTERNAL_SERVER_ERROR'),
    'username and phone number': withNames('/admin/get-user**', { ...byPhone, ...named }, named.displayUsername),
    'unverified phone number': withNames('/admin/get-user**', { ...byPhone, phoneNumberVerified: false }, number),
    sessions: tab('Sessions', 'Revoke'),
    security: tab('Security', 'Failed second factors'),
    methods: tab('Sign-in methods', 'The only sign-in method'),
    organizations: tab('Organizations', 'No organizations'),
    activity: tab('Activity', 'user.'),
    data: tab('Data', 'Erase personal data'),
    'edit dialog': opens('Edit profile'),
    'more actions': opens('More actions'),
    'ban dialog': opens('Ban user'),
    'lock dialog': opens('Lock account'),
    'deletion dialog': opens('Delete user'),
    'impersonation dialog': opens('Impersonate'),
    impersonation: impersonated,
  },
}
