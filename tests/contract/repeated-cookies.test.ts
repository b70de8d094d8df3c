/**
 * Several cookies of one name (contract 00 §5): browsers send them after `Domain` or `Path` of a cookie changed, or when a parent domain
 * has one. For each cookie that a feature declares, the good one wins wherever it stands.
 */
import { describe, expect, test } from 'vitest'
import { cookieDefinition } from '../../src/core/cookies.ts'
import type { Config, ConfigFile } from '../../src/features/index.ts'
import { findUserByEmail } from '../../src/features/users/index.ts'
import { signCookie } from '../../src/lib/cookie.ts'
import { testApp } from '../kit/app.ts'
import { createAuthenticator } from '../kit/authenticator.ts'
import type { Browser } from '../kit/browser.ts'
import { captureMails } from '../kit/mails.ts'
import { startFlow } from '../kit/provider-stand-in.ts'
import { enrol } from '../kit/second-factor.ts'
import { ann as annAtProvider, socialApp, target } from '../kit/social.ts'

type Key = keyof Config['advanced']['cookies']
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const credentials = { email: ann.email, password: ann.password }

/** The header of a browser, in which one cookie has a twin. @param place of the good one */
function withTwin(
  browser: Browser,
  name: string,
  twin: string,
  place: 'first' | 'last',
): { readonly cookie: string; readonly origin: string } {
  const pairs = [...browser.cookies].flatMap(([key, value]) => {
    if (key !== name) return [`${key}=${value}`]
    const both = [`${key}=${value}`, `${key}=${twin}`]
    return place === 'first' ? both : both.reverse()
  })
  return { cookie: pairs.join('; '), origin: 'http://localhost:3000' }
}

type Kit = Awaited<ReturnType<typeof testApp>>
interface Scenario {
  readonly config?: ConfigFile
  /** @returns what uses the cookie, and whether it worked */
  readonly run: (kit: Kit, visitor: Browser, headers: () => Record<string, string>) => Promise<unknown>
  readonly expected: unknown
  /** A twin whose signature holds, of something that ended. Default: one that is signed for nothing. */
  readonly twin?: (kit: Kit) => string
}

/** What the last email had. */
const mailed = { token: '', otp: '' }
const signUp = (by: Browser) => by.call('POST /sign-up/email', { body: ann })
const emailOf = async (by: Browser, headers: Record<string, string>) =>
  (await by.call('GET /get-session', {}, headers)).body?.user?.email

/** A test of its own; and a cookie that is not signed, and only orders what is offered. */
const elsewhere = ['state', 'two_factor_method'] as const

