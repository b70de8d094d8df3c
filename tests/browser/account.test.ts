/** The account area: profile, email and password, export and deletion; and forms whose session ends before they are saved. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { cookiesOf, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const newEmail = 'ada@lovelace.example'
const newPassword = 'another horse entirely'

async function withAda(config: ConfigFile = {}, isVerified = false) {
  const pages = await hostedPages(config)
  const { kit } = pages
  await kit.browser().call('POST /sign-up/email', { body: ada })
  await kit.app.db.updateTable('user').set({ emailVerified: isVerified }).execute()
  await kit.app.db.deleteFrom('session').execute()
  const user = () => kit.app.db.selectFrom('user').selectAll().executeTakeFirst()
  return { ...pages, user, open: (path: string) => pages.openAs(ada, path) }
}

const status = (page: Page, text: string) => page.getByRole('main').getByRole('status').filter({ hasText: text })
const expiredDialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in again to continue' })
const freshDialog = (page: Page) => page.getByRole('dialog', { name: 'Enter your password to continue' })

async function enterPassword(dialog: ReturnType<typeof freshDialog>) {
  await dialog.getByLabel('Password', { exact: true }).fill(ada.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function changeEmail(page: Page) {
  await page.getByRole('button', { name: 'Change email address' }).click()
  const field = page.getByLabel('New email address')
  await field.and(page.locator(':focus')).waitFor()
  await field.fill(newEmail)
  await page.keyboard.press('Enter')
}

describe('the account area', () => {
  test('saves the name and custom fields', async () => {
    const additionalFields = {
      company: { type: 'string', required: false },
      seats: { type: 'number', required: false },
      plan: { type: ['free', 'team'], required: false },
      newsletter: { type: 'boolean', required: false },
    } satisfies NonNullable<ConfigFile['user']>['additionalFields']
    const { open, kit } = await withAda({ user: { additionalFields } })
    const page = await open('/account')
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await page.getByLabel('Company').fill('Analytical Engines')
    await page.getByLabel('Seats').fill('a few')
    await page.getByLabel('Plan').selectOption('team')
    await page.getByLabel('Newsletter').check()
    await page.getByRole('button', { name: 'Save profile' }).click()
    await page.getByText('Enter a whole number, such as 42.').waitFor()
    await page.getByLabel('Seats').fill('42')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await status(page, 'Your profile was saved.').waitFor()
    await page.getByRole('button', { name: /^Account menu of Ada Lovelace/ }).waitFor()
    await page.getByLabel('Company').fill('')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await status(page, 'Your profile was saved.').waitFor()
    await page.reload()
    await expect.poll(() => page.getByLabel('Seats').inputValue()).toBe('42')
    expect(await page.getByLabel('Newsletter').isChecked()).toBe(true)
    const visitor = kit.browser()
    const { body } = await visitor.call('POST /sign-in/email', { body: ada })
    expect(body.user.name).toBe('Ada Lovelace')
    const { user } = (await visitor.call('GET /get-session', {})).body
    expect(user).toMatchObject({ company: null, seats: 42, plan: 'team', newsletter: true })
  })

  test('keeps the input when the session has ended, and saves it after a new sign-in', async () => {
    const { open, kit, user } = await withAda()
    const page = await open('/account')
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await kit.app.db.deleteFrom('session').execute()
    await page.getByRole('button', { name: 'Save profile' }).click()
    await expiredDialog(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').filter({ hasText: 'You are not signed in.' }).waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada Lovelace')
    expect((await user())?.name).toBe('Ada')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await enterPassword(expiredDialog(page))
    await status(page, 'Your profile was saved.').waitFor()
    expect((await user())?.name).toBe('Ada Lovelace')
  })

  test('changes an unverified email address immediately', async () => {
    const { open, mailedLink, user } = await withAda({ user: { changeEmail: { enabled: true } } })
    const page = await open('/account/password')
    await page.getByText('Not verified').waitFor()
    await changeEmail(page)
    await status(page, `Your email address is now ${newEmail}.`).waitFor()
    expect(await user()).toMatchObject({ email: newEmail, emailVerified: false })
    await page.goto(await mailedLink(newEmail))
    await page.getByRole('button', { name: 'Verify email address' }).click()
    await expect.poll(async () => (await user())?.emailVerified).toBe(true)
  })

  test('changes a verified email address after a link to it, and then verifies the new one', async () => {
    const { open, mailedLink, user } = await withAda({ user: { changeEmail: { enabled: true } } }, true)
    const page = await open('/account/password')
    await changeEmail(page)
    await status(page, `We sent a link to ${ada.email}.`).waitFor()
    expect((await user())?.email).toBe(ada.email)
    await page.goto(await mailedLink(ada.email))
    await page.getByRole('button', { name: 'Change email address' }).click()
    await page.waitForURL('**/email-changed')
    expect((await user())?.email).toBe(newEmail)
    await page.goto(await mailedLink(newEmail))
    await page.getByRole('button', { name: 'Verify email address' }).click()
    await expect.poll(user).toMatchObject({ email: newEmail, emailVerified: true })
  })

  test('changes the password and signs out the other devices', async () => {
    const { open, kit } = await withAda()
    const other = kit.browser()
    await other.call('POST /sign-in/email', { body: ada })
    const page = await open('/account/password')
    await page.getByLabel('Current password').fill('wrong horse battery')
    await page.getByLabel('New password').fill('short')
    await page.keyboard.press('Enter')
    await page.getByText('The password is too short.').waitFor()
    await page.getByLabel('New password').fill(newPassword)
    await page.keyboard.press('Enter')
    await page.getByText('The password is incorrect.').waitFor()
    await page.getByLabel('Current password').fill(ada.password)
    await page.keyboard.press('Enter')
    await status(page, 'All other devices are signed out.').waitFor()
    expect(await page.getByLabel('New password').inputValue()).toBe('')
    expect((await other.call('GET /list-sessions', {})).status).toBe(401)
    await page.goto(page.url().replace('/password', '/sessions'))
    await page.getByText('No other sessions').waitFor()
    expect((await kit.browser().call('POST /sign-in/email', { body: { ...ada, password: newPassword } })).status).toBe(200)
  })

  test('deletes the account with the password', async () => {
    const { open, origin, user } = await withAda({ user: { deleteUser: { enabled: true } } })
    const page = await open('/account/delete')
    await page.getByLabel('Your password').fill(ada.password)
    await page.getByLabel(`Type ${ada.email} to confirm`).fill('eve@example.com')
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.getByText('Enter the email address of your account.').waitFor()
    await page.getByLabel(`Type ${ada.email} to confirm`).fill(ada.email)
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.waitForURL(`${origin}/account-deleted`)
    expect(await user()).toBeUndefined()
    expect(await cookiesOf(page)).toEqual([])
  })

  test('names the organizations that are deleted too, and leads to those that need another owner', async () => {
    const { open } = await withAda({ user: { deleteUser: { enabled: true } }, organization: true })
    const page = await open('/account/delete')
    await page.getByRole('listitem').getByText('Your organizations that have no other members').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Your organizations' }).click()
    await page.getByRole('heading', { level: 1, name: 'Organizations' }).waitFor()
  })

  test('deletes the account with a mailed link', async () => {
    const deleteUser = { enabled: true, sendDeleteAccountVerification: true }
    const { open, origin, user, mailedLink } = await withAda({ user: { deleteUser } })
    const page = await open('/account/delete')
    await page.getByLabel(`Type ${ada.email} to confirm`).fill(ada.email)
    await page.getByRole('button', { name: 'Send deletion link' }).click()
    await status(page, `We sent a link to ${ada.email}.`).waitFor()
    expect(await user()).toBeDefined()
    await page.goto(await mailedLink(ada.email))
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.waitForURL(`${origin}/account-deleted`)
    expect(await user()).toBeUndefined()
  })

  test('exports the data without a token, after a recent sign-in', async () => {
    const { open, kit } = await withAda()
    const page = await open('/account/data')
    kit.clock.advance(2 * 86_400)
    await page.getByRole('button', { name: 'Download data' }).click()
    const download = page.waitForEvent('download')
    await enterPassword(freshDialog(page))
    const text = await readFile(await (await download).path(), 'utf8')
    expect((await download).suggestedFilename()).toBe('data-export.json')
    expect(JSON.parse(text)).toMatchObject({ user: { email: ada.email }, session: [{}], account: [{ providerId: 'credential' }] })
    const [cookie] = await cookiesOf(page)
    const { tokenHash } = await kit.app.db.selectFrom('session').select('tokenHash').executeTakeFirstOrThrow()
    const { password } = await kit.app.db.selectFrom('account').select('password').executeTakeFirstOrThrow()
    for (const secret of [decodeURIComponent(cookie?.value ?? '').split('.')[0], tokenHash, password]) {
      expect(secret).toBeTruthy()
      expect(text).not.toContain(secret)
    }
    await status(page, 'Your data was downloaded.').waitFor()
  })
})

