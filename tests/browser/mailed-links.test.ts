/** Mailed links that a browser opens: nothing changes before the page has made its call. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { type Answer, nameOf } from '../kit/browser.ts'
import { browsers, cookiesOf, withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
const eve = { name: 'Eve', email: 'eve@example.com', password: 'another horse entirely' }
/** An address of this origin that is not a page of the dashboard. */
const target = '/api/auth/ok'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function signIn(page: Page, { email, password }: typeof ada): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
}

async function withAda(config: ConfigFile = {}) {
  const pages = await hostedPages({ user: { deleteUser: { enabled: true, sendDeleteAccountVerification: true } }, ...config })
  const { kit, origin } = pages
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ada })
  /** The link in the email that the call sends. */
  const requested = async (sent: Promise<Answer>) => {
    expect((await sent).status).toBe(200)
    return (await pages.mailedLink(ada.email)).slice(origin.length)
  }
  const target = (callbackURL: string | undefined) => (callbackURL === undefined ? {} : { callbackURL })
  const verificationLink = (callbackURL?: string) =>
    requested(visitor.call('POST /send-verification-email', { body: { email: ada.email, ...target(callbackURL) } }, { origin }))
  const deletionLink = (callbackURL?: string) =>
    requested(visitor.call('POST /delete-user', { body: target(callbackURL) }, { origin }))
  const user = () =>
    kit.app.db.selectFrom('user').select(['email', 'emailVerified']).where('email', '=', ada.email).executeTakeFirst()
  return { ...pages, visitor, verificationLink, deletionLink, user }
}

/** No entry of the session history has the token. */
async function expectNoToken(page: Page): Promise<void> {
  expect(page.url()).not.toContain('token=')
  await page.goBack()
  expect(page.url()).not.toContain('token=')
}

