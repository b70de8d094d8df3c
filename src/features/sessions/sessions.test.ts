// Also on servers: the database compares times.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const day = 86_400
const cleared = ['session_token', 'session_data', 'dont_remember'].map(
  (name) => `latchkey.${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`,
)

async function signedIn(config = {}) {
  const kit = await testApp(config)
  const visitor = kit.browser()
  const { body } = await visitor.call('POST /sign-up/email', { body: ann }, { 'user-agent': 'Test/1.0' })
  return { ...kit, visitor, token: body.token as string }
}

describe('GET /get-session', () => {
  test('returns null without a cookie, and writes none', async () => {
    const { browser } = await testApp()
    const answer = await browser().call('GET /get-session', {})
    expect([answer.status, answer.body, answer.setCookie]).toEqual([200, null, []])
  })

  test('is not stored by caches of HTTP/1.0 and later', async () => {
    const { visitor } = await signedIn()
    const { headers } = await visitor.call('GET /get-session', {})
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
  })

  test('returns session and user without hidden columns', async () => {
    const { visitor, token } = await signedIn()
    const { body } = await visitor.call('GET /get-session', {})
    expect(Object.keys(body.session).sort()).toEqual(
      ['createdAt', 'expiresAt', 'id', 'ipAddress', 'token', 'updatedAt', 'userAgent', 'userId'].sort(),
    )
    expect(body.session).toMatchObject({ token, ipAddress: '127.0.0.1', userAgent: 'Test/1.0', userId: body.user.id })
    expect(Object.keys(body.user).sort()).toEqual(['createdAt', 'email', 'emailVerified', 'id', 'image', 'name', 'updatedAt'])
  })

  test('returns the IP address that a trusted proxy sent, and none when it sent none', async () => {
    const { browser } = await signedIn({ server: { trustedProxies: ['127.0.0.1'] } })
    const shownFrom = async (headers: Record<string, string>) => {
      const visitor = browser()
      await visitor.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } }, headers)
      return (await visitor.call('GET /get-session', {})).body.session.ipAddress
    }
    const full = '2001:0db8:0000:0000:0000:0000:0000:0001'
    expect(await shownFrom({ 'x-forwarded-for': `192.0.2.1, ${full}` })).toBe(full)
    expect(await shownFrom({ 'x-forwarded-for': '999.1.1.1' })).toBe('')
    expect(await shownFrom({})).toBe('')
  })

  test('returns and stores no IP address when tracking is disabled', async () => {
    const { app, log, visitor } = await signedIn({ advanced: { ipAddress: { disableIpTracking: true } } })
    await visitor.request('/list-sessions', { headers: { cookie: '' } })
    expect((await visitor.call('GET /get-session', {})).body.session.ipAddress).toBe('')
    expect(JSON.stringify([await app.db.selectFrom('session').selectAll().execute(), log])).not.toContain('127.0.0.1')
  })

  test.each([
    ['a changed signature', (cookie: string) => `${cookie.slice(0, -8)}AAAA%3D`],
    ['no signature', (cookie: string) => cookie.slice(0, 32)],
  ])('treats a cookie with %s as none', async (_, change) => {
    const { visitor } = await signedIn()
    const name = 'latchkey.session_token'
    visitor.cookies.set(name, change(visitor.cookies.get(name) ?? ''))
    const answer = await visitor.call('GET /get-session', {})
    expect([answer.body, answer.setCookie]).toEqual([null, []])
  })

  test('rejects a repeated flag, like every invalid query value', async () => {
    const { visitor } = await signedIn()
    const answer = await visitor.request('/get-session?disableCookieCache=true&disableCookieCache=false')
    expect([answer.status, answer.body]).toEqual([
      400,
      { code: 'VALIDATION_ERROR', message: 'Invalid query parameters', details: { parameters: expect.any(Array) } },
    ])
    expect((await visitor.request('/get-session?disableCookieCache=anything&disableRefresh=')).body).toMatchObject({
      session: {},
    })
  })

  test('clears the three cookies of a session that no longer exists', async () => {
    const { app, visitor } = await signedIn()
    await app.db.deleteFrom('session').execute()
    const answer = await visitor.call('GET /get-session', {})
    expect([answer.status, answer.body, answer.setCookie]).toEqual([200, null, cleared])
  })

  test('deletes an expired session', async () => {
    const { app, clock, visitor } = await signedIn()
    clock.advance(7 * day)
    const answer = await visitor.call('GET /get-session', {})
    expect([answer.body, answer.setCookie]).toEqual([null, cleared])
    expect(await app.db.selectFrom('session').selectAll().execute()).toEqual([])
  })

  test('renews a session once it is a day old, with its cookie', async () => {
    const { clock, visitor } = await signedIn()
    const first = await visitor.call('GET /get-session', {})
    clock.advance(day - 1)
    expect((await visitor.call('GET /get-session', {})).setCookie).toEqual([])
    clock.advance(1)
    const renewed = await visitor.call('GET /get-session', {})
    expect(renewed.setCookie).toEqual([expect.stringMatching(/^latchkey\.session_token=[^;]+; Max-Age=604800; /)])
    expect(Date.parse(renewed.body.session.expiresAt) - Date.parse(first.body.session.expiresAt)).toBe(day * 1000)
    expect(renewed.body.session.createdAt).toBe(first.body.session.createdAt)
  })

  test.each([
    ['disableRefresh in the query', {}, { disableRefresh: 'true' }],
    ['disableSessionRefresh in the configuration', { session: { disableSessionRefresh: true } }, {}],
  ])('%s leaves it as it is', async (_, config, query) => {
    const { clock, visitor } = await signedIn(config)
    clock.advance(2 * day)
    const answer = await visitor.call('GET /get-session', { query })
    expect(answer.body.session.token).toBeDefined()
    expect(answer.setCookie).toEqual([])
  })

  test('never extends a session or its cookie past its absolute end', async () => {
    const { visitor, clock } = await signedIn({ session: { absoluteMaxAge: 8 * day } })
    const end = clock.now().getTime() + 8 * day * 1000
    clock.advance(3 * day)
    const renewed = await visitor.call('GET /get-session', {})
    expect(Date.parse(renewed.body.session.expiresAt)).toBe(end)
    const [, maxAge] = /Max-Age=(\d+)/.exec(renewed.setCookie[0] ?? '') ?? []
    expect(clock.now().getTime() + Number(maxAge) * 1000).toBeLessThanOrEqual(end)
  })

  test('never renews a session that ends with the browser', async () => {
    const { browser, clock } = await signedIn({ session: { updateAge: 0 } })
    const visitor = browser()
    await visitor.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password, rememberMe: false } })
    clock.advance(3600)
    const answer = await visitor.call('GET /get-session', {})
    expect(answer.body.session.expiresAt).toBe(new Date(clock.now().getTime() + (day - 3600) * 1000).toISOString())
    expect(answer.setCookie).toEqual([])
  })

  test('expires a session 30 days after it was created, however often it was used', async () => {
    const { clock, visitor } = await signedIn()
    for (let used = 0; used < 29; used += 1) {
      clock.advance(day)
      expect((await visitor.call('GET /get-session', {})).body).not.toBeNull()
    }
    clock.advance(day)
    expect((await visitor.call('GET /get-session', {})).body).toBeNull()
  })
})

