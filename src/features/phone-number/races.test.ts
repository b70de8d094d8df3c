/** What may happen once only, in 64 concurrent calls; also on two daemons, with a database server. */
import { describe, expect, test } from 'vitest'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { expectOneWinner, many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import type { ConfigFile } from '../index.ts'

const number = '+491701234567'
const password = 'correct horse battery'
const signUpOnVerification = { getTempEmail: (phone: string) => `${phone.slice(1)}@phone.example.com` }

describe.each(places)('at %s', (place) => {
  async function open(phoneNumber: object = {}, config: ConfigFile = {}) {
    const sms = captureMails<{ code: string }>()
    const kit = await openRacers(place, { phoneNumber: { enabled: true, ...phoneNumber }, sms: { send: sms.send }, ...config })
    const sendCode = async (browser: Browser = kit.browser()) => {
      await browser.call('POST /phone-number/send-otp', { body: { phoneNumber: number } })
      return (await sms.next()).code
    }
    const verify = (browser: Browser, code: string, more: object = {}) =>
      browser.call('POST /phone-number/verify', { body: { phoneNumber: number, code, ...more } })
    return { ...kit, sms, sendCode, verify }
  }
  const users = ({ app }: Awaited<ReturnType<typeof open>>) => app.db.selectFrom('user').selectAll().execute()

  test.each([
    ['it signs up one user', { signUpOnVerification }],
    ['nothing more happens to an unknown number', {}],
  ])('a code is used once: %s', async (_, options) => {
    const kit = await open(options)
    const code = await kit.sendCode()
    const answers = await race(kit.browsers(), (browser) => kit.verify(browser, code))
    expect(tally(answers)).toEqual({ 200: 1, '400 OTP_NOT_FOUND': many - 1 })
    expect(await users(kit)).toHaveLength('signUpOnVerification' in options ? 1 : 0)
  })

  test('three of 64 wrong guesses are compared, and the code is dead', async () => {
    const kit = await open({ signUpOnVerification })
    const code = await kit.sendCode()
    const guesses = Array.from({ length: many + 1 }, (_, count) => String(100_000 + count)).filter((guess) => guess !== code)
    const { '400 INVALID_OTP': compared, ...others } = tally(
      await race(kit.browsers(), (browser, count) => kit.verify(browser, guesses[count] ?? '')),
    )
    expect(compared).toBe(3)
    expect(others['403 TOO_MANY_ATTEMPTS']).toBe(1)
    expect(others['400 OTP_NOT_FOUND']).toBe(many - 4)
    expect((await kit.verify(kit.browser(), code)).body.code).toBe('OTP_NOT_FOUND')
  })

  test('a new code has one winner among 64 that replace each other', async () => {
    const kit = await open({ signUpOnVerification })
    const answers = await race(kit.browsers(), (browser) =>
      browser.call('POST /phone-number/send-otp', { body: { phoneNumber: number } }),
    )
    expect(tally(answers)).toEqual({ 200: many })
    expect(await kit.app.db.selectFrom('oneTimeCode').selectAll().execute()).toHaveLength(1)
    await expect.poll(() => kit.sms.sent.length).toBe(many)
    await kit.app.db.updateTable('oneTimeCode').set({ attempts: -1000 }).execute()
    const codes = [...new Set(kit.sms.sent.map(({ code }) => code))]
    const tried = await race(kit.browsers().slice(0, codes.length), (browser, count) => kit.verify(browser, codes[count] ?? ''))
    expect(tally(tried)[200]).toBe(1)
  })

  test('a number has one owner when users who got its codes add it', async () => {
    const kit = await open()
    const visitors = kit.browsers()
    await race(visitors, (browser, count) =>
      browser.call('POST /sign-up/email', { body: { name: 'Ann', email: `p${count}@example.com`, password } }),
    )
    // One code at a time: the next is sent when the one before is compared, so the database decides.
    const code = await kit.sendCode()
    const answers = await race(visitors, (browser) => kit.verify(browser, code, { updatePhoneNumber: true }))
    expectOneWinner(answers, '400 OTP_NOT_FOUND')
    expect((await users(kit)).filter(({ phoneNumber }) => phoneNumber === number)).toHaveLength(1)
  })

  test('a reset code sets one password', async () => {
    const kit = await open({}, { passwordHash: { memory: 8192, iterations: 1, queue: 1000 } })
    const visitor = kit.browser()
    await visitor.call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password } })
    await kit.verify(visitor, await kit.sendCode(), { updatePhoneNumber: true })
    await visitor.call('POST /phone-number/request-password-reset', { body: { phoneNumber: number } })
    const { code: otp } = await kit.sms.next()
    const newPassword = (count: number) => `a horse of number ${count}`
    const answers = await race(kit.browsers(), (browser, count) =>
      browser.call('POST /phone-number/reset-password', { body: { phoneNumber: number, otp, newPassword: newPassword(count) } }),
    )
    const winner = expectOneWinner(answers, '400 OTP_NOT_FOUND')
    const body = { phoneNumber: number, password: newPassword(winner) }
    expect((await kit.browser().call('POST /sign-in/phone-number', { body })).status).toBe(200)
  })
})
