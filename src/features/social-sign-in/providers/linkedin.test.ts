import { expect, test } from 'vitest'
import {
  expectNotLinked,
  hostile,
  openProvider,
  outcome,
  refresh,
  testRejections,
  tokenResponse,
  viewAuthorization,
  viewTokenRequest,
  viewUser,
} from '../../../../tests/kit/provider-checks.ts'

const tokenURL = 'https://www.linkedin.com/oauth/v2/accessToken'
const [token, userInfo] = [`POST ${tokenURL}`, 'GET https://api.linkedin.com/v2/userinfo']

const profile = {
  sub: '782bbtaQ',
  email_verified: true,
  name: 'Ann Smith',
  locale: { country: 'US', language: 'en' },
  given_name: 'Ann',
  family_name: 'Smith',
  email: 'Ann@Example.com',
  picture: 'https://media.licdn-ei.com/dms/image/ann/profile-displayphoto-shrink_100_100/0/',
}

const linkedin = () =>
  openProvider('linkedin', {
    endpoints: ({ idToken }) => ({
      [token]: async () => ({
        ...tokenResponse,
        token_type: 'Bearer',
        scope: 'email,openid,profile',
        id_token: await idToken({ iss: 'https://www.linkedin.com/oauth', aud: 'the-client', sub: profile.sub }),
      }),
      [userInfo]: profile,
    }),
  })

test('signs in with LinkedIn', async () => {
  const open = await linkedin()
  expect(outcome(await open.signIn({ body: { loginHint: 'ann@example.com' } }))).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://www.linkedin.com/oauth/v2/authorization',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=profile email openid',
    'redirect_uri=http://localhost:3000/api/auth/callback/linkedin',
    'login_hint=ann@example.com',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/linkedin',
  ])
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://media.licdn-ei.com/dms/image/ann/profile-displayphoto-shrink_100_100/0/',
    accountId: '782bbtaQ',
    issuer: 'https://www.linkedin.com',
    scope: 'email,openid,profile',
  })
})

test('refreshes the tokens of LinkedIn', async () => {
  const open = await linkedin()
  await open.signIn()
  const later = { access_token: 'access-token-2', expires_in: 3600, refresh_token: 'refresh-token-2' }
  const refreshed = await refresh(open, token, { ...later, refresh_token_expires_in: 525_600 })
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-2' })
  expect(refreshed.body.refreshTokenExpiresAt).toBeTruthy()
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
  ])
})

test.each([false, undefined])('does not link an email address that LinkedIn has not verified: %s', async (email_verified) => {
  const open = await linkedin()
  open.set({ [userInfo]: { ...profile, email_verified } })
  await expectNotLinked(open, 'ann@example.com')
})

testRejections(linkedin, {
  'a user without an email address': ['email_not_found', () => ({ [userInfo]: { ...profile, email: undefined } })],
  'a list for the profile': ['unable_to_get_user_info', () => ({ [userInfo]: hostile.list })],
  'a profile without a subject': ['unable_to_get_user_info', () => ({ [userInfo]: { ...profile, sub: undefined } })],
  'tokens of 10 MiB': ['invalid_code', () => ({ [token]: hostile.tenMebibytes })],
})