describe('POST /sign-out', () => {
  test('revokes the session and clears the three cookies', async () => {
    const { app, visitor } = await signedIn()
    const answer = await visitor.call('POST /sign-out', {})
    expect([answer.status, answer.body, answer.setCookie]).toEqual([200, { success: true }, cleared])
    expect(await app.db.selectFrom('session').selectAll().execute()).toEqual([])
  })

  test.each([
    [undefined, '"cache"'],
    [['cache', 'storage'] as const, '"cache", "storage"'],
    [[], null],
  ])('lets the browser delete what is configured: %j (ASVS 14.3.1)', async (clearSiteData, expected) => {
    const { browser } = await testApp({ session: { ...(clearSiteData && { clearSiteData: [...clearSiteData] }) } })
    const visitor = browser()
    await visitor.call('POST /sign-up/email', { body: ann })
    const answer = await visitor.call('POST /sign-out', {})
    expect([answer.status, answer.headers.get('clear-site-data')]).toEqual([200, expected])
    expect((await visitor.call('GET /get-session', {})).headers.get('clear-site-data')).toBeNull()
  })

  test('succeeds for a session whose row was deleted', async () => {
    const { app, visitor } = await signedIn()
    await app.db.deleteFrom('session').execute()
    expect((await visitor.call('POST /sign-out', {})).body).toEqual({ success: true })
  })

  test('fails without a session, and clears the cookies', async () => {
    const { browser } = await testApp()
    const answer = await browser().call('POST /sign-out', {})
    expect([answer.status, answer.statusText]).toEqual([400, 'BAD_REQUEST'])
    expect(answer.body).toEqual({ code: 'FAILED_TO_GET_SESSION', message: 'Failed to get session' })
    expect(answer.setCookie).toEqual(cleared)
  })

  test('invalidates a stolen cookie', async () => {
    const { browser, visitor } = await signedIn()
    const thief = browser()
    for (const [name, value] of visitor.cookies) thief.cookies.set(name, value)
    await visitor.call('POST /sign-out', {})
    expect((await thief.call('GET /get-session', {})).body).toBeNull()
  })
})

