/** Provider tokens at rest, and the calls that use them (contract 02 §7). */
import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../../src/features/index.ts'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { flow, respondWith, type StandIn, signingKey, standIn } from '../../../tests/kit/provider-stand-in.ts'
import { many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import { exportUsers } from '../transfer/index.ts'
import { claimToken } from '../verifications/index.ts'

const former = 'the former secret, 0123456789 abcdefghijk'
const newer = 'the newer secret, 9876543210 kjihgfedcba'
const profile = { sub: '42', email: 'ann@example.com', email_verified: true, name: 'Ann', picture: 'https://img.example/a.png' }
const token = {
  access_token: 'access-1',
  refresh_token: 'refresh-1',
  token_type: 'Bearer',
  expires_in: 3600,
  scope: 'openid email',
}
const refreshed = { access_token: 'access-2', refresh_token: 'refresh-2', token_type: 'Bearer', expires_in: 3600 }

const acmeOf = ({ origin }: StandIn, more: object = {}) => ({
  providerId: 'acme',
  clientId: 'id',
  clientSecret: 'secret',
  authorizationUrl: `${origin}/authorize`,
  tokenUrl: `${origin}/token`,
  userInfoUrl: `${origin}/userinfo`,
  ...more,
})

/** The token endpoint of a provider. Each refresh token works once (RFC 9700 §4.14.2). */
function tokenEndpoint(first: object = token, next: object = refreshed) {
  const used = new Set<string>()
  return ({ form }: { form: URLSearchParams }, response: Parameters<ReturnType<typeof respondWith>>[1]) => {
    const refreshToken = form.get('refresh_token')
    if (refreshToken === null) return first
    if (used.has(refreshToken)) return respondWith(400, '{"error":"invalid_grant"}')({} as never, response)
    used.add(refreshToken)
    return next
  }
}

const provider = (first?: object, next?: object) =>
  standIn({ 'POST /token': tokenEndpoint(first, next), 'GET /userinfo': profile })

interface Setup {
  /** Token responses. */
  readonly first?: object
  readonly next?: object
  readonly settings?: object
}

/** Ann has signed in with the provider. */
async function open({ first, next, settings = {}, ...more }: Setup & ConfigFile = {}) {
  const acme = await provider(first, next)
  const kit = await testApp({ genericOAuth: { config: [acmeOf(acme, settings)] }, ...more })
  const visitor = kit.browser()
  expect((await flow(visitor, 'acme')).headers.get('location')).toBe('/dashboard')
  return { ...kit, acme, visitor }
}

const get = (browser: Browser) => browser.call('POST /get-access-token', { body: { providerId: 'acme' } })
const refresh = (browser: Browser) => browser.call('POST /refresh-token', { body: { providerId: 'acme' } })
const refreshes = ({ requests }: StandIn) => requests.filter(({ form }) => form.get('grant_type') === 'refresh_token')
const row = ({ app }: Pick<TestApp, 'app'>, providerId = 'acme') =>
  app.db.selectFrom('account').selectAll().where('providerId', '=', providerId).executeTakeFirstOrThrow()

const noAccess = {
  status: 400,
  body: { code: 'FAILED_TO_GET_A_VALID_ACCESS_TOKEN', message: 'Failed to get a valid access token' },
}
const noRefresh = { status: 400, body: { code: 'FAILED_TO_REFRESH_ACCESS_TOKEN', message: 'Failed to refresh access token' } }

describe('at rest', () => {
  test('tokens are encrypted, each time differently, and in no log, list or export of the user', async () => {
    const { clock, log, visitor, ...kit } = await open()
    const stored = await row(kit)
    clock.advance(3600)
    expect((await get(visitor)).status).toBe(200)
    const again = await row(kit)
    const texts = [stored, again].flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken])
    expect(new Set(texts).size).toBe(4)
    const paths = ['/list-accounts', '/get-session', '/list-sessions', '/public-settings', '/export-data']
    const responses = await Promise.all(paths.map((path) => visitor.request(path)))
    const exported = await Array.fromAsync(exportUsers(kit.app, { withPasswordHashes: true }))
    const shown = JSON.stringify([responses.map(({ body }) => body), exported, log])
    expect(shown).toContain('"acme"')
    for (const secret of ['access-1', 'access-2', 'refresh-1', 'refresh-2', ...texts]) expect(shown).not.toContain(secret)
    for (const secret of ['access-1', 'refresh-1']) expect(texts.join()).not.toContain(secret)
  })

  test('tokens of an older secret work, those of a removed secret do not until the next sign-in', async () => {
    const acme = await provider()
    const config = { genericOAuth: { config: [acmeOf(acme)] }, secret: former }
    const before = await testApp(config)
    const visitor = before.browser()
    await flow(visitor, 'acme')
    const stored = await row(before)
    const both = await testApp({ ...config, secret: [newer, former] })
    const without = await testApp({ ...config, secret: newer })
    for (const [kit, expected] of [
      [both, { status: 200, body: { accessToken: 'access-1' } }],
      [without, noAccess],
    ] as const) {
      const ann = kit.browser()
      await flow(ann, 'acme')
      const { id, userId, ...columns } = stored
      await kit.app.db.updateTable('account').set(columns).where('providerId', '=', 'acme').execute()
      expect(await get(ann)).toMatchObject(expected)
      if (expected === noAccess) expect(await refresh(ann)).toMatchObject(noRefresh)
      expect((await ann.call('GET /list-accounts', {})).status).toBe(200)
      expect((await flow(kit.browser(), 'acme')).headers.get('location')).toBe('/dashboard')
      expect(await get(ann)).toMatchObject({ status: 200, body: { accessToken: 'access-1' } })
    }
  })

  test.each(['plain-access', 'abcdefgh.ijklmnopqrstuvwxyz0123456789ABCDEFGH', 'a.b.c'])(
    'a token that was imported in plain text is read: %s',
    async (accessToken) => {
      const { app, visitor } = await open()
      await app.db.updateTable('account').set({ accessToken }).where('providerId', '=', 'acme').execute()
      expect((await get(visitor)).body.accessToken).toBe(accessToken)
    },
  )

  test('the ID token of a user who signs in by it is stored and returned', async () => {
    const google = await standIn()
    const kit = await testApp({
      socialProviders: { google: { clientId: 'id', clientSecret: 'secret', jwksUri: `${google.origin}/keys` } },
    })
    const key = await signingKey(kit.clock.now)
    google.set({ 'GET /keys': key.jwks })
    const idToken = await key.sign({ ...profile, iss: 'https://accounts.google.com', aud: 'id' })
    const ann = kit.browser()
    const expiresAt = kit.clock.now().getTime() + 60_000
    const body = {
      provider: 'google',
      idToken: { token: idToken, accessToken: 'given', refreshToken: 'given-refresh', expiresAt },
    }
    expect((await ann.call('POST /sign-in/social', { body })).status).toBe(200)
    const { body: tokens } = await ann.call('POST /get-access-token', { body: { providerId: 'google' } })
    expect(tokens).toEqual({ accessToken: 'given', accessTokenExpiresAt: new Date(expiresAt).toISOString(), scopes: [], idToken })
    expect((await row(kit, 'google')).idToken).toMatch(/^encrypted:/)
  })
})

