/** What signing in does to other sessions, how many a user may have, and how long one without `rememberMe` lives. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { insertMany } from '../../../tests/kit/many-rows.ts'
import { many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import type { ConfigFile } from '../index.ts'
import { findUserByEmail } from '../users/index.ts'
import { newSession, writeSession } from './session-creation.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const bob = { ...ann, name: 'Bob', email: 'bob@example.com' }
const credentials = { email: ann.email, password: ann.password }
const day = 86_400

const signIn = (browser: Browser, body: object = credentials) => browser.call('POST /sign-in/email', { body: body as never })

async function withAnn(config: ConfigFile = {}) {
  const kit = await testApp(config)
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  /** A browser with the cookies that the visitor has now. */
  const copy = () => {
    const browser = kit.browser()
    for (const [name, value] of visitor.cookies) browser.cookies.set(name, value)
    return browser
  }
  const sessions = () => kit.app.db.selectFrom('session').selectAll().orderBy('createdAt').execute()
  return { ...kit, visitor, copy, sessions }
}

describe('signing in revokes the session that the browser had', () => {
  test.each([
    ['signs in again', (browser: Browser) => signIn(browser), 'Ann', 1],
    ['signs up', (browser: Browser) => browser.call('POST /sign-up/email', { body: bob }), 'Bob', 1],
  ] as const)('when it %s', async (_, enter, name, expected) => {
    const { visitor, copy, sessions } = await withAnn({ session: { cookieCache: { enabled: true } } })
    await visitor.call('GET /get-session', {})
    const former = copy()
    expect((await enter(visitor)).status).toBe(200)
    expect([await nameOf(former), await nameOf(visitor)]).toEqual([null, name])
    expect(await sessions()).toHaveLength(expected)
  })

  test('but not when it fails', async () => {
    const { visitor } = await withAnn()
    expect((await signIn(visitor, { ...credentials, password: 'a wrong password' })).status).toBe(401)
    expect((await visitor.call('POST /sign-up/email', { body: ann })).status).toBe(422)
    expect(await nameOf(visitor)).toBe('Ann')
  })

  test('and no other session', async () => {
    const { browser, visitor, sessions } = await withAnn()
    const other = browser()
    await signIn(other)
    await signIn(visitor)
    expect(await nameOf(other)).toBe('Ann')
    expect(await sessions()).toHaveLength(2)
  })

  test('but not a session whose cookie is forged, and not with revokePreviousOnSignIn: false', async () => {
    const { visitor, copy } = await withAnn()
    const former = copy()
    const value = visitor.cookies.get('latchkey.session_token') ?? ''
    visitor.cookies.set('latchkey.session_token', `${value.slice(0, -8)}AAAA%3D`)
    await signIn(visitor)
    expect(await nameOf(former)).toBe('Ann')
    const kept = await withAnn({ session: { revokePreviousOnSignIn: false } })
    const earlier = kept.copy()
    await signIn(kept.visitor)
    expect(await nameOf(earlier)).toBe('Ann')
  })
})

describe('a session without rememberMe', () => {
  test('is never renewed and ends after a day, also if the client leaves out the cookie that says so', async () => {
    const { browser, clock, sessions } = await withAnn({ session: { updateAge: 3600 } })
    const guest = browser()
    await signIn(guest, { ...credentials, rememberMe: false })
    guest.cookies.delete('latchkey.dont_remember')
    clock.advance(day / 2)
    const shown = await guest.call('GET /get-session', {})
    expect([shown.body.user.name, shown.setCookie]).toEqual(['Ann', []])
    const renamed = await guest.call('POST /update-user', { body: { name: 'Anna' } })
    expect(renamed.setCookie.join()).not.toContain('Max-Age')
    guest.cookies.delete('latchkey.dont_remember')
    const row = (await sessions()).find(({ remembered }) => !remembered)
    expect(row?.expiresAt.getTime()).toBe(clock.now().getTime() + (day / 2) * 1000)
    const change = { currentPassword: ann.password, newPassword: 'another horse entirely', revokeOtherSessions: true }
    expect((await guest.call('POST /change-password', { body: change })).setCookie.join()).not.toContain('Max-Age')
    guest.cookies.delete('latchkey.dont_remember')
    clock.advance(day)
    expect(await nameOf(guest)).toBeNull()
  })

  test('ends after a day with cached copies too', async () => {
    const { browser, clock } = await withAnn({ session: { updateAge: 0, cookieCache: { enabled: true } } })
    const guest = browser()
    await signIn(guest, { ...credentials, rememberMe: false })
    for (let hour = 0; hour < 24; hour += 1) {
      guest.cookies.delete('latchkey.dont_remember')
      expect(await nameOf(guest)).toBe('Ann')
      clock.advance(3600)
    }
    expect(await nameOf(guest)).toBeNull()
  })
})

