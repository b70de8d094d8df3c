import { expect, test } from 'vitest'
import {
  expectNotLinked,
  hostile,
  openProvider,
  outcome,
  refresh,
  testRejections,
  viewAuthorization,
  viewTokenRequest,
  viewUser,
} from '../../../../tests/kit/provider-checks.ts'
import { respondWith } from '../../../../tests/kit/provider-stand-in.ts'

const tokenURL = 'https://github.com/login/oauth/access_token'
const token = `POST ${tokenURL}`
const me = 'GET https://api.github.com/user'
const emails = 'GET https://api.github.com/user/emails'

const profile = {
  login: 'ann',
  id: 583231,
  node_id: 'MDQ6VXNlcjU4MzIzMQ==',
  avatar_url: 'https://avatars.githubusercontent.com/u/583231?v=4',
  html_url: 'https://github.com/ann',
  type: 'User',
  name: 'Ann Smith',
  email: null,
  two_factor_authentication: true,
}
const addresses = [
  { email: 'old@example.com', primary: false, verified: false, visibility: null },
  { email: 'Ann@Example.com', primary: true, verified: true, visibility: 'private' },
]

const github = (options = {}) =>
  openProvider('github', {
    options,
    endpoints: () => ({
      // Tokens of an OAuth app do not expire.
      [token]: { access_token: 'access-token-1', token_type: 'bearer', scope: 'read:user,user:email' },
      [me]: profile,
      [emails]: addresses,
    }),
  })

test('signs in with GitHub', async () => {
  const open = await github({ prompt: 'select_account' })
  expect(outcome(await open.signIn({ body: { loginHint: 'ann' } }))).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://github.com/login/oauth/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=read:user user:email',
    'redirect_uri=http://localhost:3000/api/auth/callback/github',
    'login_hint=ann',
    'prompt=select_account',
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'code_verifier=<verifier>',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/github',
  ])
  expect(open.last('https://api.github.com/user/emails').headers).toMatchObject({
    authorization: 'Bearer access-token-1',
    // GitHub rejects requests without one.
    'user-agent': 'latchkey',
  })
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://avatars.githubusercontent.com/u/583231?v=4',
    accountId: '583231',
    issuer: 'https://github.com',
    scope: 'read:user,user:email',
  })
})

test('refreshes the tokens of a GitHub app, whose refresh tokens expire', async () => {
  const open = await github()
  const expiring = { expires_in: 28_800, refresh_token: 'refresh-token-1', refresh_token_expires_in: 15_897_600, scope: '' }
  open.set({ [token]: { access_token: 'access-token-1', token_type: 'bearer', ...expiring } })
  await open.signIn()
  const later = { ...expiring, access_token: 'access-token-2', refresh_token: 'refresh-token-2', token_type: 'bearer' }
  const { body } = await refresh(open, token, later)
  expect(body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-2' })
  const now = open.kit.clock.now().getTime()
  expect([Date.parse(body.accessTokenExpiresAt) - now, Date.parse(body.refreshTokenExpiresAt) - now]).toEqual([
    28_800_000, 15_897_600_000,
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
  ])
})

test.each([
  ['the public one, which is verified', { email: 'Ann@Example.com' }, addresses, 'ann@example.com', true],
  ['the public one, which is not verified', { email: 'old@example.com' }, addresses, 'old@example.com', false],
  ['the public one, which is not listed', { email: 'other@example.com' }, addresses, 'other@example.com', false],
  [
    'the first without a primary one',
    {},
    [{ email: 'first@example.com', primary: false, verified: true }],
    'first@example.com',
    true,
  ],
])('finds the email address: %s', async (_, changes, list, email, emailVerified) => {
  const open = await github()
  open.set({ [me]: { ...profile, ...changes }, [emails]: list })
  await open.signIn()
  expect(await viewUser(open)).toMatchObject({ email, emailVerified })
})

test('names users without a name by their login', async () => {
  const open = await github()
  open.set({ [me]: { ...profile, name: null } })
  await open.signIn()
  expect((await viewUser(open)).name).toBe('ann')
})

test.each([
  ['is not verified', { email: null }, [{ email: 'ann@example.com', primary: true, verified: false }]],
  [
    'is public, but not among those of the user',
    { email: 'ann@example.com' },
    [{ email: 'b@example.com', primary: true, verified: true }],
  ],
])('does not link an email address that %s', async (_, changes, list) => {
  const open = await github()
  open.set({ [me]: { ...profile, ...changes }, [emails]: list })
  await expectNotLinked(open, 'ann@example.com')
})

testRejections(github, {
  'a user without any email address': ['email_not_found', () => ({ [emails]: [] })],
  'a redirect': [
    'unable_to_get_user_info',
    () => ({ [me]: (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end() }),
  ],
  'an HTML page for the profile': ['unable_to_get_user_info', () => ({ [me]: hostile.html })],
  'a profile that never comes': ['unable_to_get_user_info', ({ hangAt }) => hangAt(me)],
  // As GitHub does for a code that was used before.
  'an error with status 200': ['invalid_code', () => ({ [token]: hostile.errorWithStatus200 })],
  'a form in place of JSON': [
    'invalid_code',
    () => ({ [token]: respondWith(200, 'access_token=access-token-1&token_type=bearer', 'application/x-www-form-urlencoded') }),
  ],
})
