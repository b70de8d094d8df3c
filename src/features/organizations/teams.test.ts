import { describe, expect, test } from 'vitest'
import type { Browser } from '../../../tests/kit/browser.ts'
import { insertMany } from '../../../tests/kit/many-rows.ts'
import { type OrganizationConfig, outcome, signUp, withAcme } from '../../../tests/kit/members.ts'
import { addMember } from './members.ts'

type Body = Readonly<Record<string, unknown>>
const post = (path: string) => (browser: Browser, body: Body) =>
  browser.call(`POST /organization/${path}` as never, { body } as never)
const [create, remove, update] = [post('create-team'), post('remove-team'), post('update-team')]
const [add, removeFrom] = [post('add-team-member'), post('remove-team-member')]
const list = (browser: Browser, query: object = {}) => browser.call('GET /organization/list-teams', { query })
type Attempt = readonly [who: Browser, body: Body, expected: string]

type TeamConfig = Exclude<NonNullable<OrganizationConfig['teams']>, boolean>

/** Acme with its default team, and members of each role. */
async function withTeams(teams: TeamConfig = {}) {
  const kit = await withAcme({ teams: { enabled: true, ...teams } })
  const [ada, max, bob, eve] = [
    await kit.join('Ada', 'admin'),
    await kit.join('Max'),
    await kit.other(),
    await signUp(kit, 'Eve'),
  ]
  const own = async () => (await list(kit.ann.browser)).body as { id: string; name: string; updatedAt: string | null }[]
  const teamOf = async ({ memberId }: { memberId: string }) =>
    (await kit.rows()).find(({ id }) => id === memberId)?.teamId ?? null
  const [first] = await own()
  const [foreign] = (await list(bob.browser)).body
  const expectAll = async (call: (browser: Browser, body: Body) => ReturnType<typeof create>, attempts: readonly Attempt[]) => {
    for (const [who, body, expected] of attempts) expect([body, outcome(await call(who, body))]).toEqual([body, expected])
  }
  return { ...kit, ada, max, bob, eve, own, teamOf, expectAll, first: first?.id ?? '', foreign: String(foreign?.id) }
}

test('a team of any number of members is removed, and they have none then', async () => {
  const { app, ada, organizationId, first, own } = await withTeams({ allowRemovingAllTeams: true })
  const now = app.now()
  const ids = Array.from({ length: 1200 }, () => app.random.id())
  const user = (number: number) => ({
    id: ids[number],
    name: 'x',
    email: `${number}@example.org`,
    createdAt: now,
    updatedAt: now,
  })
  await insertMany(app, 'user', ids.length, user)
  const row = { teamId: first, createdAt: now }
  const member = (number: number) => ({ ...row, id: ids[number], organizationId, userId: ids[number], role: 'member' })
  await insertMany(app, 'member', ids.length, member)
  await insertMany(app, 'teamMember', ids.length, (number) => ({ ...row, userId: ids[number], memberId: ids[number] }))
  expect(outcome(await remove(ada.browser, { organizationId, teamId: first }))).toBe('200')
  expect(await own()).toEqual([])
  const left = app.db.selectFrom('member').select('id').where('organizationId', '=', organizationId)
  expect(await left.where('teamId', 'is not', null).execute()).toEqual([])
  expect((await left.execute()).length).toBeGreaterThan(ids.length)
  expect(await app.db.selectFrom('teamMember').select('id').where('teamId', '=', first).execute()).toEqual([])
})

test('the calls exist only when teams are enabled', async () => {
  const { ann } = await withAcme()
  for (const call of [create, remove, update, add, removeFrom]) expect((await call(ann.browser, {})).status).toBe(404)
  expect((await list(ann.browser)).status).toBe(404)
})

