import { expect, test } from 'vitest'
import {
  hostile,
  openProvider,
  outcome,
  testRejections,
  tokenResponse,
  viewAuthorization,
  viewTokenRequest,
  viewUser,
} from '../../../../tests/kit/provider-checks.ts'

const tokenURL = 'https://id.kick.com/oauth/token'
const [token, users] = [`POST ${tokenURL}`, 'GET https://api.kick.com/public/v1/users']

const user = {
  user_id: 4377088,
  name: 'annsmith',
  email: 'Ann@Example.com',
  profile_picture: 'https://files.kick.com/images/user/4377088/ann.webp',
}

const kick = () =>
  openProvider('kick', {
    endpoints: () => ({
      [token]: { ...tokenResponse, token_type: 'Bearer', scope: 'user:read' },
      [users]: { data: [user], message: 'OK' },
    }),
  })

test('signs in with Kick', async () => {
  const open = await kick()
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://id.kick.com/oauth/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=user:read',
    'redirect_uri=http://localhost:3000/api/auth/callback/kick',
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'code_verifier=<verifier>',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/kick',
  ])
  expect(await viewUser(open)).toEqual({
    name: 'annsmith',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://files.kick.com/images/user/4377088/ann.webp',
    accountId: '4377088',
    issuer: 'https://id.kick.com',
    scope: 'user:read',
  })
})

test('describes the user by their own entry of the list', async () => {
  const open = await kick()
  await open.signIn()
  const { body } = await open.browser.call('POST /account-info', { body: { accountId: '4377088' } })
  expect(body).toMatchObject({ data: user })
})

test('does not refresh tokens of Kick', async () => {
  const open = await kick()
  await open.signIn()
  const { status, body } = await open.browser.call('POST /refresh-token', { body: { providerId: 'kick' } })
  expect([status, body.code]).toEqual([400, 'PROVIDER_KICK_DOES_NOT_SUPPORT_TOKEN_REFRESHING'])
})

testRejections(kick, {
  'a user without an email address': ['email_not_found', () => ({ [users]: { data: [{ ...user, email: '' }] } })],
  'a list without users': ['unable_to_get_user_info', () => ({ [users]: { data: [], message: 'OK' } })],
  'a user in place of the list': ['unable_to_get_user_info', () => ({ [users]: { data: user } })],
  'an ID that a number cannot hold': ['unable_to_get_user_info', () => ({ [users]: { data: [{ ...user, user_id: 2 ** 53 }] } })],
  'a profile that never comes': ['unable_to_get_user_info', ({ hangAt }) => hangAt(users)],
  'an error page for the tokens': ['invalid_code', () => ({ [token]: hostile.errorPage })],
})
