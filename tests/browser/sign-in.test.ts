import { describe, expect, test } from 'vitest'
import { storages, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

describe.each(storages)('the sign-in page on %s', (_, storage) => {
  test('returns to a trusted app', async () => {
    const { kit, open, origin } = await hostedPages(storage)
    await kit.browser().call('POST /sign-up/email', { body: ada })
    const page = await open(`/sign-in?callbackURL=${encodeURIComponent('/api/auth/ok')}`)
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${origin}/api/auth/ok`)
  })

  test('keeps the email after a wrong password, and says what is wrong', async () => {
    const { kit, open } = await hostedPages(storage)
    await kit.browser().call('POST /sign-up/email', { body: ada })
    const page = await open('/sign-in')
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
