/** The sign-in page with the identifier first, and the account that was used last in a browser. */
import type { CDPSession, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { TestApp } from '../kit/app.ts'
import { browsers, signOut, withChromium } from '../kit/hosted-pages.ts'
import { expectAccessible, expectForcedColors, expectNoMotion, expectNoSidewaysScroll, serveAxe } from './inspection.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const target = '/api/auth/ok'
const signInAt = `/sign-in?callbackURL=${encodeURIComponent(target)}`
const [, withoutScripts] = browsers

/** A site on which Ann has an account, with these methods. */
async function withAnn(config: object = {}, signIn: object = {}) {
  const site = await hostedPages({ ...config, signIn: { page: 'identifier-first', ...signIn } })
  await site.kit.browser().call('POST /sign-up/email', { body: ann })
  return { ...site, done: (page: Page) => page.waitForURL(`${site.origin}${target}`) }
}

/** What the page asks of the server from now on, as method and path. */
function requestsOf(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
  return requests
}

async function typeIdentifier(page: Page, label = 'Email', identifier = ann.email): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(identifier)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

const password = (page: Page) => page.getByLabel('Password', { exact: true })
const expectFocus = async (field: Locator) => expect(await field.evaluate((each) => each.matches(':focus'))).toBe(true)
const anotherWay = (page: Page) => page.getByRole('button', { name: 'Another way' })

/** The code of the newest email. */
async function mailedCode({ app }: TestApp): Promise<string> {
  const newest = () =>
    app.db.selectFrom('caughtMail').select('text').where('recipient', '=', ann.email).orderBy('id', 'desc').executeTakeFirst()
  await expect.poll(newest).toBeDefined()
  return /\b\d{6}\b/.exec((await newest())?.text ?? '')?.[0] ?? ''
}

async function plugIn(page: Page): Promise<{ readonly cdp: CDPSession; readonly authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return { cdp, authenticatorId }
}

describe('the steps', () => {
  test('send nothing to the server: it gets an address when a method is used', async () => {
    const { open, done } = await withAnn({ emailOTP: true, passkey: true })
    const page = await open(signInAt)
    await page.waitForLoadState('networkidle')
    const requests = requestsOf(page)
    await typeIdentifier(page)
    await password(page).waitFor()
    await anotherWay(page).click()
    await page.getByRole('button', { name: 'Send a code by email' }).waitFor()
    await page.getByRole('link', { name: 'Change' }).click()
    await typeIdentifier(page, 'Email', 'zoe@example.com')
    await page.getByText('zoe@example.com').waitFor()
    expect(requests).toEqual([])
    await page.getByRole('link', { name: 'Change' }).click()
    await typeIdentifier(page)
    await password(page).fill(ann.password)
    await page.keyboard.press('Enter')
    await done(page)
    expect(requests[0]).toBe('POST /api/auth/sign-in/email')
  })

  test('are the same for any address, in the markup too', async () => {
    const { open } = await withAnn({ emailOTP: true })
    const page = await open(signInAt)
    const seen = []
    for (const email of [ann.email, 'zoe@example.com']) {
      await typeIdentifier(page, 'Email', email)
      seen.push((await page.getByRole('main').innerHTML()).replaceAll(email, ''))
      await page.getByRole('link', { name: 'Change' }).click()
    }
    expect(seen[0]).toBe(seen[1])
  })

  test('show the typed address in the form of the password, for password managers, and move the focus', async () => {
    const { open } = await withAnn()
    const page = await open(signInAt)
    expect(await page.getByLabel('Email').getAttribute('autocomplete')).toBe('username')
    await page.getByLabel('Email').fill(ann.email)
    await page.keyboard.press('Enter')
    await expectFocus(password(page))
    const form = page.locator('form', { has: password(page) })
    const username = form.locator('input[autocomplete=username]')
    expect([await username.inputValue(), await password(page).getAttribute('autocomplete')]).toEqual([
      ann.email,
      'current-password',
    ])
    // There is no other method.
    await expect.poll(() => anotherWay(page).count()).toBe(0)
    await page.getByRole('link', { name: 'Change' }).press('Enter')
    await expectFocus(page.getByLabel('Email'))
    expect(await page.getByLabel('Email').inputValue()).toBe(ann.email)
  })

  test('reject an address that is none, before the second', async () => {
    const { open } = await withAnn()
    const page = await open(signInAt)
    await typeIdentifier(page, 'Email', 'ann')
    await page.getByText('Enter an email address, such as').waitFor()
    await typeIdentifier(page, 'Email', '')
    expect(await password(page).isVisible()).toBe(false)
  })

  test('stay at the second after a wrong password, with what is wrong at the field', async () => {
    const { open, done } = await withAnn({ emailOTP: true })
    const page = await open(signInAt)
    await typeIdentifier(page)
    await password(page).fill('wrong horse battery')
    await page.keyboard.press('Enter')
    await page.getByText('Email or password is incorrect.').waitFor()
    await page.getByText(ann.email, { exact: true }).waitFor()
    await anotherWay(page).waitFor()
    await password(page).fill(ann.password)
    await page.keyboard.press('Enter')
    await done(page)
  })

  test.each(['en', 'de'])('are accessible, in each state: %s', async (lang) => {
    const methods = { emailOTP: true, passkey: true, username: true, phoneNumber: true, sms: { catch: true } }
    const { open, kit, origin, done } = await withAnn(methods, { rememberAccount: true })
    serveAxe(kit.app)
    const page = await open(`${signInAt}&lang=${lang}`, { locale: lang })
    const inspect = async (state: string) => {
      await expectAccessible(page, state)
      await expectForcedColors(page, state)
      await expectNoMotion(page, state)
      await expectNoSidewaysScroll(page, state)
    }
    await inspect('first step')
    await page.locator('[data-first-step] input[id]').fill(ann.email)
    await page.keyboard.press('Enter')
    await inspect('second step')
    await page.locator('[data-another]').click()
    await inspect('another way')
    await page.locator('input[name=password]').fill('wrong horse battery')
    await page.keyboard.press('Enter')
    await page.locator('[data-method=password] [aria-invalid=true]').waitFor()
    await inspect('wrong password')
    await page.locator('input[name=password]').fill(ann.password)
    await page.keyboard.press('Enter')
    await done(page)
    await signOut(page, origin)
    await page.goto(`${origin}${signInAt}&lang=${lang}`)
    await page.locator('[data-continue]').waitFor()
    await inspect('last account')
  })

  test('without scripts, the first leads to all methods', async () => {
    const { open, done } = await withAnn({ emailOTP: true })
    const page = await open(signInAt, withoutScripts?.[1])
    expect(await page.getByLabel('Email').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByLabel('Email').fill(ann.email)
    await password(page).fill('wrong horse battery')
    await page.keyboard.press('Enter')
    await page.getByText('Email or password is incorrect.').waitFor()
    await password(page).fill(ann.password)
    await page.keyboard.press('Enter')
    await done(page)
  })
})

describe('the order', () => {
  test('decides which method the second step shows first: a code by email', async () => {
    const { open, kit, done } = await withAnn({ emailOTP: true }, { order: ['email-code', 'password'] })
    const page = await open(signInAt)
    await typeIdentifier(page)
    expect(await password(page).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Send a code by email' }).click()
    await page.waitForURL('**/sign-in/code**')
    await page.getByLabel('Code').fill(await mailedCode(kit))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await done(page)
  })

  test('has the password behind another way, with the address', async () => {
    const { open, done } = await withAnn({ emailOTP: true }, { order: ['email-code'] })
    const page = await open(signInAt)
    await typeIdentifier(page)
    await anotherWay(page).click()
    await expectFocus(password(page))
    await password(page).fill(ann.password)
    await page.keyboard.press('Enter')
    await done(page)
  })

  test('sends a magic link when there are no codes', async () => {
    const { kit, open, mailedLink, done } = await withAnn({ magicLink: true }, { order: ['magic-link'] })
    await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
    const page = await open(signInAt)
    await typeIdentifier(page)
    await page.getByRole('button', { name: 'Send a link by email' }).click()
    await page.waitForURL('**/sign-in/code**')
    await page.goto(await mailedLink(ann.email))
    await done(page)
  })

  test('applies to the page with all methods', async () => {
    const config = { passkey: true, emailOTP: true }
    const order = async (order: readonly string[]) => {
      const { open } = await withAnn(config, { page: 'all', order })
      const page = await open(signInAt)
      return page.locator('[data-method]').evaluateAll((methods) => methods.map((method) => method.getAttribute('data-method')))
    }
    expect(await order([])).toEqual(['password', 'passkey', 'email-code'])
    expect(await order(['passkey', 'email-code'])).toEqual(['passkey', 'email-code', 'password'])
  })

  test('a username gets the methods that accept it', async () => {
    const { open, kit } = await withAnn({ emailOTP: true, username: true }, { order: ['email-code'] })
    const bob = { ...ann, email: 'bob@example.com', username: 'bob' }
    await kit.browser().call('POST /sign-up/email', { body: bob })
    const page = await open('/sign-in')
    await typeIdentifier(page, 'Email or username', 'bob')
    await expect.poll(() => anotherWay(page).count()).toBe(0)
    await password(page).fill(ann.password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/account**')
  })

  test('a phone number gets a code by text message', async () => {
    const { open } = await withAnn({ phoneNumber: true, sms: { catch: true } })
    const page = await open(signInAt)
    await typeIdentifier(page, 'Email or phone number', '+49 170 1234567')
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.waitForURL('**/sign-in/phone/code**')
    await page.getByText('+49').first().waitFor()
  })
})

describe('the account that was used last in this browser', () => {
  const signInByPassword = async (page: Page) => {
    await typeIdentifier(page)
    await password(page).fill(ann.password)
    await page.keyboard.press('Enter')
  }
  const stored = (page: Page) => page.evaluate<string | null>("localStorage.getItem('latchkey.account')")
  const signOutThere = async (page: Page, origin: string) => {
    await signOut(page, origin)
    await page.goto(`${origin}${signInAt}`)
  }

  test('continues with the password, and is removed by a press', async () => {
    const { open, origin, done } = await withAnn({ emailOTP: true }, { rememberAccount: true })
    const page = await open(signInAt)
    await signInByPassword(page)
    await done(page)
    await signOutThere(page, origin)
    await page.getByText('a…@example.com').waitFor()
    await page.getByRole('button', { name: 'Continue as Ann with your password' }).click()
    await expectFocus(password(page))
    await password(page).fill(ann.password)
    await page.keyboard.press('Enter')
    await done(page)
    await signOutThere(page, origin)
    await page.getByRole('button', { name: 'Not Ann? Use another account' }).click()
    expect(await page.getByRole('button', { name: /^Continue as/ }).count()).toBe(0)
    expect([await stored(page), await page.getByLabel('Email').inputValue()]).toEqual([null, ''])
  })

  test('is not stored without "Keep me signed in", nor when the option is off', async () => {
    const { open, origin, done } = await withAnn({}, { rememberAccount: true })
    const page = await open(signInAt)
    await signInByPassword(page)
    await done(page)
    expect(JSON.parse((await stored(page)) ?? '')).toEqual({ method: 'password', name: 'Ann', identifier: ann.email })
    await signOutThere(page, origin)
    await typeIdentifier(page)
    await password(page).fill(ann.password)
    await page.getByLabel('Keep me signed in').uncheck()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await done(page)
    expect(await stored(page)).toBeNull()
    const other = await withAnn()
    const plain = await other.open(signInAt)
    await signInByPassword(plain)
    await other.done(plain)
    expect(await stored(plain)).toBeNull()
  })

  test('is removed with the account', async () => {
    const { open, origin, done } = await withAnn({}, { rememberAccount: true })
    const page = await open(signInAt)
    await signInByPassword(page)
    await done(page)
    expect(await stored(page)).toContain('Ann')
    await page.goto(`${origin}/account-deleted`)
    await expect.poll(() => stored(page)).toBeNull()
  })

  test.each(['identifier-first', 'all'])('continues with the passkey by one press: %s', async (kind) => {
    const { open, origin, done } = await withAnn({ passkey: true }, { rememberAccount: true, page: kind })
    const page = await open('/api/auth/ok')
    const { cdp, authenticatorId } = await plugIn(page)
    await page.request.post(`${origin}/api/auth/sign-in/email`, { data: ann, headers: { origin } })
    await page.goto(`${origin}/account/security`)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText('was added.').first().waitFor()
    // The browser offers the passkey at the field.
    await signOutThere(page, origin)
    await done(page)
    expect(JSON.parse((await stored(page)) ?? '')).toMatchObject({ method: 'passkey', identifier: ann.email })
    // From now on its list at the field stays open, and the button has to end the request.
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false })
    await signOutThere(page, origin)
    const button = page.getByRole('button', { name: 'Continue as Ann with your passkey' })
    await button.waitFor()
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true })
    const opened: string[] = []
    page.on('framenavigated', (frame) => opened.push(new URL(frame.url()).pathname))
    await button.click()
    await done(page)
    // Not by the list at the field of another page.
    expect(opened).not.toContain('/sign-in')
  })
})
