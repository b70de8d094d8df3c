import { expect, test } from 'vitest'
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

const tokenURL = 'https://discord.com/api/oauth2/token'
const token = `POST ${tokenURL}`
const me = 'GET https://discord.com/api/users/@me'

const profile = {
  id: '80351110224678912',
  username: 'ann',
  discriminator: '0',
  global_name: 'Ann Smith',
  avatar: '8342729096ea3675442027381ff50dfe',
  accent_color: null,
  avatar_decoration_data: null,
  banner: null,
  flags: 64,
  locale: 'en-US',
  mfa_enabled: true,
  premium_type: 0,
  public_flags: 64,
  email: 'ann@example.com',
  verified: true,
}

const discord = (options = {}) =>
  openProvider('discord', {
    options,
    endpoints: () => ({
      [token]: { ...tokenResponse, token_type: 'Bearer', expires_in: 604800, scope: 'identify email' },
      [me]: profile,
    }),
  })

test('requests the scopes of the call before those of the configuration', async () => {
  const open = await discord({ scope: ['guilds'] })
  await open.signIn({ body: { scopes: ['connections'] } })
  expect(open.started().searchParams.get('scope')).toBe('identify email connections guilds')
})

test('signs in with Discord', async () => {
  const open = await discord()
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://discord.com/api/oauth2/authorize',
    'scope=identify email',
    'response_type=code',
    'client_id=the-client',
    'redirect_uri=http://localhost:3000/api/auth/callback/discord',
    'state=<state>',
    'prompt=none',
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
  ])
  expect(open.started().search).toMatch(/^\?scope=identify\+email&/)
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'code_verifier=<verifier>',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/discord',
  ])
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: true,
    image: 'https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png',
    accountId: '80351110224678912',
    issuer: 'https://discord.com',
    scope: 'identify,email',
  })
})

test('sends other options, and no challenge when PKCE is disabled', async () => {
  const open = await discord({ prompt: 'consent', pkce: false, scope: ['guilds'], disableDefaultScope: true })
  await open.signIn()
  expect(viewAuthorization(open.started()).slice(1)).toEqual([
    'scope=guilds',
    'response_type=code',
    'client_id=the-client',
    'redirect_uri=http://localhost:3000/api/auth/callback/discord',
    'state=<state>',
    'prompt=consent',
  ])
  expect(viewTokenRequest(open, tokenURL).filter((field) => field.startsWith('code_verifier'))).toEqual([])
})

test('refreshes the tokens of Discord', async () => {
  const open = await discord()
  await open.signIn()
  const later = { ...tokenResponse, access_token: 'access-token-2', refresh_token: 'refresh-token-2' }
  const refreshed = await refresh(open, token, later)
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-2' })
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
  ])
})

test.each([
  [{ avatar: 'a_1269e74af4df7417b13759eae50c83dc' }, 'avatars/80351110224678912/a_1269e74af4df7417b13759eae50c83dc.gif'],
  [{ avatar: null }, 'embed/avatars/5.png'],
  [{ avatar: null, discriminator: '1337' }, 'embed/avatars/2.png'],
])('finds the picture of a user with %j', async (changes, path) => {
  const open = await discord()
  open.set({ [me]: { ...profile, ...changes } })
  await open.signIn()
  expect((await viewUser(open)).image).toBe(`https://cdn.discordapp.com/${path}`)
})

test.each([
  [{ global_name: null }, 'ann'],
  [{ global_name: null, username: undefined }, 'ann@example.com'],
])('names a user with %j', async (changes, name) => {
  const open = await discord()
  open.set({ [me]: { ...profile, ...changes } })
  await open.signIn()
  expect((await viewUser(open)).name).toBe(name)
})

test('does not link an email address that Discord has not verified', async () => {
  const open = await discord()
  open.set({ [me]: { ...profile, verified: false } })
  await expectNotLinked(open, 'ann@example.com')
})

test('rejects a callback that names another issuer', async () => {
  const open = await discord()
  await expectRejected(open, 'invalid_code', { callback: { iss: 'https://issuer.test' } })
  expect(open.count(tokenURL)).toBe(0)
  expect(outcome(await open.signIn({ callback: { iss: 'https://discord.com' } }))).toBe('302 /dashboard')
})

testRejections(discord, {
  'a user without an email address': ['email_not_found', () => ({ [me]: { ...profile, email: null } })],
  'an ID that is not a number': ['unable_to_get_user_info', () => ({ [me]: { ...profile, id: '../1' } })],
  'an HTML page for the profile': ['unable_to_get_user_info', () => ({ [me]: hostile.html })],
  'an error with status 200': ['invalid_code', () => ({ [token]: hostile.errorWithStatus200 })],
})
