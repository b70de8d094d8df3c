import { generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { baseURL } from '../../../../tests/kit/app.ts'
import {
  credentials,
  expectNotLinked,
  hostile,
  type OpenProvider,
  openProvider,
  outcome,
  refresh,
  signInWithIdToken,
  testHostileIdTokens,
  testRejections,
  tokenResponse,
  viewAuthorization,
  viewTokenRequest,
  viewUser,
} from '../../../../tests/kit/provider-checks.ts'
import { parseConfig } from '../../../project/config/parse-config.ts'
import { featureList } from '../../index.ts'

const tokenURL = 'https://appleid.apple.com/auth/token'
const token = `POST ${tokenURL}`
const keys = 'GET https://appleid.apple.com/auth/keys'

const claims = {
  iss: 'https://appleid.apple.com',
  aud: 'the-client',
  sub: '001234.5b3a3bdf9c0b4f049c1471cae1cd1d8d.0001',
  at_hash: 'sOQEniPF5EBkeGjJCjDewA',
  email: 'ann@privaterelay.appleid.com',
  email_verified: true,
  is_private_email: true,
  auth_time: 1728958690,
  nonce_supported: true,
}
const posted = { name: { firstName: 'Ann', lastName: 'Smith' }, email: 'ann@privaterelay.appleid.com' }

const apple = (options: object = {}) =>
  openProvider('apple', {
    options,
    endpoints: ({ idToken, key }) => ({
      [token]: async () => ({ ...tokenResponse, token_type: 'Bearer', id_token: await idToken(claims) }),
      [keys]: key.jwks,
    }),
  })

const tokensWith =
  (changes: object) =>
  ({ idToken }: Pick<OpenProvider, 'idToken'>) => ({
    [token]: async () => ({ ...tokenResponse, id_token: await idToken({ ...claims, ...changes }) }),
  })

/** Apple's page posts a form, from another site: without cookies. The browser then repeats it as a GET with them. */
async function signInByForm(open: OpenProvider, parameters: Readonly<Record<string, string>>) {
  const url = await open.start()
  const form = new URLSearchParams({ state: url.searchParams.get('state') ?? '', ...parameters })
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://appleid.apple.com' }
  const first = await open.kit.browser().request('/callback/apple', { method: 'POST', headers, body: form.toString() })
  expect([first.status, first.setCookie]).toEqual([303, []])
  return open.browser.request(`/${first.headers.get('location')}`)
}

test('signs in with Apple by form_post, with the name that is posted once', async () => {
  const open = await apple()
  const done = await signInByForm(open, { code: 'a-code', id_token: 'not.used.here', user: JSON.stringify(posted) })
  expect(outcome(done)).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://appleid.apple.com/auth/authorize',
    'response_type=code id_token',
    'client_id=the-client',
    'state=<state>',
    'scope=email name',
    'redirect_uri=http://localhost:3000/api/auth/callback/apple',
    'response_mode=form_post',
    'nonce=<nonce>',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/apple',
  ])
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@privaterelay.appleid.com',
    emailVerified: true,
    image: null,
    accountId: claims.sub,
    issuer: 'https://appleid.apple.com',
    scope: null,
  })
})

test.each([
  [{}, 'ann@privaterelay.appleid.com'],
  [{ user: '{' }, 'ann@privaterelay.appleid.com'],
  [{ user: '"Ann"' }, 'ann@privaterelay.appleid.com'],
  [{ user: '{"name":{"firstName":7}}' }, 'ann@privaterelay.appleid.com'],
  [{ user: '{"name":{"firstName":"Ann"}}' }, 'Ann'],
])('names a user by what is posted: %j', async (parameters, name) => {
  const open = await apple()
  expect(outcome(await signInByForm(open, { code: 'a-code', ...parameters }))).toBe('302 /dashboard')
  expect((await viewUser(open)).name).toBe(name)
})

test('keeps the name at later sign-ins, which come without it, also when they update the user', async () => {
  const open = await apple({ overrideUserInfoOnSignIn: true })
  await signInByForm(open, { code: 'a-code', user: JSON.stringify(posted) })
  await signInByForm(open, { code: 'a-code' })
  expect((await viewUser(open)).name).toBe('Ann Smith')
})

test('describes a user without a name by the email address', async () => {
  const open = await apple()
  await signInByForm(open, { code: 'a-code' })
  const { body } = await open.browser.call('POST /account-info', { body: { accountId: claims.sub } })
  expect(body?.user).toMatchObject({ name: 'ann@privaterelay.appleid.com' })
})

test('names a user of an app by what the app got from Apple', async () => {
  const open = await apple()
  const idToken = { token: await open.idToken(claims), user: posted }
  const { body } = await open.browser.call('POST /sign-in/social', { body: { provider: 'apple', idToken } })
  expect(body.user).toMatchObject({ name: 'Ann Smith', email: 'ann@privaterelay.appleid.com' })
})

test('does not use the email address that is posted: it is not signed', async () => {
  const open = await apple()
  await signInByForm(open, { code: 'a-code', user: JSON.stringify({ ...posted, email: 'victim@example.com' }) })
  expect((await viewUser(open)).email).toBe('ann@privaterelay.appleid.com')
})

test('accepts email_verified as text', async () => {
  const open = await apple()
  open.set(tokensWith({ email_verified: 'true' })(open))
  await open.signIn()
  expect((await viewUser(open)).emailVerified).toBe(true)
})

test.each([false, 'false', undefined])('does not link an email address with email_verified: %s', async (email_verified) => {
  const open = await apple()
  open.set(tokensWith({ email_verified })(open))
  await expectNotLinked(open, claims.email)
})

