/** Who may sign up, in the browser: a visitor comes with an invite link of an administrator, or from the waiting list. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createUser } from '../../src/features/setup/index.ts'
import { browsers, withChromium } from '../kit/hosted-pages.ts'
import { expectAccessible, expectNoSidewaysScroll, serveAxe } from './inspection.ts'

const { hostedPages } = withChromium()
const password = 'correct horse battery'
const root = { name: 'Root', email: 'root@example.com', password }
const ann = { name: 'Ann', email: 'ann@example.com', password }

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

/** A site with an administrator, who owns an organization. */
async function withAdministrator(mode: 'invite' | 'waiting-list') {
  const site = await hostedPages({ admin: true, organization: {}, signUp: { mode } })
  const { kit, origin } = site
  // Pages compare the end of a link with the time of the browser.
  kit.clock.advance((Date.now() - kit.clock.now().getTime()) / 1000)
  await createUser(kit.app, { ...root, role: 'admin', emailVerified: true })
  const browser = kit.browser()
  await browser.call('POST /sign-in/email', { body: root })
  await browser.call('POST /organization/create', { body: { name: 'Halden Ferry', slug: 'halden' } }, { origin })
  const emails = async () =>
    (await kit.app.db.selectFrom('user').select('email').orderBy('email').execute()).map((user) => user.email)
  return { ...site, emails }
}

async function signUp(page: Page, { name, email }: typeof ann): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Create account').click()
}

type Site = Awaited<ReturnType<typeof withAdministrator>>

/** @returns the URL of a link to the organization */
async function createLink({ openAs }: Site): Promise<string> {
  const page = await openAs(root, '/admin/invite-links')
  await button(page, 'Create invite link').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note').fill('For Ann')
  await dialog.getByLabel('Organization that they join').fill('halden')
  await button(page, 'Create invite link').last().click()
  await dialog.getByText('Copy the link now').waitFor()
  const url = await dialog.locator('code, pre').first().innerText()
  await button(page, 'Done').click()
  await page.getByRole('main').getByText('The invite link was created.').waitFor()
  await page.getByRole('row').filter({ hasText: 'For Ann' }).getByText('0 of 1').waitFor()
  return url.trim()
}

describe.each(browsers)('%s', (_, options: BrowserContextOptions) => {
  test('a visitor signs up with the invite link of an administrator, and is a member of its organization', async () => {
    const site = await withAdministrator('invite')
    const url = await createLink(site)
    const uninvited = await site.open('/sign-up', options)
    await uninvited.getByText('You need an invitation to create an account.').waitFor()
    await signUp(uninvited, { ...ann, email: 'eve@example.com' })
    await uninvited.getByText('An account cannot be created with this email address.').waitFor()

    const page = await site.open(url.slice(site.origin.length), options)
    await heading(page, 'You are invited to join Halden Ferry').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await button(page, 'Create account').click()
    await heading(page, 'Create your account').waitFor()
    await page.getByText('Your invitation is ready.').waitFor()
    await signUp(page, ann)
    await page.waitForURL('**/account')
    expect(await site.emails()).toEqual([ann.email, root.email])
    const member = site.kit.app.db.selectFrom('member').innerJoin('user', 'user.id', 'member.userId').select('user.email')
    expect(await member.where('member.role', '=', 'member').execute()).toEqual([{ email: ann.email }])

    const late = await site.open(url.slice(site.origin.length), options)
    await heading(late, 'This invite link no longer works').waitFor()
  })

  test('a visitor whose address is not approved comes to the waiting list, and signs up after the approval', async () => {
    const site = await withAdministrator('waiting-list')
    const page = await site.open('/sign-up', options)
    await page.getByText('You can create an account when you are approved.').waitFor()
    await signUp(page, ann)
    await heading(page, 'Join the waiting list').waitFor()
    await page.getByText('An account cannot be created with this email address yet.').waitFor()
    expect(await page.getByLabel('Email address').inputValue()).toBe(ann.email)
    expect(await page.getByLabel('Name').inputValue()).toBe(ann.name)
    await button(page, 'Join the waiting list').click()
    await heading(page, 'Thank you').waitFor()
    await page.getByText(`We will write to ${ann.email}`).waitFor()

    const console = await site.openAs(root, '/admin/waiting-list')
    await button(console, `Approve ${ann.email}`).click()
    await console.getByRole('main').getByText(`${ann.email} can sign up now`).waitFor()
    await console.getByText('No applicants').waitFor()
    await site.kit.settled()
    await page.goto(await site.mailedLink(ann.email))
    await signUp(page, ann)
    await page.waitForURL('**/account')
    expect(await site.emails()).toEqual([ann.email, root.email])
  })
})

test('the page of sign-up leads to the waiting list, and back', async () => {
  const { open, kit } = await withAdministrator('waiting-list')
  serveAxe(kit.app)
  const page = await open('/sign-up')
  await expectAccessible(page, 'sign-up with a waiting list')
  await expectNoSidewaysScroll(page, 'sign-up with a waiting list')
  await link(page, 'Join the waiting list').click()
  await heading(page, 'Join the waiting list').waitFor()
  await link(page, 'Create account').click()
  await heading(page, 'Create your account').waitFor()
})

test('an existing user joins the organization of an invite link, after a sign-in', async () => {
  const site = await withAdministrator('invite')
  await createUser(site.kit.app, { ...ann, role: 'user', emailVerified: true })
  const page = await site.open((await createLink(site)).slice(site.origin.length))
  await link(page, 'Sign in').click()
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
  await button(page, 'Join Halden Ferry').click()
  await heading(page, 'Halden Ferry').waitFor()
})