describe.each(browsers)('%s', (_, options) => {
  describe('a verification link in the browser of the user', () => {
    test('verifies with one button, and ends on the page that says so', async () => {
      const { openAs, verificationLink, user } = await withAda()
      const page = await openAs(ada, await verificationLink(), options)
      await heading(page, 'Verify your email address').waitFor()
      expect((await user())?.emailVerified).toBe(false)
      await button(page, 'Verify email address').click()
      await heading(page, 'Your email address is verified').waitFor()
      expect((await user())?.emailVerified).toBe(true)
      expect(new URL(page.url()).pathname).toBe('/email-verified')
      await expectNoToken(page)
    })

    test('goes on to the app that requested it, also with an error', async () => {
      const { kit, openAs, origin, verificationLink, user } = await withAda()
      const mailed = await verificationLink(`${target}?a=b`)
      const page = await openAs(ada, '/signed-out', options)
      await page.goto(origin + mailed)
      await button(page, 'Verify email address').click()
      await page.waitForURL(`${origin}${target}?a=b`)
      expect((await user())?.emailVerified).toBe(true)
      kit.clock.advance(3601)
      await page.goto(origin + mailed)
      await page.waitForURL(`${origin}${target}?a=b&error=token_expired`)
      await expectNoToken(page)
    })
  })

  describe('a verification link in another browser', () => {
    test('asks for the password of the sign-up, whatever its target is, and changes nothing else', async () => {
      const { open, origin, verificationLink, user, visitor } = await withAda()
      const page = await open(await verificationLink(`${target}?a=b`), options)
      await page.getByText(`Someone signed up with ${ada.email}`).waitFor()
      await page.getByLabel('Password', { exact: true }).fill('a wrong password')
      await button(page, 'Verify email address').click()
      await page.getByText('The password is incorrect.').waitFor()
      expect((await user())?.emailVerified).toBe(false)
      await page.getByLabel('Password', { exact: true }).fill(ada.password)
      await button(page, 'Verify email address').click()
      await page.waitForURL(`${origin}${target}?a=b`)
      expect([(await user())?.emailVerified, await nameOf(visitor)]).toEqual([true, 'Ada'])
    })

    test('lets the owner of the address end everything from before', async () => {
      const { open, kit, verificationLink, user, visitor } = await withAda()
      const page = await open(await verificationLink(), options)
      await link(page, 'I did not sign up, or I forgot the password').click()
      await heading(page, 'Make this account yours').waitFor()
      await page.reload()
      await page.getByLabel('New password').fill(eve.password)
      await button(page, 'Verify and end other access').click()
      await heading(page, 'Your email address is verified').waitFor()
      expect([(await user())?.emailVerified, await nameOf(visitor)]).toEqual([true, null])
      await page.getByRole('link', { name: 'Sign in' }).click()
      await signIn(page, { ...ada, password: eve.password })
      await page.waitForURL(/\/account$/)
      const former = { email: ada.email, password: ada.password }
      expect((await kit.browser().call('POST /sign-in/email', { body: former })).status).toBe(401)
    })

    test('signs in with autoSignInAfterVerification', async () => {
      const { open, verificationLink } = await withAda({
        emailVerification: { autoSignInAfterVerification: true },
      })
      const page = await open(await verificationLink(), options)
      await page.getByLabel('Password', { exact: true }).fill(ada.password)
      await button(page, 'Verify email address').click()
      await heading(page, 'Your email address is verified').waitFor()
      await link(page, 'Go to your account').click()
      await page.waitForURL(/\/account$/)
    })

    test('asks a user without a password to sign in, and comes back', async () => {
      const { kit, open, verificationLink, user } = await withAda()
      const mailed = await verificationLink()
      await kit.app.db.updateTable('account').set({ password: null }).execute()
      const page = await open(mailed, options)
      await link(page, 'Sign in').click()
      await heading(page, 'Sign in').waitFor()
      expect(page.url()).not.toContain('token')
      expect((await user())?.emailVerified).toBe(false)
    })
  })

  describe('a deletion link', () => {
    test('deletes the account of the signed-in user when they confirm', async () => {
      const { openAs, origin, deletionLink, user } = await withAda()
      const page = await openAs(ada, await deletionLink(), options)
      await heading(page, 'Delete your account?').waitFor()
      await page.getByText(ada.email).waitFor()
      await expect.poll(() => page.url()).not.toContain('token=')
      expect(await user()).toBeDefined()
      await page.reload()
      await button(page, 'Delete account').click()
      await heading(page, 'Your account is deleted').waitFor()
      expect(page.url()).toBe(`${origin}/account-deleted`)
      expect(await user()).toBeUndefined()
      expect(await cookiesOf(page)).toEqual([])
    })

    test('asks visitors to sign in, comes back, and goes on to the app', async () => {
      const { open, origin, deletionLink, user } = await withAda()
      const page = await open(await deletionLink(`${target}?a=b`), options)
      await heading(page, 'Sign in').waitFor()
      await signIn(page, ada)
      await heading(page, 'Delete your account?').waitFor()
      expect(await user()).toBeDefined()
      await button(page, 'Delete account').click()
      await page.waitForURL(`${origin}${target}?a=b`)
      expect(await user()).toBeUndefined()
    })

    test('does not delete another account, and works after a sign-in to the right one', async () => {
      const { kit, openAs, deletionLink, user } = await withAda()
      await kit.browser().call('POST /sign-up/email', { body: eve })
      const page = await openAs(eve, await deletionLink(), options)
      await page.getByText(eve.email).waitFor()
      await button(page, 'Delete account').click()
      await heading(page, 'This link cannot delete your account').waitFor()
      await page.getByText(`You are signed in as ${eve.email}.`).waitFor()
      expect(await kit.app.db.selectFrom('user').select('id').execute()).toHaveLength(2)
      await link(page, 'Use another account').click()
      await link(page, 'Continue as Eve').waitFor()
      await button(page, 'Use another account').click()
      await signIn(page, ada)
      await page.getByText(ada.email).waitFor()
      await button(page, 'Delete account').click()
      await heading(page, 'Your account is deleted').waitFor()
      expect(await user()).toBeUndefined()
      expect(await kit.app.db.selectFrom('user').select('email').execute()).toEqual([{ email: eve.email }])
    })
  })
})

