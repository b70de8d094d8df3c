/**
 * No session of a user who has a second factor exists that has not proven it, but for the rows of contract 11 §2 that say so, and no sign-in
 * under a rule gives a session without what the rule demands: random users, roles, sign-in methods and orders of calls.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Authenticator, createAuthenticator } from '../../../tests/kit/authenticator.ts'
import type { Answer, Browser } from '../../../tests/kit/browser.ts'
import { password } from '../../../tests/kit/members.ts'
import { authenticator, enable, verify } from '../../../tests/kit/second-factor.ts'
import { notSignIns } from '../../../tests/kit/session-changes.ts'
import { type SocialApp, socialApp } from '../../../tests/kit/social.ts'
import { featureList } from '../index.ts'

/** Each call that gives its client a session, and why that session has a second factor, or needs none. */
const reasons: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['POST /sign-in/email', 'POST /sign-in/username', 'POST /sign-in/phone-number', 'POST /phone-number/verify'],
      ...['GET /callback/:id', 'POST /callback/:id', 'POST /sign-in/social'],
      ...['GET /oauth2/callback/:providerId', 'POST /oauth2/callback/:providerId'],
      ...['GET /magic-link/verify', 'POST /magic-link/verify', 'POST /sign-in/email-otp', 'POST /email-otp/verify-email'],
      ...['GET /verify-email', 'POST /verify-email', 'POST /verify-email/with-password', 'POST /verify-email/with-new-password'],
    ].map((key) => [key, 'challenged']),
  ),
  'POST /passkey/verify-authentication': 'challenged, unless the passkey has verified its user',
  'POST /passkey/verify-registration': 'a new user, or a second factor of the session',
  'POST /sign-up/email': 'a new user',
  'POST /sign-in/anonymous': 'a new user',
  'POST /one-time-token/verify': 'an existing session, as it is',
  'POST /multi-session/set-active': 'an existing session, as it is',
  'POST /multi-session/revoke': 'an existing session, as it is',
  'POST /change-password': 'in place of a session, as strong as it was',
  ...Object.fromEntries(
    ['enable', 'disable', 'verify-totp', 'verify-otp', 'verify-backup-code'].map((name) => [
      `POST /two-factor/${name}`,
      'the second factor itself, or in place of a session',
    ]),
  ),
  ...notSignIns,
}

test('every call that gives its client a session is in this list', () => {
  const declared = Object.values(featureList).flatMap(({ routes = {} }) => Object.entries(routes))
  const keys = declared.flatMap(([key, { declaration }]) => (declaration.signsIn ? [key] : []))
  expect([...keys, ...Object.keys(notSignIns)].sort()).toEqual(Object.keys(reasons).sort())
})

const names = ['Ann', 'Bob'] as const
type Name = (typeof names)[number]
const methods = ['password', 'username', 'phone password', 'phone code', 'social', 'ID token'] as const
/** They prove the mailbox: neither a trusted browser nor a code by email is accepted after them. */
const byMailbox = ['verification link', 'magic link', 'email code'] as const
/** With a passkey that has verified its user, and one that has not: the second is one factor. */
const byPasskey = ['passkey', 'unverified passkey'] as const
const factors = ['totp', 'sms', 'email', 'both', 'passkey'] as const
const initial = fc.record({ Ann: fc.constantFrom(...factors), Bob: fc.constantFrom('none', ...factors) })

const step = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('sign in' as const),
      method: fc.constantFrom(...methods, ...byMailbox, ...byPasskey),
      by: fc.constantFrom('totp', 'sent', 'backup', ...byPasskey, 'nothing'),
      trust: fc.boolean(),
    }),
    weight: 8,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      by: fc.constantFrom('totp', 'sent', 'backup', ...byPasskey),
      trust: fc.boolean(),
    }),
    weight: 6,
  },
  { arbitrary: fc.record({ kind: fc.constant('enable' as const), factor: fc.constantFrom(...factors) }), weight: 3 },
  ...(['disable', 'guess', 'cancel', 'sign out', 'change password', 'hand over', 'wait', 'role'] as const).map((kind) => ({
    arbitrary: fc.record({ kind: fc.constant(kind) }),
    weight: 1,
  })),
)
const steps = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat({ max: 2 }), step), { minLength: 10, maxLength: 30 })
type Step = readonly [name: Name, browser: number, step: { readonly kind: string } & Readonly<Record<string, unknown>>]

