/** Every call of administration and of organizations records its change once: the calls are derived from the features. */
import { describe, expect, test } from 'vitest'
import { flushDenials } from '../../src/features/audit/index.ts'
import { featureList } from '../../src/features/index.ts'
import { administrate } from '../kit/administration.ts'
import { testApp } from '../kit/app.ts'
import type { Answer } from '../kit/browser.ts'
import { captureMails } from '../kit/mails.ts'
import { createAcme, password } from '../kit/members.ts'
import {
  interruptNextTransaction,
  isAuthenticated,
  needsPermission,
  readRows,
  revokeBeforeNextWrite,
  withKey,
} from '../kit/revocation.ts'
import { enrol } from '../kit/second-factor.ts'

const newPassword = 'another fine passphrase'

/** Ada is an administrator, Uma a user, Ann the owner of Acme, and Mia a member. Uma is not in an organization. */
async function open() {
  const [links, resets] = [captureMails(), captureMails()]
  const kit = await administrate(
    await testApp({
      admin: { enabled: true, impersonationRequiresFreshSession: false },
      jwt: true,
      apiKey: true,
      // The second factor of Uma is a column only.
      twoFactor: { required: [{ organizations: true }], stepUp: { enabled: false } },
      organization: { enabled: true, teams: { enabled: true }, dynamicAccessControl: { enabled: true } },
      emailAndPassword: { enabled: true, sendResetPassword: resets.send },
      emailVerification: { sendVerificationEmail: links.send },
      attempts: { enabled: true },
      signUp: { inviteLinks: true, waitingList: true },
      mailLimit: { enabled: true },
    }),
  )
  const acme = await createAcme(kit)
  const mia = await acme.join('Mia')
  const post = (browser: typeof kit.ada.browser, path: string, body: object = {}): Promise<Answer> =>
    browser.call(`POST ${path}` as never, { body } as never)
  return { ...kit, ...acme, mia, post }
}
type Opened = Awaited<ReturnType<typeof open>>

interface Entry {
  /** Before the events are looked at. @returns what `body` gets */
  readonly prepare?: (kit: Opened) => Promise<unknown>
  readonly by: 'ada' | 'ann' | 'mia' | 'uma'
  readonly body: (kit: Opened, prepared: string) => object
  readonly records: readonly string[]
  /** Those of `records` that Latchkey did because of the call. */
  readonly automatic?: readonly string[]
}

/** About Uma, by Ada. */
const about = (records: readonly string[], extra: object = {}): Entry => ({
  by: 'ada',
  body: ({ uma }) => ({ userId: uma.userId, ...extra }),
  records,
})
const own = (by: Entry['by'], records: readonly string[], body: Entry['body'] = () => ({})): Entry => ({ by, body, records })

const invitation = async ({ app, post, ann, uma }: Opened): Promise<string> => {
  await app.db.updateTable('user').set({ emailVerified: true }).where('id', '=', uma.userId).execute()
  return String((await post(ann.browser, '/organization/invite-member', { email: uma.email, role: 'member' })).body.id)
}
const team = async ({ post, ann }: Opened): Promise<string> =>
  String((await post(ann.browser, '/organization/create-team', { name: 'Red' })).body.id)
const organizationRole = ({ post, ann }: Opened) =>
  post(ann.browser, '/organization/create-role', { role: 'auditor', permission: {} })
const teamOfMia = async (kit: Opened): Promise<string> => {
  const teamId = await team(kit)
  await kit.post(kit.ann.browser, '/organization/add-team-member', { teamId, userId: kit.mia.userId })
  return teamId
}

const bulkAction = async ({ post, ada, uma }: Opened): Promise<string> =>
  String((await post(ada.browser, '/admin/create-bulk-action', { action: 'ban', userIds: [uma.userId] })).body.id)
const ofBulkAction = (records: readonly string[]): Entry => ({
  ...own('ada', records, (_, id) => ({ id })),
  prepare: bulkAction,
})

const inviteLink = async ({ post, ada, organizationId }: Opened) =>
  (await post(ada.browser, '/admin/create-invite-link', { organizationId })).body
const applicant = async ({ app, post, browser }: Opened): Promise<string> => {
  await post(browser(), '/waiting-list/join', { email: 'wanda@example.com' })
  return (await app.db.selectFrom('waitingListEntry').select('id').executeTakeFirstOrThrow()).id
}
const ofApplicant = (records: readonly string[]): Entry => ({
  ...own('ada', records, (_, id) => ({ ids: [id] })),
  prepare: applicant,
})

