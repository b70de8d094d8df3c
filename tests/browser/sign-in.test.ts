import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { browsers, storages, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
/** An address of this origin that is not a page of the dashboard. */
const target = '/api/auth/ok'
const withTarget = `?callbackURL=${encodeURIComponent(target)}`
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

async function fillSignIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe.each(browsers)('%s', (_, options) => {
  describe.each(storages)('on %s', (storage) => {
    test('signs up, verifies the email address and returns to the app', async () => {
      const config = { emailAndPassword: { enabled: true, requireEmailVerification: true } }
      const { open, origin, mailedLink } = await hostedPages(config, { storage })
      const page = await open(`/sign-up${withTarget}`, options)
      await page.getByLabel('Name', { exact: true }).fill(ada.name)
      await page.getByLabel('Email').fill(ada.email)
      await page.getByLabel('Password', { exact: true }).fill(ada.password)
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByRole('heading', { level: 1, name: 'Check your email' }).waitFor()
      await page.getByText(ada.email).waitFor()
      expect(page.url()).not.toContain('ada')
      await page.goto(await mailedLink(ada.email))
      await page.getByRole('button', { name: 'Verify email address' }).click()
      await page.getByRole('heading', { level: 1, name: 'Your email address is verified' }).waitFor()
      await page.getByRole('link', { name: 'Sign in' }).click()
      await fillSignIn(page)
      await page.waitForURL(`${origin}${target}`)
    })
  })

  test('returns to a trusted app', async () => {
    const { kit, open, origin } = await hostedPages()
    await kit.browser().call('POST /sign-up/email', { body: ada })
    const page = await open(`/sign-in${withTarget}`, options)
    await fillSignIn(page)
    await page.waitForURL(`${origin}${target}`)
  })

  test('keeps the email after a wrong password, and says what is wrong', async () => {
    const { kit, open } = await hostedPages()
    await kit.browser().call('POST /sign-up/email', { body: ada })
    const page = await open('/sign-in', options)
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill('wrong horse battery')
    await page.keyboard.press('Enter')
    await page.getByText('Email or password is incorrect.').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(ada.email)
  })
})

test('says that no sign-in method is enabled, and shows disabled pages as any page that does not exist', async () => {
  const { open, origin } = await hostedPages({ emailAndPassword: { enabled: false } })
  const page = await open('/sign-in')
  await page.getByText('No sign-in method is enabled on this site.').waitFor()
  for (const path of ['/sign-up', '/forgot-password']) {
    await page.goto(`${origin}${path}`)
    await page.getByRole('main').getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await page.getByRole('contentinfo').waitFor()
  }
})