describe('POST /organization/create-team', () => {
  test('creates a team', async () => {
    const { ann, organizationId, own, activity, clock } = await withTeams()
    clock.advance(1)
    const { body } = await create(ann.browser, { name: 'Design' })
    const { id, createdAt, updatedAt, ...team } = body
    expect([team, updatedAt]).toEqual([{ name: 'Design', organizationId }, createdAt])
    expect((await own()).map((one) => [one.name, one.updatedAt])).toEqual([
      ['Acme', null],
      ['Design', updatedAt],
    ])
    expect(await activity()).toContain('team.created')
  })

  test('checks in the order of the contract', async () => {
    const { ann, ada, max, bob, eve, browser, organizationId, expectAll } = await withTeams({ maximumTeams: 2 })
    const name = 'Design'
    await expectAll(create, [
      [browser(), { name }, '401 UNAUTHORIZED'],
      [ann.browser, { name: '' }, '400 VALIDATION_ERROR'],
      [eve.browser, { name }, '400 NO_ACTIVE_ORGANIZATION'],
      [bob.browser, { name, organizationId }, '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION'],
      [ann.browser, { name, organizationId: 'unknown' }, '403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION'],
      [max.browser, { name }, '403 YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION'],
      [ada.browser, { name }, '200'],
      [ann.browser, { name }, '400 YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS'],
    ])
  })

  test('calls a function for the maximum with the organization and the session', async () => {
    const seen: unknown[] = []
    const { ann, organizationId } = await withTeams({
      maximumTeams: async ({ organizationId: id, session }) => {
        seen.push(id, session?.session.userId, session?.user.email)
        return 1
      },
    })
    expect(outcome(await create(ann.browser, { name: 'Design' }))).toBe('400 YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS')
    expect(seen).toEqual([organizationId, ann.userId, 'ann@example.com'])
  })
})

describe('POST /organization/remove-team', () => {
  test('deletes a team: its members stay without one, and pending invitations give the others', async () => {
    const { app, ann, max, first, organizationId, own, teamOf, activity } = await withTeams()
    const { body: team } = await create(ann.browser, { name: 'Design' })
    await add(ann.browser, { teamId: team.id, userId: max.userId })
    const now = app.now()
    const invitation = {
      organizationId,
      status: 'pending',
      expiresAt: now,
      createdAt: now,
      inviterId: ann.userId,
      role: 'member',
    }
    const teams = `${team.id},${first}`
    const ids = { id: 'invitation', email: 'new@example.com', pendingEmail: 'new@example.com', teamId: teams }
    await app.db
      .insertInto('invitation')
      .values({ ...invitation, ...ids })
      .execute()
    expect((await remove(ann.browser, { teamId: team.id })).body).toEqual({ message: 'Team removed successfully.' })
    expect([(await own()).map(({ id }) => id), await teamOf(max)]).toEqual([[first], null])
    expect((await app.db.selectFrom('invitation').select('teamId').executeTakeFirst())?.teamId).toBe(first)
    expect(await activity()).toContain('team.removed')
  })

  test('checks in the order of the contract', async () => {
    const kit = await withTeams()
    const { ann, ada, max, bob, eve, first, foreign, organizationId, expectAll } = kit
    const notAllowed = '403 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM'
    await expectAll(remove, [
      [kit.browser(), { teamId: first }, '401 UNAUTHORIZED'],
      [eve.browser, { teamId: first }, '400 NO_ACTIVE_ORGANIZATION'],
      [bob.browser, { teamId: first, organizationId }, notAllowed],
      // The creator is in the default team only, and it is active.
      [ann.browser, { teamId: first }, notAllowed],
      [max.browser, { teamId: first }, '403 YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION'],
      [ada.browser, { teamId: 'unknown' }, '400 TEAM_NOT_FOUND'],
      [ada.browser, { teamId: foreign }, '400 TEAM_NOT_FOUND'],
      [ada.browser, { teamId: first }, '400 UNABLE_TO_REMOVE_LAST_TEAM'],
    ])
    const { body: team } = await create(ann.browser, { name: 'Design' })
    await expectAll(remove, [
      [ada.browser, { teamId: first }, '200'],
      [ada.browser, { teamId: team.id }, '400 UNABLE_TO_REMOVE_LAST_TEAM'],
    ])
    expect((await list(bob.browser)).body).toHaveLength(1)
  })

  test('removes the last team when the configuration allows it', async () => {
    const { ada, first, own } = await withTeams({ allowRemovingAllTeams: true })
    expect(outcome(await remove(ada.browser, { teamId: first }))).toBe('200')
    expect(await own()).toEqual([])
  })
})

