/** Sign-in with a real OpenID provider, from its discovery document to the refresh of its tokens. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { type OpenIDProvider, openidProvider, setToRealTime } from '../../../tests/kit/openid-provider.ts'
import { startFlow } from '../../../tests/kit/provider-stand-in.ts'

const offline = { scopes: ['openid', 'email', 'profile', 'offline_access'], prompt: 'consent' }

async function open(options: Parameters<typeof openidProvider>[0] = {}, more: object = {}) {
  const provider = await openidProvider(options)
  const kit = await testApp({ genericOAuth: { config: [{ ...provider.settings, ...more }] } })
  setToRealTime(kit.clock)
  return { ...kit, provider }
}

/** The whole flow. @returns where the callback redirects to */
async function signIn(browser: Browser, provider: OpenIDProvider, account: string | null, options = {}) {
  const url = await startFlow(browser, 'acme', options)
  const back = await provider.visit(url.href, account)
  const { headers } = await browser.request(`/${back.pathname}${back.search}`)
  return headers.get('location')
}

const userOf = async (browser: Browser) => (await browser.call('GET /get-session', {})).body?.user

/** Keys are fetched again at most twice a minute, by the real clock. */
function moveRealClock(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
  onTestFinished(() => void vi.useRealTimers())
}

test.each([
  ['by user info', false],
  ['by ID token', true],
])('signs up, and signs in again, %s', async (_, claimsInIdToken) => {
  const { browser, provider } = await open({ claimsInIdToken })
  const [first, second] = [browser(), browser()]
  expect(await signIn(first, provider, 'ann', { body: { newUserCallbackURL: '/welcome' } })).toBe('/welcome')
  expect(await userOf(first)).toMatchObject({ name: 'Ann', email: 'ann@example.com', emailVerified: true })
  expect(await signIn(second, provider, 'ann', { body: { newUserCallbackURL: '/welcome' } })).toBe('/dashboard')
  expect((await userOf(second)).id).toBe((await userOf(first)).id)
  expect(provider.requests.some((url) => url.startsWith('/me'))).toBe(!claimsInIdToken)
})

test('signs in after the provider has rotated its keys', async () => {
  const { browser, clock, provider } = await open()
  await signIn(browser(), provider, 'ann')
  await provider.rotateKeys()
  moveRealClock(60)
  clock.advance(60)
  expect(await signIn(browser(), provider, 'ann')).toBe('/dashboard')
})

test('redirects with the error when the user cancels', async () => {
  const { browser, provider } = await open()
  expect(await signIn(browser(), provider, null)).toContain(
    'error=access_denied&error_description=The%20user%20canceled%20the%20sign-in',
  )
})

test('refreshes the access token, and the provider accepts each refresh token once', async () => {
  const { browser, clock, provider } = await open({}, offline)
  const visitor = browser()
  await signIn(visitor, provider, 'ann')
  const get = () => visitor.call('POST /get-access-token', { body: { providerId: 'acme' } })
  const first = (await get()).body
  expect((await get()).body.accessToken).toBe(first.accessToken)
  const seen = new Set([first.accessToken])
  for (let round = 0; round < 3; round += 1) {
    clock.advance(3596)
    const { status, body } = await get()
    expect([status, seen.has(body.accessToken)]).toEqual([200, false])
    seen.add(body.accessToken)
  }
  const { body } = await visitor.call('POST /account-info', { body: { accountId: 'ann' } })
  expect(body).toMatchObject({ user: { email: 'ann@example.com' }, data: { sub: 'ann' } })
})
