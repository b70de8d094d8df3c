/** Journeys through the hosted pages. */
import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { seed } from '../../src/features/setup/index.ts'
import type { Browser } from '../kit/browser.ts'
import { type HostedPages, withChromium } from '../kit/hosted-pages.ts'
import { freePort } from '../kit/servers/index.ts'

const { hostedPages } = withChromium()
const ada = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'
const verified = { emailAndPassword: { enabled: true, requireEmailVerification: true } }
/** An address of this origin that is not a page of the dashboard. */
const target = '/api/auth/ok'
const withTarget = (path: string) => `${path}?callbackURL=${encodeURIComponent(target)}`

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const link = (page: Page, name: string) => page.getByRole('link', { name })

async function fillSignIn(page: Page, { email, password }: { readonly email: string; readonly password: string }): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
}

async function fillSignUp(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(ada.name)
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await button(page, 'Create account').click()
}

const signedUp = async ({ kit }: HostedPages): Promise<Browser> => {
  const browser = kit.browser()
  await browser.call('POST /sign-up/email', { body: ada })
  return browser
}

describe('a user', () => {
  test('resets a forgotten password, which ends other sessions', async () => {
    const hosted = await hostedPages()
    const other = await signedUp(hosted)
    const page = await hosted.open('/sign-in')
    await page.getByLabel('Email').fill(ada.email)
    await link(page, 'Forgot password?').click()
    // The email address is not asked for twice (WCAG 3.3.7).
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(ada.email)
    await button(page, 'Send reset link').click()
    await heading(page, 'Check your email').waitFor()
    await page.goto(await hosted.mailedLink(ada.email))
    await heading(page, 'Choose a new password').waitFor()
    await page.waitForURL((url) => !url.searchParams.has('token'))
    // The token is neither in the address nor lost with a reload.
    await page.reload()
    await page.getByLabel('New password').fill(newPassword)
    await button(page, 'Save new password').click()
    await heading(page, 'Your password is changed').waitFor()
    expect((await other.call('GET /get-session', { query: {} })).body).toBeNull()
    await link(page, 'Sign in').click()
    await fillSignIn(page, ada)
    await page.getByText('Email or password is incorrect.').waitFor()
    await fillSignIn(page, { ...ada, password: newPassword })
    await page.waitForURL(/\/account$/)
  })

  test('sets the password with a setup link, which works once', async () => {
    const admin = { email: 'root@example.com', name: 'Root' }
    const { kit, open } = await hostedPages({ seed: { roles: { admin: {} }, admins: [admin] } })
    const [created] = await seed(kit.app, { dryRun: false, prune: false, readSecret: () => undefined })
    const setupLink = new URL(created?.setupLink ?? '')
    const page = await open(setupLink.pathname + setupLink.search)
    await heading(page, 'Set your password').waitFor()
    await page.getByText(`Choose the password for ${admin.email}`).waitFor()
    await page.getByLabel('New password').fill('short')
    await button(page, 'Set password').click()
    await page.getByText('The password is too short.').waitFor()
    await page.getByLabel('New password').fill(newPassword)
    await button(page, 'Set password').click()
    await heading(page, 'Your password is set').waitFor()
    await link(page, 'Sign in').click()
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(admin.email)
    await page.goto(setupLink.href)
    await heading(page, 'This link no longer works').waitFor()
    await page.getByText('latchkey seed').waitFor()
  })

  test('signs in with the keyboard only', async () => {
    const hosted = await hostedPages()
    await signedUp(hosted)
    const page = await hosted.open('/sign-in')
    await page.getByLabel('Email').waitFor()
    const focused = () =>
      page.evaluate(`(() => {
        const element = document.activeElement
        const name = element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent
        return [name, getComputedStyle(element).outlineStyle !== 'none']
      })()`)
    const order = [
      'Skip to content',
      'Open the mailbox',
      'email',
      'Forgot password?',
      'password',
      'Show password',
      'rememberMe',
      'Sign in',
    ]
    for (const name of order) {
      await page.keyboard.press('Tab')
      expect(await focused()).toEqual([name, true])
      if (name === 'email') await page.keyboard.type(ada.email)
      if (name === 'password') await page.keyboard.type(ada.password)
    }
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/account$/)
  })
})

