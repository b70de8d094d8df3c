/** Sign-ins under a rule: grace, and the set-up that comes between the first factor and the session (contract 11 §10). */
import { describe, expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import { createAuthenticator } from '../../../tests/kit/authenticator.ts'
import { type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { outcome, password, signUp } from '../../../tests/kit/members.ts'
import { beginApp, proveMailbox, type Rules, staff, withStaff } from '../../../tests/kit/required-factor.ts'
import { enable, enrol, hasSession, signInAs, verify } from '../../../tests/kit/second-factor.ts'
import { ann as annAtProvider, socialApp, target } from '../../../tests/kit/social.ts'
import { recordStatements } from '../../../tests/kit/statements.ts'
import type { ConfigFile } from '../index.ts'

const daySeconds = 86_400
const setupPath = '/two-factor/setup?callbackURL=%2Fdash'
const status = async (browser: Browser) => (await browser.call('GET /two-factor/status', {})).body
const sendCode = (browser: Browser, more: object = {}) => browser.call('POST /two-factor/send-otp', { body: more })
const verifyCode = (browser: Browser, code: string) => browser.call('POST /two-factor/verify-otp', { body: { code } })

const register = async (browser: Browser, device = createAuthenticator()) => {
  const options = await browser.call('GET /passkey/generate-register-options', { query: {} })
  if (options.status !== 200) return options
  const response = { ...device.create(options.body) }
  return browser.call('POST /passkey/verify-registration', { body: { response } })
}

/** A rule for everyone, without grace. */
const newUsers = (config: ConfigFile = {}) =>
  testApp({ mail: { catch: true }, twoFactor: { required: [{ everyone: true }] }, ...config })

describe('within grace', () => {
  test('a sign-in gives a session, and says until when a second factor must be set up', async () => {
    const { browser, clock, userId, app } = await withStaff([{ ...staff, graceDays: 14 }])
    const ann = browser()
    const first = await signInAs(ann, 'Ann')
    const dueAt = new Date(clock.now().getTime() + 14 * daySeconds * 1000).toISOString()
    expect([first.status, first.body.twoFactorSetup, hasSession(first)]).toEqual([200, { dueAt }, true])
    const methods = ['passkey', 'totp']
    expect(await status(ann)).toMatchObject({ required: { by: 'role:staff', dueAt, methods }, twoFactorSetup: { dueAt } })
    // It does not start again.
    clock.advance(daySeconds)
    expect((await signInAs(browser(), 'Ann')).body.twoFactorSetup).toEqual({ dueAt })
    expect(await app.db.selectFrom('twoFactorDue').select(['userId', 'rule']).execute()).toEqual([{ userId, rule: 'role:staff' }])
    const events = await app.db.selectFrom('auditEvent').select('details').where('action', '=', 'two-factor.required').execute()
    expect(events.map(({ details }) => details)).toMatchObject([{ rule: 'role:staff', dueAt }])
  })

  test('starts when the user meets the rule, and not before', async () => {
    const { browser, clock } = await withStaff([{ ...staff, graceDays: 14 }])
    clock.advance(100 * daySeconds)
    expect((await signInAs(browser(), 'Ann')).status).toBe(200)
  })

  test('ends at the latest', async () => {
    const { browser, clock } = await withStaff([{ ...staff, graceDays: 14, latest: '2026-02-10' }])
    expect((await signInAs(browser(), 'Ann')).body.twoFactorSetup).toEqual({ dueAt: '2026-02-10T00:00:00.000Z' })
    clock.advance(14 * daySeconds)
    expect(outcome(await signInAs(browser(), 'Ann'))).toBe('403 SECOND_FACTOR_SETUP_REQUIRED')
  })

  test('a user who has a second factor, or is under no rule, is asked for nothing', async () => {
    const kit = await withStaff([{ ...staff, graceDays: 14 }])
    const ann = kit.browser()
    await signInAs(ann, 'Ann')
    await enrol(kit, ann)
    expect(await status(ann)).toMatchObject({ required: { by: 'role:staff', dueAt: null } })
    expect(await status(ann)).not.toHaveProperty('twoFactorSetup')
    const { browser: bob } = await signUp(kit, 'Bob')
    expect(await status(bob)).toMatchObject({ required: null })
  })

  test('a session from before the rule meets it when it is renewed', async () => {
    const { app, browser, clock, userId } = await withStaff([{ ...staff, graceDays: 14 }])
    await app.db.updateTable('user').set({ role: 'user' }).where('id', '=', userId).execute()
    const ann = browser()
    await signInAs(ann, 'Ann')
    await app.db.updateTable('user').set({ role: 'staff' }).where('id', '=', userId).execute()
    const started = () => app.db.selectFrom('twoFactorDue').select('startedAt').execute()
    await ann.call('GET /get-session', {})
    expect(await started()).toEqual([])
    clock.advance(2 * daySeconds)
    await ann.call('GET /get-session', {})
    expect(await started()).toEqual([{ startedAt: clock.now() }])
  })
})

describe('after grace', () => {
  test('a sign-in is stopped until a second factor is set up, and says where', async () => {
    const { browser, app, userId } = await withStaff([staff])
    const ann = browser()
    const first = await signInAs(ann, 'Ann', { callbackURL: '/dash' })
    expect([first.status, first.body, hasSession(first)]).toEqual([
      403,
      {
        code: 'SECOND_FACTOR_SETUP_REQUIRED',
        message: 'Second factor setup required',
        url: `http://localhost:3000${setupPath}`,
      },
      false,
    ])
    expect(await nameOf(ann)).toBeNull()
    const sessions = await app.db.selectFrom('session').select('id').where('userId', '=', userId).execute()
    expect(sessions).toEqual([])
  })

  test('the mailbox is proven first: nothing else is open until then', async () => {
    const kit = await withStaff([staff], { passkey: true })
    const ann = kit.browser()
    await signInAs(ann, 'Ann')
    expect(await ann.call('GET /two-factor/challenge', {})).toMatchObject({
      body: {
        kind: 'setup',
        email: 'a…@example.com',
        expiresIn: 1800,
        codeTo: 'a…@example.com',
        methods: [{ type: 'passkey' }, { type: 'totp' }],
      },
    })
    const closed = [await enable(ann), await verify(ann, '000000'), await register(ann)]
    expect(closed.map(outcome)).toEqual(Array(3).fill('403 EMAIL_CODE_REQUIRED'))
    const { otp } = await kit.codes.next()
    expect(outcome(await verifyCode(ann, otp === '000000' ? '111111' : '000000'))).toBe('401 INVALID_CODE')
    kit.clock.advance(31)
    await sendCode(ann)
    const { otp: second } = await kit.codes.next()
    expect(outcome(await verifyCode(ann, otp))).toBe('401 INVALID_CODE')
    const proven = await verifyCode(ann, second)
    expect([proven.status, proven.body, hasSession(proven)]).toEqual([200, { status: true }, false])
    expect((await ann.call('GET /two-factor/challenge', {})).body.codeTo).toBeNull()
    expect(await nameOf(ann)).toBeNull()
  })

  test('the first code of an app gives the session that the sign-in wanted', async () => {
    const kit = await withStaff([staff])
    const ann = kit.browser()
    await signInAs(ann, 'Ann', { callbackURL: '/dash', rememberMe: false })
    await verifyCode(ann, (await kit.codes.next()).otp)
    const { code, backupCodes } = await beginApp(ann, kit.app)
    expect(outcome(await verify(ann, '000000'))).toBe('401 INVALID_CODE')
    const done = await verify(ann, code(), { trustDevice: true })
    expect([done.status, done.body.url, done.body.user.name, hasSession(done)]).toEqual([200, '/dash', 'Ann', true])
    expect([ann.cookies.has('latchkey.two_factor'), ann.cookies.has('latchkey.trust_device')]).toEqual([false, false])
    expect(await status(ann)).toMatchObject({
      enabled: true,
      backupCodesLeft: backupCodes.length,
      required: { by: 'role:staff', dueAt: null },
      session: { acr: 'urn:latchkey:acr:2', amr: ['pwd', 'otp', 'mfa'] },
    })
    kit.clock.advance(30)
    expect((await signInAs(kit.browser(), 'Ann')).body.twoFactorRedirect).toBe(true)
  })

  test('a passkey gives the session, and the backup codes', async () => {
    const kit = await withStaff([staff], { passkey: true })
    const ann = kit.browser()
    await proveMailbox(ann, kit.codes)
    const done = await register(ann)
    expect([done.status, hasSession(done), done.body.backupCodes.length]).toEqual([200, true, 10])
    expect(await status(ann)).toMatchObject({ enabled: true, backupCodesLeft: 10, session: { acr: 'phr' } })
    expect((await signInAs(kit.browser(), 'Ann')).body.twoFactorMethods).toEqual(['passkey'])
  })

  test('a code by text message counts only when the rule names it, and is enabled by its first use', async () => {
    const phoneNumber = '+491701234567'
    for (const methods of [['totp'], ['totp', 'sms']] as const) {
      const texts: string[] = []
      const kit = await withStaff([{ ...staff, methods: [...methods] }], {
        twoFactor: { otpOptions: { sendOTP: undefined } },
        sms: { send: ({ code }) => void texts.push(code) },
      })
      const columns = { phoneNumber, phoneNumberVerified: true, createdAt: kit.clock.now() }
      await kit.app.db.updateTable('user').set(columns).where('id', '=', kit.userId).execute()
      const ann = kit.browser()
      await signInAs(ann, 'Ann')
      if (methods.length === 1) {
        expect([outcome(await enable(ann, { method: 'otp' })), outcome(await sendCode(ann))]).toEqual([
          '400 OTP_ISNT_CONFIGURED',
          '400 OTP_NOT_ENABLED',
        ])
        continue
      }
      expect((await enable(ann, { method: 'otp' })).status).toBe(200)
      expect((await sendCode(ann)).status).toBe(200)
      await kit.settled()
      const done = await verifyCode(ann, texts[0] ?? '')
      expect([done.status, hasSession(done), done.body.backupCodes.length]).toEqual([200, true, 10])
      expect(await status(ann)).toMatchObject({
        enabled: true,
        required: { dueAt: null },
        session: { acr: 'urn:latchkey:acr:2' },
      })
    }
  })

  test('a user who has just signed up sets one up without a code', async () => {
    const { browser, app } = await newUsers()
    const bob = browser()
    const first = await bob.call('POST /sign-up/email', { body: { name: 'Bob', email: 'bob@example.com', password } })
    expect([outcome(first), hasSession(first)]).toEqual(['403 SECOND_FACTOR_SETUP_REQUIRED', false])
    const { code } = await beginApp(bob, app)
    expect(hasSession(await verify(bob, code()))).toBe(true)
    expect(await nameOf(bob)).toBe('Bob')
  })

  test('a user whose factors were reset needs the code also when they have just signed up, until they have another one', async () => {
    const kit = await administrate(await withStaff([staff]))
    const columns = { createdAt: kit.clock.now() }
    await kit.app.db.updateTable('user').set(columns).where('id', '=', kit.userId).execute()
    const setUp = async (isProven: boolean) => {
      const ann = kit.browser()
      await signInAs(ann, 'Ann')
      if (isProven) await verifyCode(ann, (await kit.codes.next()).otp)
      expect((await ann.call('GET /two-factor/challenge', {})).body.codeTo).toBeNull()
      const { code } = await beginApp(ann, kit.app)
      expect(hasSession(await verify(ann, code()))).toBe(true)
      kit.clock.advance(60)
    }
    const resetAt = async () => (await kit.app.db.selectFrom('twoFactor').select('resetAt').executeTakeFirstOrThrow()).resetAt
    await setUp(false)
    expect(kit.codes.sent).toEqual([])
    const body = { userId: kit.userId, reason: 'Lost phone' }
    expect((await kit.ada.browser.call('POST /admin/reset-two-factor', { body })).status).toBe(200)
    expect(await resetAt()).not.toBeNull()
    const thief = kit.browser()
    await signInAs(thief, 'Ann')
    expect((await thief.call('GET /two-factor/challenge', {})).body.codeTo).toBe('a…@example.com')
    expect(outcome(await enable(thief))).toBe('403 EMAIL_CODE_REQUIRED')
    await kit.codes.next()
    await setUp(true)
    expect(await resetAt()).toBeNull()
  })

  test('anonymous users are under no rule', async () => {
    const { browser } = await newUsers({ anonymous: true })
    expect(hasSession(await browser().call('POST /sign-in/anonymous', {}))).toBe(true)
  })

  test('a mailbox that the first factor came from is not proven again', async () => {
    const links: string[] = []
    const kit = await withStaff([staff], { magicLink: { sendMagicLink: ({ token }) => void links.push(token) } })
    const ann = kit.browser()
    await ann.call('POST /sign-in/magic-link', { body: { email: 'ann@example.com' } })
    await kit.settled()
    expect(outcome(await ann.call('POST /magic-link/verify', { body: { token: links[0] ?? '' } }))).toBe(
      '403 SECOND_FACTOR_SETUP_REQUIRED',
    )
    expect((await enable(ann)).status).toBe(200)
    expect(kit.codes.sent).toEqual([])
  })
})

describe('a sign-in by a redirect', () => {
  const rule = { everyone: true as const }
  const flow = async (twoFactor: object, config: ConfigFile = {}) => {
    const kit = await socialApp({ mail: { catch: true }, twoFactor: { required: [rule], ...twoFactor }, ...config })
    const browser = kit.browser()
    return { browser, answer: await kit.signIn(browser, 'google', annAtProvider, { body: { callbackURL: '/dash' } }) }
  }

  test('goes on to the page on which a second factor is set up', async () => {
    const { answer, browser } = await flow({})
    expect([target(answer), hasSession(answer)]).toEqual([setupPath, false])
    expect((await browser.call('GET /two-factor/challenge', {})).body.kind).toBe('setup')
  })

  test('goes to the error URL when there is no page', async () => {
    const { answer } = await flow({}, { dashboard: { enabled: false } })
    expect(target(answer)).toBe('/dash?error=second_factor_setup_required')
  })

  test('with a trusted provider satisfies the rule', async () => {
    expect(hasSession((await flow({ trustProviders: ['google'] })).answer)).toBe(true)
  })
})

describe('a user who has a second factor', () => {
  const phoneNumber = '+491701234567'

  test('proves it first, and then sets up the one that the rule demands', async () => {
    const kit = await withStaff([{ ...staff, methods: ['totp'], graceDays: 1 }], { passkey: true })
    const ann = kit.browser()
    const device = createAuthenticator()
    await signInAs(ann, 'Ann')
    await register(ann, device)
    await enable(ann, { method: 'passkey' })
    kit.clock.advance(2 * daySeconds)
    const visitor = kit.browser()
    expect((await signInAs(visitor, 'Ann')).body.twoFactorMethods).toEqual(['passkey'])
    const { body } = await visitor.call('POST /passkey/generate-authenticate-options', {})
    const response = { ...device.get(body) }
    const stopped = await visitor.call('POST /passkey/verify-authentication', { body: { response } })
    expect([outcome(stopped), hasSession(stopped)]).toEqual(['403 SECOND_FACTOR_SETUP_REQUIRED', false])
    // Two factors are proven, so that no code is needed.
    const { code } = await beginApp(visitor, kit.app)
    expect(hasSession(await verify(visitor, code()))).toBe(true)
    expect((await status(visitor)).session).toMatchObject({ acr: 'phr', amr: ['pwd', 'swk', 'user', 'mfa', 'otp'] })
  })

  test('that is a passkey is challenged for it under a rule, although they have never enabled it', async () => {
    const kit = await withStaff([staff], { passkey: true })
    const { app, clock, userId } = kit
    await app.db.updateTable('user').set({ role: 'user' }).where('id', '=', userId).execute()
    const ann = kit.browser()
    await signInAs(ann, 'Ann')
    await register(ann)
    clock.advance(60)
    expect(hasSession(await signInAs(kit.browser(), 'Ann'))).toBe(true)
    await app.db.updateTable('user').set({ role: 'staff' }).where('id', '=', userId).execute()
    const first = await signInAs(kit.browser(), 'Ann')
    expect([first.body.twoFactorMethods, hasSession(first)]).toEqual([['passkey'], false])
  })

  test('that is a passkey is enabled as any factor is: what waited for another one ends', async () => {
    const kit = await withStaff([staff], { passkey: true })
    const { app, clock, userId } = kit
    const role = (role: string) => app.db.updateTable('user').set({ role }).where('id', '=', userId).execute()
    await role('user')
    const ann = kit.browser()
    await signInAs(ann, 'Ann')
    expect((await enable(ann)).status).toBe(200)
    await register(ann)
    await app.db.updateTable('twoFactor').set({ resetAt: clock.now() }).execute()
    clock.advance(60)
    await role('staff')
    const began = kit.browser()
    // As if this sign-in had begun before there was a passkey.
    const passkeys = await app.db.selectFrom('passkey').selectAll().execute()
    await app.db.deleteFrom('passkey').execute()
    await signInAs(began, 'Ann')
    await app.db.insertInto('passkey').values(passkeys).execute()
    expect((await began.call('GET /two-factor/challenge', {})).body.kind).toBe('setup')

    const visitors = [kit.browser(), kit.browser()]
    const answers = await Promise.all(visitors.map((visitor) => signInAs(visitor, 'Ann')))
    expect(answers.map(({ body }) => body.twoFactorMethods)).toEqual([['passkey'], ['passkey']])
    for (const visitor of visitors) expect((await visitor.call('GET /two-factor/challenge', {})).body.kind).toBe('verify')
    expect(outcome(await began.call('GET /two-factor/challenge', {}))).toBe('401 INVALID_TWO_FACTOR_COOKIE')
    const row = await app.db.selectFrom('twoFactor').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ passkeys: true, resetAt: null, pendingSecret: null, createdAt: clock.now() })
    expect(await app.db.selectFrom('backupCode').select('id').execute()).toEqual([])
    const enabled = await app.db
      .selectFrom('auditEvent')
      .select('details')
      .where('action', 'like', 'two-factor.enabled')
      .execute()
    expect(enabled.map(({ details }) => details)).toMatchObject([{ kind: 'passkey' }])
  })

  test('that a rule demands cannot remove it, unless another one satisfies the rule', async () => {
    const kit = await withStaff([{ ...staff, graceDays: 14 }], { passkey: true })
    const ann = kit.browser()
    await signInAs(ann, 'Ann')
    await enrol(kit, ann)
    const columns = { phoneNumber, phoneNumberVerified: true }
    await kit.app.db.updateTable('user').set(columns).where('id', '=', kit.userId).execute()
    await enable(ann, { method: 'otp', channel: 'sms' })
    const disable = (method?: 'totp' | 'otp' | 'passkey') =>
      ann.call('POST /two-factor/disable', { body: { password, ...(method && { method }) } })
    expect([outcome(await disable()), outcome(await disable('totp'))]).toEqual(
      Array(2).fill('403 SECOND_FACTOR_CANNOT_BE_DISABLED'),
    )
    expect(outcome(await disable('otp'))).toBe('200')
    const { body: passkey } = await register(ann)
    expect(outcome(await disable('totp'))).toBe('200')
    const remove = await ann.call('POST /passkey/delete-passkey', { body: { id: passkey.id } })
    expect(outcome(remove)).toBe('403 SECOND_FACTOR_CANNOT_BE_DISABLED')
  })

  test('cannot trust a browser under a rule for their role without grace', async () => {
    for (const [rule, isTrusted] of [
      [{ ...staff, graceDays: 0 }, false],
      [{ ...staff, graceDays: 0, trustedDevices: true }, true],
      [{ ...staff, graceDays: 1 }, true],
      [{ ...staff, graceDays: 1, trustedDevices: false }, false],
    ] as const) {
      const kit = await withStaff([rule])
      await kit.app.db.updateTable('user').set({ role: 'user' }).where('id', '=', kit.userId).execute()
      const ann = kit.browser()
      await signInAs(ann, 'Ann')
      const { code } = await enrol(kit, ann)
      await kit.app.db.updateTable('user').set({ role: 'staff' }).where('id', '=', kit.userId).execute()
      const visitor = kit.browser()
      expect((await signInAs(visitor, 'Ann')).body.challenge.trustDevice).toBe(isTrusted)
      await verify(visitor, code(), { trustDevice: true })
      expect(visitor.cookies.has('latchkey.trust_device')).toBe(isTrusted)
      kit.clock.advance(30)
      expect(hasSession(await signInAs(visitor, 'Ann'))).toBe(isTrusted)
    }
  })
})

