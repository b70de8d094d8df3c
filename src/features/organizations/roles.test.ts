import { describe, expect, test } from 'vitest'
import type { Answer, Browser } from '../../../tests/kit/browser.ts'
import { type OrganizationConfig, outcome, withAcme } from '../../../tests/kit/members.ts'
import { extend } from '../../core/app.ts'
import type { ConfigFile } from '../index.ts'
import { seed } from '../roles/index.ts'

const builtIn = {
  organization: ['update', 'delete'],
  member: ['create', 'update', 'delete'],
  invitation: ['create', 'cancel'],
  team: ['create', 'update', 'delete'],
}
const listRoles = async (browser: Browser) =>
  (await browser.call('GET /organization/list-roles', {})).body as {
    role: string
    permission: object
    isCreatorRole: boolean
    mayGrant: boolean
  }[]
const grantable = async (browser: Browser) =>
  (await listRoles(browser)).filter(({ mayGrant }) => mayGrant).map(({ role }) => role)
const may = async (browser: Browser, permissions: Record<string, string[]>) =>
  (await browser.call('POST /organization/has-permission', { body: { permissions } })).body.success

describe('GET /organization/list-roles', () => {
  test('returns each role with its permissions, and whether the user may give it', async () => {
    const { ann, join, other, organizationId } = await withAcme()
    const [ada, max, bob] = [await join('Ada', 'admin'), await join('Max'), await other()]
    expect(await listRoles(ann.browser)).toEqual([
      { role: 'owner', permission: builtIn, isCreatorRole: true, mayGrant: true },
      { role: 'admin', permission: { ...builtIn, organization: ['update'] }, isCreatorRole: false, mayGrant: true },
      { role: 'member', permission: {}, isCreatorRole: false, mayGrant: true },
    ])
    expect(await grantable(ada.browser)).toEqual(['admin', 'member'])
    expect(await grantable(max.browser)).toEqual([])
    const foreign = await bob.browser.call('GET /organization/list-roles', { query: { organizationId } })
    expect(outcome(foreign)).toBe('403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION')
  })

  test('agrees with update-member-role about every role', async () => {
    const roles = {
      owner: builtIn,
      admin: { ...builtIn, organization: ['update'] },
      member: {},
      updater: { member: ['update'] },
      inviter: { member: ['update'], invitation: ['create'] },
    }
    const { ann, join } = await withAcme({ roles })
    const target = await join('Max')
    for (const [position, role] of Object.keys(roles).entries()) {
      const actor = await join(`Actor${position}`, role)
      for (const given of await listRoles(actor.browser)) {
        const body = { memberId: target.memberId, role: given.role }
        const response = await actor.browser.call('POST /organization/update-member-role', { body })
        expect([role, given.role, response.status]).toEqual([role, given.role, given.mayGrant ? 200 : 403])
        if (response.status === 200)
          await ann.browser.call('POST /organization/update-member-role', { body: { ...body, role: 'member' } })
      }
    }
  })
})

describe('roles of the configuration', () => {
  const project = { project: ['create', 'share', 'delete'] }
  const custom = {
    ac: project,
    creatorRole: 'chief',
    roles: {
      chief: { ...builtIn, ...project },
      editor: { project: ['create', 'share'] },
      deputy: { member: ['update'], project: ['delete'] },
    },
  } satisfies OrganizationConfig

  test('take the place of the built-in ones, with a creator role of another name', async () => {
    const { ann, join, organizationId } = await withAcme(custom)
    const [ed, dee] = [await join('Ed', 'editor'), await join('Dee', 'editor,deputy')]
    expect((await ann.browser.call('GET /organization/get-active-member', {})).body.role).toBe('chief')
    expect((await listRoles(ann.browser)).map(({ role, isCreatorRole }) => [role, isCreatorRole])).toEqual([
      ['chief', true],
      ['editor', false],
      ['deputy', false],
    ])
    expect([await may(ed.browser, { project: ['create'] }), await may(ed.browser, { project: ['create', 'delete'] })]).toEqual([
      true,
      false,
    ])
    // What several roles permit adds up.
    expect([await may(dee.browser, { project: ['delete'] }), await may(dee.browser, { project: ['share', 'delete'] })]).toEqual([
      true,
      true,
    ])
    // Actions of the application are not compared.
    expect(await grantable(dee.browser)).toEqual(['editor', 'deputy'])
    const toAdmin = { memberId: ed.memberId, role: 'admin' }
    expect(outcome(await ann.browser.call('POST /organization/update-member-role', { body: toAdmin }))).toBe('400 ROLE_NOT_FOUND')
    const left = await ann.browser.call('POST /organization/leave', { body: { organizationId } })
    expect(outcome(left)).toBe('400 YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER')
  })

  test('may be the objects that createAccessControl of better-auth makes', async () => {
    const ac = { newRole: () => undefined, statements: { ...builtIn, ...project } }
    const role = (statements: object) => ({ authorize: () => ({ success: true }), statements })
    const roles = { owner: role(ac.statements), editor: role({ project: ['create'] }), none: role({}) }
    const { join } = await withAcme({ ac, roles } as never)
    const ed = await join('Ed', 'editor')
    expect([await may(ed.browser, { project: ['create'] }), await may(ed.browser, { project: ['share'] })]).toEqual([true, false])
  })
})

