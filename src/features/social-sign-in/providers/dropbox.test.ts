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

const tokenURL = 'https://api.dropboxapi.com/oauth2/token'
const accountURL = 'https://api.dropboxapi.com/2/users/get_current_account'
const [token, account] = [`POST ${tokenURL}`, `POST ${accountURL}`]

const profile = {
  account_id: 'dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc',
  name: { given_name: 'Ann', surname: 'Smith', familiar_name: 'Ann', display_name: 'Ann Smith', abbreviated_name: 'AS' },
  email: 'Ann@Example.com',
  email_verified: true,
  disabled: false,
  locale: 'en',
  referral_link: 'https://db.tt/ZITNuhtI',
  is_paired: false,
  account_type: { '.tag': 'basic' },
  root_info: { '.tag': 'user', root_namespace_id: '3235641', home_namespace_id: '3235641' },
  country: 'SE',
  profile_photo_url: 'https://dl-web.dropbox.com/account_photo/get/ann?size=128x128',
}
const granted = { ...tokenResponse, scope: 'account_info.read', uid: '3235641', account_id: profile.account_id }

const dropbox = (options = {}) =>
  openProvider('dropbox', { options, endpoints: () => ({ [token]: granted, [account]: profile }) })

test('signs in with Dropbox, whose profile is the response to a POST without a body', async () => {
  const open = await dropbox()
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://www.dropbox.com/oauth2/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=account_info.read',
    'redirect_uri=http://localhost:3000/api/auth/callback/dropbox',
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'code_verifier=<verifier>',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/dropbox',
  ])
  const { headers, body } = open.last(accountURL)
  expect([headers.authorization, headers['content-type'], body]).toEqual(['Bearer access-token-1', undefined, ''])
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://dl-web.dropbox.com/account_photo/get/ann?size=128x128',
    accountId: 'dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc',
    issuer: 'https://api.dropboxapi.com',
    scope: 'account_info.read',
  })
})

test('requests a refresh token of Dropbox, and uses it', async () => {
  const open = await dropbox({ accessType: 'offline' })
  await open.signIn()
  expect(viewAuthorization(open.started()).at(-1)).toBe('token_access_type=offline')
  const { refresh_token: _, ...later } = { ...granted, access_token: 'access-token-2' }
  const refreshed = await refresh(open, 'POST https://api.dropbox.com/oauth2/token', later)
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-1' })
  expect(viewTokenRequest(open, 'https://api.dropbox.com/oauth2/token')).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
  ])
})

test.each([false, undefined])('does not link an email address that Dropbox has not verified: %s', async (email_verified) => {
  const open = await dropbox()
  open.set({ [account]: { ...profile, email_verified } })
  await expectNotLinked(open, 'ann@example.com')
})

testRejections(dropbox, {
  'a user without an email address': ['email_not_found', () => ({ [account]: { ...profile, email: null } })],
  'a profile of 10 MiB': ['unable_to_get_user_info', () => ({ [account]: hostile.tenMebibytes })],
  'an HTML page for the profile': ['unable_to_get_user_info', () => ({ [account]: hostile.html })],
  'an error for the code': ['invalid_code', () => ({ [token]: hostile.errorWithStatus200 })],
})
