/** Sign-in with a real OpenID provider on another site, in a real browser on the hosted pages. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withChromium } from '../kit/hosted-pages.ts'
import { openidProvider, setToRealTime } from '../kit/openid-provider.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

async function withProvider(settings: object = {}) {
  const provider = await openidProvider()
  const pages = await hostedPages({
    genericOAuth: { config: [{ ...provider.settings, name: 'Acme', ...settings }] },
  })
  provider.register(pages.origin)
  setToRealTime(pages.kit.clock)
  return { ...pages, provider }
}

/** Calls the API with the cookies of the page, which is one of the hosted pages. */
async function call(page: Page, path: string, data?: object) {
  const { origin } = new URL(page.url())
  const method = data === undefined ? 'GET' : 'POST'
  const response = await page.context().request.fetch(`${origin}/api/auth${path}`, { method, data, headers: { origin } })
  return { status: response.status(), body: await response.json() }
}

const continueWith = (page: Page) => page.getByRole('button', { name: 'Continue with Acme' })
const note = (page: Page, text: string) => page.getByRole('main').getByRole('status').filter({ hasText: text })

/** Signs in on the page of the provider. */
async function continueAs(page: Page, account: string) {
  await page.getByLabel('Account').fill(account)
  await page.getByRole('button', { name: 'Continue' }).click()
}

const userOf = async (page: Page) => (await call(page, '/get-session')).body?.user
const linked = async (page: Page) => {
  const { body } = await call(page, '/list-accounts')
  return body.map(({ provider }: { provider: string }) => provider).sort()
}

describe('a real OpenID provider', () => {
  test('signs up, and signs in again without a page of the provider', async () => {
    const { open, origin } = await withProvider()
    const page = await open('/sign-in')
    await continueWith(page).click()
    await continueAs(page, 'ann')
    await page.waitForURL(`${origin}/account`)
    const user = await userOf(page)
    expect(user?.name).toBe('Ann')
    await call(page, '/sign-out', {})
    await page.goto(`${origin}/sign-in`)
    expect(await userOf(page)).toBeUndefined()
    await continueWith(page).click()
    await page.waitForURL(`${origin}/account`)
    expect((await userOf(page))?.id).toBe(user?.id)
  })

  test('links an account, signs in with it, and unlinks it', async () => {
    const { kit, open, openAs, origin } = await withProvider()
    await kit.browser().call('POST /sign-up/email', { body: ann })
    const page = await openAs(ann, '/account/password')
    await page.getByRole('button', { name: 'Link Acme' }).click()
    await continueAs(page, 'ann')
    await note(page, 'Acme is linked.').waitFor()
    expect(await linked(page)).toEqual(['acme', 'credential'])
    const other = await open('/sign-in')
    await continueWith(other).click()
    await continueAs(other, 'ann')
    await other.waitForURL(`${origin}/account`)
    expect((await userOf(other))?.id).toBe((await userOf(page))?.id)
    await page.getByRole('button', { name: 'Unlink Acme' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink Acme' }).click()
    await note(page, 'Acme was unlinked.').waitFor()
    expect(await linked(page)).toEqual(['credential'])
  })

  test('refreshes an access token that has expired', async () => {
    const offline = { scopes: ['openid', 'email', 'profile', 'offline_access'], prompt: 'consent' }
    const { kit, open, origin } = await withProvider(offline)
    const page = await open('/sign-in')
    await continueWith(page).click()
    await continueAs(page, 'ann')
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
    const { open, origin } = await withProvider({ responseMode: 'form_post' })
    const page = await open('/sign-in')
    const callbacks: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.includes('/callback/')) callbacks.push(`${response.request().method()} ${response.status()}`)
    })
    await continueWith(page).click()
    await continueAs(page, 'ann')
    await page.waitForURL(`${origin}/account`)
    expect(callbacks).toEqual(['POST 303', 'GET 302'])
    expect((await userOf(page))?.name).toBe('Ann')
  })
})

test('explains that the user canceled', async () => {
  const { open } = await withProvider()
  const page = await open('/sign-in')
  await continueWith(page).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('You did not allow the sign-in at the provider.').waitFor()
  expect(await userOf(page)).toBeUndefined()
})

test('does not sign in a browser that did not start the sign-in', async () => {
  const { open, origin } = await withProvider()
  const [attacker, victim] = [await open('/sign-in'), await open('/sign-in')]
  const { body } = await call(attacker, '/sign-in/social', { provider: 'acme', callbackURL: '/account' })
  await victim.goto(body.url)
  await continueAs(victim, 'mallory')
  await victim.waitForURL(`${origin}/**/error?error=please_restart_the_process&requestId=*`)
  await victim.goto(`${origin}/sign-in`)
  expect(await userOf(victim)).toBeUndefined()
})
