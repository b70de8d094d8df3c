/** A rule demands a second factor: the page on which it is set up before the sign-in is complete, and the bar while there is time. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type HostedPages, withChromium } from '../kit/hosted-pages.ts'
import { authenticator } from '../kit/second-factor.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const picture = (name: string) => process.env.PICTURES && `${process.env.PICTURES}/${name}.png`

async function shoot(page: Page, name: string): Promise<void> {
  const path = picture(name)
  if (path) await page.screenshot({ path, fullPage: true })
}

/** Ann signed up days ago, and is staff. */
async function withStaff(graceDays: number, dashboard: object = {}) {
  const site = await hostedPages({
    ...{ admin: true, passkey: true, phoneNumber: true, sms: { catch: true }, mail: { catch: true }, dashboard },
    twoFactor: { required: [{ roles: ['staff'], methods: ['passkey', 'totp', 'sms'], graceDays }] },
  })
  const { app } = site.kit
  await site.kit.browser().call('POST /sign-up/email', { body: ann }, { origin: site.origin })
  const createdAt = new Date(app.now().getTime() - 3 * 86_400_000)
  const columns = { role: 'staff', createdAt, emailVerified: true, phoneNumber: '+491701234567', phoneNumberVerified: true }
  await app.db.updateTable('user').set(columns).where('email', '=', ann.email).execute()
  return site
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** The code of the only email with one. */
async function sentCode({ kit: { app } }: HostedPages): Promise<string> {
  const read = async () => {
    const sent = app.db.selectFrom('caughtMail').select('subject').where('kind', '=', 'two-factor-code')
    return /\d{6}/.exec((await sent.executeTakeFirst())?.subject ?? '')?.[0] ?? ''
  }
  await expect.poll(read).toMatch(/^\d{6}$/)
  return read()
}

test('an authenticator app completes the sign-in, after the code to the mailbox and with backup codes to keep', async () => {
  const site = await withStaff(0)
  const page = await site.open('/sign-in?callbackURL=%2Faccount%2Fsessions', { viewport: { width: 320, height: 800 } })
  await signIn(page)
  await page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor()
  await page.getByText('We sent a code to a…@example.com.').waitFor()
  await shoot(page, 'code')
  const code = await sentCode(site)
  await page.getByLabel('Code').fill(code === '000000' ? '111111' : '000000')
  await page.getByText('The code is wrong, or was used already.').waitFor()
  await page.getByLabel('Code').fill(code)
  await page.getByRole('heading', { level: 2, name: 'Choose a second factor' }).waitFor()
  await shoot(page, 'choice')
  await page.getByRole('button', { name: 'Authenticator app' }).click()
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  await shoot(page, 'app')
  const key = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? ''
  const uri = `otpauth://totp/A:a?secret=${key}&digits=6&period=30`
  await page.getByRole('textbox', { name: 'Code' }).fill(authenticator(uri, site.kit.app)())
  await page.getByRole('heading', { level: 1, name: 'Keep your backup codes' }).waitFor()
  await shoot(page, 'codes')
  const next = page.getByRole('button', { name: 'Continue' })
  expect(await next.getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('button', { name: 'Download' }).click()
  await next.click()
  await page.waitForURL('**/account/sessions')
})

test('a code by text message is another way; a user who cancels is back at the sign-in', async () => {
  const site = await withStaff(0)
  const page = await site.open('/sign-in', { colorScheme: 'dark' })
  await signIn(page)
  await page.getByLabel('Code').fill(await sentCode(site))
  await page.getByRole('heading', { level: 2, name: 'Choose a second factor' }).waitFor()
  await shoot(page, 'choice-dark')
  await page.getByRole('button', { name: 'Codes by text message' }).click()
  await page.getByRole('heading', { level: 2, name: 'Enter the code from the text message' }).waitFor()
  await shoot(page, 'text-dark')
  await page.getByRole('button', { name: 'Choose another way' }).click()
  await page.getByRole('button', { name: 'Cancel sign-in' }).click()
  await page.waitForURL('**/sign-in')
  await page.goto(`${site.origin}/two-factor/setup`)
  await page.getByRole('heading', { level: 1, name: 'Your sign-in is over' }).waitFor()
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await page.waitForURL('**/sign-in')
})

test('without JavaScript, the page says that it needs it', async () => {
  const site = await withStaff(0)
  const page = await site.open('/sign-in', { javaScriptEnabled: false })
  await signIn(page)
  await page.waitForURL('**/two-factor/setup**')
  expect(await page.locator('body').innerText()).toContain('This page needs JavaScript.')
})

test('a passkey is one press', async () => {
  const site = await withStaff(0, { locales: ['de'] })
  const page = await site.open('/sign-in')
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  })
  await page.locator('input[name=email]').fill(ann.email)
  await page.locator('input[name=password]').fill(ann.password)
  await page.locator('form:has(input[name=password]) button[type=submit]').click()
  await page.getByRole('heading', { level: 1, name: 'Zweiten Faktor einrichten' }).waitFor()
  await page.locator('input[name=code]').fill(await sentCode(site))
  await page.getByRole('button', { name: 'Passkey' }).waitFor()
  await shoot(page, 'choice-de')
  await page.getByRole('button', { name: 'Passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bewahren Sie Ihre Ersatzcodes auf' }).waitFor()
  await shoot(page, 'codes-de')
})

test('while there is time, a bar on each page of the account leads to the set-up', async () => {
  const site = await withStaff(14)
  const page = await site.open('/sign-in?callbackURL=%2Faccount%2Fsessions')
  await signIn(page)
  await page.waitForURL('**/account/sessions')
  const bar = page.getByRole('complementary', { name: 'Second factor' })
  await bar.getByText('Your account needs a second factor by').waitFor()
  await shoot(page, 'bar')
  await bar.getByRole('link', { name: 'Set it up' }).click()
  await page.waitForURL('**/account/security')
})

test('the dialog to sign in again leads to the set-up that a rule demands, and back to the page', async () => {
  const site = await withStaff(0)
  const { app, clock } = site.kit
  const role = (name: string) => app.db.updateTable('user').set({ role: name }).where('email', '=', ann.email).execute()
  await role('user')
  const page = await site.openAs(ann, '/account/data')
  await role('staff')
  clock.advance(2 * 86_400)
  await page.getByRole('button', { name: 'Download data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enter your password to continue' })
  await dialog.getByLabel('Password', { exact: true }).fill(ann.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor()
  expect(new URL(page.url()).searchParams.get('callbackURL')).toBe(`${site.origin}/account/data`)
  await page.getByLabel('Code').fill(await sentCode(site))
  await page.getByRole('button', { name: 'Authenticator app' }).click()
  const key = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? ''
  const code = authenticator(`otpauth://totp/A:a?secret=${key}&digits=6&period=30`, app)()
  await page.getByRole('textbox', { name: 'Code' }).fill(code)
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/account/data')
})
