/** The access matrix of organizations (ASVS 8.2): every call by every kind of user, with the ids of one organization. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Call, calls, routes } from './organization-calls.ts'
import { install, type World, withUserIds, world } from './organization-world.ts'

/** `inviter` has a custom role with one permission, and `invited` is not a member but the recipient of the invitation. */
const callers = ['owner', 'admin', 'member', 'inviter', 'invited', 'owner of another', 'anonymous'] as const

const matrixWorld: World = {
  organizations: [
    {
      members: ['owner', 'admin', 'member', 'inviter'].map((role, person) => ({ person, role, team: null })),
      teams: 2,
      invitations: [{ person: 4, role: 'member', team: null, status: 'pending', isExpired: false }],
    },
    { members: [{ person: 5, role: 'owner', team: null }], teams: 1, invitations: [] },
  ],
  active: [0, 0, 0, 0, 0, 0],
}

type Statuses = readonly [number, number, number, number, number, number, number]
interface Entry {
  /** `user-2` stands for the id of the member. */
  readonly input: { readonly query?: object; readonly body?: object; readonly params?: object }
  /** In the order of `callers`. */
  readonly statuses: Statuses
}

const inBody = (more: object = {}) => ({ body: { organizationId: 'o0', ...more } })
const inQuery = { query: { organizationId: 'o0' } }
const invitation = { body: { invitationId: 'o0-i0' } }
const teamMember = inBody({ teamId: 'o0-t0', userId: 'user-2' })

const everyone: Statuses = [200, 200, 200, 200, 200, 200, 401]
const members403: Statuses = [200, 200, 200, 200, 403, 403, 401]
const managers400: Statuses = [200, 200, 403, 403, 400, 400, 401]
const managers403: Statuses = [200, 200, 403, 403, 403, 403, 401]
const absentRole: Statuses = [400, 400, 403, 403, 403, 403, 401]
const unavailable: Statuses = [400, 400, 400, 400, 400, 400, 401]
const recipient: Statuses = [403, 403, 403, 403, 200, 403, 401]

