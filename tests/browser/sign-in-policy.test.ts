/** The page with the sign-in policy, for administrators. */
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { jobs } from '../../src/features/sign-in-policy/index.ts'
import type { Browser } from '../kit/browser.ts'
import { withChromium } from '../kit/hosted-pages.ts'
import { password } from '../kit/members.ts'
import { enrol } from '../kit/second-factor.ts'

const { hostedPages } = withChromium()
const root = { name: 'Root', email: 'root@example.com', password }
const day = 86_400

const rules = [
  { roles: ['staff'], graceDays: 0 },
  { everyone: true as const, graceDays: 14 },
]

/** Three users, of whom Ida has an app since the second day. Root is an administrator, and Max is staff. */
async function withUsers(config: ConfigFile = {}) {
  const pages = await hostedPages({
    ...{ admin: true, mail: { catch: true }, rateLimit: { enabled: false }, passkey: true },
    twoFactor: { required: rules },
    ...config,
  })
  const { kit } = pages
  const count = () => jobs.users?.run(kit.app, new AbortController().signal)
  kit.clock.advance((Date.now() - kit.clock.now().getTime()) / 1000 - day)
  const newBrowser = (): Browser => {
    const client = kit.browser()
    return { ...client, call: (key, input) => client.call(key, input, { origin: pages.origin }) }
  }
  const signUp = async (name: string) => {
    const browser = newBrowser()
    await browser.call('POST /sign-up/email', { body: { name, email: `${name.toLowerCase()}@example.com`, password } })
    return browser
  }
  await signUp('Root')
  const ida = await signUp('Ida')
  await signUp('Max')
  const give = (email: string, role: string) => kit.app.db.updateTable('user').set({ role }).where('email', '=', email).execute()
  await give(root.email, 'admin')
  await give('max@example.com', 'staff')
  await count()
  kit.clock.advance(day)
  if (kit.app.config.twoFactor.enabled) await enrol(kit, ida)
  await count()
  return pages
}

const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name, exact: true })
const item = (page: Page, name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name })

/** For a look at it, when it is asked for. */
async function picture(page: Page, name: string): Promise<void> {
  const { PICTURES } = process.env
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true })
}

test('the page shows the rules with whom they concern, and how many users have a second factor', async () => {
  const { openAs } = await withUsers()
  const page = await openAs(root, '/admin')
  await page.getByRole('link', { name: 'Sign-in policy' }).click()
  await page.waitForURL('**/admin/sign-in-policy')
  await item(page, 'Role staff').getByText('Must set one up').waitFor()
  expect(await item(page, 'Role staff').first().textContent()).toMatch(/Users1.*Have a second factor00%.*next sign-in1100%/)
  expect(await item(page, 'Every user').first().textContent()).toMatch(/Users3.*second factor133.3%.*Have time left266.7%/)
  expect(await region(page, 'With a second factor').textContent()).toContain('33.3%of 3 users')
  expect(await region(page, 'One sign-in method only').textContent()).toMatch(/3of 3 users.*Password3100%/)
  await picture(page, 'policy')
  await region(page, 'With a second factor').getByText('Table').click()
  expect(await region(page, 'With a second factor').getByRole('row').count()).toBe(3)
  await region(page, 'With a second factor').getByRole('link', { name: 'Show users without a second factor' }).click()
  await page.waitForURL('**/admin/users?**secondFactor=without**')
})

test('without second factors, the page shows what to configure', async () => {
  const { openAs } = await withUsers({ twoFactor: false, passkey: false })
  const page = await openAs(root, '/admin/sign-in-policy')
  await page.getByText('Second factors are off').waitFor()
  await page.getByText("required: [{ roles: ['admin'], graceDays: 0 }]").waitFor()
  expect(await page.getByText('With a passkey').count()).toBe(0)
  await picture(page, 'off')
})

const narrow: BrowserContextOptions = { viewport: { width: 320, height: 720 }, colorScheme: 'dark', locale: 'de' }

test('at 320 px and in German, nothing is wider than the page', async () => {
  const { openAs } = await withUsers()
  const page = await openAs(root, '/admin/sign-in-policy', narrow)
  await page.getByText('Wer einen zweiten Faktor braucht').waitFor()
  expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')).toBe(false)
  await picture(page, 'narrow')
})
