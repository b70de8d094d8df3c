/** Second factors in the account area, and in the dialog of a dangerous action. */
import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { type HostedPages, removeCookies, withChromium } from '../kit/hosted-pages.ts'
import { authenticator } from '../kit/second-factor.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const security = '/account/security'

/** A site with Ann, who has a verified number and email address. */
async function withAnn(config: ConfigFile = {}) {
  const site = await hostedPages({
    twoFactor: { otpOptions: { channels: ['sms', 'email'] } },
    phoneNumber: true,
    sms: { catch: true },
    apiKey: true,
    ...config,
  })
  await site.kit.browser().call('POST /sign-up/email', { body: ann })
  const verified = { phoneNumber: '+491701234567', phoneNumberVerified: true, emailVerified: true }
  await site.kit.app.db.updateTable('user').set(verified).execute()
  return site
}

async function enterPassword(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(ann.password)
  await dialog.getByRole('button', { name: button, exact: true }).click()
}

/** Sets up an app by the key that the dialog shows. @returns what it shows now, and the backup codes */
async function setUpApp(page: Page, { kit }: HostedPages, opens = 'Set up authenticator app') {
  await page.getByRole('button', { name: opens }).click()
  await enterPassword(page, 'Next')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  const key = (await dialog.locator('code').textContent())?.replaceAll(' ', '') ?? ''
  const code = authenticator(`otpauth://totp/Acme?secret=${key}&digits=6&period=30`, kit.app)
  await dialog.getByLabel('Code', { exact: true }).fill(code())
  await page.getByRole('dialog', { name: 'Backup codes' }).waitFor()
  return code
}

