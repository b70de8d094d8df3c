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
import { respondWith } from '../../../../tests/kit/provider-stand-in.ts'

const tokenURL = 'https://open.tiktokapis.com/v2/oauth/token/'
const userInfoURL = 'https://open.tiktokapis.com/v2/user/info/'
const [token, userInfo] = [`POST ${tokenURL}`, `GET ${userInfoURL}`]

const user = {
  open_id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
  avatar_large_url: 'https://p19-sign.tiktokcdn-us.com/tos-avt-0068/ann~1080x1080.webp',
  display_name: 'Ann Smith',
  username: 'annsmith',
}
const ok = { code: 'ok', message: '', log_id: '20220829194722CBE87ED59D524E727021' }
const granted = {
  ...tokenResponse,
  token_type: 'Bearer',
  scope: 'user.info.basic,user.info.profile',
  open_id: user.open_id,
  refresh_expires_in: 31_536_000,
}

const tiktok = (options = {}) =>
  openProvider('tiktok', {
    options: { clientId: undefined, clientKey: 'the-client-key', ...options },
    endpoints: () => ({ [token]: granted, [userInfo]: { data: { user }, error: ok } }),
  })

test('signs in with TikTok, by a client key, and without its secret in the URL', async () => {
  const open = await tiktok({ scope: ['video.list'] })
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://www.tiktok.com/v2/auth/authorize',
    'scope=user.info.profile,video.list',
    'response_type=code',
    'client_key=the-client-key',
    'redirect_uri=http://localhost:3000/api/auth/callback/tiktok',
    'state=<state>',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_key=the-client-key',
    'client_secret=the-client-secret',
    'code=a-code',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/tiktok',
  ])
  const { headers, url } = open.last(userInfoURL)
  expect(headers.authorization).toBe('Bearer access-token-1')
  expect(url.search).toBe('?fields=open_id,avatar_large_url,display_name,username')
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: expect.stringMatching(/^tiktok-[0-9a-f]{40}@users\.latchkey\.invalid$/),
    emailVerified: false,
    image: 'https://p19-sign.tiktokcdn-us.com/tos-avt-0068/ann~1080x1080.webp',
    accountId: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
    issuer: 'https://open.tiktokapis.com',
    scope: 'user.info.basic,user.info.profile',
  })
})

test('uses the email address that TikTok sends to selected apps, and the user name without a display name', async () => {
  const open = await tiktok()
  open.set({ [userInfo]: { data: { user: { ...user, display_name: '', email: 'ann@example.com' } }, error: ok } })
  await open.signIn()
  expect(await viewUser(open)).toMatchObject({ name: 'annsmith', email: 'ann@example.com', emailVerified: true })
})

test('sends the client ID, and the client key too, to a provider that needs no key', async () => {
  const open = await openProvider('kick', { options: { clientKey: 'the-client-key' }, endpoints: () => ({}) })
  const url = await open.start()
  expect([url.searchParams.get('client_id'), url.searchParams.get('client_key')]).toEqual(['the-client', null])
  await open.signIn()
  expect(viewTokenRequest(open, 'https://id.kick.com/oauth/token').slice(0, 3)).toEqual([
    'client_id=the-client',
    'client_key=the-client-key',
    'client_secret=the-client-secret',
  ])
})

test('requires a client key and a client secret for TikTok, and no client ID', async () => {
  const open = openProvider('tiktok', {
    options: { clientId: undefined, clientSecret: undefined },
    endpoints: () => ({}),
  })
  await expect(open).rejects.toThrow(/socialProviders\.tiktok\.clientKey[\s\S]*socialProviders\.tiktok\.clientSecret/)
  await expect(open).rejects.not.toThrow(/clientId/)
})

test('refreshes the tokens of TikTok', async () => {
  const open = await tiktok()
  await open.signIn()
  const later = { ...granted, access_token: 'access-token-2', refresh_token: 'refresh-token-2' }
  const refreshed = await refresh(open, token, later)
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-2' })
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_key=the-client-key',
    'client_secret=the-client-secret',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
  ])
})

test('does not link a TikTok user by a user name that is an email address', async () => {
  const open = await tiktok()
  const body = { name: 'Owner', email: 'ann@example.com', password: 'correct horse battery' }
  await open.kit.browser().call('POST /sign-up/email', { body })
  open.set({ [userInfo]: { data: { user: { ...user, username: 'ann@example.com' } }, error: ok } })
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect((await viewUser(open)).email).toMatch(/^tiktok-/)
})

test.each([
  ['status 401', 401],
  ['status 200', 200],
])('signs in a user who has not granted the scope of the user name, which TikTok says with %s', async (_, status) => {
  const open = await tiktok()
  const error = JSON.stringify({ data: {}, error: { ...ok, code: 'scope_not_authorized' } })
  open.set({
    [userInfo]: (request, response) => {
      if (request.url.search.includes('username')) return respondWith(status, error)(request, response)
      return { data: { user: { ...user, username: undefined } }, error: ok }
    },
  })
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(await viewUser(open)).toMatchObject({ name: 'Ann Smith', accountId: user.open_id })
})

testRejections(tiktok, {
  'an error together with a user': [
    'unable_to_get_user_info',
    () => ({ [userInfo]: { data: { user }, error: { ...ok, code: 'scope_not_authorized' } } }),
  ],
  'an empty user': ['unable_to_get_user_info', () => ({ [userInfo]: { data: { user: {} }, error: ok } })],
  'a profile of 10 MiB': ['unable_to_get_user_info', () => ({ [userInfo]: hostile.tenMebibytes })],
  'an error for the code, with status 200': ['invalid_code', () => ({ [token]: hostile.errorWithStatus200 })],
})
