/** Terms on the hosted pages: at sign-up, at the next sign-in, postponed, declined; with and without scripts. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { testApp } from '../kit/app.ts'
import { browsers, type HostedPages, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const url = 'http://localhost:3000/privacy'
const first = { id: 'privacy', version: '1', title: { en: 'Privacy policy', de: 'Datenschutzerklärung' }, url }
const terms = { id: 'terms', version: '1', title: 'Terms of service', url }
const changes = 'We share less with others.'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Ann has accepted the first version; the second one is due. */
async function withNewVersion(config: ConfigFile = {}): Promise<HostedPages> {
  const { now } = (await testApp()).app
  const requiredFrom = new Date(now().getTime() - 60_000).toISOString()
  const next = { ...first, version: '2', requiredFrom, postponeDays: 30, changes }
  const user = { deleteUser: { enabled: true } }
  const site = await hostedPages({ user, terms: { documents: [first, next, terms] }, ...config })
  const body = { ...ann, terms: { privacy: '2', terms: '1' } }
  await site.kit.browser().call('POST /sign-up/email', { body: body as never })
  const { db } = site.kit.app
  const termsAccepted = JSON.stringify({ privacy: '1', terms: '1' })
  await db
    .updateTable('user')
    .set({ termsAccepted, createdAt: new Date('2020-01-01') })
    .execute()
  await db.updateTable('termsAcceptance').set({ version: '1' }).execute()
  return site
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await button(page, 'Sign in').click()
  await heading(page, 'Our terms have changed').waitFor()
}

describe.each(browsers)('%s', (name, options) => {
  test('the sign-up page sends the versions whose box is checked, and leads on', async () => {
    const { open, kit } = await hostedPages({ terms: { documents: [first, terms] } })
    const page = await open('/sign-up?callbackURL=%2Fapi%2Fauth%2Fok', options)
    await page.getByLabel('Name', { exact: true }).fill(ann.name)
    await page.getByLabel('Email').fill(ann.email)
    await page.getByLabel('Password', { exact: true }).fill(ann.password)
    expect(await page.getByRole('link', { name: 'Privacy policy' }).getAttribute('href')).toBe(url)
    if (name === 'with scripts') {
      await button(page, 'Create account').click()
      await page.getByRole('checkbox', { name: 'I accept: Privacy policy, Terms of service' }).waitFor()
      expect(await page.getByRole('checkbox').getAttribute('aria-invalid')).toBe('true')
    }
    await page.getByRole('checkbox').check()
    await button(page, 'Create account').click()
    await page.waitForURL('**/api/auth/ok')
    const rows = kit.app.db.selectFrom('termsAcceptance').select(['document', 'version']).orderBy('document')
    expect(await rows.execute()).toEqual([
      { document: 'privacy', version: '1' },
      { document: 'terms', version: '1' },
    ])
  })

  test('a new version is shown with what is new, postponed once, and accepted', async () => {
    const { open } = await withNewVersion()
    const page = await open('/sign-in?callbackURL=%2Faccount%2Fsessions', options)
    await signIn(page)
    await page.getByText(changes).waitFor()
    expect(await page.getByText('Terms of service').count()).toBe(0)
    await button(page, 'Not now').click()
    await page.waitForURL('**/account/sessions')
    const other = await open('/sign-in?callbackURL=%2Faccount%2Fsessions', options)
    await signIn(other)
    await button(other, 'Accept and continue').click()
    await other.waitForURL('**/account/sessions')
  })

  test('a user who declines downloads their data, and deletes their account', async () => {
    const { open, kit } = await withNewVersion()
    const page = await open('/sign-in', options)
    await signIn(page)
    await button(page, 'Decline').click()
    await heading(page, 'You declined the terms').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download your data' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('data-export.json')
    await button(page, 'Delete account').click()
    await page.waitForURL('**/account-deleted')
    expect(await kit.app.db.selectFrom('user').select('id').execute()).toEqual([])
  })
})

test('a sign-in that is too old to delete the account leads to another one, and says so', async () => {
  const { open, kit } = await withNewVersion({ session: { freshAge: 60 } })
  const page = await open('/sign-in')
  await signIn(page)
  await button(page, 'Decline').click()
  await heading(page, 'You declined the terms').waitFor()
  kit.clock.advance(61)
  await button(page, 'Delete account').click()
  await page.waitForURL('**/sign-in?**')
  await page.getByText('Sign in again to continue.').waitFor()
})

test('the link of the email deletes the account in the browser whose sign-in waits', async () => {
  const site = await withNewVersion({ user: { deleteUser: { enabled: true, sendDeleteAccountVerification: true } } })
  const page = await site.open('/sign-in')
  await signIn(page)
  await button(page, 'Decline').click()
  await button(page, 'Send deletion link').click()
  await page.getByText(`We sent a link to ${ann.email}.`).waitFor()
  const link = await site.mailedLink(ann.email)
  const stranger = await site.open('/sign-in')
  await stranger.goto(link)
  await heading(stranger, 'This link cannot delete your account').waitFor()
  await page.goto(link)
  await heading(page, 'Delete your account?').waitFor()
  expect(new URL(page.url()).searchParams.has('token')).toBe(false)
  await button(page, 'Delete account').click()
  await page.waitForURL('**/account-deleted')
})

test('the account area lists what was accepted, and the console counts it', async () => {
  const { open, kit } = await withNewVersion({ admin: true })
  await kit.app.db.updateTable('user').set({ role: 'admin' }).execute()
  const page = await open('/sign-in?callbackURL=%2Faccount%2Fterms')
  await signIn(page)
  await button(page, 'Accept and continue').click()
  await heading(page, 'Accepted terms').waitFor()
  await page.getByText('Version 2').waitFor()
  await page.goto(new URL('/admin/terms', page.url()).href)
  await heading(page, 'Terms').waitFor()
  await page.getByText('In force').first().waitFor()
  await page.getByRole('button', { name: 'Export acceptances' }).click()
  await page.getByRole('dialog').waitFor()
  const { id } = await kit.app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
  await page.goto(new URL(`/admin/users/${id}?tab=data`, page.url()).href)
  const accepted = page.getByRole('table', { name: 'Accepted terms' })
  await accepted.getByText('Version 2').waitFor()
})
