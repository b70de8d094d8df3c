/** Wrong codes in a set-up: a thief who has the password must not guess the code to the mailbox without end (contract 11 §6). */
import { describe, expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { outcome, password } from '../../../tests/kit/members.ts'
import { beginApp, staff, withStaff } from '../../../tests/kit/required-factor.ts'
import { hasSession, signInAs, verify } from '../../../tests/kit/second-factor.ts'

const locked = '429 ACCOUNT_TEMPORARILY_LOCKED'
const verifyCode = (browser: Browser, code: string) => browser.call('POST /two-factor/verify-otp', { body: { code } })
const other = (otp: string): string => (otp === '000000' ? '111111' : '000000')

async function open() {
  const kit = await withStaff([staff])
  /** Signs in until the code to the mailbox is needed, which is sent. */
  const begin = async () => {
    // The limits of an hour end.
    kit.clock.advance(3601)
    const browser = kit.browser()
    expect(outcome(await signInAs(browser, 'Ann'))).toBe('403 SECOND_FACTOR_SETUP_REQUIRED')
    return { browser, otp: (await kit.codes.next()).otp }
  }
  const guess = async (times: number) => {
    const { browser, otp } = await begin()
    for (let done = 0; done < times; done += 1) expect(outcome(await verifyCode(browser, other(otp)))).toBe('401 INVALID_CODE')
    return { browser, otp }
  }
  const mails = async (kind: string) => {
    await kit.settled()
    return (await kit.app.db.selectFrom('outbox').select('id').where('kind', '=', kind).execute()).length
  }
  const row = () => kit.app.db.selectFrom('twoFactor').selectAll().where('userId', '=', kit.userId).executeTakeFirst()
  const set = (columns: object) => kit.app.db.updateTable('twoFactor').set(columns).where('userId', '=', kit.userId).execute()
  return { ...kit, begin, guess, mails, row, set }
}

describe('wrong codes to the mailbox', () => {
  test('delay further ones, over all sign-ins', async () => {
    const { begin, guess, clock, app, row } = await open()
    await guess(5)
    const second = await guess(5)
    const refused = await verifyCode(second.browser, second.otp)
    expect([outcome(refused), refused.headers.get('retry-after')]).toEqual([locked, '30'])
    clock.advance(30)
    const { browser, otp } = await begin()
    expect(outcome(await verifyCode(browser, other(otp)))).toBe('401 INVALID_CODE')
    expect((await verifyCode(browser, otp)).headers.get('retry-after')).toBe('60')
    clock.advance(60)
    expect(outcome(await verifyCode(browser, otp))).toBe('200')
    expect(await row()).toMatchObject({ failures: 0, blockedUntil: 0 })
    const events = await app.db.selectFrom('auditEvent').select('action').where('action', '=', 'two-factor.locked').execute()
    expect(events).toHaveLength(1)
    // The counter does not count as a factor: the first one has no probation.
    const { code } = await beginApp(browser, app)
    expect(hasSession(await verify(browser, code()))).toBe(true)
    const sessions = await app.db.selectFrom('session').select(['factorProvenAt', 'factorTrustedAt']).execute()
    expect(sessions).toEqual([{ factorProvenAt: clock.now().getTime(), factorTrustedAt: 0 }])
  })

  test('notify the user that another person may know their password, after three', async () => {
    const { guess, mails } = await open()
    await guess(2)
    expect(await mails('password-may-be-known')).toBe(0)
    await guess(1)
    expect(await mails('password-may-be-known')).toBe(1)
  })

  test('turn codes off after 100, until the user has another password', async () => {
    const kit = await open()
    const { begin, browser, guess, mails, row, set } = kit
    await guess(1)
    await set({ failures: 99 })
    const { browser: thief, otp } = await guess(1)
    expect([(await row())?.suspendedAt, await mails('two-factor-suspended')]).toEqual([kit.clock.now(), 1])
    await set({ blockedUntil: 0 })
    expect(outcome(await verifyCode(thief, otp))).toBe('400 OTP_NOT_ENABLED')
    const sent = kit.codes.sent.length
    const again = browser()
    await signInAs(again, 'Ann')
    expect(outcome(await again.call('POST /two-factor/send-otp', { body: {} }))).toBe('400 OTP_NOT_ENABLED')
    await kit.settled()
    expect(kit.codes.sent).toHaveLength(sent)
    const { ada } = await administrate(kit)
    await ada.browser.call('POST /admin/set-user-password', { body: { userId: kit.userId, newPassword: password } })
    const after = await begin()
    expect(outcome(await verifyCode(after.browser, after.otp))).toBe('200')
    const { code } = await beginApp(after.browser, kit.app)
    expect(hasSession(await verify(after.browser, code()))).toBe(true)
  })

  test('of the new app count too, and do not count as those of a thief', async () => {
    const { begin, app, mails, row } = await open()
    const { browser, otp } = await begin()
    await verifyCode(browser, otp)
    const { code } = await beginApp(browser, app)
    for (let done = 0; done < 4; done += 1) expect(outcome(await verify(browser, '000000'))).toBe('401 INVALID_CODE')
    expect([(await row())?.failures, await mails('password-may-be-known')]).toEqual([4, 0])
    expect(hasSession(await verify(browser, code()))).toBe(true)
    expect((await row())?.failures).toBe(0)
  })
})