const administration: Readonly<Record<string, Entry>> = {
  'POST /admin/set-role': about(['user.role-changed'], { role: 'admin' }),
  'POST /admin/create-user': own('ada', ['user.created'], () => ({
    ...{ name: 'Bob Invented', email: 'bob@example.com', password, role: 'admin' },
  })),
  'POST /admin/update-user': about(['user.role-changed', 'user.updated'], { data: { name: 'Uma Invented', role: 'admin' } }),
  'POST /admin/ban-user': about(['user.banned']),
  'POST /admin/unban-user': {
    ...about(['user.unbanned']),
    prepare: ({ post, ada, uma }) => post(ada.browser, '/admin/ban-user', { userId: uma.userId }),
  },
  'POST /admin/lock-user': about(['password.replacement-required', 'user.locked']),
  'POST /admin/unlock-user': {
    ...about(['user.unlocked']),
    prepare: ({ post, ada, uma }) => post(ada.browser, '/admin/lock-user', { userId: uma.userId }),
  },
  'POST /admin/create-bulk-action': own('ada', ['bulk-action.created'], ({ uma }) => ({ action: 'ban', userIds: [uma.userId] })),
  'POST /admin/pause-bulk-action': ofBulkAction(['bulk-action.paused']),
  'POST /admin/resume-bulk-action': {
    ...ofBulkAction(['bulk-action.resumed']),
    prepare: async (kit) => {
      const id = await bulkAction(kit)
      await kit.post(kit.ada.browser, '/admin/pause-bulk-action', { id })
      return id
    },
  },
  'POST /admin/cancel-bulk-action': ofBulkAction(['bulk-action.ended']),
  'POST /admin/create-invite-link': own('ada', ['invite-link.created']),
  'POST /admin/revoke-invite-link': {
    ...own('ada', ['invite-link.revoked'], (_, id) => ({ id })),
    prepare: async (kit) => (await inviteLink(kit)).inviteLink.id,
  },
  'POST /admin/approve-waiting-list': ofApplicant(['waiting-list.approved']),
  'POST /admin/decline-waiting-list': ofApplicant(['waiting-list.declined']),
  'POST /admin/impersonate-user': about(['user.impersonation-started']),
  'POST /admin/stop-impersonating': {
    ...own('ada', ['user.impersonation-stopped']),
    prepare: ({ post, ada, uma }) => post(ada.browser, '/admin/impersonate-user', { userId: uma.userId }),
  },
  'POST /admin/revoke-user-session': {
    ...own('ada', ['sessions.revoked'], (_, sessionToken) => ({ sessionToken })),
    prepare: async ({ sessionsOf, uma }) => (await sessionsOf(uma.userId))[0]?.id,
  },
  'POST /admin/revoke-user-sessions': about(['sessions.revoked']),
  'POST /admin/remove-user': about(['user.deleted']),
  'POST /admin/reset-two-factor': {
    ...about(['two-factor.reset'], { reason: 'Lost phone' }),
    prepare: ({ app, uma }) => app.db.updateTable('user').set({ twoFactorEnabled: true }).where('id', '=', uma.userId).execute(),
  },
  'POST /admin/erase-user': about(['user.erased']),
  'POST /admin/set-user-password': about(['password.set', 'sessions.revoked'], { newPassword }),
  'POST /admin/send-password-reset': about(['password-reset.requested']),
  'POST /admin/send-verification-email': about(['email-verification.requested']),
  'POST /admin/unlink-user-account': {
    ...own('ada', ['account.unlinked'], ({ uma }, accountId) => ({ userId: uma.userId, accountId })),
    prepare: async ({ app, uma }) => {
      const row = await app.db.selectFrom('account').selectAll().where('userId', '=', uma.userId).executeTakeFirstOrThrow()
      await app.db
        .insertInto('account')
        .values({ ...row, id: 'other', providerId: 'acme', accountId: 'other', password: null })
        .execute()
      return 'other'
    },
  },
  'POST /admin/delete-organization': own('ada', ['organization.deleted'], ({ organizationId }) => ({ organizationId })),
  'POST /admin/reset-limits': own('ada', ['limits.reset'], ({ uma }) => ({ account: uma.email })),
  'POST /admin/incident/freeze': own('ada', ['incident.frozen'], () => ({ kind: 'sign-up' })),
  'POST /admin/incident/unfreeze': {
    ...own('ada', ['incident.unfrozen']),
    prepare: ({ post, ada }) => post(ada.browser, '/admin/incident/freeze', { kind: 'sign-up' }),
  },
  'POST /admin/rotate-signing-key': own('ada', ['signing-key.created']),
  'POST /admin/retire-signing-key': {
    ...own('ada', ['signing-key.created', 'signing-key.retired'], (_, kid) => ({ kid })),
    automatic: ['signing-key.created'],
    prepare: async ({ ada }) => (await ada.browser.call('GET /jwks', {})).body.keys[0].kid,
  },
}