test('names and marks cookies as configured', async () => {
  const { visitor } = await signedIn({
    baseURL: 'https://accounts.example.com',
    advanced: {
      cookiePrefix: 'better-auth',
      crossSubDomainCookies: { domain: 'example.com' },
      cookies: { session_token: { attributes: { sameSite: 'none' } } },
    },
  })
  expect([...visitor.cookies.keys()]).toEqual(['__Secure-better-auth.session_token'])
})

describe('databaseHooks.session.update', () => {
  test('gets a renewal without the token, and may change it', async () => {
    const seen: object[] = []
    const { app, clock, visitor, token } = await signedIn({
      databaseHooks: {
        session: {
          update: {
            before: () => ({ data: { ipAddress: 'hidden', expiresAt: new Date('2026-03-01') } }),
            after: (row: object) => void seen.push(row),
          },
        },
      },
    })
    clock.advance(day)
    const { session } = (await visitor.call('GET /get-session', {})).body
    expect([session.token, session.ipAddress, session.expiresAt]).toEqual([token, 'hidden', '2026-03-01T00:00:00.000Z'])
    expect(seen).toHaveLength(1)
    const { tokenHash } = await app.db.selectFrom('session').select('tokenHash').executeTakeFirstOrThrow()
    for (const secret of [token, tokenHash]) expect(JSON.stringify(seen)).not.toContain(secret)
  })

  test('that rejects a renewal leads to no session and cleared cookies', async () => {
    const { clock, visitor } = await signedIn({ databaseHooks: { session: { update: { before: () => false } } } })
    clock.advance(day)
    const answer = await visitor.call('GET /get-session', {})
    expect([answer.body, answer.setCookie]).toEqual([null, cleared])
  })
})

test('with exposeToken: false no response contains the token, and the id in its place does not sign in', async () => {
  const { browser, visitor } = await signedIn({ session: { exposeToken: false, cookieCache: { enabled: true } } })
  const [token = ''] = (visitor.cookies.get('latchkey.session_token') ?? '').split('.')
  const answers = [
    await browser().call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } }),
    await visitor.call('GET /get-session', {}),
    await visitor.call('GET /get-session', {}),
    await visitor.call('GET /list-sessions', {}),
  ]
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(token)
  const { session } = answers[1]?.body ?? {}
  expect(session.token).toBe(session.id)
  const other = browser()
  const signIn = await other.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } })
  expect(other.cookies.get('latchkey.session_token')).not.toContain(signIn.body.token)
  expect((await visitor.call('POST /revoke-session', { body: { token: session.token } })).body).toEqual({ status: true })
})
