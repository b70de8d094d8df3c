/** The state of a flow: how long it lives, for which browser, and what its row reveals (contract 03 §2). */
import { describe, expect, test, vi } from 'vitest'
import type { Browser } from '../../../tests/kit/browser.ts'
import { nameOf } from '../../../tests/kit/browser.ts'
import { openCallback, respondWith, standIn, startFlow } from '../../../tests/kit/provider-stand-in.ts'
import { many, openRacers, places, race } from '../../../tests/kit/race.ts'
import { ann, providerConfig, type SocialApp, socialApp, target, withProvider } from '../../../tests/kit/social.ts'
import { refusal } from '../../core/errors.ts'
import { createKeyring } from '../../lib/keyring.ts'

const restart = 'http://localhost:3000/api/auth/error?error=please_restart_the_process'
const starts = [
  ['POST /sign-in/social', { provider: 'google' }],
  ['POST /link-social', { provider: 'google' }],
  ['POST /sign-in/oauth2', { providerId: 'acme' }],
  ['POST /oauth2/link', { providerId: 'acme' }],
] as const

type Before = () => false
const reject: Before = () => false
const notNow: Before = () => {
  throw refusal({ status: 403, message: 'Not now' })
}

const stateOf = (url: URL) => url.searchParams.get('state') ?? ''

describe('a start', () => {
  test.each(starts)('by %s sets the state cookie, for ten minutes', async (call, body) => {
    const kit = await socialApp()
    const browser = kit.browser()
    await kit.signIn(browser, 'google')
    const { status, body: started, setCookie } = await browser.call(call, { body: { ...body, callbackURL: '/in' } } as never)
    expect([status, started.redirect]).toEqual([200, true])
    const state = stateOf(new URL(started.url))
    expect(state).toMatch(/^[\w-]{32}$/)
    expect(setCookie).toEqual([
      expect.stringMatching(new RegExp(`^latchkey\\.state=${state}\\.[\\w%]+; Max-Age=600; Path=/; HttpOnly; SameSite=Lax$`)),
    ])
    expect(started.status).toBe(call.includes('link') ? true : undefined)
  })

  test.each(starts.filter(([call]) => call.startsWith('POST /sign-in')))(
    'by %s can leave out the redirect',
    async (call, body) => {
      const { browser } = await socialApp()
      const response = await browser().call(call, { body: { ...body, disableRedirect: true } } as never)
      expect(response.body).toEqual({ url: expect.stringContaining('state='), redirect: false })
    },
  )

  test('reports a provider without endpoints', async () => {
    const { browser } = await socialApp({ genericOAuth: { config: [{ authorizationUrl: undefined }] } } as never)
    const body = { code: 'INVALID_OAUTH_CONFIGURATION', message: 'Invalid OAuth configuration' }
    for (const call of ['POST /sign-in/oauth2', 'POST /sign-in/social'] as const) {
      const response = await browser().call(call, { body: { provider: 'acme', providerId: 'acme' } })
      expect([response.status, response.body, response.setCookie]).toEqual([400, body, []])
    }
  })

  test.each([
    ['rejects it', reject, 500, 'UNABLE_TO_CREATE_VERIFICATION'],
    ['has its own message', notNow, 403, 'NOT_NOW'],
  ] as readonly [string, Before, number, string][])('fails when a hook %s', async (_, before, status, code) => {
    const { browser } = await socialApp({ databaseHooks: { verification: { create: { before } } } })
    const response = await browser().call('POST /sign-in/social', { body: { provider: 'google' } })
    expect([response.status, response.body.code, response.setCookie]).toEqual([status, code, []])
  })
})