test('API keys of a user past grace are disabled by a rule that says so', async () => {
  for (const apiKeys of [true, false]) {
    const kit = await withStaff([{ ...staff, graceDays: 1, apiKeys }], { apiKey: true })
    const ann = kit.browser()
    await signInAs(ann, 'Ann')
    const { key } = (await ann.call('POST /api-key/create', { body: { name: 'build' } })).body
    const use = () => kit.browser().call('GET /get-session', {}, { 'x-api-key': key })
    expect((await use()).status).toBe(200)
    kit.clock.advance(2 * daySeconds)
    expect(outcome(await use())).toBe(apiKeys ? '200' : '401 KEY_DISABLED')
  }
})

test('a set-up ends after half an hour, when it is cancelled, and with the ban of its user', async () => {
  const kit = await withStaff([staff])
  for (const end of [
    async () => kit.clock.advance(1801),
    async (ann: Browser) => ann.call('POST /two-factor/cancel', {}),
    async () => kit.app.db.updateTable('user').set({ banned: true }).where('id', '=', kit.userId).execute(),
  ]) {
    const ann = kit.browser()
    await proveMailbox(ann, kit.codes)
    const { code } = await beginApp(ann, kit.app)
    await end(ann)
    expect(outcome(await verify(ann, code()))).toBe('401 INVALID_TWO_FACTOR_COOKIE')
    kit.clock.advance(3600)
  }
})

