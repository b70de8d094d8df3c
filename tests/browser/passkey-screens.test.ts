/** Passkeys on the pages: added in the account area, used on the sign-in page, as second factor, and for dangerous actions. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { TestApp } from '../kit/app.ts'
import type { Browser } from '../kit/browser.ts'
import { browsers, signOut, withChromium } from '../kit/hosted-pages.ts'
import { enrol } from '../kit/second-factor.ts'
import { credentialsOf, plugIn, register, replaceCredential, signIn, withoutPIN } from '../kit/virtual-authenticator.ts'

const { hostedPages } = withChromium()
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const options = browsers[0]?.[1] ?? {}

const signInByPassword = async (page: Page) => {
  await page.fill('input[name=email]', ann.email)
  await page.fill('input[name=password]', ann.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Ann is on the security page, with an authenticator that has nothing. */
async function withAnn(config: object = {}, device: object = {}) {
  const site = await hostedPages({ passkey: true, apiKey: true, ...config })
  const page = await site.open('/sign-in?callbackURL=%2Faccount%2Fsecurity', options)
  const plugged = await plugIn(page, device)
  await page.request.post(`${site.origin}/api/auth/sign-up/email`, { data: ann, headers: { origin: site.origin } })
  await page.goto(`${site.origin}/account/security`)
  return { ...site, ...plugged, page }
}

/** A result is on the page, and in a region for screen readers. */
const seen = (page: Page, text: string) => page.getByText(text).first().waitFor()

async function addPasskey(page: Page) {
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await seen(page, 'was added.')
}

