/** What may happen once only, in 64 concurrent calls; also on two daemons, with a database server. */
import { describe, expect, test } from 'vitest'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'

const email = 'ann@example.com'

describe.each(places)('at %s', (place) => {
  async function open() {
    const mails = captureMails<{ otp: string }>()
    const kit = await openRacers(place, { emailOTP: { sendVerificationOTP: mails.send } })
    const send = async (browser: Browser) => {
      await browser.call('POST /email-otp/send-verification-otp', { body: { email, type: 'sign-in' } })
      return (await mails.next()).otp
    }
    const signIn = (browser: Browser, otp: string) => browser.call('POST /sign-in/email-otp', { body: { email, otp } })
    const users = () => kit.app.db.selectFrom('user').selectAll().execute()
    return { ...kit, mails, send, signIn, users }
  }

  test('a code is used once, and signs up one user', async () => {
    const kit = await open()
    const code = await kit.send(kit.browser())
    const answers = await race(kit.browsers(), (browser) => kit.signIn(browser, code))
    expect(tally(answers)).toEqual({ 200: 1, '400 INVALID_OTP': many - 1 })
    expect(await kit.users()).toHaveLength(1)
  })

  test('three of 64 wrong guesses are compared, and the code is dead', async () => {
    const kit = await open()
    const code = await kit.send(kit.browser())
    const guesses = Array.from({ length: many + 1 }, (_, count) => String(100_000 + count)).filter((guess) => guess !== code)
    const answers = await race(kit.browsers(), (browser, count) => kit.signIn(browser, guesses[count] ?? ''))
    expect(tally(answers)).toEqual({ '400 INVALID_OTP': many - 1, '403 TOO_MANY_ATTEMPTS': 1 })
    const failed = kit.app.db.selectFrom('auditEvent').select('id').where('action', '=', 'email-code.failed')
    expect(await failed.execute()).toHaveLength(3)
    expect((await kit.signIn(kit.browser(), code)).body.code).toBe('INVALID_OTP')
  })

  test('two browsers with a code each for one new address get one user, and both are signed in', async () => {
    const kit = await open()
    const page = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
    const visitors = [kit.browser(), kit.browser()]
    const codes: string[] = []
    for (const visitor of visitors) {
      await visitor.call('POST /email-otp/send-verification-otp', { body: { email, type: 'sign-in' } }, page)
      codes.push((await kit.mails.next()).otp)
    }
    const answers = await race(visitors, (visitor, count) => kit.signIn(visitor, codes[count] ?? ''))
    expect(tally(answers)).toEqual({ 200: 2 })
    expect(await kit.users()).toHaveLength(1)
  })
})
