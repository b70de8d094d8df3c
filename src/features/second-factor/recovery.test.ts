/** Resets of second factors that a user has lost: by administrators, and by the user with a wait (contract 11 §12). */
import { describe, expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { outcome } from '../../../tests/kit/members.ts'
import { authenticator, enable, hasSession, signInAs, verify, withAnn } from '../../../tests/kit/second-factor.ts'
import { recordStatements } from '../../../tests/kit/statements.ts'
import type { ConfigFile } from '../index.ts'
import { jobs } from './index.ts'
import { findPendingReset } from './pending-resets.ts'

const never = new AbortController().signal
const phoneNumber = '+491701234567'
const hour = 3600

interface Sent {
  readonly to: string
  readonly subject: string
  readonly text: string
}

type Recovery = NonNullable<Exclude<NonNullable<ConfigFile['twoFactor']>, boolean>['recovery']>

/** Ann with an app and a verified email address; Ada is an administrator. */
async function open(recovery: Recovery = {}, config: ConfigFile = {}) {
  const mails = captureMails<Sent>()
  const texts = captureMails<{ kind: string; code: string; text: string; to: string }>()
  const kit = await withAnn({
    twoFactor: { enabled: true, recovery },
    ...{ admin: true, phoneNumber: true, passkey: true, bearer: true },
    sms: { send: texts.send, catch: false },
    mail: { from: 'acme@example.com', send: mails.send, catch: false },
    ...config,
  })
  await kit.app.db.updateTable('user').set({ emailVerified: true }).where('id', '=', kit.userId).execute()
  const administration = await administrate(kit)
  /** Waits until there are so many emails whose subject matches. @returns them */
  const mailed = async (subject: RegExp, count: number) => {
    await expect.poll(() => mails.sent.filter((mail) => subject.test(mail.subject)).length).toBe(count)
    return mails.sent.filter((mail) => subject.test(mail.subject))
  }
  const challenge = async () => {
    const browser = kit.browser()
    expect((await signInAs(browser, 'Ann')).body.twoFactorRedirect).toBe(true)
    return browser
  }
  const reset = (browser: Browser, more: object = {}) =>
    browser.call('POST /admin/reset-two-factor', { body: { userId: kit.userId, reason: 'Lost phone', ...more } as never })
  const run = async () => {
    await jobs.factorResets.run(kit.app, never)
    await kit.settled()
  }
  const pending = () => findPendingReset(kit.app, kit.userId)
  return { ...kit, ...administration, mails, texts, mailed, challenge, reset, run, pending }
}

const cancel = (browser: Browser, token: string) => browser.call('POST /two-factor/cancel-reset', { body: { token } })
const tokenIn = ({ text }: Sent): string => /cancel-reset\?token=([\w-]+)/.exec(text)?.[1] ?? ''

describe('a reset by an administrator', () => {
  test('takes effect immediately, ends everything, and is announced', async () => {
    const { ada, reset, ann, browser, mailed, events, app, userId, clock } = await open()
    const answer = await reset(ada.browser)
    expect(answer).toMatchObject({ status: 200, body: { user: { id: userId, twoFactorEnabled: false } } })
    expect(answer.body.effectiveAt).toBe(clock.now().toISOString())
    expect((await ann.call('GET /get-session', {})).body).toBeNull()
    for (const table of ['backupCode', 'trustedDevice', 'signInChallenge', 'factorReset'] as const)
      expect(await app.db.selectFrom(table).select('id').where('userId', '=', userId).execute(), table).toEqual([])
    const row = await app.db.selectFrom('twoFactor').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ secret: null, verified: false, resetAt: clock.now() })
    const visitor = browser()
    expect(hasSession(await signInAs(visitor, 'Ann'))).toBe(true)
    const [mail] = await mailed(/were reset/, 1)
    expect(mail).toMatchObject({ to: 'ann@example.com', text: expect.stringContaining('Authenticator app, backup codes') })
    expect(await events('two-factor.reset')).toMatchObject([
      {
        actorId: ada.userId,
        targetId: userId,
        details: { kinds: ['totp', 'backup-codes'], reason: 'Lost phone', requestedBy: 'administrator', sessions: 1 },
      },
    ])
    await enable(visitor)
    expect((await reset(ada.browser)).body.code).toBe('USER_HAS_NO_SECOND_FACTOR')
  })

  test('is rejected in the order of the contract', async () => {
    const roles = { admin: { user: ['list', 'set-role', 'reset-two-factor'] }, support: { user: ['reset-two-factor'] }, user: {} }
    const { ada, uma, ann, browser, reset, userId, join, app } = await open({}, { admin: { enabled: true, roles } })
    expect(await reset(browser())).toMatchObject({ status: 401 })
    expect(await reset(uma.browser)).toMatchObject({
      status: 403,
      body: { message: 'You are not allowed to reset second factors' },
    })
    const own = await reset(ada.browser, { userId: ada.userId })
    expect(own).toMatchObject({ status: 400, body: { message: 'You cannot reset your own second factor' } })
    expect(await reset(ada.browser, { userId: 'unknown' })).toMatchObject({ status: 404, body: { message: 'User not found' } })
    const none = await reset(ada.browser, { userId: uma.userId })
    expect(none).toMatchObject({ status: 400, body: { message: 'User has no second factor' } })
    expect(await reset(ada.browser, { factors: ['otp'] })).toMatchObject({ body: { code: 'USER_HAS_NO_SECOND_FACTOR' } })
    for (const more of [{ reason: '' }, { reason: 'x'.repeat(501) }, { factors: [] }, { factors: ['email'] }])
      expect((await reset(ada.browser, more)).body.code).toBe('VALIDATION_ERROR')
    await app.db.updateTable('user').set({ role: 'admin' }).where('id', '=', userId).execute()
    const { browser: sam } = await join('Sam', 'support')
    expect((await reset(sam)).status).toBe(403)
    expect((await ann.call('GET /get-session', {})).body).not.toBeNull()
  })

  test('needs a recent proof of an administrator who has a second factor, which is on no probation', async () => {
    const { ada, reset, clock, app } = await open()
    const { body } = await enable(ada.browser)
    expect(body.totpURI).toBeDefined()
    await verify(ada.browser, authenticator(body.totpURI, app)())
    clock.advance(901)
    expect((await reset(ada.browser)).body.code).toBe('SESSION_IS_NOT_FRESH')
    await verify(ada.browser, authenticator(body.totpURI, app)())
    expect((await reset(ada.browser)).status).toBe(200)
  })

  test('leaves passkeys unless they are named', async () => {
    const { ada, reset, app, userId, clock } = await open()
    const passkey = {
      ...{ id: 'key', userId, credentialID: 'abc', credentialHash: 'hash', publicKey: 'pk', counter: 0 },
      ...{ deviceType: 'multiDevice', backedUp: true, rpID: 'localhost', createdAt: clock.now() },
    }
    await app.db
      .insertInto('passkey')
      .values(passkey as never)
      .execute()
    await app.db.updateTable('twoFactor').set({ passkeys: true }).execute()
    expect((await reset(ada.browser)).body.user.twoFactorEnabled).toBe(true)
    expect(await app.db.selectFrom('passkey').select('id').execute()).toHaveLength(1)
    expect((await app.db.selectFrom('twoFactor').select('resetAt').executeTakeFirstOrThrow()).resetAt).toBeNull()
    expect((await reset(ada.browser, { factors: ['passkeys'] })).body.user.twoFactorEnabled).toBe(false)
    expect(await app.db.selectFrom('passkey').select('id').execute()).toEqual([])
  })

  test('waits with a delay, is announced twice, and takes effect once', async () => {
    const { ada, reset, run, pending, mailed, clock, app, userId, events, texts } = await open({ adminDelayHours: 24 })
    await app.db.updateTable('user').set({ phoneNumber, phoneNumberVerified: true }).where('id', '=', userId).execute()
    const { body } = await reset(ada.browser)
    expect(body).toMatchObject({ user: { twoFactorEnabled: true } })
    expect(Date.parse(body.effectiveAt) - clock.now().getTime()).toBe(24 * hour * 1000)
    expect(await texts.next()).toMatchObject({ kind: 'two-factor-reset', to: phoneNumber, code: '' })
    expect(await pending()).toMatchObject({ requestedBy: 'administrator', administratorId: ada.userId, reason: 'Lost phone' })
    const [requested] = await mailed(/^The second factors .* will be reset/, 1)
    await run()
    await mailed(/^Reminder/, 0)
    clock.advance(12 * hour)
    await run()
    await run()
    const [reminder] = await mailed(/^Reminder/, 1)
    if (!requested || !reminder) throw new Error('No email')
    expect(tokenIn(reminder)).toBe(tokenIn(requested))
    expect(tokenIn(requested)).toMatch(/^[\w-]{32}$/)
    clock.advance(12 * hour - 1)
    await run()
    expect(await pending()).not.toBeNull()
    clock.advance(1)
    await run()
    await run()
    expect(await pending()).toBeNull()
    await mailed(/were reset/, 1)
    expect(await events('two-factor.reset')).toMatchObject([
      { actorKind: 'system', details: { requestedBy: 'administrator', administratorId: ada.userId, reason: 'Lost phone' } },
    ])
    expect((await cancel(ada.browser, tokenIn(requested))).body.code).toBe('INVALID_TOKEN')
  })

  test('that waits is replaced by one that does not', async () => {
    const { ada, reset, pending, app, userId } = await open({ adminDelayHours: 24 })
    await reset(ada.browser)
    const first = await pending()
    await reset(ada.browser, { factors: ['backup-codes'] })
    expect(await pending()).toMatchObject({ factors: ['backup-codes'] })
    expect(first?.factors).toEqual(['totp', 'backup-codes'])
    expect(await app.db.selectFrom('factorReset').select('id').where('userId', '=', userId).execute()).toHaveLength(1)
  })
})

