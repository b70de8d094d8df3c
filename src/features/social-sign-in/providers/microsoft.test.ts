import { expect, test } from 'vitest'
import {
  expectNotLinked,
  expectRejected,
  hostile,
  type OpenProvider,
  openProvider,
  outcome,
  refresh,
  testHostileIdTokens,
  testRejections,
  tokenResponse,
  viewAuthorization,
  viewTokenRequest,
  viewUser,
} from '../../../../tests/kit/provider-checks.ts'
import { flow, respondWith } from '../../../../tests/kit/provider-stand-in.ts'

const login = 'https://login.microsoftonline.com'
const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const personal = '9188040d-6c67-4c5b-b112-36a304b66dad'
const photo = 'GET https://graph.microsoft.com/v1.0/me/photos/48x48/$value'

const claims = {
  ver: '2.0',
  iss: `${login}/${tenant}/v2.0`,
  tid: tenant,
  aud: 'the-client',
  sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
  oid: '00000000-0000-0000-66f3-3332eca7ea81',
  name: 'Ann Smith',
  preferred_username: 'ann@example.com',
  email: 'ann@example.com',
  uti: 'fqiBqXLPj0eQa82S-IYFAA',
}
const ofTenant = (tid: string) => ({ tid, iss: `${login}/${tid}/v2.0` })

const granted = 'openid profile email User.Read'
const microsoft = (options = {}, { path = 'common', changes = {} } = {}) =>
  openProvider('microsoft', {
    options,
    endpoints: ({ idToken, key }) => ({
      [`POST ${login}/${path}/oauth2/v2.0/token`]: async () => ({
        ...{ ...tokenResponse, token_type: 'Bearer', ext_expires_in: 3600, scope: granted },
        id_token: await idToken({ ...claims, ...changes }),
      }),
      [`GET ${login}/${path}/discovery/v2.0/keys`]: key.jwks,
      [photo]: respondWith(200, 'a photo', 'image/jpeg'),
    }),
  })

test('signs in with Microsoft', async () => {
  const open = await microsoft()
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toEqual([
    'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    'response_type=code',
    'client_id=the-client',
    'state=<state>',
    'scope=openid profile email User.Read offline_access',
    'redirect_uri=http://localhost:3000/api/auth/callback/microsoft',
    'code_challenge_method=S256',
    'code_challenge=<code_challenge>',
  ])
  expect(viewTokenRequest(open, `${login}/common/oauth2/v2.0/token`)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'code=a-code',
    'code_verifier=<verifier>',
    'grant_type=authorization_code',
    'redirect_uri=http://localhost:3000/api/auth/callback/microsoft',
  ])
  expect(await viewUser(open)).toEqual({
    name: 'Ann Smith',
    email: 'ann@example.com',
    emailVerified: false,
    image: `data:image/jpeg;base64,${Buffer.from('a photo').toString('base64')}`,
    accountId: claims.sub,
    issuer: claims.iss,
    scope: granted.replaceAll(' ', ','),
  })
})

test('uses the endpoints of the configured tenant', async () => {
  const open = await microsoft({ tenantId: tenant, prompt: 'select_account' }, { path: tenant })
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(viewAuthorization(open.started())).toContain('prompt=select_account')
  expect(open.started().pathname).toBe(`/${tenant}/oauth2/v2.0/authorize`)
})

test('refreshes the tokens of Microsoft with all scopes', async () => {
  const open = await microsoft({ scope: ['Mail.Read'] })
  await open.signIn()
  const tokenURL = `${login}/common/oauth2/v2.0/token`
  const later = { ...tokenResponse, access_token: 'access-token-2', refresh_token: 'refresh-token-2' }
  const refreshed = await refresh(open, `POST ${tokenURL}`, later)
  expect(refreshed.body).toMatchObject({ accessToken: 'access-token-2', refreshToken: 'refresh-token-2' })
  expect(viewTokenRequest(open, tokenURL)).toEqual([
    'client_id=the-client',
    'client_secret=the-client-secret',
    'grant_type=refresh_token',
    'refresh_token=refresh-token-1',
    'scope=openid profile email User.Read offline_access Mail.Read',
  ])
})

test.each([
  ['common', ofTenant(personal)],
  ['consumers', ofTenant(personal)],
  ['common', { xms_edov: true }],
  ['common', { xms_edov: '1' }],
  ['organizations', { xms_edov: 1 }],
  [tenant, {}],
  ['example.onmicrosoft.com', {}],
])('counts an email address as verified: tenantId %s, %j', async (tenantId, changes) => {
  const open = await microsoft({ tenantId }, { path: tenantId, changes })
  await open.signIn()
  expect(await viewUser(open)).toMatchObject({ email: 'ann@example.com', emailVerified: true })
})

test.each([
  ['common', {}],
  ['organizations', {}],
  ['common', { xms_edov: false }],
  ['common', { xms_edov: '0' }],
  ['common', { email_verified: true }],
])('does not link an email address of any tenant: tenantId %s, %j', async (tenantId, changes) => {
  await expectNotLinked(await microsoft({ tenantId }, { path: tenantId, changes }), 'ann@example.com')
})

