/** A second factor at sign-in, on the hosted page. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import type { Browser } from '../kit/browser.ts'
import { browsers, type HostedPages, signOut, withChromium } from '../kit/hosted-pages.ts'
import { enrol } from '../kit/second-factor.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const digits = /^\d{6}$/

/** A site with Ann, who has an authenticator app, a verified number and backup codes. */
async function withAnn(config: ConfigFile = {}) {
  const site = await hostedPages({ twoFactor: true, phoneNumber: true, sms: { catch: true }, ...config })
  const client = site.kit.browser()
  const browser: Browser = { ...client, call: (key, input) => client.call(key, input, { origin: site.origin }) }
  await browser.call('POST /sign-up/email', { body: ann })
  const number = { phoneNumber: '+491701234567', phoneNumberVerified: true }
  await site.kit.app.db.updateTable('user').set(number).where('email', '=', ann.email).execute()
  return { ...site, browser, ...(await enrol(site.kit, browser)) }
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Second factor' }).waitFor()
}

/** The newest code that was sent by text message. */
async function sentCode({ kit: { app } }: HostedPages, kind = 'two-factor-code'): Promise<string> {
  const read = () =>
    app.db.selectFrom('caughtMail').select('code').where('kind', '=', kind).orderBy('createdAt', 'desc').execute()
  await expect.poll(async () => (await read())[0]?.code).toMatch(digits)
  return (await read())[0]?.code ?? ''
}