describe('a user has at most session.maxPerUser sessions', () => {
  test('and a further sign-in revokes the oldest', async () => {
    const { browser, clock, visitor, sessions } = await withAnn({ session: { maxPerUser: 3, cookieCache: { enabled: true } } })
    const others = [browser(), browser(), browser()]
    for (const other of others) {
      clock.advance(1)
      expect((await signIn(other)).status).toBe(200)
    }
    expect(await Promise.all([visitor, ...others].map(nameOf))).toEqual([null, 'Ann', 'Ann', 'Ann'])
    expect(await sessions()).toHaveLength(3)
    // A lower limit takes effect at the next sign-in.
    clock.advance(1)
    await signIn(others[0] ?? visitor)
    expect(await sessions()).toHaveLength(3)
  })

  test('100 unless configured; more with 0', async () => {
    const { app, sessions } = await withAnn()
    const client = { ipAddress: '', userAgent: '' }
    const user = (await findUserByEmail(app, ann.email)) ?? expect.fail('no user')
    for (let count = 0; count < 101; count += 1) await writeSession(app, newSession(app, user.id, client), user)
    expect(await sessions()).toHaveLength(100)
    const free = await withAnn({ session: { maxPerUser: 0 } })
    const same = (await findUserByEmail(free.app, ann.email)) ?? expect.fail('no user')
    for (let count = 0; count < 101; count += 1) await writeSession(free.app, newSession(free.app, same.id, client), same)
    expect(await free.sessions()).toHaveLength(102)
  })

  test.each([
    [3, 3],
    [0, 10_000],
  ])('of any number that a limit of %i finds, %i are left', async (maxPerUser, left) => {
    const { app, clock, browser, sessions } = await withAnn({ session: { maxPerUser } })
    const user = await findUserByEmail(app, ann.email)
    const at = { createdAt: clock.now(), updatedAt: clock.now(), expiresAt: new Date(clock.now().getTime() + 60_000) }
    await insertMany(app, 'session', 12_500, (number) => ({ tokenHash: `${number}`, userId: user?.id, ...at }))
    expect((await signIn(browser())).status).toBe(200)
    expect(await sessions()).toHaveLength(left)
  })

  test.each(places)('when 64 sign in concurrently at %s: all succeed, and the others end', async (place) => {
    const kit = await openRacers(place, { session: { maxPerUser: 5 } })
    await kit.browser().call('POST /sign-up/email', { body: ann })
    const browsers = kit.browsers()
    expect(tally(await race(browsers, (browser) => signIn(browser)))).toEqual({ 200: many })
    expect(await kit.app.db.selectFrom('session').select('id').execute()).toHaveLength(5)
    const alive = (await Promise.all(browsers.map(nameOf))).filter((name) => name !== null)
    expect(alive).toHaveLength(5)
  })

  test('counts the sessions of that user only', async () => {
    const { browser, visitor } = await withAnn({ session: { maxPerUser: 1 } })
    await browser().call('POST /sign-up/email', { body: bob })
    expect(await nameOf(visitor)).toBe('Ann')
  })
})

test('signing in succeeds without a cached copy when the database becomes unavailable after the session is committed', async () => {
  const away = { do: async () => {} }
  const { app, browser, log } = await withAnn({
    session: { cookieCache: { enabled: true } },
    databaseHooks: { session: { create: { after: () => away.do() } } },
  })
  const rename = (from: string, to: string) => app.db.schema.alterTable(from).renameTo(to).execute()
  const isTimeout = vi.spyOn(app.database, 'isTimeout').mockReturnValue(true)
  onTestFinished(() => isTimeout.mockRestore())
  away.do = () => rename('session', 'away')
  const response = await signIn(browser())
  isTimeout.mockRestore()
  await rename('away', 'session')
  expect([response.status, response.setCookie]).toEqual([200, [expect.stringContaining('latchkey.session_token=')]])
  expect(log.join()).toContain('no cached copy')
})

test('a session has the model of a phone that its browser says in a client hint', async () => {
  const { browser } = await withAnn()
  const visitor = browser()
  const reduced =
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'
  const headers = { 'user-agent': reduced, 'sec-ch-ua-model': '"Pixel 8"', 'sec-ch-ua-platform-version': '"15.0.0"' }
  await visitor.call('POST /sign-in/email', { body: credentials }, headers)
  const { session } = (await visitor.call('GET /get-session', {})).body
  expect(session.userAgent).toBe(reduced.replace('Android 10; K', 'Android 15; Pixel 8'))
})