describe('a reset that waits is cancelled', () => {
  const waiting = async () => {
    const kit = await open({ adminDelayHours: 24 })
    await kit.reset(kit.ada.browser)
    const cancelled = async () => {
      expect(await kit.pending()).toBeNull()
      kit.clock.advance(25 * hour)
      await kit.run()
      expect(await kit.userOf(kit.userId)).toMatchObject({ twoFactorEnabled: true })
      return kit.events('two-factor.reset-cancelled')
    }
    return { ...kit, cancelled }
  }

  test('by a sign-in with a factor', async () => {
    const kit = await waiting()
    const visitor = await kit.challenge()
    await verify(visitor, '000000')
    expect(await kit.pending()).not.toBeNull()
    expect((await verify(visitor, kit.code())).status).toBe(200)
    expect(await kit.cancelled()).toMatchObject([{ targetId: kit.userId, details: { by: 'factor' } }])
  })

  test('by a step-up, a backup code without a session, and a rehearsal', async () => {
    const kit = await waiting()
    expect((await verify(kit.ann, kit.code())).status).toBe(200)
    expect(await kit.pending()).toBeNull()
    await kit.reset(kit.ada.browser)
    const body = { code: kit.backupCodes[0] ?? '', disableSession: true }
    await (await kit.challenge()).call('POST /two-factor/verify-backup-code', { body })
    expect(await kit.pending()).toBeNull()
    await kit.reset(kit.ada.browser)
    await kit.ann.call('POST /two-factor/rehearse-backup-code', { body: { code: kit.backupCodes[1] ?? '' } })
    expect(await kit.cancelled()).toHaveLength(3)
  })

  test('by the link of its email, which works once and by POST only', async () => {
    const kit = await waiting()
    const [mail] = await kit.mailed(/will be reset/, 1)
    const token = tokenIn(mail as Sent)
    const visitor = kit.browser()
    expect((await cancel(visitor, `${token.slice(1)}x`)).body).toMatchObject({ code: 'INVALID_TOKEN' })
    expect(await kit.pending()).not.toBeNull()
    expect(await cancel(visitor, token)).toMatchObject({ status: 200, body: { status: true } })
    expect((await cancel(visitor, token)).status).toBe(400)
    expect(await kit.cancelled()).toMatchObject([{ details: { by: 'link', requestedBy: 'administrator' } }])
  })

  test('not by a password or a trusted browser', async () => {
    const kit = await waiting()
    await kit.challenge()
    expect(await kit.pending()).not.toBeNull()
  })

  test('its token is not stored', async () => {
    const kit = await waiting()
    const [mail] = await kit.mailed(/will be reset/, 1)
    const row = await kit.app.db.selectFrom('factorReset').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(tokenIn(mail as Sent))
  })
})

