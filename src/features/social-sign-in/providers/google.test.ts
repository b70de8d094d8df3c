import { expect, test } from 'vitest'
import {
  expectNotLinked,
  expectRejected,
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

const tokenURL = 'https://oauth2.googleapis.com/token'
const token = `POST ${tokenURL}`
const keys = 'GET https://www.googleapis.com/oauth2/v3/certs'

const claims = {
  iss: 'https://accounts.google.com',
  azp: 'the-client',
  aud: 'the-client',
  sub: '10769150350006150715113082367',
  hd: 'example.com',
  email: 'ann@example.com',
  email_verified: true,
  at_hash: 'HK6E_P6Dh8Y93mRNtsDB1Q',
  name: 'Ann Smith',
  picture: 'https://lh3.googleusercontent.com/a-/ann=s96-c',
  given_name: 'Ann',
  family_name: 'Smith',
}

const scope = 'openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile'

const google = (options = {}) =>
  openProvider('google', {
    options,
    endpoints: ({ idToken, key }) => ({
      [token]: async () => ({ ...tokenResponse, expires_in: 3599, scope, token_type: 'Bearer', id_token: await idToken(claims) }),
      [keys]: key.jwks,
    }),
  })

/** The tokens of a user whose claims differ. */
const tokensWith =
  (changes: object) =>
  ({ idToken }: Pick<OpenProvider, 'idToken'>) => ({
    [token]: async () => ({ ...tokenResponse, id_token: await idToken({ ...claims, ...changes }) }),
  })

test('signs in with Google', async () => {
  const open = await google()
  expect(
    outcome(await open.signIn({ body: { loginHint: 'ann@example.com', scopes: ['https://www.googleapis.com/auth/drive'] } })),
  ).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://accounts.google.com/o/oauth2/auth',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=email profile openid https://www.googleapis.com/auth/drive',
    'redirect_uri=http://localhost:3000/api/auth/callback/google',
    'login_hint=ann@example.com',
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
    'include_granted_scopes=true',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'code_verifier=<verifier>',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/google',
  ])
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://lh3.googleusercontent.com/a-/ann=s96-c',
    accountId: '10769150350006150715113082367',
    issuer: 'https://accounts.google.com',
    scope: scope.replaceAll(' ', ','),
  })
})

test('sends its options', async () => {
  const open = await google({ accessType: 'offline', display: 'popup', hd: 'example.com', prompt: 'select_account consent' })
  expect(viewAuthorization(await open.start()).slice(6, -1)).toEqual([
    'display=popup',
    'prompt=select_account consent',
    'hd=example.com',
    'access_type=offline',
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
  ])
})

test('refreshes the tokens of Google', async () => {
  const open = await google()
  await open.signIn()
  const refreshURL = 'https://www.googleapis.com/oauth2/v4/token'
  const { refresh_token: _, ...later } = { ...tokenResponse, access_token: 'access-token-2' }
  const refreshed = await refresh(open, `POST ${refreshURL}`, later)
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-1' })
  expect(viewTokenRequest(open, refreshURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
  ])
})

test('accepts both forms of the issuer, as one', async () => {
  const open = await google()
  open.set(tokensWith({ iss: 'accounts.google.com' })(open))
  await open.signIn()
  expect((await viewUser(open)).issuer).toBe('https://accounts.google.com')
  open.set(tokensWith({})(open))
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
})

test.each([
  ['example.com', { hd: 'Example.com' }],
  ['Example.com', {}],
  ['*', {}],
])('signs in users of the organization %s with %j', async (hd, changes) => {
  const open = await google({ hd })
  open.set(tokensWith(changes)(open))
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
})

test.each([
  ['example.com', { hd: 'other.test' }],
  ['example.com', { hd: 'sub.example.com' }],
  ['example.com', { hd: undefined, email: 'ann@example.com' }],
  ['example.com', { hd: '' }],
  ['*', { hd: undefined }],
])('rejects users who are not of the organization %s: %j', async (hd, changes) => {
  const open = await google({ hd })
  open.set(tokensWith(changes)(open))
  await expectRejected(open, 'unable_to_get_user_info')
  const given = await signInWithIdToken(open, { ...claims, ...changes })
  expect([given.status, given.body.message]).toEqual([401, 'Failed to get user info'])
})

test('does not link an email address that Google has not verified', async () => {
  const open = await google()
  open.set(tokensWith({ email_verified: false })(open))
  await expectNotLinked(open, 'ann@example.com')
})

test('signs in with an ID token that an app got from Google', async () => {
  const open = await google()
  const given = await signInWithIdToken(open, { ...claims, nonce: 'of-the-app' }, { nonce: 'of-the-app' })
  expect([given.status, given.body.user.email]).toEqual([200, 'ann@example.com'])
})

test.each([
  ['another audience', { aud: 'another-client' }, {}],
  ['the audiences of several clients', { aud: ['the-client', 'another-client'], azp: 'another-client' }, {}],
  ['another issuer', { iss: 'https://accounts.google.com.evil.test' }, {}],
  ['another nonce', { nonce: 'one' }, { nonce: 'another' }],
  ['an expiry in the past', { iat: 1, exp: 2 }, {}],
])('rejects an ID token of an app with %s', async (_, changes, given) => {
  const open = await google()
  const response = await signInWithIdToken(open, { ...claims, ...changes }, given)
  expect([response.status, response.body.code]).toEqual([401, 'INVALID_TOKEN'])
})

testHostileIdTokens(google, token, claims)

testRejections(google, {
  'a user without an email address': ['email_not_found', tokensWith({ email: undefined })],
  'an ID token for several clients, issued to another one': [
    'unable_to_get_user_info',
    tokensWith({ aud: ['the-client', 'another-client'], azp: 'another-client' }),
  ],
  'tokens without an ID token': ['unable_to_get_user_info', () => ({ [token]: tokenResponse })],
  'an HTML page for the keys': ['unable_to_get_user_info', () => ({ [keys]: hostile.html })],
  'an HTML page for the tokens': ['invalid_code', () => ({ [token]: hostile.html })],
})
