import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { createAcme, outcome, withAcme } from '../../../tests/kit/members.ts'
import { teamRowsJob } from './team-rows.ts'

const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name)
const activeOf = async (browser: Browser) => (await browser.call('GET /get-session', {})).body.session.activeTeamId

/** Acme with the teams Acme (of Ann), Design and Sales (both of Max). */
async function withTeams() {
  const kit = await withAcme({ teams: { enabled: true } })
  const { ann, clock, app } = kit
  const [max, ada, bob] = [await kit.join('Max'), await kit.join('Ada', 'admin'), await kit.other()]
  const teams: Record<string, string> = {}
  for (const name of ['Design', 'Sales']) {
    clock.advance(1000)
    const { body } = await ann.browser.call('POST /organization/create-team', { body: { name } })
    teams[name] = body.id
    await ann.browser.call('POST /organization/add-team-member', { body: { teamId: body.id, userId: max.userId } })
  }
  const [acme] = (await ann.browser.call('GET /organization/list-user-teams', {})).body
  const foreign = (await bob.browser.call('GET /organization/list-user-teams', {})).body[0].id as string
  const { Design: design = '', Sales: sales = '' } = teams
  return { ...kit, app, max, ada, bob, acme: acme.id as string, foreign, design, sales }
}

describe('GET /organization/list-team-members', () => {
  test('returns the members of the given or the active team, to members of the team only', async () => {
    const { ann, max, ada, bob, browser, acme, design, foreign } = await withTeams()
    const list = (who: Browser, query: object = {}) => who.call('GET /organization/list-team-members', { query })
    const row = { id: expect.any(String), teamId: design, userId: max.userId, createdAt: expect.any(String) }
    expect((await list(max.browser, { teamId: design })).body).toEqual([row])
    // The creator of an organization has its default team active.
    expect((await list(ann.browser)).body).toMatchObject([{ teamId: acme, userId: ann.userId }])
    const attempts = [
      [await list(browser()), '401 UNAUTHORIZED'],
      [await list(max.browser), '400 YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM'],
      [await list(ada.browser, { teamId: design }), '400 USER_IS_NOT_A_MEMBER_OF_THE_TEAM'],
      [await list(ada.browser, { teamId: foreign }), '400 TEAM_NOT_FOUND'],
      [await list(bob.browser, { teamId: design }), '400 TEAM_NOT_FOUND'],
      [await list(ada.browser, { teamId: 'unknown' }), '400 TEAM_NOT_FOUND'],
    ] as const
    for (const [response, expected] of attempts) expect(outcome(response)).toBe(expected)
  })

  test('returns pages', async () => {
    const { ann, max, ada, design, clock } = await withTeams()
    clock.advance(1000)
    await ann.browser.call('POST /organization/add-team-member', { body: { teamId: design, userId: ada.userId } })
    const page = (after?: string) =>
      ada.browser.call('GET /organization/list-team-members', { query: { teamId: design, limit: 1, ...(after && { after }) } })
    const first = await page()
    expect([first.body[0].userId, first.headers.get('x-total-count')]).toEqual([max.userId, '2'])
    const second = await page(first.body[0].id)
    expect([second.body[0].userId, second.headers.get('link')]).toEqual([ada.userId, null])
  })
})

describe('GET /organization/list-user-teams', () => {
  test('returns the own teams of all organizations, or of one; of others to those who may change members', async () => {
    const { ann, max, ada, bob, organizationId, design } = await withTeams()
    const list = (who: Browser, query: object = {}) => who.call('GET /organization/list-user-teams', { query })
    expect(names((await list(max.browser)).body)).toEqual(['Design', 'Sales'])
    await max.browser.call('POST /organization/create', {
      body: { name: 'Own', slug: 'own', keepCurrentActiveOrganization: true },
    })
    expect(names((await list(max.browser)).body)).toEqual(['Design', 'Sales', 'Own'])
    expect(names((await list(max.browser, { organizationId })).body)).toEqual(['Design', 'Sales'])
    expect(names((await list(ada.browser, { userId: max.userId })).body)).toEqual(['Design', 'Sales'])
    const paged = await list(max.browser, { limit: 1, after: design })
    expect([names(paged.body), paged.headers.get('x-total-count')]).toEqual([['Sales'], '3'])
    const attempts = [
      [await list(max.browser, { userId: ann.userId }), '403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER'],
      [await list(bob.browser, { organizationId }), '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION'],
      [await list(bob.browser, { organizationId, userId: max.userId }), '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION'],
      [await list(ada.browser, { userId: bob.userId }), '400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION'],
    ] as const
    for (const [response, expected] of attempts) expect(outcome(response)).toBe(expected)
  })
})

