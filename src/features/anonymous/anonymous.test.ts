/** Anonymous users (contract 06 §11): how they get a session, and what happens to them when they sign in. */
import { describe, expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import { type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { password, signUp } from '../../../tests/kit/members.ts'
import { startFlow } from '../../../tests/kit/provider-stand-in.ts'
import { many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import { socialApp, ann as visitor } from '../../../tests/kit/social.ts'
import { refusal } from '../../core/errors.ts'
import type { LinkedAccounts } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password }
const enter = (browser: Browser) => browser.call('POST /sign-in/anonymous', {})
const signIn = (browser: Browser, name = 'Ann') =>
  browser.call('POST /sign-in/email', { body: { email: `${name.toLowerCase()}@example.com`, password } })
const userOf = async (browser: Browser) => (await browser.call('GET /get-session', {})).body?.user

type Options = Exclude<NonNullable<Parameters<typeof testApp>[0]>['anonymous'], boolean | undefined>

/** Ann has an account; a browser is signed in anonymously. */
async function withGuest(anonymous: Options = {}, config: Parameters<typeof testApp>[0] = {}) {
  const links: LinkedAccounts[] = []
  const onLinkAccount = (accounts: LinkedAccounts) => void links.push(accounts)
  const kit = await testApp({ anonymous: { onLinkAccount, ...anonymous }, ...config })
  const { userId: annId } = await signUp(kit, 'Ann')
  const guest = kit.browser()
  const entered = await enter(guest)
  const guestId = String(entered.body.user?.id)
  const users = async () => (await kit.app.db.selectFrom('user').selectAll().orderBy('createdAt').execute()).map(({ id }) => id)
  return { ...kit, guest, entered, guestId, annId, links, users }
}

describe('POST /sign-in/anonymous', () => {
  test('creates a user and a session', async () => {
    const { entered, guest, app } = await withGuest()
    expect(entered.status).toBe(200)
    expect(Object.keys(entered.body).sort()).toEqual(['token', 'user'])
    expect(Object.keys(entered.body.user).sort()).toEqual(['createdAt', 'email', 'emailVerified', 'id', 'name', 'updatedAt'])
    expect(entered.body.user).toMatchObject({
      name: 'Anonymous',
      email: expect.stringMatching(/^temp-[a-z0-9]{32}@localhost$/),
      emailVerified: false,
    })
    expect(entered.setCookie.map((header) => header.split('=')[0])).toEqual(['latchkey.session_token'])
    expect(await userOf(guest)).toMatchObject({ isAnonymous: true })
    const events = await app.db.selectFrom('auditEvent').select(['action', 'details']).execute()
    expect(events).toContainEqual({ action: 'user.created', details: { method: 'anonymous' } })
    expect(events).toContainEqual({ action: 'user.signed-in', details: { method: 'anonymous' } })
  })

  test('takes domain and name from the configuration', async () => {
    const { entered } = await withGuest({ emailDomainName: 'Guests.example.com', generateName: async () => 'Guest 7' })
    expect(entered.body.user).toMatchObject({
      name: 'Guest 7',
      email: expect.stringMatching(/^temp-\w{32}@guests\.example\.com$/),
    })
  })

  test('fails for an anonymous user, and creates none', async () => {
    const { guest, guestId, annId, users } = await withGuest()
    expect((await enter(guest)).body).toEqual({
      code: 'ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY',
      message: 'Anonymous users cannot sign in again anonymously',
    })
    expect([(await users()).sort(), (await userOf(guest)).id]).toEqual([[annId, guestId].sort(), guestId])
  })

  test('replaces the session of another user, who is not deleted', async () => {
    const { browser, annId, users } = await withGuest()
    const other = browser()
    await signIn(other)
    expect((await enter(other)).status).toBe(200)
    expect(await users()).toContain(annId)
  })

  test.each([
    ['user', 500, 'FAILED_TO_CREATE_USER', 'Failed to create user'],
    ['session', 400, 'COULD_NOT_CREATE_SESSION', 'Could not create session'],
  ] as const)('fails when a hook rejects the %s, and leaves nothing', async (table, status, code, message) => {
    const kit = await testApp({ anonymous: true, databaseHooks: { [table]: { create: { before: () => false } } } })
    const answer = await enter(kit.browser())
    expect([answer.status, answer.body]).toEqual([status, { code, message }])
    expect(await kit.app.db.selectFrom('user').selectAll().execute()).toEqual([])
  })

  test('fails when generateName returns no text', async () => {
    const kit = await testApp({ anonymous: { generateName: () => 7 as never } })
    expect((await enter(kit.browser())).status).toBe(500)
  })

  test('does not exist without the feature, and no client can set isAnonymous', async () => {
    const kit = await testApp()
    expect((await enter(kit.browser())).status).toBe(404)
    const { browser } = await withGuest()
    const eve = browser()
    await eve.call('POST /sign-up/email', { body: { ...ann, email: 'eve@example.com', isAnonymous: true } as never })
    expect((await userOf(eve)).isAnonymous).toBeNull()
  })

  test('is limited like other sign-ins', async () => {
    const kit = await testApp({ anonymous: true, rateLimit: { enabled: true } })
    const statuses = []
    for (let count = 0; count < 4; count += 1) statuses.push((await enter(kit.browser())).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })
})

describe('POST /delete-anonymous-user', () => {
  test('deletes the user, without `user.deleteUser`, and ends the session', async () => {
    const { guest, guestId, users } = await withGuest()
    const response = await guest.call('POST /delete-anonymous-user', {})
    expect([response.status, response.body]).toEqual([200, { success: true }])
    expect(await users()).not.toContain(guestId)
    expect((await guest.call('GET /get-session', {})).body).toBeNull()
  })

  test('keeps an anonymous user who has a sign-in method of their own', async () => {
    const { app, guest, guestId, users } = await withGuest()
    await app.db.updateTable('user').set({ email: 'zoe@example.com' }).where('id', '=', guestId).execute()
    expect(await guest.call('POST /delete-anonymous-user', {})).toMatchObject({
      status: 403,
      body: { code: 'USER_IS_NOT_ANONYMOUS' },
    })
    expect(await users()).toContain(guestId)
  })

  test('keeps all with `disableDeleteAnonymousUser`', async () => {
    const { guest, guestId, users } = await withGuest({ disableDeleteAnonymousUser: true })
    expect(await guest.call('POST /delete-anonymous-user', {})).toMatchObject({
      status: 400,
      body: { code: 'DELETE_ANONYMOUS_USER_DISABLED' },
    })
    expect(await users()).toContain(guestId)
  })
})

describe('an anonymous user who signs in', () => {
  test('by password is handed over, then deleted', async () => {
    const { guest, guestId, annId, links, users, app } = await withGuest()
    const { session } = (await guest.call('GET /get-session', {})).body
    expect((await signIn(guest)).status).toBe(200)
    expect(links).toMatchObject([
      { anonymousUser: { user: { id: guestId }, session: { id: session.id } }, newUser: { user: { id: annId, name: 'Ann' } } },
    ])
    expect(JSON.stringify(links)).not.toContain('token')
    expect([await users(), await nameOf(guest)]).toEqual([[annId], 'Ann'])
    const events = await app.db.selectFrom('auditEvent').selectAll().where('action', '=', 'anonymous-user.linked').execute()
    expect(events).toMatchObject([{ actorId: annId, targetId: annId, details: { anonymousUserId: guestId } }])
  })

  test('by a new account', async () => {
    const { guest, guestId, links, users } = await withGuest()
    await guest.call('POST /sign-up/email', { body: { ...ann, name: 'Eve', email: 'eve@example.com' } })
    expect(links.map(({ newUser }) => newUser.user.name)).toEqual(['Eve'])
    expect(await users()).not.toContain(guestId)
  })

  test('by a provider', async () => {
    const links: LinkedAccounts[] = []
    const kit = await socialApp({ anonymous: { onLinkAccount: (accounts: LinkedAccounts) => void links.push(accounts) } })
    const guest = kit.browser()
    const { id } = (await enter(guest)).body.user
    const url = await startFlow(guest, 'google', { body: { callbackURL: '/in' } })
    const query = new URLSearchParams({ code: kit.codeFor(visitor), state: url.searchParams.get('state') ?? '' })
    expect((await guest.request(`/callback/google?${query}`)).status).toBe(302)
    expect(links.map(({ anonymousUser, newUser }) => [anonymousUser.user.id, newUser.user.name])).toEqual([[id, visitor.name]])
  })

  test('by a bearer token in place of a cookie', async () => {
    const { entered, browser, links } = await withGuest({}, { bearer: true })
    const headers = { authorization: `Bearer ${entered.body.token}` }
    await browser().call('POST /sign-in/email', { body: { email: ann.email, password } }, headers)
    expect(links).toHaveLength(1)
  })

  test('is kept with disableDeleteAnonymousUser', async () => {
    const { guest, guestId, links, users } = await withGuest({ disableDeleteAnonymousUser: true })
    await signIn(guest)
    expect([links.length, (await users()).includes(guestId)]).toEqual([1, true])
  })

  test('is kept when onLinkAccount fails, and the sign-in succeeds', async () => {
    for (const error of [new Error('planted'), refusal({ status: 403, message: 'Not now' })]) {
      const { guest, guestId, users, log } = await withGuest({ onLinkAccount: () => Promise.reject(error) })
      expect((await signIn(guest)).status).toBe(200)
      expect([(await users()).includes(guestId), await nameOf(guest)]).toEqual([true, 'Ann'])
      expect(log.join()).toContain(guestId)
    }
  })

  test('is kept when the deletion is rejected, as for the only owner of an organization with members', async () => {
    const { guest, guestId, users, app, log } = await withGuest({}, { organization: true })
    const { id: organizationId } = (await guest.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })).body
    const { addMember } = await import('../organizations/members.ts')
    const [annId = ''] = (await users()).filter((id) => id !== guestId)
    await addMember(app, { organizationId, userId: annId, role: 'member' })
    expect((await signIn(guest)).status).toBe(200)
    expect(await users()).toContain(guestId)
    expect(log.join()).toContain('could not be deleted after signing in')
  })

  test('is kept with a sign-in method of their own, and nothing is handed over', async () => {
    const { guest, guestId, links, users, app, clock } = await withGuest()
    const at = clock.now()
    const account = { id: 'row-github', providerId: 'github', accountId: '7', userId: guestId, createdAt: at, updatedAt: at }
    await app.db.insertInto('account').values(account).execute()
    await signIn(guest)
    expect([links, (await users()).includes(guestId)]).toEqual([[], true])
  })

  test('is kept when the sign-in fails, with a forged cookie, and after the session has expired', async () => {
    const { guest, guestId, links, users, clock, browser } = await withGuest()
    await guest.call('POST /sign-in/email', { body: { email: ann.email, password: 'a wrong password' } })
    const thief = browser()
    thief.cookies.set('latchkey.session_token', `${guest.cookies.get('latchkey.session_token')}x`)
    await signIn(thief)
    clock.advance(604_801)
    await signIn(guest)
    expect([links, (await users()).includes(guestId)]).toEqual([[], true])
  })

  test('is handed over with multiSession too; switching hands nothing over', async () => {
    const { guest, links, users, annId, browser, guestId } = await withGuest(
      { disableDeleteAnonymousUser: true },
      { multiSession: true },
    )
    await signIn(guest)
    expect(links).toHaveLength(1)
    const [, other] = (await guest.call('GET /multi-session/list-device-sessions', {})).body
    expect(other.user.id).toBe(guestId)
    await guest.call('POST /multi-session/set-active', { body: { sessionToken: other.session.id } })
    await guest.call('POST /multi-session/set-active', {
      body: { sessionToken: (await guest.call('GET /multi-session/list-device-sessions', {})).body[1].session.id },
    })
    expect([links.length, (await userOf(guest)).id, (await users()).length]).toEqual([1, annId, 2])
    expect(browser).toBeDefined()
  })

  test('leaves no cookie with multiSession, and its place to the new session', async () => {
    const { guest, browser, entered } = await withGuest({}, { multiSession: { maximumSessions: 1 }, bearer: true })
    const second = () => [...guest.cookies.keys()].filter((name) => name.includes('_multi-'))
    const [former] = second()
    const { token } = (await signIn(guest)).body
    expect(second()).toEqual([`latchkey.session_token_multi-${token.toLowerCase()}`])
    expect(former).toBe(`latchkey.session_token_multi-${entered.body.token.toLowerCase()}`)
    const app = (await enter(browser())).body.token
    const body = { email: ann.email, password }
    const { setCookie } = await browser().call('POST /sign-in/email', { body }, { authorization: `Bearer ${app}` })
    expect(setCookie.filter((header) => header.includes('_multi-'))).toHaveLength(1)
  })

  test('is not handed over by the administrator who impersonates them', async () => {
    const links: unknown[] = []
    const kit = await administrate(
      await testApp({ admin: true, anonymous: { onLinkAccount: (accounts) => void links.push(accounts) } }),
    )
    const { id } = (await enter(kit.browser())).body.user
    await kit.ada.browser.call('POST /admin/impersonate-user', { body: { userId: id } })
    await signIn(kit.ada.browser, 'Uma')
    expect([links, await kit.userOf(id)]).toEqual([[], expect.objectContaining({ id })])
  })
})

test.each(places)('one of 64 concurrent sign-ins hands the data over, at %s', async (place) => {
  let count = 0
  const kit = await openRacers(place, {
    anonymous: {
      onLinkAccount: () => {
        count += 1
      },
    },
  })
  await signUp(kit, 'Ann')
  const guest = kit.browser()
  const { id } = (await enter(guest)).body.user
  expect(tally(await race(kit.browsers(guest), (browser) => signIn(browser)))).toEqual({ 200: many })
  expect([count, await kit.app.db.selectFrom('user').select('id').where('id', '=', id).execute()]).toEqual([1, []])
})
