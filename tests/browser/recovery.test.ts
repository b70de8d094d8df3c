/** A user who has lost their second factors: a reset that waits, its cancellation, and new backup codes after the last one. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { addMember } from '../../src/features/organizations/members.ts'
import { jobs } from '../../src/features/second-factor/index.ts'
import type { Browser } from '../kit/browser.ts'
import { browsers, type HostedPages, withChromium } from '../kit/hosted-pages.ts'
import { enrol } from '../kit/second-factor.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const never = new AbortController().signal

/** A site on which users may request a reset, with Ann, who has an authenticator app. */
async function withAnn(config: ConfigFile = {}) {
  const site = await hostedPages({ twoFactor: { recovery: { selfService: true } }, mail: { catch: true }, ...config })
  const client = site.kit.browser()
  const browser: Browser = { ...client, call: (key, input) => client.call(key, input, { origin: site.origin }) }
  await browser.call('POST /sign-up/email', { body: ann })
  await site.kit.app.db.updateTable('user').set({ emailVerified: true }).where('email', '=', ann.email).execute()
  return { ...site, browser, ...(await enrol(site.kit, browser)) }
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** What the newest email of this kind has: a code in its subject, or the link that cancels. */
async function mailed({ kit: { app } }: HostedPages, kind: string, pattern: RegExp): Promise<string> {
  const read = async () => {
    const mails = app.db.selectFrom('caughtMail').select(['subject', 'text']).where('kind', '=', kind)
    const [mail] = await mails.orderBy('createdAt', 'desc').execute()
    return pattern.exec(`${mail?.subject} ${mail?.text}`)?.[0]
  }
  await expect.poll(read).toBeDefined()
  return (await read()) ?? ''
}

async function requestReset(site: HostedPages, page: Page): Promise<void> {
  await signIn(page)
  await page.getByRole('link', { name: 'I have lost my second factor' }).click()
  await page.getByRole('heading', { level: 1, name: 'Lost second factor' }).waitFor()
  await page.getByText('It takes 3 days').waitFor()
  await page.getByRole('button', { name: 'Send codes' }).click()
  const field = page.getByLabel('Code from the email')
  await field.fill('000000')
  await page.getByRole('button', { name: 'Request reset' }).click()
  await page.getByText('The code is wrong, or was used already.').waitFor()
  await field.fill(await mailed(site, 'two-factor-reset-code', /\d{6}/))
  await page.getByRole('button', { name: 'Request reset' }).click()
  await page.getByRole('heading', { level: 1, name: 'The reset was requested' }).waitFor()
}

test('an organization names administrators whom the user can ask, if its policy says so', async () => {
  const site = await withAnn({ organization: true, twoFactor: { required: [{ organizations: true }] } })
  const { kit, origin, browser } = site
  const ada = kit.browser()
  const { body: adas } = await ada.call('POST /sign-up/email', {
    body: { ...ann, name: 'Ada Lovelace', email: 'ada@example.com' },
  })
  const created = await ada.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } }, { origin })
  expect(adas.user.name).toBe('Ada Lovelace')
  const { body: session } = await browser.call('GET /get-session', {})
  await addMember(kit.app, { organizationId: created.body.id, userId: session.user.id, role: 'member' })
  const find = async (page: Page) => {
    await signIn(page)
    await page.getByRole('link', { name: 'I have lost my second factor' }).click()
    await page.getByText('Only an administrator can reset your second factors.').waitFor()
    return page.getByText('You can ask an administrator of your organization:').count()
  }
  expect(await find(await site.open('/sign-in'))).toBe(0)
  await kit.app.db.updateTable('organization').set({ twoFactorShowAdministrators: true }).execute()
  const small = await site.open('/sign-in', { viewport: { width: 320, height: 720 } })
  expect(await find(small)).toBe(1)
  await small.getByRole('listitem').filter({ hasText: 'Acme: Ada Lovelace' }).waitFor()
  expect(await small.evaluate('document.documentElement.scrollWidth')).toBe(320)
  if (process.env.SHOTS) await small.screenshot({ path: `${process.env.SHOTS}/recover.png`, fullPage: true })
})

