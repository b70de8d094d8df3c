/** What works once is used by one of 64 concurrent calls, also on two daemons (contract 11 §17). */
import { describe, expect, test } from 'vitest'
import type { Answer, Browser } from '../../../tests/kit/browser.ts'
import { password, signUp } from '../../../tests/kit/members.ts'
import { expectOneWinner, many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import { authenticator, enable, enrol, hasSession, signInAs, verify } from '../../../tests/kit/second-factor.ts'
import type { ConfigFile } from '../index.ts'
import { jobs } from './index.ts'
import { tokenOf } from './pending-resets.ts'
import { resetFactors } from './resets.ts'

const phoneNumber = '+491701234567'
/** What those get who come too late. */
const late = ['401 INVALID_TWO_FACTOR_COOKIE', '400 TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE', '401 UNAUTHORIZED']

describe.each(places)('at %s', (place) => {
  async function open(config: ConfigFile = {}) {
    const codes: string[] = []
    const kit = await openRacers(place, {
      twoFactor: { enabled: true, otpOptions: { sendOTP: ({ otp }) => void codes.push(otp) } },
      phoneNumber: true,
      ...config,
    })
    const { browser: ann, userId } = await signUp(kit, 'Ann')
    const verified = { phoneNumber, phoneNumberVerified: true, emailVerified: true }
    await kit.app.db.updateTable('user').set(verified).where('id', '=', userId).execute()
    const { code, backupCodes } = await enrol(kit, ann)
    const challenged = async () => {
      const browser = kit.browser()
      await signInAs(browser, 'Ann')
      return browser
    }
    /** As many browsers as there are calls, with the cookies of these in turn. */
    const copiesOf = (owners: readonly Browser[]) =>
      kit.browsers().map((browser, position) => {
        for (const [name, value] of owners[position % owners.length]?.cookies ?? []) browser.cookies.set(name, value)
        return browser
      })
    const sessions = async () =>
      (await kit.app.db.selectFrom('session').select('id').where('userId', '=', userId).execute()).length
    const row = () => kit.app.db.selectFrom('twoFactor').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow()
    return { ...kit, ann, userId, code, backupCodes, codes, challenged, copiesOf, sessions, row }
  }

  const useBackup = (browser: Browser, code: string) => browser.call('POST /two-factor/verify-backup-code', { body: { code } })

  test('one challenge is answered once', async () => {
    const kit = await open()
    const before = await kit.sessions()
    const answers = await race(kit.copiesOf([await kit.challenged()]), (browser) => verify(browser, kit.code()))
    expectOneWinner(answers, ...late, '401 INVALID_CODE')
    expect([answers.filter(hasSession).length, await kit.sessions()]).toEqual([1, before + 1])
    for (const { setCookie } of answers.filter(({ body }) => body.code === 'INVALID_TWO_FACTOR_COOKIE'))
      expect(setCookie).toContainEqual(expect.stringMatching(/^latchkey\.two_factor=;.*Max-Age=0/))
  })

  test('one time step of the app is used once, by whatever challenge', async () => {
    const kit = await open()
    const owners = [await kit.challenged(), await kit.challenged(), await kit.challenged(), await kit.challenged()]
    const before = await kit.sessions()
    const answers = await race(kit.copiesOf(owners), (browser) => verify(browser, kit.code()))
    expectOneWinner(answers, ...late, '401 INVALID_CODE')
    expect(await kit.sessions()).toBe(before + 1)
  })

  test('one time step is used once with a session, whose token is replaced once', async () => {
    const kit = await open()
    const before = await kit.sessions()
    const answers = await race(kit.copiesOf([kit.ann]), (browser) => verify(browser, kit.code()))
    expectOneWinner(answers, ...late, '401 INVALID_CODE')
    expect(await kit.sessions()).toBe(before)
  })

  test('one backup code is used once', async () => {
    const kit = await open()
    const owners = [await kit.challenged(), await kit.challenged(), await kit.challenged(), await kit.challenged()]
    const answers = await race(kit.copiesOf(owners), (browser) => useBackup(browser, kit.backupCodes[0] ?? ''))
    expectOneWinner(answers, ...late, '401 INVALID_BACKUP_CODE')
    const used = await kit.app.db.selectFrom('backupCode').select('id').where('usedAt', 'is not', null).execute()
    expect(used).toHaveLength(1)
  })

  test('one backup code is rehearsed or used once', async () => {
    const kit = await open()
    const code = kit.backupCodes[0] ?? ''
    const answers = await race(kit.browsers(kit.ann), (browser) =>
      browser.call('POST /two-factor/rehearse-backup-code', { body: { code } }),
    )
    expectOneWinner(answers, '401 INVALID_BACKUP_CODE')
    const rows = await kit.app.db.selectFrom('backupCode').select('usedAt').execute()
    expect(rows.filter(({ usedAt }) => usedAt === null)).toHaveLength(10)
  })

  test('a reset that waits is cancelled once, or takes effect once, and never both', async () => {
    const kit = await open()
    const order = { requestedBy: 'operator', administratorId: null, reason: 'Lost phone' } as const
    await resetFactors(kit.app, kit.userId, { ...order, hours: 1 })
    const { id } = await kit.app.db.selectFrom('factorReset').select('id').executeTakeFirstOrThrow()
    kit.clock.advance(3600)
    const never = new AbortController().signal
    const other = place === 'two daemons' ? (await kit.another()).app : kit.app
    const [answers] = await Promise.all([
      race(kit.browsers(), (browser) => browser.call('POST /two-factor/cancel-reset', { body: { token: tokenOf(kit.app, id) } })),
      ...Array.from({ length: 4 }, (_, count) => jobs.factorResets.run(count % 2 === 0 ? kit.app : other, never)),
    ])
    const cancelled = tally(answers)[200] ?? 0
    const events = await kit.app.db.selectFrom('auditEvent').select('action').execute()
    const done = events.filter(({ action }) => action === 'two-factor.reset').length
    expect([cancelled + done, events.filter(({ action }) => action === 'two-factor.reset-cancelled').length]).toEqual([
      1,
      cancelled,
    ])
    expect(await kit.app.db.selectFrom('factorReset').select('id').execute()).toEqual([])
  })

  test('one challenge requests one reset, and half of the time is announced once', async () => {
    const kit = await open({ twoFactor: { enabled: true, recovery: { selfService: true } }, mail: { catch: true } })
    const pending = await kit.challenged()
    await pending.call('POST /two-factor/send-reset-codes', {})
    const numberGone = { phoneNumber: null, phoneNumberVerified: null }
    await kit.app.db.updateTable('user').set(numberGone).where('id', '=', kit.userId).execute()
    await kit.settled()
    const mails = (kind: string) => kit.app.db.selectFrom('caughtMail').select(['subject']).where('kind', '=', kind).execute()
    const code = /\d{6}/.exec((await mails('two-factor-reset-code'))[0]?.subject ?? '')?.[0] ?? ''
    const answers = await race(kit.copiesOf([pending]), (browser) =>
      browser.call('POST /two-factor/request-reset', { body: { code } }),
    )
    expectOneWinner(answers, ...late, '400 OTP_HAS_EXPIRED', '401 INVALID_CODE')
    kit.clock.advance(36 * 3600)
    const never = new AbortController().signal
    const other = place === 'two daemons' ? (await kit.another()).app : kit.app
    await Promise.all(Array.from({ length: 8 }, (_, count) => jobs.factorResets.run(count % 2 === 0 ? kit.app : other, never)))
    await kit.settled()
    const rows = await kit.app.db.selectFrom('outbox').select('kind').where('kind', '=', 'two-factor-reset').execute()
    expect(rows).toHaveLength(2)
  })

  test('one code that was sent is used once', async () => {
    const kit = await open()
    await enable(kit.ann, { method: 'otp', channel: 'sms' })
    const owner = await kit.challenged()
    await owner.call('POST /two-factor/send-otp', {})
    await expect.poll(() => kit.codes.length).toBe(1)
    const answers = await race(kit.copiesOf([owner]), (browser) =>
      browser.call('POST /two-factor/verify-otp', { body: { code: String(kit.codes[0]) } }),
    )
    expectOneWinner(answers, ...late, '400 OTP_HAS_EXPIRED')
  })

  test('one code is sent when 64 are asked for', async () => {
    const kit = await open()
    await enable(kit.ann, { method: 'otp', channel: 'sms' })
    const answers = await race(kit.copiesOf([await kit.challenged()]), (browser) => browser.call('POST /two-factor/send-otp', {}))
    expect(tally(answers)).toEqual({ 200: many })
    await kit.settled()
    await expect.poll(() => kit.codes.length).toBe(1)
  })

  test('the first code of an app enables it once, with one set of backup codes', async () => {
    const kit = await open()
    const { browser: bob, userId } = await signUp(kit, 'Bob')
    const { body } = await enable(bob)
    const code = authenticator(body.totpURI, kit.app)()
    const answers = await race(kit.copiesOf([bob]), (browser) => verify(browser, code))
    expectOneWinner(answers, ...late, '401 INVALID_CODE', '400 TOTP_NOT_ENABLED')
    const codes = await kit.app.db.selectFrom('backupCode').select('isPending').where('userId', '=', userId).execute()
    expect(codes.map(({ isPending }) => Boolean(isPending))).toEqual(Array(10).fill(false))
  })

  test('of wrong guesses with one challenge five are compared, and with a session ten are counted before the delay', async () => {
    const kit = await open()
    const answers = await race(kit.copiesOf([await kit.challenged()]), (browser) => verify(browser, '000000'))
    expect(tally(answers)['401 INVALID_CODE']).toBe(5)
    await race(kit.copiesOf([kit.ann]), (browser) => verify(browser, '000000'))
    const row = await kit.row()
    expect([row.failures, row.blockedUntil]).toEqual([10, kit.app.now().getTime() + 30_000])
    expect((await verify(kit.ann, kit.code())).status).toBe(429)
  })

  test('two factors that two sessions remove leave no user without one who needs one', async () => {
    const kit = await open({ twoFactor: { enabled: true, newFactorProbationHours: 0, otpOptions: { sendOTP: () => {} } } })
    await enable(kit.ann, { method: 'otp', channel: 'sms' })
    const other = await kit.challenged()
    await verify(other, kit.code())
    const remove = (browser: Browser, method: string): Promise<Answer> =>
      browser.call('POST /two-factor/disable', { body: { password, method } as never })
    await Promise.all([remove(kit.ann, 'totp'), remove(other, 'otp')])
    const { otpChannels, verified } = await kit.row()
    const user = await kit.app.db
      .selectFrom('user')
      .select('twoFactorEnabled')
      .where('id', '=', kit.userId)
      .executeTakeFirstOrThrow()
    expect(Boolean(user.twoFactorEnabled)).toBe(otpChannels !== null || Boolean(verified))
  })
})