describe('sign-in', () => {
  const limited = {
    rateLimit: { enabled: true, storage: 'memory', customRules: { '/sign-in/email': { window: 2, max: 1 } } },
  } as const

  test('shows how long a rate limit lasts, and lets the user try again by itself', async () => {
    const hosted = await hostedPages(limited)
    const page = await hosted.open('/sign-in')
    await fillSignIn(page, ada)
    await page.getByText('Email or password is incorrect.').waitFor()
    await button(page, 'Sign in').click()
    await page.getByText('Too many attempts.').waitFor()
    await button(page, /^Try again in 0:0\d$/).waitFor()
    await link(page, 'Reset your password without waiting').waitFor()
    await button(page, 'Sign in').waitFor()
    await page.getByText('You can try again now.').waitFor()
    hosted.kit.clock.advance(60)
    await button(page, 'Sign in').click()
    await page.getByText('Email or password is incorrect.').waitFor()
  })

  test('rejects an app that is not trusted, on each page', async () => {
    const { kit, open } = await hostedPages()
    const untrusted = `?callbackURL=${encodeURIComponent('https://evil.example/')}`
    const page = await open(`/sign-in${untrusted}`)
    const rejected = page.getByText('The app that sent you here is not allowed to receive you back.')
    await fillSignIn(page, ada)
    await rejected.waitFor()
    await link(page, 'Create an account').click()
    await fillSignUp(page)
    await rejected.waitFor()
    expect(await kit.app.db.selectFrom('user').selectAll().execute()).toEqual([])
    await page.goto(new URL(`/forgot-password${untrusted}`, page.url()).href)
    await page.getByLabel('Email').fill(ada.email)
    await button(page, 'Send reset link').click()
    await rejected.waitFor()
  })

  test('lets a user who is signed in continue, or use another account', async () => {
    const { open, origin } = await hostedPages()
    const page = await open(withTarget('/sign-up'))
    await fillSignUp(page)
    await page.waitForURL(`${origin}${target}`)
    await page.goto(`${origin}${withTarget('/sign-in')}`)
    await page.getByText(`You are signed in as ${ada.email}.`).waitFor()
    await link(page, 'Continue as Ada Lovelace').click()
    await page.waitForURL(`${origin}${target}`)
    await page.goto(`${origin}${withTarget('/sign-in')}#content`)
    await button(page, 'Use another account').click()
    await heading(page, 'Sign in').waitFor()
    await fillSignIn(page, ada)
    await page.waitForURL(`${origin}${target}`)
  })

  test('leads an unverified user to their email, and sends it again after a pause', async () => {
    const hosted = await hostedPages(verified)
    await signedUp(hosted)
    const page = await hosted.open('/sign-in')
    await page.clock.install()
    await fillSignIn(page, ada)
    await heading(page, 'Check your email').waitFor()
    await button(page, /^Send again in 0:\d\d$/).waitFor()
    await page.clock.runFor(31_000)
    await button(page, 'Send again').click()
    await page.getByText('We sent it again.').waitFor()
    const mails = () => hosted.kit.app.db.selectFrom('caughtMail').selectAll().execute()
    await expect.poll(async () => (await mails()).length).toBe(3)
  })
})

test('the script stores the time zone of the browser, for emails', async () => {
  const hosted = await hostedPages()
  const page = await hosted.open('/sign-up', { timezoneId: 'Europe/Vienna' })
  await fillSignUp(page)
  const zone = () => hosted.kit.app.db.selectFrom('user').select('preferredTimeZone').execute()
  await expect.poll(zone).toEqual([{ preferredTimeZone: 'Europe/Vienna' }])
})

test('a password that an administrator wants replaced is replaced by a mailed link', async () => {
  const hosted = await hostedPages()
  await signedUp(hosted)
  await hosted.kit.app.db.updateTable('account').set({ mustReplacePassword: true }).execute()
  const page = await hosted.open('/sign-in')
  await fillSignIn(page, ada)
  await page.getByText('Your account needs a new password.').waitFor()
  await page.getByText('An administrator requires a new password').waitFor()
  await expect.poll(() => hosted.mailedLink(ada.email)).toContain('/reset-password/')
  await page.goto(await hosted.mailedLink(ada.email))
  await heading(page, 'Choose a new password').waitFor()
})

