import { expect, test } from 'vitest'
import {
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

const tokenURL = 'https://apis.roblox.com/oauth/v1/token'
const [token, userInfo] = [`POST ${tokenURL}`, 'GET https://apis.roblox.com/oauth/v1/userinfo']

const profile = {
  sub: '1234567890',
  name: 'Ann',
  nickname: 'Ann',
  preferred_username: 'exampleuser',
  created_at: 1462449838,
  profile: 'https://www.roblox.com/users/1234567890/profile',
  picture: 'https://tr.rbxcdn.com/ann/150/150/AvatarHeadshot/Png',
}
const granted = { ...tokenResponse, token_type: 'Bearer', id_token: 'not.used', scope: 'openid profile' }

const roblox = (options = {}) => openProvider('roblox', { options, endpoints: () => ({ [token]: granted, [userInfo]: profile }) })

test('signs in with Roblox', async () => {
  const open = await roblox()
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://apis.roblox.com/oauth/v1/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=openid profile',
    'redirect_uri=http://localhost:3000/api/auth/callback/roblox',
    'prompt=select_account consent',
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
  ])
  // As better-auth writes it.
  expect(open.started().search).toContain('&prompt=select_account+consent')
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'code_verifier=<verifier>',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/roblox',
  ])
  expect(await viewUser(open)).toEqual({
    name: 'Ann',
    email: expect.stringMatching(/^roblox-[0-9a-f]{40}@users\.latchkey\.invalid$/),
    emailVerified: false,
    image: 'https://tr.rbxcdn.com/ann/150/150/AvatarHeadshot/Png',
    accountId: '1234567890',
    issuer: 'https://apis.roblox.com',
    scope: 'openid,profile',
  })
})

test('sends another prompt to Roblox, and no code challenge, when the configuration says so', async () => {
  const open = await roblox({ prompt: 'login', pkce: false })
  const parameters = viewAuthorization(await open.start())
  expect(parameters.filter((one) => /^(prompt|code_)/.test(one))).toEqual(['prompt=login'])
})

test('refreshes the tokens of Roblox', async () => {
  const open = await roblox()
  await open.signIn()
  const later = { ...granted, access_token: 'access-token-2', refresh_token: 'refresh-token-2' }
  const refreshed = await refresh(open, token, later)
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-2' })
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
  ])
})

test('does not link a Roblox user to a user of another provider with the same user name', async () => {
  const open = await roblox()
  const body = { name: 'Owner', email: 'ann@example.com', password: 'correct horse battery' }
  await open.kit.browser().call('POST /sign-up/email', { body })
  await open.kit.app.db.updateTable('user').set({ email: 'exampleuser', emailVerified: true }).execute()
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(await viewUser(open)).toMatchObject({ name: 'Ann', emailVerified: false })
  expect(await open.kit.app.db.selectFrom('user').select('id').execute()).toHaveLength(2)
})

testRejections(roblox, {
  'an error page for the profile': ['unable_to_get_user_info', () => ({ [userInfo]: hostile.errorPage })],
  'tokens of 10 MiB': ['invalid_code', () => ({ [token]: hostile.tenMebibytes })],
})