describe.each(browsers)('%s', (name, options) => {
  const isSentByItself = name === 'with scripts'

  test('a code of the app completes the sign-in and leads to where the user wanted to go', async () => {
    const { open, code } = await withAnn()
    const page = await open('/sign-in?callbackURL=%2Faccount%2Fsessions', options)
    await signIn(page)
    const field = page.getByLabel('Code')
    expect(await field.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true)
    const wrong = code() === '000000' ? '111111' : '000000'
    await field.fill(wrong)
    if (!isSentByItself) await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The code is wrong, or was used already.').waitFor()
    expect(await page.getByLabel('Code').inputValue()).toBe('')
    await page.getByLabel('Code').fill(`${code().slice(0, 3)} ${code().slice(3)}`)
    if (!isSentByItself) await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/account/sessions')
  })

  test('a code by text message, and a backup code, are other ways', async () => {
    const site = await withAnn()
    await site.browser.call('POST /two-factor/enable', { body: { password: ann.password, method: 'otp', channel: 'sms' } })
    const page = await site.open('/sign-in', options)
    await signIn(page)
    await page.getByRole('link', { name: 'Code by text message to •••• ••67' }).click()
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByText('We sent a code by text message to •••• ••67.').waitFor()
    await page.getByLabel('Code').fill(await sentCode(site))
    if (!isSentByItself) await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/account')

    const other = await site.open('/sign-in', options)
    await signIn(other)
    await other.getByRole('link', { name: 'Backup codes (10 left)' }).click()
    await other.getByText('You have 10 backup codes left.').waitFor()
    expect(await other.getByRole('checkbox').count()).toBe(0)
    await other.getByLabel('Backup code').fill(site.backupCodes[0] ?? '')
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.waitForURL('**/account')
  })

  test('a user who cancels is back at the sign-in, and the sign-in page says when it took too long', async () => {
    const { open, kit } = await withAnn()
    const page = await open('/sign-in?callbackURL=%2Faccount%2Fsessions', options)
    await signIn(page)
    await page.getByRole('button', { name: 'Cancel sign-in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).search).toBe('?callbackURL=%2Faccount%2Fsessions')
    await signIn(page)
    await page.getByText('You have 10 minutes left to sign in.').waitFor()
    kit.clock.advance(601)
    await page.reload()
    await page.getByText('The sign-in took too long').waitFor()
    expect(new URL(page.url()).pathname).toBe('/sign-in')
  })
})

test('the page says how much time is left, announces the last minutes, and then leads back with the email address filled in', async () => {
  const { open, kit } = await withAnn()
  const page = await open('/sign-in?callbackURL=%2Faccount%2Fsessions')
  await signIn(page)
  // A browser whose clock is an hour late has the same time left.
  await page.clock.install({ time: Date.now() - 3_600_000 })
  await page.reload()
  const left = page.getByRole('status')
  const isAnnounced = async () => (await left.getAttribute('aria-live')) !== 'off'
  expect([await left.textContent(), await isAnnounced()]).toEqual(['You have 10 minutes left to sign in.', false])
  const states: unknown[] = []
  for (const seconds of [61, 300, 60, 60, 60, 30]) {
    await page.clock.runFor(seconds * 1000)
    states.push([await left.textContent(), await isAnnounced()])
  }
  expect(states).toEqual([
    ['You have 8 minutes left to sign in.', false],
    ['You have 3 minutes left to sign in.', true],
    ['You have 2 minutes left to sign in.', true],
    ['You have 1 minute left to sign in.', true],
    ['You have 1 minute left to sign in.', true],
    ['You have 30 seconds left to sign in.', true],
  ])
  kit.clock.advance(601)
  await page.clock.runFor(31_000)
  await page.getByText('The sign-in took too long').waitFor()
  expect(new URL(page.url()).searchParams.get('callbackURL')).toBe('/account/sessions')
  expect(await page.getByLabel('Email').inputValue()).toBe(ann.email)
})

/** A browser that hands the page the code of a text message (WebOTP) when the test calls `receive`. */
const withTextMessages = (page: Page) =>
  page.addInitScript(`
    globalThis.OTPCredential = class {}
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) =>
      options?.otp
        ? new Promise((resolve, reject) => {
            globalThis.receive = (code) => resolve({ code })
            options.signal.addEventListener('abort', () => {
              globalThis.hasEnded = true
              reject(options.signal.reason)
            })
          })
        : get(options)
  `)

const receive = (page: Page, code: string) => page.evaluate(`receive(${JSON.stringify(code)})`)

test('a code that the browser reads from a text message is sent by itself', async () => {
  const site = await withAnn()
  await site.browser.call('POST /two-factor/enable', { body: { password: ann.password, method: 'otp', channel: 'sms' } })
  const page = await site.open('/sign-in')
  await withTextMessages(page)
  await signIn(page)
  await page.getByRole('link', { name: 'Code by text message to •••• ••67' }).click()
  await page.getByRole('button', { name: 'Send code' }).click()
  const code = await sentCode(site)
  const wrong = code === '000000' ? '111111' : '000000'
  await page.getByLabel('Code').fill(wrong)
  await page.getByText('The code is wrong').waitFor()
  // The request of the first field has ended, and the page has made a new one.
  expect(await page.evaluate('hasEnded')).toBe(true)
  await receive(page, code)
  await page.waitForURL('**/account')
})

test('a sign-in with a phone number reads the code from the text message too', async () => {
  const site = await withAnn()
  const page = await site.open('/sign-in/phone')
  await withTextMessages(page)
  await page.getByLabel('Phone number').fill('+49 170 1234567')
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor()
  await receive(page, await sentCode(site, 'phone-verification'))
  await page.getByRole('heading', { level: 1, name: 'Second factor' }).waitFor()
})

test('a browser that is trusted needs no code the next time', async () => {
  const { open, code } = await withAnn()
  const page = await open('/sign-in')
  await signIn(page)
  expect(await page.getByLabel('Trust this browser for 30 days').isChecked()).toBe(false)
  await page.getByLabel('Trust this browser for 30 days').check()
  await page.getByLabel('Code').fill(code())
  await page.waitForURL('**/account')
  const { origin } = new URL(page.url())
  await signOut(page, origin)
  await page.goto(`${origin}/sign-in`)
  await page.getByLabel('Email').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/account')
})

test('a sign-in with a phone number comes back to where the user wanted to go too', async () => {
  const site = await withAnn()
  const page = await site.open('/sign-in/phone?callbackURL=%2Faccount%2Fsessions')
  await page.getByLabel('Phone number').fill('+49 170 1234567')
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor()
  await page.getByLabel('Code').fill(await sentCode(site, 'phone-verification'))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Second factor' }).waitFor()
  await page.getByLabel('Code').fill(site.code())
  await page.waitForURL('**/account/sessions')
})

test('after the second wrong code of an app, the page names the clock of the phone', async () => {
  const { open, code } = await withAnn()
  const page = await open('/sign-in')
  await signIn(page)
  const hint = page.getByText('Codes depend on the time')
  for (const count of [0, 1]) {
    expect(await hint.count()).toBe(0)
    const verified = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByLabel('Code').fill(code() === '000000' ? '111111' : '000000')
    await verified
    await page.getByText('The code is wrong').waitFor()
    await expect.poll(() => hint.count()).toBe(count)
  }
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/clock.png` })
})

test('five wrong codes end the sign-in, and the sign-in page says why', async () => {
  const { open, kit, code } = await withAnn()
  const page = await open('/sign-in')
  await signIn(page)
  const wrong = code() === '000000' ? '111111' : '000000'
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await page.getByLabel('Code').fill(wrong)
    await page.getByText('The code is wrong').waitFor()
    kit.clock.advance(11)
    await page.reload()
  }
  await page.getByLabel('Code').fill(wrong)
  await page.getByText('There were too many wrong codes.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/sign-in')
})

test('asks in German, on a narrow screen', async () => {
  const { open, code } = await withAnn()
  const page = await open('/sign-in', { locale: 'de-DE', viewport: { width: 320, height: 640 } })
  await page.getByLabel('E-Mail-Adresse').fill(ann.email)
  await page.getByLabel('Passwort', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByRole('heading', { level: 1, name: 'Zweiter Faktor' }).waitFor()
  await page.getByText('Geben Sie den Code ein, den Ihre Authenticator-App anzeigt.').waitFor()
  await page.getByLabel('Bestätigungscode').fill(code())
  await page.waitForURL('**/account')
})
