import { describe, expect, test } from 'vitest'
import {
  expectNotLinked,
  expectRejected,
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

const tokenURL = 'https://gitlab.com/oauth/token'
const [token, user] = [`POST ${tokenURL}`, 'GET https://gitlab.com/api/v4/user']

const profile = {
  id: 1574083,
  username: 'annsmith',
  name: 'Ann Smith',
  state: 'active',
  locked: false,
  avatar_url: 'https://gitlab.com/uploads/-/system/user/avatar/1574083/avatar.png',
  web_url: 'https://gitlab.com/annsmith',
  created_at: '2026-05-23T08:00:58Z',
  email: 'Ann@Example.com',
  public_email: '',
  confirmed_at: '2026-05-23T09:05:22Z',
  identities: [],
  two_factor_enabled: true,
}
const granted = { ...tokenResponse, token_type: 'Bearer', scope: 'read_user', created_at: 1607635748 }

const gitlab = () => openProvider('gitlab', { endpoints: () => ({ [token]: granted, [user]: profile }) })

test('signs in with GitLab', async () => {
  const open = await gitlab()
  expect(outcome(await open.signIn({ body: { loginHint: 'ann@example.com' } }))).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://gitlab.com/oauth/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=read_user',
    'redirect_uri=http://localhost:3000/api/auth/callback/gitlab',
    'login_hint=ann@example.com',
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'code_verifier=<verifier>',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/gitlab',
  ])
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://gitlab.com/uploads/-/system/user/avatar/1574083/avatar.png',
    accountId: '1574083',
    issuer: 'https://gitlab.com',
    scope: 'read_user',
  })
})

describe.each(['https://git.example/gitlab', 'https://git.example/gitlab/', 'https://git.example//gitlab//'])(
  'the GitLab instance %s',
  (issuer) => {
    test('has its own endpoints, for refreshes too', async () => {
      const own = 'POST https://git.example/gitlab/oauth/token'
      const open = await openProvider('gitlab', {
        options: { issuer },
        endpoints: () => ({ [own]: granted, 'GET https://git.example/gitlab/api/v4/user': profile }),
      })
      expect(outcome(await open.signIn())).toBe('302 /dashboard')
      expect(viewAuthorization(open.started())[0]).toBe('https://git.example/gitlab/oauth/authorize')
      expect(await viewUser(open)).toMatchObject({ accountId: '1574083', issuer: 'https://git.example/gitlab' })
      const later = { ...granted, access_token: 'access-token-2', refresh_token: 'refresh-token-2' }
      const refreshed = await refresh(open, own, later)
      expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-2' })
      expect(viewTokenRequest(open, 'https://git.example/gitlab/oauth/token')).toEqual([
        'client_id=the-client',
        'client_secret=the-client-secret',
        'grant_type=refresh_token',
        'refresh_token=refresh-token-1',
      ])
    })
  },
)

test('uses the user name of a GitLab user without a name', async () => {
  const open = await gitlab()
  open.set({ [user]: { ...profile, name: '' } })
  await open.signIn()
  expect(await viewUser(open)).toMatchObject({ name: 'annsmith' })
})

test('does not link an email address that its GitLab user has not confirmed', async () => {
  const open = await gitlab()
  open.set({ [user]: { ...profile, confirmed_at: null } })
  await expectNotLinked(open, 'ann@example.com')
})

test('signs in no GitLab user who was blocked since the last sign-in', async () => {
  const open = await gitlab()
  open.set({ [user]: { ...profile, state: 'blocked' } })
  await expectRejected(open, 'unable_to_get_user_info')
})

testRejections(gitlab, {
  'a deactivated user': ['unable_to_get_user_info', () => ({ [user]: { ...profile, state: 'deactivated' } })],
  'a locked user': ['unable_to_get_user_info', () => ({ [user]: { ...profile, locked: true } })],
  'a user without a state': ['unable_to_get_user_info', () => ({ [user]: { ...profile, state: undefined } })],
  'a user without an email address': ['email_not_found', () => ({ [user]: { ...profile, email: null } })],
  'a sign-in page for the profile': ['unable_to_get_user_info', () => ({ [user]: hostile.html })],
  'tokens that never come': ['invalid_code', ({ hangAt }) => hangAt(token)],
})
