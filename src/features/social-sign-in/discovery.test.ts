/** Discovery of endpoints (OpenID Connect Discovery 1.0), and the issuer in callbacks (RFC 9207). */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { respondWith, type StandIn, standIn } from '../../../tests/kit/provider-stand-in.ts'
import { fetchDiscovery } from './configured-providers.ts'

const path = '/.well-known/openid-configuration'
const profile = { sub: '42', email: 'ann@example.com', email_verified: true, name: 'Ann' }

const documentOf = ({ origin }: StandIn, more: object = {}) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  userinfo_endpoint: `${origin}/userinfo`,
  jwks_uri: `${origin}/keys`,
  ...more,
})

/** A provider with this document. @param settings may depend on the origin */
async function open(document: object = {}, settings: (origin: string) => object = () => ({}), more: object = {}) {
  const provider = await standIn({
    'POST /token': { access_token: 'access-1', token_type: 'Bearer' },
    'GET /userinfo': profile,
  })
  const { origin } = provider
  provider.set({ [`GET ${path}`]: documentOf(provider, document) })
  const entry = { providerId: 'acme', clientId: 'id', clientSecret: 'secret', discoveryUrl: `${origin}${path}` }
  const kit = await testApp({ genericOAuth: { config: [{ ...entry, ...settings(origin) }] }, ...more })
  return { ...kit, provider }
}

const start = (browser: Browser) =>
  browser.call('POST /sign-in/oauth2', { body: { providerId: 'acme', callbackURL: '/dashboard', errorCallbackURL: '/oops' } })
const misconfigured = { status: 400, body: { code: 'INVALID_OAUTH_CONFIGURATION', message: 'Invalid OAuth configuration' } }

/** @returns where the callback redirects to */
async function signIn(browser: Browser, parameters: Readonly<Record<string, string>> = {}, callback = 'oauth2/callback') {
  const { body } = await start(browser)
  const query = new URLSearchParams({ code: 'a-code', state: new URL(body.url).searchParams.get('state') ?? '', ...parameters })
  return (await browser.request(`/${callback}/acme?${query}`)).headers.get('location')
}

const discoveries = ({ requests }: StandIn) => requests.filter(({ url }) => url.pathname === path).length

test('reads the document once an hour', async () => {
  const { browser, clock, provider } = await open()
  await Promise.all(Array.from({ length: 20 }, () => start(browser())))
  expect(await signIn(browser())).toBe('/dashboard')
  expect(discoveries(provider)).toBe(1)
  clock.advance(3601)
  provider.set({ [`GET ${path}`]: documentOf(provider, { authorization_endpoint: `${provider.origin}/moved` }) })
  expect((await start(browser())).body.url).toContain(`${provider.origin}/moved?`)
})

test.each<[string, Parameters<typeof respondWith>]>([
  ['an error', [500, '{}']],
  ['HTML', [200, '<html></html>', 'text/html']],
  ['null', [200, 'null']],
  ['no issuer', [200, '{}']],
  ['a redirect', [302, '']],
  ['2 MiB', [200, `"${'x'.repeat(2 * 1_048_576)}"`]],
])('a provider that responds with %s is misconfigured, and works as soon as it responds', async (_, response) => {
  const { browser, counted, provider } = await open()
  const working = { [`GET ${path}`]: documentOf(provider) }
  provider.set({ [`GET ${path}`]: respondWith(...response) })
  expect(await start(browser())).toMatchObject(misconfigured)
  expect(counted).not.toContain('unexpected_error')
  provider.set(working)
  expect(await signIn(browser())).toBe('/dashboard')
})

test.each([
  ['no authorization endpoint', { authorization_endpoint: undefined }],
  ['no token endpoint', { token_endpoint: undefined }],
  ['another issuer', { issuer: 'https://accounts.google.com' }],
  ['an issuer that is the beginning of its own host', { issuer: 'http://127' }],
  ['an issuer that is not text', { issuer: {} }],
  ['an endpoint that is not a URL', { token_endpoint: 'token' }],
  ['an endpoint that is not text', { userinfo_endpoint: { a: 1 } }],
  ['a script as endpoint', { authorization_endpoint: 'javascript:alert(1)' }],
  ['a file as key set', { jwks_uri: 'file:///etc/passwd' }],
])('rejects a document with %s', async (_, document) => {
  const { browser, counted } = await open(document)
  expect(await start(browser())).toMatchObject(misconfigured)
  expect(counted).not.toContain('unexpected_error')
})

test.each(['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'])(
  'rejects plain HTTP announced over TLS: %s',
  async (name) => {
    const discoveryUrl = `https://acme.example${path}`
    const fetched = (document: object) =>
      fetchDiscovery(
        { fetch: async () => Response.json({ issuer: 'https://acme.example', ...document }) },
        { discoveryUrl, discoveryHeaders: {}, issuer: undefined },
      )
    await expect(fetched({ [name]: 'http://acme.example/x' })).rejects.toThrow('not an https URL')
    expect(Object.values(await fetched({ [name]: 'https://acme.example/x' }))).toContain('https://acme.example/x')
  },
)