interface Person {
  readonly userId: string
  readonly email: string
  readonly phoneNumber: string
  /** The codes of the app that is enabled, or being set up. */
  code: (later?: number) => string
  backupCodes: string[]
  readonly device: Authenticator
}

/** Two users with every sign-in method, three browsers, and what is sent. */
async function world(given: Readonly<Record<Name, string>>) {
  const sent = { code: '', link: '' }
  const keep = ({ otp }: { otp: string }) => void Object.assign(sent, { code: otp })
  const kit = await socialApp({
    ...{ username: true, phoneNumber: true, oneTimeToken: true, passkey: true, session: { freshAge: 0 } },
    admin: true,
    twoFactor: {
      enabled: true,
      otpOptions: { channels: ['sms', 'email'], sendOTP: keep },
      stepUp: { enabled: false },
      required: [{ roles: ['staff'], methods: ['totp'] }],
    },
    sms: { send: ({ code }) => void Object.assign(sent, { code }) },
    emailOTP: { sendVerificationOTP: keep },
    magicLink: { sendMagicLink: ({ token }) => void Object.assign(sent, { link: token }) },
    smsLimit: { enabled: false },
    mailLimit: { enabled: false },
    emailVerification: {
      autoSignInAfterVerification: true,
      sendVerificationEmail: ({ token }) => void Object.assign(sent, { link: token }),
    },
  })
  const found = new Map<Name, Person>()
  for (const [index, name] of names.entries()) {
    const browser = kit.browser()
    const email = `${name.toLowerCase()}@example.com`
    const body = { name, email, password, username: `${name.toLowerCase()}_user` }
    const { user } = (await browser.call('POST /sign-up/email', { body: body as never })).body
    const phoneNumber = `+4917012345${60 + index}`
    const columns = { emailVerified: true, phoneNumber, phoneNumberVerified: true }
    await kit.app.db.updateTable('user').set(columns).where('id', '=', user.id).execute()
    const profile = { sub: name, email, email_verified: true, name }
    await kit.signIn(browser, 'google', profile, { start: 'POST /link-social' })
    const device = createAuthenticator()
    await register(browser, device)
    found.set(name, { userId: user.id, email, phoneNumber, code: () => '000000', backupCodes: [], device })
  }
  const browsers = [kit.browser(), kit.browser(), kit.browser()]
  const made = { ...kit, sent, browsers, person: (name: Name) => found.get(name) as Person }
  for (const name of names) {
    const browser = kit.browser()
    await signIn(made, browser, name, 'password')
    if (given[name] !== 'none') await enableFor(made, browser, name, given[name])
  }
  return made
}
interface World extends SocialApp {
  readonly sent: { code: string; link: string }
  readonly browsers: readonly Browser[]
  person(name: Name): Person
}

async function register(browser: Browser, device: Authenticator): Promise<void> {
  const { body } = await browser.call('GET /passkey/generate-register-options', { query: {} })
  const added = await browser.call('POST /passkey/verify-registration', { body: { response: { ...device.create(body) } } })
  expect(added.status).toBe(200)
}

async function usePasskey(browser: Browser, device: Authenticator, way: unknown): Promise<Answer> {
  const { body } = await browser.call('POST /passkey/generate-authenticate-options', {})
  const response = { ...device.get(body, { userVerified: way !== 'unverified passkey' }) }
  return browser.call('POST /passkey/verify-authentication', { body: { response } })
}