const ofOrganizations: Readonly<Record<string, Entry>> = {
  'POST /organization/create': own('uma', ['organization.created'], () => ({ name: 'Beta', slug: 'beta' })),
  'POST /organization/update': own('ann', ['organization.updated'], () => ({ data: { name: 'Acme Corporation' } })),
  'POST /organization/set-two-factor-policy': {
    ...own('ann', ['organization.two-factor-policy-changed'], ({ organizationId }) => ({ organizationId, required: true })),
    prepare: (kit) => enrol(kit, kit.ann.browser),
  },
  'POST /organization/delete': own('ann', ['organization.deleted'], ({ organizationId }) => ({ organizationId })),
  'POST /organization/invite-member': own('ann', ['invitation.created'], ({ uma }) => ({ email: uma.email, role: 'member' })),
  'POST /organization/accept-invitation': {
    ...own('uma', ['member.joined'], (_, invitationId) => ({ invitationId })),
    prepare: invitation,
  },
  'POST /organization/reject-invitation': {
    ...own('uma', ['invitation.rejected'], (_, invitationId) => ({ invitationId })),
    prepare: invitation,
  },
  'POST /organization/cancel-invitation': {
    ...own('ann', ['invitation.canceled'], (_, invitationId) => ({ invitationId })),
    prepare: invitation,
  },
  'POST /organization/remove-member': own('ann', ['member.removed'], ({ mia }) => ({ memberIdOrEmail: mia.memberId })),
  'POST /organization/update-member-role': own('ann', ['member.role-changed'], ({ mia }) => ({
    memberId: mia.memberId,
    role: 'admin',
  })),
  'POST /organization/leave': own('mia', ['member.left'], ({ organizationId }) => ({ organizationId })),
  'POST /organization/create-team': own('ann', ['team.created'], () => ({ name: 'Red' })),
  'POST /organization/update-team': {
    ...own('ann', ['team.updated'], ({ organizationId }, teamId) => ({ teamId, data: { name: 'Blue', organizationId } })),
    prepare: team,
  },
  'POST /organization/remove-team': { ...own('ann', ['team.removed'], (_, teamId) => ({ teamId })), prepare: team },
  'POST /organization/add-team-member': {
    ...own('ann', ['team.member-added'], ({ mia }, teamId) => ({ teamId, userId: mia.userId })),
    prepare: team,
  },
  'POST /organization/remove-team-member': {
    ...own('ann', ['team.member-removed'], ({ mia }, teamId) => ({ teamId, userId: mia.userId })),
    prepare: teamOfMia,
  },
  'POST /organization/create-role': own('ann', ['organization-role.created'], () => ({ role: 'auditor', permission: {} })),
  'POST /organization/update-role': {
    ...own('ann', ['organization-role.updated'], () => ({ roleName: 'auditor', data: { permission: { team: ['create'] } } })),
    prepare: organizationRole,
  },
  'POST /organization/delete-role': {
    ...own('ann', ['organization-role.deleted'], () => ({ roleName: 'auditor' })),
    prepare: organizationRole,
  },
}
const entries = { ...administration, ...ofOrganizations }

/** Calls that record nothing when they succeed, and why. */
const exempt: Readonly<Record<string, string>> = {
  'POST /admin/list-user-sessions': 'reads',
  'POST /admin/has-permission': 'reads',
  'POST /admin/preview-brand': 'reads',
  'POST /admin/preview-bulk-action': 'reads',
  'POST /admin/incident/preview': 'reads',
  'POST /admin/incident/revoke': 'the job that does it records it (`incident.revoked`)',
  'POST /admin/retry-mail': 'tested with the emails (`mail.retried`)',
  'POST /admin/send-test-email': 'tested with the preview of a brand (`mail.tested`)',
  'POST /organization/send-two-factor-reminders': 'tested with the policy (`organization.two-factor-reminded`)',
  'POST /organization/check-slug': 'reads',
  'POST /organization/check-invitations': 'reads',
  'POST /organization/has-permission': 'reads',
  'POST /organization/set-active': 'what a session shows, not what its user may do',
  'POST /organization/set-active-team': 'what a session shows, not what its user may do',
}

const posts = Object.values(featureList)
  .flatMap(({ routes = {} }) =>
    Object.entries(routes).flatMap(([key, { declaration }]) => (declaration.access.kind === 'server' ? [] : [key])),
  )
  .filter((key) => key.startsWith('POST /admin/') || key.startsWith('POST /organization/'))

