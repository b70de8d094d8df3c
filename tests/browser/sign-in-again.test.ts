/** Calls that need a recent sign-in: the page asks for the password in place, and then does what was asked for. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const password = 'correct horse battery'
const root = { name: 'Root', email: 'root@example.com', password }
const ida = { name: 'Ida Wolfsgruber', email: 'ida@example.com', password }

/** An administrator, and Ida. `laterThan`: their sign-in is two days ago. */
async function withOldSignIn(config: ConfigFile = {}) {
  const pages = await hostedPages({ admin: true, ...config })
  const { app, clock, browser } = pages.kit
  for (const user of [root, ida]) await browser().call('POST /sign-up/email', { body: user })
  await app.db.updateTable('user').set({ role: 'admin' }).where('email', '=', root.email).execute()
  const { id: userId } = await app.db.selectFrom('user').select('id').where('email', '=', ida.email).executeTakeFirstOrThrow()
  await app.db.deleteFrom('session').execute()
  return { ...pages, userId, waitTwoDays: () => clock.advance(2 * 86_400) }
}

const main = (page: Page, text: string | RegExp) => page.getByRole('main').getByRole('status').filter({ hasText: text })

async function signInAgain(page: Page, title = 'Enter your password to continue', labels = ['Password', 'Continue']) {
  const dialog = page.getByRole('dialog', { name: title })
  const [field = '', button = ''] = labels
  await dialog.getByLabel(field, { exact: true }).fill(password)
  await dialog.getByRole('button', { name: button }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('administrators set a role, create a user, and export users and one user', async () => {
  const { openAs, origin, kit, userId, waitTwoDays } = await withOldSignIn()
  const page = await openAs(root, '/admin/users')
  await page.getByRole('row').filter({ hasText: ida.email }).waitFor()

  waitTwoDays()
  await page.getByRole('button', { name: `Actions for ${ida.email}` }).click()
  await page.getByRole('menuitem', { name: 'Set role' }).click()
  const roles = page.getByRole('alertdialog', { name: 'Set the role of Ida Wolfsgruber' })
  await roles.getByRole('checkbox', { name: /^Admin/ }).check()
  await roles.getByRole('button', { name: 'Set role' }).click()
  await page.getByRole('dialog', { name: 'Enter your password to continue' }).waitFor()
  const roleOf = () => kit.app.db.selectFrom('user').select('role').where('id', '=', userId).executeTakeFirst()
  expect(await roleOf()).toEqual({ role: 'user' })
  await signInAgain(page)
  await main(page, /Ida Wolfsgruber now has /).waitFor()
  expect((await roleOf())?.role).toContain('admin')

  waitTwoDays()
  await page.getByRole('button', { name: 'Export users' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click()
  const download = page.waitForEvent('download')
  await signInAgain(page)
  await page.getByText('2 rows').waitFor()
  expect(await readFile(await (await download).path(), 'utf8')).toContain(ida.email)

  waitTwoDays()
  await page.goto(`${origin}/admin/users/create`)
  await page.getByLabel('Name').fill('New Person')
  await page.getByRole('textbox', { name: 'Email' }).fill('new@example.com')
  await page.getByRole('button', { name: 'Create user' }).click()
  await signInAgain(page)
  await page.getByRole('heading', { level: 1, name: 'New Person' }).waitFor()
})

test('users create a key, and delete an organization', async () => {
  const { openAs, origin, waitTwoDays } = await withOldSignIn({
    session: { freshFor: 'sensitive' },
    apiKey: true,
    organization: true,
  })
  const page = await openAs(ida, '/account/api-keys')
  waitTwoDays()
  await page.getByRole('button', { name: 'Create API key' }).click()
  const creation = page.getByRole('dialog')
  await creation.getByLabel('Name').fill('Backup')
  await creation.getByRole('button', { name: 'Create API key' }).click()
  await signInAgain(page)
  await creation.getByText('It is not shown again.').waitFor()

  await page.goto(`${origin}/organizations/create`)
  await page.getByLabel('Name').fill('Acme')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByRole('link', { name: 'Settings' }).first().click()
  await page.getByRole('button', { name: 'Delete organization' }).click()
  waitTwoDays()
  const deletion = page.getByRole('alertdialog')
  await deletion.getByRole('textbox').fill('acme')
  await deletion.getByRole('button', { name: 'Delete organization' }).click()
  await signInAgain(page)
  await page.waitForURL('**/organizations')
})

test('asks in German', async () => {
  const { openAs, waitTwoDays } = await withOldSignIn({ session: { freshFor: 'sensitive' }, apiKey: true })
  const page = await openAs(ida, '/account/api-keys', { locale: 'de-DE' })
  waitTwoDays()
  await page.getByRole('button', { name: 'API-Schlüssel erstellen' }).click()
  const creation = page.getByRole('dialog')
  await creation.getByLabel('Name').fill('Sicherung')
  await creation.getByRole('button', { name: 'API-Schlüssel erstellen' }).click()
  await signInAgain(page, 'Geben Sie Ihr Passwort ein, um fortzufahren', ['Passwort', 'Weiter'])
  await creation.getByText('nicht erneut angezeigt').waitFor()
})

describe('a warning before a session ends', () => {
  const minute = 60_000

  /** The page of Ida's profile with a session that ends in two minutes, and with something typed. */
  async function openEnding(session: ConfigFile['session']) {
    const { openAs, kit } = await withOldSignIn({ session })
    const page = await openAs(ida, '/account')
    const now = kit.clock.now().getTime()
    const ending = { expiresAt: new Date(now + 2 * minute), updatedAt: new Date(now - 8 * minute) }
    await kit.app.db.updateTable('session').set(ending).execute()
    await page.clock.install({ time: now })
    await page.reload()
    await page.getByLabel('Name').fill('Ida Wolf')
    await page.getByText(/^You will be signed out at /).waitFor()
    return { page, kit, stay: () => page.getByRole('button', { name: 'Stay signed in' }).click() }
  }
  const isGone = (page: Page) => page.getByText(/^You will be signed out at /).waitFor({ state: 'detached' })

  test('users extend a session before it ends', async () => {
    const { page, kit, stay } = await openEnding({ expiresIn: 600, updateAge: 540 })
    kit.clock.advance(70)
    await stay()
    await isGone(page)
    expect(await page.getByLabel('Name').inputValue()).toBe('Ida Wolf')
    const { expiresAt } = await kit.app.db.selectFrom('session').select('expiresAt').executeTakeFirstOrThrow()
    expect(expiresAt.getTime() - kit.clock.now().getTime()).toBe(10 * minute)
  })

  test('users sign in again in place before a session ends that cannot be extended', async () => {
    const { page, stay } = await openEnding({ disableSessionRefresh: true })
    await stay()
    await signInAgain(page, 'Sign in again to continue', ['Password', 'Continue'])
    await isGone(page)
    expect(await page.getByLabel('Name').inputValue()).toBe('Ida Wolf')
  })
})

test('an impersonator sees organizations, and cannot change them', async () => {
  const { openAs, origin, userId, kit } = await withOldSignIn({ organization: true, apiKey: true })
  const own = kit.browser()
  await own.call('POST /sign-in/email', { body: ida })
  const acme = { body: { name: 'Acme', slug: 'acme' } }
  const { id } = (await own.call('POST /organization/create', acme, { origin })).body
  const page = await openAs(root, `/admin/users/${userId}`)
  await page.getByRole('button', { name: 'Impersonate' }).click()
  await page.getByRole('alertdialog').getByLabel('Reason').fill('Ticket 48213')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/account')
  const seen = 'You see what this user sees. While you act as another user, you cannot change it.'
  for (const path of ['/organizations', `/organizations/${id}/members`]) {
    await page.goto(origin + path)
    await page.getByText(seen).waitFor()
  }
  for (const path of ['/organizations/create', '/account/sessions', '/account/api-keys']) {
    await page.goto(origin + path)
    await page.getByText('This is not available while you act as another user.').first().waitFor()
    expect(await page.getByRole('main').getByRole('button', { disabled: false }).filter({ hasNotText: 'Sign out' }).count()).toBe(
      0,
    )
  }
})
