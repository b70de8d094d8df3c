/** Every code with which a callback redirects (contract 03 §3, §8). */
import { describe, expect, test } from 'vitest'
import { type Answer, type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { respondWith, startFlow } from '../../../tests/kit/provider-stand-in.ts'
import { accountsOf, ann, type SocialApp, socialApp, target } from '../../../tests/kit/social.ts'
import type { ConfigFile } from '../index.ts'

const form = 'application/x-www-form-urlencoded'
const json = { 'content-type': 'application/json' }
const errorPage = 'http://localhost:3000/api/auth/error'
const broken = respondWith(500, 'oops')

type Send = (browser: Browser, path: string, parameters: Record<string, string>) => Promise<Answer>

/** As a form from the page of the provider: without cookies, and then once more with them, as the browser repeats it. */
const post: Send = async (browser, path, parameters) => {
  const given = [...browser.cookies]
  browser.cookies.clear()
  const first = await browser.request(path, {
    method: 'POST',
    headers: { 'content-type': form, origin: 'https://provider.example', 'sec-fetch-site': 'cross-site' },
    body: String(new URLSearchParams(parameters)),
  })
  for (const [name, value] of given) browser.cookies.set(name, value)
  if (first.status !== 303) return first
  return browser.request(`/${target(first)}`)
}
const get: Send = (browser, path, parameters) => browser.request(`${path}?${new URLSearchParams(parameters)}`)

const core = { start: 'POST /sign-in/social', path: '/callback/google', userInfo: 'POST /google/token' } as const
const generic = { path: '/oauth2/callback/acme' } as const

/** Starts at a provider, and returns from it with these parameters in place of a code and the state. */
async function returnFrom(
  kit: SocialApp,
  send: Send,
  more: { browser?: Browser; provider?: string; parameters?: object; path?: string; body?: object },
) {
  const { browser = kit.browser(), provider = 'google', path = core.path, parameters = {} } = more
  const url = await startFlow(browser, provider, { body: { callbackURL: '/in', errorCallbackURL: '/oops', ...more.body } })
  const given = { code: kit.codeFor(ann), state: url.searchParams.get('state') ?? '', ...parameters }
  const sent = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const response = await send(browser, path, Object.fromEntries(sent))
  return { browser, response }
}

const methods = [
  ['GET', get],
  ['POST', post],
] as const

describe.each(methods)('%s /callback/:id', (_, send) => {
  test.each([
    ['error of the provider', { error: 'access_denied' }, `${errorPage}?error=access_denied`],
    [
      'error with a description',
      { error: 'a b&c', error_description: 'No: #1' },
      `${errorPage}?error=a%20b%26c&error_description=No%3A%20%231`,
    ],
    ['no state', { state: undefined }, `${errorPage}?error=state_not_found`],
    ['an unknown state', { state: 'unknown' }, `${errorPage}?error=please_restart_the_process`],
    ['no code', { code: undefined }, '/oops?error=no_code'],
    ['an empty code', { code: '' }, '/oops?error=no_code'],
  ])('%s', async (_, parameters, expected) => {
    const { browser, response } = await returnFrom(await socialApp(), send, { parameters })
    expect([response.status, target(response)]).toEqual([302, expected])
    expect(await nameOf(browser)).toBeNull()
  })

  test.each([
    ['a provider that is not configured', { path: '/callback/unknown' }, {}, 'oauth_provider_not_found'],
    ['the callback of another provider', { path: '/callback/github' }, {}, 'invalid_code'],
    ['a rejected code', {}, { 'POST /google/token': respondWith(400, '{"error":"invalid_grant"}') }, 'invalid_code'],
    ['a token response that is not JSON', {}, { 'POST /google/token': respondWith(200, 'oops') }, 'invalid_code'],
    [
      'an ID token that is not valid',
      {},
      { 'POST /google/token': { access_token: 'a', token_type: 'bearer', id_token: 'x.y.z' } },
      'unable_to_get_user_info',
    ],
    ['no ID token', {}, { 'POST /google/token': { access_token: 'a', token_type: 'bearer' } }, 'unable_to_get_user_info'],
    [
      'a failing user info',
      { provider: 'github', path: '/callback/github' },
      { 'GET /github/user': broken },
      'unable_to_get_user_info',
    ],
    [
      'an unexpected user info',
      { provider: 'github', path: '/callback/github' },
      { 'GET /github/user': [] },
      'unable_to_get_user_info',
    ],
    [
      'a generic provider without user info',
      { provider: 'acme', path: '/callback/acme' },
      { 'GET /userinfo': broken },
      'unable_to_get_user_info',
    ],
  ])('%s', async (_, start, endpoints, code) => {
    const kit = await socialApp()
    kit.provider.set(endpoints)
    const { browser, response } = await returnFrom(kit, send, start)
    expect([response.status, target(response)]).toEqual([302, `/oops?error=${code}`])
    expect([await nameOf(browser), browser.cookies.has('latchkey.state')]).toEqual([null, false])
  })

  test.each([undefined, null, ''])('no email address: %j', async (email) => {
    const kit = await socialApp()
    const { response } = await returnFrom(kit, send, { parameters: { code: kit.codeFor({ ...ann, email }) } })
    expect(target(response)).toBe('/oops?error=email_not_found')
  })

  test('an expired state', async () => {
    const kit = await socialApp()
    const browser = kit.browser()
    const url = await startFlow(browser, 'google')
    kit.clock.advance(600)
    const response = await send(browser, core.path, { code: 'a', state: url.searchParams.get('state') ?? '' })
    expect(target(response)).toBe(`${errorPage}?error=please_restart_the_process`)
  })

  test('success: a session, and the target of the request', async () => {
    const { browser, response } = await returnFrom(await socialApp(), send, {})
    expect([response.status, response.statusText, target(response)]).toEqual([302, 'FOUND', '/in'])
    expect(await nameOf(browser)).toBe('Ann')
  })

  test('a parameter of the wrong type', async () => {
    const kit = await socialApp()
    const request =
      send === get
        ? kit.browser().request(`${core.path}?code=a&code=b`)
        : kit.browser().request(core.path, { method: 'POST', headers: json, body: '{"code":["a","b"]}' })
    const message = send === get ? 'Invalid query parameters' : 'Invalid body parameters'
    const { status, body } = await request
    expect([status, body]).toEqual([400, { code: 'VALIDATION_ERROR', message, details: { parameters: ['code'] } }])
  })
})

describe('the target of a failure', () => {
  test.each([
    [undefined, {}, `${errorPage}?error=no_code`],
    ['', {}, `${errorPage}?error=no_code`],
    [undefined, { onAPIError: { errorURL: '/sorry' } }, '/sorry?error=no_code'],
    ['/oops?a=1', {}, '/oops?a=1&error=no_code'],
    ['http://localhost:3000/oops?a=1#part', {}, 'http://localhost:3000/oops?a=1&error=no_code#part'],
    ['/oops', { onAPIError: { errorURL: '/sorry' } }, '/oops?error=no_code'],
  ] as readonly [string | undefined, ConfigFile, string][])(
    'with errorCallbackURL %s and %j',
    async (errorCallbackURL, config, expected) => {
      const { response } = await returnFrom(await socialApp(config), get, {
        body: { errorCallbackURL },
        parameters: { code: undefined },
      })
      expect(target(response)).toBe(expected)
    },
  )

  test('before the state is read it is onAPIError.errorURL', async () => {
    const kit = await socialApp({ onAPIError: { errorURL: 'https://app.example.com/sorry?x=1#part' } })
    const { response } = await returnFrom(kit, get, { parameters: { error: 'access_denied' } })
    expect(target(response)).toBe('https://app.example.com/sorry?x=1&error=access_denied#part')
  })

  test('a long error of a provider is cut', async () => {
    const parameters = { error: 'x'.repeat(300), error_description: 'y'.repeat(600) }
    const { response } = await returnFrom(await socialApp(), get, { parameters })
    expect(target(response)).toBe(`${errorPage}?error=${'x'.repeat(200)}&error_description=${'y'.repeat(500)}`)
  })
})

test('without callbackURL the target is the origin of baseURL, so that no_callback_url cannot happen', async () => {
  const { response } = await returnFrom(await socialApp(), get, { body: { callbackURL: undefined } })
  expect(target(response)).toBe('http://localhost:3000')
})

describe.each(['/callback/google', '/oauth2/callback/acme'])('POST %s', (path) => {
  test.each([
    ['no body', {}],
    ['a body that is not a form', { 'content-type': 'text/plain' }],
  ])('with %s redirects with invalid_callback_request', async (_, headers) => {
    const response = await (await socialApp()).browser().request(path, { method: 'POST', headers, body: '' })
    expect([response.status, target(response)]).toEqual([302, `${errorPage}?error=invalid_callback_request`])
  })

  test('without cookies is repeated as GET, with the parameters as query', async () => {
    const kit = await socialApp()
    const body = { code: 'a b', state: 's&t', error: '', more: 'left out' }
    const response = await kit.browser().request(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
    expect([response.status, target(response)]).toEqual([303, `/api/auth${path}?code=a+b&error=&state=s%26t`])
  })

  test('with the cookie continues immediately', async () => {
    const kit = await socialApp()
    const browser = kit.browser()
    const url = await startFlow(browser, path === core.path ? 'google' : 'acme')
    const parameters = { code: kit.codeFor(ann), state: url.searchParams.get('state') ?? '' }
    const response = await browser.request(path, {
      method: 'POST',
      headers: { 'content-type': form, origin: 'https://provider.example', 'sec-fetch-site': 'cross-site' },
      body: String(new URLSearchParams(parameters)),
    })
    expect([response.status, target(response)]).toEqual([302, '/dashboard'])
    expect(await nameOf(browser)).toBe('Ann')
  })
})

describe.each(methods)('%s /oauth2/callback/:providerId', (_, send) => {
  test.each([
    [
      'error of the provider',
      { error: 'access_denied', error_description: 'No' },
      `${errorPage}?error=access_denied&error_description=No`,
    ],
    ['no code', { code: undefined }, `${errorPage}?error=oAuth_code_missing`],
    [
      'no code with a description',
      { code: undefined, error_description: 'No' },
      `${errorPage}?error=oAuth_code_missing&error_description=No`,
    ],
    ['no state', { state: undefined }, `${errorPage}?error=please_restart_the_process`],
    ['an unknown state', { state: 'unknown' }, `${errorPage}?error=please_restart_the_process`],
  ])('%s', async (_, parameters, expected) => {
    const { response } = await returnFrom(await socialApp(), send, { provider: 'acme', ...generic, parameters })
    expect([response.status, target(response)]).toEqual([302, expected])
  })

  test.each([
    ['a rejected code', {}, { 'POST /token': respondWith(400, '{"error":"invalid_grant"}') }, 'oauth_code_verification_failed'],
    ['the callback of another provider', { provider: 'google' }, {}, 'oauth_code_verification_failed'],
    ['a failing user info', {}, { 'GET /userinfo': broken }, 'email_is_missing'],
    ['an empty user info', {}, { 'GET /userinfo': {} }, 'email_is_missing'],
    ['no email address', {}, { 'GET /userinfo': { sub: '7', name: 'Ann' } }, 'email_is_missing'],
  ])('%s', async (_, start, endpoints, code) => {
    const kit = await socialApp()
    kit.provider.set(endpoints)
    const { response } = await returnFrom(kit, send, { provider: 'acme', ...generic, ...start })
    expect([response.status, target(response)]).toEqual([302, `/oops?error=${code}`])
  })

  test('nowhere to get user info from', async () => {
    const kit = await socialApp({ genericOAuth: { config: [{ userInfoUrl: undefined }] } } as never)
    const { response } = await returnFrom(kit, send, { provider: 'acme', ...generic })
    expect(target(response)).toBe('/oops?error=user_info_is_missing')
  })

  test.each(['unknown', 'google'])('a provider that is not generic: %s', async (id) => {
    const kit = await socialApp()
    const { response } = await returnFrom(kit, send, { provider: 'acme', path: `/oauth2/callback/${id}` })
    const code = `NO_CONFIG_FOUND_FOR_PROVIDER_${id.toUpperCase()}`
    expect([response.status, response.body]).toEqual([400, { code, message: `No config found for provider ${id}` }])
  })

  test('success', async () => {
    const kit = await socialApp()
    const { browser, response } = await returnFrom(kit, send, {
      provider: 'acme',
      ...generic,
      body: { newUserCallbackURL: '/new' },
    })
    expect([response.status, target(response)]).toEqual([302, '/new'])
    expect(await nameOf(browser)).toBe('Ann')
  })
})

describe('a failing rule', () => {
  const session = { create: { before: () => false as const } }
  test.each([
    ['signup_disabled', { socialProviders: { google: { disableSignUp: true } } }],
    ['unable_to_create_user', { databaseHooks: { user: { create: { before: () => false as const } } } }],
    ['unable_to_create_user', { databaseHooks: { account: { create: { before: () => false as const } } } }],
    ['unable_to_create_session', { databaseHooks: { session } }],
  ] as readonly [string, ConfigFile][])('%s', async (code, config) => {
    const { browser, response } = await returnFrom(await socialApp(config), get, {})
    expect(target(response)).toBe(`/oops?error=${code}`)
    expect(await nameOf(browser)).toBeNull()
  })

  test('unable_to_link_account: a hook rejects the account of a user who exists', async () => {
    const create = {
      before: ({ providerId }: { providerId?: unknown }) => (providerId === 'google' ? (false as const) : undefined),
    }
    const kit = await socialApp({ databaseHooks: { account: { create } } })
    await kit.signIn(kit.browser(), 'github')
    const { response } = await returnFrom(kit, get, {})
    expect(target(response)).toBe('/oops?error=unable_to_link_account')
    expect(await accountsOf(kit, 'ann@example.com')).toEqual(['github'])
  })

  test('internal_server_error: the database fails when the user is looked up', async () => {
    const kit = await socialApp()
    const browser = kit.browser()
    const url = await startFlow(browser, 'google', { body: { errorCallbackURL: '/oops' } })
    kit.provider.set({
      'POST /google/token': async () => {
        await kit.app.db.schema.dropTable('account').execute()
        return { access_token: 'a', token_type: 'bearer', id_token: await kit.idToken() }
      },
    })
    const response = await get(browser, core.path, { code: 'a', state: url.searchParams.get('state') ?? '' })
    expect([response.status, target(response)]).toEqual([302, `${errorPage}?error=internal_server_error`])
    expect(kit.counted).toContain('unexpected_error')
    expect(browser.cookies.size).toBe(0)
  })
})
