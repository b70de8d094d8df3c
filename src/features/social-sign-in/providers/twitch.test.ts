import { expect, test } from 'vitest'
import {
  expectNotLinked,
  openProvider,
  outcome,
  refresh,
  testHostileIdTokens,
  testRejections,
  tokenResponse,
  viewAuthorization,
  viewTokenRequest,
  viewUser,
} from '../../../../tests/kit/provider-checks.ts'

const tokenURL = 'https://id.twitch.tv/oauth2/token'
const token = `POST ${tokenURL}`

const claims = {
  iss: 'https://id.twitch.tv/oauth2',
  aud: 'the-client',
  azp: 'the-client',
  sub: '713936733',
  email: 'ann@example.com',
  email_verified: true,
  picture: 'https://static-cdn.jtvnw.net/ann.png',
  preferred_username: 'Ann',
  updated_at: '2024-01-02T03:04:05Z',
}

const twitch = (options = {}) =>
  openProvider('twitch', {
    options,
    endpoints: ({ idToken, key }) => ({
      [token]: async () => ({ ...tokenResponse, scope: ['openid', 'user:read:email'], id_token: await idToken(claims) }),
      'GET https://id.twitch.tv/oauth2/keys': key.jwks,
    }),
  })

test('signs in with Twitch', async () => {
  const open = await twitch()
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://id.twitch.tv/oauth2/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=user:read:email openid',
    'redirect_uri=http://localhost:3000/api/auth/callback/twitch',
    'claims={"id_token":{"email":null,"email_verified":null,"preferred_username":null,"picture":null}}',
    'nonce=<nonce>',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/twitch',
  ])
  expect(await viewUser(open)).toEqual({
    name: 'Ann',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://static-cdn.jtvnw.net/ann.png',
    accountId: '713936733',
    issuer: 'https://id.twitch.tv/oauth2',
    scope: 'openid,user:read:email',
  })
})

test('requests the configured claims', async () => {
  const open = await twitch({ claims: ['updated_at'] })
  expect((await open.start()).searchParams.get('claims')).toBe(
    '{"id_token":{"email":null,"email_verified":null,"updated_at":null}}',
  )
})

test('refreshes the tokens of Twitch', async () => {
  const open = await twitch()
  await open.signIn()
  const refreshed = await refresh(open, token, { ...tokenResponse, access_token: 'access-token-2', scope: ['openid'] })
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2' })
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
  ])
})

test.each([false, undefined])('does not link an email address with email_verified: %s', async (email_verified) => {
  const open = await twitch()
  open.set({ [token]: async () => ({ ...tokenResponse, id_token: await open.idToken({ ...claims, email_verified }) }) })
  await expectNotLinked(open, 'ann@example.com')
})

testHostileIdTokens(twitch, token, claims)

testRejections(twitch, {
  'an ID token with another nonce': [
    'unable_to_get_user_info',
    ({ idToken }) => ({ [token]: async () => ({ ...tokenResponse, id_token: await idToken({ ...claims, nonce: 'another' }) }) }),
  ],
  'an ID token without an email address': [
    'email_not_found',
    ({ idToken }) => ({ [token]: async () => ({ ...tokenResponse, id_token: await idToken({ ...claims, email: undefined }) }) }),
  ],
  'tokens without an ID token': ['unable_to_get_user_info', () => ({ [token]: tokenResponse })],
  'keys that never come': ['unable_to_get_user_info', ({ hangAt }) => hangAt('GET https://id.twitch.tv/oauth2/keys')],
})