/** Keeps the codes as a file, and goes on. */
async function keepCodes(page: Page): Promise<readonly string[]> {
  const dialog = page.getByRole('dialog', { name: 'Backup codes' })
  await dialog.waitFor()
  const shown = await dialog.getByRole('listitem').allTextContents()
  const proceed = dialog.getByRole('button', { name: 'Continue' })
  expect(await proceed.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Escape')
  await dialog.waitFor()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toBe(
    `Backup codes for Acme, ann@example.com\n\n${shown.join('\n')}\n`,
  )
  await proceed.click()
  await dialog.waitFor({ state: 'detached' })
  return shown
}

async function enrolled(config: ConfigFile = {}, options: BrowserContextOptions = {}) {
  const site = await withAnn(config)
  const page = await site.openAs(ann, security, options)
  const code = await setUpApp(page, site)
  const backupCodes = await keepCodes(page)
  return { ...site, page, code, backupCodes }
}

const sessions = ({ kit }: HostedPages) => kit.app.db.selectFrom('session').select(['id', 'acr']).execute()

describe('the security of an account', () => {
  test('an app is set up: other devices are signed out, and the next sign-in needs its code', async () => {
    const site = await withAnn()
    const page = await site.openAs(ann, security)
    await page.getByText('Signing in needs only your password.').waitFor()
    const code = await setUpApp(page, site)
    const backupCodes = await keepCodes(page)
    expect(backupCodes).toHaveLength(10)
    await page.getByText('Signing in needs your password and a code. If you lose your phone, you have 10 backup codes.').waitFor()
    await page.getByText('Your authenticator app is set up.').first().waitFor()
    expect(await sessions(site)).toEqual([{ id: expect.any(String), acr: 'urn:latchkey:acr:2' }])
    await page.getByRole('button', { name: 'Account menu of' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/signed-out')
    await page.goto(`${site.origin}/sign-in?callbackURL=%2Faccount%2Fsecurity`)
    await page.getByLabel('Email').fill(ann.email)
    await page.getByLabel('Password', { exact: true }).fill(ann.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    site.kit.clock.advance(30)
    await page.getByLabel('Code', { exact: true }).fill(code())
    await page.waitForURL(`**${security}`)
  })

  test('an app whose last codes came late has a hint about the clock of its device, not an error', async () => {
    const { page, code, kit, origin } = await enrolled()
    const hint = page.getByText('The clock of the device with this app seems to be slow.')
    expect(await hint.count()).toBe(0)
    const browser = kit.browser()
    await browser.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } })
    for (let codes = 0; codes < 3; codes++) {
      kit.clock.advance(90)
      const body = { code: code(-1) }
      expect((await browser.call('POST /two-factor/verify-totp', { body }, { origin })).status).toBe(200)
    }
    await page.reload()
    await hint.waitFor()
  })

  test('a wrong password and a wrong first code are errors at their fields, and nothing is enabled', async () => {
    const site = await withAnn()
    const page = await site.openAs(ann, security)
    await page.getByRole('button', { name: 'Set up authenticator app' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password', { exact: true }).fill('not the password')
    await dialog.getByRole('button', { name: 'Next' }).click()
    await dialog.getByText('The password is incorrect.').waitFor()
    await enterPassword(page, 'Next')
    await dialog.getByRole('img').waitFor()
    await dialog.getByLabel('Code', { exact: true }).fill('00000')
    await dialog.getByRole('button', { name: 'Verify' }).click()
    await dialog.getByText('The code is wrong, or was used already.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Signing in needs only your password.').waitFor()
  })

  test.each([
    [1, true],
    [3, false],
  ])('codes by text message leave %i sessions when other devices are to be signed out: %s', async (left, signsOut) => {
    const site = await withAnn()
    await site.kit.browser().call('POST /sign-in/email', { body: ann })
    const page = await site.openAs(ann, security)
    await page.getByRole('button', { name: 'Turn on codes by text message' }).click()
    const box = page.getByRole('dialog').getByLabel('Sign out all other devices')
    expect(await box.isChecked()).toBe(true)
    await box.setChecked(signsOut)
    await enterPassword(page, 'Turn on')
    await keepCodes(page)
    expect(await sessions(site)).toHaveLength(left)
  })

  test('codes by text message are turned on and off, and what remains is said', async () => {
    const { page, kit } = await enrolled()
    await page.getByRole('button', { name: 'Turn on codes by text message' }).click()
    await enterPassword(page, 'Turn on')
    await page.getByText('Codes by text message are on.').first().waitFor()
    await page.getByText('To •••• ••67').waitFor()
    kit.clock.advance(60)
    await page.getByRole('button', { name: 'Turn off codes by text message' }).click()
    const dialog = page.getByRole('dialog', { name: 'Turn off codes that are sent?' })
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual(['Authenticator app'])
    await enterPassword(page, 'Turn off')
    await page.getByText('Codes are no longer sent.').first().waitFor()
    kit.clock.advance(60)
    await page.getByRole('button', { name: 'Remove app' }).click()
    await page.getByText('Signing in then needs only your password.').waitFor()
    await enterPassword(page, 'Remove app')
    await page.getByText('Signing in needs only your password. Set up').waitFor()
    expect(await kit.app.db.selectFrom('backupCode').selectAll().execute()).toEqual([])
  })

  test('the app is replaced, and the former one works until the new one is verified', async () => {
    const site = await enrolled()
    const { page, kit, code } = site
    kit.clock.advance(60)
    await page.getByRole('button', { name: 'Replace app' }).click()
    await enterPassword(page, 'Next')
    await page.getByRole('dialog').getByRole('img').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    const visitor = await site.open('/sign-in')
    const signIn = async (shown: string) => {
      await visitor.goto(`${site.origin}/sign-in?account=another`)
      await visitor.getByLabel('Email').fill(ann.email)
      await visitor.getByLabel('Password', { exact: true }).fill(ann.password)
      await visitor.keyboard.press('Enter')
      await visitor.getByLabel('Code', { exact: true }).fill(shown)
    }
    await signIn(code())
    await visitor.waitForURL('**/account')
    await removeCookies(visitor)
    kit.clock.advance(60)
    const next = await setUpApp(page, site, 'Replace app')
    await keepCodes(page)
    await page.getByText('Your authenticator app was replaced.').first().waitFor()
    kit.clock.advance(60)
    await signIn(code())
    await visitor.getByText('The code is wrong, or was used already.').waitFor()
    await visitor.getByLabel('Code', { exact: true }).fill(next())
    await visitor.waitForURL('**/account')
  })

  test('few backup codes are a warning, which leads to new ones', async () => {
    const { page, kit } = await enrolled()
    const codes = await kit.app.db.selectFrom('backupCode').select('id').execute()
    const used = codes.slice(0, 8).map(({ id }) => id)
    await kit.app.db.updateTable('backupCode').set({ usedAt: kit.app.now() }).where('id', 'in', used).execute()
    await page.reload()
    await page.getByText('You have only 2 backup codes left').waitFor()
    await page.getByRole('button', { name: 'Create new codes' }).first().click()
    await enterPassword(page, 'Create codes')
    expect(await keepCodes(page)).toHaveLength(10)
    await page.getByText('You have new backup codes.').first().waitFor()
    expect(await page.getByText('You have only').count()).toBe(0)
  })

  test('trusted browsers are listed, and trust ends in one or in all', async () => {
    const { page, kit } = await enrolled()
    const { id: userId } = await kit.app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
    const [now, expiresAt] = [kit.app.now(), new Date(kit.app.now().getTime() + 30 * 86_400_000)]
    const rows = ['Firefox on Linux', 'Safari on iOS', 'Chrome on Windows'].map((name, at) => {
      const browser = { id: `browser-${at}`, key: `key-${at}`, userId, name }
      return { ...browser, createdAt: now, lastUsedAt: now, expiresAt }
    })
    await kit.app.db.insertInto('trustedDevice').values(rows).execute()
    await page.reload()
    await page.getByRole('button', { name: 'End trust in Firefox on Linux' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End trust' }).click()
    await page.getByText('Firefox on Linux is no longer trusted.').first().waitFor()
    await page.getByRole('button', { name: 'End trust in all browsers' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'End trust in all browsers' }).click()
    await page.getByText('You trust no browser.').waitFor()
    expect(await kit.app.db.selectFrom('trustedDevice').selectAll().execute()).toEqual([])
  })

  test('is shown in German, on a narrow screen', async () => {
    const site = await withAnn()
    const page = await site.openAs(ann, security, { locale: 'de-DE', viewport: { width: 320, height: 640 } })
    await page.getByText('Die Anmeldung braucht nur Ihr Passwort.').waitFor()
    await page.getByRole('button', { name: 'Authenticator-App einrichten' }).click()
    await page.getByLabel('Passwort', { exact: true }).fill(ann.password)
    await page.getByRole('button', { name: 'Weiter' }).click()
    await page.getByRole('img', { name: 'QR-Code für Ihre Authenticator-App' }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  })
})

describe('an action that demands a second factor', () => {
  /** Ann, whose second factor was proven long ago. */
  async function withOldProof() {
    const site = await enrolled()
    await site.page.getByRole('button', { name: 'Turn on codes by text message' }).click()
    await enterPassword(site.page, 'Turn on')
    await site.page.getByText('Codes by text message are on.').first().waitFor()
    await site.page.goto(`${site.origin}/account/api-keys`)
    site.kit.clock.advance(1200)
    return site
  }

  async function createKey(page: Page) {
    await page.getByRole('button', { name: 'Create API key' }).click()
    const creation = page.getByRole('dialog').filter({ has: page.getByLabel('Name') })
    await creation.getByLabel('Name').fill('Backup')
    await creation.getByRole('button', { name: 'Create API key' }).click()
    return page.getByRole('dialog', { name: 'Confirm with your second factor' })
  }

  const created = (page: Page) => page.getByRole('dialog').getByText('It is not shown again.').waitFor()

  test('asks for the code of the app, and then does what was asked for', async () => {
    const { page, code } = await withOldProof()
    const dialog = await createKey(page)
    await dialog.getByText('Enter the code that your authenticator app shows.').waitFor()
    const wrong = code() === '000000' ? '111111' : '000000'
    await dialog.getByLabel('Code', { exact: true }).fill(wrong)
    await dialog.getByText('The code is wrong, or was used already.').waitFor()
    await dialog.getByLabel('Code', { exact: true }).fill(code())
    await created(page)
  })

  test('takes a code by text message, or a backup code, as another way', async () => {
    const site = await withOldProof()
    const { page, kit, backupCodes } = site
    const dialog = await createKey(page)
    await dialog.getByRole('button', { name: 'Code by text message to •••• ••67' }).click()
    await dialog.getByRole('button', { name: 'Send code' }).click()
    await dialog.getByText('We sent a code by text message to •••• ••67.').waitFor()
    const read = () => kit.app.db.selectFrom('caughtMail').select('code').where('kind', '=', 'two-factor-code').execute()
    await expect.poll(async () => (await read())[0]?.code).toMatch(/^\d{6}$/)
    await dialog.getByLabel('Code', { exact: true }).fill((await read())[0]?.code ?? '')
    await created(page)

    await page.reload()
    kit.clock.advance(1200)
    const again = await createKey(page)
    await again.getByRole('button', { name: 'Backup codes (10 left)' }).click()
    await again.getByLabel('Backup code').fill(backupCodes[0] ?? '')
    await again.getByRole('button', { name: 'Confirm' }).click()
    await created(page)
  })

  test('is not done when the user cancels, and what was entered stays', async () => {
    const { page } = await withOldProof()
    const dialog = await createKey(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('SESSION_IS_NOT_FRESH').waitFor()
    expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Backup')
  })

  test('when the session has ended, asks for the password and then for the code, in place', async () => {
    const { page, code } = await withOldProof()
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Backup')
    await page.context().clearCookies()
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click()
    const first = page.getByRole('dialog', { name: 'Sign in again' })
    await first.getByLabel('Password', { exact: true }).fill(ann.password)
    await first.getByRole('button', { name: 'Continue' }).click()
    const second = page.getByRole('dialog', { name: 'Confirm with your second factor' })
    await second.getByLabel('Code', { exact: true }).fill(code())
    await created(page)
  })

  test('is not satisfied by a factor that was added a short time ago, and says so', async () => {
    const site = await enrolled({ twoFactor: { otpOptions: { channels: ['sms'] }, newFactorProbationHours: 48 } })
    const { page, kit, code } = site
    kit.clock.advance(7200)
    await page.getByRole('button', { name: 'Turn on codes by text message' }).click()
    await enterPassword(page, 'Turn on')
    await page.getByRole('dialog', { name: 'Confirm with your second factor' }).getByLabel('Code', { exact: true }).fill(code())
    await page.getByText('Codes by text message are on.').first().waitFor()
    kit.clock.advance(1200)
    await page.getByRole('button', { name: 'Remove app' }).click()
    await enterPassword(page, 'Remove app')
    const dialog = page.getByRole('dialog', { name: 'Confirm with your second factor' })
    await dialog.getByRole('button', { name: 'Code by text message to •••• ••67' }).click()
    await dialog.getByRole('button', { name: 'Send code' }).click()
    const read = () => kit.app.db.selectFrom('caughtMail').select('code').where('kind', '=', 'two-factor-code').execute()
    await expect.poll(async () => (await read())[0]?.code).toMatch(/^\d{6}$/)
    await dialog.getByLabel('Code', { exact: true }).fill((await read())[0]?.code ?? '')
    await dialog.getByText('You added this second factor a short time ago.').waitFor()
    await dialog.getByLabel('Code', { exact: true }).fill(code())
    await page.getByText('Your authenticator app was removed.').first().waitFor()
  })
})