test('a set-up permits nothing that belongs to another sign-in', async () => {
  const kit = await withStaff([staff])
  const ann = kit.browser()
  await proveMailbox(ann, kit.codes)
  const { backupCodes } = await beginApp(ann, kit.app)
  const code = backupCodes[0] ?? ''
  const copy = kit.browser()
  for (const [name, value] of ann.cookies) copy.cookies.set(name, value)
  // They belong to an app that is not verified yet.
  expect(outcome(await copy.call('POST /two-factor/verify-backup-code', { body: { code } }))).toBe(
    '401 INVALID_TWO_FACTOR_COOKIE',
  )
  const { browser: bob } = await signUp(kit, 'Bob')
  for (const [name, value] of ann.cookies) if (name.endsWith('two_factor')) bob.cookies.set(name, value)
  expect(outcome(await enable(bob, { password: 'wrong' }))).toBe('400 INVALID_PASSWORD')
})

test('a rule costs users under none, and installations without one, no query', async () => {
  const count = async (required: Rules) => {
    const kit = await testApp({ admin: true, mail: { catch: true }, twoFactor: { required } })
    await signUp(kit, 'Bob')
    const recorder = recordStatements(kit)
    const { statements } = await recorder.record(() => signInAs(kit.browser(), 'Bob'))
    // The device is remembered after the response, at any time.
    return statements.filter((statement) => !statement.includes('knowndevice') && statement !== 'start')
  }
  const without = await count([])
  expect(without.length).toBeGreaterThan(0)
  expect(await count([staff])).toEqual(without)
})
