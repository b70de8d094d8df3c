/** Sign-in with an ID token that an app got from the provider itself (contract 03 §1). Linking with one: link.test.ts. */
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { respondWith, standIn } from '../../../tests/kit/provider-stand-in.ts'
import { openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import { accountsOf, ann, type ProviderUser, providerConfig, socialApp, withProvider } from '../../../tests/kit/social.ts'
import { refusal } from '../../core/errors.ts'
import type { ConfigFile } from '../index.ts'

type Kit = Awaited<ReturnType<typeof socialApp>>
interface Given {
  readonly user?: ProviderUser
  readonly claims?: object
  /** More members of `idToken`. */
  readonly more?: object
  /** More members of the body. */
  readonly body?: object
}

const signIn = async (
  kit: Kit,
  { user = ann, claims = {}, more = {}, body = {} }: Given = {},
  browser: Browser = kit.browser(),
) =>
  browser.call('POST /sign-in/social', {
    body: { provider: 'google', idToken: { token: await kit.idToken(user, claims), ...more }, ...body },
  })
const google = (options: object): ConfigFile => ({ socialProviders: { google: options } }) as ConfigFile

test('creates a user and a session, and stores the tokens', async () => {
  const kit = await socialApp()
  const browser = kit.browser()
  const expiresAt = kit.clock.now().getTime() + 60_000
  const response = await signIn(kit, { more: { accessToken: 'access', refreshToken: 'refresh', expiresAt } }, browser)
  expect([response.status, Object.keys(response.body)]).toEqual([200, ['redirect', 'token', 'user']])
  expect(response.body).toMatchObject({ redirect: false, user: { name: 'Ann', email: 'ann@example.com', emailVerified: true } })
  expect(response.setCookie.map((cookie) => cookie.split('=')[0])).toEqual(['latchkey.session_token'])
  expect(await nameOf(browser)).toBe('Ann')
  const { body } = await browser.call('POST /get-access-token', { body: { providerId: 'google' } })
  expect(body).toMatchObject({ accessToken: 'access', accessTokenExpiresAt: new Date(expiresAt).toISOString() })
  expect(decodeJwt(body.idToken).sub).toBe(ann.sub)
  const row = await kit.app.db.selectFrom('account').selectAll().executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toMatch(/"(access|refresh)"/)
})

test('reads the expiry in seconds too', async () => {
  const kit = await socialApp()
  const browser = kit.browser()
  const expiresAt = Math.floor(kit.clock.now().getTime() / 1000) + 60
  await signIn(kit, { more: { accessToken: 'access', expiresAt } }, browser)
  const { body } = await browser.call('POST /get-access-token', { body: { providerId: 'google' } })
  expect(body).toMatchObject({ accessTokenExpiresAt: new Date(expiresAt * 1000).toISOString() })
})

test.each([-1, 0, 1e300, Number.MAX_SAFE_INTEGER])('ignores the expiry %d, which no column can store', async (expiresAt) => {
  const kit = await socialApp()
  expect((await signIn(kit, { more: { accessToken: 'access', expiresAt } })).status).toBe(200)
  const row = await kit.app.db.selectFrom('account').select('accessTokenExpiresAt').executeTakeFirstOrThrow()
  expect(row.accessTokenExpiresAt).toBeNull()
})

describe('an ID token is not accepted', () => {
  const invalid = [401, { code: 'INVALID_TOKEN', message: 'invalid token' }]
  test.each([
    ['of another client', { claims: { aud: 'other' } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['that has expired', { claims: { exp: 1 } }],
    ['with another nonce', { claims: { nonce: 'one' }, more: { nonce: 'two' } }],
    ['without the nonce', { more: { nonce: 'two' } }],
    ['that is not a token', { more: { token: 'x' } }],
    ['that is empty', { more: { token: '' } }],
  ])('%s', async (_, given) => {
    const kit = await socialApp()
    const response = await signIn(kit, given)
    expect([response.status, response.body, response.setCookie]).toEqual([...invalid, []])
    expect(kit.log.join('\n')).toContain('An ID token was not accepted')
  })

  test('when the keys cannot be fetched', async () => {
    const kit = await socialApp()
    kit.provider.set({ 'GET /google/keys': respondWith(500, 'oops') })
    const response = await signIn(kit)
    expect([response.status, response.body]).toEqual(invalid)
  })

  test('with disableIdTokenSignIn', async () => {
    const response = await signIn(await socialApp(google({ disableIdTokenSignIn: true })))
    expect([response.status, response.body]).toEqual(invalid)
  })

  test.each(['github', 'acme'])('by a provider that has none: %s', async (provider) => {
    const response = await signIn(await socialApp(), { body: { provider } })
    expect([response.status, response.body]).toEqual([404, { code: 'ID_TOKEN_NOT_SUPPORTED', message: 'id_token not supported' }])
  })
})

test.each([
  ['a nonce that is the same', { claims: { nonce: 'one' }, more: { nonce: 'one' } }],
  ['a nonce that the app does not name', { claims: { nonce: 'one' } }],
])('accepts %s', async (_, given) => {
  expect((await signIn(await socialApp(), given)).status).toBe(200)
})

describe('verifyIdToken of the configuration', () => {
  test.each([
    [true, 200],
    [false, 401],
    ['yes', 401],
    [new Error('oops'), 401],
  ])('%s', async (result, status) => {
    const verifyIdToken = async () => {
      if (result instanceof Error) throw result
      return result
    }
    const kit = await socialApp(google({ verifyIdToken }))
    expect((await signIn(kit, { claims: { aud: 'other' } })).status).toBe(status)
  })
})

test('does not sign in by an access token of another user, which another app may have got', async () => {
  const kit = await socialApp({ socialProviders: { github: { verifyIdToken: () => true } } } as ConfigFile)
  const accessToken = kit.codeFor(ann)
  const by = (sub: string) => signIn(kit, { user: { ...ann, sub }, more: { accessToken }, body: { provider: 'github' } })
  const { body } = await by('someone')
  expect(body.code).toBe('FAILED_TO_GET_USER_INFO')
  kit.provider.set({ 'GET /github/user': { id: 7, login: 'ann', email: ann.email } })
  expect([(await by('7')).status, (await by('8')).status]).toEqual([200, 401])
})

describe('a profile', () => {
  test('that cannot be stored', async () => {
    const response = await signIn(await socialApp(), { user: { ...ann, sub: 'x'.repeat(256) } })
    expect([response.status, response.body.code]).toEqual([401, 'FAILED_TO_GET_USER_INFO'])
  })

  test.each([null, '', undefined])('without an email address: %j', async (email) => {
    const response = await signIn(await socialApp(), { user: { ...ann, email } })
    expect([response.status, response.body]).toEqual([401, { code: 'USER_EMAIL_NOT_FOUND', message: 'User email not found' }])
  })
})

describe('the rules of sign-in and sign-up apply', () => {
  const failure = (message: string) => [401, { code: message.toUpperCase().replaceAll(' ', '_'), message }]
  const refuse = () => {
    throw refusal({ status: 403, message: 'Only for staff' })
  }
  const reject = { create: { before: () => false as const } }
  test.each([
    [google({ disableSignUp: true }), {}, 'signup disabled'],
    [google({ disableImplicitSignUp: true }), {}, 'signup disabled'],
    [{ databaseHooks: { user: reject } }, {}, 'unable to create user'],
    [{ databaseHooks: { user: { create: { before: refuse } } } }, {}, 'Only for staff'],
    [{ databaseHooks: { session: reject } }, {}, 'unable to create session'],
  ] as readonly [ConfigFile, Given, string][])('%j', async (config, given, message) => {
    const kit = await socialApp(config)
    const response = await signIn(kit, given)
    expect([response.status, response.body, response.setCookie]).toEqual([...failure(message), []])
  })

  test('requestSignUp permits the sign-up', async () => {
    const kit = await socialApp(google({ disableImplicitSignUp: true }))
    expect((await signIn(kit, { body: { requestSignUp: true } })).status).toBe(200)
  })

  test('an unverified address is not linked', async () => {
    const kit = await socialApp()
    await kit.signIn(kit.browser(), 'acme')
    const response = await signIn(kit, { user: { ...ann, email_verified: false } })
    expect([response.status, response.body]).toEqual(failure('account not linked'))
    expect((await signIn(kit)).status).toBe(200)
    expect(await accountsOf(kit, 'ann@example.com')).toEqual(['acme', 'google'])
  })
})

test.each(places)('concurrent first sign-ins with one ID token create one user, at %s', async (place) => {
  const provider = await standIn()
  const kit = await withProvider(provider, await openRacers(place, providerConfig(provider.origin)))
  const answers = await race(kit.browsers(), (browser) => signIn(kit, {}, browser))
  expect(tally(answers)).toEqual({ 200: answers.length })
  expect(await kit.app.db.selectFrom('user').select('id').execute()).toHaveLength(1)
})

test.each(['/sign-in/social', '/sign-in/oauth2'])('POST %s is rate limited like every sign-in: 3 in 10 seconds', async (path) => {
  const kit = await socialApp({ rateLimit: { enabled: true } })
  const call = path === '/sign-in/social' ? 'POST /sign-in/social' : 'POST /sign-in/oauth2'
  const body = { provider: 'google', providerId: 'acme' }
  const browser = kit.browser()
  const statuses: number[] = []
  for (let time = 0; time < 4; time += 1) statuses.push((await browser.call(call, { body })).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  kit.clock.advance(11)
  expect((await browser.call(call, { body })).status).toBe(200)
})
