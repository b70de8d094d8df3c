/** Sign-in by email in a browser: with a code, and with a magic link in the browser that asked, in another one, and by a mail scanner. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { browsers, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const { email } = ada

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const link = (page: Page, name: string) => page.getByRole('link', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function arrive(config: ConfigFile) {
  const pages = await hostedPages(config)
  const sessions = async () => (await pages.kit.app.db.selectFrom('session').select('id').execute()).length
  /** Asks for a link or a code. */
  const ask = async (options: object, path = '/sign-in') => {
    const page = await pages.open(path, options)
    await link(page, 'Sign in by email').click()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: /^Send (code|link)$/ }).click()
    await heading(page, 'Check your email').waitFor()
    return page
  }
  const mailed = async () => (await pages.mailedLink(email)).slice(pages.origin.length)
  const verifyAda = async () => {
    await pages.kit.browser().call('POST /sign-up/email', { body: ada })
    await pages.kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
    await pages.kit.app.db.deleteFrom('session').execute()
  }
  return { ...pages, sessions, ask, mailed, verifyAda, readMails: new Set<string>() }
}

/** The code in the only email that was not read yet: the clock of the test stands still, so that none is newer than another. */
async function sentCode({ kit, readMails }: Awaited<ReturnType<typeof arrive>>): Promise<string> {
  await kit.settled()
  const { mails } = (await kit.browser().call('GET /mailbox/list', {})).body
  const [{ id, subject }] = mails.filter((mail: { readonly id: string }) => !readMails.has(mail.id))
  readMails.add(id)
  return /\d{6}/.exec(subject)?.[0] ?? ''
}

const target = '/sign-in?callbackURL=%2Fapi%2Fauth%2Fok'

