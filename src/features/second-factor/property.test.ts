/**
 * No session of a user who has a second factor exists that has not proven it, but for the rows of contract 11 §2 that say so, and no sign-in
 * under a rule gives a session without what the rule demands: random users, roles, sign-in methods and orders of calls.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Authenticator, createAuthenticator } from '../../../tests/kit/authenticator.ts'
import type { Answer, Browser } from '../../../tests/kit/browser.ts'
import { password } from '../../../tests/kit/members.ts'
import { authenticator, enable, signInAs, verify } from '../../../tests/kit/second-factor.ts'
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
  ...{ 'POST /terms/accept': 'after the second factors', 'POST /terms/postpone': 'after the second factors' },
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
/** Each by what was sent to the mailbox or the phone; none of them signs in. */
const resets = ['link', 'email code', 'phone code'] as const
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
  { arbitrary: fc.record({ kind: fc.constant('add passkey' as const), by: fc.constantFrom(...byPasskey) }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('reset password' as const), by: fc.constantFrom(...resets) }), weight: 2 },
  ...(['disable', 'guess', 'cancel', 'sign out', 'change password', 'hand over', 'switch', 'wait', 'role'] as const).map(
    (kind) => ({
      arbitrary: fc.record({ kind: fc.constant(kind) }),
      weight: 1,
    }),
  ),
  ...(['impersonate', 'stop impersonating'] as const).map((kind) => ({
    arbitrary: fc.record({ kind: fc.constant(kind) }),
    weight: 1,
  })),
)
const steps = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat({ max: 2 }), step), { minLength: 10, maxLength: 30 })
type Step = readonly [name: Name, browser: number, step: { readonly kind: string } & Readonly<Record<string, unknown>>]
/** So that each kind of session is reached, whatever the random orders are. */
const always: Step[] = [
  ['Ann', 0, { kind: 'sign in', method: 'password', by: 'totp', trust: false }],
  ['Ann', 0, { kind: 'add passkey', by: 'unverified passkey' }],
  ['Ann', 0, { kind: 'answer', by: 'totp', trust: true }],
  ['Ann', 0, { kind: 'add passkey', by: 'passkey' }],
  ...resets.map((by): Step => ['Ann', 0, { kind: 'reset password', by }]),
  ['Ann', 0, { kind: 'sign in', method: 'password', by: 'totp', trust: false }],
  ['Bob', 0, { kind: 'sign in', method: 'password', by: 'nothing', trust: false }],
  ['Bob', 0, { kind: 'switch' }],
  ['Ann', 1, { kind: 'impersonate' }],
  ['Ann', 1, { kind: 'add passkey', by: 'passkey' }],
  ['Ann', 1, { kind: 'answer', by: 'totp', trust: true }],
  ['Ann', 1, { kind: 'switch' }],
  ['Ann', 1, { kind: 'hand over' }],
  ['Ann', 1, { kind: 'stop impersonating' }],
]

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
  const sent = { code: '', link: '', reset: '' }
  const keep = ({ otp }: { otp: string }) => void Object.assign(sent, { code: otp })
  const kit = await socialApp({
    ...{ username: true, phoneNumber: true, oneTimeToken: true, multiSession: true, passkey: true, session: { freshAge: 0 } },
    admin: true,
    emailAndPassword: { enabled: true, sendResetPassword: ({ token }) => void Object.assign(sent, { reset: token }) },
    twoFactor: {
      enabled: true,
      otpOptions: { channels: ['sms', 'email'], sendOTP: keep },
      stepUp: { enabled: false },
      required: [{ roles: ['staff'], methods: ['totp'] }],
    },
    sms: { send: ({ code }) => void (code && Object.assign(sent, { code })) },
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
  const root = { name: 'Root', email: 'root@example.com', password, username: 'root_user' }
  const { user } = (await kit.browser().call('POST /sign-up/email', { body: root as never })).body
  await kit.app.db.updateTable('user').set({ role: 'admin' }).where('id', '=', user.id).execute()
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
  readonly sent: { code: string; link: string; reset: string }
  readonly browsers: readonly Browser[]
  person(name: Name): Person
}

async function register(browser: Browser, device: Authenticator): Promise<void> {
  const { body } = await browser.call('GET /passkey/generate-register-options', { query: {} })
  const added = await browser.call('POST /passkey/verify-registration', { body: { response: { ...device.create(body) } } })
  expect(added.status).toBe(200)
}

/** One more passkey of the user of this browser, which signs in with it in the same call. */
async function addPasskey(browser: Browser, by: unknown): Promise<void> {
  const { status, body } = await browser.call('GET /passkey/generate-register-options', { query: {} })
  if (status !== 200) return
  const response = { ...createAuthenticator().create(body, { userVerified: by !== 'unverified passkey' }) }
  await browser.call('POST /passkey/verify-registration', { body: { response, createSession: true } })
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
  if (!['sign in', 'answer', 'add passkey'].includes(kind)) return false
  const user = await app.db.selectFrom('user').select('role').where('id', '=', userId).executeTakeFirst()
  const row = await app.db.selectFrom('twoFactor').select('verified').where('userId', '=', userId).executeTakeFirst()
  return user?.role === 'staff' && row?.verified !== true
}

async function resetPassword(kit: World, browser: Browser, name: Name, by: unknown): Promise<void> {
  const { email, phoneNumber } = kit.person(name)
  kit.clock.advance(120)
  if (by === 'link') await browser.call('POST /request-password-reset', { body: { email } })
  else if (by === 'email code') await browser.call('POST /email-otp/request-password-reset', { body: { email } })
  else await browser.call('POST /phone-number/request-password-reset', { body: { phoneNumber } })
  await kit.settled()
  const { code: otp, reset: token } = kit.sent
  const done =
    by === 'link'
      ? await browser.call('POST /reset-password', { body: { token, newPassword: password } })
      : by === 'email code'
        ? await browser.call('POST /email-otp/reset-password', { body: { email, otp, password } })
        : await browser.call('POST /phone-number/reset-password', { body: { phoneNumber, otp, newPassword: password } })
  expect(done.status).toBe(200)
}

/** To another user who is signed in in this browser. */
async function switchUser(browser: Browser): Promise<void> {
  const { body } = await browser.call('GET /multi-session/list-device-sessions', {})
  const sessionToken = body.at(-1)?.session.token ?? 'none'
  await browser.call('POST /multi-session/set-active', { body: { sessionToken } })
}

async function impersonate(browser: Browser, { userId }: Person): Promise<void> {
  await signInAs(browser, 'Root')
  await browser.call('POST /admin/impersonate-user', { body: { userId } })
}

async function handOver(browser: Browser, other: Browser): Promise<void> {
  const { status, body } = await browser.call('GET /one-time-token/generate', {})
  if (status === 200) await other.call('POST /one-time-token/verify', { body: { token: body.token } })
}

async function signInAndAnswer(kit: World, browser: Browser, name: Name, given: Step[2]): Promise<void> {
  const { body } = await signIn(kit, browser, name, given.method)
  if (body?.twoFactorRedirect === true && given.by !== 'nothing') await answer(kit, browser, name, given.by, given.trust)
  if (given.by === 'totp') await setUp(kit, browser, name)
}

async function take(kit: World, [name, position, { kind, ...given }]: Step): Promise<void> {
  const browser = kit.browsers[position] as Browser
  const other = kit.browsers[(position + 1) % kit.browsers.length] as Browser
  kit.clock.advance(31)
  const replaced = { currentPassword: password, newPassword: password, revokeOtherSessions: true }
  const kinds: Readonly<Record<string, () => unknown>> = {
    'sign in': () => signInAndAnswer(kit, browser, name, { kind, ...given }),
    answer: () => answer(kit, browser, name, given.by, given.trust),
    enable: () => enableFor(kit, browser, name, given.factor),
    'add passkey': () => addPasskey(browser, given.by),
    'reset password': () => resetPassword(kit, browser, name, given.by),
    disable: () => browser.call('POST /two-factor/disable', { body: { password } }),
    guess: () => verify(browser, '000000'),
    cancel: () => browser.call('POST /two-factor/cancel', {}),
    'sign out': () => browser.call('POST /sign-out', {}),
    'change password': () => browser.call('POST /change-password', { body: replaced }),
    'hand over': () => handOver(browser, other),
    switch: () => switchUser(browser),
    impersonate: () => impersonate(browser, kit.person(name)),
    'stop impersonating': () => browser.call('POST /admin/stop-impersonating', {}),
    wait: () => kit.clock.advance(700),
    role: () => changeRole(kit, name),
  }
  await kinds[kind]?.()
}

interface Seen {
  readonly id: string
  readonly userId: string
  readonly acr: string | null
  readonly amr: string | null
  /** The administrator who acts as the user. */
  readonly impersonatedBy: string | null
}

const readSessions = ({ app }: SocialApp): Promise<Seen[]> =>
  app.db.selectFrom('session').select(['id', 'userId', 'acr', 'amr', 'impersonatedBy']).execute()

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
  if (session.impersonatedBy !== null) return kind === 'impersonate' ? 'impersonation' : null
  // Of the session that it replaces, which began before the second factor did, or in a trusted browser.
  const replaced = before.some((one) => one.userId === session.userId && !hasProvenTwo(one))
  if ((kind === 'change password' || kind === 'enable') && replaced) return 'in place of a session'
  const isTrustable = kind === 'sign in' && !['phone code', ...byMailbox].includes(String(method))
  const isTrusted = (kit.browsers[position] as Browser).cookies.has('latchkey.trust_device')
  const rows = await kit.app.db.selectFrom('trustedDevice').select('id').where('userId', '=', session.userId).execute()
  return isTrustable && isTrusted && rows.length > 0 ? 'trusted browser' : null
}

