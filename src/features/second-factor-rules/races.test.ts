/** Concurrent first codes of a set-up, concurrent sign-ins under a rule, and concurrent runs of the job. */
import { describe, expect, test } from 'vitest'
import { nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { expectOneWinner, openRacers, places, race } from '../../../tests/kit/race.ts'
import { addStaff, beginApp, proveMailbox, staff } from '../../../tests/kit/required-factor.ts'
import { hasSession, signInAs, verify } from '../../../tests/kit/second-factor.ts'

/** What those get who come too late. */
const late = ['401 INVALID_TWO_FACTOR_COOKIE', '400 TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE', '401 INVALID_CODE']

describe.each(places)('at %s', (place) => {
  async function open(graceDays: number) {
    const codes = captureMails<{ otp: string }>()
    const kit = await openRacers(place, {
      admin: true,
      mail: { catch: true },
      twoFactor: { required: [{ ...staff, graceDays }], otpOptions: { sendOTP: codes.send } },
    })
    return { ...kit, codes, ...(await addStaff(kit, 'Ann')) }
  }

  test('64 first codes of one set-up give one session', async () => {
    const kit = await open(0)
    const ann = kit.browser()
    await proveMailbox(ann, kit.codes)
    const { code } = await beginApp(ann, kit.app)
    const answers = await race(kit.browsers(ann), (browser) => verify(browser, code()))
    expectOneWinner(answers, ...late, '400 TOTP_NOT_ENABLED')
    expect(answers.filter(hasSession)).toHaveLength(1)
    const sessions = await kit.app.db.selectFrom('session').select('acr').where('userId', '=', kit.userId).execute()
    expect(sessions).toEqual([{ acr: 'urn:latchkey:acr:2' }])
  })

  test('of two set-ups of a user, such as that of a thief who reads the mailbox too late, the first ends the other', async () => {
    const kit = await open(0)
    const [ann, thief] = [kit.browser(), kit.browser()]
    await proveMailbox(ann, kit.codes)
    kit.clock.advance(31)
    await proveMailbox(thief, kit.codes)
    const { code } = await beginApp(ann, kit.app)
    expect(hasSession(await verify(ann, code()))).toBe(true)
    expect((await thief.call('POST /two-factor/enable', { body: {} })).status).toBe(401)
    expect(await nameOf(thief)).toBeNull()
  })

  test('concurrent sign-ins start the grace once', async () => {
    const kit = await open(14)
    const answers = await race(kit.browsers(), (browser) => signInAs(browser, 'Ann'))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(await kit.app.db.selectFrom('twoFactorDue').select('rule').execute()).toEqual([{ rule: 'role:staff' }])
  })
})