describe('get-access-token', () => {
  test.each([
    [3594, 'access-1'],
    [3595, 'access-1'],
    [3596, 'access-2'],
    [4000, 'access-2'],
  ])('refreshes when fewer than 5 seconds are left: after %d s', async (seconds, accessToken) => {
    const { clock, visitor } = await open()
    clock.advance(seconds)
    const { status, body } = await get(visitor)
    expect([status, body.accessToken]).toEqual([200, accessToken])
  })

  test('returns the contract members, and after a refresh the type of the token', async () => {
    const { clock, visitor } = await open({ first: { ...token, refresh_token_expires_in: 86_400 } })
    const start = clock.now().getTime()
    const at = (seconds: number) => new Date(start + seconds * 1000).toISOString()
    const common = { scopes: ['openid', 'email'], refreshTokenExpiresAt: at(86_400) }
    expect((await get(visitor)).body).toEqual({ accessToken: 'access-1', accessTokenExpiresAt: at(3600), ...common })
    clock.advance(3600)
    expect((await get(visitor)).body).toEqual({
      accessToken: 'access-2',
      accessTokenExpiresAt: at(7200),
      tokenType: 'Bearer',
      ...common,
    })
    expect((await get(visitor)).body).toEqual({ accessToken: 'access-2', accessTokenExpiresAt: at(7200), ...common })
  })

  test('returns the refresh token only if the configuration says so', async () => {
    const hidden = await open()
    expect((await get(hidden.visitor)).body).not.toHaveProperty('refreshToken')
    const shown = await open({ account: { exposeRefreshToken: true } })
    expect((await get(shown.visitor)).body.refreshToken).toBe('refresh-1')
  })

  test('refreshes a token without an expiry', async () => {
    const { acme, visitor } = await open({ first: { ...token, expires_in: undefined } })
    expect((await get(visitor)).body.accessToken).toBe('access-2')
    expect((await get(visitor)).body.accessToken).toBe('access-2')
    expect(refreshes(acme)).toHaveLength(1)
  })

  test('returns an expired token when there is no refresh token', async () => {
    const { acme, clock, visitor } = await open({ first: { ...token, refresh_token: undefined } })
    clock.advance(4000)
    expect(await get(visitor)).toMatchObject({ status: 200, body: { accessToken: 'access-1' } })
    expect(refreshes(acme)).toEqual([])
  })

  test('keeps the refresh token when the provider sends no new one', async () => {
    const { acme, clock, visitor } = await open({ next: { ...refreshed, refresh_token: undefined } })
    clock.advance(4000)
    expect((await get(visitor)).body.accessToken).toBe('access-2')
    acme.set({ 'POST /token': tokenEndpoint() })
    clock.advance(4000)
    expect((await get(visitor)).status).toBe(200)
    expect(refreshes(acme).map(({ form }) => form.get('refresh_token'))).toEqual(['refresh-1', 'refresh-1'])
  })

  test('does not use the tokens of another user', async () => {
    const { browser } = await open()
    const other = browser()
    await other.call('POST /sign-up/email', {
      body: { name: 'Bob', email: 'bob@example.com', password: 'correct horse battery' },
    })
    expect(await get(other)).toMatchObject({ status: 400, body: { code: 'ACCOUNT_NOT_FOUND' } })
  })
})

