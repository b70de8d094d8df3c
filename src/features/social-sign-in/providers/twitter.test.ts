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
import { type Endpoint, respondWith } from '../../../../tests/kit/provider-stand-in.ts'

const tokenURL = 'https://api.x.com/2/oauth2/token'
const token = `POST ${tokenURL}`
const meURL = 'https://api.x.com/2/users/me'
const me = `GET ${meURL}`

const user = { id: '2244994945', name: 'Ann Smith', username: 'annsmith' }

type Responses = Readonly<Record<string, Endpoint>>
const profileResponse = () => ({ data: { ...user, profile_image_url: 'https://pbs.twimg.com/ann_normal.jpg' } })
const emailResponse = () => ({ data: { ...user, confirmed_email: 'ann@example.com' } })

/** By `user.fields`. */
const endpointOf =
  (responses: Responses = {}): Endpoint =>
  (request, response) => {
    const all: Responses = { profile_image_url: profileResponse, confirmed_email: emailResponse, ...responses }
    return all[request.url.searchParams.get('user.fields') ?? '']?.(request, response)
  }

const clientSecret = 'the-client-secret_with.all~of+it'

const twitter = () =>
  openProvider('twitter', {
    options: { clientSecret },
    endpoints: () => ({
      [token]: {
        ...tokenResponse,
        expires_in: 7200,
        scope: 'users.email users.read tweet.read offline.access',
      },
      [me]: endpointOf(),
    }),
  })

test('signs in with X', async () => {
  const open = await twitter()
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://x.com/i/oauth2/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=users.read tweet.read offline.access users.email',
    'redirect_uri=http://localhost:3000/api/auth/callback/twitter',
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
  ])
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'Basic the-client:the-client-secret_with.all~of%2Bit',
    'code=a-code',
    'code_verifier=<verifier>',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/twitter',
  ])
  expect(open.count(meURL)).toBe(2)
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://pbs.twimg.com/ann_normal.jpg',
    accountId: '2244994945',
    issuer: 'https://api.x.com',
    scope: 'users.email,users.read,tweet.read,offline.access',
  })
})

test('authenticates with Basic for a refresh too, and stores the new refresh token', async () => {
  const open = await twitter()
  await open.signIn()
  const later = { ...tokenResponse, access_token: 'access-token-2', refresh_token: 'refresh-token-2' }
  const refreshed = await refresh(open, token, later)
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-2' })
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'Basic the-client:the-client-secret_with.all~of%2Bit',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
  ])
})

test.each([
  ['forbidden', respondWith(403, '{"title":"Forbidden","status":403}')],
  ['absent', () => ({ data: user })],
  ['missing with its data', () => ({ errors: [{ title: 'Field Authorization Error' }] })],
  ['of another type', () => ({ data: { ...user, confirmed_email: ['ann@example.com'] } })],
  ['not available', hostile.errorPage],
  ['a page', hostile.html],
])('gives a user a placeholder when the email address is %s', async (_, response) => {
  const open = await twitter()
  open.set({ [me]: endpointOf({ confirmed_email: response }) })
  await open.signIn()
  const email = expect.stringMatching(/^twitter-[0-9a-f]{40}@users\.latchkey\.invalid$/)
  expect(await viewUser(open)).toMatchObject({ name: 'Ann Smith', email, emailVerified: false })
})

test('links only an email address that X has confirmed', async () => {
  const open = await twitter()
  const response = () => ({ data: { ...user, username: 'ann@example.com' } })
  open.set({ [me]: endpointOf({ profile_image_url: response, confirmed_email: () => ({ data: user }) }) })
  const body = { name: 'Owner', email: 'ann@example.com', password: 'correct horse battery' }
  await open.kit.browser().call('POST /sign-up/email', { body })
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect((await viewUser(open)).email).toMatch(/^twitter-/)
})

testRejections(twitter, {
  'errors in place of the profile': ['unable_to_get_user_info', () => ({ [me]: { errors: [{ title: 'Not Found Error' }] } })],
  'an HTML page for the tokens': ['invalid_code', () => ({ [token]: hostile.html })],
})