/** A call for each built-in action on members, teams and the organization; each can be made again. */
const callsByAction = {
  'organization:update': [
    ['POST /organization/update', { data: { name: 'Acme' } }],
    ['GET /organization/list-events', {}],
  ],
  'organization:delete': [['POST /organization/delete', {}]],
  'member:update': [['POST /organization/update-member-role', { memberId: 'member', role: 'none' }]],
  'member:delete': [['POST /organization/remove-member', { memberIdOrEmail: 'member' }]],
  'team:create': [['POST /organization/create-team', { name: 'Design' }]],
  'team:update': [['POST /organization/update-team', { teamId: 'team', data: { name: 'Design' } }]],
  'team:delete': [['POST /organization/remove-team', { teamId: 'team' }]],
} as const

describe.each(Object.entries(callsByAction))('%s', (action, calls) => {
  const [resource = '', verb = ''] = action.split(':')
  const only = { [resource]: [verb] }
  const others = Object.fromEntries(
    Object.entries(builtIn).map(([name, verbs]) => [name, verbs.filter((one) => name !== resource || one !== verb)]),
  )

  test('permits its calls, and without it a role that permits everything else does not', async () => {
    const roles = { owner: builtIn, only, others, none: {} }
    const { join, other, organizationId, ann } = await withAcme({ roles, teams: true })
    await ann.browser.call('POST /organization/create-team', { body: { name: 'Second' } })
    const [{ id: team }] = (await ann.browser.call('GET /organization/list-teams', {})).body
    const target = await join('Max', 'none')
    const names: Record<string, string> = { member: target.memberId, team }
    const bob = await other()
    const actors = [bob, await join('Nan', 'none'), await join('Otto', 'others'), await join('Olly', 'only')]
    const statuses: number[][] = []
    for (const { browser } of actors) {
      const made: number[] = []
      for (const [key, input] of calls) {
        const given = Object.fromEntries(
          Object.entries({ organizationId, ...input }).map(([name, value]) => [name, names[String(value)] ?? value]),
        )
        const sent = key.startsWith('GET')
          ? { query: given }
          : { body: { ...given, ...('data' in given && { data: { ...Object(given.data), organizationId } }) } }
        made.push((await browser.call(key as 'POST /organization/update', sent as never)).status)
      }
      statuses.push(made)
    }
    const [outside, none, without, permitted] = statuses
    expect(permitted).toEqual(calls.map(() => 200))
    for (const refused of [outside, none, without].flat()) expect([400, 401, 403]).toContain(refused)
  })
})

