/** States of the pages for invitations and of the user's own organizations, for the accessibility tests. */
import type { Page } from 'playwright-core'
import { prepareResponse } from '../kit/hosted-pages.ts'
import { visit } from './inspection.ts'
import type { Lead, States } from './leads.ts'

const invitation = {
  id: 'an-invitation',
  organizationId: 'an-organization',
  email: 'ada@example.com',
  role: 'admin',
  status: 'pending',
  expiresAt: new Date(Date.now() + 172_800_000).toISOString(),
  inviterId: 'a-user',
  organizationName:
    'Halden Ferry Lines and Harbour Services, Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung',
  organizationSlug: 'halden',
  inviterName: 'Ingrid',
  inviterEmail: 'ingrid.halvarsdottir@haldenferry.example',
}
const session = {
  session: { id: 'a-session', token: 'a-token', userId: 'ada', expiresAt: invitation.expiresAt, createdAt: invitation.expiresAt },
  user: { id: 'ada', name: 'Ada', email: 'ada@example.com', emailVerified: true, createdAt: invitation.expiresAt },
}
const limited = { code: 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER', message: 'Too many requests.' }
/** With status 400, pages show it immediately: those of the server are repeated for three seconds first. */
const failed = { code: 'INTERNAL_SERVER_ERROR', message: 'Internal Server Error' }

/** The page of an invitation as its recipient sees it. */
const landing =
  (text: string, lead: Lead = async () => undefined, { emailVerified = true, status = 200, code = '' } = {}): Lead =>
  async (page) => {
    // Without a cookie of a session, the page reads none.
    await page.context().addCookies([{ name: 'better-auth.session_token', value: 'any', url: page.url() }])
    prepareResponse('/get-session*', { ...session, user: { ...session.user, emailVerified } })
    prepareResponse('/organization/get-invitation*', code ? { code, message: code } : invitation, status)
    await visit(page, `${page.url().replace(/\?.*/, '')}?id=an-invitation`)
    await lead(page)
    await page.getByText(text).first().waitFor()
  }

async function tooManyAttempts(page: Page): Promise<void> {
  prepareResponse('/organization/accept-invitation', limited, 429, { 'x-retry-after': '42' })
  await page.getByRole('button', { name: 'Accept invitation' }).click()
}

async function decline(page: Page): Promise<void> {
  prepareResponse('/organization/reject-invitation', { invitation, member: null })
  await page.getByRole('link', { name: 'Decline', exact: true }).click()
  await page.getByRole('button', { name: 'Decline invitation' }).click()
}

/** The address of the user counts as verified. */
async function verified(page: Page): Promise<void> {
  await page.route('**/api/auth/get-session*', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    await route.fulfill({ response, json: json && { ...json, user: { ...json.user, emailVerified: true } } })
  })
  prepareResponse('/organization/list-user-invitations', [invitation])
}

const membership = {
  organization: { id: 'another', name: invitation.organizationName, slug: 'halden', logo: null },
  role: 'owner,billing',
  memberCount: 2431,
  joinedAt: '2026-05-01T10:00:00Z',
}
const memberships = { memberships: [membership], total: 2431, hasMore: true, next: 'position' }

const reloaded =
  (text: string, prepare: Lead, lead: Lead = async () => undefined): Lead =>
  async (page) => {
    await prepare(page)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await lead(page)
    await page.getByText(text).first().waitFor()
  }

const click =
  (role: 'button' | 'link' | 'menuitem', name: string | RegExp): Lead =>
  (page) =>
    page.getByRole(role, { name }).first().click()

const statuses = ['pending', 'accepted', 'rejected', 'canceled', 'expired']
const listed: Lead = async () => {
  const rows = statuses.map((status) => ({
    ...invitation,
    id: status,
    status: status === 'expired' ? 'pending' : status,
    ...(status === 'expired' && { expiresAt: '2026-05-01T10:00:00Z' }),
  }))
  prepareResponse('/organization/list-invitations*', rows, 200, { 'x-total-count': '2431', link: '<?after=a>; rel="next"' })
}

const choose =
  (item: string): Lead =>
  async (page) => {
    await click('button', /^Actions for/)(page)
    await click('menuitem', item)(page)
  }

async function addresses(page: Page): Promise<void> {
  await click('button', 'Invite members')(page)
  const text = 'Rosa <rosa@example.com>, ada@example.com, a-long-address@grundstuecksverkehrsgenehmigung.example.com, nils@@x '
  await page.getByRole('dialog').getByLabel('Email addresses').first().fill(text)
}

async function partialFailure(page: Page): Promise<void> {
  prepareResponse('/organization/invite-member', { code: 'ROLE_NOT_FOUND', message: 'Role not found' }, 400)
  await addresses(page)
  await page.getByText('2 of 4 will be invited').waitFor()
  await click('button', 'Send 2 invitations')(page)
}

const teamNames = ['Fleet', 'Harbour', 'Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung']
/** More teams than fit, two of them chosen. */
async function teams(page: Page): Promise<void> {
  const names = Array.from({ length: 15 }, (_, at) => teamNames[at] ?? `Team ${at}`)
  const team = { organizationId: 'x', createdAt: '2026-05-01T10:00:00Z', updatedAt: null, memberCount: 2 }
  prepareResponse(
    '/organization/list-teams*',
    names.map((name) => ({ ...team, id: name, name })),
  )
  await page.reload()
  await addresses(page)
  const group = page.getByRole('group', { name: 'Teams' })
  for (const name of teamNames.slice(1)) await group.getByRole('checkbox', { name }).check()
}

export const invitationStates: States = {
  '/accept-invitation': {
    'for the recipient': landing('Accept invitation'),
    unverified: landing('Send verification email', undefined, { emailVerified: false }),
    'for another user': landing('This invitation is for another email address', undefined, {
      status: 403,
      code: 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION',
    }),
    unusable: landing('This invitation no longer works', undefined, { status: 400, code: 'INVITATION_NOT_FOUND' }),
    'load error': landing('INTERNAL_SERVER_ERROR', undefined, { status: 400, code: failed.code }),
    'rate limited': landing('Too many attempts.', tooManyAttempts),
    confirmation: landing('To join later, you need a new invitation.', click('link', 'Decline')),
    declined: landing('You declined the invitation', decline),
  },
  '/organizations': {
    invitations: reloaded('Ingrid invites you as Admin.', verified),
    list: reloaded('of 2,431', async () => prepareResponse('/organization/list-memberships*', memberships)),
    leaving: reloaded(
      'You lose access immediately.',
      async () => prepareResponse('/organization/list-memberships*', memberships),
      click('button', /^Leave/),
    ),
    'load error': reloaded(failed.code, async () => prepareResponse('/organization/list-memberships*', failed, 400)),
  },
  '/organizations/$organizationId/invitations': {
    list: reloaded('of 2,431', listed),
    'no match': reloaded('No matching invitations', (page) => visit(page, `${page.url()}?search=none`)),
    'load error': reloaded(failed.code, async () => prepareResponse('/organization/list-invitations*', failed, 400)),
    menu: reloaded('Copy link', listed, click('button', /^Actions for/)),
    link: reloaded('Send this link yourself', listed, choose('Copy link')),
    cancelation: reloaded('The link stops working immediately', listed, choose('Cancel invitation')),
    'invite dialog': reloaded('Paste a list', async () => undefined, click('button', 'Invite members')),
    addresses: reloaded('2 of 4 will be invited', async () => undefined, addresses),
    'several teams': reloaded('2 of 4 will be invited', async () => undefined, teams),
    'partial failure': reloaded('2 invitations could not be sent.', async () => undefined, partialFailure),
  },
}
