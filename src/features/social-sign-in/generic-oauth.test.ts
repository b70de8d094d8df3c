/** Providers of `genericOAuth`: each option, and user info of all kinds (contract 03 §8). */
import { describe, expect, test } from 'vitest'
import { featureList } from '../../../src/features/index.ts'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { type Endpoints, respondWith, type StandIn, signingKey, standIn } from '../../../tests/kit/provider-stand-in.ts'
import { parseConfig } from '../../project/config/parse-config.ts'

const token = { access_token: 'access-1', token_type: 'Bearer', expires_in: 3600 }
const profile = { sub: '42', email: 'ann@example.com', email_verified: true, name: 'Ann', picture: 'https://img.example/a.png' }

const documentOf = ({ origin }: StandIn, more: object = {}) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  userinfo_endpoint: `${origin}/userinfo`,
  jwks_uri: `${origin}/keys`,
  ...more,
})
const discovery = '/.well-known/openid-configuration'

type Settings = Readonly<Record<string, unknown>>

/** A provider with these settings; by discovery, or by its three URLs. */
async function open(
  settings: Settings = {},
  { by = 'URLs' as 'URLs' | 'discovery', endpoints = {} as Endpoints, more = {} } = {},
) {
  const provider = await standIn({ 'POST /token': token, 'GET /userinfo': profile, ...endpoints })
  const { origin } = provider
  if (by === 'discovery') provider.set({ [`GET ${discovery}`]: documentOf(provider), ...endpoints })
  const urls =
    by === 'discovery'
      ? { discoveryUrl: `${origin}${discovery}` }
      : { authorizationUrl: `${origin}/authorize`, tokenUrl: `${origin}/token`, userInfoUrl: `${origin}/userinfo` }
  const entry = { providerId: 'acme', clientId: 'id', clientSecret: 'secret', ...urls, ...settings }
  const kit = await testApp({ genericOAuth: { config: [entry as typeof entry & { providerId: string }] }, ...more })
  return { ...kit, provider }
}

const start = (browser: Browser, body: object = {}) =>
  browser.call('POST /sign-in/oauth2', {
    body: { providerId: 'acme', callbackURL: '/dashboard', errorCallbackURL: '/oops', ...body },
  })

/** Starts at the generic path and returns to it. @returns the authorization URL, and where the callback redirects to */
async function signIn(browser: Browser, parameters: Readonly<Record<string, string>> = {}, body: object = {}) {
  const started = await start(browser, body)
  expect(started).toMatchObject({ status: 200, body: { redirect: true } })
  const url = new URL(started.body.url)
  const query = new URLSearchParams({ code: 'a-code', state: url.searchParams.get('state') ?? '', ...parameters })
  const { headers } = await browser.request(`/oauth2/callback/acme?${query}`)
  return { url, target: headers.get('location') }
}
const userOf = async (browser: Browser) => (await browser.call('GET /get-session', {})).body?.user ?? null