test('every POST of administration and organizations records an event, or has a reason not to', () => {
  expect([...Object.keys(entries), ...Object.keys(exempt)].sort()).toEqual(posts.sort())
})

async function recorded({ app }: Pick<Opened, 'app'>, before: readonly string[] = []) {
  await flushDenials(app)
  const rows = await app.db.selectFrom('auditEvent').selectAll().execute()
  return rows.filter(({ id }) => !before.includes(id))
}

describe.each(Object.entries(entries))('%s', (key, { prepare, by, body, records, automatic = [] }) => {
  test('records what it changed, once, without a name, an email address or a secret', async () => {
    const kit = await open()
    const prepared = await prepare?.(kit)
    const before = (await recorded(kit)).map(({ id }) => id)
    const response = await kit.post(kit[by].browser, key.slice('POST '.length), body(kit, String(prepared)))
    expect(response.status).toBe(200)
    const rows = await recorded(kit, before)
    expect(rows.map(({ action }) => action).sort()).toEqual([...records].sort())
    expect(rows.map(({ outcome, actorId, impersonatedBy }) => [outcome, impersonatedBy ?? actorId])).toEqual(
      rows.map(({ action }) => ['succeeded', automatic.includes(action) ? null : kit[by].userId]),
    )
    for (const secret of ['Invented', 'example.com', password, newPassword]) expect(JSON.stringify(rows)).not.toContain(secret)
  })
})

describe.each(Object.entries(entries).filter(([key]) => isAuthenticated(key)))('%s', (key, { prepare, by, body }) => {
  test('changes nothing when all sessions end after it was authenticated', async () => {
    const kit = await open()
    const prepared = await prepare?.(kit)
    const given = body(kit, String(prepared))
    const before = await readRows(kit)
    revokeBeforeNextWrite(kit)
    const { status } = await kit.post(kit[by].browser, key.slice('POST '.length), given)
    expect([status, await readRows(kit)]).toEqual([401, before])
  })

  test('changes nothing when its API key ends after it was authenticated', async () => {
    const kit = await open()
    const keyed = await withKey(kit, kit[by].browser)
    const prepared = await prepare?.(kit)
    // A key has no active organization.
    const given = { organizationId: kit.organizationId, ...body(kit, String(prepared)) }
    const before = await readRows(kit, 'apikey')
    revokeBeforeNextWrite(kit, 'apikey')
    const { status } = await kit.post(keyed, key.slice('POST '.length), given)
    // A call that accepts no key responds with 403.
    expect([401, 403]).toContain(status)
    expect(await readRows(kit, 'apikey')).toEqual(before)
  })
})

describe.each(Object.entries(administration).filter(([key]) => needsPermission(key)))('%s', (key, { prepare, by, body }) => {
  test('changes nothing when its administrator loses the role after it was admitted', async () => {
    const kit = await open()
    const given = body(kit, String(await prepare?.(kit)))
    const before = await readRows(kit)
    const { userId } = kit[by]
    interruptNextTransaction(kit, kit.app.db.updateTable('user').set({ role: 'user' }).where('id', '=', userId))
    const { status } = await kit.post(kit[by].browser, key.slice('POST '.length), given)
    const { user, ...rows } = await readRows(kit)
    const { user: users, ...others } = before
    expect([status, rows]).toEqual([403, others])
    const roleless = (all: unknown) => (all as { id: string }[]).map((one) => ({ ...one, role: null }))
    expect(roleless(user)).toEqual(roleless(users))
  })
})

/** What a member may do by their role: calls of the owner. */
const byRole = Object.entries(ofOrganizations).filter(([, { by }]) => by === 'ann')

describe.each(byRole)('%s', (key, { prepare, by, body }) => {
  test.each(['demoted', 'removed'])('changes nothing when its member is %s after it was admitted', async (end) => {
    const kit = await open()
    const given = body(kit, String(await prepare?.(kit)))
    const { member: members, teamMember: placed, ...before } = await readRows(kit)
    const { db } = kit.app
    const { userId } = kit[by]
    interruptNextTransaction(
      kit,
      end === 'removed'
        ? db.deleteFrom('member').where('userId', '=', userId)
        : db.updateTable('member').set({ role: 'member' }).where('userId', '=', userId),
    )
    const { status } = await kit.post(kit[by].browser, key.slice('POST '.length), given)
    const { member, teamMember, ...rows } = await readRows(kit)
    expect([400, 401, 403]).toContain(status)
    expect(rows).toEqual(before)
    const others = (all: unknown) => (all as { userId: string }[]).filter((one) => one.userId !== userId)
    expect(others(member)).toEqual(others(members))
    expect(others(teamMember)).toEqual(others(placed))
  })
})
