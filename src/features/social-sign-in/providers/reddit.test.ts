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

const tokenURL = 'https://www.reddit.com/api/v1/access_token'
const meURL = 'https://oauth.reddit.com/api/v1/me'
const [token, me] = [`POST ${tokenURL}`, `GET ${meURL}`]

const profile = {
  id: '1w72',
  name: 'ann_smith',
  oauth_client_id: 'the-client',
  icon_img: 'https://styles.redditmedia.com/t5_ann/styles/profileIcon.png?width=256&amp;height=256&amp;s=a1b2',
  has_verified_email: true,
  created_utc: 1134104400.0,
  is_suspended: false,
  verified: true,
  total_karma: 7,
}
const granted = { ...tokenResponse, scope: 'identity' }

const reddit = (options = {}) => openProvider('reddit', { options, endpoints: () => ({ [token]: granted, [me]: profile }) })

test('signs in with Reddit, with client credentials in a header, and with the name of this product', async () => {
  const open = await reddit()
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://www.reddit.com/api/v1/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=identity',
    'redirect_uri=http://localhost:3000/api/auth/callback/reddit',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'Basic the-client:the-client-secret',
    'code=a-code',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/reddit',
  ])
  // Reddit limits the requests of unnamed clients and of libraries.
  expect([open.last(tokenURL), open.last(meURL)].map(({ headers }) => headers['user-agent'])).toEqual(['latchkey', 'latchkey'])
  expect(await viewUser(open)).toEqual({
    name: 'ann_smith',
    email: expect.stringMatching(/^reddit-[0-9a-f]{40}@users\.latchkey\.invalid$/),
    emailVerified: false,
    image: 'https://styles.redditmedia.com/t5_ann/styles/profileIcon.png',
    accountId: '1w72',
    issuer: 'https://www.reddit.com',
    scope: 'identity',
  })
})

test('requests a refresh token of Reddit, and uses it', async () => {
  const open = await reddit({ duration: 'permanent' })
  await open.signIn()
  expect(viewAuthorization(open.started()).at(-1)).toBe('duration=permanent')
  const refreshed = await refresh(open, token, { ...granted, access_token: 'access-token-2' })
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2' })
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'Basic the-client:the-client-secret',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
  ])
})

test('encodes client credentials of reserved characters', async () => {
  const open = await reddit({ clientId: 'p-jc_o.L', clientSecret: 'a:b+c%d e' })
  await open.signIn()
  // RFC 6749 §2.3.1; Reddit and others do not decode, so that the characters of their own credentials must stay as they are.
  expect(viewTokenRequest(open, tokenURL)[0]).toBe('Basic p-jc_o.L:a%3Ab%2Bc%25d+e')
})

test('signs up several Reddit users, each with a placeholder of their own, and signs them in again', async () => {
  const open = await reddit()
  const users = () => open.kit.app.db.selectFrom('user').select(['id', 'email']).orderBy('name').execute()
  const bob = { [me]: { ...profile, id: '2x83', name: 'bob' } }
  for (const endpoints of [{}, bob]) {
    open.set(endpoints)
    expect(outcome(await open.signIn())).toBe('302 /dashboard')
  }
  const first = await users()
  expect(new Set(first.map(({ email }) => email)).size).toBe(2)
  for (const endpoints of [bob, { [me]: profile }]) {
    open.set(endpoints)
    expect(outcome(await open.signIn())).toBe('302 /dashboard')
  }
  expect(await users()).toEqual(first)
})

test('signs up several Reddit users with an email address from `mapProfileToUser`', async () => {
  const open = await reddit({ mapProfileToUser: ({ name }: { name: string }) => ({ email: `${name}@reddit.invalid` }) })
  await open.signIn()
  open.set({ [me]: { ...profile, id: '2x83', name: 'bob' } })
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  const users = await open.kit.app.db.selectFrom('user').select('email').orderBy('email').execute()
  expect(users).toEqual([{ email: 'ann_smith@reddit.invalid' }, { email: 'bob@reddit.invalid' }])
})

test('does not link an email address that Reddit has not verified', async () => {
  const open = await reddit({ mapProfileToUser: () => ({ email: 'ann@example.com' }) })
  open.set({ [me]: { ...profile, has_verified_email: false } })
  await expectNotLinked(open, 'ann@example.com')
})

testRejections(reddit, {
  'an HTML page for the profile': ['unable_to_get_user_info', () => ({ [me]: hostile.html })],
  'a profile without an ID': ['unable_to_get_user_info', () => ({ [me]: { ...profile, id: '' } })],
  'a profile that never comes': ['unable_to_get_user_info', ({ hangAt }) => hangAt(me)],
  'an error for the code, with status 200': ['invalid_code', () => ({ [token]: { error: 'invalid_grant' } })],
})