describe('an option', () => {
  test.each<[string, Settings, Readonly<Record<string, string | null>>]>([
    ['none', {}, { response_type: 'code', client_id: 'id', scope: null, code_challenge: null, prompt: null, nonce: null }],
    ['clientId', { clientId: 'another' }, { client_id: 'another' }],
    ['scopes', { scopes: ['openid', 'email'] }, { scope: 'openid email' }],
    ['prompt', { prompt: 'consent' }, { prompt: 'consent' }],
    ['accessType', { accessType: 'offline' }, { access_type: 'offline' }],
    ['responseType', { responseType: 'code id_token' }, { response_type: 'code id_token' }],
    ['responseMode', { responseMode: 'form_post' }, { response_mode: 'form_post' }],
    ['pkce', { pkce: true, scopes: ['openid'] }, { code_challenge_method: 'S256', nonce: null }],
    ['authorizationUrlParams', { authorizationUrlParams: { tenant: 'a b', prompt: 'none' } }, { tenant: 'a b', prompt: 'none' }],
    ['redirectURI', { redirectURI: 'https://app.example/back' }, { redirect_uri: 'https://app.example/back' }],
    ['the default of redirectURI', {}, { redirect_uri: 'http://localhost:3000/api/auth/oauth2/callback/acme' }],
  ])('sets the parameters of the authorization request: %s', async (_, settings, expected) => {
    const { browser } = await open(settings)
    const { searchParams } = new URL((await start(browser())).body.url)
    for (const [name, value] of Object.entries(expected)) expect([name, searchParams.get(name)]).toEqual([name, value])
  })

  test('sends the scopes of the request first', async () => {
    const { browser } = await open({ scopes: ['openid', 'email'] })
    const { body } = await start(browser(), { scopes: ['calendar'] })
    expect(new URL(body.url).searchParams.get('scope')).toBe('calendar openid email')
  })

  test.each([
    ['post', { client_id: 'id', client_secret: 'a-b_c.de+f', authorization: undefined }],
    ['basic', { client_id: null, client_secret: null, authorization: `Basic ${btoa('id:a-b_c.de%2Bf')}` }],
  ] as const)('authentication: %s', async (authentication, expected) => {
    const { browser, provider } = await open({ authentication, clientSecret: 'a-b_c.de+f' })
    expect((await signIn(browser())).target).toBe('/dashboard')
    const { form, headers } = provider.last('/token')
    const { authorization } = headers
    expect({ client_id: form.get('client_id'), client_secret: form.get('client_secret'), authorization }).toEqual(expected)
  })

  test('pkce sends the verifier of the challenge', async () => {
    const { browser, provider } = await open({ pkce: true })
    const { url } = await signIn(browser())
    const verifier = provider.last('/token').form.get('code_verifier') ?? ''
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
    expect([verifier.length, url.searchParams.get('code_challenge')]).toEqual([128, Buffer.from(digest).toString('base64url')])
  })

  test('discoveryHeaders and authorizationHeaders are sent with their requests only', async () => {
    const options = { discoveryHeaders: { 'x-discovery': 'd' }, authorizationHeaders: { 'x-token': 't' } }
    const { browser, provider } = await open(options, { by: 'discovery' })
    expect((await signIn(browser())).target).toBe('/dashboard')
    const sent = (path: string) => [provider.last(path).headers['x-discovery'], provider.last(path).headers['x-token']]
    expect([sent(discovery), sent('/token'), sent('/userinfo')]).toEqual([
      ['d', undefined],
      [undefined, 't'],
      [undefined, undefined],
    ])
  })

  test('redirectURI is sent with the code too', async () => {
    const { browser, provider } = await open({ redirectURI: 'https://app.example/back' })
    await signIn(browser())
    expect(provider.last('/token').form.get('redirect_uri')).toBe('https://app.example/back')
  })

  test('name is shown to users', async () => {
    const { browser } = await open({ name: 'Acme Inc.' })
    expect((await browser().call('GET /public-settings', {})).body.socialProviders).toMatchObject([
      { id: 'acme', name: 'Acme Inc.' },
    ])
  })

  test.each([
    [{ disableSignUp: true }, {}, '/oops?error=signup_disabled'],
    [{ disableSignUp: true }, { requestSignUp: true }, '/oops?error=signup_disabled'],
    [{ disableImplicitSignUp: true }, {}, '/oops?error=signup_disabled'],
    [{ disableImplicitSignUp: true }, { requestSignUp: true }, '/dashboard'],
  ])('decides about sign-up: %j with %j', async (settings, body, target) => {
    const { browser } = await open(settings)
    expect((await signIn(browser(), {}, body)).target).toBe(target)
  })

  test.each([
    [true, 'Anna', 'anna@example.com'],
    [false, 'Ann', 'ann@example.com'],
  ])('overrideUserInfo: %j', async (overrideUserInfo, name, email) => {
    const { browser, provider } = await open({ overrideUserInfo })
    await signIn(browser())
    provider.set({ 'GET /userinfo': { ...profile, name: 'Anna', email: 'anna@example.com' } })
    const again = browser()
    await signIn(again)
    expect(await userOf(again)).toMatchObject({ name, email })
  })

  test('getUserInfo gets the tokens and replaces the user info endpoint', async () => {
    const getUserInfo = ({ accessToken }: { accessToken?: string }) => ({
      user: { id: `by ${accessToken}`, name: 'Own', email: 'own@example.com', emailVerified: true },
    })
    const { browser, provider } = await open({ getUserInfo })
    const visitor = browser()
    expect((await signIn(visitor)).target).toBe('/dashboard')
    expect(await userOf(visitor)).toMatchObject({ name: 'Own', email: 'own@example.com' })
    expect(provider.requests.map(({ url }) => url.pathname)).toEqual(['/token'])
  })

  test.each<[string, () => unknown, string]>([
    ['nothing', () => null, 'user_info_is_missing'],
    ['no email', () => ({ user: { id: '1' } }), 'email_is_missing'],
    ['no ID', () => ({ user: { email: 'own@example.com' } }), 'email_is_missing'],
    ['an error', () => Promise.reject(new Error('no')), 'email_is_missing'],
  ])('getUserInfo returns %s', async (_, getUserInfo, error) => {
    const { browser } = await open({ getUserInfo })
    expect((await signIn(browser())).target).toBe(`/oops?error=${error}`)
  })

  test.each<[string, object, object]>([
    [
      'replaces fields',
      { name: 'Mapped', image: 'https://img.example/m.png' },
      { name: 'Mapped', image: 'https://img.example/m.png' },
    ],
    ['leaves out fields', { name: undefined, email: undefined }, { name: 'Ann', email: 'ann@example.com' }],
    ['clears the name', { name: null }, { name: 'ann@example.com' }],
    ['has a number as ID', { id: 7 }, { name: 'Ann' }],
    ['returns another text as verification', { emailVerified: 'no' }, { emailVerified: false }],
  ])('mapProfileToUser %s', async (_, fields, expected) => {
    const { browser } = await open({ mapProfileToUser: () => fields })
    const visitor = browser()
    expect((await signIn(visitor)).target).toBe('/dashboard')
    expect(await userOf(visitor)).toMatchObject(expected)
  })

  test('mapProfileToUser gets the members of the provider, and those that better-auth adds', async () => {
    const profiles: object[] = []
    const { browser } = await open({ mapProfileToUser: (profile: object) => profiles.push(profile) && {} })
    await signIn(browser())
    expect(profiles).toMatchObject([{ id: '42', sub: '42', emailVerified: true, email_verified: true, name: 'Ann' }])
  })

  test.each([
    ['an ID that is not exact', { id: 2 ** 53 }],
    ['an email that is not text', { email: 7 }],
  ])('mapProfileToUser returns %s', async (_, fields) => {
    const { browser } = await open({ mapProfileToUser: () => fields })
    expect((await signIn(browser())).target).toBe('/oops?error=email_is_missing')
  })
})