async function signIn(kit: World, browser: Browser, name: Name, method: unknown): Promise<Answer> {
  const { email, phoneNumber, userId, device } = kit.person(name)
  const profile = { sub: name, email, email_verified: true, name }
  switch (method) {
    case 'username':
      return browser.call('POST /sign-in/username', { body: { username: `${name.toLowerCase()}_user`, password } })
    case 'phone password':
      return browser.call('POST /sign-in/phone-number', { body: { phoneNumber, password } })
    case 'phone code': {
      kit.clock.advance(120)
      await browser.call('POST /phone-number/send-otp', { body: { phoneNumber } })
      await kit.settled()
      return browser.call('POST /phone-number/verify', { body: { phoneNumber, code: kit.sent.code } })
    }
    case 'social':
      return kit.signIn(browser, 'google', profile)
    case 'ID token':
      return browser.call('POST /sign-in/social', {
        body: { provider: 'google', idToken: { token: await kit.idToken(profile) } },
      })
    case 'verification link': {
      await kit.app.db.updateTable('user').set({ emailVerified: false }).where('id', '=', userId).execute()
      await browser.call('POST /send-verification-email', { body: { email } })
      await kit.settled()
      return browser.call('GET /verify-email', { query: { token: kit.sent.link, callbackURL: '/in' } })
    }
    case 'magic link': {
      await browser.call('POST /sign-in/magic-link', { body: { email } })
      await kit.settled()
      return browser.call('POST /magic-link/verify', { body: { token: kit.sent.link } })
    }
    case 'email code': {
      await browser.call('POST /email-otp/send-verification-otp', { body: { email, type: 'sign-in' } })
      await kit.settled()
      return browser.call('POST /sign-in/email-otp', { body: { email, otp: kit.sent.code } })
    }
    case 'passkey':
    case 'unverified passkey':
      return usePasskey(browser, device, method)
    default:
      return browser.call('POST /sign-in/email', { body: { email, password } })
  }
}

async function answer(kit: World, browser: Browser, name: Name, by: unknown, trustDevice: unknown): Promise<Answer> {
  const person = kit.person(name)
  const more = trustDevice === true ? { trustDevice: true } : {}
  if (by === 'totp') return verify(browser, person.code(), more)
  if (by === 'passkey' || by === 'unverified passkey') return usePasskey(browser, person.device, by)
  if (by === 'backup')
    return browser.call('POST /two-factor/verify-backup-code', { body: { code: person.backupCodes.shift() ?? 'none', ...more } })
  await browser.call('POST /two-factor/send-otp', {})
  await kit.settled()
  return browser.call('POST /two-factor/verify-otp', { body: { code: kit.sent.code, ...more } })
}

/** Of the user who is signed in in this browser, if that is who is named. */
async function enableFor(kit: World, browser: Browser, name: Name, factor: unknown): Promise<void> {
  const signedIn = (await browser.call('GET /get-session', {})).body?.user.name
  if (signedIn !== name) return
  const person = kit.person(name)
  for (const wanted of factor === 'both' ? ['totp', 'sms'] : [factor]) {
    const given = wanted === 'totp' ? {} : wanted === 'passkey' ? { method: 'passkey' } : { method: 'otp', channel: wanted }
    const { status, body } = await enable(browser, given)
    if (status !== 200) return
    if (wanted === 'totp') {
      const code = authenticator(body.totpURI, kit.app)
      if ((await verify(browser, code())).status === 200) person.code = code
      kit.clock.advance(30)
    }
    if (body.backupCodes.length > 0) person.backupCodes = [...body.backupCodes]
  }
}

/** Sets up what a rule demands, if the sign-in of this browser waits for it. */
async function setUp(kit: World, browser: Browser, name: Name): Promise<void> {
  const { status, body } = await browser.call('GET /two-factor/challenge', {})
  if (status !== 200 || body.kind !== 'setup') return
  if (body.codeTo !== null) await browser.call('POST /two-factor/verify-otp', { body: { code: kit.sent.code } })
  const begun = await browser.call('POST /two-factor/enable', { body: {} })
  if (begun.status !== 200) return
  const code = authenticator(begun.body.totpURI ?? '', kit.app)
  if ((await verify(browser, code())).status !== 200) return
  Object.assign(kit.person(name), { code, backupCodes: [...begun.body.backupCodes] })
  kit.clock.advance(30)
}

async function changeRole({ app, person }: World, name: Name): Promise<void> {
  const user = app.db.selectFrom('user').select('role').where('id', '=', person(name).userId)
  const role = (await user.executeTakeFirst())?.role === 'staff' ? 'user' : 'staff'
  await app.db.updateTable('user').set({ role }).where('id', '=', person(name).userId).execute()
}

/** Whether a session that a sign-in gave breaks the rule. */
async function breaksRule({ app }: World, [, , { kind }]: Step, { userId }: Seen): Promise<boolean> {
  if (kind !== 'sign in' && kind !== 'answer') return false
  const user = await app.db.selectFrom('user').select('role').where('id', '=', userId).executeTakeFirst()
  const row = await app.db.selectFrom('twoFactor').select('verified').where('userId', '=', userId).executeTakeFirst()
  return user?.role === 'staff' && row?.verified !== true
}