describe.each(browsers)('%s', (_, options) => {
  test('a reset is requested, waits, and lets the password sign in', async () => {
    const site = await withAnn()
    const page = await site.open('/sign-in?callbackURL=%2Faccount%2Fsessions', options)
    await requestReset(site, page)
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await signIn(page)
    await page.getByRole('link', { name: 'I have lost my second factor' }).click()
    await page.getByText('A reset is waiting.').waitFor()
    site.kit.clock.advance(72 * 3600)
    await jobs.factorResets.run(site.kit.app, never)
    const later = await site.open('/sign-in?callbackURL=%2Faccount%2Fsessions', options)
    await signIn(later)
    await later.waitForURL('**/account/sessions')
  })

  test('the link of its email cancels it after a click', async () => {
    const site = await withAnn()
    await requestReset(site, await site.open('/sign-in', options))
    const link = new URL(await mailed(site, 'two-factor-reset', /http\S+cancel-reset\S+/))
    const rows = async () => (await site.kit.app.db.selectFrom('factorReset').select('id').execute()).length
    const page = await site.open(link.pathname + link.search, options)
    await page.getByRole('heading', { level: 1, name: 'Cancel the reset?' }).waitFor()
    expect([await rows(), new URL(page.url()).search]).toEqual([1, ''])
    await page.getByRole('button', { name: 'Cancel reset' }).click()
    await page.getByRole('heading', { level: 1, name: 'The reset was cancelled' }).waitFor()
    expect(await rows()).toBe(0)
    await page.goto(`${site.origin}${link.pathname}${link.search}`)
    await page.getByRole('button', { name: 'Cancel reset' }).click()
    await page.getByRole('heading', { level: 1, name: 'This link does not work' }).waitFor()
  })
})

/** Signs in with the only backup code that is left. */
async function useLastCode(site: Awaited<ReturnType<typeof withAnn>>, page: Page): Promise<void> {
  const [last = '', ...others] = site.backupCodes
  const rest = site.kit.app.db.updateTable('backupCode').set({ usedAt: site.kit.clock.now() })
  expect(others).toHaveLength(9)
  await rest.where('start', '!=', last.slice(0, 2)).execute()
  await signIn(page)
  await page.getByRole('link', { name: 'Backup code' }).click()
  await page.getByLabel('Backup code').fill(last)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('after the last backup code, the page asks for new ones, and leaves only once they are kept', async () => {
  const site = await withAnn()
  const page = await site.open('/sign-in?callbackURL=%2Faccount%2Fsessions', { viewport: { width: 320, height: 720 } })
  await useLastCode(site, page)
  await page.getByRole('heading', { level: 1, name: 'That was your last backup code' }).waitFor()
  await page.getByLabel('Password', { exact: true }).fill('wrong horse battery')
  await page.getByRole('button', { name: 'Create codes' }).click()
  await page.locator('[aria-invalid=true]').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Keep your backup codes' }).waitFor()
  expect(await page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem').count()).toBe(10)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  const next = page.getByRole('button', { name: 'Continue' })
  await next.click({ force: true })
  await page.getByText('Copy, download or print the codes to continue.').waitFor()
  await page.getByRole('button', { name: 'Download' }).press('Enter')
  await next.press('Enter')
  await page.waitForURL('**/account/sessions')
  // There are codes now: the page has nothing to ask for.
  await page.goto(`${site.origin}/two-factor/new-codes?callbackURL=%2Faccount%2Fdata`)
  await page.waitForURL('**/account/data')
})

test('a user who wants no new backup codes now goes on, and so does a browser without JavaScript', async () => {
  const site = await withAnn()
  const page = await site.open('/sign-in?callbackURL=%2Faccount%2Fsessions')
  await useLastCode(site, page)
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.waitForURL('**/account/sessions')
  const other = await withAnn()
  const plain = await other.open('/sign-in?callbackURL=%2Faccount%2Fsessions', { javaScriptEnabled: false })
  await useLastCode(other, plain)
  await plain.waitForURL('**/account/sessions')
})

test('visitors sign in before they create backup codes', async () => {
  const { open } = await withAnn()
  const page = await open('/two-factor/new-codes')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(new URL(page.url()).searchParams.get('callbackURL')).toMatch(/\/two-factor\/new-codes$/)
})

test('half a year later, the account area asks for one backup code and shows its replacement', async () => {
  const site = await withAnn()
  const old = new Date(Date.now() - 200 * 86_400_000)
  await site.kit.app.db.updateTable('backupCode').set({ createdAt: old }).execute()
  const page = await site.open('/sign-in?callbackURL=%2Faccount%2Fsecurity')
  await signIn(page)
  await page.getByLabel('Code').fill(site.code())
  await page.getByRole('button', { name: 'Try a backup code' }).click()
  await page
    .getByRole('dialog')
    .getByLabel('Backup code')
    .fill(site.backupCodes[0] ?? '')
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('heading', { name: 'The code is right' }).waitFor()
  await page.getByText(/^\w{5}-\w{5}$/).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('You tried a backup code').first().waitFor()
})