describe('a captcha', () => {
  const stub = `window.turnstile = {
    render: (box, { sitekey }) => {
      const label = document.createElement('label')
      const check = Object.assign(document.createElement('input'), { type: 'checkbox' })
      label.append(check, 'I am human, ' + sitekey)
      box.append(label)
      window.check = check
      return 'one'
    },
    getResponse: () => (window.check.checked ? 'solved' : ''),
    reset: () => { window.check.checked = false },
  }`
  /** In place of the provider. @returns its URL */
  async function verifier(): Promise<string> {
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => response.end(JSON.stringify({ success: /\bsolved\b/.test(body) })))
    })
    const port = await freePort()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${port}/`
  }
  const captcha = {
    captcha: { provider: 'cloudflare-turnstile', secretKey: 'secret', siteKey: 'site', endpoints: ['/sign-up/email'] },
    dashboard: { branding: { helpURL: 'https://help.example/' } },
  } satisfies ConfigFile

  test('is solved before sign-up, with help for those who cannot', async () => {
    const { kit, open } = await hostedPages({
      ...captcha,
      captcha: { ...captcha.captcha, siteVerifyURLOverride: await verifier() },
    })
    const page = await open('/sign-in')
    await page.getByLabel('Email').waitFor()
    expect(await page.getByText('I am human').count()).toBe(0)
    await page.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: stub }),
    )
    await link(page, 'Create an account').click()
    await page.getByLabel('I am human, site').waitFor()
    expect(await link(page, 'Cannot solve it? Get help').getAttribute('href')).toBe('https://help.example/')
    await fillSignUp(page)
    await page.getByText('Complete the check that you are not a robot').waitFor()
    await page.getByLabel('I am human').check()
    await button(page, 'Create account').click()
    await page.waitForURL(/\/account$/)
    expect(await kit.app.db.selectFrom('user').select('email').execute()).toEqual([{ email: ada.email }])
  })

  test('of reCAPTCHA v3 needs no action of the user', async () => {
    const scored = `window.grecaptcha = { ready: (listener) => listener(), execute: async (key) => (key === 'site' ? 'solved' : '') }`
    const siteVerifyURLOverride = await verifier()
    const { kit, open } = await hostedPages({
      captcha: { ...captcha.captcha, provider: 'google-recaptcha', recaptchaVersion: 'v3', siteVerifyURLOverride },
    })
    const page = await open('/sign-in')
    await page.route('https://www.google.com/recaptcha/api.js?render=site&**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: scored }),
    )
    const loaded = page.waitForResponse(/recaptcha/)
    await link(page, 'Create an account').click()
    await loaded
    await fillSignUp(page)
    await page.waitForURL(/\/account$/)
    expect(await kit.app.db.selectFrom('user').select('email').execute()).toEqual([{ email: ada.email }])
  })

  test('that cannot be loaded says so, and is loaded again on request', async () => {
    const { open } = await hostedPages(captcha)
    const page = await open('/sign-in')
    let isBlocked = true
    await page.route('https://challenges.cloudflare.com/**', (route) =>
      isBlocked ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: stub }),
    )
    await link(page, 'Create an account').click()
    await page.getByText('could not be loaded').waitFor()
    isBlocked = false
    await button(page, 'Try again').click()
    await page.getByLabel('I am human').waitFor()
  })
})

describe('sign-up', () => {
  test('asks for the configured fields by their types', async () => {
    const { kit, open } = await hostedPages({
      user: {
        additionalFields: {
          company: { type: 'string', label: { en: 'Company name', de: 'Firma' } },
          plan: { type: ['free', 'paid'] },
          birthDate: { type: 'date', required: false },
          seats: { type: 'number', required: false },
          newsletter: { type: 'boolean' },
        },
      },
    })
    const page = await open('/sign-up')
    await page.getByLabel('Seats (optional)').fill('many')
    await fillSignUp(page)
    await page.getByText('Enter a whole number').waitFor()
    expect(await page.getByText('Fill in this field.').count()).toBe(2)
    await page.getByLabel('Company name').fill('Acme')
    await page.getByLabel('Plan').selectOption('paid')
    await page.getByLabel('Birth date').fill('1990-05-01')
    await page.getByLabel('Seats').fill('12')
    await page.getByLabel('Newsletter').check()
    await button(page, 'Create account').click()
    await page.waitForURL(/\/account$/)
    const [user] = await kit.app.db.selectFrom('user').selectAll().execute()
    expect(user).toMatchObject({ company: 'Acme', plan: 'paid', seats: 12 })
  })

  test('says at the field that the email address has an account', async () => {
    const hosted = await hostedPages()
    await signedUp(hosted)
    const page = await hosted.open('/sign-up')
    await fillSignUp(page)
    await page.getByText('There is already an account with this email address.').waitFor()
    expect(await page.locator(':focus').getAttribute('name')).toBe('email')
  })
})

describe('links that fail', () => {
  test('after verification lead to a new link', async () => {
    const hosted = await hostedPages(verified)
    await signedUp(hosted)
    const old = await hosted.mailedLink(ada.email)
    hosted.kit.clock.advance(3601)
    const page = await hosted.open(new URL(old).pathname + new URL(old).search)
    await page.getByText('This link has expired.').waitFor()
    await link(page, 'Get a new link').click()
    await page.getByLabel('Email').fill(ada.email)
    await button(page, 'Send link').click()
    await heading(page, 'Check your email').waitFor()
    await expect.poll(() => hosted.mailedLink(ada.email)).not.toBe(old)
  })

  test('of a reset lead to a new request', async () => {
    const { open } = await hostedPages({ mail: { catch: true } })
    const page = await open(`/api/auth/reset-password/forged?callbackURL=${encodeURIComponent('/reset-password')}`)
    await heading(page, 'This link no longer works').waitFor()
    await link(page, 'Request a new link').click()
    await heading(page, 'Forgot your password?').waitFor()
  })
})

describe('the end of a link', () => {
  test.each([
    ['/email-changed', 'Your email address is changed', 'Sign in'],
    ['/email-changed?pending=true', 'One more step: open the second email', 'Sign in'],
    ['/email-changed?error=unauthorized', 'Your email address was not changed', 'Sign in'],
    ['/account-deleted', 'Your account is deleted', 'Return to the application'],
    ['/signed-out', 'You are signed out', 'Sign in'],
  ])('%s says what has happened, and where to go', async (path, title, next) => {
    const { open } = await hostedPages()
    const page = await open(path)
    await heading(page, title).waitFor()
    await link(page, next).waitFor()
  })
})

describe('the error page', () => {
  test('explains a code, and shows the request ID, but no other code or text', async () => {
    const { open, origin } = await hostedPages()
    const page = await open('/api/auth/error?error=token_expired')
    await heading(page, 'Something went wrong').waitFor()
    await page.getByText('This link has expired.').waitFor()
    expect(await link(page, 'Return to the application').getAttribute('href')).toBe('/')
    const texts = ['<img src=x onerror=document.title="hit">', 'Your account is locked. Call 0800 123456.']
    for (const code of ['constructor', '__proto__', ...texts]) {
      await page.goto(`${origin}/error?error=${encodeURIComponent(code)}&requestId=req-1`)
      await page.getByText('The last step could not be completed.').waitFor()
      await page.getByText('UNKNOWN_ERROR', { exact: true }).waitFor()
      expect(await page.getByText(code).count()).toBe(0)
      await button(page, 'Copy the request ID: req-1').waitFor()
      expect(await page.title()).toBe('Something went wrong · Acme')
    }
  })
})

describe('a small screen', () => {
  const backgrounds = { light: 'rgb(251, 250, 248)', dark: 'rgb(15, 17, 16)' }
  const paths = [
    ...['/sign-in', '/sign-up', '/forgot-password', '/check-email', '/reset-password?token=abc', '/set-up?token=abc'],
    ...['/email-verified', '/email-changed', '/account-deleted', '/signed-out', `/error?error=${'a'.repeat(300)}`],
  ]
  test.each([
    ['light', 'en'],
    ['dark', 'de'],
    ['light', 'en-XA'],
    ['dark', 'ar-XB'],
  ] as const)('of 320 px in the %s theme and %s needs no horizontal scrolling', async (colorScheme, locale) => {
    const { open, origin } = await hostedPages()
    const page = await open('/sign-in', { viewport: { width: 320, height: 640 }, colorScheme })
    for (const path of paths) {
      await page.goto(`${origin}${path}${path.includes('?') ? '&' : '?'}lang=${locale}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const root = await page.evaluate(
        '[document.documentElement.scrollWidth, getComputedStyle(document.documentElement).backgroundColor]',
      )
      expect([path, root]).toEqual([path, [320, backgrounds[colorScheme]]])
    }
  })
})
