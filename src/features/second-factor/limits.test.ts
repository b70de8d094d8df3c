/** Codes that are sent, limits of attempts, and what users are notified of (contract 11 §5, §6, §14). */
import { describe, expect, test } from 'vitest'
import { type Authenticator, createAuthenticator } from '../../../tests/kit/authenticator.ts'
import type { Answer, Browser } from '../../../tests/kit/browser.ts'
import { captureCodes } from '../../../tests/kit/mails.ts'
import { outcome, password } from '../../../tests/kit/members.ts'
import { authenticator, enable, signInAs, verify, withAnn } from '../../../tests/kit/second-factor.ts'
import type { ConfigFile } from '../index.ts'
import { jobs } from './index.ts'

const phoneNumber = '+491701234567'
const never = new AbortController().signal
const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' }

const useBackup = (browser: Browser, code: string, more: object = {}) =>
  browser.call('POST /two-factor/verify-backup-code', { body: { code, ...more } })
const send = (browser: Browser, more: object = {}) => browser.call('POST /two-factor/send-otp', { body: more })
const verifySent = (browser: Browser, code: string) => browser.call('POST /two-factor/verify-otp', { body: { code } })
const repeat = async (times: number, call: () => Promise<Answer>): Promise<string[]> => {
  const outcomes: string[] = []
  for (let time = 0; time < times; time += 1) outcomes.push(outcome(await call()))
  return outcomes
}

async function registerPasskey(browser: Browser): Promise<Authenticator> {
  const device = createAuthenticator()
  const { body } = await browser.call('GET /passkey/generate-register-options', { query: {} })
  const added = await browser.call('POST /passkey/verify-registration', { body: { response: { ...device.create(body) } } })
  expect(added.status).toBe(200)
  return device
}

async function usePasskey(browser: Browser, device: Authenticator, wishes: object = {}): Promise<Answer> {
  const { body } = await browser.call('POST /passkey/generate-authenticate-options', {})
  return browser.call('POST /passkey/verify-authentication', { body: { response: { ...device.get(body, wishes) } } })
}

/** Ann with an app and codes by text message, verified, on no probation. */
async function open(config: ConfigFile = {}) {
  const texts = captureCodes<{ code: string; text: string }>()
  const kit = await withAnn({ phoneNumber: true, sms: { send: texts.send }, mail: { catch: true }, apiKey: true, ...config })
  const columns = { emailVerified: true, phoneNumber, phoneNumberVerified: true }
  await kit.app.db.updateTable('user').set(columns).where('id', '=', kit.userId).execute()
  await enable(kit.ann, { method: 'otp', channel: 'sms' })
  const challenge = async () => {
    const browser = kit.browser()
    expect((await signInAs(browser, 'Ann')).body.twoFactorRedirect).toBe(true)
    return browser
  }
  const mails = async (kind: string) => {
    await kit.settled()
    // Text messages of the same kinds expire.
    const mails = kit.app.db.selectFrom('outbox').select('kind').where('kind', '=', kind).where('expiresAt', 'is', null)
    return (await mails.execute()).length
  }
  const row = () => kit.app.db.selectFrom('twoFactor').selectAll().where('userId', '=', kit.userId).executeTakeFirstOrThrow()
  const set = (columns: object) => kit.app.db.updateTable('twoFactor').set(columns).where('userId', '=', kit.userId).execute()
  const actions = async () => (await kit.app.db.selectFrom('auditEvent').select('action').execute()).map(({ action }) => action)
  return { ...kit, texts, challenge, mails, row, set, actions }
}