describe('user info', () => {
  test.each<[string, object, object | null]>([
    ['has a number as subject', { sub: 42 }, { emailVerified: true }],
    ['has a subject that is not exact', { sub: 2 ** 53 }, null],
    ['has an ID in place of a subject', { sub: undefined, id: 'x-1' }, { emailVerified: true }],
    ['has neither', { sub: undefined }, null],
    ['has an empty subject', { sub: '' }, null],
    ['has a text as verification, as Amazon Cognito sends it', { email_verified: 'true' }, { emailVerified: true }],
    ['is not verified as a text', { email_verified: 'false' }, { emailVerified: false }],
    ['has a number as verification', { email_verified: 1 }, { emailVerified: true }],
    ['has no verification', { email_verified: undefined }, { emailVerified: false }],
    ['has null as verification', { email_verified: null }, { emailVerified: false }],
    ['has another value as verification', { email_verified: 'yes' }, { emailVerified: false }],
    ['has null as subject in addition to an ID', { sub: null, id: 'x-1' }, { emailVerified: true }],
    ['has an address with spaces at its ends', { email: ' ann@example.com\u00a0' }, { email: 'ann@example.com' }],
    ['has a picture that is not text', { picture: { url: 'x' } }, { image: null }],
    ['has no name', { name: null }, { name: 'ann@example.com' }],
    ['has no email', { email: undefined }, null],
    ['has a list as email', { email: ['ann@example.com'] }, null],
  ])('%s', async (_, change, expected) => {
    const { browser, counted } = await open({}, { endpoints: { 'GET /userinfo': { ...profile, ...change } } })
    const visitor = browser()
    const { target } = await signIn(visitor)
    expect([target, await userOf(visitor)]).toEqual(
      expected ? ['/dashboard', expect.objectContaining(expected)] : ['/oops?error=email_is_missing', null],
    )
    expect(counted).not.toContain('unexpected_error')
  })

  test.each<[string, Parameters<typeof respondWith>]>([
    ['HTML', [200, '<html></html>', 'text/html']],
    ['a list', [200, '[]']],
    ['null', [200, 'null']],
    ['an error', [401, '{"error":"invalid_token"}']],
    ['nothing', [204, '']],
    ['10 MiB', [200, JSON.stringify({ ...profile, padding: 'x'.repeat(10 * 1_048_576) })]],
  ])('as %s creates no session', async (_, response) => {
    const { browser } = await open({}, { endpoints: { 'GET /userinfo': respondWith(...response) } })
    expect((await signIn(browser())).target).toBe('/oops?error=email_is_missing')
  })

  test('of another user than the ID token is rejected', async () => {
    const { browser, clock, provider } = await open({ scopes: ['openid'], pkce: true }, { by: 'discovery' })
    const key = await signingKey(clock.now)
    const idToken = (sub: string) => key.sign({ sub, iss: provider.origin, aud: 'id' })
    provider.set({ 'GET /keys': key.jwks, 'POST /token': { ...token, id_token: await idToken('43') } })
    expect((await signIn(browser())).target).toBe('/oops?error=email_is_missing')
    provider.set({ 'POST /token': { ...token, id_token: await idToken('42') } })
    expect((await signIn(browser())).target).toBe('/dashboard')
  })
})

