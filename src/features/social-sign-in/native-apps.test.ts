/** Social sign-in of native apps, which open the system browser: the wire of the published Expo client (contract 03 §2). */
import { describe, expect, test } from 'vitest'
import type { Browser } from '../../../tests/kit/browser.ts'
import { nameOf } from '../../../tests/kit/browser.ts'
import { openCallback, respondWith, standIn } from '../../../tests/kit/provider-stand-in.ts'
import { openRacers, places, race } from '../../../tests/kit/race.ts'
import { ann, providerConfig, type SocialApp, socialApp, target, withProvider } from '../../../tests/kit/social.ts'

const restart = 'http://localhost:3000/api/auth/error?error=please_restart_the_process'
const proxy = '/expo-authorization-proxy'
const callbackURL = 'myapp://dashboard'
/** As the published clients of 1.2.12 and 1.7 send it from an app. */
const fromApp = { 'expo-origin': 'myapp://', 'x-skip-oauth-proxy': 'true', cookie: '' }

const nativeApp = () => socialApp({ trustedOrigins: ['myapp://', 'https://app.example.com'] })

async function start(app: Browser, body: object = {}, provider = 'google'): Promise<URL> {
  const {
    status,
    body: started,
    setCookie,
  } = await app.call('POST /sign-in/social', { body: { provider, callbackURL, ...body } }, fromApp)
  expect([status, started.redirect, setCookie]).toEqual([200, true, []])
  return new URL(started.url)
}

/** Opens an address in the system browser. @returns the URL of the provider, with the state */
async function open(browser: Browser, address: URL): Promise<URL> {
  const response = await browser.request(`${proxy}${address.search}`)
  expect(response.status).toBe(302)
  return new URL(target(response) ?? '')
}

/** The cookies that the deep link hands over, as the client of 1.2.12 reads them. */
function handedOver(deepLink: string | null): Map<string, string> {
  const cookies = new URL(deepLink ?? '').searchParams.get('cookie')?.split(', ') ?? []
  return new Map(cookies.map((cookie) => (cookie.split('; ')[0] ?? '').split('=') as [string, string]))
}

const useIn = (app: Browser, cookies: Map<string, string>) => {
  for (const [name, value] of cookies) app.cookies.set(name, value)
}

describe('a sign-in that an app starts', () => {
  test.each([
    ['1.2.12, which opens the address itself', (address: URL) => address],
    [
      '1.7, which opens the address within its own',
      (address: URL) => new URL(`http://localhost:3000${proxy}?${new URLSearchParams({ authorizationURL: address.href })}`),
    ],
  ])('hands its session to the client of %s, and signs no browser in', async (_, addressOf) => {
    const kit = await nativeApp()
    const [app, browser] = [kit.browser(), kit.browser()]
    const address = await start(app)
    expect(address.origin + address.pathname).toBe(`http://localhost:3000/api/auth${proxy}`)
    const url = await open(browser, addressOf(address))
    expect(url.origin).toBe('https://accounts.google.com')
    expect([...browser.cookies.keys()]).toEqual(['latchkey.state'])
    const callback = await openCallback(browser, 'google', url)
    expect(target(callback)).toMatch(/^myapp:\/\/dashboard\?cookie=/)
    expect(callback.setCookie).toEqual([expect.stringMatching(/^latchkey\.state=; Max-Age=0/)])
    expect([...browser.cookies.keys()]).toEqual([])
    const cookies = handedOver(target(callback))
    expect([...cookies.keys()]).not.toContain('latchkey.state')
    useIn(app, cookies)
    expect(await nameOf(app)).toBe('Ann')
  })

  test('leaves the session of the system browser as it is', async () => {
    const kit = await nativeApp()
    const [app, browser] = [kit.browser(), kit.browser()]
    await kit.signIn(browser, 'google')
    const before = [...browser.cookies]
    const callback = await openCallback(browser, 'google', await open(browser, await start(app)))
    expect([...browser.cookies]).toEqual(before)
    expect(await nameOf(browser)).toBe('Ann')
    useIn(app, handedOver(target(callback)))
    expect(await nameOf(app)).toBe('Ann')
  })

  test('opens the page for new users of the app, and that for errors', async () => {
    const kit = await nativeApp()
    const pages = { newUserCallbackURL: 'myapp://welcome', errorCallbackURL: 'myapp://failed' }
    const browser = kit.browser()
    const created = await openCallback(browser, 'google', await open(browser, await start(kit.browser(), pages)))
    expect(target(created)).toMatch(/^myapp:\/\/welcome\?cookie=/)
    const web = { newUserCallbackURL: 'https://app.example.com/welcome' }
    const bob = kit.codeFor({ ...ann, sub: 'bob', email: 'bob@example.com' })
    const elsewhere = await openCallback(browser, 'google', await open(browser, await start(kit.browser(), web)), { code: bob })
    expect(target(elsewhere)).toMatch(/^myapp:\/\/dashboard\?cookie=/)
    kit.provider.set({ 'POST /google/token': respondWith(500, 'oops') })
    const failed = await openCallback(browser, 'google', await open(browser, await start(kit.browser(), pages)))
    expect(target(failed)).toBe('myapp://failed?error=invalid_code')
  })

  test('works also with cookies in the app, and when every sender must have an origin', async () => {
    const kit = await socialApp({ trustedOrigins: ['myapp://'], advanced: { requireOrigin: true } })
    const response = await kit
      .browser()
      .call('POST /sign-in/social', { body: { provider: 'google', callbackURL } }, { ...fromApp, cookie: 'latchkey.state=old' })
    expect([response.status, response.body.url]).toEqual([200, expect.stringContaining(proxy)])
  })

  test.each([
    ['an untrusted scheme', { callbackURL: 'evil://x' }, fromApp, 'INVALID_CALLBACKURL'],
    ['an app that is not trusted', {}, { ...fromApp, 'expo-origin': 'evil://' }, 'INVALID_ORIGIN'],
  ])('is rejected for %s', async (_, body, headers, code) => {
    const kit = await nativeApp()
    const response = await kit
      .browser()
      .call('POST /sign-in/social', { body: { provider: 'google', callbackURL, ...body } }, headers)
    expect([response.status, response.body.code]).toEqual([403, code])
  })
})

