/** The policy of second factors: the settings of an organization, and what a member without a second factor sees. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addMember } from '../../src/features/organizations/members.ts'
import type { Browser } from '../kit/browser.ts'
import { withChromium } from '../kit/hosted-pages.ts'
import { password } from '../kit/members.ts'
import { enrol } from '../kit/second-factor.ts'

const { hostedPages } = withChromium()
const small: BrowserContextOptions = { viewport: { width: 320, height: 720 }, locale: 'de-DE', colorScheme: 'dark' }
const shots = process.env.SHOTS

async function shoot(page: Page, name: string): Promise<void> {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
}

const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth')

const userOf = (name: string) => ({ name, email: `${name.toLowerCase()}@example.com`, password })

/** Acme of Ann, with Bob as a member, who has a second organization; Ann is signed in on the settings of Acme. */
async function onSettings(options: BrowserContextOptions = {}, hasFactor = true) {
  const site = await hostedPages({
    organization: true,
    twoFactor: { required: [{ organizations: true }], stepUp: { enabled: false } },
  })
  const { kit, origin } = site
  const create = async (person: string, name: string) => {
    const browser = kit.browser()
    const { body: signedUp } = await browser.call('POST /sign-up/email', { body: userOf(person) })
    const body = { name, slug: name.toLowerCase() }
    const created = await browser.call('POST /organization/create', { body }, { origin })
    return { browser, userId: String(signedUp.user.id), organizationId: String(created.body.id) }
  }
  const [ann, bob] = [await create('Ann', 'Acme'), await create('Bob', 'Halden')]
  const { organizationId } = ann
  await addMember(kit.app, { organizationId, userId: bob.userId, role: 'member' })
  const { db } = kit.app
  const path = `/organizations/${organizationId}`
  const page = await site.openAs(userOf('Ann'), `${path}/settings`, options)
  const addFactor = (browser: Browser) =>
    enrol(kit, { ...browser, call: (key, input, headers) => browser.call(key, input, { origin, ...headers }) })
  if (hasFactor) await addFactor(ann.browser)
  const read = () => db.selectFrom('organization').selectAll().where('id', '=', organizationId).executeTakeFirstOrThrow()
  const requireNow = () =>
    db.updateTable('organization').set({ twoFactorRequired: true }).where('id', '=', organizationId).execute()
  return { ...site, path, page, read, requireNow, addFactor }
}

test('an owner sees who lacks a second factor, requires one, and sends a reminder', async () => {
  const { page, read, path, openAs } = await onSettings()
  await page.getByRole('heading', { name: 'Security', exact: true }).waitFor()
  await page.getByText('1 member has no second factor.').waitFor()
  await page.getByText('bob@example.com').waitFor()
  const policy = page.getByLabel('Second factor of members')
  await policy.selectOption({ label: 'Required immediately' })
  await page.getByText('1 member loses access immediately.').waitFor()
  await shoot(page, 'settings-immediately')
  await policy.selectOption({ label: 'Required, 14 days to set it up' })
  await page.getByLabel('Members who have lost their second factor see').check()
  await page.getByRole('button', { name: 'Save policy' }).click()
  await page.locator('main').getByText('The policy was saved.').waitFor()
  await page.getByRole('button', { name: 'Send reminder' }).click()
  await page.getByText('A reminder was sent to 1 member.').waitFor()
  await page.getByRole('button', { name: 'Send reminder' }).click()
  await page.getByText('These members got a reminder in the last 24 hours.').waitFor()
  await shoot(page, 'settings-reminded')
  expect(await read()).toMatchObject({
    ...{ twoFactorRequired: true, twoFactorGraceDays: 14, twoFactorShowAdministrators: true },
  })
  const member = await openAs(userOf('Bob'), path)
  await member.getByText('This organization requires a second factor. You need one from').waitFor()
  await shoot(member, 'grace')
})

test('an owner without a second factor sets one up first', async () => {
  const { page } = await onSettings({}, false)
  await page.getByText('2 members have no second factor.').waitFor()
  await page.getByLabel('Second factor of members').selectOption({ label: 'Required immediately' })
  await page.getByRole('button', { name: 'Save policy' }).click()
  await page.getByText('You need a second factor yourself to require one.').waitFor()
  await page.getByRole('link', { name: 'Set up a second factor' }).click()
  await page.waitForURL('**/account/security')
})

test('a member who is stopped reads why, and opens another organization', async () => {
  const { requireNow, path, openAs } = await onSettings()
  await requireNow()
  const page = await openAs(userOf('Bob'), `${path}/members`)
  await page.getByRole('heading', { level: 1, name: 'Acme requires a second factor' }).waitFor()
  await shoot(page, 'stopped')
  await page.getByRole('combobox').first().click()
  await page.getByRole('option', { name: /Halden/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Halden' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Set up a second factor' }).click()
  await page.waitForURL('**/account/security?callbackURL=**')
})

test('both fit a narrow screen in German', async () => {
  const { page, requireNow, path, openAs } = await onSettings(small)
  await page.getByText('1 Mitglied hat keinen zweiten Faktor.').waitFor()
  expect(await widthOf(page)).toBe(320)
  await shoot(page, 'settings-320')
  await requireNow()
  const member = await openAs(userOf('Bob'), path, small)
  await member.getByRole('heading', { level: 1, name: 'Acme verlangt einen zweiten Faktor' }).waitFor()
  expect(await widthOf(member)).toBe(320)
  await shoot(member, 'stopped-320')
})

test('a user who is stopped at an invitation sets up a second factor, and comes back to it', async () => {
  const { kit, open, requireNow, path, addFactor } = await onSettings()
  await requireNow()
  const [, , organizationId = ''] = path.split('/')
  const cleo = kit.browser()
  await cleo.call('POST /sign-up/email', { body: userOf('Cleo') })
  const { db } = kit.app
  const { id: userId } = await db
    .selectFrom('user')
    .select('id')
    .where('email', '=', 'cleo@example.com')
    .executeTakeFirstOrThrow()
  const { id: inviterId } = await db
    .selectFrom('user')
    .select('id')
    .where('email', '=', 'ann@example.com')
    .executeTakeFirstOrThrow()
  const expiresAt = new Date(Date.now() + 86_400_000)
  const columns = { role: 'member', teamId: null, status: 'pending', expiresAt, inviterId, createdAt: kit.clock.now() }
  const email = 'cleo@example.com'
  await db
    .insertInto('invitation')
    .values({ id: 'invited', organizationId, email, pendingEmail: email, ...columns })
    .execute()
  await db.updateTable('user').set({ emailVerified: true }).where('id', '=', userId).execute()
  const landing = '/accept-invitation?id=invited'
  const page = await open(`/sign-in?callbackURL=${encodeURIComponent(landing)}`, { viewport: { width: 320, height: 720 } })
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await page.getByText('This organization requires a second factor.').waitFor()
  await shoot(page, 'invitation-stopped')
  await page.getByRole('link', { name: 'Set up a second factor' }).click()
  await page.waitForURL('**/account/security?callbackURL=**')
  await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
  expect(await page.getByRole('link', { name: 'Continue where you were' }).count()).toBe(0)
  await addFactor(cleo)
  await page.reload()
  await page.getByRole('link', { name: 'Continue where you were' }).waitFor()
  await shoot(page, 'security-back')
  await page.getByRole('link', { name: 'Continue where you were' }).click()
  await page.waitForURL(`**${landing}`)
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await page.waitForURL(`**/organizations/${organizationId}`)
})
