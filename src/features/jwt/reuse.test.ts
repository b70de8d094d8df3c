import { expect, inject, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { claimsOf, headerOf } from '../../../tests/kit/token-verifier.ts'
import type { ConfigFile } from '../index.ts'
import { revokeSessions } from '../sessions/index.ts'
import { retireKey, rotateKeys } from './index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
type Options = Exclude<NonNullable<ConfigFile['jwt']>, boolean>

async function open(jwt: Options = {}, config: ConfigFile = {}) {
  const kit = await testApp({ jwt, ...config })
  const visitor = kit.browser()
  const { body } = await visitor.call('POST /sign-up/email', { body: ann })
  const tokenOf = async (browser: Browser) => (await browser.call('GET /get-session', {})).headers.get('set-auth-jwt') ?? ''
  return { ...kit, visitor, userId: String(body.user.id), tokenOf, readToken: () => tokenOf(visitor) }
}

test('get-session returns the token of the session again in the first quarter of its lifetime', async () => {
  const { readToken, clock } = await open()
  const first = await readToken()
  clock.advance(224)
  expect(await readToken()).toBe(first)
  clock.advance(1)
  const next = await readToken()
  const { iat, exp } = claimsOf(next)
  expect([iat - claimsOf(first).iat, exp - iat]).toEqual([225, 900])
})

test('a token is signed again after the clock was set back, because its time of issue would be in the future', async () => {
  const { readToken, clock } = await open()
  const first = await readToken()
  clock.advance(-10)
  expect(claimsOf(await readToken()).iat).toBe(claimsOf(first).iat - 10)
})

test('tokens that all expire at a date are not returned after it', async () => {
  const { readToken, clock } = await open({ jwt: { expirationTime: new Date('2026-01-31T12:01:00Z') } })
  clock.advance(61)
  const first = await readToken()
  clock.advance(1)
  expect(await readToken()).not.toBe(first)
})

test('GET /token returns a new token each time', async () => {
  const { visitor, readToken, clock } = await open()
  const first = await readToken()
  clock.advance(1)
  const { token } = (await visitor.call('GET /token', {})).body
  expect([claimsOf(token).iat, await readToken()]).toEqual([claimsOf(first).iat + 1, first])
})

test('two users, and two sessions of a user, have tokens of their own', async () => {
  const { browser, readToken, tokenOf, clock } = await open()
  const [other, ben] = [browser(), browser()]
  await other.call('POST /sign-in/email', { body: ann })
  await ben.call('POST /sign-up/email', { body: { ...ann, name: 'Ben', email: 'ben@example.com' } })
  const first = await readToken()
  clock.advance(1)
  const [second, third] = [await tokenOf(other), await tokenOf(ben)]
  expect([claimsOf(second).iat - claimsOf(first).iat, claimsOf(second).sub]).toEqual([1, claimsOf(first).sub])
  expect([claimsOf(third).name, claimsOf(await readToken()).name]).toEqual(['Ben', 'Ann'])
})

test('a changed name is in the next token, also when a cached copy of the session was returned before', async () => {
  const { visitor, readToken } = await open({}, { session: { cookieCache: { enabled: true } } })
  await readToken()
  await visitor.call('POST /update-user', { body: { name: 'Anna' } })
  expect(claimsOf(await readToken()).name).toBe('Anna')
})

test('a change that no call made is in the next token', async () => {
  const { app, readToken } = await open()
  await readToken()
  await app.db.updateTable('user').set({ image: 'https://example.com/ann.png' }).execute()
  expect(claimsOf(await readToken()).image).toBe('https://example.com/ann.png')
})

test('definePayload and getSubject are called for each response, and what they return decides', async () => {
  let [plan, group] = ['free', 'staff']
  const { readToken } = await open({ jwt: { definePayload: () => ({ plan }), getSubject: () => group } })
  const first = await readToken()
  plan = 'paid'
  const second = await readToken()
  group = 'guests'
  const third = await readToken()
  expect([first, second, third].map(claimsOf)).toMatchObject([
    { plan: 'free', sub: 'staff' },
    { plan: 'paid', sub: 'staff' },
    { plan: 'paid', sub: 'guests' },
  ])
})

test('a failure of definePayload returns no earlier token', async () => {
  let fails = false
  const definePayload = () => (fails ? Promise.reject(new Error('no payload')) : { plan: 'free' })
  const { readToken } = await open({ jwt: { definePayload } })
  await readToken()
  fails = true
  expect(await readToken()).toBe('')
})

test('a changed session is in the next token', async () => {
  const theme = { type: 'string', required: false, defaultValue: 'light' } as const
  const definePayload = ({ session }: { session: Readonly<Record<string, unknown>> }) => ({ theme: session.theme })
  const { visitor, readToken } = await open({ jwt: { definePayload } }, { session: { additionalFields: { theme } } })
  expect(claimsOf(await readToken()).theme).toBe('light')
  await visitor.call('POST /update-session', { body: { theme: 'dark' } })
  expect(claimsOf(await readToken()).theme).toBe('dark')
})

test('an impersonation has a token that names the administrator, and its end one that does not', async () => {
  const { browser, app, userId, tokenOf } = await open({}, { admin: true })
  const root = browser()
  const { body } = await root.call('POST /sign-up/email', { body: { ...ann, email: 'root@example.com' } })
  await app.db.updateTable('user').set({ role: 'admin' }).where('id', '=', body.user.id).execute()
  const own = await tokenOf(root)
  await root.call('POST /admin/impersonate-user', { body: { userId } })
  const impersonated = await tokenOf(root)
  await root.call('POST /admin/stop-impersonating', {})
  const after = await tokenOf(root)
  expect([own, impersonated, after].map((token) => [claimsOf(token).sub, claimsOf(token).act])).toEqual([
    [body.user.id, undefined],
    [userId, { sub: body.user.id }],
    [body.user.id, undefined],
  ])
})

test('the next key signs the next token as soon as it is active', async () => {
  const { app, clock, readToken } = await open()
  await readToken()
  const { key } = await rotateKeys(app)
  clock.advance(3599)
  const first = await readToken()
  clock.advance(1)
  const next = await readToken()
  expect([headerOf(first).kid === key.row.id, headerOf(next).kid]).toEqual([false, key.row.id])
})

test.each([true, false])('no token of a retired key is returned, removed now: %s', async (removeNow) => {
  const { app, readToken } = await open()
  const { kid } = headerOf(await readToken())
  await retireKey(app, String(kid), removeNow)
  expect(headerOf(await readToken()).kid).not.toBe(kid)
})

test('a session that has ended gets no token', async () => {
  const { visitor, browser, readToken, tokenOf } = await open()
  const stolen = browser()
  for (const [name, value] of visitor.cookies) stolen.cookies.set(name, value)
  await readToken()
  await visitor.call('POST /sign-out', {})
  expect(await tokenOf(stolen)).toBe('')
})

test('the token of a session that has ended is not kept', async () => {
  const { app, clock, readToken } = await open()
  const first = await readToken()
  const session = await app.db.selectFrom('session').selectAll().executeTakeFirstOrThrow()
  await revokeSessions(app, { ids: [session.id] })
  // Only so that the session can be used again.
  await app.db.insertInto('session').values(session).execute()
  clock.advance(1)
  expect(claimsOf(await readToken()).iat).toBe(claimsOf(first).iat + 1)
})

// Two daemons need one database.
test.runIf(inject('servers') !== null)('a session that was revoked at another daemon gets no token', async () => {
  const { another, visitor, browser, readToken, tokenOf } = await open({}, { session: { cookieCache: { enabled: true } } })
  const stolen = browser()
  await readToken()
  for (const [name, value] of visitor.cookies) stolen.cookies.set(name, value)
  const elsewhere = (await another()).browser()
  for (const [name, value] of visitor.cookies) elsewhere.cookies.set(name, value)
  await elsewhere.call('POST /sign-out', {})
  expect(await tokenOf(stolen)).toBe('')
})
