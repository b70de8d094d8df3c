/** Usernames and phone numbers on the hosted pages. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { browsers, type HostedPages, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const number = '+49 170 1234567'
const stored = '+491701234567'

const config = {
  username: true,
  phoneNumber: { signUpOnVerification: { getTempEmail: (to: string) => `${to.slice(1)}@phone.example.com` } },
  sms: { catch: true },
}

/** The newest code that was sent; each call waits for the next one. */
function codesOf({ kit }: HostedPages): () => Promise<string> {
  let seen = 0
  const read = () =>
    kit.app.db.selectFrom('caughtMail').select('code').where('isText', '=', true).orderBy('createdAt').orderBy('id').execute()
  return async () => {
    seen += 1
    await expect.poll(async () => (await read()).length).toBeGreaterThanOrEqual(seen)
    kit.clock.advance(1)
    return (await read()).at(-1)?.code ?? ''
  }
}

async function requestCode(page: Page): Promise<void> {
  await page.getByLabel('Phone number').fill(number)
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByLabel('Code').waitFor()
}

describe('usernames', () => {
  test('are checked while they are typed, chosen at sign-up, used to sign in, and changed in the profile', async () => {
    const site = await hostedPages(config)
    await site.kit
      .browser()
      .call('POST /sign-up/email', { body: { ...ada, email: 'una@example.com', username: 'taken' } as never })
    const page = await site.open('/sign-up')
    await page.getByLabel('Name', { exact: true }).fill(ada.name)
    await page.getByLabel('Email').fill(ada.email)
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.getByLabel('Username').fill('Taken')
    await page.getByText('Taken is taken.').waitFor()
    await page.getByLabel('Username').fill('Ada_L')
    await page.getByText('Ada_L is available.').waitFor()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/account')
    const other = await site.open('/sign-in?callbackURL=%2Faccount%2Fsessions')
    await other.getByLabel('Email or username').fill('ada_l')
    await other.getByLabel('Password', { exact: true }).fill(ada.password)
    await other.keyboard.press('Enter')
    await other.waitForURL('**/account/sessions')
    await page.getByLabel('Username').fill('lovelace')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await page.getByText('Your profile was saved.').first().waitFor()
    expect(await site.kit.app.db.selectFrom('user').select('username').where('email', '=', ada.email).execute()).toEqual([
      { username: 'lovelace' },
    ])
  })
})

describe('phone numbers', () => {
  test.each(browsers)('sign up and sign in with a code, %s', async (_, options) => {
    const site = await hostedPages(config)
    const nextCode = codesOf(site)
    const page = await site.open('/sign-up', options)
    await page.getByRole('link', { name: 'Sign up with a phone number' }).click()
    await page.getByRole('heading', { name: 'Sign in with your phone number' }).waitFor()
    await requestCode(page)
    const code = await nextCode()
    await page.getByLabel('Code').fill(code === '000000' ? '111111' : '000000')
    await page.keyboard.press('Enter')
    await page.getByText('The code is wrong.').waitFor()
    await page.getByRole('button', { name: 'Send a new code' }).click()
    await page.getByText('A new code was sent.').waitFor()
    await page.getByLabel('Code').fill(await nextCode())
    await page.keyboard.press('Enter')
    await page.waitForURL('**/account')
    expect(await site.kit.app.db.selectFrom('user').select(['phoneNumber', 'phoneNumberVerified']).execute()).toEqual([
      { phoneNumber: stored, phoneNumberVerified: true },
    ])
  })

  test('say that no account uses a number when users cannot sign up with it', async () => {
    const site = await hostedPages({ ...config, phoneNumber: true })
    const page = await site.open('/sign-in')
    await page.getByRole('link', { name: 'Sign in with a phone number' }).click()
    await requestCode(page)
    await page.getByLabel('Code').fill(await codesOf(site)())
    await page.keyboard.press('Enter')
    await page.getByText(`No account uses ${number}.`).waitFor()
  })

  test('are added, changed and removed in the account area, and reset the password', async () => {
    const site = await hostedPages(config)
    const nextCode = codesOf(site)
    await site.kit.browser().call('POST /sign-up/email', { body: ada })
    const page = await site.openAs(ada, '/account/password')
    await page.getByRole('button', { name: 'Add phone number' }).click()
    await page.getByLabel('New phone number').fill(number)
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByLabel('Code').fill(await nextCode())
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText(`${stored} is verified.`).waitFor()
    expect(await page.locator(':focus').textContent()).toContain('is verified.')

    const visitor = await site.open('/sign-in/phone')
    await visitor.getByRole('link', { name: 'Use a password instead' }).click()
    await visitor.getByRole('link', { name: 'Forgot password?' }).click()
    await visitor.getByRole('heading', { name: 'Reset your password by text message' }).waitFor()
    await requestCode(visitor)
    await visitor.getByLabel('Code').fill(await nextCode())
    await visitor.getByLabel('New password', { exact: true }).fill('another horse entirely')
    await visitor.getByRole('button', { name: 'Save password' }).click()
    await visitor.getByRole('heading', { name: 'Your password was changed' }).waitFor()

    const again = await site.openAs({ ...ada, password: 'another horse entirely' }, '/account/password')
    await again.getByRole('button', { name: 'Remove' }).click()
    await again.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await again.getByText('Your phone number was removed.').waitFor()
    await expect.poll(() => again.locator(':focus').textContent()).toBe('Your phone number was removed.')
  })

  test('are the sign-in method in the dialog for users who have nothing else', async () => {
    const site = await hostedPages(config)
    const nextCode = codesOf(site)
    const page = await site.open('/sign-in/phone')
    await requestCode(page)
    await page.getByLabel('Code').fill(await nextCode())
    await page.keyboard.press('Enter')
    await page.waitForURL('**/account')
    await page.goto(`${site.origin}/account/password`)
    await page.getByRole('button', { name: 'Change phone number' }).click()
    await page.getByLabel('New phone number').fill('+49 170 7654321')
    await page.getByRole('button', { name: 'Send code' }).click()
    const code = await nextCode()
    await site.kit.app.db
      .updateTable('session')
      .set({ authenticatedAt: new Date(0) })
      .execute()
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Verify' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Send code' }).click()
    await dialog.getByLabel('Code').fill(await nextCode())
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('+491707654321 is verified.').waitFor()
  })
})
