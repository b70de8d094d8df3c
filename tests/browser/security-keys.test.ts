/** Security keys without a PIN on the pages: they are added without storing the passkey, and are second factors (contract 12 §13). */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { signOut, withChromium } from '../kit/hosted-pages.ts'
import { credentialsOf, plugIn, securityKeys, withoutPIN } from '../kit/virtual-authenticator.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

async function shoot(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true })
}

/** A result is on the page, and in a region for screen readers. */
const seen = (page: Page, text: string) => page.getByText(text).first().waitFor()

async function signInByPassword(page: Page): Promise<void> {
  await page.locator('input[name=email]').fill(ann.email)
  await page.locator('input[name=password]').fill(ann.password)
  await page.locator('form:has(input[name=password]) button[type=submit]').click()
}

describe.each(Object.entries(securityKeys))('a security key without a PIN (%s)', (_, kind) => {
  test('is added in the account, is the second factor, and does not sign in alone', async () => {
    const { open, origin } = await hostedPages({ passkey: true, twoFactor: true })
    const page = await open('/sign-in')
    const plugged = await plugIn(page, { ...kind, ...withoutPIN })
    const headers = { origin }
    await page.request.post(`${origin}/api/auth/sign-up/email`, { data: ann, headers })
    await page.goto(`${origin}/account/security`)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await seen(page, 'No passkey was created.')
    await page.getByRole('button', { name: 'Add security key without storing' }).click()
    await seen(page, 'was added.')
    expect(await credentialsOf(plugged)).toMatchObject([{ isResidentCredential: false }])
    await page.getByRole('button', { name: 'Demand a passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password', { exact: true }).fill(ann.password)
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByRole('button', { name: 'Download' }).click()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await signOut(page, origin)
    await page.goto(`${origin}/sign-in?callbackURL=%2Faccount%2Fsessions`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await seen(page, 'No passkey was used.')
    await signInByPassword(page)
    await page.waitForURL('**/two-factor**')
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await page.waitForURL('**/account/sessions')
  })
})

describe('the set-up that a rule demands', () => {
  /** Ann is staff, and has nothing yet. */
  async function atTheChoice(locale: 'en' | 'de', viewport = { width: 1280, height: 850 }) {
    const { open, origin, kit } = await hostedPages({
      ...{ admin: true, passkey: true, dashboard: { locales: [locale] } },
      twoFactor: { required: [{ roles: ['staff'], methods: ['passkey', 'totp'], graceDays: 0 }] },
    })
    await kit.browser().call('POST /sign-up/email', { body: ann }, { origin })
    const createdAt = new Date(kit.app.now().getTime() - 3 * 86_400_000)
    await kit.app.db.updateTable('user').set({ role: 'staff', createdAt, emailVerified: true }).execute()
    const page = await open('/sign-in?callbackURL=%2Faccount%2Fsecurity', {
      viewport,
      colorScheme: locale === 'de' ? 'dark' : 'light',
    })
    const plugged = await plugIn(page, { ...securityKeys['CTAP 2.1'], ...withoutPIN })
    await signInByPassword(page)
    const code = async () => {
      const sent = kit.app.db.selectFrom('caughtMail').select('subject').where('kind', '=', 'two-factor-code')
      return /\d{6}/.exec((await sent.executeTakeFirst())?.subject ?? '')?.[0] ?? ''
    }
    await expect.poll(code).toMatch(/^\d{6}$/)
    await page.locator('input[name=code]').fill(await code())
    await page.getByRole('button', { name: 'Passkey', exact: true }).click()
    return { ...plugged, kit, page }
  }

  test('offers to add a security key without storing the passkey on it', async () => {
    const site = await atTheChoice('en')
    const { page, kit } = site
    await seen(page, 'A security key may have no room for it, or no PIN.')
    await shoot(page, 'setup-key')
    await page.getByRole('button', { name: 'Add security key without storing' }).click()
    await page.getByRole('heading', { level: 1, name: 'Keep your backup codes' }).waitFor()
    expect(await credentialsOf(site)).toMatchObject([{ isResidentCredential: false }])
    const added = await kit.app.db.selectFrom('passkey').select('isDiscoverable').execute()
    expect(added).toEqual([{ isDiscoverable: false }])
  })

  test('offers it on a small screen, in German', async () => {
    const { page } = await atTheChoice('de', { width: 320, height: 800 })
    await page.getByRole('button', { name: 'Sicherheitsschlüssel ohne Speichern hinzufügen' }).waitFor()
    await shoot(page, 'setup-key-de')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  })
})
