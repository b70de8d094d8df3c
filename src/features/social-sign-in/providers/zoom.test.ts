import { expect, test } from 'vitest'
import {
  expectNotLinked,
  hostile,
  openProvider,
  outcome,
  testRejections,
  tokenResponse,
  viewAuthorization,
  viewTokenRequest,
  viewUser,
} from '../../../../tests/kit/provider-checks.ts'

const tokenURL = 'https://zoom.us/oauth/token'
const [token, me] = [`POST ${tokenURL}`, 'GET https://api.zoom.us/v2/users/me']

const profile = {
  id: 'zJKyaiAyTNC-MWjiWC18KQ',
  first_name: 'Ann',
  last_name: 'Smith',
  display_name: 'Ann Smith',
  email: 'Ann@Example.com',
  type: 2,
  role_name: 'Owner',
  pmi: 5555555555,
  verified: 1,
  pic_url: 'https://us05web.zoom.us/p/v2/ann/photo.jpg',
  account_id: 'gVcjZnYYRLDbb_MfgHuaxg',
  status: 'active',
}
const granted = { ...tokenResponse, scope: 'user:read:user', api_url: 'https://api.zoom.us' }

const zoom = (options = {}) => openProvider('zoom', { options, endpoints: () => ({ [token]: granted, [me]: profile }) })

test('signs in with Zoom, without a scope', async () => {
  const open = await zoom()
  expect(outcome(await open.signIn({ body: { loginHint: 'ann@example.com' } }))).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://zoom.us/oauth/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'redirect_uri=http://localhost:3000/api/auth/callback/zoom',
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'code_verifier=<verifier>',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/zoom',
  ])
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://us05web.zoom.us/p/v2/ann/photo.jpg',
    accountId: 'zJKyaiAyTNC-MWjiWC18KQ',
    issuer: 'https://zoom.us',
    scope: 'user:read:user',
  })
})

test('sends no code challenge to Zoom with `pkce: false`', async () => {
  const open = await zoom({ pkce: false })
  await open.signIn()
  expect(viewAuthorization(open.started()).at(-1)).toBe('redirect_uri=http://localhost:3000/api/auth/callback/zoom')
  expect(open.last(tokenURL).form.has('code_verifier')).toBe(false)
})

test('does not refresh tokens of Zoom', async () => {
  const open = await zoom()
  await open.signIn()
  const { status, body } = await open.browser.call('POST /refresh-token', { body: { providerId: 'zoom' } })
  expect([status, body.code]).toEqual([400, 'PROVIDER_ZOOM_DOES_NOT_SUPPORT_TOKEN_REFRESHING'])
})

test.each([0, undefined])('does not link an email address that Zoom has not verified: %s', async (verified) => {
  const open = await zoom()
  open.set({ [me]: { ...profile, verified } })
  await expectNotLinked(open, 'ann@example.com')
})

testRejections(zoom, {
  'a user without an email address': ['email_not_found', () => ({ [me]: { ...profile, email: undefined } })],
  'a profile without an ID': ['unable_to_get_user_info', () => ({ [me]: { ...profile, id: null } })],
  'a profile of 10 MiB': ['unable_to_get_user_info', () => ({ [me]: hostile.tenMebibytes })],
  'an error page for the tokens': ['invalid_code', () => ({ [token]: hostile.errorPage })],
})
