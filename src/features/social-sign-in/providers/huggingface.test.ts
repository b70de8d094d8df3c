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

const tokenURL = 'https://huggingface.co/oauth/token'
const token = `POST ${tokenURL}`
const userInfo = 'GET https://huggingface.co/oauth/userinfo'

const profile = {
  sub: '62441d1d9fdefb55a0b7d12c',
  name: 'Ann Smith',
  preferred_username: 'ann',
  email_verified: true,
  email: 'ann@example.com',
  picture: 'https://huggingface.co/avatars/ann.svg',
  profile: 'https://huggingface.co/ann',
  website: '',
  isPro: false,
  orgs: [],
}

const huggingface = () =>
  openProvider('huggingface', {
    endpoints: () => ({ [token]: { ...tokenResponse, scope: 'openid profile email' }, [userInfo]: profile }),
  })

test('signs in with Hugging Face', async () => {
  const open = await huggingface()
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://huggingface.co/oauth/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=openid profile email',
    'redirect_uri=http://localhost:3000/api/auth/callback/huggingface',
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'code_verifier=<verifier>',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/huggingface',
  ])
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://huggingface.co/avatars/ann.svg',
    accountId: '62441d1d9fdefb55a0b7d12c',
    issuer: 'https://huggingface.co',
    scope: 'openid,profile,email',
  })
})

test('names users without a name by their username', async () => {
  const open = await huggingface()
  open.set({ [userInfo]: { ...profile, name: '' } })
  await open.signIn()
  expect((await viewUser(open)).name).toBe('ann')
})

test('refreshes the tokens of Hugging Face', async () => {
  const open = await huggingface()
  await open.signIn()
  const refreshed = await refresh(open, token, { ...tokenResponse, access_token: 'access-token-2' })
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2' })
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
  ])
})

test.each([false, null, undefined])('does not link an email address with email_verified: %s', async (email_verified) => {
  const open = await huggingface()
  open.set({ [userInfo]: { ...profile, email_verified } })
  await expectNotLinked(open, 'ann@example.com')
})

testRejections(huggingface, {
  'a user without an email address': ['email_not_found', () => ({ [userInfo]: { ...profile, email: undefined } })],
  'a list for the profile': ['unable_to_get_user_info', () => ({ [userInfo]: hostile.list })],
  'nothing for the profile': ['unable_to_get_user_info', () => ({ [userInfo]: hostile.nothing })],
  'an error page for the profile': ['unable_to_get_user_info', () => ({ [userInfo]: hostile.errorPage })],
  'tokens of 10 MiB': ['invalid_code', () => ({ [token]: hostile.tenMebibytes })],
  'tokens that never come': ['invalid_code', ({ hangAt }) => hangAt(token)],
})