describe('refresh-token', () => {
  test('refreshes also a token that is valid, stores the new ones and returns them', async () => {
    const { clock, visitor } = await open()
    const expiry = new Date(clock.now().getTime() + 3_600_000).toISOString()
    const tokens = { accessToken: 'access-2', refreshToken: 'refresh-2', accessTokenExpiresAt: expiry, tokenType: 'Bearer' }
    expect((await refresh(visitor)).body).toEqual({ ...tokens, scopes: ['openid', 'email'] })
    expect((await get(visitor)).body.accessToken).toBe('access-2')
  })

  test('uses the tokens of the function refreshAccessToken', async () => {
    const google = await standIn({ 'POST /token': token })
    const key = await signingKey(() => new Date('2026-01-31T12:00:00Z'))
    const idToken = await key.sign({ ...profile, iss: 'https://accounts.google.com', aud: 'id' })
    google.set({ 'POST /token': { ...token, id_token: idToken }, 'GET /keys': key.jwks })
    const seen: string[] = []
    const refreshAccessToken = (given: string) => {
      seen.push(given)
      return { accessToken: 'own', accessTokenExpiresAt: new Date('2027-01-01') }
    }
    const endpoints = { jwksUri: `${google.origin}/keys`, tokenEndpoint: `${google.origin}/token` }
    const options = { clientId: 'id', clientSecret: 'secret', ...endpoints, refreshAccessToken }
    const { browser } = await testApp({ socialProviders: { google: options } })
    const visitor = browser()
    expect((await flow(visitor, 'google')).headers.get('location')).toBe('/dashboard')
    const { body } = await visitor.call('POST /refresh-token', { body: { providerId: 'google' } })
    expect([body.accessToken, body.refreshToken, seen]).toEqual(['own', 'refresh-1', ['refresh-1']])
  })

  test('fails without a refresh token', async () => {
    const { visitor } = await open({ first: { ...token, refresh_token: undefined } })
    expect(await refresh(visitor)).toMatchObject(noRefresh)
  })
})

