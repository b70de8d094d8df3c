/** Sign-in with a real OpenID provider on another site, in a real browser on the hosted pages. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { storages, withChromium } from '../kit/hosted-pages.ts'
import { openidProvider } from '../kit/openid-provider.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

async function withProvider(storage: ConfigFile, settings: object = {}, more: ConfigFile = {}) {
  const provider = await openidProvider()
  const pages = await hostedPages({ ...storage, ...more, genericOAuth: { config: [{ ...provider.settings, ...settings }] } })
  provider.register(pages.origin)
  return { ...pages, provider }
}

/** Calls the API with the cookies of the page. */
const call = (page: Page, path: string, body?: object) =>
  page.evaluate(
    async ([url, sent]) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(url, sent === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(sent) })
      // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape
      return { status: response.status, body: (await response.json()) as any }
    },
    [`/api/auth${path}`, body] as const,
  )

/** Starts as a page does. @returns the URL of the provider */
async function start(page: Page, path = '/sign-in/social') {
  const { body } = await call(page, path, { provider: 'acme', callbackURL: '/account', errorCallbackURL: '/error' })
  return String(body?.url)
}

/** Continues at the provider, whose page is on another site. */
async function signInAtProvider(page: Page, url: string, account: string) {
  await page.goto(url)
  await page.getByLabel('Account').fill(account)
  await page.getByRole('button', { name: 'Continue' }).click()
}

const userOf = async (page: Page) => (await call(page, '/get-session')).body?.user
const linked = async (page: Page) => {
  const { body } = await call(page, '/list-accounts')
  return body.map(({ provider }: { provider: string }) => provider).sort()
}

describe.each(storages)('a real OpenID provider on %s', (_, storage) => {
  test('signs up, and signs in again without a page of the provider', async () => {
    const { open, origin } = await withProvider(storage)
    const page = await open('/sign-in')
    await signInAtProvider(page, await start(page), 'ann')
    await page.waitForURL(`${origin}/account`)
    const user = await userOf(page)
    expect(user?.name).toBe('Ann')
    await call(page, '/sign-out', {})
    await page.goto(`${origin}/sign-in`)
    expect(await userOf(page)).toBeUndefined()
    await page.goto(await start(page))
    await page.waitForURL(`${origin}/account`)
    expect((await userOf(page))?.id).toBe(user?.id)
  })

  test('links an account, signs in with it, and unlinks it', async () => {
    const { kit, open, openAs, origin } = await withProvider(storage)
    await kit.browser().call('POST /sign-up/email', { body: ann })
    const page = await openAs(ann, '/account')
    await signInAtProvider(page, await start(page, '/link-social'), 'ann')
    await page.waitForURL(`${origin}/account`)
    expect(await linked(page)).toEqual(['acme', 'credential'])
    const other = await open('/sign-in')
    await signInAtProvider(other, await start(other), 'ann')
    await other.waitForURL(`${origin}/account`)
    expect((await userOf(other))?.id).toBe((await userOf(page))?.id)
    expect(await call(page, '/unlink-account', { providerId: 'acme' })).toEqual({ status: 200, body: { status: true } })
    expect(await linked(page)).toEqual(['credential'])
    expect((await call(page, '/unlink-account', { providerId: 'credential' })).status).toBe(400)
  })

  test('refreshes an access token that has expired', async () => {
    const offline = { scopes: ['openid', 'email', 'profile', 'offline_access'], prompt: 'consent' }
    const { kit, open, origin } = await withProvider(storage, offline)
    const page = await open('/sign-in')
    await signInAtProvider(page, await start(page), 'ann')
    await page.waitForURL(`${origin}/account`)
    const tokens = () => call(page, '/get-access-token', { providerId: 'acme' })
    const first = await tokens()
    kit.clock.advance(3600)
    const second = await tokens()
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body?.accessToken).not.toBe(first.body?.accessToken)
    expect((await call(page, '/account-info', { accountId: 'ann' })).body).toMatchObject({ data: { sub: 'ann' } })
  })

  test('signs in by form_post, although the POST of another site has no cookies', async () => {
    const { open, origin } = await withProvider(storage, { responseMode: 'form_post' })
    const page = await open('/sign-in')
    const callbacks: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.includes('/callback/')) callbacks.push(`${response.request().method()} ${response.status()}`)
    })
    await signInAtProvider(page, await start(page), 'ann')
    await page.waitForURL(`${origin}/account`)
    expect(callbacks).toEqual(['POST 303', 'GET 302'])
    expect((await userOf(page))?.name).toBe('Ann')
  })
})

test('returns to the error page when the user cancels', async () => {
  const { open, origin } = await withProvider({})
  const page = await open('/sign-in')
  await page.goto(await start(page))
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL(`${origin}/**`)
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  expect(await userOf(page)).toBeUndefined()
})

test('does not sign in a browser that did not start the sign-in', async () => {
  const { open, origin } = await withProvider({})
  const [attacker, victim] = [await open('/sign-in'), await open('/sign-in')]
  await signInAtProvider(victim, await start(attacker), 'mallory')
  await victim.waitForURL(`${origin}/**`)
  expect(new URL(victim.url()).searchParams.get('error')).toBe('please_restart_the_process')
  await victim.goto(`${origin}/sign-in`)
  expect(await userOf(victim)).toBeUndefined()
})