test('asks for the password when the last sign-in is too long ago, and then continues', async () => {
  const { open, kit, user } = await withAda({ user: { changeEmail: { enabled: true } } })
  const page = await open('/account/password')
  await page.getByText('Not verified').waitFor()
  kit.clock.advance(2 * 86_400)
  await changeEmail(page)
  await freshDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alert').filter({ hasText: 'Sign in again to continue.' }).waitFor()
  expect(await page.getByLabel('New email address').inputValue()).toBe(newEmail)
  await page.getByRole('button', { name: 'Change email address' }).click()
  await enterPassword(freshDialog(page))
  await status(page, `Your email address is now ${newEmail}.`).waitFor()
  expect((await user())?.email).toBe(newEmail)
})

test('offers a link to set a password to an account without one', async () => {
  const { open, openAs, kit, mailedLink } = await withAda()
  const page = await open('/account')
  await kit.app.db.updateTable('account').set({ providerId: 'github', password: null }).execute()
  await page.getByRole('link', { name: 'Password and sign-in' }).click()
  await page.getByText('Your account has no password').waitFor()
  await page.getByText('Github').waitFor()
  await page.getByRole('button', { name: 'Send link to set a password' }).click()
  await status(page, `We sent a link to ${ada.email}.`).waitFor()
  await page.goto(await mailedLink(ada.email))
  await page.getByLabel('New password').fill(newPassword)
  await page.keyboard.press('Enter')
  await expect
    .poll(() => kit.app.db.selectFrom('account').select('id').where('providerId', '=', 'credential').execute())
    .toHaveLength(1)
  const again = await openAs({ ...ada, password: newPassword }, '/account/password')
  await again.getByRole('button', { name: 'Unlink Github' }).click()
  await again.getByRole('alertdialog').getByRole('button', { name: 'Unlink Github' }).click()
  await status(again, 'Github was unlinked.').waitFor()
})
