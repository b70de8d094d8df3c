/** Every call of the published client's plugin for organizations, errors included, over a real socket. */
import { createAccessControl } from 'better-auth/plugins/access'
import { defaultStatements, memberAc, ownerAc } from 'better-auth/plugins/organization/access'
import { describe, expect, test } from 'vitest'
import {
  type Client,
  createClient,
  createCookieFetch,
  type Outcome,
  organizationPlugin,
  type Version,
  versions,
} from './published.ts'
import { serve } from './served.ts'

const password = 'correct horse battery'
const ac = createAccessControl({ ...defaultStatements, project: ['create', 'share'] } as const)
/** As an application of better-auth declares them, for its server and its client. */
const roles = {
  owner: ac.newRole({ ...ownerAc.statements, project: ['create', 'share'] }),
  member: ac.newRole({ ...memberAc.statements }),
  editor: ac.newRole({ project: ['create'], invitation: ['create'] }),
}

const ok = (data: unknown) => ({ data, error: null })
const refused = (status: number, message: string) => ({ data: null, error: expect.objectContaining({ status, message }) })

describe.each(versions)('organizations with better-auth %s', (version) => {
  async function arrive(teams = true, more: object = {}) {
    const organization = { enabled: true, teams, ac, roles, requireEmailVerificationOnInvitation: false, ...more } as never
    const served = await serve({ organization, mail: { catch: true, from: 'Acme <a@example.com>' } })
    const signUp = async (name: string) => {
      const fetchOptions = { customFetchImpl: createCookieFetch() }
      const plugins = [organizationPlugin(version as Version, { ac, roles, teams: { enabled: teams }, ...more })]
      const client = createClient(version as Version, served.origin, fetchOptions, plugins)
      expect((await client.signUp?.email?.({ name, email: `${name}@example.com`, password }))?.error).toBeNull()
      // Not the client itself: to `await` it would be a call named `then`.
      return { client }
    }
    const [{ client: ann }, { client: bob }] = [await signUp('ann'), await signUp('bob')]
    const acme = (await call(ann, 'create', { name: 'Acme', slug: 'acme', metadata: { plan: 'pro' } })).data
    return { ...served, ann, bob, signUp, acme }
  }
  const call = (client: Client, name: string, input: object = {}) =>
    client.organization?.[name]?.({ ...input }) as Promise<Outcome>
  const invite = (client: Client, more: object = {}) =>
    call(client, 'inviteMember', { email: 'Bob@example.com', role: 'member', ...more })

  test('creates, reads, updates, activates and deletes an organization', async () => {
    const { ann, bob, acme } = await arrive()
    expect(acme).toMatchObject({ name: 'Acme', slug: 'acme', metadata: { plan: 'pro' }, members: [{ role: 'owner' }] })
    expect(acme.createdAt).toBeInstanceOf(Date)
    expect(await call(ann, 'checkSlug', { slug: 'free' })).toEqual(ok({ status: true }))
    expect(await call(bob, 'checkSlug', { slug: 'acme' })).toEqual(refused(400, 'slug is taken'))
    expect((await call(ann, 'list')).data).toMatchObject([{ id: acme.id, metadata: '{"plan":"pro"}' }])
    expect((await call(ann, 'update', { data: { name: 'ACME' } })).data).toMatchObject({
      name: 'ACME',
      metadata: { plan: 'pro' },
    })
    const full = await call(ann, 'getFullOrganization', { query: { organizationSlug: 'acme' } })
    expect(full.data).toMatchObject({ members: [{ user: { name: 'ann' } }], invitations: [], teams: [{ name: 'Acme' }] })
    expect(await call(ann, 'setActive', { organizationId: null })).toEqual(ok(null))
    expect(await call(ann, 'getFullOrganization')).toEqual(ok(null))
    expect(await call(ann, 'getActiveMember')).toEqual(refused(400, 'No active organization'))
    expect((await call(ann, 'setActive', { organizationSlug: 'acme' })).data).toMatchObject({ id: acme.id, teams: null })
    expect((await call(ann, 'getActiveMember')).data).toMatchObject({ role: 'owner', user: { email: 'ann@example.com' } })
    expect(await call(bob, 'setActive', { organizationId: acme.id })).toEqual(
      refused(403, 'User is not a member of the organization'),
    )
    expect((await call(ann, 'delete', { organizationId: acme.id })).data).toMatchObject({ id: acme.id })
    expect(await call(ann, 'list')).toEqual(ok([]))
  })

  test('invites, lists, gets, cancels, rejects and accepts invitations', async () => {
    const { ann, bob, signUp, acme } = await arrive()
    const first = (await invite(ann)).data
    expect(first).toMatchObject({ email: 'bob@example.com', role: 'member', status: 'pending', expiresAt: expect.any(Date) })
    expect(await invite(ann)).toEqual(refused(400, 'User is already invited to this organization'))
    expect((await invite(ann, { resend: true, role: ['member', 'editor'] })).data).toMatchObject({
      id: first.id,
      role: 'member,editor',
    })
    expect((await call(ann, 'cancelInvitation', { invitationId: first.id })).data).toMatchObject({ status: 'canceled' })
    expect(await call(bob, 'acceptInvitation', { invitationId: first.id })).toEqual(refused(400, 'Invitation not found'))
    const second = (await invite(ann)).data
    const query = { id: second.id }
    expect((await call(bob, 'getInvitation', { query })).data).toMatchObject({
      organizationName: 'Acme',
      organizationSlug: 'acme',
      inviterEmail: 'ann@example.com',
    })
    const { client: eve } = await signUp('eve')
    expect(await call(eve, 'getInvitation', { query })).toEqual(refused(403, 'You are not the recipient of the invitation'))
    expect((await call(bob, 'rejectInvitation', { invitationId: second.id })).data).toMatchObject({
      invitation: { status: 'rejected' },
      member: null,
    })
    const third = (await invite(ann)).data
    expect((await call(bob, 'listUserInvitations')).data).toMatchObject([{ id: third.id, organizationName: 'Acme' }])
    expect((await call(bob, 'acceptInvitation', { invitationId: third.id })).data).toMatchObject({
      invitation: { status: 'accepted' },
      member: { role: 'member', organizationId: acme.id },
    })
    const listed = (await call(ann, 'listInvitations', { query: { organizationId: acme.id } })).data
    expect(listed.map(({ status }: { status: string }) => status).sort()).toEqual(['accepted', 'canceled', 'rejected'])
    expect(await call(eve, 'listInvitations', { query: { organizationId: acme.id } })).toEqual(
      refused(403, 'You are not a member of this organization'),
    )
  })

  async function withMember() {
    const arrived = await arrive()
    const { id: invitationId } = (await invite(arrived.ann)).data
    const { member } = (await call(arrived.bob, 'acceptInvitation', { invitationId })).data
    return { ...arrived, member }
  }

  test('changes roles and checks permissions, which the client computes alike', async () => {
    const { ann, bob, member } = await withMember()
    const may = async (client: Client, permissions: object) => (await call(client, 'hasPermission', { permissions })).data.success
    const locally = (role: string, permissions: object) =>
      bob.organization?.checkRolePermission?.({ role, permissions }) as unknown
    const checks = [{ project: ['create'] }, { project: ['create', 'share'] }, { invitation: ['create'] }, { member: ['delete'] }]
    expect(await call(bob, 'updateMemberRole', { memberId: member.id, role: 'editor' })).toEqual(
      refused(403, 'You are not allowed to update this member'),
    )
    for (const role of ['member', 'editor']) {
      expect((await call(ann, 'updateMemberRole', { memberId: member.id, role })).data).toMatchObject({ id: member.id, role })
      for (const permissions of checks) expect(await may(bob, permissions)).toBe(locally(role, permissions))
    }
    for (const permissions of checks) expect(await may(ann, permissions)).toBe(locally('owner', permissions))
    expect(await call(ann, 'updateMemberRole', { memberId: member.id, role: 'chief' })).toEqual(refused(400, 'Role not found'))
    expect((await call(bob, 'getActiveMemberRole')).data).toEqual({ role: 'editor' })
    const { data } = await call(ann, 'listMembers', { query: { limit: 1, sortBy: 'createdAt', sortDirection: 'desc' } })
    expect(data).toMatchObject({ members: [expect.anything()], total: 2, hasMore: true })
  })

  test('removes members, leaves, and keeps the last owner', async () => {
    const { ann, bob, acme, member } = await withMember()
    expect(await call(ann, 'leave', { organizationId: acme.id })).toEqual(
      refused(400, 'You cannot leave the organization as the only owner'),
    )
    expect(await call(bob, 'removeMember', { memberIdOrEmail: member.id })).toEqual(
      refused(401, 'You are not allowed to delete this member'),
    )
    expect((await call(ann, 'removeMember', { memberIdOrEmail: 'BOB@example.com' })).data).toMatchObject({
      member: { id: member.id, user: { name: 'bob' } },
    })
    expect(await call(bob, 'getFullOrganization')).toEqual(ok(null))
    const { id: invitationId } = (await invite(ann)).data
    await call(bob, 'acceptInvitation', { invitationId })
    expect((await call(bob, 'leave', { organizationId: acme.id })).data).toMatchObject({ user: { name: 'bob' } })
    expect(await call(bob, 'leave', { organizationId: acme.id })).toEqual(refused(400, 'Member not found'))
  })

  test('creates, lists, updates and removes teams, and adds members to several', async () => {
    const { ann, bob, acme, member, clock } = await withMember()
    // The list is ordered by time.
    clock.advance(1)
    const team = (await call(ann, 'createTeam', { name: 'Design' })).data
    expect(team).toMatchObject({ name: 'Design', organizationId: acme.id })
    expect((await call(ann, 'updateTeam', { teamId: team.id, data: { name: 'Art' } })).data).toMatchObject({ name: 'Art' })
    expect((await call(bob, 'listTeams')).data).toMatchObject([{ name: 'Acme' }, { name: 'Art' }])
    const given = { teamId: team.id, userId: member.userId }
    expect(await call(bob, 'addTeamMember', given)).toEqual(refused(403, 'You are not allowed to create a new member'))
    expect((await call(ann, 'addTeamMember', given)).data).toMatchObject({ ...given, createdAt: expect.any(Date) })
    expect((await call(bob, 'getActiveMember')).data).toMatchObject({ teamId: team.id })
    clock.advance(1)
    const [{ id: first }] = (await call(bob, 'listTeams')).data
    await call(ann, 'addTeamMember', { ...given, teamId: first })
    expect((await call(bob, 'listUserTeams')).data).toMatchObject([{ name: 'Art' }, { name: 'Acme' }])
    expect((await call(bob, 'listTeamMembers', { query: { teamId: team.id } })).data).toMatchObject([given])
    expect((await call(bob, 'setActiveTeam', { teamId: team.id })).data).toMatchObject({ id: team.id })
    expect((await bob.getSession?.())?.data.session).toMatchObject({ activeTeamId: team.id })
    expect((await call(bob, 'getOrganization')).data).toMatchObject({ id: acme.id, metadata: '{"plan":"pro"}' })
    expect((await call(ann, 'removeTeamMember', given)).data).toEqual({ message: 'Team member removed successfully.' })
    expect(await call(bob, 'removeTeam', { teamId: team.id })).toEqual(
      refused(403, 'You are not allowed to delete teams in this organization'),
    )
    expect(await call(ann, 'removeTeam', { teamId: team.id })).toEqual(ok({ message: 'Team removed successfully.' }))
  })

  test('makes, gives, changes and deletes roles of an organization', async () => {
    const granted = { ...ownerAc.statements, ac: ['create', 'read', 'update', 'delete'] as const, project: ['create'] as const }
    const creator = ac.newRole(granted as never)
    const own = { dynamicAccessControl: { enabled: true }, roles: { ...roles, owner: creator } }
    const { ann, bob, acme } = await arrive(true, own)
    const permission = { project: ['create'] }
    const created = (await call(ann, 'createRole', { role: 'Maker', permission })).data
    expect(created).toMatchObject({ success: true, roleData: { role: 'maker', permission, organizationId: acme.id } })
    expect(await call(ann, 'createRole', { role: 'maker', permission })).toEqual(refused(400, 'That role name is already taken'))
    const beyond = await call(ann, 'createRole', { role: 'x', permission: { project: ['share'] } })
    expect(beyond.error).toMatchObject({ status: 403, missingPermissions: ['project:share'] })
    expect((await call(ann, 'listRoles', { query: {} })).data).toMatchObject([
      { id: created.roleData.id, role: 'maker', permission },
    ])
    expect((await call(ann, 'getRole', { query: { roleName: 'maker' } })).data).toMatchObject({ id: created.roleData.id })
    const { id: invitationId } = (await invite(ann, { role: 'maker' })).data
    await call(bob, 'acceptInvitation', { invitationId })
    expect((await call(bob, 'hasPermission', { permissions: permission })).data).toMatchObject({ success: true })
    expect((await call(ann, 'deleteRole', { roleName: 'maker' })).error).toMatchObject({ code: 'ROLE_IS_ASSIGNED_TO_MEMBERS' })
    const emptied = await call(ann, 'updateRole', { roleName: 'maker', data: { permission: {} } })
    expect(emptied.data).toMatchObject({ success: true, roleData: { permission: {} } })
    expect((await call(bob, 'hasPermission', { permissions: permission })).data).toMatchObject({ success: false })
    await call(bob, 'leave', { organizationId: acme.id })
    expect(await call(ann, 'deleteRole', { roleId: created.roleData.id })).toEqual(ok({ success: true }))
  })

  test('has no calls for teams when they are disabled', async () => {
    const { ann } = await arrive(false)
    expect((await call(ann, 'listTeams')).error).toMatchObject({ status: 404 })
    expect((await call(ann, 'getActiveMember')).data).not.toHaveProperty('teamId')
    expect((await call(ann, 'getFullOrganization')).data.teams).toBeNull()
  })
})
