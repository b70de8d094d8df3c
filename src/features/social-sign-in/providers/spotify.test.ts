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

const token = 'POST https://accounts.spotify.com/api/token'
const me = 'GET https://api.spotify.com/v1/me'

const profile = {
  country: 'SE',
  display_name: 'Ann Smith',
  email: 'Ann@Example.com',
  explicit_content: { filter_enabled: false, filter_locked: false },
  external_urls: { spotify: 'https://open.spotify.com/user/annsmith' },
  followers: { href: null, total: 3 },
  href: 'https://api.spotify.com/v1/users/annsmith',
  id: 'annsmith',
  images: [
    { url: 'https://i.scdn.co/image/large', height: 300, width: 300 },
    { url: 'https://i.scdn.co/image/small', height: 64, width: 64 },
  ],
  product: 'premium',
  type: 'user',
  uri: 'spotify:user:annsmith',
}

const spotify = () =>
  openProvider('spotify', {
    endpoints: () => ({ [token]: { ...tokenResponse, token_type: 'Bearer', scope: 'user-read-email' }, [me]: profile }),
  })

test('signs in with Spotify', async () => {
  const open = await spotify()
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://accounts.spotify.com/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=user-read-email',
    'redirect_uri=http://localhost:3000/api/auth/callback/spotify',
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
  ])
  expect(viewTokenRequest(open, 'https://accounts.spotify.com/api/token')).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'code_verifier=<verifier>',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/spotify',
  ])
  expect(open.last('https://api.spotify.com/v1/me').headers.authorization).toBe('Bearer access-token-1')
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: false,
    image: 'https://i.scdn.co/image/large',
    accountId: 'annsmith',
    issuer: 'https://accounts.spotify.com',
    scope: 'user-read-email',
  })
})

test('refreshes the tokens of Spotify, which sends no new refresh token', async () => {
  const open = await spotify()
  await open.signIn()
  const { refresh_token: _, ...later } = { ...tokenResponse, access_token: 'access-token-2' }
  const refreshed = await refresh(open, token, later)
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-1' })
  expect(viewTokenRequest(open, 'https://accounts.spotify.com/api/token')).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
  ])
})

test('does not link an email address that Spotify has not verified', async () => {
  await expectNotLinked(await spotify(), 'ann@example.com')
})

testRejections(spotify, {
  'a user without an email address': ['email_not_found', () => ({ [me]: { ...profile, email: null } })],
  'a profile of 10 MiB': ['unable_to_get_user_info', () => ({ [me]: hostile.tenMebibytes })],
  'a profile that never comes': ['unable_to_get_user_info', ({ hangAt }) => hangAt(me)],
  'an HTML page for the tokens': ['invalid_code', () => ({ [token]: hostile.html })],
})