async function take(kit: World, [name, position, { kind, ...given }]: Step): Promise<void> {
  const browser = kit.browsers[position] as Browser
  kit.clock.advance(31)
  if (kind === 'sign in') {
    const { body } = await signIn(kit, browser, name, given.method)
    if (body?.twoFactorRedirect === true && given.by !== 'nothing') await answer(kit, browser, name, given.by, given.trust)
    if (given.by === 'totp') await setUp(kit, browser, name)
  }
  if (kind === 'role') await changeRole(kit, name)
  if (kind === 'answer') await answer(kit, browser, name, given.by, given.trust)
  else if (kind === 'enable') await enableFor(kit, browser, name, given.factor)
  else if (kind === 'disable') await browser.call('POST /two-factor/disable', { body: { password } })
  else if (kind === 'guess') await verify(browser, '000000')
  else if (kind === 'cancel') await browser.call('POST /two-factor/cancel', {})
  else if (kind === 'sign out') await browser.call('POST /sign-out', {})
  else if (kind === 'wait') kit.clock.advance(700)
  else if (kind === 'change password') {
    const body = { currentPassword: password, newPassword: password, revokeOtherSessions: true }
    await browser.call('POST /change-password', { body })
  } else {
    const { status, body } = await browser.call('GET /one-time-token/generate', {})
    const other = kit.browsers[(position + 1) % kit.browsers.length] as Browser
    if (status === 200) await other.call('POST /one-time-token/verify', { body: { token: body.token } })
  }
}

interface Seen {
  readonly id: string
  readonly userId: string
  readonly acr: string | null
  readonly amr: string | null
}

const readSessions = ({ app }: SocialApp): Promise<Seen[]> =>
  app.db.selectFrom('session').select(['id', 'userId', 'acr', 'amr']).execute()

/** A code by email makes no session stronger, and is a second factor all the same, but after what came by email too. */
function hasProvenTwo({ acr, amr }: Seen): boolean {
  const proven: string[] = JSON.parse(amr ?? '[]')
  const isByPhone = proven.includes('sms') && proven.includes('email')
  return acr !== null || isByPhone || (['pwd', 'fed', 'swk'].some((first) => proven.includes(first)) && proven.includes('otp'))
}

/** Why a new session of one factor is right; null: it is one. */
async function excuse(kit: World, taken: Step, session: Seen, before: readonly Seen[]): Promise<string | null> {
  const user = await kit.app.db.selectFrom('user').select('twoFactorEnabled').where('id', '=', session.userId).executeTakeFirst()
  if (!user?.twoFactorEnabled) return 'no second factor'
  const [, position, { kind, method }] = taken
  // Of the session that it replaces, which began before the second factor did, or in a trusted browser.
  const replaced = before.some((one) => one.userId === session.userId && !hasProvenTwo(one))
  if ((kind === 'change password' || kind === 'enable') && replaced) return 'in place of a session'
  const isTrustable = kind === 'sign in' && !['phone code', ...byMailbox].includes(String(method))
  const isTrusted = (kit.browsers[position] as Browser).cookies.has('latchkey.trust_device')
  const rows = await kit.app.db.selectFrom('trustedDevice').select('id').where('userId', '=', session.userId).execute()
  return isTrustable && isTrusted && rows.length > 0 ? 'trusted browser' : null
}

test('random orders of calls give no session without the second factor of its user', { timeout: 240_000 }, async () => {
  const reached = new Map<string, number>()
  const note = (what: string) => reached.set(what, (reached.get(what) ?? 0) + 1)
  await fc.assert(
    fc.asyncProperty(initial, steps, async (given, taken) => {
      const kit = await world(given)
      let before = await readSessions(kit)
      for (const each of taken) {
        await take(kit, each as Step)
        const after = await readSessions(kit)
        for (const session of after.filter(({ id }) => !before.some((one) => one.id === id))) {
          const reason = hasProvenTwo(session) ? 'proven' : await excuse(kit, each as Step, session, before)
          note(reason ?? 'fault')
          expect(await breaksRule(kit, each as Step, session), JSON.stringify(each)).toBe(false)
          expect(reason, JSON.stringify([each, session])).not.toBeNull()
        }
        before = after
      }
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 12) },
  )
  // Otherwise the property says nothing.
  expect([...reached.keys()]).toEqual(expect.arrayContaining(['proven', 'no second factor']))
})