describe.each([
  ['get-access-token', get, noAccess],
  ['refresh-token', refresh, noRefresh],
])('%s', (_, call, failure) => {
  test.each<[string, Parameters<typeof respondWith>]>([
    ['an error', [400, '{"error":"invalid_grant","error_description":"refresh-1 was revoked"}']],
    ['an error with status 200', [200, '{"error":"bad_refresh_token"}']],
    ['HTML', [200, '<html>refresh-1</html>', 'text/html']],
    ['no access token', [200, '{"token_type":"Bearer"}']],
    ['an access token that is a number', [200, '{"access_token":7,"token_type":"Bearer"}']],
    ['an access token of 100 KiB', [200, JSON.stringify({ access_token: 'x'.repeat(102_400), token_type: 'Bearer' })]],
    ['2 MiB', [200, `"${'x'.repeat(2 * 1_048_576)}"`]],
    ['a failure', [503, '']],
  ])('fails when the provider responds with %s, and works afterwards', async (_, response) => {
    const { acme, clock, counted, log, visitor } = await open()
    acme.set({ 'POST /token': respondWith(...response) })
    clock.advance(4000)
    const { status, body } = await call(visitor)
    expect({ status, body }).toEqual(failure)
    expect(log.join()).not.toContain('refresh-1')
    expect(counted).not.toContain('unexpected_error')
    acme.set({ 'POST /token': tokenEndpoint() })
    expect(await call(visitor)).toMatchObject({ status: 200, body: { accessToken: 'access-2' } })
  })

  test('fails when the provider sends an ID token of another user', async () => {
    const { sign } = await signingKey(() => new Date())
    const first = { ...token, id_token: await sign({ sub: '42' }) }
    const { acme, clock, visitor } = await open({ first, next: { ...refreshed, id_token: await sign({ sub: '43' }) } })
    clock.advance(4000)
    expect(await call(visitor)).toMatchObject(failure)
    acme.set({ 'POST /token': tokenEndpoint(first, { ...refreshed, id_token: await sign({ sub: '42' }) }) })
    expect(await call(visitor)).toMatchObject({ status: 200, body: { accessToken: 'access-2' } })
  })

  test('works with ID tokens that cannot be read', async () => {
    const first = { ...token, id_token: 'not.used' }
    const { clock, visitor } = await open({ first, next: { ...refreshed, id_token: 'neither.used' } })
    clock.advance(4000)
    expect(await call(visitor)).toMatchObject({ status: 200, body: { accessToken: 'access-2' } })
    expect((await visitor.call('POST /account-info', { body: { accountId: '42' } })).body).toMatchObject({ user: { id: '42' } })
  })

  test('fails when the account is unlinked during the refresh', async () => {
    const { acme, app, clock, visitor } = await open()
    acme.set({
      'POST /token': async () => {
        await app.db.deleteFrom('account').where('providerId', '=', 'acme').execute()
        return refreshed
      },
    })
    clock.advance(4000)
    expect(await call(visitor)).toMatchObject(failure)
    expect(await call(visitor)).toMatchObject({ status: 400, body: { code: 'ACCOUNT_NOT_FOUND' } })
  })

  test('fails when a hook rejects the new tokens', async () => {
    let rejects = false
    const { clock, visitor } = await open({
      databaseHooks: { account: { update: { before: () => (rejects ? false : undefined) } } },
    })
    rejects = true
    clock.advance(4000)
    expect(await call(visitor)).toMatchObject(failure)
  })

  test('works again after a process died during a refresh', async () => {
    const { app, clock, visitor, ...kit } = await open()
    const { id } = await row({ ...kit, app })
    expect(await claimToken(app, `refresh ${id}`)).toBe(true)
    clock.advance(4000)
    expect(await call(visitor)).toMatchObject({ status: 200, body: { accessToken: 'access-2' } })
  })
})

