/** What administrators see of the second factors of a user, the explanation of a sign-in, and the reset. */
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import type { Browser } from '../kit/browser.ts'
import { withChromium } from '../kit/hosted-pages.ts'
import { password } from '../kit/members.ts'
import { enrol, signInAs, verify } from '../kit/second-factor.ts'

const { hostedPages } = withChromium()
const root = { name: 'Root', email: 'root@example.com', password }
const ida = { name: 'Ida', email: 'ida@example.com', password }

/** Ida has an app, a passkey, and a trusted browser; one code was wrong. */
async function withIda(admin: ConfigFile['admin'] = true) {
  const pages = await hostedPages({
    admin,
    mail: { catch: true },
    rateLimit: { enabled: false },
    twoFactor: true,
    passkey: true,
  })
  const { kit } = pages
  kit.clock.advance((Date.now() - kit.clock.now().getTime()) / 1000)
  const newBrowser = (): Browser => {
    const client = kit.browser()
    return { ...client, call: (key, input) => client.call(key, input, { origin: pages.origin }) }
  }
  await newBrowser().call('POST /sign-up/email', { body: root })
  await kit.app.db.updateTable('user').set({ role: 'admin', emailVerified: true }).execute()
  const browser = newBrowser()
  const { body } = await browser.call('POST /sign-up/email', { body: ida })
  const userId = String(body.user.id)
  const { code } = await enrol(kit, browser)
  const trusted = newBrowser()
  await signInAs(trusted, 'Ida')
  await verify(trusted, '000000')
  await verify(trusted, code(), { trustDevice: true })
  const { app } = kit
  const passkey = {
    ...{ id: app.random.id(), name: 'Work laptop', publicKey: 'key', userId, credentialID: 'one', credentialHash: 'one' },
    ...{ counter: 0, deviceType: 'multiDevice', backedUp: true, transports: 'internal', rpID: 'localhost' },
    ...{ createdAt: app.now(), aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd' },
  }
  await app.db.insertInto('passkey').values(passkey).execute()
  return { ...pages, path: `/admin/users/${userId}?tab=security` }
}

const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name, exact: true })

/** For a look at it, when it is asked for. */
async function picture(page: Page, name: string): Promise<void> {
  const { PICTURES } = process.env
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true })
}

test('the page of a user shows their second factors, passkeys, trusted browsers and wrong codes', async () => {
  const { openAs, path } = await withIda()
  const page = await openAs(root, path)
  await section(page, 'Second factors').getByText('Authenticator app').waitFor()
  expect(await section(page, 'Second factors').textContent()).toContain('10 codes left')
  expect(await section(page, /^Passkeys/).textContent()).toMatch(/Work laptop.*Apple Passwords/)
  expect(await section(page, /^Trusted browsers/).textContent()).toContain('trusted until')
  const failures = section(page, 'Failed second factors')
  await failures.getByRole('link', { name: 'View in the audit log' }).waitFor()
  await picture(page, 'security')
  await failures.getByRole('link', { name: 'View in the audit log' }).click()
  await page.waitForURL('**/admin/events?**action=two-factor.failed**')
})

test('an administrator whose role lacks reset-two-factor sees the factors, and cannot reset them', async () => {
  const roles = { admin: { user: ['list', 'set-role', 'ban'] }, user: {} }
  const { openAs, path, origin } = await withIda({ enabled: true, roles })
  const page = await openAs(root, path)
  await section(page, 'Second factors').getByText('Authenticator app').waitFor()
  expect(await page.getByRole('button', { name: 'Explain sign-in' }).count()).toBe(1)
  expect(await page.getByRole('button', { name: 'Reset second factors' }).count()).toBe(0)
  const [, userId = ''] = /users\/([^?]+)/.exec(path) ?? []
  const response = await page.request.post(`${origin}/api/auth/admin/reset-two-factor`, {
    data: { userId, reason: 'Lost phone' },
    headers: { origin },
  })
  expect([response.status(), (await response.json()).code]).toEqual([403, 'YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS'])
})

test('the explanation says what the next sign-in demands, for each method', async () => {
  const { openAs, path } = await withIda()
  const page = await openAs(root, path)
  await page.getByRole('button', { name: 'Explain sign-in' }).click()
  const dialog = page.getByRole('dialog', { name: 'How Ida signs in' })
  const line = (text: string) => dialog.getByRole('listitem').filter({ hasText: text })
  await line('Trusted browsers').filter({ hasText: '1 browser is trusted' }).waitFor()
  expect(await line('Authenticator app').first().textContent()).toContain('Offered')
  await picture(page, 'explanation')
  await dialog.getByLabel('Sign-in method').selectOption('Passkey')
  await line('The method proves two factors in one').waitFor()
})

test('the reset asks for a reason, and shows its effects before it is confirmed', async () => {
  const { openAs, path, kit } = await withIda()
  const page = await openAs(root, path)
  await page.getByRole('button', { name: 'Reset second factors' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Reset the second factors of Ida?' })
  const confirm = dialog.getByRole('button', { name: 'Reset second factors' })
  expect(await confirm.getAttribute('aria-disabled')).toBe('true')
  await dialog.getByText('10 backup codes stop working.').waitFor()
  await dialog.getByText('The user gets no email: the address is not verified.').waitFor()
  await dialog.getByText('The next sign-in still needs a second factor: Passkey.').waitFor()
  await dialog.getByLabel('Passkeys').check()
  await dialog.getByText('The next sign-in needs one step only.').waitFor()
  await picture(page, 'reset')
  await dialog.getByLabel('Reason').fill('Lost phone')
  await confirm.click()
  await page.getByRole('main').getByRole('status').filter({ hasText: 'The second factors of Ida were reset.' }).waitFor()
  await page.getByText('No second factor').waitFor()
  const events = await kit.app.db.selectFrom('auditEvent').select('details').where('action', '=', 'two-factor.reset').execute()
  expect(events).toMatchObject([{ details: { reason: 'Lost phone' } }])
})

const narrow: BrowserContextOptions = { viewport: { width: 320, height: 720 }, colorScheme: 'dark', locale: 'de' }

test('at 320 px and in German, nothing is wider than the page', async () => {
  const { openAs, path } = await withIda()
  const page = await openAs(root, path, narrow)
  const isWide = () => page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  await page.getByText('Authenticator-App').first().waitFor()
  expect(await isWide()).toBe(false)
  await picture(page, 'security-320')
  await page.getByRole('button', { name: 'Anmeldung erklären' }).click()
  await page.getByRole('dialog').getByRole('listitem').nth(8).waitFor()
  expect(await isWide()).toBe(false)
  await picture(page, 'explanation-320')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Zweite Faktoren zurücksetzen' }).click()
  await page.getByRole('alertdialog').getByText('Was geschieht').waitFor()
  expect(await isWide()).toBe(false)
  await picture(page, 'reset-320')
})

test('the list of users has a column and a filter for the second factor', async () => {
  const { openAs } = await withIda()
  const page = await openAs(root, '/admin/users?secondFactor=with', { viewport: { width: 1600, height: 900 } })
  const rows = page.getByRole('row')
  await rows.filter({ hasText: 'ida@example.com' }).getByText('Yes').waitFor()
  expect(await rows.filter({ hasText: 'root@example.com' }).count()).toBe(0)
  await picture(page, 'users')
})