describe('a code by text message', () => {
  test('is bound to the origin, works once, and expires', async () => {
    const { challenge, texts, clock } = await open()
    const visitor = await challenge()
    expect(await send(visitor)).toMatchObject({ status: 200, body: { status: true } })
    const { code, text } = await texts.next()
    expect(code).toMatch(/^\d{6}$/)
    expect(text.split('\n').at(-1)).toBe(`@localhost #${code}`)
    expect(outcome(await verifySent(visitor, code))).toBe('200')
    const other = await challenge()
    expect(outcome(await verifySent(other, code))).toBe('400 OTP_HAS_EXPIRED')
    clock.advance(30)
    await send(other)
    const second = await texts.next()
    clock.advance(599)
    const late = await challenge()
    expect(outcome(await verifySent(late, second.code))).toBe('400 OTP_HAS_EXPIRED')
    clock.advance(1)
    expect(outcome(await verifySent(other, second.code))).toBe('401 INVALID_TWO_FACTOR_COOKIE')
  })

  test('ends after five wrong guesses, and is replaced by a new one', async () => {
    const { challenge, texts, clock } = await open()
    const visitor = await challenge()
    await send(visitor)
    const first = await texts.next()
    expect(await repeat(5, () => verifySent(visitor, '000000'))).toEqual(Array(5).fill('401 INVALID_CODE'))
    const sixth = await verifySent(visitor, first.code)
    expect(sixth.body).toEqual({
      code: 'TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE',
      message: 'Too many attempts. Please request a new code.',
    })
    expect(outcome(await verifySent(visitor, first.code))).toBe('400 OTP_HAS_EXPIRED')
    clock.advance(60)
    await send(visitor)
    const second = await texts.next()
    clock.advance(60)
    await send(visitor)
    const third = await texts.next()
    expect(outcome(await verifySent(visitor, second.code))).toBe('401 INVALID_CODE')
    expect(outcome(await verifySent(visitor, third.code))).toBe('200')
  })

  test('is sent once per interval, and five times an hour; more calls look the same', async () => {
    const { challenge, texts, clock } = await open({ smsLimit: { enabled: false } })
    const visitor = await challenge()
    expect(await repeat(3, () => send(visitor))).toEqual(['200', '200', '200'])
    await texts.next()
    for (let more = 0; more < 6; more += 1) {
      clock.advance(61)
      expect(outcome(await send(visitor))).toBe('200')
    }
    await expect.poll(() => texts.sent.length).toBe(5)
  })

  test('is not offered to a sign-in by the same phone', async () => {
    const { browser, texts } = await open()
    const visitor = browser()
    await visitor.call('POST /phone-number/send-otp', { body: { phoneNumber } })
    const { code } = await texts.next()
    const first = await visitor.call('POST /phone-number/verify', { body: { phoneNumber, code } })
    expect(first.body).toMatchObject({ twoFactorRedirect: true, twoFactorMethods: ['totp'] })
    expect(outcome(await send(visitor))).toBe('400 OTP_NOT_ENABLED')
    expect(outcome(await verifySent(visitor, '000000'))).toBe('400 OTP_NOT_ENABLED')
  })

  test('is not accepted as a number', async () => {
    const { ann } = await open()
    for (const key of ['verify-totp', 'verify-otp', 'verify-backup-code'])
      expect(
        outcome(await ann.call(`POST /two-factor/${key}` as 'POST /two-factor/verify-otp', { body: { code: 123456 as never } })),
      ).toBe('400 VALIDATION_ERROR')
    expect(outcome(await verify(ann, '1'.repeat(65)))).toBe('400 VALIDATION_ERROR')
  })
})

describe('one challenge', () => {
  test('ends after five wrong codes of the app', async () => {
    const { challenge, code } = await open()
    const visitor = await challenge()
    const value = visitor.cookies.get('latchkey.two_factor') ?? ''
    expect(await repeat(5, () => verify(visitor, '000000'))).toEqual(Array(5).fill('401 INVALID_CODE'))
    const sixth = await verify(visitor, code())
    expect([outcome(sixth), visitor.cookies.has('latchkey.two_factor')]).toEqual([
      '400 TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE',
      false,
    ])
    visitor.cookies.set('latchkey.two_factor', value)
    expect(outcome(await verify(visitor, code()))).toBe('401 INVALID_TWO_FACTOR_COOKIE')
  })

  test('counts wrong backup codes together with those of the app', async () => {
    const { challenge, code } = await open()
    const visitor = await challenge()
    await repeat(3, () => verify(visitor, '000000'))
    expect(await repeat(2, () => useBackup(visitor, 'aaaaa-aaaaa'))).toEqual(Array(2).fill('401 INVALID_BACKUP_CODE'))
    expect(outcome(await verify(visitor, code()))).toBe('400 TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE')
  })

  test('of a thief does not end that of the owner: the oldest of one network ends', async () => {
    const { challenge, code, clock } = await open()
    const later = () => {
      clock.advance(1)
      return challenge()
    }
    const [first, second] = [await later(), await later()]
    for (let more = 0; more < 4; more += 1) await later()
    expect(outcome(await verify(first, code()))).toBe('401 INVALID_TWO_FACTOR_COOKIE')
    expect(outcome(await verify(second, code()))).toBe('200')
  })
})