describe('POST /organization/update-team', () => {
  test('changes the name and the time of the change, and nothing else', async () => {
    const { ann, ada, clock, first, organizationId, bob } = await withTeams()
    clock.advance(5)
    const data = { name: 'Everyone', organizationId, id: 'other', createdAt: '2000-01-01T00:00:00.000Z' }
    const { body } = await update(ada.browser, { teamId: first, data })
    expect(body).toMatchObject({ id: first, name: 'Everyone', organizationId })
    expect(Date.parse(body.updatedAt)).toBe(Date.parse(body.createdAt) + 5000)
    expect((await update(ann.browser, { teamId: first, data: {} })).body).toEqual(body)
    expect((await list(bob.browser)).body[0].name).toBe('Beta')
  })

  test('checks in the order of the contract', async () => {
    const { ann, ada, max, bob, eve, browser, first, foreign, organizationId, expectAll } = await withTeams()
    const notAllowed = '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM'
    const data = { name: 'Everyone' }
    await expectAll(update, [
      [browser(), { teamId: first, data }, '401 UNAUTHORIZED'],
      [ann.browser, { teamId: first, data: { name: '' } }, '400 VALIDATION_ERROR'],
      [ann.browser, { teamId: first }, '400 VALIDATION_ERROR'],
      [eve.browser, { teamId: first, data }, '400 NO_ACTIVE_ORGANIZATION'],
      [bob.browser, { teamId: first, data: { ...data, organizationId } }, notAllowed],
      [max.browser, { teamId: first, data }, notAllowed],
      [bob.browser, { teamId: first, data }, '400 TEAM_NOT_FOUND'],
      [ada.browser, { teamId: foreign, data }, '400 TEAM_NOT_FOUND'],
    ])
  })
})

describe('GET /organization/list-teams', () => {
  test('returns all teams of the given or active organization, or a page of them', async () => {
    const { ann, bob, clock, organizationId } = await withTeams()
    for (const name of ['B', 'C', 'D']) {
      clock.advance(1)
      await create(ann.browser, { name })
    }
    const names = (body: { name: string }[]) => body.map(({ name }) => name)
    const whole = await list(ann.browser, { organizationId })
    expect([names(whole.body), whole.headers.get('x-total-count'), whole.headers.get('link')]).toEqual([
      ['Acme', 'B', 'C', 'D'],
      '4',
      null,
    ])
    const page = await list(ann.browser, { limit: 3 })
    expect([names(page.body), page.headers.get('x-total-count')]).toEqual([['Acme', 'B', 'C'], '4'])
    const [, next = ''] = /[?&]after=([\w-]+).*>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? []
    for (const after of [decodeURIComponent(next), page.body[2].id]) {
      const last = await list(ann.browser, { limit: 3, after })
      expect([names(last.body), last.headers.get('link')]).toEqual([['D'], null])
    }
    expect(outcome(await list(ann.browser, { limit: 3, after: 'unknown' }))).toBe('400 VALIDATION_ERROR')
    // The organization of the query wins over the active one.
    expect(outcome(await list(ann.browser, { organizationId: bob.organizationId }))).toBe('403 FORBIDDEN')
  })

  test('has the number of members of each team on request', async () => {
    const { ann, max } = await withTeams()
    const { body: design } = await create(ann.browser, { name: 'Design' })
    await add(ann.browser, { teamId: design.id, userId: max.userId })
    const { body } = await list(ann.browser, { memberCounts: 'true' })
    const counts = body.map((team: { name: string; memberCount: number }) => [team.name, team.memberCount])
    expect(Object.fromEntries(counts)).toEqual({ Acme: 1, Design: 1 })
    expect((await list(ann.browser)).body[0]).not.toHaveProperty('memberCount')
  })

  test('requires a session, an organization and a membership', async () => {
    const { bob, eve, browser, organizationId } = await withTeams()
    expect(outcome(await list(browser()))).toBe('401 UNAUTHORIZED')
    expect(outcome(await list(eve.browser))).toBe('400 NO_ACTIVE_ORGANIZATION')
    expect(outcome(await list(bob.browser, { organizationId }))).toBe('403 FORBIDDEN')
    expect(outcome(await list(bob.browser, { organizationId: 'unknown' }))).toBe('403 FORBIDDEN')
  })
})

