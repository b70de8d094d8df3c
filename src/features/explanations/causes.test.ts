/** Each kind of refusal leads from the request ID that its user sees to its code and to an option or a fix. */
import { expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
import type { Answer, Browser } from '../../../tests/kit/browser.ts'
import { flow } from '../../../tests/kit/provider-stand-in.ts'
import { enrol, signInAs, verify } from '../../../tests/kit/second-factor.ts'
import { type SocialApp, socialApp } from '../../../tests/kit/social.ts'
import { flushDenials } from '../audit/index.ts'
import type { ConfigFile } from '../index.ts'

type Kit = Awaited<ReturnType<typeof administrate<SocialApp>>>

interface Cause {
  readonly config?: ConfigFile
  /** What the user does, and is rejected. */
  readonly refuse: (kit: Kit, visitor: Browser) => Promise<Pick<Answer, 'headers'>>
  readonly code: string
  /** One of the options that are named; absent: there is only a fix. */
  readonly setting?: string
}

const signUpAs = (visitor: Browser, email: string) =>
  visitor.call('POST /sign-up/email', { body: { name: 'Max', email, password: 'correct horse battery' } })

const causes: Readonly<Record<string, Cause>> = {
  'a rate limit': {
    config: { rateLimit: { enabled: true, customRules: { '/request-password-reset': { window: 60, max: 1 } } } },
    refuse: async (_, visitor) => {
      const ask = () => visitor.call('POST /request-password-reset', { body: { email: 'uma@example.com' } })
      await ask()
      return ask()
    },
    code: 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER',
    setting: 'rateLimit.customRules',
  },
  'failed sign-ins before': {
    config: { attempts: { enabled: true, perAccount: { failures: 1, firstDelay: 60, longestDelay: 600 } } },
    refuse: async (_, visitor) => {
      const fail = () => visitor.call('POST /sign-in/email', { body: { email: 'uma@example.com', password: 'a wrong one' } })
      await fail()
      await fail()
      return fail()
    },
    code: 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER',
    setting: 'attempts.perAccount',
  },
  'a ban': {
    refuse: async ({ ada, uma }, visitor) => {
      await ada.browser.call('POST /admin/ban-user', { body: { userId: uma.userId } })
      return signInAs(visitor, 'Uma')
    },
    code: 'BANNED_USER',
  },
  'a lock': {
    refuse: async ({ ada, uma }, visitor) => {
      await ada.browser.call('POST /admin/lock-user', { body: { userId: uma.userId, reason: 'stolen' } })
      return signInAs(visitor, 'Uma')
    },
    code: 'ACCOUNT_LOCKED',
  },
  'a freeze': {
    refuse: async ({ ada }, visitor) => {
      await ada.browser.call('POST /admin/incident/freeze', { body: { kind: 'sign-in', reason: 'attack' } })
      return signInAs(visitor, 'Uma')
    },
    code: 'SIGN_IN_FROZEN',
  },
  'read-only mode': {
    refuse: async ({ ada, uma }) => {
      await ada.browser.call('POST /admin/incident/freeze', { body: { kind: 'writes', reason: 'move' } })
      return uma.browser.call('POST /update-user', { body: { name: 'Uma B' } })
    },
    code: 'READ_ONLY',
  },
  'a list of addresses that may sign up': {
    config: { signUp: { allow: ['*@example.com'] } },
    refuse: (_, visitor) => signUpAs(visitor, 'max@example.org'),
    code: 'SIGN_UP_NOT_ALLOWED',
    setting: 'signUp.allow',
  },
  'a captcha': {
    config: { captcha: { provider: 'hcaptcha', secretKey: 'key', siteKey: 'site', endpoints: ['/request-password-reset'] } },
    refuse: (_, visitor) => visitor.call('POST /request-password-reset', { body: { email: 'uma@example.com' } }),
    code: 'MISSING_CAPTCHA_RESPONSE',
    setting: 'captcha.endpoints',
  },
  'an unverified email address': {
    config: { emailAndPassword: { enabled: true, requireEmailVerification: true } },
    refuse: async ({ ada, app }, visitor) => {
      await app.db.updateTable('user').set({ emailVerified: true }).where('id', '=', ada.userId).execute()
      await signInAs(ada.browser, 'Ada')
      return signInAs(visitor, 'Uma')
    },
    code: 'EMAIL_NOT_VERIFIED',
    setting: 'emailAndPassword.requireEmailVerification',
  },
  'a wrong second factor': {
    config: { twoFactor: true },
    refuse: async (kit, visitor) => {
      await enrol(kit, kit.uma.browser)
      await signInAs(visitor, 'Uma')
      return verify(visitor, '000000')
    },
    code: 'INVALID_CODE',
  },
  'a user who canceled at the provider': {
    refuse: (_, visitor) => flow(visitor, 'google', { callback: { code: undefined, error: 'access_denied' } }),
    code: 'access_denied',
  },
  'a state that is not ours': {
    refuse: (_, visitor) => flow(visitor, 'google', { callback: { state: 'another' } }),
    code: 'please_restart_the_process',
  },
  'an API key that is not valid': {
    config: { apiKey: true },
    refuse: (_, visitor) => visitor.call('GET /get-session', {}, { 'x-api-key': 'k'.repeat(64) }),
    code: 'INVALID_API_KEY',
  },
  'a session that has ended': {
    refuse: async ({ ada, uma }) => {
      await ada.browser.call('POST /admin/revoke-user-sessions', { body: { userId: uma.userId } })
      return uma.browser.call('POST /update-user', { body: { name: 'Uma B' } })
    },
    code: 'UNAUTHORIZED',
  },
  'a missing permission': {
    refuse: ({ uma }) => uma.browser.call('GET /admin/list-users', { query: {} }),
    code: 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS',
    setting: 'admin.roles',
  },
}

test.each(Object.entries(causes))('%s is found by the request ID', async (_, { config = {}, refuse, code, setting }) => {
  const kit = await administrate(await socialApp({ admin: true, ...config }))
  const refused = await refuse(kit, kit.browser())
  await kit.settled()
  await flushDenials(kit.app)
  const subject = refused.headers.get('x-request-id') ?? expect.fail('no request ID')
  const { body } = await kit.ada.browser.call('GET /admin/explain', { query: { subject } })
  const named: { readonly code: string | null }[] = [...body.refusals, ...body.findings]
  expect(named.map((one) => one.code)).toContain(code)
  const found = body.codes.find((one: { readonly code: string }) => one.code === code)
  expect(found?.fix).toMatch(/\w/)
  if (setting !== undefined) expect(found.settings).toContain(setting)
})
