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
  viewUser,
} from '../../../../tests/kit/provider-checks.ts'

const tokenURL = 'https://auth.atlassian.com/oauth/token'
const [token, me] = [`POST ${tokenURL}`, 'GET https://api.atlassian.com/me']

const profile = {
  account_type: 'atlassian',
  account_id: '112233aa-bb11-cc22-33dd-445566abcabc',
  email: 'Ann@Example.com',
  email_verified: true,
  name: 'Ann Smith',
  picture: 'https://avatar-management--avatars.us-west-2.prod.public.atl-paas.net/112233aa/128',
  account_status: 'active',
  nickname: 'asmith',
  zoneinfo: 'Australia/Sydney',
  locale: 'en-US',
  extended_profile: { job_title: 'Designer', team_type: 'Software Development' },
}
const granted = { ...tokenResponse, token_type: 'Bearer', scope: 'offline_access read:me' }

const atlassian = () =>
  openProvider('atlassian', {
    options: { scope: ['offline_access'] },
    endpoints: () => ({ [token]: granted, [me]: profile }),
  })

test('signs in with Atlassian, with a token request in JSON', async () => {
  const open = await atlassian()
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://auth.atlassian.com/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=read:me offline_access',
    'redirect_uri=http://localhost:3000/api/auth/callback/atlassian',
    'prompt=consent',
    'audience=api.atlassian.com',
  ])
  const { headers, body } = open.last(tokenURL)
  expect([headers['content-type'], JSON.parse(body)]).toEqual([
    'application/json',
    {
      grant_type: 'authorization_code',
      client_id: 'the-client',
      client_secret: 'the-client-secret',
      code: 'a-code',
      redirect_uri: 'http://localhost:3000/api/auth/callback/atlassian',
    },
  ])
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://avatar-management--avatars.us-west-2.prod.public.atl-paas.net/112233aa/128',
    accountId: '112233aa-bb11-cc22-33dd-445566abcabc',
    issuer: 'https://auth.atlassian.com',
    scope: 'offline_access,read:me',
  })
})

test('refreshes the tokens of Atlassian', async () => {
  const open = await atlassian()
  await open.signIn()
  const later = { ...granted, access_token: 'access-token-2', refresh_token: 'refresh-token-2' }
  const refreshed = await refresh(open, token, later)
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-2' })
  expect(JSON.parse(open.last(tokenURL).body)).toEqual({
    grant_type: 'refresh_token',
    client_id: 'the-client',
    client_secret: 'the-client-secret',
    refresh_token: 'refresh-token-1',
  })
})

test.each([false, undefined])('does not link an email address that Atlassian has not verified: %s', async (email_verified) => {
  const open = await atlassian()
  open.set({ [me]: { ...profile, email_verified } })
  await expectNotLinked(open, 'ann@example.com')
})

testRejections(atlassian, {
  'a user without an email address': ['email_not_found', () => ({ [me]: { ...profile, email: null } })],
  'a deactivated user': ['unable_to_get_user_info', () => ({ [me]: { ...profile, account_status: 'inactive' } })],
  'a profile that never comes': ['unable_to_get_user_info', ({ hangAt }) => hangAt(me)],
  'a list for the profile': ['unable_to_get_user_info', () => ({ [me]: hostile.list })],
  'an HTML page for the tokens': ['invalid_code', () => ({ [token]: hostile.html })],
})
