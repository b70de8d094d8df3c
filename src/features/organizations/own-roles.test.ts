import { describe, expect, test } from 'vitest'
import type { Answer, Browser } from '../../../tests/kit/browser.ts'
import { type OrganizationConfig, outcome, withAcme } from '../../../tests/kit/members.ts'

type Body = Readonly<Record<string, unknown>>
const post = (path: string) => (browser: Browser, body: Body) =>
  browser.call(`POST /organization/${path}` as never, { body } as never) as Promise<Answer>
const [create, update, remove, setRole] = [
  post('create-role'),
  post('update-role'),
  post('delete-role'),
  post('update-member-role'),
]
const invite = post('invite-member')
const may = async (browser: Browser, permissions: Record<string, string[]>) =>
  (await browser.call('POST /organization/has-permission', { body: { permissions } })).body.success

const withRoles = (organization: OrganizationConfig = {}) =>
  withAcme({ dynamicAccessControl: { enabled: true }, ...organization })

/** Ann has made a role that invites, and Max has it. */
async function withInviter() {
  const kit = await withRoles()
  const [ada, max] = [await kit.join('Ada', 'admin'), await kit.join('Max')]
  const { body } = await create(kit.ann.browser, { role: 'Inviter', permission: { invitation: ['create'] } })
  await setRole(kit.ann.browser, { memberId: max.memberId, role: 'inviter' })
  return { ...kit, ada, max, role: body.roleData as { id: string; role: string } }
}

describe('a role that members make', () => {
  test('is created, read, changed and deleted', async () => {
    const { ann, organizationId, activity } = await withRoles()
    const permission = { member: ['create'] }
    const created = await create(ann.browser, { role: ' Auditor ', permission })
    const roleData = {
      ...{ id: expect.any(String), organizationId, role: 'auditor', permission },
      ...{ createdAt: expect.any(String), updatedAt: null },
    }
    expect(created.body).toEqual({ success: true, roleData, statements: permission })
    const get = (query: object) => ann.browser.call('GET /organization/get-role', { query })
    expect((await get({ roleName: 'auditor' })).body).toEqual(roleData)
    expect((await get({ roleId: created.body.roleData.id })).body).toEqual(roleData)
    expect((await ann.browser.call('GET /organization/list-roles', {})).body).toEqual([
      { ...roleData, isCreatorRole: false, mayGrant: true },
    ])
    const all = await ann.browser.call('GET /organization/list-roles', { query: { predefined: 'true' } })
    expect(all.body.map(({ role }: { role: string }) => role)).toEqual(['owner', 'admin', 'member', 'auditor'])
    const data = { permission: { team: ['create'] }, roleName: 'Planner' }
    const changed = await update(ann.browser, { roleName: 'auditor', data })
    const expected = { ...roleData, role: 'planner', permission: data.permission, updatedAt: expect.any(String) }
    expect(changed.body).toEqual({ success: true, roleData: expected })
    expect((await remove(ann.browser, { roleId: created.body.roleData.id })).body).toEqual({ success: true })
    expect(outcome(await get({ roleName: 'planner' }))).toBe('400 ROLE_NOT_FOUND')
    expect((await activity()).filter((action) => action.startsWith('organization-role'))).toEqual([
      'organization-role.created',
      'organization-role.deleted',
      'organization-role.updated',
    ])
  })

  test('permits what it says, from the next call on', async () => {
    const { ann, max } = await withInviter()
    expect(await may(max.browser, { invitation: ['create'] })).toBe(true)
    expect((await invite(max.browser, { email: 'una@example.com', role: 'member' })).status).toBe(200)
    await update(ann.browser, { roleName: 'inviter', data: { permission: { team: ['create'] } } })
    expect(await may(max.browser, { invitation: ['create'] })).toBe(false)
    const refused = await invite(max.browser, { email: 'kim@example.com', role: 'member' })
    expect(outcome(refused)).toBe('403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION')
  })

  test('can be given by an invitation, and counts only in its organization', async () => {
    const { ann, other } = await withInviter()
    expect((await invite(ann.browser, { email: 'una@example.com', role: 'inviter' })).status).toBe(200)
    const bob = await other()
    expect(outcome(await invite(bob.browser, { email: 'una@example.com', role: 'inviter' }))).toBe('400 ROLE_NOT_FOUND')
    expect(outcome(await setRole(bob.browser, { memberId: bob.memberId, role: 'owner,inviter' }))).toBe('400 ROLE_NOT_FOUND')
  })

  test('cannot be deleted or renamed while a member has it or an invitation gives it', async () => {
    const { ann, max, role } = await withInviter()
    const rename = { roleId: role.id, data: { roleName: 'other' } }
    const isUsed = async () => {
      const inUse = '400 ROLE_IS_ASSIGNED_TO_MEMBERS'
      expect([outcome(await remove(ann.browser, { roleName: 'inviter' })), outcome(await update(ann.browser, rename))]).toEqual([
        inUse,
        inUse,
      ])
    }
    await isUsed()
    const { body } = await invite(ann.browser, { email: 'una@example.com', role: 'member,inviter' })
    await setRole(ann.browser, { memberId: max.memberId, role: 'member' })
    await isUsed()
    await ann.browser.call('POST /organization/cancel-invitation', { body: { invitationId: body.id } })
    expect(outcome(await remove(ann.browser, { roleName: 'inviter' }))).toBe('200')
  })

  test('cancels invitations that its members may not send any more', async () => {
    const { app, ann, max } = await withInviter()
    await update(ann.browser, { roleName: 'inviter', data: { permission: { invitation: ['create'], member: ['update'] } } })
    await create(ann.browser, { role: 'changer', permission: { member: ['update'] } })
    expect((await invite(max.browser, { email: 'una@example.com', role: 'changer' })).status).toBe(200)
    expect((await invite(max.browser, { email: 'kim@example.com', role: 'member' })).status).toBe(200)
    await update(ann.browser, { roleName: 'inviter', data: { permission: { invitation: ['create'] } } })
    const rows = await app.db.selectFrom('invitation').select(['email', 'status']).orderBy('email').execute()
    expect(rows).toEqual([
      { email: 'kim@example.com', status: 'pending' },
      { email: 'una@example.com', status: 'canceled' },
    ])
  })
})

