/** Invariants of members and teams, in 64 concurrent calls; with a database server also on two daemons. */
import { describe, expect, test } from 'vitest'
import type { Browser } from '../../../tests/kit/browser.ts'
import { createAcme, type OrganizationConfig, outcome } from '../../../tests/kit/members.ts'
import { expectOneWinner, many, openRacers, places, type Racers, race, tally } from '../../../tests/kit/race.ts'
import type { UserRow } from '../../core/request.ts'
import { findUserById, insertUser, userCreation } from '../users/index.ts'
import { addMember } from './members.ts'
import { createOrganization } from './organizations.ts'
import { createTeam } from './teams.ts'

const onlyOwner = '400 YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER'
type Body = Readonly<Record<string, unknown>>
const post = (path: string) => (browser: Browser, body: Body) =>
  browser.call(`POST /organization/${path}` as never, { body } as never)
const [create, update, add] = [post('create'), post('update'), post('add-member')]
const [setActive, deleteOrganization] = [post('set-active'), post('delete')]
const [remove, changeRole, leave] = [post('remove-member'), post('update-member-role'), post('leave')]
const [createTeamOf, removeTeam, addToTeam] = [post('create-team'), post('remove-team'), post('add-team-member')]

/** Each organization that exists counts its members correctly and has an owner. */
async function expectSound({ app }: Pick<Racers, 'app'>) {
  const members = await app.db.selectFrom('member').selectAll().execute()
  for (const { id, memberCount } of await app.db.selectFrom('organization').select(['id', 'memberCount']).execute()) {
    const own = members.filter(({ organizationId }) => organizationId === id)
    expect(own).toHaveLength(memberCount)
    expect(new Set(own.map(({ userId }) => userId)).size).toBe(memberCount)
    expect(own.some(({ role }) => role.split(',').includes('owner'))).toBe(true)
  }
}

const createUser = ({ app }: Pick<Racers, 'app'>, name: string): Promise<UserRow> =>
  insertUser(app, userCreation(app, { name, email: `${name}@example.com` }).draft, {})