/** What no step may do to a session that exists: make it stronger without a proof, or give it to another user. */
function expectAsStrong(taken: Step, before: readonly Seen[], after: readonly Seen[]): void {
  const proves = ['sign in', 'answer', 'add passkey', 'enable'].includes(taken[2].kind)
  for (const session of after) {
    const former = before.find(({ id }) => id === session.id)
    if (!former) continue
    const mayProve = proves && former.impersonatedBy === null
    expect(mayProve ? { ...former, acr: session.acr, amr: session.amr } : former, JSON.stringify(taken)).toEqual(session)
  }
}

/** Takes the steps, and checks the rule after each. @param note called with why each new session is right */
async function checkOrder(given: Readonly<Record<Name, string>>, taken: readonly Step[], note: (what: string) => void) {
  const kit = await world(given)
  let before = await readSessions(kit)
  for (const each of taken) {
    await take(kit, each)
    const after = await readSessions(kit)
    expectAsStrong(each, before, after)
    for (const session of after.filter(({ id }) => !before.some((one) => one.id === id))) {
      const reason = hasProvenTwo(session) ? 'proven' : await excuse(kit, each, session, before)
      note(reason ?? 'fault')
      note(each[2].kind)
      expect(await breaksRule(kit, each, session), JSON.stringify(each)).toBe(false)
      expect(reason, JSON.stringify([each, session])).not.toBeNull()
    }
    before = after
  }
}

test('random orders of calls give no session without the second factor of its user', { timeout: 240_000 }, async () => {
  const reached = new Set<string>()
  const note = (what: string) => reached.add(what)
  const property = fc.asyncProperty(initial, steps, (given, taken) => checkOrder(given, taken as readonly Step[], note))
  await fc.assert(property, {
    numRuns: Number(process.env.PROPERTY_RUNS ?? 12),
    examples: [[{ Ann: 'totp', Bob: 'none' }, always as never]],
  })
  // Otherwise the property says nothing.
  const needed = ['proven', 'no second factor', 'impersonation', 'impersonate', 'answer', 'add passkey']
  expect([...reached]).toEqual(expect.arrayContaining(needed))
  // They create no session.
  for (const kind of ['reset password', 'switch', 'hand over', 'stop impersonating']) expect(reached).not.toContain(kind)
})