describe('a role gives no more than the user has', () => {
  const ac = { project: ['create', 'delete'] }
  const manage = { ac: ['create', 'read', 'update', 'delete'], member: ['update'], project: ['create'] }
  const roles = { owner: { ...manage, ...ac, organization: ['delete'] }, manager: manage, member: {} }

  test('when it is created or changed: what is missing is in the response', async () => {
    const { ann, join } = await withRoles({ ac, roles })
    const manager = await join('Mia', 'manager')
    const refused = await create(manager.browser, {
      role: 'x',
      permission: { project: ['create', 'delete'], organization: ['delete'] },
    })
    expect([outcome(refused), refused.body.missingPermissions]).toEqual([
      '403 YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE',
      ['project:delete', 'organization:delete'],
    ])
    expect(outcome(await create(manager.browser, { role: 'x', permission: { project: ['create'] } }))).toBe('200')
    const data = { permission: { project: ['delete'] } }
    const unchanged = await update(manager.browser, { roleName: 'x', data })
    expect([outcome(unchanged), unchanged.body.missingPermissions]).toEqual([
      '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE',
      ['project:delete'],
    ])
    expect(outcome(await update(ann.browser, { roleName: 'x', data }))).toBe('200')
  })

  test('when it is given to a member', async () => {
    const { ann, join } = await withRoles({ ac, roles })
    const [manager, max] = [await join('Mia', 'manager'), await join('Max')]
    await create(ann.browser, { role: 'cleaner', permission: { project: ['delete'] } })
    const given = { memberId: max.memberId, role: 'cleaner' }
    expect(outcome(await setRole(manager.browser, given))).toBe('403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER')
    const listed = (await manager.browser.call('GET /organization/list-roles', {})).body
    expect(listed).toMatchObject([{ role: 'cleaner', mayGrant: false }])
    expect(outcome(await setRole(ann.browser, given))).toBe('200')
  })
})

test('the calls check in the order of better-auth', async () => {
  const kit = await withRoles({ dynamicAccessControl: { enabled: true, maximumRolesPerOrganization: () => 1 } })
  const { ann, browser, organizationId } = kit
  const [max, bob] = [await kit.join('Max'), await kit.other()]
  await max.browser.call('POST /organization/set-active', { body: { organizationId: null } })
  const permission = { member: ['create'] }
  const named = { role: 'x', permission, organizationId }
  const notAMember = '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION'
  const attempts: [Promise<Answer>, string][] = [
    [create(browser(), named), '401 UNAUTHORIZED'],
    [create(max.browser, { role: 'x', permission }), '400 YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE'],
    [create(bob.browser, named), notAMember],
    [create(max.browser, named), '403 YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE'],
    [create(ann.browser, { ...named, role: 'Owner' }), '400 ROLE_NAME_IS_ALREADY_TAKEN'],
    [create(ann.browser, { ...named, permission: { unknown: ['x'] } }), '400 INVALID_RESOURCE'],
    [create(ann.browser, { ...named, role: 'a,b' }), '400 VALIDATION_ERROR'],
    [update(max.browser, { organizationId, roleName: 'x', data: {} }), '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE'],
    [update(ann.browser, { roleName: 'x', data: {} }), '400 ROLE_NOT_FOUND'],
    [update(ann.browser, { data: {} }), '400 VALIDATION_ERROR'],
    [remove(max.browser, { roleName: 'x' }), '400 NO_ACTIVE_ORGANIZATION'],
    [remove(max.browser, { organizationId, roleName: 'x' }), '403 YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE'],
    [remove(ann.browser, { roleName: 'admin' }), '400 CANNOT_DELETE_A_PRE_DEFINED_ROLE'],
    [remove(ann.browser, { roleId: 'unknown' }), '400 ROLE_NOT_FOUND'],
    [max.browser.call('GET /organization/get-role', { query: { organizationId, roleName: 'x' } }), '400 ROLE_NOT_FOUND'],
    [bob.browser.call('GET /organization/list-roles', { query: { organizationId } }), notAMember],
  ]
  for (const [response, expected] of attempts) expect(outcome(await response)).toBe(expected)
  expect(outcome(await create(ann.browser, named))).toBe('200')
  expect(outcome(await create(ann.browser, named))).toBe('400 TOO_MANY_ROLES')
  expect(outcome(await create(bob.browser, { role: 'x', permission }))).toBe('200')
})

test('roles of members exist only when the configuration permits them', async () => {
  const { app, ann, join, organizationId } = await withAcme()
  expect(outcome(await create(ann.browser, { role: 'x', permission: {} }))).toMatch(/^404/)
  const row = { id: 'role', organizationId, role: 'x', createdAt: app.now(), updatedAt: null }
  await app.db
    .insertInto('organizationRole')
    .values({ ...row, permission: JSON.stringify({ member: ['update'] }) })
    .execute()
  const max = await join('Max')
  expect(outcome(await setRole(ann.browser, { memberId: max.memberId, role: 'x' }))).toBe('400 ROLE_NOT_FOUND')
  expect(await may(ann.browser, { ac: ['create'] })).toBe(false)
})