test('a deletion link keeps the account on request', async () => {
  const { openAs, origin, deletionLink, user, visitor } = await withAda()
  const page = await openAs(ada, await deletionLink())
  await page.getByRole('link', { name: 'Keep account' }).click()
  await page.waitForURL(`${origin}/account`)
  expect(await user()).toBeDefined()
  expect(await nameOf(visitor)).toBe('Ada')
})

test('a deletion page without a token deletes nothing', async () => {
  const { openAs, user } = await withAda({ user: { deleteUser: { enabled: true } } })
  const page = await openAs(ada, '/delete-account')
  await heading(page, 'This link cannot delete your account').waitFor()
  expect(await button(page, 'Delete account').count()).toBe(0)
  expect(await user()).toBeDefined()
})

test('a verification page rejects an untrusted target and verifies nothing', async () => {
  const { open, verificationLink, user } = await withAda()
  const { search } = new URL(await verificationLink(), 'http://localhost')
  const token = new URLSearchParams(search).get('token') ?? ''
  const page = await open(`/verify-email?token=${token}&callbackURL=${encodeURIComponent('https://evil.example/')}`)
  await page.getByText('INVALID_CALLBACKURL').waitFor()
  expect(await button(page, 'Try again').count()).toBe(0)
  expect((await user())?.emailVerified).toBe(false)
})

test('a verification page without a token leads to a new link', async () => {
  const { open } = await withAda()
  const page = await open('/verify-email')
  await page.getByText('This link is invalid').waitFor()
  await page.getByRole('link', { name: 'Get a new link' }).click()
  await page.waitForURL(/\/check-email/)
})

test('a verification page that is rate limited tries again on request', async () => {
  const { kit, open, origin, verificationLink, user } = await withAda({
    rateLimit: { enabled: true, storage: 'memory', customRules: { '/verification-link': { window: 42, max: 1 } } },
  })
  const page = await open(await verificationLink())
  await page.clock.install()
  await page.reload()
  await page.getByText('Too many attempts.').waitFor()
  expect(page.url()).not.toContain('token=')
  kit.clock.advance(43)
  await link(page, 'Try again').click()
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.context().setOffline(true)
  await button(page, 'Verify email address').click()
  await page.getByText('Check your connection').waitFor()
  await page.context().setOffline(false)
  await button(page, 'Verify email address').click()
  await heading(page, 'Your email address is verified').waitFor()
  expect([page.url(), (await user())?.emailVerified]).toEqual([`${origin}/email-verified`, true])
})

test('a link to confirm a change of email address ends on the page that says what is next', async () => {
  const config = {
    emailAndPassword: { enabled: true, antiEnumeration: true, requireEmailVerification: true },
    user: { changeEmail: { enabled: true } },
  }
  const { kit, openAs, origin, mailedLink } = await withAda(config)
  await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
  const page = await openAs(ada, '/signed-out')
  const newEmail = 'new@example.com'
  // Emails of the same second have no order.
  kit.clock.advance(10)
  await page.request.post(`${origin}/api/auth/change-email`, { data: { newEmail }, headers: { origin } })
  await expect.poll(() => mailedLink(ada.email)).toContain('email-changed')
  await page.goto(await mailedLink(ada.email))
  await button(page, 'Change email address').click()
  await heading(page, 'One more step: open the second email').waitFor()
  await page.goto(await mailedLink(newEmail))
  await button(page, 'Change email address').click()
  await page.getByText(`You now sign in with ${newEmail}.`).waitFor()
})