describe('seeded roles', () => {
  const declared = { auditor: { organization: ['update'] }, hr: { member: ['update', 'delete'] } }

  async function withSeeded(organization: OrganizationConfig = {}) {
    const kit = await withAcme(organization, { seed: { roles: declared } })
    const run = (roles: NonNullable<NonNullable<ConfigFile['seed']>['roles']>, prune = false) =>
      seed(extend(kit.app, { config: { ...kit.app.config, seed: { ...kit.app.config.seed, roles } } }), {
        dryRun: false,
        prune,
        readSecret: () => undefined,
      })
    await run(declared)
    return { ...kit, run }
  }

  test('permit what they say, next to configured ones, and are listed after those', async () => {
    const { ann, join } = await withSeeded()
    const hr = await join('Hera', 'member,hr')
    expect([await may(hr.browser, { member: ['update'] }), await may(hr.browser, { member: ['create'] })]).toEqual([true, false])
    expect((await listRoles(ann.browser)).map(({ role }) => role)).toEqual(['owner', 'admin', 'member', 'auditor', 'hr'])
    expect(await grantable(hr.browser)).toEqual(['member', 'hr'])
  })

  test('permit what the latest seed says, and nothing once they are removed', async () => {
    const { join, run, ann } = await withSeeded()
    const hr = await join('Hera', 'hr')
    await run({ ...declared, hr: { member: ['create'] } })
    expect([await may(hr.browser, { member: ['update'] }), await may(hr.browser, { member: ['create'] })]).toEqual([false, true])
    await run({}, true)
    expect(await may(hr.browser, { member: ['create'] })).toBe(false)
    const again = { memberId: hr.memberId, role: 'hr' }
    expect(outcome(await ann.browser.call('POST /organization/update-member-role', { body: again }))).toBe('400 ROLE_NOT_FOUND')
  })

  test('are listed without what they permit outside of organizations', async () => {
    const { run, ann } = await withSeeded()
    await run({ support: { user: ['list', 'ban'] }, auditor: { user: ['list'], organization: ['update'] } }, true)
    const listed = (await listRoles(ann.browser)).map(({ role, permission }) => [role, permission])
    expect(listed.slice(3)).toEqual([['auditor', { organization: ['update'] }]])
  })

  test('do not replace a configured role of the same name', async () => {
    const { join, run } = await withSeeded()
    await run({ member: { member: ['delete'] } })
    const max = await join('Max')
    expect(await may(max.browser, { member: ['delete'] })).toBe(false)
  })
})

test('GET /organization/list-events returns what happened, newest first, to those who may change the organization', async () => {
  const { ann, join, other, organizationId, clock } = await withAcme()
  const [ada, max, bob] = [await join('Ada', 'admin'), await join('Max'), await other()]
  const read = (browser: Browser, query: object = {}) => browser.call('GET /organization/list-events', { query } as never)
  clock.advance(1)
  await ann.browser.call('POST /organization/update-member-role', { body: { memberId: max.memberId, role: 'admin' } })
  clock.advance(1)
  await ada.browser.call('POST /organization/remove-member', { body: { memberIdOrEmail: max.memberId } })
  const whole = (await read(ann.browser)).body
  expect(whole.nextCursor).toBeNull()
  // Nothing about the installation, and no email address.
  expect(whole.events[0]).toEqual({
    id: expect.any(String),
    createdAt: expect.any(String),
    action: 'member.removed',
    outcome: 'succeeded',
    actor: { kind: 'user', id: ada.userId, name: 'Ada', email: null, image: null },
    impersonatedBy: null,
    target: { type: 'user', id: max.userId, name: 'Max' },
    user: { id: max.userId, name: 'Max', email: null },
    organization: { id: organizationId, name: 'Acme', slug: 'acme' },
    ipAddress: null,
    requestId: null,
    details: { role: 'admin' },
    sequence: null,
    hash: null,
  })
  expect(whole.events[1]).toMatchObject({
    action: 'member.role-changed',
    actor: { name: 'Ann' },
    details: { from: 'member', to: 'admin' },
  })
  expect(whole.events).toHaveLength(5)
  const found: string[] = []
  for (let query: object | null = { limit: 2 }; query; ) {
    const { body }: Answer = await read(ada.browser, query)
    found.push(...body.events.map(({ id }: { id: string }) => id))
    query = body.nextCursor === null ? null : { limit: 2, cursor: body.nextCursor }
  }
  expect(found).toEqual(whole.events.map(({ id }: { id: string }) => id))
  expect((await read(ann.browser, { action: 'member.added' })).body.events).toHaveLength(2)
  expect(outcome(await read(ann.browser, { cursor: 'unknown' }))).toBe('400 VALIDATION_ERROR')
  await join('Min')
  const min = await join('Mia')
  expect(outcome(await read(min.browser))).toBe('403 FORBIDDEN')
  expect(outcome(await read(bob.browser, { organizationId }))).toBe('403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION')
})