describe('one account', () => {
  const locked = '429 ACCOUNT_TEMPORARILY_LOCKED'

  async function fail(challenge: () => Promise<Browser>, times: number): Promise<void> {
    for (let done = 0; done < times; done += 5) {
      const visitor = await challenge()
      await repeat(Math.min(5, times - done), () => verify(visitor, '000000'))
    }
  }

  test('is delayed after ten wrong codes, whatever the challenge, and longer each time', async () => {
    const { challenge, code, clock, ann, actions } = await open()
    await fail(challenge, 10)
    const visitor = await challenge()
    const refused = await verify(visitor, code())
    expect([outcome(refused), refused.headers.get('retry-after'), refused.headers.get('x-retry-after')]).toEqual([
      locked,
      '30',
      '30',
    ])
    expect(refused.body.message).toBe(
      'Too many failed verification attempts. Your account is temporarily locked. Please try again later.',
    )
    // Also with a session, and for codes that are sent.
    expect(outcome(await verify(ann, code()))).toBe(locked)
    expect(outcome(await verifySent(visitor, '000000'))).toBe(locked)
    expect(await actions()).toContain('two-factor.locked')
    clock.advance(30)
    expect(outcome(await verify(visitor, '000000'))).toBe('401 INVALID_CODE')
    expect((await verify(visitor, code())).headers.get('retry-after')).toBe('60')
    clock.advance(60)
    expect(outcome(await verify(visitor, code()))).toBe('200')
  })

  test('starts again after a success', async () => {
    const { challenge, code, row } = await open()
    await fail(challenge, 9)
    expect((await row()).failures).toBe(9)
    expect(outcome(await verify(await challenge(), code()))).toBe('200')
    expect(await row()).toMatchObject({ failures: 0, blockedUntil: 0 })
    await fail(challenge, 9)
    expect(outcome(await verify(await challenge(), code(1)))).toBe('200')
  })

  test('stays open to backup codes, which end the delay', async () => {
    const { challenge, backupCodes, code } = await open()
    await fail(challenge, 10)
    const visitor = await challenge()
    expect(outcome(await verify(visitor, code()))).toBe(locked)
    expect(outcome(await useBackup(visitor, backupCodes[0] ?? ''))).toBe('200')
    expect(outcome(await verify(await challenge(), code()))).toBe('200')
  })

  test('does not count them as wrong passwords, nor lock anyone out from outside', async () => {
    const { challenge, browser, row } = await open({ attempts: { enabled: true } })
    await fail(challenge, 10)
    expect(await repeat(12, () => verify(browser(), '000000'))).toEqual(Array(12).fill('401 INVALID_TWO_FACTOR_COOKIE'))
    expect((await row()).failures).toBe(10)
    expect((await signInAs(browser(), 'Ann')).status).toBe(200)
  })

  test('is not delayed when accountLockout is off', async () => {
    const { challenge, code } = await open({ twoFactor: { enabled: true, accountLockout: { enabled: false } } })
    await fail(challenge, 15)
    expect(outcome(await verify(await challenge(), code()))).toBe('200')
  })

  test('after 100 wrong codes has no codes but backup codes, until one of them is used', async () => {
    const { challenge, code, backupCodes, set, texts, actions, mails, row, app } = await open()
    await set({ failures: 99 })
    const visitor = await challenge()
    expect(outcome(await verify(visitor, '000000'))).toBe('401 INVALID_CODE')
    expect([(await row()).secret, await mails('two-factor-suspended'), await actions()]).toEqual([
      null,
      1,
      expect.arrayContaining(['two-factor.suspended']),
    ])
    const later = await challenge()
    const { body } = await later.call('GET /two-factor/challenge', {})
    expect(body.methods).toEqual([{ type: 'backup-code', left: 10 }])
    await set({ blockedUntil: 0 })
    expect(outcome(await verify(later, code()))).toBe('400 TOTP_NOT_ENABLED')
    expect(outcome(await send(later))).toBe('400 OTP_NOT_ENABLED')
    expect(outcome(await useBackup(later, backupCodes[0] ?? ''))).toBe('200')
    // Codes that are sent work again, and the app is set up again.
    const third = await challenge()
    await send(third)
    expect(outcome(await verifySent(third, (await texts.next()).code))).toBe('200')
    expect(outcome(await verify(later, code()))).toBe('400 TOTP_NOT_ENABLED')
    const again = await enable(later)
    expect(outcome(await verify(later, authenticator(again.body.totpURI, app)()))).toBe('200')
  })

  const suspended = { suspendedAt: expect.any(Date), failures: 100 }
  const ended = { suspendedAt: null, failures: 0, blockedUntil: 0 }

  /** Ann with a passkey, whose codes were turned off by wrong ones. */
  async function suspend(ageSeconds: number) {
    const kit = await open({ passkey: true })
    kit.clock.advance(90_000)
    await verify(kit.ann, kit.code())
    const device = await registerPasskey(kit.ann)
    kit.clock.advance(ageSeconds)
    await kit.set({ failures: 99 })
    await verify(await kit.challenge(), '000000')
    expect(await kit.row()).toMatchObject(suspended)
    return { ...kit, device }
  }

  const unverified = { userVerified: false }
  test.each([
    ['answers a challenge', true, {}],
    ['answers a challenge without user verification', true, unverified],
    ['signs in', false, {}],
  ] as const)('after 100 wrong codes ends the suspension by a passkey that %s', async (_, isChallenged, wishes) => {
    const { challenge, browser, row, device, texts } = await suspend(90_000)
    expect(outcome(await usePasskey(isChallenged ? await challenge() : browser(), device, wishes))).toBe('200')
    expect(await row()).toMatchObject({ ...ended, secret: null })
    const visitor = await challenge()
    await send(visitor)
    expect(outcome(await verifySent(visitor, (await texts.next()).code))).toBe('200')
  })

  test('after 100 wrong codes ends the suspension by a passkey that proves the user of a session', async () => {
    const { ann, row, device } = await suspend(90_000)
    expect(outcome(await usePasskey(ann, device))).toBe('200')
    expect(await row()).toMatchObject(ended)
  })

  test('keeps the suspension after a passkey on probation, and after one that only begins a sign-in', async () => {
    const kit = await suspend(3600)
    for (const visitor of [await kit.challenge(), kit.browser(), kit.ann])
      expect(outcome(await usePasskey(visitor, kit.device))).toBe('200')
    expect(await kit.row()).toMatchObject(suspended)
    kit.clock.advance(86_400)
    expect((await usePasskey(kit.browser(), kit.device, unverified)).body.twoFactorRedirect).toBe(true)
    expect(await kit.row()).toMatchObject(suspended)
  })

  test('is not delayed any more after a passkey', async () => {
    const kit = await open({ passkey: true })
    const device = await registerPasskey(kit.ann)
    kit.clock.advance(90_000)
    await fail(kit.challenge, 10)
    const visitor = await kit.challenge()
    expect(outcome(await verify(visitor, kit.code()))).toBe(locked)
    expect(outcome(await usePasskey(visitor, device))).toBe('200')
    expect(outcome(await verify(await kit.challenge(), kit.code()))).toBe('200')
  })

  test('keeps its wrong codes after a sent code on probation', async () => {
    const kit = await open()
    await kit.set({ otpAddedAt: new Date(kit.app.now().getTime() + 1000), failures: 5 })
    const prove = async () => {
      await send(kit.ann)
      expect(outcome(await verifySent(kit.ann, (await kit.texts.next()).code))).toBe('200')
      return (await kit.row()).failures
    }
    expect(await prove()).toBe(5)
    kit.clock.advance(90_000)
    expect(await prove()).toBe(0)
  })

  test('without any factor but backup codes can still remove the demand', async () => {
    const { challenge, backupCodes, set, ann, browser } = await open()
    await set({ otpChannels: null, failures: 99 })
    await verify(await challenge(), '000000')
    const visitor = await challenge()
    await useBackup(visitor, backupCodes[0] ?? '')
    expect(outcome(await visitor.call('POST /two-factor/disable', { body: { password } }))).toBe('200')
    expect((await signInAs(browser(), 'Ann')).body.twoFactorRedirect).toBeUndefined()
    expect((await ann.call('GET /two-factor/status', {})).body).toMatchObject({ enabled: false, backupCodesLeft: 0 })
  })
})