describe.each(places)('at %s', (place) => {
  const open = async (organization: OrganizationConfig = {}) => {
    const kit = await openRacers(place, {
      organization: { enabled: true, ...organization },
      user: { deleteUser: { enabled: true } },
    })
    return { ...kit, ...(await createAcme(kit)) }
  }

  /** Only calls for the server itself are routed: rows are made by the functions of the features. */
  async function openInternal(organization: OrganizationConfig = {}) {
    const kit = await openRacers(place, { organization: { enabled: true, ...organization } }, { isPrivileged: true })
    const acme = (await createOrganization(kit.app, await createUser(kit, 'ann'), { name: 'Acme', slug: 'acme' })).organization
    const users: UserRow[] = []
    for (let number = 0; number < many; number += 1) users.push(await createUser(kit, `user${number}`))
    return { ...kit, users, organizationId: acme.id }
  }

  const creator = async ({ app }: Racers, userId: string): Promise<UserRow> => {
    const user = await findUserById(app, userId)
    if (!user) throw new Error('The user was deleted')
    return user
  }

  describe('a slug has one organization', () => {
    test('when 64 create one', async () => {
      const kit = await open()
      const answers = await race(kit.browsers(kit.ann.browser), (browser) => create(browser, { name: 'Beta', slug: 'beta' }))
      expect(tally(answers)).toEqual({ 200: 1, '400 ORGANIZATION_ALREADY_EXISTS': many - 1 })
      await expectSound(kit)
    })

    test('when 64 organizations change theirs to it', async () => {
      const kit = await open()
      const user = await creator(kit, kit.ann.userId)
      const ids: string[] = []
      for (let number = 0; number < many; number += 1)
        ids.push((await createOrganization(kit.app, user, { name: 'Beta', slug: `beta-${number}` })).organization.id)
      const answers = await race(kit.browsers(kit.ann.browser), (browser, position) =>
        update(browser, { organizationId: ids[position], data: { slug: 'wanted' } }),
      )
      expect(tally(answers)).toEqual({ 200: 1, '400 ORGANIZATION_ALREADY_EXISTS': many - 1 })
    })
  })

  test('a user is a member once, when 64 calls add them', async () => {
    const kit = await openInternal()
    const [user] = kit.users
    const body = { organizationId: kit.organizationId, userId: user?.id, role: 'member' }
    const answers = await race(kit.browsers(), (browser) => add(browser, body))
    expect(tally(answers)).toEqual({ 200: 1, '400 USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION': many - 1 })
    await expectSound(kit)
  })

  test('an organization has at most as many members as its limit, when 64 users are added and there is room for 3', async () => {
    const kit = await openInternal({ membershipLimit: 4 })
    const answers = await race(kit.browsers(), (browser, position) =>
      add(browser, { organizationId: kit.organizationId, userId: kit.users[position]?.id, role: 'member' }),
    )
    expect(tally(answers)).toEqual({ 200: 3, '403 ORGANIZATION_MEMBERSHIP_LIMIT_REACHED': many - 3 })
    expect(await kit.app.db.selectFrom('member').select('id').execute()).toHaveLength(4)
    await expectSound(kit)
  })

  test('a user creates at most as many organizations as the limit, when 64 calls create one', async () => {
    const kit = await open({ organizationLimit: 3 })
    const answers = await race(kit.browsers(kit.ann.browser), (browser, position) =>
      create(browser, { name: 'Beta', slug: `beta-${position}` }),
    )
    expect(tally(answers)).toEqual({ 200: 2, '403 YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS': many - 2 })
    await expectSound(kit)
  })

  test('an organization is not active in a session of a removed member, when 63 calls make it active', async () => {
    const kit = await open()
    const { organizationId, ann } = kit
    const ben = await kit.join('Ben')
    await setActive(ben.browser, { organizationId: null })
    const answers = await race(kit.browsers(ben.browser), (browser, position) =>
      position === 20
        ? remove(ann.browser, { organizationId, memberIdOrEmail: ben.memberId })
        : setActive(browser, { organizationId }),
    )
    const codes = ['200', '403 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION']
    for (const answer of answers) expect(codes).toContain(outcome(answer))
    const sessions = kit.app.db.selectFrom('session').select('activeOrganizationId').where('userId', '=', ben.userId)
    expect(await sessions.execute()).toEqual([{ activeOrganizationId: null }])
  })

  test('calls that update an organization while it is deleted get a documented error', async () => {
    const kit = await open()
    const { organizationId, ann } = kit
    const answers = await race(kit.browsers(ann.browser), (browser, position) =>
      position === 20
        ? deleteOrganization(browser, { organizationId })
        : update(browser, { organizationId, data: { name: 'Beta' } }),
    )
    const codes = ['200', '400 ORGANIZATION_NOT_FOUND', '400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION']
    for (const answer of answers) expect(codes).toContain(outcome(answer))
    expect(await kit.app.db.selectFrom('organization').select('id').execute()).toEqual([])
  })

  test('calls that create an organization while their user is deleted get a documented error', async () => {
    const kit = await open()
    const answers = await race(kit.browsers(kit.ann.browser), (browser, position) =>
      position === 20
        ? browser.call('POST /delete-user', { body: {} })
        : create(browser, { name: 'Beta', slug: `beta-${position}` }),
    )
    for (const answer of answers) expect(['200', '401 UNAUTHORIZED']).toContain(outcome(answer))
    for (const table of ['organization', 'member'] as const)
      expect(await kit.app.db.selectFrom(table).select('id').execute()).toEqual([])
  })

  describe('an organization keeps an owner', () => {
    /** Half of the calls are of Ann, the others of Olga; both are owners. */
    async function withTwoOwners() {
      const kit = await open()
      const olga = await kit.join('Olga', 'owner')
      const [anns, olgas] = [kit.browsers(kit.ann.browser), kit.browsers(olga.browser)]
      const raceOwners = (ofAnn: (browser: Browser) => ReturnType<typeof leave>, ofOlga: typeof ofAnn) =>
        race(anns, (browser, position) => (position % 2 ? ofOlga(olgas[position] ?? browser) : ofAnn(browser)))
      return { ...kit, olga, raceOwners }
    }

    test('when two owners leave', async () => {
      const { raceOwners, organizationId, ...kit } = await withTwoOwners()
      const leaveAcme = (browser: Browser) => leave(browser, { organizationId })
      const answers = await raceOwners(leaveAcme, leaveAcme)
      expectOneWinner(answers, onlyOwner, '400 MEMBER_NOT_FOUND')
      expect(await kit.rows()).toHaveLength(1)
      await expectSound(kit)
    })

    test('when one leaves while the other is demoted', async () => {
      const { raceOwners, organizationId, olga, ...kit } = await withTwoOwners()
      const answers = await raceOwners(
        (browser) => leave(browser, { organizationId }),
        (browser) => changeRole(browser, { organizationId, memberId: olga.memberId, role: 'member' }),
      )
      const codes = ['200', onlyOwner, '400 MEMBER_NOT_FOUND', '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER']
      for (const answer of answers) expect(codes).toContain(outcome(answer))
      expect((await kit.rows()).filter(({ role }) => role === 'owner')).toHaveLength(1)
      await expectSound(kit)
    })

    test('when two owners remove each other', async () => {
      const { raceOwners, organizationId, olga, ann, ...kit } = await withTwoOwners()
      const answers = await raceOwners(
        (browser) => remove(browser, { organizationId, memberIdOrEmail: olga.memberId }),
        (browser) => remove(browser, { organizationId, memberIdOrEmail: ann.email }),
      )
      expectOneWinner(answers, onlyOwner, '400 MEMBER_NOT_FOUND')
      await expectSound(kit)
    })

    test('when one is removed while the other deletes their account', async () => {
      const { raceOwners, organizationId, olga, ann, ...kit } = await withTwoOwners()
      const max = await kit.join('Max')
      const answers = await raceOwners(
        (browser) => remove(browser, { organizationId, memberIdOrEmail: olga.memberId }),
        (browser) => browser.call('POST /delete-user', { body: {} }),
      )
      const codes = ['200', onlyOwner, '400 MEMBER_NOT_FOUND', '401 UNAUTHORIZED']
      for (const answer of answers) expect(codes).toContain(outcome(answer))
      expect((await kit.rows()).map(({ userId }) => userId).sort()).toEqual([ann.userId, max.userId].sort())
      await expectSound(kit)
    })

    test('when both owners delete their account', async () => {
      const { raceOwners, ...kit } = await withTwoOwners()
      const max = await kit.join('Max')
      const deleteUser = (browser: Browser) => browser.call('POST /delete-user', { body: {} })
      expectOneWinner(await raceOwners(deleteUser, deleteUser), onlyOwner, '401 UNAUTHORIZED')
      expect((await kit.rows()).map(({ userId }) => userId)).toContain(max.userId)
      await expectSound(kit)
    })

    test('when 64 owners leave: one stays', async () => {
      const kit = await open()
      const { organizationId, ann } = kit
      const owners = kit.browsers().slice(1)
      const signedUp = await race(owners, (browser, number) =>
        browser.call('POST /sign-up/email', {
          body: { name: 'Olga', email: `olga${number}@example.com`, password: 'correct horse battery' },
        }),
      )
      expect(tally(signedUp)).toEqual({ 200: many - 1 })
      for (const { body } of signedUp)
        await addMember(kit.app, { organizationId, userId: String(body.user.id), role: 'admin,owner' })
      const answers = await race([ann.browser, ...owners], (browser) => leave(browser, { organizationId }))
      expect(tally(answers)).toEqual({ 200: many - 1, [onlyOwner]: 1 })
      expect(await kit.rows()).toHaveLength(1)
      await expectSound(kit)
    })
  })

  describe('teams', () => {
    const withTeams = (teams: Exclude<OrganizationConfig['teams'], boolean | undefined> = {}) =>
      open({ teams: { enabled: true, ...teams } })

    test('the last one stays, when 64 are removed', async () => {
      const kit = await withTeams()
      const ada = await kit.join('Ada', 'admin')
      const [first] = await kit.app.db.selectFrom('team').select('id').execute()
      const teams = [String(first?.id)]
      while (teams.length < many) teams.push((await createTeam(kit.app, kit.organizationId, 'Design')).id)
      const answers = await race(kit.browsers(ada.browser), (browser, position) =>
        removeTeam(browser, { teamId: teams[position] }),
      )
      expect(tally(answers)).toEqual({ 200: many - 1, '400 UNABLE_TO_REMOVE_LAST_TEAM': 1 })
      expect(await kit.app.db.selectFrom('team').select('id').execute()).toHaveLength(1)
    })

    test('are at most as many as the maximum, when 64 are created', async () => {
      const kit = await withTeams({ maximumTeams: 4 })
      const answers = await race(kit.browsers(kit.ann.browser), (browser) => createTeamOf(browser, { name: 'Design' }))
      expect(tally(answers)).toEqual({ 200: 3, '400 YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS': many - 3 })
      expect(await kit.app.db.selectFrom('team').select('id').execute()).toHaveLength(4)
    })

    test('have at most as many members as the maximum, when 64 are added', async () => {
      const kit = await withTeams({ maximumMembersPerTeam: 3 })
      const users: string[] = []
      while (users.length < many) {
        const { id } = await createUser(kit, `user${users.length}`)
        await addMember(kit.app, { organizationId: kit.organizationId, userId: id, role: 'member' })
        users.push(id)
      }
      const team = await createTeam(kit.app, kit.organizationId, 'Design')
      const answers = await race(kit.browsers(kit.ann.browser), (browser, position) =>
        addToTeam(browser, { teamId: team.id, userId: users[position] }),
      )
      expect(tally(answers)).toEqual({ 200: 3, '403 TEAM_MEMBER_LIMIT_REACHED': many - 3 })
      expect((await kit.rows()).filter(({ teamId }) => teamId === team.id)).toHaveLength(3)
    })

    test('have a member once, when they are added 64 times', async () => {
      const kit = await withTeams()
      const ada = await kit.join('Ada')
      const team = await createTeam(kit.app, kit.organizationId, 'Design')
      const answers = await race(kit.browsers(kit.ann.browser), (browser) =>
        addToTeam(browser, { teamId: team.id, userId: ada.userId }),
      )
      expect(tally(answers)).toEqual({ 200: many })
      const rows = await kit.app.db.selectFrom('teamMember').select('userId').where('teamId', '=', team.id).execute()
      expect(rows).toEqual([{ userId: ada.userId }])
    })
  })

  describe('roles that members make', () => {
    const createRole = (browser: Browser, role: string) =>
      browser.call('POST /organization/create-role', { body: { role, permission: { member: ['create'] } } })

    test('are one of each name, and at most as many as the maximum, when 64 are created', async () => {
      const kit = await open({ dynamicAccessControl: { enabled: true, maximumRolesPerOrganization: 3 } })
      const browsers = kit.browsers(kit.ann.browser)
      const same = await race(browsers, (browser) => createRole(browser, 'auditor'))
      expectOneWinner(same, '400 ROLE_NAME_IS_ALREADY_TAKEN', '400 TOO_MANY_ROLES')
      const answers = await race(browsers, (browser, position) => createRole(browser, `role ${position}`))
      expect(tally(answers)).toEqual({ 200: 2, '400 TOO_MANY_ROLES': many - 2 })
    })

    test('are never deleted from a member, when they are given and deleted concurrently', async () => {
      const kit = await open({ dynamicAccessControl: { enabled: true } })
      const max = await kit.join('Max')
      await createRole(kit.ann.browser, 'auditor')
      const body = { memberId: max.memberId, role: 'auditor' }
      const answers = await race(kit.browsers(kit.ann.browser), (browser, position) =>
        position % 2 === 0
          ? browser.call('POST /organization/update-member-role', { body })
          : browser.call('POST /organization/delete-role', { body: { roleName: 'auditor' } }),
      )
      const roles = await kit.app.db.selectFrom('organizationRole').select('role').execute()
      const given = (await kit.rows()).some(({ role }) => role === 'auditor')
      expect([given, roles.length]).toEqual(given ? [true, 1] : [false, 0])
      expect(Object.keys(tally(answers)).filter((code) => code.startsWith('5'))).toEqual([])
    })
  })
})