test('refreshes the tokens of Apple, which sends a new ID token', async () => {
  const open = await apple()
  await open.signIn()
  const { refresh_token: _, ...later } = { ...tokenResponse, access_token: 'access-token-2' }
  const refreshed = await refresh(open, token, { ...later, id_token: await open.idToken(claims) })
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-1' })
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
  ])
})

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const keyOptions = { clientSecret: undefined, teamId: 'TEAM123456', keyId: 'KEY1234567', privateKey: pem }

test.each([
  ['as it is', pem],
  ['with \\n for line breaks', pem.replaceAll('\n', '\\n')],
])('makes the client secret of the private key, %s', async (_, key) => {
  const open = await apple({ ...keyOptions, privateKey: key })
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  const secretOf = () => open.last(tokenURL).form.get('client_secret') ?? ''
  const expected = { issuer: 'TEAM123456', subject: 'the-client', audience: 'https://appleid.apple.com', algorithms: ['ES256'] }
  const verify = () => jwtVerify(secretOf(), publicKey, { ...expected, currentDate: open.kit.clock.now() })
  const { payload, protectedHeader } = await verify()
  expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY1234567' })
  expect(payload).toEqual({
    iss: 'TEAM123456',
    sub: 'the-client',
    aud: expected.audience,
    iat: payload.iat,
    exp: (payload.iat ?? 0) + 300,
  })

  open.kit.clock.advance(200 * 86_400_000)
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  await verify()
})

test.each([
  [{ clientSecret: undefined }, ['socialProviders.apple.clientSecret']],
  [{ ...keyOptions, teamId: undefined, keyId: undefined }, ['socialProviders.apple.teamId', 'socialProviders.apple.keyId']],
  [{ ...keyOptions, privateKey: undefined }, ['socialProviders.apple.privateKey']],
  [{ ...keyOptions, privateKey: 'AuthKey_KEY1234567.p8' }, ['socialProviders.apple.privateKey']],
  [
    {
      ...keyOptions,
      privateKey: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    },
    ['socialProviders.apple.privateKey'],
  ],
  [keyOptions, []],
])('requires a client secret, or all that it is made of: %#', (options, paths) => {
  const config = {
    secret: 'a secret of the tests, 0123456789 abcdefghij',
    baseURL,
    socialProviders: { apple: { ...credentials, ...options } },
  }
  const parsed = parseConfig(featureList, config)
  const found = 'issues' in parsed ? parsed.issues.map(({ path }) => path).filter((path) => path.includes('apple')) : []
  expect(found).toEqual(paths)
  expect(JSON.stringify(parsed)).not.toContain('AuthKey_KEY')
})

test('signs in with an ID token that an app got from Apple', async () => {
  const open = await apple({ appBundleIdentifier: 'com.example.app' })
  const given = await signInWithIdToken(open, { ...claims, aud: 'com.example.app', nonce: 'of-the-app' }, { nonce: 'of-the-app' })
  expect([given.status, given.body.user?.email]).toEqual([200, claims.email])
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
})

test.each([
  ['another client for audience', { aud: 'com.example.other' }, {}],
  ['another nonce', { aud: 'com.example.app', nonce: 'one' }, { nonce: 'another' }],
  ['another issuer', { aud: 'com.example.app', iss: 'https://issuer.test' }, {}],
])('rejects an ID token of an app with %s', async (_, changes, given) => {
  const open = await apple({ appBundleIdentifier: 'com.example.app' })
  const response = await signInWithIdToken(open, { ...claims, ...changes }, given)
  expect([response.status, response.body.code]).toEqual([401, 'INVALID_TOKEN'])
})

test.each(['com.example.app', 'the-client'])('accepts an ID token of an app and of the website: %s', async (aud) => {
  const open = await apple({ appBundleIdentifier: 'com.example.app' })
  expect((await signInWithIdToken(open, { ...claims, aud })).status).toBe(200)
})

test('rejects an ID token of an app when it is older than an hour', async () => {
  const open = await apple()
  const now = Math.floor(open.kit.clock.now().getTime() / 1000)
  const old = { ...claims, iat: now - 3700, exp: now + 3600 }
  expect((await signInWithIdToken(open, old)).status).toBe(401)
  expect((await signInWithIdToken(open, { ...old, iat: now - 3500 })).status).toBe(200)
})

test('rejects an ID token of an app when the keys cannot be fetched', async () => {
  const open = await apple()
  open.set({ [keys]: hostile.errorPage })
  const response = await signInWithIdToken(open, claims)
  expect([response.status, response.body.code]).toEqual([401, 'INVALID_TOKEN'])
})

test('stores ID tokens that an app got, and no other identity of the same user', async () => {
  const open = await apple()
  await signInWithIdToken(open, claims)
  await open.signIn()
  expect(await open.kit.app.db.selectFrom('account').select('accountId').execute()).toEqual([{ accountId: claims.sub }])
})

testHostileIdTokens(apple, token, claims)

testRejections(apple, {
  'a user without an email address': ['email_not_found', tokensWith({ email: undefined })],
  'an ID token with another nonce': ['unable_to_get_user_info', tokensWith({ nonce: 'another' })],
  'an ID token without a nonce': ['unable_to_get_user_info', tokensWith({ nonce: undefined })],
  'tokens without an ID token': ['unable_to_get_user_info', () => ({ [token]: tokenResponse })],
  'keys that never come': ['unable_to_get_user_info', ({ hangAt }) => hangAt(keys)],
  'an HTML page for the tokens': ['invalid_code', () => ({ [token]: hostile.html })],
})