describe('the user is notified', () => {
  test('that a backup code was used, and when three are left', async () => {
    const { challenge, backupCodes, mails, actions } = await open()
    for (const [index, code] of backupCodes.slice(0, 7).entries()) {
      const answer = await useBackup(await challenge(), code)
      expect([answer.status, answer.body.backupCodesLeft]).toEqual([200, 9 - index])
    }
    expect([await mails('backup-code-used'), await mails('backup-codes-low')]).toEqual([7, 1])
    expect((await actions()).filter((action) => action === 'two-factor.backup-code-used')).toHaveLength(7)
  })

  test('of second factors that come and go, and of new backup codes', async () => {
    const { ann, mails } = await open()
    expect(await mails('two-factor-enabled')).toBe(1)
    await ann.call('POST /two-factor/generate-backup-codes', { body: { password } })
    expect(await mails('backup-codes-created')).toBe(1)
    await ann.call('POST /two-factor/disable', { body: { password } })
    expect(await mails('two-factor-disabled')).toBe(1)
  })

  test.each([
    ['of the app', (browser: Browser) => verify(browser, '000000')],
    ['of backup codes', (browser: Browser) => useBackup(browser, 'aaaaa-aaaaa')],
  ])('that another person knows their password after three wrong codes %s, once a day', async (_, guess) => {
    const { challenge, mails, clock } = await open()
    const visitor = await challenge()
    await repeat(2, () => guess(visitor))
    expect(await mails('password-may-be-known')).toBe(0)
    await repeat(3, () => guess(visitor))
    expect(await mails('password-may-be-known')).toBe(1)
    clock.advance(86_401)
    const next = await challenge()
    await repeat(3, () => guess(next))
    expect(await mails('password-may-be-known')).toBe(2)
  })

  test('nothing of wrong codes with a session', async () => {
    const { ann, mails } = await open()
    await repeat(5, () => verify(ann, '000000'))
    expect(await mails('password-may-be-known')).toBe(0)
  })

  const abandon = async (kit: Awaited<ReturnType<typeof open>>, headers: Record<string, string>) => {
    const browser = kit.browser()
    await browser.call('POST /sign-in/email', { body: { email: 'ann@example.com', password } }, headers)
    return browser
  }

  test('that another person knows their password when a challenge of an unknown browser expires', async () => {
    const kit = await open()
    await kit.settled()
    await abandon(kit, firefox)
    await abandon(kit, firefox)
    kit.clock.advance(600)
    await jobs.signInChallenges.run(kit.app, never)
    expect(await kit.mails('password-may-be-known')).toBe(0)
    kit.clock.advance(61)
    await jobs.signInChallenges.run(kit.app, never)
    expect(await kit.mails('password-may-be-known')).toBe(1)
    expect(await kit.app.db.selectFrom('signInChallenge').select('id').execute()).toEqual([])
  })

  test('that another person knows their password when an unknown browser cancels a challenge', async () => {
    const kit = await open()
    await kit.settled()
    const [thief, again] = [await abandon(kit, firefox), await abandon(kit, firefox)]
    expect(outcome(await thief.call('POST /two-factor/cancel', {}))).toBe('200')
    expect(await kit.mails('password-may-be-known')).toBe(1)
    await again.call('POST /two-factor/cancel', {})
    expect(await kit.mails('password-may-be-known')).toBe(1)
  })

  test('nothing when it was answered, or the browser is known', async () => {
    const kit = await open()
    const answered = await abandon(kit, firefox)
    await answered.call('POST /two-factor/verify-totp', { body: { code: kit.code() } }, firefox)
    await kit.settled()
    await abandon(kit, firefox)
    await (await abandon(kit, firefox)).call('POST /two-factor/cancel', {})
    kit.clock.advance(700)
    await jobs.signInChallenges.run(kit.app, never)
    expect(await kit.mails('password-may-be-known')).toBe(0)
  })
})

describe('in the audit log', () => {
  test('each wrong code has its kind', async () => {
    const { challenge, app, texts } = await open()
    const visitor = await challenge()
    await verify(visitor, '000000')
    await useBackup(visitor, 'aaaaa-aaaaa')
    await send(visitor)
    await texts.next()
    await verifySent(visitor, '000000')
    const events = await app.db.selectFrom('auditEvent').select(['action', 'details']).orderBy('createdAt').execute()
    const failed = events.filter(({ action }) => action === 'two-factor.failed')
    expect(failed.map(({ details }) => Object(details).kind).toSorted()).toEqual(['backup-code', 'otp', 'totp'])
  })
})