describe('the active team', () => {
  const set = (who: Browser, teamId?: string | null) =>
    who.call('POST /organization/set-active-team', { body: teamId === undefined ? {} : { teamId } })

  test('is one of the active organization that the user is in', async () => {
    const { ann, max, bob, organizationId, acme, design, sales, foreign } = await withTeams()
    expect([await activeOf(ann.browser), await activeOf(max.browser)]).toEqual([acme, null])
    expect((await set(max.browser)).body).toBeNull()
    expect((await set(max.browser, design)).body).toMatchObject({ id: design, name: 'Design' })
    expect((await set(max.browser)).body).toMatchObject({ id: design })
    expect((await set(max.browser, sales)).status).toBe(200)
    expect(await activeOf(max.browser)).toBe(sales)
    const attempts = [
      [await set(max.browser, acme), '403 USER_IS_NOT_A_MEMBER_OF_THE_TEAM'],
      [await set(max.browser, foreign), '400 TEAM_NOT_FOUND'],
      [await set(bob.browser, design), '400 TEAM_NOT_FOUND'],
    ] as const
    for (const [response, expected] of attempts) expect(outcome(response)).toBe(expected)
    expect((await set(max.browser, null)).body).toBeNull()
    expect(await activeOf(max.browser)).toBeNull()
    await set(max.browser, design)
    await max.browser.call('POST /organization/set-active', { body: { organizationId: null } })
    expect([await activeOf(max.browser), outcome(await set(max.browser, design))]).toEqual([null, '400 NO_ACTIVE_ORGANIZATION'])
    await max.browser.call('POST /organization/set-active', { body: { organizationId } })
    expect(await activeOf(max.browser)).toBeNull()
  })

  test('ends when the user leaves the team or the organization, or the team is removed', async () => {
    const { ann, max, organizationId, design, sales } = await withTeams()
    await set(max.browser, design)
    const gone = { body: { teamId: design, userId: max.userId } }
    await ann.browser.call('POST /organization/remove-team-member', gone)
    expect(await activeOf(max.browser)).toBeNull()
    await set(max.browser, sales)
    await ann.browser.call('POST /organization/remove-team', { body: { teamId: sales } })
    expect(await activeOf(max.browser)).toBeNull()
    await ann.browser.call('POST /organization/add-team-member', gone)
    await set(max.browser, design)
    await max.browser.call('POST /organization/leave', { body: { organizationId } })
    expect(await activeOf(max.browser)).toBeNull()
  })

  test('cannot be removed by the user', async () => {
    const { ann, acme, design } = await withTeams()
    const remove = async (teamId: string) =>
      outcome(await ann.browser.call('POST /organization/remove-team', { body: { teamId } }))
    await ann.browser.call('POST /organization/add-team-member', { body: { teamId: design, userId: ann.userId } })
    expect(await remove(acme)).toBe('403 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM')
    expect(await remove(design)).toBe('200')
  })
})

test('an invitation gives several teams, and the only one becomes the active team', async () => {
  const { app, ann, browser, design, sales, foreign, acme } = await withTeams()
  const invite = (email: string, teamId: unknown) =>
    ann.browser.call('POST /organization/invite-member', { body: { email, role: 'member', teamId } as never })
  const accept = async (name: string, invitationId: string) => {
    const guest = browser()
    const email = `${name.toLowerCase()}@example.com`
    await guest.call('POST /sign-up/email', { body: { name, email, password: 'correct horse battery' } })
    await app.db.updateTable('user').set({ emailVerified: true }).where('email', '=', email).execute()
    const { body } = await guest.call('POST /organization/accept-invitation', { body: { invitationId } })
    return { guest, body }
  }
  const several = (await invite('una@example.com', [design, sales])).body
  expect(several.teamId).toBe(`${design},${sales}`)
  const una = await accept('Una', several.id)
  expect(una.body).toMatchObject({ invitation: { teamId: `${design},${sales}` }, member: { teamId: design } })
  const own = (await una.guest.call('GET /organization/list-user-teams', {})).body
  expect([names(own).sort(), await activeOf(una.guest)]).toEqual([['Design', 'Sales'], null])
  const fay = await accept('Fay', (await invite('fay@example.com', `${acme}`)).body.id)
  expect(await activeOf(fay.guest)).toBe(acme)
  expect(outcome(await invite('kim@example.com', `${design},${foreign}`))).toBe('400 TEAM_NOT_FOUND')
  const tooMany = Array.from({ length: 26 }, (_, count) => `team ${count}`)
  expect(outcome(await invite('kim@example.com', tooMany))).toBe('400 VALIDATION_ERROR')
})

test('an organization is returned without its lists, and members with their teams', async () => {
  const { ann, max, bob, organizationId, design, sales } = await withTeams()
  const get = (who: Browser, query: object = {}) => who.call('GET /organization/get-organization', { query })
  const { body } = await get(max.browser)
  expect([body.id, body.members]).toEqual([organizationId, undefined])
  expect((await get(ann.browser, { organizationSlug: 'acme' })).body.id).toBe(organizationId)
  expect(outcome(await get(bob.browser, { organizationId }))).toBe('403 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION')
  expect((await get(bob.browser)).body).toBeNull()
  const listed = await ann.browser.call('GET /organization/list-members', { query: { teams: 'true' } })
  const member = listed.body.members.find(({ userId }: { userId: string }) => userId === max.userId)
  expect(member).toMatchObject({ teamId: design, teamIds: [design, sales] })
})

test('sessions have no active team while teams are disabled', async () => {
  const { ann } = await withAcme()
  const { body } = await ann.browser.call('GET /get-session', {})
  expect([body.session, body.session]).not.toContainEqual(expect.objectContaining({ activeTeamId: null }))
  expect(outcome(await ann.browser.call('POST /organization/set-active-team', { body: {} }))).toMatch(/^404/)
})

test('members of a database from before several teams get their rows', async () => {
  const kit = await testApp({ organization: { enabled: true, teams: { enabled: true } } })
  const { ann, organizationId, rows } = await createAcme(kit)
  const [before] = await rows()
  await kit.app.db.deleteFrom('teamMember').execute()
  const run = () => teamRowsJob.run(kit.app, new AbortController().signal)
  await run()
  const read = () => kit.app.db.selectFrom('teamMember').select(['teamId', 'userId', 'memberId']).execute()
  expect(await read()).toEqual([{ teamId: before?.teamId, userId: ann.userId, memberId: ann.memberId }])
  await run()
  expect([(await read()).length, organizationId]).toEqual([1, before?.organizationId])
})