describe('the nonce', () => {
  test.each([
    ['the nonce of the request', true, '/dashboard'],
    ['another nonce', 'other', '/oops?error=email_is_missing'],
    ['no nonce', undefined, '/oops?error=email_is_missing'],
    ['no ID token', null, '/oops?error=email_is_missing'],
  ])('protects sign-in without PKCE: the provider sends %s', async (_, nonce, expected) => {
    const { browser, clock, provider } = await open({ scopes: ['openid'] }, { by: 'discovery' })
    const key = await signingKey(clock.now)
    const visitor = browser()
    const url = new URL((await start(visitor)).body.url)
    const sent = url.searchParams.get('nonce') ?? ''
    expect(sent).toHaveLength(32)
    const claims = { ...profile, iss: provider.origin, aud: 'id', nonce: nonce === true ? sent : (nonce ?? undefined) }
    provider.set({
      'GET /keys': key.jwks,
      'POST /token': { ...token, ...(nonce !== null && { id_token: await key.sign(claims) }) },
    })
    const query = new URLSearchParams({ code: 'a-code', state: url.searchParams.get('state') ?? '' })
    expect((await visitor.request(`/oauth2/callback/acme?${query}`)).headers.get('location')).toBe(expected)
  })
})

test.each([
  ['without a key set', {}, []],
  ['with a key set and no issuer', { jwksUri: 'https://acme.example/keys' }, ['genericOAuth.config.0.issuer']],
  ['with both', { jwksUri: 'https://acme.example/keys', issuer: 'https://acme.example' }, []],
])('checks the configuration: %s', (_, settings, paths) => {
  const urls = {
    authorizationUrl: 'https://acme.example/a',
    tokenUrl: 'https://acme.example/t',
    userInfoUrl: 'https://acme.example/u',
  }
  const entry = { providerId: 'acme', clientId: 'id', clientSecret: 'secret', ...urls, ...settings }
  const parsed = parseConfig(featureList, {
    secret: 'a secret of the tests, 0123456789 abcdefghij',
    genericOAuth: { config: [entry] },
  })
  const found = 'issues' in parsed ? parsed.issues.map(({ path }) => path) : []
  expect(found.filter((path) => path.startsWith('genericOAuth'))).toEqual(paths)
})