/** Settles when this many calls have read the accounts of their user: none of them can find what another one stores. */
function accountReads(calls: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let reads = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (result.rows.some((row) => 'refreshToken' in row)) reads += 1
      if (reads === calls) resolve()
      return result
    },
  }
  return { plugin, allRead: promise }
}

describe.each(places)('%s', (place) => {
  test.each([
    ['get-access-token', get],
    ['refresh-token', refresh],
  ])('concurrent calls share one refresh: %s', async (_, call) => {
    const acme = await provider()
    const { plugin, allRead } = accountReads(many)
    const { browser, browsers, clock } = await openRacers(place, { genericOAuth: { config: [acmeOf(acme)] } }, { plugin })
    const ann = browser()
    await flow(ann, 'acme')
    const endpoint = tokenEndpoint()
    // A call that comes after a refresh was stored is not concurrent with it.
    acme.set({ 'POST /token': (request, response) => allRead.then(() => endpoint(request, response)) })
    clock.advance(4000)
    const answers = await race(browsers(ann), call)
    expect(tally(answers)).toEqual({ 200: many })
    expect(new Set(answers.map(({ body }) => body.accessToken))).toEqual(new Set(['access-2']))
    expect(refreshes(acme).length).toBe(1)
  })
})

describe('account-info', () => {
  test('returns the profile by the account ID at the provider, and by the ID of the row', async () => {
    const { visitor, ...kit } = await open()
    const { id } = await row(kit)
    const expected = {
      user: { id: '42', name: 'Ann', email: 'ann@example.com', image: profile.picture, emailVerified: true },
      data: { ...profile, id: '42', image: profile.picture, emailVerified: true },
    }
    const account = { id, providerId: 'acme', issuer: new URL(kit.acme.origin).origin, accountId: '42' }
    expect((await visitor.call('POST /account-info', { body: { accountId: '42' } })).body).toEqual(expected)
    expect((await visitor.call('GET /account-info', { query: { accountId: id } })).body).toEqual({ ...expected, account })
  })

  test('returns the claims of an ID token only if it was verified', async () => {
    const { sign } = await signingKey(() => new Date())
    const { visitor } = await open({ first: { ...token, id_token: await sign({ ...profile, name: 'Mallory' }) } })
    expect((await visitor.call('POST /account-info', { body: { accountId: '42' } })).body.user.name).toBe('Ann')
  })

  test('returns the claims of a verified ID token, also when it has expired', async () => {
    const google = await standIn()
    const options = { clientId: 'id', clientSecret: 'secret', jwksUri: `${google.origin}/keys` }
    const { browser, clock } = await testApp({ socialProviders: { google: options } })
    const key = await signingKey(clock.now)
    google.set({ 'GET /keys': key.jwks })
    const claims = { ...profile, iss: 'https://accounts.google.com', aud: 'id', hd: 'example.com' }
    const ann = browser()
    await ann.call('POST /sign-in/social', { body: { provider: 'google', idToken: { token: await key.sign(claims) } } })
    clock.advance(86_400)
    const { body } = await ann.call('POST /account-info', { body: { accountId: '42' } })
    expect(body).toMatchObject({ user: { id: '42', name: 'Ann', email: profile.email, emailVerified: true }, data: claims })
  })

  test('uses a refreshed access token', async () => {
    const { acme, clock, visitor } = await open()
    clock.advance(4000)
    expect((await visitor.call('POST /account-info', { body: { accountId: '42' } })).body.user.id).toBe('42')
    expect(acme.last('/userinfo').headers.authorization).toBe('Bearer access-2')
  })

  test('returns null when the provider sends no profile', async () => {
    const { acme, visitor } = await open()
    acme.set({ 'GET /userinfo': respondWith(401, '{}') })
    expect(await visitor.call('POST /account-info', { body: { accountId: '42' } })).toMatchObject({ status: 200, body: null })
  })

  test('fails when the token cannot be refreshed', async () => {
    const { acme, clock, visitor } = await open()
    acme.set({ 'POST /token': respondWith(400, '{"error":"invalid_grant"}') })
    clock.advance(4000)
    expect(await visitor.call('POST /account-info', { body: { accountId: '42' } })).toMatchObject(noAccess)
  })
})