const scenarios: Record<Exclude<Key, (typeof elsewhere)[number]>, Scenario> = {
  session_token: {
    run: async (_, visitor, headers) => [
      await emailOf(visitor, headers()),
      (await visitor.call('GET /list-sessions', {}, headers())).status,
    ],
    expected: [ann.email, 200],
  },
  session_data: {
    config: { session: { cookieCache: { enabled: true } } },
    run: async (_, visitor, headers) => emailOf(visitor, headers()),
    expected: ann.email,
    twin: () => 'e30',
  },
  dont_remember: {
    run: async (kit, visitor, headers) => {
      await visitor.call('POST /sign-in/email', { body: { ...credentials, rememberMe: false } })
      kit.clock.advance(3600)
      return (await visitor.call('POST /update-user', { body: { name: 'Anna' } }, headers())).setCookie.some((each) =>
        each.includes('Max-Age=6'),
      )
    },
    expected: false,
  },
  admin_session: {
    config: { admin: true },
    run: async (kit, visitor, headers) => {
      const { body } = await kit.browser().call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } })
      await kit.app.db.updateTable('user').set({ role: 'admin' }).where('email', '=', ann.email).execute()
      await visitor.call('POST /admin/impersonate-user', { body: { userId: String(body.user?.id) } })
      return (await visitor.call('POST /admin/stop-impersonating', {}, headers())).body.user?.email
    },
    expected: ann.email,
  },
  sign_up: {
    config: { emailAndPassword: { enabled: true, requireEmailVerification: true } },
    run: async (kit, visitor, headers) => {
      const { createEmailToken } = await import('../../src/features/email-verification/index.ts')
      const token = await createEmailToken(kit.app, { email: ann.email }, 60)
      expect(await findUserByEmail(kit.app, ann.email)).not.toBeNull()
      return (await visitor.call('POST /verification-link', { body: { token } }, headers())).body.step
    },
    expected: 'confirm',
  },
  terms: {
    config: { terms: { documents: [{ id: 'privacy', version: '1', url: 'https://example.com/privacy' }] } },
    run: async (kit, visitor, headers) => {
      await visitor.call('POST /sign-in/email', { body: credentials })
      return (await kit.browser().call('GET /terms/pending', { query: {} }, headers())).body.email
    },
    expected: ann.email,
  },
  invite_link: {
    config: { signUp: { inviteLinks: true } },
    run: async (kit, visitor, headers) => {
      const { createInviteLink } = await import('../../src/features/invite-links/index.ts')
      const { url } = await createInviteLink(kit.app, null, { maxUses: 1 })
      await visitor.call('POST /invite-link/open', { body: { token: new URL(url).searchParams.get('token') ?? '' } })
      await visitor.call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } }, headers())
      return (await kit.app.db.selectFrom('inviteLink').select('uses').executeTakeFirstOrThrow()).uses
    },
    expected: 1,
  },
  'better-auth-passkey': {
    config: { passkey: true },
    run: async (_, visitor, headers) => {
      const { body } = await visitor.call('GET /passkey/generate-register-options', { query: {} })
      const response = { ...createAuthenticator().create(body) }
      return (await visitor.call('POST /passkey/verify-registration', { body: { response } }, headers())).status
    },
    expected: 200,
  },
  magic_link: {
    config: { magicLink: { sendMagicLink: ({ token }) => void Object.assign(mailed, { token }) } },
    run: async (kit, visitor, headers) => {
      const page = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
      await visitor.call('POST /sign-in/magic-link', { body: { email: ann.email } }, page)
      await kit.settled()
      return (await visitor.call('POST /magic-link/preview', { body: { token: mailed.token } }, headers())).body.sameBrowser
    },
    expected: true,
  },
  email_otp: {
    config: { emailOTP: { sendVerificationOTP: ({ otp }) => void Object.assign(mailed, { otp }) } },
    run: async (kit, visitor, headers) => {
      const page = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
      await visitor.call('POST /email-otp/send-verification-otp', { body: { email: ann.email, type: 'sign-in' } }, page)
      await kit.settled()
      return (await visitor.call('POST /sign-in/email-otp', { body: { email: ann.email, otp: mailed.otp } }, headers())).status
    },
    expected: 200,
  },
  passkey_sign_up: {
    config: {
      passkey: { signUp: true },
      mail: {
        from: 'a@acme.test',
        send: ({ text }) => void Object.assign(mailed, { otp: /\b\d{6}\b/.exec(text)?.[0] }),
      },
    },
    run: async (kit, visitor, headers) => {
      const page = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
      const email = 'carol@example.com'
      await visitor.call('POST /passkey/sign-up', { body: { email } }, page)
      await kit.settled()
      return (await visitor.call('POST /passkey/verify-sign-up', { body: { email, otp: mailed.otp } }, headers())).status
    },
    expected: 200,
  },
  known_device: {
    config: {
      attempts: {
        enabled: true,
        deviceCookie: true,
        perNetwork: { failures: 1, firstDelay: 60 },
        perAccount: { failures: 1, firstDelay: 60 },
      },
    },
    run: async (kit, visitor, headers) => {
      await visitor.call('POST /sign-in/email', { body: credentials })
      for (let time = 0; time < 2; time += 1)
        await kit.browser().call('POST /sign-in/email', { body: { ...credentials, password: 'a wrong password' } })
      return (await visitor.call('POST /sign-in/email', { body: credentials }, headers())).status
    },
    expected: 200,
  },
  two_factor: {
    config: { twoFactor: true },
    run: async (kit, visitor, headers) => {
      const { code } = await enrol(kit, visitor)
      await visitor.call('POST /sign-out', {})
      await visitor.call('POST /sign-in/email', { body: credentials })
      return (await visitor.call('POST /two-factor/verify-totp', { body: { code: code() } }, headers())).status
    },
    expected: 200,
  },
  trust_device: {
    config: { twoFactor: true },
    run: async (kit, visitor, headers) => {
      const { code } = await enrol(kit, visitor)
      await visitor.call('POST /two-factor/verify-totp', { body: { code: code(), trustDevice: true } })
      await visitor.call('POST /sign-out', {})
      return (await visitor.call('POST /sign-in/email', { body: credentials }, headers())).body.user?.email
    },
    expected: ann.email,
  },
}

const places = ['first', 'last'] as const

describe.each(Object.entries(scenarios))('the good one of two cookies %s wins', (key, { config = {}, run, expected, twin }) => {
  describe.each(places)('when it is %s', (place) => {
    test.each([
      ['unsigned', () => 'stale'],
      ['ended', twin ?? (({ app }: Kit) => signCookie('ended', app.keyring))],
    ] as const)('next to one that is %s', async (_, twinOf) => {
      const links = captureMails()
      const kit = await testApp({ emailVerification: { sendVerificationEmail: links.send }, ...config })
      const visitor = kit.browser()
      await signUp(visitor)
      const { name } = cookieDefinition(kit.app.config, key as Key)
      const headers = () => {
        expect(visitor.cookies.has(name)).toBe(true)
        return withTwin(visitor, name, twinOf(kit), place)
      }
      expect(await run(kit, visitor, headers)).toEqual(expected)
    })
  })
})