const entries: Readonly<Record<string, Entry>> = {
  'POST /organization/create': { input: { body: { name: 'New', slug: 'new' } }, statuses: everyone },
  'POST /organization/check-slug': { input: { body: { slug: 'new' } }, statuses: everyone },
  'POST /organization/update': { input: inBody({ data: { name: 'New' } }), statuses: managers400 },
  'POST /organization/delete': { input: inBody(), statuses: [200, 403, 403, 403, 400, 400, 401] },
  'POST /organization/has-permission': {
    input: inBody({ permissions: { member: ['update'] } }),
    statuses: [200, 200, 200, 200, 401, 401, 401],
  },
  'POST /organization/set-active': { input: inBody(), statuses: members403 },
  'GET /organization/get-full-organization': { input: inQuery, statuses: members403 },
  'GET /organization/get-organization': { input: inQuery, statuses: members403 },
  'GET /organization/list': { input: {}, statuses: everyone },
  // The active organization of a session of others: it cannot be set, but a membership may end.
  'GET /organization/get-active-member': { input: {}, statuses: [200, 200, 200, 200, 400, 400, 401] },
  'GET /organization/get-active-member-role': { input: inQuery, statuses: members403 },
  'GET /organization/list-members': { input: inQuery, statuses: members403 },
  'GET /organization/list-memberships': { input: {}, statuses: everyone },
  // It has no logo.
  'GET /organization/logo/:id': { input: { params: { id: 'o0' } }, statuses: [404, 404, 404, 404, 404, 404, 401] },
  'GET /organization/list-roles': { input: inQuery, statuses: managers403 },
  // The organization has no role of its own.
  'GET /organization/get-role': { input: { query: { organizationId: 'o0', roleName: 'auditor' } }, statuses: absentRole },
  'POST /organization/create-role': {
    input: inBody({ role: 'auditor', permission: { member: ['update'] } }),
    statuses: managers403,
  },
  'POST /organization/update-role': { input: inBody({ roleName: 'auditor', data: {} }), statuses: absentRole },
  'POST /organization/delete-role': { input: inBody({ roleName: 'auditor' }), statuses: absentRole },
  'GET /organization/list-events': { input: inQuery, statuses: managers403 },
  'POST /organization/add-member': {
    input: inBody({ userId: 'user-5', role: 'member' }),
    statuses: [404, 404, 404, 404, 404, 404, 404],
  },
  'POST /organization/remove-member': {
    input: inBody({ memberIdOrEmail: 'o0-m2' }),
    statuses: [200, 200, 401, 401, 400, 400, 401],
  },
  'POST /organization/update-member-role': { input: inBody({ memberId: 'o0-m2', role: 'inviter' }), statuses: managers400 },
  // The only owner cannot leave.
  'POST /organization/leave': { input: inBody(), statuses: [400, 200, 200, 200, 400, 400, 401] },
  'POST /organization/invite-member': {
    input: inBody({ email: 'new@example.com', role: 'member' }),
    statuses: [200, 200, 403, 200, 400, 400, 401],
  },
  'POST /organization/check-invitations': {
    input: inBody({ emails: ['new@example.com'] }),
    statuses: [200, 200, 403, 200, 400, 400, 401],
  },
  'POST /organization/accept-invitation': { input: invitation, statuses: recipient },
  'POST /organization/reject-invitation': { input: invitation, statuses: recipient },
  'POST /organization/cancel-invitation': { input: invitation, statuses: managers400 },
  'GET /organization/get-invitation': { input: { query: { id: 'o0-i0' } }, statuses: recipient },
  'GET /organization/list-invitations': { input: inQuery, statuses: members403 },
  'GET /organization/list-user-invitations': { input: {}, statuses: everyone },
  // The configuration permits no policies here.
  'POST /organization/set-two-factor-policy': { input: inBody({ required: false }), statuses: unavailable },
  'POST /organization/send-two-factor-reminders': { input: inBody(), statuses: unavailable },
  'POST /organization/create-team': { input: inBody({ name: 'New' }), statuses: managers403 },
  'POST /organization/remove-team': { input: inBody({ teamId: 'o0-t1' }), statuses: managers403 },
  'POST /organization/update-team': {
    input: { body: { teamId: 'o0-t0', data: { name: 'New', organizationId: 'o0' } } },
    statuses: managers403,
  },
  'GET /organization/list-teams': { input: inQuery, statuses: members403 },
  'POST /organization/add-team-member': { input: teamMember, statuses: managers400 },
  'POST /organization/remove-team-member': { input: inBody({ teamId: 'o0-t1', userId: 'user-2' }), statuses: managers400 },
  // The member is in the team.
  'GET /organization/list-team-members': { input: { query: { teamId: 'o0-t1' } }, statuses: [400, 400, 200, 400, 400, 400, 401] },
  'GET /organization/list-user-teams': { input: inQuery, statuses: members403 },
  // The active organization of others is none of theirs.
  'POST /organization/set-active-team': { input: { body: { teamId: 'o0-t1' } }, statuses: [403, 403, 200, 403, 400, 400, 401] },
}

test('every call has an entry', () => {
  expect(Object.keys(entries).sort()).toEqual(Object.keys(routes).sort())
})

test('each kind of user may make the calls that their roles permit', async () => {
  const kit = await install({}, 6)
  await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
  const found: Record<string, Record<string, number>> = {}
  for (const [key, { input }] of Object.entries(entries)) {
    found[key] = {}
    for (const [number, caller] of callers.entries()) {
      await kit.set(matrixWorld)
      const joined = { id: 'o0-p2', teamId: 'o0-t1', memberId: 'o0-m2', userId: String(kit.userIds[2]), createdAt: kit.app.now() }
      await kit.app.db.insertInto('teamMember').values(joined).execute()
      const answer = await kit.call(caller === 'anonymous' ? null : number, key, withUserIds(kit, input))
      found[key][caller] = answer.status
    }
  }
  const expected = Object.entries(entries).map(([key, { statuses }]) => [
    key,
    Object.fromEntries(callers.map((caller, number) => [caller, statuses[number]])),
  ])
  expect(found).toEqual(Object.fromEntries(expected))
}, 120_000)