describe('a passkey', () => {
  test('is added, renamed and removed on the security page', async () => {
    const { page } = await withAnn()
    await seen(page, 'You have no passkey.')
    await addPasskey(page)
    await page.getByRole('button', { name: /^Rename / }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('My laptop')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await seen(page, 'The passkey is now called "My laptop".')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await seen(page, 'has a passkey for your account already')
    await page.getByRole('button', { name: 'Remove My laptop' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await seen(page, 'The passkey "My laptop" was removed.')
    await seen(page, 'You have no passkey.')
  })

  test('that is the first one of a user with a second factor signs out all other devices, unless they want to keep them', async () => {
    for (const left of [1, 2]) {
      const { page, kit } = await withAnn({ twoFactor: { stepUp: { enabled: false } } })
      await kit.browser().call('POST /sign-in/email', { body: ann })
      expect(await page.getByLabel('Sign out all other devices').count()).toBe(0)
      await kit.app.db.updateTable('user').set({ twoFactorEnabled: true }).execute()
      await page.reload()
      await page.getByLabel('Sign out all other devices').setChecked(left === 1)
      await addPasskey(page)
      await expect.poll(async () => (await kit.app.db.selectFrom('session').select('id').execute()).length).toBe(left)
      await page.getByText(/^Added .* with Chrome \d+ on /).waitFor()
      expect(await page.getByLabel('Sign out all other devices').count()).toBe(0)
    }
  })

  test('is tested after it was added, while another method still works', async () => {
    const { page, cdp, authenticatorId } = await withAnn()
    await addPasskey(page)
    const [credential] = (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials
    if (!credential) throw new Error('No passkey was made')
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
    await page.getByRole('button', { name: 'Test passkey' }).click()
    await seen(page, 'The passkey was not used.')
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
    await page.getByRole('button', { name: 'Test passkey' }).click()
    await seen(page, ' works.')
    await expect.poll(() => page.getByText('Last used').count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Test passkey' }).count()).toBe(0)
  })

  test('that the browser offers at the email field signs in', async () => {
    const { page, origin } = await withAnn()
    await addPasskey(page)
    await signOut(page, origin)
    await page.goto(`${origin}/sign-in?callbackURL=%2Faccount%2Fsessions`)
    await page.waitForURL('**/account/sessions')
  })

  test('signs in by the button, which says so when there is none', async () => {
    const { page, origin, cdp, authenticatorId } = await withAnn()
    await addPasskey(page)
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
    await signOut(page, origin)
    await page.goto(`${origin}/sign-in?callbackURL=%2Faccount%2Fsessions`)
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    await button.click()
    await seen(page, 'No passkey was used.')
    const [credential] = credentials
    if (credential) await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
    await button.click()
    await page.waitForURL('**/account/sessions')
  })

  test('is the second factor after the password, and proves it for a dangerous action', async () => {
    const { page, origin, kit } = await withAnn({ twoFactor: true })
    const client = kit.browser()
    const browser: Browser = { ...client, call: (key, input) => client.call(key, input, { origin }) }
    await browser.call('POST /sign-in/email', { body: ann })
    await addPasskey(page)
    const { code } = await enrol(kit, browser)
    await signOut(page, origin)
    await page.goto(`${origin}/sign-in?callbackURL=%2Faccount%2Fsessions`)
    // The browser offers the passkey at the field, and signs in with it alone.
    await page.waitForURL('**/account/sessions')
    expect(code()).toHaveLength(6)
    kit.clock.advance(901)
    await page.goto(`${origin}/account/security`)
    // The app has such a button too, and may be on the page first.
    await page.getByRole('button', { name: /^Remove (?!app$)/ }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await seen(page, 'was removed.')
    await seen(page, 'You have no passkey.')
  })
})

describe('a suspended passkey', () => {
  /** Ann's security key has a counter that went back. */
  async function withSuspended(config: object = {}) {
    const plugged = await withAnn(config, { ...withoutPIN, ctap2Version: 'ctap2_0' })
    const { page, origin, kit } = plugged
    expect((await register(page)).status).toBe(200)
    const suspend = async () => {
      expect((await signIn(page)).status).toBe(200)
      await replaceCredential(plugged, { signCount: 0 })
      expect((await signIn(page)).status).toBe(400)
      kit.clock.advance(1)
      await page.goto(`${origin}/account/security`)
      await page.getByRole('button', { name: /^Use again: / }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Use again', exact: true }).click()
    }
    return { ...plugged, suspend }
  }

  const confirmByPassword = async (page: Page) => {
    const dialog = page.getByRole('dialog', { name: /sign in again|Confirm/i })
    await dialog.getByLabel('Password', { exact: true }).fill(ann.password)
    await page.keyboard.press('Enter')
  }

  test('is used again after the password was entered', async () => {
    const { page, suspend } = await withSuspended()
    await suspend()
    await confirmByPassword(page)
    await seen(page, 'can sign in again.')
    await page.getByText('Suspended', { exact: true }).waitFor({ state: 'detached' })
    expect((await signIn(page)).status).toBe(200)
  })

  test.each([0, 901])('is used again after a code, %d s after the former one', async (seconds) => {
    const { page, origin, kit, suspend } = await withSuspended({ twoFactor: true })
    const client = kit.browser()
    const browser: Browser = { ...client, call: (key, input) => client.call(key, input, { origin }) }
    await browser.call('POST /sign-in/email', { body: ann })
    const { code } = await enrol(kit, browser)
    kit.clock.advance(60)
    await page.goto(`${origin}/account/security`)
    kit.clock.advance(seconds)
    await suspend()
    const field = page.getByRole('dialog').getByLabel('Code', { exact: true })
    const password = page.getByRole('dialog').getByLabel('Password', { exact: true })
    await field.or(password).first().waitFor()
    if (await password.isVisible()) await confirmByPassword(page)
    await field.fill(code())
    await seen(page, 'can sign in again.')
  })
})

test('without a passkey at hand, the challenge offers it first, and the other ways', async () => {
  const { page, origin, kit, cdp, authenticatorId } = await withAnn({ twoFactor: true })
  const client = kit.browser()
  const browser: Browser = { ...client, call: (key, input) => client.call(key, input, { origin }) }
  await browser.call('POST /sign-in/email', { body: ann })
  await addPasskey(page)
  const { code } = await enrol(kit, browser)
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
  await signOut(page, origin)
  await page.goto(`${origin}/sign-in?callbackURL=%2Faccount%2Fsessions`)
  await signInByPassword(page)
  await page.waitForURL('**/two-factor**')
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await seen(page, 'No passkey was used.')
  await page.getByRole('link', { name: 'Code of your authenticator app' }).click()
  await page.fill('input[name=code]', code())
  await page.waitForURL('**/account/sessions')
  // The next time, this browser starts with what it has used.
  kit.clock.advance(60)
  await signOut(page, origin)
  await page.goto(`${origin}/sign-in?callbackURL=%2Faccount%2Fsessions`)
  await signInByPassword(page)
  await page.waitForURL('**/two-factor**')
  await page.getByRole('link', { name: 'Use your passkey' }).click()
  await page.getByRole('button', { name: 'Use your passkey' }).waitFor()
  await page.goBack()
  await page.fill('input[name=code]', code())
  await page.waitForURL('**/account/sessions')
})

/** The code of the newest email to this address. */
async function mailedCode({ app }: TestApp, recipient: string): Promise<string> {
  const newest = () =>
    app.db
      .selectFrom('caughtMail')
      .select('text')
      .where('recipient', '=', recipient)
      .orderBy('createdAt', 'desc')
      .executeTakeFirst()
  await expect.poll(newest).toBeDefined()
  return /\b\d{6}\b/.exec((await newest())?.text ?? '')?.[0] ?? ''
}

describe('sign-up with a passkey', () => {
  const signUp = { passkey: { signUp: true } }

  test('takes a name, an email address, its code and a passkey, and no password', async () => {
    const { open, origin, kit } = await hostedPages(signUp)
    const page = await open('/sign-up?callbackURL=%2Faccount%2Fsecurity', options)
    const { cdp, authenticatorId } = await plugIn(page)
    await page.getByRole('link', { name: 'Sign up with a passkey' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(ann.name)
    await page.getByRole('textbox', { name: 'Email' }).fill(ann.email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/sign-up/passkey/code**')
    await page.fill('input[name=otp]', await mailedCode(kit, ann.email))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/sign-up/passkey/create**')
    await page.getByRole('button', { name: 'Create passkey' }).click()
    await page.waitForURL('**/account/security')
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials).toEqual([expect.objectContaining({ isResidentCredential: true, rpId: 'localhost', userName: ann.email })])
    await signOut(page, origin)
    await page.goto(`${origin}/sign-in?callbackURL=%2Faccount%2Fsessions`)
    await page.waitForURL('**/account/sessions')
    const user = await kit.app.db.selectFrom('user').select(['name', 'emailVerified']).executeTakeFirst()
    expect(user).toEqual({ name: ann.name, emailVerified: true })
  })

  test('stays on its last page when no passkey is created, and leads to a password', async () => {
    const { open, kit } = await hostedPages(signUp)
    const page = await open('/sign-up/passkey', options)
    const { cdp, authenticatorId } = await plugIn(page)
    await page.getByRole('textbox', { name: 'Name' }).fill(ann.name)
    await page.getByRole('textbox', { name: 'Email' }).fill(ann.email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.fill('input[name=otp]', await mailedCode(kit, ann.email))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/sign-up/passkey/create')
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.getByRole('button', { name: 'Create passkey' }).click()
    await seen(page, 'No passkey was created.')
    expect(await kit.app.db.selectFrom('user').select('id').execute()).toEqual([])
    await page.getByRole('link', { name: 'Use a password instead' }).click()
    await page.waitForURL('**/sign-up')
    expect(await page.inputValue('input[name=email]')).toBe(ann.email)
  })

  test('says without scripts that the browser cannot create one', async () => {
    const { open, kit } = await hostedPages(signUp)
    const page = await open('/sign-up/passkey', { javaScriptEnabled: false })
    await page.fill('input[name=name]', ann.name)
    await page.fill('input[name=email]', ann.email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.fill('input[name=otp]', await mailedCode(kit, ann.email))
    await page.getByRole('button', { name: 'Continue' }).click()
    await seen(page, 'This browser cannot create passkeys.')
    await page.getByRole('link', { name: 'Use a password instead' }).click()
    await page.waitForURL('**/sign-up')
  })

  test('is the only sign-up page when there is no other way', async () => {
    const { open } = await hostedPages({ ...signUp, emailAndPassword: { enabled: false } })
    const page = await open('/sign-in')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.waitForURL('**/sign-up/passkey')
  })
})

describe('a passkey as the only second factor', () => {
  test('is demanded after the password, offered by the challenge, and its removal says what remains', async () => {
    const { page, origin, cdp, authenticatorId } = await withAnn({ twoFactor: true })
    await seen(page, 'Add a passkey first, below.')
    await addPasskey(page)
    await page.getByRole('button', { name: 'Demand a passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password', { exact: true }).fill(ann.password)
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByRole('button', { name: 'Download' }).click()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await seen(page, 'Signing in needs your password and a passkey, or a passkey alone. You have 10 backup codes.')
    // The browser must not sign in at the field.
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false })
    await signOut(page, origin)
    await page.goto(`${origin}/sign-in?callbackURL=%2Faccount%2Fsecurity`)
    await signInByPassword(page)
    await page.waitForURL('**/two-factor**')
    await page.getByRole('link', { name: /ackup/ }).waitFor()
    await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true })
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await page.waitForURL('**/account/security')
    await page.getByRole('button', { name: /^Remove / }).click()
    await seen(page, 'Signing in then needs only your password.')
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await seen(page, 'You have no passkey.')
    await seen(page, 'Signing in needs only your password.')
  })
})

describe('the dialog to sign in again', () => {
  const later = { session: { freshAge: 60 } }

  test('takes the passkey of a user without a second factor', async () => {
    const { page, kit } = await withAnn(later)
    await addPasskey(page)
    kit.clock.advance(120)
    await page.getByRole('button', { name: /^Remove / }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('button', { name: 'Use your passkey' }).waitFor()
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await seen(page, 'You have no passkey.')
  })

  test('does not offer one to a user who has none', async () => {
    const { page, kit } = await withAnn(later)
    kit.clock.advance(120)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Use your passkey' }).count()).toBe(0)
  })
})

describe('the password manager', () => {
  test('removes a passkey that was deleted elsewhere, after a sign-in with it has failed', async () => {
    const site = await withAnn()
    const { page, origin, kit } = site
    await addPasskey(page)
    await kit.app.db.deleteFrom('passkey').execute()
    await signOut(page, origin)
    await page.goto(`${origin}/sign-in`)
    await seen(page, 'PASSKEY_NOT_FOUND')
    await expect.poll(() => credentialsOf(site)).toEqual([])
  })

  test('gets the new name of the account', async () => {
    const site = await withAnn()
    const { page, origin } = site
    await addPasskey(page)
    await page.goto(`${origin}/account`)
    await page.getByRole('textbox', { name: 'Name' }).fill('Ann Example')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await credentialsOf(site))[0]?.userDisplayName).toBe('Ann Example')
  })

  test('removes a passkey that the user removes', async () => {
    const site = await withAnn()
    await addPasskey(site.page)
    expect(await credentialsOf(site)).toHaveLength(1)
    await site.page.getByRole('button', { name: /^Remove / }).click()
    await site.page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(() => credentialsOf(site)).toEqual([])
  })
})
