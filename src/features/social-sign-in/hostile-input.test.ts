/** What providers and clients send that does not fit: into a redirect, a column, or the address of a user. */
import { describe, expect, test } from 'vitest'
import { openCallback, respondWith, startFlow } from '../../../tests/kit/provider-stand-in.ts'
import { accountsOf, ann, socialApp, target } from '../../../tests/kit/social.ts'
import type { ConfigFile } from '../index.ts'

const password = 'correct horse battery'

test.each([
  ['error', 199],
  ['error_description', 499],
])('an %s that is cut within a character still ends at the error page', async (name, length) => {
  const kit = await socialApp()
  const parameters = { error: 'access_denied', [name]: `${'x'.repeat(length)}😀` }
  const response = await kit.browser().request(`/callback/google?${new URLSearchParams(parameters)}`)
  expect(response.status).toBe(302)
  expect(target(response)).toContain('x'.repeat(length))
})

describe('an email address that becomes that of another person in lower case', () => {
  const kelvin = { ...ann, sub: 'mallory', email: '\u212Aevin@example.com' }
  const kevin = { ...ann, sub: 'kevin', email: 'kevin@example.com' }

  test('creates no user', async () => {
    const kit = await socialApp()
    expect(target(await kit.signIn(kit.browser(), 'google', kelvin))).toContain('error=email_not_found')
    expect(await kit.app.db.selectFrom('user').selectAll().execute()).toEqual([])
    expect(target(await kit.signIn(kit.browser(), 'google', kevin))).toBe('/dashboard')
  })

  test('links to no user, also when the provider is trusted', async () => {
    const kit = await socialApp({ account: { accountLinking: { trustedProviders: ['google'] } } })
    await kit.browser().call('POST /sign-up/email', { body: { name: 'Kevin', email: kevin.email, password } })
    expect(target(await kit.signIn(kit.browser(), 'google', kelvin))).toContain('error=')
    expect(await accountsOf(kit, kevin.email)).toEqual(['credential'])
  })

  test('does not replace an address', async () => {
    const kit = await socialApp({ socialProviders: { google: { overrideUserInfoOnSignIn: true } } } as ConfigFile)
    await kit.signIn(kit.browser(), 'google', { ...ann, sub: 'mallory' })
    await kit.signIn(kit.browser(), 'google', kelvin)
    expect(await kit.app.db.selectFrom('user').select('email').execute()).toEqual([{ email: ann.email }])
  })
})

test('names in place of addresses link to no user, also when the provider is trusted', async () => {
  const mapProfileToUser = () => ({ email: 'same-for-all', emailVerified: false })
  const google = { mapProfileToUser }
  const kit = await socialApp({
    socialProviders: { google },
    account: { accountLinking: { trustedProviders: ['google'] } },
  } as ConfigFile)
  expect(target(await kit.signIn(kit.browser(), 'google', { ...ann, sub: 'one' }))).toBe('/dashboard')
  expect(target(await kit.signIn(kit.browser(), 'google', { ...ann, sub: 'two' }))).toContain('error=account_not_linked')
  expect(await kit.app.db.selectFrom('account').select('accountId').execute()).toEqual([{ accountId: 'one' }])
})

test('an image that is too long for its column in UTF-8 is left out', async () => {
  const kit = await socialApp()
  const browser = kit.browser()
  await kit.signIn(browser, 'acme', { ...ann, picture: `https://img.example/${'ä'.repeat(40_000)}` })
  expect((await browser.call('GET /get-session', {})).body.user.image).toBeNull()
})

test('a token response that is not JSON is not in the log', async () => {
  const kit = await socialApp()
  kit.provider.set({ 'POST /google/token': respondWith(200, 'gho_16C7e42F292c6912') })
  await kit.signIn(kit.browser(), 'google')
  expect(kit.log.join()).toContain('Malformed JSON')
  expect(kit.log.join()).not.toContain('gho_')
})

