import { expect, test } from 'vitest'
import {
  expectNotLinked,
  type OpenProvider,
  openProvider,
  outcome,
  refresh,
  testRejections,
  tokenResponse,
  viewAuthorization,
  viewTokenRequest,
  viewUser,
} from '../../../../tests/kit/provider-checks.ts'

const tokenURL = 'https://slack.com/api/openid.connect.token'
const token = `POST ${tokenURL}`

const claims = {
  iss: 'https://slack.com',
  sub: 'U0R7MFMJM',
  aud: 'the-client',
  auth_time: 1626874655,
  at_hash: 'tUbyWGBHe0V32FJEupkgVQ',
  'https://slack.com/team_id': 'T0RR',
  'https://slack.com/user_id': 'U0R7MFMJM',
  email: 'Ann@Example.com',
  email_verified: true,
  date_email_verified: 1622128723,
  locale: 'en-US',
  name: 'Ann Smith',
  given_name: 'Ann',
  family_name: 'Smith',
  'https://slack.com/user_image_24': 'https://secure.gravatar.com/avatar/24.png',
  'https://slack.com/user_image_512': 'https://secure.gravatar.com/avatar/512.png',
}

const slack = (options = {}, changes = {}) =>
  openProvider('slack', {
    options,
    endpoints: ({ idToken, key }) => ({
      [token]: async () => ({ ok: true, ...tokenResponse, id_token: await idToken({ ...claims, ...changes }) }),
      'GET https://slack.com/openid/connect/keys': key.jwks,
    }),
  })

test('signs in with Slack, by a verified ID token with a nonce', async () => {
  const open = await slack()
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://slack.com/openid/connect/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=openid profile email',
    'redirect_uri=http://localhost:3000/api/auth/callback/slack',
    'nonce=<nonce>',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/slack',
  ])
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://secure.gravatar.com/avatar/512.png',
    accountId: 'U0R7MFMJM',
    issuer: 'https://slack.com',
    scope: null,
  })
})

test('refreshes the tokens of Slack', async () => {
  const open = await slack()
  await open.signIn()
  const later = { ok: true, ...tokenResponse, access_token: 'access-token-2', refresh_token: 'refresh-token-2' }
  const refreshed = await refresh(open, token, later)
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-2' })
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
  ])
})

test('signs in members of the configured Slack workspace', async () => {
  const open = await slack({ team: 'T0RR' })
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(open.started().searchParams.get('team')).toBe('T0RR')
})

test.each([false, undefined])('does not link an email address that Slack has not verified: %s', async (email_verified) => {
  await expectNotLinked(await slack({}, { email_verified }), 'ann@example.com')
})

testRejections(() => slack({ team: 'T0RR' }), {
  'a member of another workspace': ['unable_to_get_user_info', withClaims({ 'https://slack.com/team_id': 'T0SS' })],
  'a user without a workspace': ['unable_to_get_user_info', withClaims({ 'https://slack.com/team_id': undefined })],
  'a user without an email address': ['email_not_found', withClaims({ email: undefined })],
  'an ID token with another nonce': ['unable_to_get_user_info', withClaims({ nonce: 'another' })],
  'an ID token for another client': ['unable_to_get_user_info', withClaims({ aud: 'another-client' })],
  'an expired ID token': ['unable_to_get_user_info', withClaims({ iat: 1_000, exp: 1_300 })],
  'tokens without an ID token': ['unable_to_get_user_info', () => ({ [token]: { ok: true, ...tokenResponse } })],
  'an error for the code, with status 200': ['invalid_code', () => ({ [token]: { ok: false, error: 'invalid_code' } })],
})

/** The tokens with an ID token that has these claims. */
function withClaims(changes: object) {
  return ({ idToken }: Pick<OpenProvider, 'idToken'>) => ({
    [token]: async () => ({ ok: true, ...tokenResponse, id_token: await idToken({ ...claims, ...changes }) }),
  })
}