describe('a starting address', () => {
  test.each(places)('works once, also when it is opened concurrently, at %s', async (place) => {
    const provider = await standIn()
    const config = providerConfig(provider.origin, { trustedOrigins: ['myapp://'] })
    const kit = await withProvider(provider, await openRacers(place, config))
    const address = await start(kit.browser())
    const answers = await race(kit.browsers(kit.browser()), (one) => one.request(`${proxy}${address.search}`))
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 302)
    expect(new Set(others.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['400 INVALID_AUTHORIZATIONURL']))
  })

  test.each<[string, (kit: SocialApp) => Promise<string> | string]>([
    ['a URL elsewhere', () => 'https://evil.example/?state=x'],
    ['no URL', () => 'dashboard'],
    ['its own path', () => `http://localhost:3000/api/auth${proxy}`],
    [
      'a sign-in that a browser started',
      async (kit) =>
        (await kit.browser().call('POST /sign-in/social', { body: { provider: 'google', callbackURL: '/in' } })).body.url,
    ],
    [
      'a link, which would be to the account of an attacker',
      async (kit) => {
        const app = kit.browser()
        await kit.signIn(app, 'google')
        const { body } = await app.call('POST /link-social', { body: { provider: 'github', callbackURL } })
        expect(body.url).toMatch(/^https:\/\/github\.com\//)
        return body.url
      },
    ],
    [
      'a sign-in whose provider was replaced',
      async (kit) => {
        const address = await start(kit.browser())
        return address.searchParams.get('authorizationURL')?.replace('accounts.google.com', 'evil.example') ?? ''
      },
    ],
    [
      'the state of a sign-in at another URL',
      async (kit) => `${(await start(kit.browser())).searchParams.get('authorizationURL')}&x=1`,
    ],
  ])('is none for %s', async (_, urlOf) => {
    const kit = await nativeApp()
    const browser = kit.browser()
    const response = await browser.request(`${proxy}?${new URLSearchParams({ authorizationURL: await urlOf(kit) })}`)
    expect([response.status, response.body, response.setCookie]).toEqual([
      400,
      { code: 'INVALID_AUTHORIZATIONURL', message: 'Invalid authorizationURL' },
      [],
    ])
  })

  test('is left out unless the scheme of an app is trusted', async () => {
    const { browser } = await socialApp({ trustedOrigins: ['https://app.example.com'] })
    expect((await browser().request(`${proxy}?authorizationURL=x`)).status).toBe(404)
  })

  test('must be opened: the callback works in no browser that has not', async () => {
    const kit = await nativeApp()
    const url = new URL((await start(kit.browser())).searchParams.get('authorizationURL') ?? '')
    const browser = kit.browser()
    expect(target(await openCallback(browser, 'google', url))).toBe(restart)
  })

  test('is not returned to a page, whatever target it names', async () => {
    const kit = await nativeApp()
    for (const headers of [{ origin: 'https://app.example.com' }, { 'sec-fetch-site': 'same-origin' }]) {
      const { body, setCookie } = await kit
        .browser()
        .call('POST /sign-in/social', { body: { provider: 'google', callbackURL } }, headers)
      expect([body.url, setCookie]).toEqual([
        expect.stringMatching(/^https:\/\/accounts/),
        [expect.stringMatching(/^latchkey\.state=/)],
      ])
    }
  })
})
