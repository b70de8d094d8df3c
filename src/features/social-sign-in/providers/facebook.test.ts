import { expect, test } from 'vitest'
import {
  expectNotLinked,
  hostile,
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

const tokenURL = 'https://graph.facebook.com/oauth/access_token'
const token = `POST ${tokenURL}`
const me = 'GET https://graph.facebook.com/me'

const profile = {
  id: '10215241773831025',
  name: 'Ann Smith',
  email: 'ann@example.com',
  picture: { data: { height: 50, is_silhouette: false, url: 'https://platform-lookaside.fbsbx.com/ann.jpg', width: 50 } },
}
const claims = {
  iss: 'https://www.facebook.com',
  aud: 'the-client',
  sub: '10215241773831025',
  jti: 'JYv4.ef1',
  given_name: 'Ann',
  family_name: 'Smith',
  name: 'Ann Smith',
  email: 'ann@example.com',
  picture: 'https://platform-lookaside.fbsbx.com/ann.jpg',
}

const facebook = (options = {}) =>
  openProvider('facebook', {
    options,
    endpoints: ({ key }) => ({
      // No refresh token, and no scopes.
      [token]: { access_token: 'access-token-1', token_type: 'bearer', expires_in: 5183944 },
      [me]: profile,
      'GET https://www.facebook.com/.well-known/oauth/openid/jwks': key.jwks,
    }),
  })

test('signs in with Facebook', async () => {
  const open = await facebook()
  expect(outcome(await open.signIn({ body: { loginHint: 'ann@example.com' } }))).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://www.facebook.com/v21.0/dialog/oauth',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=email public_profile',
    'redirect_uri=http://localhost:3000/api/auth/callback/facebook',
    'login_hint=ann@example.com',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/facebook',
  ])
  const { url, headers } = open.last('https://graph.facebook.com/me')
  expect([url.searchParams.get('fields'), headers.authorization]).toEqual(['id,name,email,picture', 'Bearer access-token-1'])
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: false,
    image: 'https://platform-lookaside.fbsbx.com/ann.jpg',
    accountId: '10215241773831025',
    issuer: 'https://www.facebook.com',
    scope: null,
  })
})

test('sends its options', async () => {
  const open = await facebook({ configId: '4711', fields: ['birthday', 'a&b'], pkce: true })
  await open.signIn()
  expect(viewAuthorization(open.started()).slice(6)).toEqual([
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
    'config_id=4711',
  ])
  expect(viewTokenRequest(open, tokenURL)).toContain('code_verifier=<verifier>')
  const { url } = open.last('https://graph.facebook.com/me')
  expect([...url.searchParams]).toEqual([['fields', 'id,name,email,picture,birthday,a&b']])
})

test('refreshes no tokens: Facebook sends no refresh token', async () => {
  const open = await facebook()
  await open.signIn()
  const refreshed = await refresh(open, 'POST https://graph.facebook.com/v18.0/oauth/access_token', tokenResponse)
  expect([refreshed.status, refreshed.body.code]).toEqual([400, 'FAILED_TO_REFRESH_ACCESS_TOKEN'])
  expect(open.count('https://graph.facebook.com/v18.0/oauth/access_token')).toBe(0)
})

test('signs in with an ID token of Limited Login, without any other request', async () => {
  const open = await facebook()
  const given = await signInWithIdToken(open, { ...claims, nonce: 'of-the-app' }, { nonce: 'of-the-app' })
  expect(given.status).toBe(200)
  expect(given.body.user).toMatchObject({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: true,
    image: claims.picture,
  })
  expect(open.count('https://graph.facebook.com/me')).toBe(0)
})

test('signs in by the ID token when the scope openid is requested', async () => {
  const open = await facebook({ scope: ['openid'], pkce: true })
  open.set({ [token]: async () => ({ ...tokenResponse, id_token: await open.idToken(claims) }) })
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(await viewUser(open)).toMatchObject({ emailVerified: true, accountId: claims.sub, issuer: claims.iss })
})

test.each([
  ['another audience', { aud: 'another-client' }, {}],
  ['another issuer', { iss: 'https://facebook.test' }, {}],
  ['another nonce', { nonce: 'one' }, { nonce: 'another' }],
  ['no nonce', {}, { nonce: 'of-the-app' }],
])('rejects an ID token of an app with %s', async (_, changes, given) => {
  const open = await facebook()
  const response = await signInWithIdToken(open, { ...claims, ...changes }, given)
  expect([response.status, response.body.code]).toEqual([401, 'INVALID_TOKEN'])
})

test('rejects an access token in place of an ID token', async () => {
  const open = await facebook()
  const body = { provider: 'facebook', idToken: { token: 'EAACEdEose0cBA' } }
  const response = await open.browser.call('POST /sign-in/social', { body })
  expect([response.status, response.body.code]).toEqual([401, 'INVALID_TOKEN'])
})

test('does not link an email address that Facebook does not call verified', async () => {
  await expectNotLinked(await facebook(), 'ann@example.com')
})

testHostileIdTokens(facebook, token, claims)

testRejections(facebook, {
  'a user without an email address': ['email_not_found', () => ({ [me]: { ...profile, email: undefined } })],
  'an error with status 200': [
    'unable_to_get_user_info',
    () => ({ [me]: { error: { message: 'Invalid OAuth access token.', type: 'OAuthException', code: 190 } } }),
  ],
  'a profile that never comes': ['unable_to_get_user_info', ({ hangAt }) => hangAt(me)],
  'an error page for the tokens': ['invalid_code', () => ({ [token]: hostile.errorPage })],
})