describe('a state', () => {
  test('is used once', async () => {
    const kit = await socialApp()
    const browser = kit.browser()
    const url = await startFlow(browser, 'google')
    const cookies = [...browser.cookies]
    expect(target(await openCallback(browser, 'google', url))).toBe('/dashboard')
    browser.cookies.clear()
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    expect(target(await openCallback(browser, 'google', url))).toBe(restart)
  })

  test('is used also when the provider fails, and its cookie is deleted', async () => {
    const kit = await socialApp()
    kit.provider.set({ 'POST /google/token': respondWith(500, 'oops') })
    const browser = kit.browser()
    const url = await startFlow(browser, 'google')
    const { setCookie } = await openCallback(browser, 'google', url)
    expect(setCookie).toEqual([expect.stringMatching(/^latchkey\.state=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/)])
    expect(await kit.app.db.selectFrom('verification').selectAll().execute()).toEqual([])
  })

  test('lives for ten minutes', async () => {
    const kit = await socialApp()
    const browser = kit.browser()
    const url = await startFlow(browser, 'google')
    kit.clock.advance(599)
    expect(target(await openCallback(browser, 'google', url))).toBe('/dashboard')
  })

  test.each([
    ['has no state cookie', (other: Browser) => void other.cookies.clear()],
    ['has that of another state', async (other: Browser) => void (await startFlow(other, 'google'))],
    ['has a forged one', (other: Browser, url: URL) => void other.cookies.set('latchkey.state', `${stateOf(url)}.AAAA%3D`)],
  ])('is worthless in a browser that %s, and stays usable in its own', async (_, prepare) => {
    const kit = await socialApp()
    const [own, other] = [kit.browser(), kit.browser()]
    const url = await startFlow(own, 'google')
    await prepare(other, url)
    expect(target(await openCallback(other, 'google', url))).toBe(restart)
    expect(await nameOf(other)).toBeNull()
    expect(target(await openCallback(own, 'google', url))).toBe('/dashboard')
  })

  test('works next to those of other tabs, whichever is finished first', async () => {
    const kit = await socialApp()
    const browser = kit.browser()
    const [first, second] = [await startFlow(browser, 'google'), await startFlow(browser, 'acme')]
    const { setCookie } = await openCallback(browser, 'google', first)
    expect(setCookie).toContainEqual(expect.stringMatching(new RegExp(`^latchkey\\.state=${stateOf(second)}\\.`)))
    expect(target(await openCallback(browser, 'acme', second))).toBe('/dashboard')
    expect(browser.cookies.has('latchkey.state')).toBe(false)
  })

  test('of a sign-in works next to that of a link', async () => {
    const kit = await socialApp()
    const browser = kit.browser()
    await kit.signIn(browser, 'google')
    const link = await startFlow(browser, 'acme', { start: 'POST /link-social' })
    const signIn = await startFlow(browser, 'google')
    const code = kit.codeFor(ann)
    expect(target(await openCallback(browser, 'acme', link, { code }))).toBe('/dashboard')
    expect(target(await openCallback(browser, 'google', signIn))).toBe('/dashboard')
  })

  test('leaves the cookie when five others have started since then', async () => {
    const kit = await socialApp()
    const browser = kit.browser()
    const starts = []
    for (let start = 0; start < 6; start += 1) starts.push(await startFlow(browser, 'google'))
    const [oldest, ...others] = starts
    expect(target(await openCallback(browser, 'google', oldest as URL))).toBe(restart)
    for (const url of others.reverse()) expect(target(await openCallback(browser, 'google', url))).toBe('/dashboard')
  })

  test('works in every browser with account.skipStateCookieCheck', async () => {
    const kit = await socialApp({ account: { skipStateCookieCheck: true } })
    const [own, other] = [kit.browser(), kit.browser()]
    const url = await startFlow(own, 'google')
    expect(own.cookies.size).toBe(0)
    const body = JSON.stringify({ code: 'a', state: stateOf(url) })
    const response = await other.request('/callback/google', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(target(response)).toBe('/dashboard')
    expect(await nameOf(other)).toBe('Ann')
  })

  test('of one provider signs in at no other', async () => {
    const kit = await socialApp()
    for (const path of ['/callback/github', '/callback/acme', '/oauth2/callback/acme']) {
      const browser = kit.browser()
      const url = await startFlow(browser, 'google')
      const response = await browser.request(`${path}?${new URLSearchParams({ code: 'a', state: stateOf(url) })}`)
      expect(target(response)).toMatch(/error=(invalid_code|oauth_code_verification_failed)$/)
      expect(await nameOf(browser)).toBeNull()
    }
    expect(kit.provider.requests).toEqual([])
  })

  test.each(places)('of concurrent callbacks lets one sign in, at %s', async (place) => {
    const provider = await standIn()
    const kit = await withProvider(provider, await openRacers(place, providerConfig(provider.origin)))
    const browser = kit.browser()
    const url = await startFlow(browser, 'google')
    const answers = await race(kit.browsers(browser), (one) => openCallback(one, 'google', url))
    const targets = answers.map((answer) => target(answer))
    expect(targets.filter((one) => one === '/dashboard')).toHaveLength(1)
    expect(targets.filter((one) => one === restart)).toHaveLength(many - 1)
    expect(provider.requests.filter((request) => request.method === 'POST')).toHaveLength(1)
    expect(await kit.app.db.selectFrom('session').select('id').execute()).toHaveLength(1)
  })
})

describe('a finished callback that is loaded again', () => {
  test('goes on to its target, without another sign-in', async () => {
    const kit = await socialApp()
    const browser = kit.browser()
    const url = await startFlow(browser, 'google', { body: { newUserCallbackURL: '/welcome' } })
    expect(target(await openCallback(browser, 'google', url))).toBe('/welcome')
    const requests = kit.provider.requests.length
    const again = await openCallback(browser, 'google', url)
    expect([target(again), again.setCookie]).toEqual(['/welcome', []])
    expect(kit.provider.requests).toHaveLength(requests)
    expect(await kit.app.db.selectFrom('session').select('id').execute()).toHaveLength(1)
  })

  test('goes on also at the path of generic providers, and after a link', async () => {
    const kit = await socialApp()
    const browser = kit.browser()
    await kit.signIn(browser, 'google')
    const started = await browser.call('POST /oauth2/link', { body: { providerId: 'acme', callbackURL: '/linked' } })
    const path = `/oauth2/callback/acme?${new URLSearchParams({ code: 'a', state: stateOf(new URL(started.body.url)) })}`
    expect(target(await browser.request(path))).toBe('/linked')
    expect(target(await browser.request(path))).toBe('/linked')
  })

  test.each([
    ['another browser', () => {}],
    ['a browser that is signed in again', async (kit: SocialApp, other: Browser) => void (await kit.signIn(other, 'google'))],
  ] as readonly [string, (kit: SocialApp, other: Browser) => unknown][])('fails in %s', async (_, prepare) => {
    const kit = await socialApp()
    const [own, other] = [kit.browser(), kit.browser()]
    const url = await startFlow(own, 'google')
    const bound = [...own.cookies]
    await openCallback(own, 'google', url)
    await prepare(kit, other)
    for (const [name, value] of bound) other.cookies.set(name, value)
    expect(target(await openCallback(other, 'google', url))).toBe(restart)
  })

  test('fails after sign-out, and when its state has expired', async () => {
    const kit = await socialApp()
    const [leaving, waiting] = [kit.browser(), kit.browser()]
    const [first, second] = [await startFlow(leaving, 'google'), await startFlow(waiting, 'google')]
    await openCallback(leaving, 'google', first)
    await openCallback(waiting, 'google', second)
    await leaving.call('POST /sign-out', { body: {} })
    expect(target(await openCallback(leaving, 'google', first))).toBe(restart)
    kit.clock.advance(600)
    expect(target(await openCallback(waiting, 'google', second))).toBe(restart)
  })

  test('is signed in also when a hook rejects what it stores', async () => {
    const before = vi.fn<() => false | undefined>()
    const kit = await socialApp({ databaseHooks: { verification: { create: { before } } } } as never)
    const browser = kit.browser()
    const url = await startFlow(browser, 'google')
    before.mockReturnValue(false)
    expect(target(await openCallback(browser, 'google', url))).toBe('/dashboard')
    expect(await nameOf(browser)).toBe('Ann')
    expect(target(await openCallback(browser, 'google', url))).toBe(restart)
  })
})

test('the row reveals neither the state nor the code verifier, without the secret', async () => {
  const kit = await socialApp()
  const browser = kit.browser()
  const url = await startFlow(browser, 'google', { body: { callbackURL: '/secret-place' } })
  const rows = await kit.app.db.selectFrom('verification').selectAll().execute()
  expect(rows).toHaveLength(1)
  await openCallback(browser, 'google', url)
  const verifier = kit.provider.last('/google/token').form.get('code_verifier') ?? ''
  expect(verifier).toMatch(/^[\w-]{128}$/)
  for (const hidden of [verifier, stateOf(url), '/secret-place', 'codeVerifier'])
    expect(JSON.stringify(rows)).not.toContain(hidden)
  const other = createKeyring(['another secret, 0123456789 abcdefghijklmnop'])
  expect(() => other.decrypt('oauth-state', rows[0]?.value ?? '')).toThrow()
})

test('the log contains no code, verifier, state or token, also when a flow fails', async () => {
  const kit = await socialApp({ log: { level: 'debug' }, genericOAuth: { config: [{ pkce: true }] } } as never)
  const secrets: string[] = []
  const failures = {
    none: {},
    code: { 'POST /token': respondWith(400, '{"error":"invalid_grant","error_description":"secret-in-response"}') },
    tokens: { 'POST /token': respondWith(200, '{"access_token":"secret-in-response","token_type":7}') },
    profile: { 'GET /userinfo': respondWith(500, 'secret-in-response') },
    fields: { 'GET /userinfo': { sub: '7', email: 'secret-in-response'.repeat(100) } },
  }
  for (const endpoints of Object.values(failures)) {
    kit.provider.set(endpoints)
    const browser = kit.browser()
    const url = await startFlow(browser, 'acme')
    const code = kit.codeFor({ ...ann, email: 'secret-in-response'.repeat(100) })
    await browser.request(`/oauth2/callback/acme?${new URLSearchParams({ code, state: stateOf(url) })}`)
    secrets.push(stateOf(url), kit.provider.last('/token').form.get('code_verifier') ?? '', code)
  }
  kit.provider.set({
    'POST /google/token': { access_token: 'secret-in-response', token_type: 'bearer', id_token: 'secret.in.response' },
  })
  await kit.signIn(kit.browser(), 'google')
  const log = kit.log.join('\n')
  expect(log).toContain('did not accept a code')
  for (const secret of [...secrets.filter(Boolean), 'secret-in-response', 'client-secret']) expect(log).not.toContain(secret)
})
