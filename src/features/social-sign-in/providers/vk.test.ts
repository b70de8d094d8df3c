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

const tokenURL = 'https://id.vk.com/oauth2/auth'
const userInfoURL = 'https://id.vk.com/oauth2/user_info'
const [token, userInfo] = [`POST ${tokenURL}`, `POST ${userInfoURL}`]

const user = {
  user_id: '1234567890',
  first_name: 'Ann',
  last_name: 'Smith',
  phone: '79991234567',
  avatar: 'https://pp.userapi.com/60tZWMo4SmwcploUVl9XEt8ufnTTvDUmQ6Bj1g/mmv1pcj63C4.png',
  email: 'Ann@Example.com',
  sex: 1,
  verified: false,
  birthday: '01.01.2000',
}
const granted = { ...tokenResponse, token_type: 'Bearer', scope: 'email phone', user_id: 1234567890, state: 'x' }

const vk = (options = {}) => openProvider('vk', { options, endpoints: () => ({ [token]: granted, [userInfo]: { user } }) })
const callback = { device_id: 'the-device', type: 'code_v2' }

test('signs in with VK, with the device of the callback, and a profile by POST', async () => {
  const open = await vk()
  expect(outcome(await open.signIn({ callback }))).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://id.vk.com/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=email phone',
    'redirect_uri=http://localhost:3000/api/auth/callback/vk',
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'code_verifier=<verifier>',
    'device_id=the-device',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/vk',
  ])
  // One of the two ways to send a token (RFC 6750 §2).
  expect(open.last(userInfoURL).headers.authorization).toBeUndefined()
  expect([...open.last(userInfoURL).form]).toEqual([
    ['access_token', 'access-token-1'],
    ['client_id', 'the-client'],
  ])
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://pp.userapi.com/60tZWMo4SmwcploUVl9XEt8ufnTTvDUmQ6Bj1g/mmv1pcj63C4.png',
    accountId: '1234567890',
    issuer: 'https://id.vk.com',
    scope: 'email,phone',
  })
})

test.each([
  [0, 'lang_id=0'],
  [3, 'lang_id=3'],
  [82, 'lang_id=82'],
])('requests the pages of VK in the language %i', async (lang_id, parameter) => {
  const open = await vk({ lang_id, scheme: 'dark' })
  expect(viewAuthorization(await open.start()).slice(-2)).toEqual([parameter, 'scheme=dark'])
})

test.each([{ lang_id: 2 }, { lang_id: '3' }, { scheme: 'blue' }])('rejects the VK options %j', async (options) => {
  await expect(vk(options)).rejects.toThrow(Object.keys(options)[0])
})

test('refreshes the tokens of VK', async () => {
  const open = await vk()
  await open.signIn({ callback })
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

testRejections(vk, {
  'a user without an email address': ['unable_to_get_user_info', () => ({ [userInfo]: { user: { ...user, email: '' } } })],
  'an error for the profile, with status 200': [
    'unable_to_get_user_info',
    () => ({ [userInfo]: { error: 'invalid_token', error_description: 'access_token is missing or invalid' } }),
  ],
  'a profile that never comes': ['unable_to_get_user_info', ({ hangAt }) => hangAt(userInfo)],
  'an HTML page for the profile': ['unable_to_get_user_info', () => ({ [userInfo]: hostile.html })],
  'an error for the code, with status 200': ['invalid_code', () => ({ [token]: hostile.errorWithStatus200 })],
})
