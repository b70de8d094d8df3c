import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startLatchkey, type TestDaemon } from '../testing/index.ts'
import { createSessionReader, type SessionReader, type SessionReaderOptions } from './index.ts'

const secret = 'a secret of the tests, 0123456789 abcdefghij'
const formerSecret = 'a former secret of the tests, 0123456789 abc'
const password = 'correct horse battery'
const appURL = 'http://localhost:5173'

let latchkey: TestDaemon
beforeAll(async () => {
  const config = { emailAndPassword: { enabled: true }, secret, session: { cookieCache: { enabled: true } }, jwt: true }
  latchkey = await startLatchkey({ config, pages: false })
})
afterAll(() => latchkey.close())
afterEach(() => vi.useRealTimers())

const unreachable: typeof fetch = () => Promise.reject(new TypeError('unreachable'))
const responding =
  (body: unknown, status = 200): typeof fetch =>
  async () =>
    Response.json(body, { status })
const readerOf = (options: Partial<SessionReaderOptions> = {}): SessionReader =>
  createSessionReader({ baseURL: latchkey.baseURL, appURL, now: latchkey.clock.now, ...options })

/** The cookies of a real sign-in: the token, and the signed copy. */
async function signInByPassword() {
  const user = await latchkey.createUser({ password })
  const response = await fetch(`${latchkey.baseURL}/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: user.email, password }),
  })
  const [token = '', data = ''] = response.headers.getSetCookie().map((header) => header.split(';')[0] ?? '')
  return { user, token, data, cookie: `${token}; ${data}`, origin: latchkey.origin }
}

describe('the daemon is called', () => {
  test('with the cookies of Latchkey and no others; the token of the session stays in it', async () => {
    const user = await latchkey.createUser()
    const { cookie, token } = await latchkey.signIn(user)
    const sent: RequestInit[] = []
    const send: typeof fetch = (url, init = {}) => {
      sent.push(init)
      return fetch(url, init)
    }
    const found = await readerOf({ fetch: send }).requireSession({ cookie: `theme=dark; ${cookie}; other.session_token=1` })
    expect(found).toMatchObject({ source: 'daemon', user: { id: user.id, email: user.email }, impersonatedBy: null })
    expect(JSON.stringify(found)).not.toContain(token)
    expect(sent.map(({ headers }) => headers)).toEqual([{ cookie }])
  })

  test.each([[undefined], ['theme=dark'], [`latchkey.session_token=${'x'.repeat(20_000)}`]])(
    'not at all without a session cookie that can be valid',
    async (cookie) => {
      const reader = readerOf({ fetch: unreachable })
      expect(await reader.getSession(new Headers(cookie === undefined ? {} : { cookie }))).toBeNull()
      await expect(reader.requireSession({ cookie })).rejects.toMatchObject({ code: 'SIGN_IN_REQUIRED', status: 401 })
    },
  )

  test('renews a session only when its cookies reach the browser', async () => {
    const { cookie } = await latchkey.signIn(await latchkey.createUser())
    latchkey.clock.advance(2 * 86_400)
    const reader = readerOf()
    const before = await reader.requireSession({ cookie })
    const setCookies: string[] = []
    const after = await reader.requireSession({ cookie }, (headers) => setCookies.push(...headers))
    expect(setCookies.join()).toContain('latchkey.session_token=')
    expect(after.session?.expiresAt).not.toBe(before.session?.expiresAt)
  })

  test.each<[string, typeof fetch]>([
    ['it is unreachable', unreachable],
    ['it limits the rate', responding({}, 429)],
    ['it fails', responding(null, 500)],
    ['another server responds', responding({ status: 'ok' })],
    ['a page responds', async () => new Response('<!doctype html>')],
    ['the user has no ID', responding({ session: { id: '1' }, user: {} })],
  ])('and counts neither as signed in nor as signed out when %s', async (_, send) => {
    const reader = readerOf({ fetch: send })
    await expect(reader.getSession({ cookie: 'latchkey.session_token=a.b' })).rejects.toMatchObject({
      ...{ code: 'SESSION_UNAVAILABLE', status: 503 },
    })
  })

  test('for the cookie that browsers accept from secure origins only', async () => {
    const session = { session: { id: '1', impersonatedBy: 'admin' }, user: { id: '2' } }
    const named = (options: Partial<SessionReaderOptions>) =>
      readerOf({ baseURL: 'https://id.example.com/api/auth', fetch: responding(session), ...options })
    const read = (reader: SessionReader, name: string) => reader.getSession({ cookie: `${name}=a.b` })
    expect(await read(named({}), 'latchkey.session_token')).toBeNull()
    expect(await read(named({}), '__Secure-latchkey.session_token')).toMatchObject({ impersonatedBy: 'admin' })
    const host = named({ cookiePrefix: '__Host-latchkey' })
    expect(await read(host, '__Host-latchkey.session_token')).not.toBeNull()
    expect(await read(host, '__Secure-latchkey.session_token')).toBeNull()
    expect(await read(named({ sessionCookie: 'sid' }), 'sid')).not.toBeNull()
  })
})

describe('the cookie cache', () => {
  const local = (secrets: string | string[] = secret) => readerOf({ cookieCache: { secret: secrets }, fetch: unreachable })

  test('shows the session without a call, until the copy expires', async () => {
    const { user, cookie } = await signInByPassword()
    const reader = local()
    const found = await reader.requireSession({ cookie })
    expect(found).toMatchObject({ source: 'cookie-cache', user: { id: user.id } })
    expect(found.session).not.toHaveProperty('token')
    latchkey.clock.advance(301)
    await expect(reader.getSession({ cookie })).rejects.toMatchObject({ code: 'SESSION_UNAVAILABLE' })
  })

  test('shows a session for minutes after it has ended, as documented', async () => {
    const { cookie, origin } = await signInByPassword()
    await fetch(`${latchkey.baseURL}/sign-out`, { method: 'POST', headers: { cookie, origin } })
    expect(await local().getSession({ cookie })).not.toBeNull()
    expect(await readerOf().getSession({ cookie })).toBeNull()
  })

  test('accepts the copies of each secret during a rotation, and of no other secret', async () => {
    const { cookie } = await signInByPassword()
    expect(await local([formerSecret, secret]).getSession({ cookie })).not.toBeNull()
    await expect(local(formerSecret).getSession({ cookie })).rejects.toMatchObject({ code: 'SESSION_UNAVAILABLE' })
  })

  test('leaves everything else to the daemon', async () => {
    const [ann, bob] = [await signInByPassword(), await signInByPassword()]
    const forged = `${ann.data.slice(0, -3)}AAA`
    const cookies = {
      'the copy of another session': `${ann.token}; ${bob.data}`,
      'two tokens': `${ann.token}; ${ann.cookie}`,
      'two copies': `${ann.cookie}; ${bob.data}`,
      'a forged copy': `${ann.token}; ${forged}`,
      'a forged token': ann.cookie.replace('session_token=', 'session_token=x'),
      'no copy': ann.token,
    }
    for (const [name, cookie] of Object.entries(cookies))
      await expect(local().getSession({ cookie }), name).rejects.toMatchObject({ code: 'SESSION_UNAVAILABLE' })
    expect(await local().getSession({ cookie: ann.data })).toBeNull()
  })
})

describe('JSON Web Tokens', () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  test('of the daemon are verified by its published keys', async () => {
    const user = await latchkey.createUser()
    const { headers } = await latchkey.signIn(user)
    const { token }: { token: string } = JSON.parse(await (await fetch(`${latchkey.baseURL}/token`, { headers })).text())
    const reader = readerOf({ jwt: true })
    const expected = { source: 'jwt', user: { id: user.id, email: user.email }, session: null, impersonatedBy: null }
    expect(await reader.getSession(bearer(token))).toMatchObject(expected)
    expect(await readerOf({ jwt: { audience: 'https://other.example.com' } }).getSession(bearer(token))).toBeNull()
    expect(await readerOf({ jwt: { issuer: 'https://other.example.com' } }).getSession(bearer(token))).toBeNull()
    expect(await readerOf({ jwt: { algorithms: ['RS256'] } }).getSession(bearer(token))).toBeNull()
    latchkey.clock.advance(901)
    expect(await reader.getSession(bearer(token))).toBeNull()
  })

  /** Keys as a daemon publishes them. */
  async function withKeys() {
    const pairs = { first: await generateKeyPair('EdDSA'), second: await generateKeyPair('EdDSA') }
    const published: object[] = []
    const publish = async (kid: keyof typeof pairs) =>
      void published.push({ ...(await exportJWK(pairs[kid].publicKey)), kid, alg: 'EdDSA', use: 'sig' })
    await publish('first')
    const calls: string[] = []
    const send: typeof fetch = async (url) => {
      calls.push(String(url))
      return Response.json({ keys: published })
    }
    const origin = 'https://id.example.com'
    const sign = (kid: keyof typeof pairs, claims: object = {}) =>
      new SignJWT({ sub: 'ann', iss: origin, aud: origin, exp: Math.floor(Date.now() / 1000) + 900, ...claims })
        .setProtectedHeader({ alg: 'EdDSA', kid })
        .sign(pairs[kid].privateKey)
    const reader = createSessionReader({ baseURL: `${origin}/api/auth`, appURL, jwt: true, fetch: send })
    return { reader, sign, publish, calls }
  }

  test('of a new key are accepted once it is published; unknown keys cause one fetch in 30 seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { reader, sign, publish, calls } = await withKeys()
    expect(await reader.getSession(bearer(await sign('first')))).not.toBeNull()
    for (const _ of [1, 2, 3]) expect(await reader.getSession(bearer(await sign('second')))).toBeNull()
    await publish('second')
    vi.setSystemTime(Date.now() + 31_000)
    expect(await reader.getSession(bearer(await sign('second')))).toMatchObject({ user: { id: 'ann' } })
    expect(calls).toEqual(Array(2).fill('https://id.example.com/api/auth/jwks'))
  })

  test('show who impersonates the user, and their user is the subject whatever the payload says', async () => {
    const { reader, sign } = await withKeys()
    const token = await sign('first', { id: 'bob', act: { sub: 'admin' } })
    expect(await reader.getSession(bearer(token))).toMatchObject({ user: { id: 'ann' }, impersonatedBy: 'admin' })
  })

  test('without expiry or subject, with another signature or another algorithm, are rejected', async () => {
    const { reader, sign } = await withKeys()
    const valid = await sign('first')
    const [, payload = '', signature = ''] = valid.split('.')
    const header = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64url')
    const shared = new SignJWT({ sub: 'ann' }).setProtectedHeader({ alg: 'HS256', kid: 'first' })
    const invalid = [
      await sign('first', { exp: undefined }),
      await sign('first', { sub: undefined }),
      await sign('first', { nbf: Math.floor(Date.now() / 1000) + 900 }),
      `${valid.slice(0, -6)}AAAAAA`,
      `${header({ alg: 'none' })}.${payload}.${signature}`,
      `${header({ alg: 'none' })}.${payload}.`,
      await shared.sign(Buffer.from('first')),
    ]
    for (const token of invalid.slice(0, 5)) expect(await reader.getSession(bearer(token)), token).toBeNull()
    expect(await reader.getSession(bearer(invalid[6] ?? ''))).toBeNull()
    // Not a compact token: the daemon decides about it.
    await expect(reader.getSession(bearer(invalid[5] ?? ''))).rejects.toMatchObject({ code: 'SESSION_UNAVAILABLE' })
  })

  test('that are invalid do not fall back to a cookie, and without keys the session is unknown', async () => {
    const { cookie } = await latchkey.signIn(await latchkey.createUser())
    const { sign } = await withKeys()
    const token = await sign('first')
    expect(await readerOf({ jwt: true }).getSession({ cookie, ...bearer(token) })).toBeNull()
    for (const send of [unreachable, responding({}, 500), responding({ keys: 'none' })])
      await expect(readerOf({ jwt: true, fetch: send }).getSession(bearer(token))).rejects.toMatchObject({
        ...{ code: 'SESSION_UNAVAILABLE', status: 503 },
      })
  })
})

test('the address of the sign-in returns to the app only', () => {
  const reader = readerOf({ baseURL: 'https://id.example.com/api/auth/', appURL: 'https://app.example.com/start' })
  const target = (returnTo?: string) => new URL(reader.signInURL(returnTo)).searchParams.get('callbackURL')
  const start = 'https://app.example.com/'
  expect(reader.signInURL('/a?b=1&c=2')).toBe(
    'https://id.example.com/sign-in?callbackURL=https%3A%2F%2Fapp.example.com%2Fa%3Fb%3D1%26c%3D2',
  )
  expect(target('https://app.example.com/x')).toBe('https://app.example.com/x')
  expect(target('//evil.example.com/x')).toBe('https://app.example.com//evil.example.com/x')
  const hostile = ['https://evil.example.com/', 'https://app.example.com.evil.example.com/', 'javascript:alert(1)', 'x', '']
  expect(hostile.map(target)).toEqual(hostile.map(() => start))
  expect([target(), target(`/${'x'.repeat(3000)}`), target('@evil.example.com')]).toEqual([start, start, start])
})

test('signs out for a page of the app only', async () => {
  const { cookie } = await latchkey.signIn(await latchkey.createUser())
  const reader = readerOf()
  const setCookies: string[] = []
  const signOut = (origin?: string) =>
    reader.signOut({ cookie, ...(origin !== undefined && { origin }) }, (headers) => setCookies.push(...headers))
  for (const origin of [undefined, 'null', 'https://evil.example.com'])
    await expect(signOut(origin)).rejects.toMatchObject({ code: 'INVALID_ORIGIN', status: 403 })
  expect(await reader.getSession({ cookie })).not.toBeNull()
  await signOut(appURL)
  expect(setCookies.join()).toMatch(/latchkey\.session_token=; Max-Age=0/)
  expect(await reader.getSession({ cookie })).toBeNull()
})

test.each<[string, Partial<SessionReaderOptions>]>([
  ['baseURL', { baseURL: 'id.example.com' }],
  ['appURL', { appURL: 'file:///app' }],
  ['pagesURL', { pagesURL: '/' }],
  ['cookieCache.secret', { cookieCache: { secret: '' } }],
  ['cookieCache.secret', { cookieCache: { secret: ['valid', ''] } }],
  ['jwt.algorithms', { jwt: { algorithms: ['none'] } }],
  ['jwt.algorithms', { jwt: { algorithms: ['EdDSA', 'HS256'] } }],
  ['jwt.algorithms', { jwt: { algorithms: [] } }],
])('rejects a wrong %s', (option, options) => {
  expect(() => readerOf(options)).toThrow(`createSessionReader: ${option} is invalid`)
})