test.each<[string, Parameters<typeof respondWith>, string]>([
  ['a code', [401, '{"error":"invalid_client","error_description":"SECRET"}'], 'status 401: invalid_client'],
  [
    'a code and status 200',
    [200, '{"error":"bad_verification_code","error_description":"SECRET"}'],
    'status 200: bad_verification_code',
  ],
  ['something that is not a code', [400, '{"error":"SECRET and more"}'], 'status 400"'],
  ['HTML', [502, '<html>SECRET</html>', 'text/html'], 'status 502"'],
])('the log names the error of a provider that responds with %s', async (_, response, reason) => {
  const kit = await socialApp()
  kit.provider.set({ 'POST /google/token': respondWith(...response) })
  expect(target(await kit.signIn(kit.browser(), 'google'))).toContain('error=invalid_code')
  expect(kit.log.join()).toContain(reason)
  expect(kit.log.join()).not.toContain('SECRET')
})

test('the log names the host of a provider that cannot be reached', async () => {
  const google = { tokenEndpoint: 'http://127.0.0.1:1/token' }
  const kit = await socialApp({ socialProviders: { google } } as ConfigFile)
  await kit.signIn(kit.browser(), 'google')
  expect(kit.log.join()).toContain('fetch failed: ')
})

describe('an ID token whose keys are not known', () => {
  const withNonce = async (claims: (nonce: string | null) => object) => {
    const kit = await socialApp({ genericOAuth: { config: [{ scopes: ['openid'] }] } } as ConfigFile)
    const browser = kit.browser()
    const url = await startFlow(browser, 'acme')
    const id_token = await kit.idToken(ann, claims(url.searchParams.get('nonce')))
    const code = kit.codeFor(ann)
    kit.provider.set({ 'POST /token': { access_token: code, token_type: 'bearer', id_token } })
    return target(await openCallback(browser, 'acme', url, { code }))
  }

  test('with the nonce of another flow is rejected: its code was stolen', async () => {
    expect(await withNonce(() => ({ nonce: 'of the flow of another person' }))).toContain('error=unable_to_get_user_info')
  })

  test.each([
    ['the nonce', (nonce: string | null) => ({ nonce })],
    ['no nonce', () => ({})],
  ])('with %s is accepted, and not used', async (_, claims) => {
    expect(await withNonce(claims)).toBe('/dashboard')
  })
})

describe('scopes', () => {
  const many = Array.from({ length: 101 }, (_, n) => `scope-${n}`)
  const long = ['x'.repeat(513)]

  test.each([
    ['too many', many],
    ['too long', long],
  ])('%s in a request are rejected', async (_, scopes) => {
    const kit = await socialApp()
    const browser = kit.browser()
    await kit.signIn(browser, 'google')
    const idToken = { token: await kit.idToken(), scopes }
    const answers = [
      await browser.call('POST /sign-in/social', { body: { provider: 'google', scopes } }),
      await browser.call('POST /link-social', { body: { provider: 'google', scopes } }),
      await browser.call('POST /link-social', { body: { provider: 'google', idToken } }),
      await browser.call('POST /sign-in/oauth2', { body: { providerId: 'acme', scopes } }),
      await browser.call('POST /oauth2/link', { body: { providerId: 'acme', callbackURL: '/', scopes } }),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [400, 'VALIDATION_ERROR']))
  })

  test('of a token response that are too long for their column are left out', async () => {
    const kit = await socialApp()
    kit.provider.set({ 'POST /token': { access_token: 'a', token_type: 'bearer', scope: 'x '.repeat(20_000) } })
    expect(target(await kit.signIn(kit.browser(), 'acme'))).toBe('/dashboard')
    expect(await kit.app.db.selectFrom('account').select('scope').execute()).toEqual([{ scope: null }])
  })
})

test('a login hint that makes the URL of the provider too long is rejected', async () => {
  const kit = await socialApp()
  const body = { provider: 'google', loginHint: 'x'.repeat(2049) }
  expect(await kit.browser().call('POST /sign-in/social', { body })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR' },
  })
})