/** Of users who have no second factor: these do not act in the organization, or end a membership. */
const neverStopped = [
  'GET /organization/get-invitation',
  'GET /organization/list',
  'GET /organization/list-memberships',
  'GET /organization/list-user-invitations',
  // Lists of own organizations show it.
  'GET /organization/logo/:id',
  'POST /organization/add-member',
  'POST /organization/check-slug',
  'POST /organization/create',
  'POST /organization/leave',
  'POST /organization/reject-invitation',
]

test('a policy of second factors stops every call in the organization, and no other', async () => {
  const kit = await install({ twoFactor: { required: [{ organizations: true }] } }, 6)
  await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
  const open: string[] = []
  for (const [key, { input }] of Object.entries(entries)) {
    await kit.set(matrixWorld)
    await kit.app.db.updateTable('organization').set({ twoFactorRequired: true }).where('id', '=', 'o0').execute()
    // The recipient of the invitation, else the owner.
    const isRecipient = key.includes('-invitation') && !key.includes('cancel') && input === invitation
    const { status, body } = await kit.call(isRecipient ? 4 : 0, key, withUserIds(kit, input))
    if (body?.code === 'SECOND_FACTOR_REQUIRED')
      expect([key, status, body]).toEqual([
        key,
        403,
        { code: 'SECOND_FACTOR_REQUIRED', message: 'Second factor required', organizationId: 'o0' },
      ])
    else open.push(key)
  }
  expect(open.sort()).toEqual(neverStopped)
}, 120_000)

/** Values that are not what a field expects, in type, length or characters. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    "' or 1=1 --",
    '%',
    '💥'.repeat(128),
    'a'.repeat(5000),
    '2026-02-30',
    '-000001-01-01',
    '1e400',
  ),
  fc.constantFrom(-1, 0, 1.5, Number.MAX_SAFE_INTEGER, 1e308, true, null, [], {}, [[]], { toString: 1 }, { __proto__: null }),
  fc.constantFrom('WzkxZTE1LCJhIl0', 'WyJhIiwxXQ', 'Wy04LjY0ZTE1LCJhIl0', 'WzguNjRlMTUsImEiXQ'),
)

/** The drawn input with some fields replaced, or with another body altogether. */
const oddInput = ({ input }: Call): fc.Arbitrary<Call['input']> => {
  const fields = (given: unknown) =>
    fc.dictionary(fc.constantFrom(...Object.keys((given as object) ?? {}), 'role', 'other', '__proto__'), odd, { maxKeys: 3 })
  const changed = (given: unknown) => fields(given).map((others) => ({ ...(given as object), ...others }))
  const asText = (given: object) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value]),
    )
  return fc.record({
    query: changed(input.query).map(asText),
    body: fc.oneof({ weight: 5, arbitrary: changed(input.body) }, { weight: 1, arbitrary: odd }),
  })
}

test('no input makes a call fail unexpectedly', async () => {
  const kit = await install()
  const call = calls(kit).chain((drawn) => oddInput(drawn).map((input) => ({ ...drawn, input })))
  const property = fc.asyncProperty(world, fc.array(call, { minLength: 1, maxLength: 12 }), async (drawn, made) => {
    await kit.set(drawn)
    for (const { caller, key, input } of made) {
      const { status, body } = await kit.call(caller, key, withUserIds(kit, input))
      expect([key, status < 500, body]).toEqual([key, true, body])
    }
  })
  await fc.assert(property, { numRuns: Number(process.env.RUNS ?? 300) })
}, 120_000)
