/** A user whose account is stolen locks it with the link of a notice, and opens it again; an administrator does both in the console. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { emit } from '../../src/core/events.ts'
import { lockAccount } from '../../src/features/account-lock/index.ts'
import type { ConfigFile } from '../../src/features/index.ts'
import { browsers, type HostedPages, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'

/** A site with Ann, whose email address is verified, and a notice of her new password. */
async function withNotice(config: ConfigFile = {}) {
  const site = await hostedPages({ mail: { catch: true }, admin: true, apiKey: true, ...config })
  const { app } = site.kit
  const client = site.kit.browser()
  const headers = { origin: site.origin }
  await client.call('POST /sign-up/email', { body: ann }, headers)
  await app.db.updateTable('user').set({ emailVerified: true }).execute()
  await client.call('POST /api-key/create', { body: { name: 'key' } }, headers)
  const user = () => app.db.selectFrom('user').selectAll().where('email', '=', ann.email).executeTakeFirstOrThrow()
  return { ...site, app, client, user }
}

async function lockLink({ kit, app }: Pick<HostedPages, 'kit'> & { readonly app: HostedPages['kit']['app'] }): Promise<string> {
  await kit.settled()
  const mail = await app.db
    .selectFrom('caughtMail')
    .select('text')
    .where('kind', '=', 'api-key-created')
    .executeTakeFirstOrThrow()
  const [, path = ''] = /http:\/\/[^/]+(\/lock-account\S+)/.exec(mail.text) ?? []
  return path
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}

describe.each(browsers)('%s', (_, options) => {
  test('the page changes nothing until its button is pressed, and leads to the reset that opens the account', async () => {
    const site = await withNotice()
    const path = await lockLink(site)
    const page = await site.open(path, options)
    await heading(page, 'Lock your account?')
    expect(new URL(page.url()).search).toBe('')
    for (const text of ['a•••@example.com', '1 signed-in device', '1 API key']) await page.getByText(text).first().waitFor()
    expect(await page.getByText(ann.email).count()).toBe(0)
    expect((await site.user()).lockedAt).toBeNull()
    await page.getByRole('button', { name: 'Lock my account' }).click()
    await heading(page, 'Your account is locked')
    expect((await site.user()).lockedAt).not.toBeNull()
    await page.getByRole('link', { name: 'Reset your password' }).click()
    await page.getByLabel('Email').fill(ann.email)
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await site.kit.settled()
    await page.goto(await site.mailedLink(ann.email))
    await page.getByLabel('New password', { exact: true }).fill(newPassword)
    await page.getByRole('button', { name: 'Save new password' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    expect((await site.user()).lockedAt).toBeNull()
    const again = await site.open(path, options)
    await heading(again, 'This link does not work')
  })
})

test.each(['light', 'dark'] as const)('the page fits into 320 px, in the %s theme', async (colorScheme) => {
  const site = await withNotice({ dashboard: { branding: { supportEmail: 'help@acme.example' } } })
  const page = await site.open(await lockLink(site), { colorScheme, viewport: { width: 320, height: 720 } })
  await heading(page, 'Lock your account?')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await shot(page, `lock-${colorScheme}-320`)
  await page.getByRole('button', { name: 'Lock my account' }).click()
  await heading(page, 'Your account is locked')
  await page.getByRole('link', { name: 'Contact support' }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await shot(page, `locked-${colorScheme}-320`)
})

test('the page of a link from a text message says so, and that only support opens the account', async () => {
  const site = await withNotice({ dashboard: { branding: { supportEmail: 'help@acme.example' } } })
  const { lockURL } = await emit(site.app, 'notice.delivering', { userId: (await site.user()).id, email: null })
  const url = new URL(lockURL ?? '')
  url.searchParams.set('ui_locales', 'ru')
  const page = await site.open(url.pathname + url.search, { viewport: { width: 320, height: 720 } })
  await page.getByText('Мы отправили ссылку по SMS.').waitFor()
  await page.getByText('только наша служба поддержки').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await shot(page, 'lock-text-320')
  await page.getByRole('button').first().click()
  await page.getByRole('link', { name: 'поддержк' }).waitFor()
  expect((await site.user()).lockedAt).not.toBeNull()
})

test('a locked user reads why they cannot sign in', async () => {
  const site = await withNotice()
  await lockAccount(site.app, null, { userId: (await site.user()).id })
  const page = await site.open('/sign-in')
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This account is locked.').waitFor()
})

test('an administrator locks an account after a preview, and opens it again', async () => {
  const site = await withNotice()
  const root = { name: 'Root', email: 'root@example.com', password: ann.password }
  await site.kit.browser().call('POST /sign-up/email', { body: root }, { origin: site.origin })
  await site.app.db.updateTable('user').set({ role: 'admin' }).where('email', '=', root.email).execute()
  const page = await site.openAs(root, `/admin/users/${(await site.user()).id}`)
  await page.getByRole('button', { name: 'Lock account' }).click()
  const dialog = page.getByRole('alertdialog')
  for (const text of ['1 session', '1 API key']) await dialog.getByText(text).waitFor()
  await dialog.getByLabel('Reason').fill('Owner called')
  await shot(page, 'lock-dialog')
  await dialog.getByRole('button', { name: 'Lock account' }).click()
  await page.getByText('Reason: Owner called').waitFor()
  expect((await site.user()).lockedAt).not.toBeNull()
  const list = await site.openAs(root, '/admin/users')
  await list
    .getByRole('row', { name: ann.email })
    .getByRole('button', { name: /actions/i })
    .click()
  await list.getByRole('menuitem', { name: /impersonate.*locked/i }).waitFor()
  await page.getByRole('button', { name: 'Unlock account' }).click()
  await dialog.getByLabel('Reason').fill('Identity checked')
  await dialog.getByRole('button', { name: 'Unlock account' }).click()
  await page.getByRole('button', { name: 'Lock account', exact: true }).waitFor()
  expect((await site.user()).lockedAt).toBeNull()
})