describe.each(browsers)('%s', (_, options) => {
  test('a code signs up; a wrong one stays on the page', async () => {
    const kit = await arrive({ emailOTP: true })
    const page = await kit.ask(options, target)
    const code = await sentCode(kit)
    await page.getByLabel('Code').fill(code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`)
    await button(page, 'Sign in').click()
    await page.getByText('The code is wrong.').first().waitFor()
    await page.getByLabel('Code').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await button(page, 'Sign in').click()
    await page.waitForURL(/\/api\/auth\/ok$/)
    expect(await kit.sessions()).toBe(1)
  })

  test('a link signs in the browser that asked without a click, and leaves no token in the address', async () => {
    const kit = await arrive({ magicLink: true })
    await kit.verifyAda()
    const page = await kit.ask(options, target)
    await page.goto(`${kit.origin}${await kit.mailed()}`)
    await page.waitForURL(/\/api\/auth\/ok$/)
    expect(await kit.sessions()).toBe(1)
  })

  test('in another browser a link asks first; the code signs in the one that asked', async () => {
    const kit = await arrive({ magicLink: true })
    await kit.verifyAda()
    const first = await kit.ask(options, target)
    const phone = await kit.open(await kit.mailed(), options)
    await heading(phone, 'Sign in with this link').waitFor()
    expect(phone.url()).not.toContain('token=')
    expect(await kit.sessions()).toBe(0)
    await link(phone, 'I asked on another device').click()
    await heading(phone, 'Enter this code on the other device').waitFor()
    const code = (await phone.getByText(/^\d{6}$/).textContent()) ?? ''
    await first.getByLabel('Code').fill(code)
    await button(first, 'Sign in').click()
    await first.waitForURL(/\/api\/auth\/ok$/)
    await phone.reload()
    await heading(phone, 'This link does not work').waitFor()
  })

  test('in another browser a click signs in there', async () => {
    const kit = await arrive({ magicLink: true })
    await kit.verifyAda()
    await kit.ask(options, target)
    const phone = await kit.open(await kit.mailed(), options)
    await button(phone, 'Sign in on this device').click()
    await phone.waitForURL(/\/api\/auth\/ok$/)
    expect(await kit.sessions()).toBe(1)
  })

  test('an unverified user gives their password, or ends what another person set up', async () => {
    const kit = await arrive({ magicLink: true })
    const squatter = kit.kit.browser()
    await squatter.call('POST /sign-up/email', { body: ada })
    await kit.ask(options)
    const phone = await kit.open(await kit.mailed(), options)
    await heading(phone, 'Is this your account?').waitFor()
    await phone.getByLabel('Password', { exact: true }).fill('a wrong password')
    await button(phone, 'Sign in').click()
    await phone.getByText('The password is incorrect.').first().waitFor()
    await link(phone, 'I did not sign up, or I forgot the password').click()
    await button(phone, 'Sign in and end other access').click()
    await phone.waitForURL(/\/account/)
    expect((await squatter.call('GET /get-session', {})).body).toBeNull()
  })

  test('a code in place of a link verifies the address after the sign-up', async () => {
    const kit = await arrive({
      emailOTP: { overrideDefaultEmailVerification: true },
      emailAndPassword: { enabled: true, requireEmailVerification: true },
      emailVerification: { sendOnSignUp: true, autoSignInAfterVerification: true },
    })
    const page = await kit.open('/sign-up?callbackURL=%2Fapi%2Fauth%2Fok', options)
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Email').fill('ada@gmail.com')
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('We sent a code to ada@gmail.com.').waitFor()
    expect(await link(page, 'Open Gmail').getAttribute('href')).toBe('https://mail.google.com/')
    await page.getByLabel('Code').fill('00000000')
    await button(page, 'Verify email address').click()
    await page.getByText('The code is wrong.').first().waitFor()
    await page.getByLabel('Code').fill(await sentCode(kit))
    await button(page, 'Verify email address').click()
    await page.waitForURL(/\/api\/auth\/ok$/)
    expect(await kit.sessions()).toBe(1)
  })

  test('a code resets a forgotten password', async () => {
    const kit = await arrive({ emailOTP: true })
    await kit.verifyAda()
    const page = await kit.open('/sign-in', options)
    await link(page, 'Forgot password?').click()
    await link(page, 'Use a code instead').click()
    await page.getByLabel('Email').fill(email)
    await button(page, 'Send code').click()
    await heading(page, 'Choose a new password').waitFor()
    await page.getByLabel('Code').fill('00000000')
    await page.getByLabel('New password').fill('another horse entirely')
    await button(page, 'Save new password').click()
    await page.getByText('The code is wrong.').first().waitFor()
    await page.getByLabel('Code').fill(await sentCode(kit))
    await page.getByLabel('New password').fill('another horse entirely')
    await button(page, 'Save new password').click()
    await heading(page, 'Your password is changed').waitFor()
    const body = { email, password: 'another horse entirely' }
    expect((await kit.kit.browser().call('POST /sign-in/email', { body })).status).toBe(200)
  })

  test('with otherBrowser code, the page shows the code only, which signs in the browser that asked', async () => {
    const kit = await arrive({ magicLink: { otherBrowser: 'code' } })
    await kit.verifyAda()
    const first = await kit.ask(options, target)
    await first.getByText(/^The email was requested at .*UTC\.$/).waitFor()
    const phone = await kit.open(await kit.mailed(), options)
    await heading(phone, 'Enter this code on the other device').waitFor()
    expect(await button(phone, 'Sign in on this device').count()).toBe(0)
    await first.getByLabel('Code').fill((await phone.getByText(/^\d{6}$/).textContent()) ?? '')
    await button(first, 'Sign in').click()
    await first.waitForURL(/\/api\/auth\/ok$/)
    expect(await kit.sessions()).toBe(1)
  })

  test('with both features, the code on the page of the link signs in the browser that asked', async () => {
    const kit = await arrive({ magicLink: true, emailOTP: true })
    await kit.verifyAda()
    const first = await kit.ask(options, target)
    const phone = await kit.open(await kit.mailed(), options)
    await link(phone, 'I asked on another device').click()
    await heading(phone, 'Enter this code on the other device').waitFor()
    await first.getByLabel('Code').fill((await phone.getByText(/^\d{6}$/).textContent()) ?? '')
    await button(first, 'Sign in').click()
    await first.waitForURL(/\/api\/auth\/ok$/)
    await phone.reload()
    await heading(phone, 'This link does not work').waitFor()
  })

  test('cancelled: who goes back from the code, and closes the page, has used nothing', async () => {
    const kit = await arrive({ magicLink: true })
    await kit.verifyAda()
    const first = await kit.ask(options, target)
    const path = await kit.mailed()
    const phone = await kit.open(path, options)
    await link(phone, 'I asked on another device').click()
    await link(phone, 'Back').click()
    await heading(phone, 'Sign in with this link').waitFor()
    await phone.close()
    expect(await kit.sessions()).toBe(0)
    await first.goto(`${kit.origin}${path}`)
    await first.waitForURL(/\/api\/auth\/ok$/)
  })

  test('with otherBrowser refuse, the page says where to open the link', async () => {
    const kit = await arrive({ magicLink: { otherBrowser: 'refuse' } })
    await kit.ask(options)
    const phone = await kit.open(await kit.mailed(), options)
    await heading(phone, 'Open the link where you asked for it').waitFor()
  })
})

test('a mail scanner with a real browser opens the link twice and uses nothing', async () => {
  const kit = await arrive({ magicLink: true })
  const page = await kit.ask({}, target)
  const path = await kit.mailed()
  for (let time = 0; time < 2; time += 1) {
    const scanner = await kit.open(path)
    await heading(scanner, 'Sign in with this link').waitFor()
    await scanner.waitForLoadState('networkidle')
    expect(await kit.sessions()).toBe(0)
  }
  await page.goto(`${kit.origin}${path}`)
  await page.waitForURL(/\/api\/auth\/ok$/)
})

test('the account area verifies and changes the address with codes', async () => {
  const kit = await arrive({
    emailOTP: { overrideDefaultEmailVerification: true, changeEmail: { enabled: true } },
    emailAndPassword: { enabled: true },
  })
  await kit.kit.browser().call('POST /sign-up/email', { body: ada })
  const page = await kit.openAs(ada, '/account/password')
  await button(page, 'Send code').click()
  await page.getByText('We sent a code to ada@example.com.').waitFor()
  await page.getByLabel('Code').fill(await sentCode(kit))
  await button(page, 'Verify').click()
  await page.getByText('ada@example.com is verified.').waitFor()
  await button(page, 'Change email address').click()
  await page.getByLabel('New email address').fill('lovelace@example.com')
  await page.getByLabel('Code').fill(await sentCode(kit))
  await button(page, 'Send code').click()
  await page.getByText('We sent a code to lovelace@example.com.').waitFor()
  await page.getByLabel('Code').fill(await sentCode(kit))
  await button(page, 'Change email address').click()
  await page.getByText('Your email address is now lovelace@example.com.').waitFor()
  const users = kit.kit.app.db.selectFrom('user').select(['email', 'emailVerified'])
  expect(await users.execute()).toEqual([{ email: 'lovelace@example.com', emailVerified: true }])
})