test.each([
  ['null and empty members', { userinfo_endpoint: null, jwks_uri: '', scopes_supported: null }],
  ['members of other types, which are not used', { scopes_supported: 'openid', claims_supported: 7 }],
])('reads a document with %s', async (_, document) => {
  const { browser } = await open(document, (origin) => ({ userInfoUrl: `${origin}/userinfo` }))
  expect(await signIn(browser())).toBe('/dashboard')
})

test('reads a document of another media type', async () => {
  const { browser, provider } = await open()
  provider.set({ [`GET ${path}`]: respondWith(200, JSON.stringify(documentOf(provider)), 'application/octet-stream') })
  expect(await signIn(browser())).toBe('/dashboard')
})

test.each<[string, object, string]>([
  ['no issuer', { issuer: undefined }, 'The discovery document has no issuer'],
  // As of the tenant `common` of Microsoft Entra.
  ['a placeholder', { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' }, 'has the placeholder {tenantid}'],
  ['another issuer', { issuer: 'https://accounts.google.com' }, 'names another issuer than its address'],
  ['a number as endpoint', { token_endpoint: 7 }, 'token_endpoint of the discovery document is not an https URL'],
])('the log says in one line what is wrong with a document with %s', async (_, document, words) => {
  const { browser, log } = await open(document)
  expect(await start(browser())).toMatchObject(misconfigured)
  const [line = ''] = log.filter((one) => one.includes('"reason"'))
  expect(JSON.parse(line.slice(line.indexOf('{'))).reason).toContain(words)
  expect(JSON.parse(line.slice(line.indexOf('{'))).reason).not.toContain('\n')
})

test('accepts an issuer of another host only if the configuration names it', async () => {
  const issuer = 'https://tenant.example/v2.0/'
  const named = await open({ issuer }, () => ({ issuer }))
  expect(await signIn(named.browser())).toBe('/dashboard')
  const wrong = await open({ issuer }, () => ({ issuer: 'https://other.example' }))
  expect(await start(wrong.browser())).toMatchObject(misconfigured)
})

test('URLs of the configuration replace announced ones', async () => {
  const { browser, provider } = await open({ authorization_endpoint: undefined, token_endpoint: undefined }, (origin) => ({
    authorizationUrl: `${origin}/own-authorize`,
    tokenUrl: `${origin}/own-token`,
    userInfoUrl: `${origin}/own-userinfo`,
  }))
  provider.set({ 'POST /own-token': { access_token: 'a', token_type: 'Bearer' }, 'GET /own-userinfo': profile })
  expect(await signIn(browser())).toBe('/dashboard')
  expect(provider.requests.map(({ url }) => url.pathname)).toEqual([path, '/own-token', '/own-userinfo'])
})

test.each([
  ['token_endpoint', 'tokenUrl', '/oops?error=oauth_code_verification_failed'],
  ['userinfo_endpoint', 'userInfoUrl', '/oops?error=email_is_missing'],
])('sends nothing to a private address that is announced and not configured: %s', async (name, option, target) => {
  const other = await standIn({ 'POST /': { access_token: 'access-1', token_type: 'Bearer' }, 'GET /': profile })
  const endpoint = `${other.origin}/`
  const announced = await open({ [name]: endpoint })
  expect(await signIn(announced.browser())).toBe(target)
  expect(other.requests).toEqual([])
  const configured = await open({ [name]: endpoint }, () => ({ [option]: endpoint }))
  expect(await signIn(configured.browser())).toBe('/dashboard')
})

describe.each([
  ['oauth2/callback', 'oauth_code_verification_failed'],
  ['callback', 'invalid_code'],
])('the issuer in a callback to /%s', (callback, error) => {
  test.each<[string, object, Readonly<Record<string, string>> | 'right', boolean]>([
    ['is right', { authorization_response_iss_parameter_supported: true }, 'right', true],
    ['is missing although announced', { authorization_response_iss_parameter_supported: true }, {}, false],
    ['is wrong', { authorization_response_iss_parameter_supported: true }, { iss: 'https://evil.test' }, false],
    ['is missing and not announced', {}, {}, true],
    ['is right and not announced', {}, 'right', true],
    ['is wrong and not announced', {}, { iss: 'https://evil.test' }, false],
    ['is empty although announced', { authorization_response_iss_parameter_supported: true }, { iss: '' }, false],
  ])('%s', async (_, document, parameters, accepted) => {
    const { browser, provider } = await open(document)
    const sent = parameters === 'right' ? { iss: provider.origin } : parameters
    expect(await signIn(browser(), sent, callback)).toBe(accepted ? '/dashboard' : `/oops?error=${error}`)
    expect(provider.requests.some(({ url }) => url.pathname === '/token')).toBe(accepted)
  })
})
