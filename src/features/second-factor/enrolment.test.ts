/** Setting up, showing and removing second factors (contract 11 §4). */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { type Answer, type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { outcome, password, signUp } from '../../../tests/kit/members.ts'
import { authenticator, enable, enrol, hasSession, signInAs, verify, withAnn } from '../../../tests/kit/second-factor.ts'
import type { ConfigFile } from '../index.ts'

type TwoFactor = Exclude<NonNullable<ConfigFile['twoFactor']>, boolean>
const otp: TwoFactor = { enabled: true, otpOptions: { channels: ['sms', 'email'] } }
const phoneNumber = '+491701234567'

/** A signed-in user without a second factor, and what is sent. */
async function open(config: ConfigFile = {}) {
  const texts = captureMails<{ code: string; text: string }>()
  const kit = await testApp({ twoFactor: otp, phoneNumber: true, sms: { send: texts.send }, mail: { catch: true }, ...config })
  const { browser: ann, userId } = await signUp(kit, 'Ann')
  const set = (columns: object) => kit.app.db.updateTable('user').set(columns).where('id', '=', userId).execute()
  const verifyAll = () => set({ emailVerified: true, phoneNumber, phoneNumberVerified: true })
  return { ...kit, ann, userId, texts, set, verifyAll }
}

const useBackup = (browser: Browser, code: string) => browser.call('POST /two-factor/verify-backup-code', { body: { code } })
const uri = (browser: Browser, more: object = {}) =>
  browser.call('POST /two-factor/get-totp-uri', { body: { password, ...more } })
const disable = (browser: Browser, more: object = {}) => browser.call('POST /two-factor/disable', { body: { password, ...more } })
const status = async (browser: Browser) => (await browser.call('GET /two-factor/status', {})).body
const types = async (browser: Browser): Promise<string[]> =>
  (await status(browser)).methods.map(({ type }: { type: string }) => type)
const challengeOf = async (browser: Browser) => (await signInAs(browser, 'Ann')).body

describe('enable', () => {
  test('sets up an app that demands nothing until its first code', async () => {
    const { browser, ann } = await open()
    const started = await enable(ann)
    expect([started.status, Object.keys(started.body).sort()]).toEqual([200, ['backupCodes', 'method', 'totpURI']])
    expect(started.body.totpURI).toMatch(
      /^otpauth:\/\/totp\/Latchkey:ann%40example\.com\?secret=[A-Z2-7]{52}&issuer=Latchkey&digits=6&period=30$/,
    )
    expect(started.body.backupCodes).toHaveLength(10)
    for (const code of started.body.backupCodes) expect(code).toMatch(/^[a-zA-Z0-9]{5}-[a-zA-Z0-9]{5}$/)
    expect(hasSession(started)).toBe(false)
    expect((await signInAs(browser(), 'Ann')).body.twoFactorRedirect).toBeUndefined()
    expect(await status(ann)).toMatchObject({ enabled: false, methods: [], backupCodesLeft: 0 })
    expect(outcome(await useBackup(ann, started.body.backupCodes[0]))).toBe('400 BACKUP_CODES_ARENT_ENABLED')
  })

  test('keeps the app that works, and its backup codes, until the new one is verified', async () => {
    const { browser, ann, code, backupCodes, app, clock } = await withAnn()
    const second = await enable(ann)
    const newCode = authenticator(second.body.totpURI, app)
    const visitor = browser()
    await signInAs(visitor, 'Ann')
    expect(outcome(await verify(visitor, newCode()))).toBe('401 INVALID_CODE')
    expect(outcome(await useBackup(visitor, second.body.backupCodes[0]))).toBe('401 INVALID_BACKUP_CODE')
    expect(outcome(await verify(visitor, code()))).toBe('200')
    expect(outcome(await verify(ann, newCode()))).toBe('200')
    clock.advance(30)
    const [swapped, other] = [browser(), browser()]
    await signInAs(swapped, 'Ann')
    expect(outcome(await verify(swapped, code()))).toBe('401 INVALID_CODE')
    expect(outcome(await useBackup(swapped, backupCodes[0] ?? ''))).toBe('401 INVALID_BACKUP_CODE')
    expect(outcome(await verify(swapped, newCode()))).toBe('200')
    await signInAs(other, 'Ann')
    expect(outcome(await useBackup(other, second.body.backupCodes[0]))).toBe('200')
  })

  test('is over after an hour', async () => {
    const { ann, app, clock } = await open()
    const code = authenticator((await enable(ann)).body.totpURI, app)
    clock.advance(3600)
    expect(outcome(await verify(ann, code()))).toBe('400 TOTP_NOT_ENABLED')
    expect(outcome(await uri(ann))).toBe('400 TOTP_NOT_ENABLED')
  })

  test('takes another secret each time, of which only the last one can be verified', async () => {
    const { ann, app } = await open()
    const [one, two] = [await enable(ann), await enable(ann)]
    expect(one.body.totpURI).not.toBe(two.body.totpURI)
    expect(outcome(await verify(ann, authenticator(one.body.totpURI, app)()))).toBe('401 INVALID_CODE')
    expect(outcome(await verify(ann, authenticator(two.body.totpURI, app)()))).toBe('200')
  })

  test('with skipVerificationOnEnable enables the app, and replaces the session', async () => {
    const { browser, ann, app } = await open({ twoFactor: { enabled: true, skipVerificationOnEnable: true } })
    const before = ann.cookies.get('latchkey.session_token')
    const started = await enable(ann)
    expect([started.status, hasSession(started)]).toEqual([200, true])
    expect(ann.cookies.get('latchkey.session_token')).not.toBe(before)
    const visitor = browser()
    expect((await signInAs(visitor, 'Ann')).body.twoFactorMethods).toEqual(['totp'])
    expect(outcome(await verify(visitor, authenticator(started.body.totpURI, app)()))).toBe('200')
  })

  test('rejects in the order of the contract', async () => {
    const { browser, ann, verifyAll, set } = await open({
      twoFactor: { enabled: true, totpOptions: { disable: true }, otpOptions: { channels: ['sms'] } },
    })
    expect(outcome(await enable(browser()))).toBe('401 UNAUTHORIZED')
    expect(outcome(await enable(ann, { method: 'carrier-pigeon', password: 'wrong' }))).toBe('400 VALIDATION_ERROR')
    expect(outcome(await enable(ann, { password: 'wrong wrong wrong' }))).toBe('400 INVALID_PASSWORD')
    expect(outcome(await enable(ann, { password: undefined }))).toBe('400 INVALID_PASSWORD')
    expect(await enable(ann)).toMatchObject({
      status: 400,
      body: { code: 'TOTP_ISNT_CONFIGURED', message: "totp isn't configured" },
    })
    expect(outcome(await enable(ann, { method: 'otp', channel: 'email' }))).toBe('400 OTP_ISNT_CONFIGURED')
    expect(outcome(await enable(ann, { method: 'otp' }))).toBe('401 PHONE_NUMBER_NOT_VERIFIED')
    await set({ phoneNumber, phoneNumberVerified: false })
    expect(outcome(await enable(ann, { method: 'otp' }))).toBe('401 PHONE_NUMBER_NOT_VERIFIED')
    await verifyAll()
    expect(outcome(await enable(ann, { method: 'otp' }))).toBe('200')
  })

  test('without a way to send codes is not possible for codes', async () => {
    const { ann } = await open({ phoneNumber: { enabled: false }, twoFactor: true })
    expect(outcome(await enable(ann, { method: 'otp' }))).toBe('400 OTP_ISNT_CONFIGURED')
    expect(outcome(await ann.call('POST /two-factor/send-otp', {}))).toBe('400 OTP_ISNT_CONFIGURED')
    expect(outcome(await ann.call('POST /two-factor/verify-otp', { body: { code: '1' } }))).toBe('400 OTP_ISNT_CONFIGURED')
  })

  test('is open to a user without a password after a recent sign-in, unless allowPasswordless is off', async () => {
    for (const allowPasswordless of [true, false]) {
      const { ann, app, clock, userId } = await open({ twoFactor: { enabled: true, allowPasswordless } })
      await app.db.updateTable('account').set({ password: null }).where('userId', '=', userId).execute()
      expect(outcome(await enable(ann, { password: undefined }))).toBe(allowPasswordless ? '200' : '400 INVALID_PASSWORD')
      clock.advance(901)
      expect(outcome(await enable(ann, { password: undefined }))).toBe(
        allowPasswordless ? '403 SESSION_IS_NOT_FRESH' : '400 INVALID_PASSWORD',
      )
    }
  })

  test('does not make the sign-in of a user without a password more recent', async () => {
    const { ann, app, clock, userId, verifyAll } = await open()
    await verifyAll()
    await app.db.updateTable('account').set({ password: null }).where('userId', '=', userId).execute()
    const before = (await status(ann)).session.authenticatedAt
    clock.advance(600)
    expect(outcome(await enable(ann, { password: undefined, method: 'otp', channel: 'sms' }))).toBe('200')
    expect((await status(ann)).session.authenticatedAt).toBe(before)
  })
})

describe('the first code', () => {
  test('replaces the session: the old token is dead, and the answer has the new one', async () => {
    const { browser, ann, app } = await open()
    const code = authenticator((await enable(ann)).body.totpURI, app)
    const copy = browser()
    for (const [name, value] of ann.cookies) copy.cookies.set(name, value)
    const done = await verify(ann, code())
    expect([done.status, hasSession(done), await nameOf(ann), await nameOf(copy)]).toEqual([200, true, 'Ann', null])
    expect(ann.cookies.get('latchkey.session_token')).toContain(done.body.token)
    expect(await status(ann)).toMatchObject({
      enabled: true,
      backupCodesLeft: 10,
      session: { acr: 'urn:latchkey:acr:2', amr: ['pwd', 'otp', 'mfa'] },
    })
    expect(outcome(await verify(ann, code()))).toBe('401 INVALID_CODE')
  })

  test('keeps the IP address and the device of the session', async () => {
    const { ann, app } = await open()
    const read = () => app.db.selectFrom('session').select(['ipAddress', 'userAgent']).execute()
    await app.db.updateTable('session').set({ ipAddress: '192.0.2.7', userAgent: 'Browser of the sign-in' }).execute()
    const before = await read()
    const code = authenticator((await enable(ann)).body.totpURI, app)
    await verify(ann, code())
    expect(await read()).toEqual(before)
    await ann.call('POST /two-factor/disable', { body: { password } })
    expect(await read()).toEqual(before)
  })

  test('leaves other sessions, or revokes them', async () => {
    for (const revokeOtherSessions of [false, true]) {
      const { browser, ann, app } = await open()
      const other = browser()
      await signInAs(other, 'Ann')
      const code = authenticator((await enable(ann)).body.totpURI, app)
      await verify(ann, code(), { revokeOtherSessions })
      expect([await nameOf(ann), await nameOf(other)]).toEqual(['Ann', revokeOtherSessions ? null : 'Ann'])
    }
  })

  test('notes on which device a factor was added; an app that replaces another keeps that of the first', async () => {
    const { ann, verifyAll, app } = await open()
    await verifyAll()
    const on = (system: string) => ({ 'user-agent': `Mozilla/5.0 (${system}; rv:140.0) Gecko/20100101 Firefox/140.0` })
    const setUp = async (system: string) => {
      const { body } = await ann.call('POST /two-factor/enable', { body: { password } })
      const code = authenticator(body.totpURI, app)()
      expect((await ann.call('POST /two-factor/verify-totp', { body: { code } }, on(system))).status).toBe(200)
    }
    const devices = async () => (await status(ann)).methods.map(({ addedWith }: { addedWith: string | null }) => addedWith)
    await setUp('X11; Linux x86_64')
    await setUp('Windows NT 10.0; Win64; x64')
    const otpBody = { password, method: 'otp', channel: 'sms' } as const
    await ann.call('POST /two-factor/enable', { body: otpBody }, on('Macintosh; Intel Mac OS X 10.15'))
    expect(await devices()).toEqual(['Firefox 140 on Linux', 'Firefox 140 on macOS'])
    await disable(ann, { method: 'totp' })
    await setUp('Windows NT 10.0; Win64; x64')
    expect(await devices()).toEqual(['Firefox 140 on Windows', 'Firefox 140 on macOS'])
  })

  test('of codes that are sent leaves other sessions too, or revokes them, as the user asked for', async () => {
    for (const revokeOtherSessions of [undefined, false, true]) {
      const { browser, ann, verifyAll, app } = await open()
      await verifyAll()
      const other = browser()
      await signInAs(other, 'Ann')
      expect((await enable(ann, { method: 'otp', channel: 'sms', revokeOtherSessions })).status).toBe(200)
      expect([await nameOf(ann), await nameOf(other)]).toEqual(['Ann', revokeOtherSessions ? null : 'Ann'])
      const events = await app.db.selectFrom('auditEvent').select('details').where('action', '=', 'sessions.revoked').execute()
      expect(events).toEqual(revokeOtherSessions ? [{ details: { count: 2 } }] : [])
    }
  })

  test('keeps what the session remembers: it ends with the browser if it did before', async () => {
    const { browser, app } = await open()
    const ann = browser()
    await signInAs(ann, 'Ann', { rememberMe: false })
    const done = await verify(ann, authenticator((await enable(ann)).body.totpURI, app)())
    expect(done.setCookie.join()).not.toMatch(/session_token=[^,;]+;[^,]*Max-Age/)
  })

  test('is required of the current session only: a stranger cannot verify it with a challenge', async () => {
    const { browser, ann, app, userId } = await open()
    const { body } = await enable(ann)
    await app.db.updateTable('user').set({ twoFactorEnabled: true }).where('id', '=', userId).execute()
    const visitor = browser()
    await signInAs(visitor, 'Ann')
    expect(outcome(await verify(visitor, authenticator(body.totpURI, app)()))).toBe('400 TOTP_NOT_ENABLED')
  })
})

describe('codes that are sent', () => {
  test('are enabled with the password, with backup codes if there are none', async () => {
    const { browser, ann, verifyAll } = await open()
    await verifyAll()
    const started = await enable(ann, { method: 'otp', channel: 'sms' })
    expect([started.status, started.body.method, started.body.backupCodes.length, hasSession(started)]).toEqual([
      200,
      'otp',
      10,
      true,
    ])
    expect(started.body.totpURI).toBeUndefined()
    const again = await enable(ann, { method: 'otp', channel: 'email' })
    expect(outcome(again)).toBe('403 SESSION_IS_NOT_FRESH')
    const visitor = browser()
    expect((await challengeOf(visitor)).challenge.methods).toEqual([
      { type: 'otp', channel: 'sms', to: '•••• ••67' },
      { type: 'backup-code', left: 10 },
    ])
  })

  test('by a second channel keep the first one and the backup codes', async () => {
    const { browser, ann, verifyAll, texts } = await open()
    await verifyAll()
    const { body } = await enable(ann, { method: 'otp', channel: 'sms' })
    await ann.call('POST /two-factor/send-otp', {})
    await ann.call('POST /two-factor/verify-otp', { body: { code: (await texts.next()).code } })
    const second = await enable(ann, { method: 'otp', channel: 'email' })
    expect([second.status, second.body.backupCodes]).toEqual([200, []])
    const visitor = browser()
    expect((await challengeOf(visitor)).challenge.methods.map(({ channel }: { channel?: string }) => channel)).toEqual([
      'sms',
      'email',
      undefined,
    ])
    expect(outcome(await useBackup(visitor, body.backupCodes[0]))).toBe('200')
  })

  test('do not activate the backup codes of an app that is not verified', async () => {
    const kit = await open()
    await kit.verifyAll()
    const { backupCodes } = await enrol(kit, kit.ann)
    await enable(kit.ann)
    expect(outcome(await enable(kit.ann, { method: 'otp', channel: 'sms' }))).toBe('200')
    const visitor = kit.browser()
    await signInAs(visitor, 'Ann')
    expect(outcome(await useBackup(visitor, backupCodes[0] ?? ''))).toBe('200')
  })

  test('enable the method when the first one is verified after enable, as clients of the reference do', async () => {
    const { browser, ann, verifyAll, texts, app } = await open({ twoFactor: true })
    await verifyAll()
    const { body } = await enable(ann)
    expect(outcome(await ann.call('POST /two-factor/send-otp', {}))).toBe('200')
    const done = await ann.call('POST /two-factor/verify-otp', { body: { code: (await texts.next()).code } })
    expect([done.status, hasSession(done)]).toEqual([200, true])
    expect(await types(ann)).toEqual(['otp'])
    const visitor = browser()
    expect((await challengeOf(visitor)).twoFactorMethods).toEqual(['otp'])
    expect(outcome(await useBackup(visitor, body.backupCodes[0]))).toBe('200')
    // The secret stays pending.
    expect(outcome(await verify(ann, authenticator(body.totpURI, app)()))).toBe('200')
    expect((await types(ann)).toSorted()).toEqual(['otp', 'totp'])
  })
})

describe('the URI of the app', () => {
  test('has the pending secret, with its issuer, else the active one', async () => {
    const { ann, clock } = await withAnn()
    const active = await uri(ann)
    expect(active.body.totpURI).toContain('totp/Acme:ann%40example.com')
    const second = await enable(ann, { issuer: 'My Issuer & Co' })
    expect(second.body.totpURI).toMatch(
      /^otpauth:\/\/totp\/My%20Issuer%20%26%20Co:ann%40example\.com\?.*issuer=My\+Issuer\+%26\+Co&/,
    )
    expect((await uri(ann)).body).toEqual({ totpURI: second.body.totpURI })
    clock.advance(880)
    expect(outcome(await uri(ann))).toBe('403 SESSION_IS_NOT_FRESH')
  })

  test('keeps the issuer of enable when the app is verified', async () => {
    const { ann, app } = await open()
    const { body } = await enable(ann, { issuer: 'Beta' })
    await verify(ann, authenticator(body.totpURI, app)())
    expect((await uri(ann)).body).toEqual({ totpURI: body.totpURI })
  })

  test('of an active secret is not shown without allowReveal', async () => {
    const { ann, app } = await open({ twoFactor: { enabled: true, totpOptions: { allowReveal: false } } })
    const { body } = await enable(ann)
    expect((await uri(ann)).body).toEqual({ totpURI: body.totpURI })
    await verify(ann, authenticator(body.totpURI, app)())
    expect(outcome(await uri(ann))).toBe('400 TOTP_NOT_ENABLED')
  })

  test('rejects in the order of the contract', async () => {
    const { ann } = await open()
    expect(outcome(await uri(ann, { password: 'wrong wrong wrong' }))).toBe('400 TOTP_NOT_ENABLED')
    await enable(ann)
    expect(outcome(await uri(ann, { password: 'wrong wrong wrong' }))).toBe('400 INVALID_PASSWORD')
    expect(outcome(await uri(ann, { password: undefined }))).toBe('400 INVALID_PASSWORD')
    const { ann: other } = await open({
      twoFactor: { enabled: true, totpOptions: { disable: true }, otpOptions: { channels: ['sms'] } },
    })
    expect(outcome(await uri(other))).toBe('400 TOTP_ISNT_CONFIGURED')
    expect(outcome(await verify(other, '123456'))).toBe('400 TOTP_ISNT_CONFIGURED')
  })
})

describe('new backup codes', () => {
  const generate = (browser: Browser, more: object = {}): Promise<Answer> =>
    browser.call('POST /two-factor/generate-backup-codes', { body: { password, ...more } })

  test('end the former ones, and are shown once', async () => {
    const { browser, ann, backupCodes } = await withAnn()
    const made = await generate(ann)
    expect([made.status, made.body.status, made.body.backupCodes.length]).toEqual([200, true, 10])
    const visitor = browser()
    await signInAs(visitor, 'Ann')
    expect(outcome(await useBackup(visitor, backupCodes[0] ?? ''))).toBe('401 INVALID_BACKUP_CODE')
    expect(outcome(await useBackup(visitor, made.body.backupCodes[0]))).toBe('200')
  })

  test('need a second factor, the password, and a recent proof', async () => {
    const { ann: without } = await open()
    expect(outcome(await generate(without, { password: 'wrong wrong wrong' }))).toBe('400 TWO_FACTOR_ISNT_ENABLED')
    const { ann, code, clock } = await withAnn()
    expect(outcome(await generate(ann, { password: 'wrong wrong wrong' }))).toBe('400 INVALID_PASSWORD')
    clock.advance(900)
    const refused = await generate(ann)
    expect(refused.body).toMatchObject({
      code: 'SESSION_IS_NOT_FRESH',
      details: { acr: 'urn:latchkey:acr:2', maxAge: 900, methods: [{ type: 'totp' }, { type: 'backup-code', left: 10 }] },
    })
    const before = ann.cookies.get('latchkey.session_token')
    const stronger = await verify(ann, code())
    expect([outcome(stronger), ann.cookies.get('latchkey.session_token') === before]).toEqual(['200', false])
    expect(outcome(await generate(ann))).toBe('200')
  })

  test('come from the configured function, which is checked', async () => {
    const made = { codes: ['first code 1', 'second-code-2'] }
    const backupCodeOptions = { customBackupCodesGenerate: () => made.codes }
    const { ann, browser } = await withAnn({ twoFactor: { enabled: true, backupCodeOptions } })
    expect((await generate(ann)).body.backupCodes).toEqual(made.codes)
    const visitor = browser()
    await signInAs(visitor, 'Ann')
    expect(outcome(await useBackup(visitor, 'secondcode2'))).toBe('200')
    made.codes = ['short']
    expect((await generate(ann)).status).toBe(500)
  })
})

describe('disable', () => {
  test('removes everything with the last factor, and replaces the session', async () => {
    const { browser, ann, app, code, backupCodes } = await withAnn()
    const trusting = browser()
    await signInAs(trusting, 'Ann')
    await verify(trusting, code(), { trustDevice: true })
    const pending = browser()
    await signInAs(pending, 'Ann')
    const before = ann.cookies.get('latchkey.session_token')
    const done = await disable(ann)
    expect([done.status, done.body, hasSession(done)]).toEqual([200, { status: true }, true])
    expect(ann.cookies.get('latchkey.session_token')).not.toBe(before)
    expect(await status(ann)).toMatchObject({ enabled: false, methods: [], backupCodesLeft: 0, trustedDevices: 0 })
    expect((await signInAs(browser(), 'Ann')).body.twoFactorRedirect).toBeUndefined()
    expect(outcome(await useBackup(pending, backupCodes[0] ?? ''))).toBe('401 INVALID_TWO_FACTOR_COOKIE')
    for (const table of ['backupCode', 'trustedDevice', 'signInChallenge'] as const)
      expect(await app.db.selectFrom(table).selectAll().execute()).toEqual([])
    const { body } = await ann.call('GET /get-session', {})
    expect(body.user.twoFactorEnabled).toBe(false)
  })

  test('of one method leaves the other one and the backup codes', async () => {
    const kit = await open({ twoFactor: { ...otp, newFactorProbationHours: 0 } })
    await kit.verifyAll()
    const { code } = await enrol(kit, kit.ann)
    await enable(kit.ann, { method: 'otp', channel: 'sms' })
    expect((await types(kit.ann)).toSorted()).toEqual(['otp', 'totp'])
    expect(outcome(await disable(kit.ann, { method: 'otp' }))).toBe('200')
    expect(await status(kit.ann)).toMatchObject({ enabled: true, methods: [{ type: 'totp' }], backupCodesLeft: 10 })
    const visitor = kit.browser()
    expect((await challengeOf(visitor)).twoFactorMethods).toEqual(['totp'])
    expect(outcome(await verify(visitor, code()))).toBe('200')
  })

  test('of a method that the user does not have changes nothing and sends nothing', async () => {
    const { ann, app } = await withAnn({ mail: { catch: true } })
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    expect(outcome(await disable(ann, { method: 'otp' }))).toBe('200')
    expect(await status(ann)).toMatchObject({ enabled: true, methods: [{ type: 'totp' }] })
    const events = await app.db.selectFrom('auditEvent').select('action').execute()
    expect(events.map(({ action }) => action)).not.toContain('two-factor.method-removed')
    const mails = await app.db.selectFrom('outbox').select('kind').execute()
    expect(mails.map(({ kind }) => kind)).not.toContain('two-factor-disabled')
  })

  test('needs the password and a recent proof', async () => {
    const { ann, clock } = await withAnn()
    expect(outcome(await disable(ann, { password: 'wrong wrong wrong' }))).toBe('400 INVALID_PASSWORD')
    clock.advance(900)
    expect(outcome(await disable(ann))).toBe('403 SESSION_IS_NOT_FRESH')
  })

  test('by a factor on probation removes no other one', async () => {
    const kit = await open()
    await kit.verifyAll()
    const { code } = await enrol(kit, kit.ann)
    expect(await kit.texts.next()).toMatchObject({ kind: 'two-factor-enabled' })
    kit.clock.advance(86_400 * 2)
    const thief = kit.browser()
    await signInAs(thief, 'Ann')
    await verify(thief, code())
    await enable(thief, { method: 'otp', channel: 'sms' })
    kit.clock.advance(901)
    await thief.call('POST /two-factor/send-otp', {})
    expect(outcome(await thief.call('POST /two-factor/verify-otp', { body: { code: (await kit.texts.next()).code } }))).toBe(
      '200',
    )
    const refused = await disable(thief, { method: 'totp' })
    expect([outcome(refused), typeof refused.body.details.availableAt]).toEqual(['403 SESSION_IS_NOT_FRESH', 'string'])
    kit.clock.advance(30)
    await verify(thief, code())
    expect(outcome(await disable(thief, { method: 'otp' }))).toBe('200')
  })
})