test.each([
  [tenant, ofTenant('11111111-2222-3333-4444-555555555555')],
  [tenant, ofTenant(personal)],
  ['consumers', {}],
  ['organizations', ofTenant(personal)],
  ['common', { tid: personal }],
  ['common', { tid: undefined }],
  ['common', { tid: `${tenant}/v2.0?` }],
])('rejects users of other tenants: tenantId %s, %j', async (tenantId, changes) => {
  await expectRejected(await microsoft({ tenantId }, { path: tenantId, changes }), 'unable_to_get_user_info')
})

test('does not sign in to the account of a user with the same subject in another tenant', async () => {
  const open = await microsoft()
  await open.signIn()
  const other = open.kit.browser()
  const changes = ofTenant('11111111-2222-3333-4444-555555555555')
  open.set({
    [`POST ${login}/common/oauth2/v2.0/token`]: async () => ({
      ...tokenResponse,
      id_token: await open.idToken({ ...claims, ...changes }),
    }),
  })
  expect(outcome(await flow(other, 'microsoft'))).toBe('302 account_not_linked')
})

test('accepts another cloud by its endpoints', async () => {
  const us = 'https://login.microsoftonline.us'
  const options = {
    authorizationEndpoint: `${us}/common/oauth2/v2.0/authorize`,
    tokenEndpoint: `${us}/common/oauth2/v2.0/token`,
    jwksUri: `${us}/common/discovery/v2.0/keys`,
    issuer: `${us}/{tid}/v2.0`,
    userInfoEndpoint: 'https://graph.microsoft.us/v1.0/me',
  }
  const open = await openProvider('microsoft', {
    options,
    endpoints: ({ idToken, key }) => ({
      [`POST ${options.tokenEndpoint}`]: async () => ({
        ...tokenResponse,
        id_token: await idToken({ ...claims, iss: `${us}/${tenant}/v2.0` }),
      }),
      [`GET ${options.jwksUri}`]: key.jwks,
    }),
  })
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(await viewUser(open)).toMatchObject({ issuer: `${us}/${tenant}/v2.0`, image: null })
})

test('fetches the photo in the configured size', async () => {
  const open = await microsoft({ profilePhotoSize: 96 })
  open.set({ 'GET https://graph.microsoft.com/v1.0/me/photos/96x96/$value': respondWith(200, 'another', 'image/jpeg') })
  await open.signIn()
  expect((await viewUser(open)).image).toBe(`data:image/jpeg;base64,${Buffer.from('another').toString('base64')}`)
})

test.each([
  ['there is none', () => ({ [photo]: respondWith(404, '{"error":{"code":"ImageNotFound"}}') })],
  ['it is a page', () => ({ [photo]: respondWith(200, '<html></html>', 'text/html') })],
  ['it is too large', () => ({ [photo]: hostile.tenMebibytes })],
  ['it never comes', ({ hangAt }: Pick<OpenProvider, 'hangAt'>) => hangAt(photo)],
])('signs in with the picture of the ID token when the photo cannot be fetched: %s', async (_, prepare) => {
  const open = await microsoft({}, { changes: { picture: 'https://img.example/ann.jpg' } })
  open.set(prepare(open))
  await open.signIn()
  expect((await viewUser(open)).image).toBe('https://img.example/ann.jpg')
})

test('fetches no photo when that is disabled', async () => {
  const open = await microsoft({ disableProfilePhoto: true })
  await open.signIn()
  expect(open.count('https://graph.microsoft.com/v1.0/me/photos/48x48/$value')).toBe(0)
  expect((await viewUser(open)).image).toBeNull()
})

testHostileIdTokens(microsoft, `POST ${login}/common/oauth2/v2.0/token`, claims)

test.each([
  ['an email address for a name', 'Ann@Example.com', 'ann@example.com'],
  ['no email address for a name', 'ann', expect.stringMatching(/^microsoft-[0-9a-f]{40}@users\.latchkey\.invalid$/)],
])('signs up a user of Microsoft with %s, not verified', async (_, preferred_username, email) => {
  // Its only tenant is trusted to verify email addresses, not names.
  const open = await microsoft({ tenantId: tenant }, { path: tenant, changes: { email: undefined, preferred_username } })
  expect(outcome(await open.signIn())).toBe('302 /dashboard')
  expect(await viewUser(open)).toMatchObject({ email, emailVerified: false })
})

testRejections(() => microsoft(), {
  'tokens without an ID token': [
    'unable_to_get_user_info',
    () => ({ [`POST ${login}/common/oauth2/v2.0/token`]: tokenResponse }),
  ],
  'keys of 10 MiB': ['unable_to_get_user_info', () => ({ [`GET ${login}/common/discovery/v2.0/keys`]: hostile.tenMebibytes })],
  'an error with status 200': [
    'invalid_code',
    () => ({ [`POST ${login}/common/oauth2/v2.0/token`]: hostile.errorWithStatus200 }),
  ],
})