test.each(places)('the good one of two cookies state wins when it is %s', async (place) => {
  const kit = await socialApp()
  const visitor = kit.browser()
  const url = await startFlow(visitor, 'google', { body: { callbackURL: '/in' } })
  const { name } = cookieDefinition(kit.app.config, 'state')
  const query = { code: kit.codeFor(annAtProvider), state: url.searchParams.get('state') ?? '' }
  const headers = withTwin(visitor, name, signCookie('ended', kit.app.keyring), place)
  const answer = await visitor.call('GET /callback/:id', { params: { id: 'google' }, query }, headers)
  expect(target(answer)).not.toContain('error')
})

test('every declared cookie has a scenario', async () => {
  const { app } = await testApp()
  expect(Object.keys(app.config.advanced.cookies).sort()).toEqual([...Object.keys(scenarios), ...elsewhere].sort())
})

describe('after crossSubDomainCookies is switched on', () => {
  const before: ConfigFile = { baseURL: 'https://auth.example.com' }
  const name = '__Secure-latchkey.session_token'
  const deletions = (setCookie: readonly string[], cookie = name) =>
    setCookie
      .filter((each) => each.startsWith(`${cookie}=; Max-Age=0`))
      .map((each) => /Domain=[^;]+/.exec(each)?.[0] ?? 'host-only')
      .sort()

  test('sign-out deletes both forms and ends the session, and a new sign-in works next to the old cookie', async () => {
    const kit = await testApp(before)
    const first = kit.browser()
    const origin = { origin: 'https://auth.example.com' }
    await first.call('POST /sign-up/email', { body: ann }, origin)
    const old = first.cookies.get(name) ?? ''
    // The same database under another configuration.
    const moved = await kit.another({ advanced: { crossSubDomainCookies: { enabled: true, domain: 'example.com' } } })
    const call = (path: string, cookie: string, body: object = {}) =>
      moved.browser().request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie, ...origin },
        body: JSON.stringify(body),
      })
    const out = await call('/sign-out', `${name}=${old}`)
    expect(deletions(out.setCookie)).toEqual(['Domain=example.com', 'host-only'])
    expect(await kit.app.db.selectFrom('session').select('id').execute()).toEqual([])
    const signedIn = await call('/sign-in/email', `${name}=${old}`, credentials)
    const fresh = signedIn.setCookie
      .find((each) => each.startsWith(`${name}=`) && !each.includes('Max-Age=0'))
      ?.slice(name.length + 1)
      .split(';')[0]
    for (const cookie of [`${name}=${old}; ${name}=${fresh}`, `${name}=${fresh}; ${name}=${old}`]) {
      const read = await moved.browser().request('/get-session', { headers: { cookie } })
      expect(read.body).toMatchObject({ user: { email: ann.email } })
      expect(read.setCookie).toEqual([])
    }
    const last = await call('/sign-out', `${name}=${old}; ${name}=${fresh}`)
    expect(deletions(last.setCookie)).toEqual(expect.arrayContaining(['Domain=example.com', 'host-only']))
    expect(await kit.app.db.selectFrom('session').select('id').execute()).toEqual([])
  })
})

test('sign-out ends the sessions of all cookies of one name', async () => {
  const kit = await testApp()
  const [one, two] = [kit.browser(), kit.browser()]
  await signUp(one)
  await two.call('POST /sign-in/email', { body: credentials })
  const name = 'latchkey.session_token'
  const headers = withTwin(one, name, two.cookies.get(name) ?? '', 'last')
  expect((await one.call('POST /sign-out', {}, headers)).status).toBe(200)
  expect(await kit.app.db.selectFrom('session').select('id').execute()).toEqual([])
})

test('formerCookies names cookies that are deleted together with the present ones', async () => {
  const kit = await testApp({ advanced: { formerCookies: [{ path: '/auth' }, { domain: 'example.com' }] } })
  const visitor = kit.browser()
  await signUp(visitor)
  const { setCookie } = await visitor.call('POST /sign-out', {})
  const deleted = setCookie.filter((each) => each.startsWith('latchkey.session_token=;'))
  expect(deleted.map((each) => each.replace(/^[^;]+; Max-Age=0; /, '').replace('; HttpOnly; SameSite=Lax', '')).sort()).toEqual(
    ['Domain=example.com; Path=/', 'Path=/', 'Path=/auth'].sort(),
  )
})