describe('a reset that the user requests', () => {
  const request = (browser: Browser, body: object) => browser.call('POST /two-factor/request-reset', { body })
  const send = (browser: Browser) => browser.call('POST /two-factor/send-reset-codes', {})
  const codeIn = ({ subject }: Sent) => /\d{6}/.exec(subject)?.[0] ?? ''
  const on = { selfService: true } as const

  test('needs the option, a challenge, and the codes of email address and phone number', async () => {
    const off = await open()
    expect(outcome(await send(off.browser()))).toBe('403 RESETTING_SECOND_FACTORS_IS_DISABLED')
    expect(outcome(await request(off.browser(), {}))).toBe('403 RESETTING_SECOND_FACTORS_IS_DISABLED')

    const kit = await open(on)
    const columns = { phoneNumber, phoneNumberVerified: true }
    await kit.app.db.updateTable('user').set(columns).where('id', '=', kit.userId).execute()
    for (const visitor of [kit.browser(), kit.ann]) {
      expect(outcome(await send(visitor))).toBe('401 INVALID_TWO_FACTOR_COOKIE')
      expect(outcome(await request(visitor, { code: '123456' }))).toBe('401 INVALID_TWO_FACTOR_COOKIE')
    }
    const visitor = await kit.challenge()
    expect((await visitor.call('GET /two-factor/challenge', {})).body).toMatchObject({
      recovery: {
        hours: 72,
        channels: [
          { channel: 'sms', to: '•••• ••67' },
          { channel: 'email', to: 'a…@example.com' },
        ],
      },
      resetAt: null,
    })
    await send(visitor)
    const sms = (await kit.texts.next()).code
    const [mail] = await kit.mailed(/your code to reset/, 1)
    const email = codeIn(mail as Sent)
    expect(outcome(await request(visitor, { code: email }))).toBe('401 INVALID_CODE')
    expect(outcome(await request(visitor, { smsCode: sms }))).toBe('401 INVALID_CODE')
    expect(await kit.pending()).toBeNull()
    const answer = await request(visitor, { code: email, smsCode: sms })
    expect(answer.body).toEqual({
      status: true,
      effectiveAt: new Date(kit.clock.now().getTime() + 72 * hour * 1000).toISOString(),
    })
    expect(outcome(await request(visitor, { code: email, smsCode: sms }))).toBe('401 INVALID_TWO_FACTOR_COOKIE')
    expect((await kit.texts.next()).kind).toBe('two-factor-reset')
    expect(await kit.events('two-factor.reset-requested')).toMatchObject([
      { targetId: kit.userId, details: { requestedBy: 'user', kinds: ['totp', 'backup-codes'] } },
    ])
  })

  test('waits, and then lets the password sign in', async () => {
    const kit = await open(on)
    const visitor = await kit.challenge()
    await send(visitor)
    const [mail] = await kit.mailed(/your code to reset/, 1)
    await request(visitor, { code: codeIn(mail as Sent) })
    await kit.mailed(/^The second factors .* will be reset/, 1)
    kit.clock.advance(36 * hour)
    await kit.run()
    await kit.mailed(/^Reminder/, 1)
    const early = await kit.challenge()
    expect((await early.call('GET /two-factor/challenge', {})).body.resetAt).toEqual(expect.any(String))
    kit.clock.advance(36 * hour)
    await kit.run()
    await kit.mailed(/were reset/, 1)
    expect(hasSession(await signInAs(kit.browser(), 'Ann'))).toBe(true)
  })

  test('is announced to a verified phone number too: requested, half of the time, done, and cancelled', async () => {
    const kit = await open(on)
    const columns = { phoneNumber, phoneNumberVerified: true }
    await kit.app.db.updateTable('user').set(columns).where('id', '=', kit.userId).execute()
    const ask = async (count: number) => {
      const visitor = await kit.challenge()
      await send(visitor)
      const smsCode = (await kit.texts.next()).code
      const mails = await kit.mailed(/your code to reset/, count)
      await request(visitor, { code: codeIn(mails.at(-1) as Sent), smsCode })
    }
    const announced = async (text: RegExp) =>
      expect(await kit.texts.next()).toMatchObject({
        kind: 'two-factor-reset',
        to: phoneNumber,
        text: expect.stringMatching(text),
      })
    await ask(1)
    await announced(/will be reset on /)
    kit.clock.advance(36 * hour)
    await kit.run()
    await kit.run()
    await announced(/will be reset on /)
    await verify(await kit.challenge(), kit.code())
    await announced(/was cancelled/)
    kit.clock.advance(hour)
    await ask(2)
    await announced(/will be reset on /)
    kit.clock.advance(72 * hour)
    await kit.run()
    await announced(/were reset/)
    expect(kit.texts.sent.map(({ kind }) => kind).filter((kind) => kind === 'two-factor-reset')).toHaveLength(5)
  })

  test('answers the same while one waits, and does not put it off', async () => {
    const kit = await open(on)
    const ask = async (count: number) => {
      const visitor = await kit.challenge()
      await send(visitor)
      const mails = await kit.mailed(/your code to reset/, count)
      return request(visitor, { code: codeIn(mails.at(-1) as Sent) })
    }
    const first = await ask(1)
    kit.clock.advance(hour)
    const second = await ask(2)
    expect(second).toMatchObject({ status: 200, body: first.body })
    await kit.mailed(/^The second factors .* will be reset/, 1)
    expect(await kit.events('two-factor.reset-requested')).toHaveLength(1)
  })

  test('a wrong code has the same response and statements, whether or not a reset waits', async () => {
    const kit = await open(on)
    const { record } = recordStatements(kit)
    const guess = async () => {
      const visitor = await kit.challenge()
      await send(visitor)
      const { result, statements } = await record(() => request(visitor, { code: '000000' }))
      return { response: [result.status, result.body], statements }
    }
    // The third wrong code of a user sends an email.
    for (let count = 0; count < 3; count += 1) await guess()
    const without = await guess()
    const asked = { requestedBy: 'user', administratorId: null, reason: null, factors: 'totp', cancelKey: 'key' }
    const times = { noticeAt: null, effectiveAt: kit.app.now(), createdAt: kit.app.now() }
    await kit.app.db
      .insertInto('factorReset')
      .values({ id: 'reset', userId: kit.userId, ...asked, ...times })
      .execute()
    expect(await guess()).toEqual(without)
    expect(without.response[0]).toBe(401)
  })

  test('is not possible without a verified email address, nor with a code from where the first factor came', async () => {
    const kit = await open(on, { emailOTP: true })
    const visitor = kit.browser()
    await visitor.call('POST /email-otp/send-verification-otp', { body: { email: 'ann@example.com', type: 'sign-in' } })
    const [mail] = await kit.mailed(/\d{6}/, 1)
    await visitor.call('POST /sign-in/email-otp', { body: { email: 'ann@example.com', otp: codeIn(mail as Sent) } })
    expect((await visitor.call('GET /two-factor/challenge', {})).body).toMatchObject({ recovery: null })
    expect(outcome(await send(visitor))).toBe('400 OTP_NOT_ENABLED')
    await kit.app.db.updateTable('user').set({ emailVerified: false }).where('id', '=', kit.userId).execute()
    const other = await kit.challenge()
    expect(outcome(await send(other))).toBe('400 OTP_NOT_ENABLED')
  })

  test('ends the challenge after five wrong codes, and sends few codes', async () => {
    const kit = await open(on)
    const visitor = await kit.challenge()
    await send(visitor)
    expect((await send(visitor)).body).toEqual({ status: true })
    await kit.mailed(/your code to reset/, 1)
    for (let guess = 0; guess < 5; guess += 1)
      expect(outcome(await request(visitor, { code: '000000' }))).toBe('401 INVALID_CODE')
    expect(outcome(await request(visitor, { code: '000000' }))).toBe('400 TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE')
    expect(await kit.events('two-factor.failed')).toHaveLength(5)
  })
})