describe('members of a team', () => {
  test('can be in several teams; that of 1.2 is the first', async () => {
    const { ann, max, first, teamOf, clock } = await withTeams()
    const { body: team } = await create(ann.browser, { name: 'Design' })
    const { body } = await add(ann.browser, { teamId: first, userId: max.userId })
    expect(body).toEqual({ id: expect.any(String), teamId: first, userId: max.userId, createdAt: expect.any(String) })
    clock.advance(1000)
    await add(ann.browser, { teamId: team.id, userId: max.userId })
    expect(await teamOf(max)).toBe(first)
    await removeFrom(ann.browser, { teamId: first, userId: max.userId })
    expect(await teamOf(max)).toBe(team.id)
    const gone = await removeFrom(ann.browser, { teamId: team.id, userId: max.userId })
    expect(gone.body).toEqual({ message: 'Team member removed successfully.' })
    expect(await teamOf(max)).toBeNull()
  })

  test('never belong to another organization, and are changed by those who may change members or teams', async () => {
    const { ann, ada, max, bob, eve, browser, first, foreign, organizationId, expectAll } = await withTeams()
    const notAMember = '400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION'
    const own = { teamId: first, userId: max.userId }
    const refused = (code: string): Attempt[] => [
      [browser(), own, '401 UNAUTHORIZED'],
      [eve.browser, own, '400 NO_ACTIVE_ORGANIZATION'],
      [bob.browser, { ...own, organizationId }, notAMember],
      [max.browser, own, `403 ${code}`],
      [ann.browser, { teamId: first, userId: bob.userId }, notAMember],
      [ann.browser, { teamId: foreign, userId: max.userId }, '400 TEAM_NOT_FOUND'],
      [bob.browser, { teamId: foreign, userId: max.userId }, notAMember],
    ]
    await expectAll(add, [...refused('YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER'), [ada.browser, own, '200']])
    await expectAll(removeFrom, [
      ...refused('YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER'),
      [ada.browser, own, '200'],
      [ada.browser, own, '400 USER_IS_NOT_A_MEMBER_OF_THE_TEAM'],
    ])
  })

  test.each([
    ['a number', 2],
    ['a function', () => 2],
  ])('are at most as many as %s allows', async (_, maximumMembersPerTeam) => {
    const { app, ann, ada, max, eve, first, organizationId, expectAll } = await withTeams({ maximumMembersPerTeam })
    // The creator is in it.
    await expectAll(add, [
      [ann.browser, { teamId: first, userId: max.userId }, '200'],
      [ann.browser, { teamId: first, userId: max.userId }, '200'],
      [ann.browser, { teamId: first, userId: ada.userId }, '403 TEAM_MEMBER_LIMIT_REACHED'],
    ])
    const joining = addMember(app, { organizationId, userId: eve.userId, role: 'member', teamIds: [first] })
    await expect(joining).rejects.toMatchObject({ entry: { code: 'TEAM_MEMBER_LIMIT_REACHED' } })
  })
})
