import { describe, expect, test } from 'vitest'
import { withAdmin } from '../../../tests/kit/administration.ts'
import { baseURL, testApp } from '../../../tests/kit/app.ts'
import type { Answer, Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { runBefore } from '../../../tests/kit/statements.ts'
import type { ConfigFile } from '../index.ts'
import { setPasswordForUser } from '../password-change/index.ts'
import { importUsers } from '../transfer/index.ts'
import { findUserById } from '../users/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const number = '+491701234567'
const signUpOnVerification = {
  getTempEmail: (phone: string) => `${phone.slice(1)}@phone.example.com`,
  getTempName: (phone: string) => `User ${phone.slice(-4)}`,
}
type Options = Exclude<NonNullable<ConfigFile['phoneNumber']>, boolean>

const outcome = ({ status, body }: Answer) => [status, body?.code].filter(Boolean).join(' ')

async function arrive(phoneNumber: Options = {}, config: ConfigFile = {}) {
  const sms = captureMails<{ to: string; text: string; kind: string; code: string; id: string }>()
  const kit = await testApp({ phoneNumber: { enabled: true, ...phoneNumber }, sms: { send: sms.send }, ...config })
  const post = (path: string, body: object, visitor = kit.browser()) => visitor.call(`POST ${path}` as never, { body } as never)
  const sendCode = async (to = number) => {
    const response = await post('/phone-number/send-otp', { phoneNumber: to })
    expect([response.status, response.body]).toEqual([200, { message: 'code sent' }])
    return (await sms.next()).code
  }
  const verify = (code: string, more: object = {}, visitor?: Browser) =>
    post('/phone-number/verify', { phoneNumber: number, code, ...more }, visitor)
  const signUp = async (body: object = {}) => {
    const visitor = kit.browser()
    await post('/sign-up/email', { ...ann, ...body }, visitor)
    return visitor
  }
  /** Ann, with a verified number. */
  const withNumber = async () => {
    const visitor = await signUp()
    expect((await verify(await sendCode(), { updatePhoneNumber: true }, visitor)).status).toBe(200)
    return visitor
  }
  const user = async (visitor: Browser) => (await visitor.call('GET /get-session', {})).body?.user
  const signIn = (phone = number, password = ann.password, more: object = {}) =>
    post('/sign-in/phone-number', { phoneNumber: phone, password, ...more })
  return { ...kit, sms, post, sendCode, verify, signUp, withNumber, user, signIn }
}

const wrong = (code: string) => (code === '000000' ? '111111' : '000000')

describe('POST /phone-number/send-otp', () => {
  test('sends a text message with a code, stored as a keyed hash only', async () => {
    const { sendCode, sms, app } = await arrive()
    const code = await sendCode()
    expect(code).toMatch(/^\d{6}$/)
    expect(sms.sent).toMatchObject([{ to: number, kind: 'phone-verification', code }])
    expect(sms.sent[0]?.text).toBe(`${code} is your Latchkey code. It expires in 5 minutes. Never share it.`)
    const stored = JSON.stringify(
      await Promise.all(
        (['oneTimeCode', 'outbox', 'auditEvent'] as const).map((table) => app.db.selectFrom(table).selectAll().execute()),
      ),
    )
    expect(stored).not.toContain(`"${code}"`)
  })

  test('names the host of its own pages in the last line, and not to pages of applications', async () => {
    const { sms, browser } = await arrive({}, { trustedOrigins: ['https://app.example.com'] })
    const textFor = async (origin: string) => {
      const client = browser()
      await client.call('POST /phone-number/send-otp', { body: { phoneNumber: number } }, { origin })
      const { text, code } = await sms.next()
      return text.replaceAll(code, '482913').split('\n\n')
    }
    const sentence = '482913 is your Latchkey code. It expires in 5 minutes. Never share it.'
    expect(await textFor('https://app.example.com')).toEqual([sentence])
    expect(await textFor(baseURL)).toEqual([sentence, '@localhost #482913'])
  })

  test.each(['+49 170 1234567', '+49 (170) 123-4567', '0049170.1234567'])('takes %j for the same number', async (typed) => {
    const { sendCode, verify } = await arrive({ signUpOnVerification })
    const { body } = await verify(await sendCode(typed))
    expect(body.user).toMatchObject({ phoneNumber: number, phoneNumberVerified: true })
  })

  test.each([
    '',
    '0170 1234567',
    '+0491701234567',
    '+4901701234567',
    '+44 (0) 7700 900123',
    '+10201234567',
    '+49',
    `+${'1'.repeat(16)}`,
    'ann',
    '+49170\u0000123456',
    '+49170１２３４５６７',
    '1'.repeat(10_000),
  ])('rejects %j', async (typed) => {
    const { post, app } = await arrive()
    expect(outcome(await post('/phone-number/send-otp', { phoneNumber: typed }))).toBe('400 INVALID_PHONE_NUMBER')
    expect(await app.db.selectFrom('oneTimeCode').selectAll().execute()).toEqual([])
  })

  test('asks the validator of the configuration instead, and sends only to allowed prefixes', async () => {
    const sms = captureMails<object>()
    const local = await arrive({ phoneNumberValidator: async (phone) => phone.startsWith('017') })
    await local.sendCode('0170 / 123')
    expect(outcome(await local.post('/phone-number/send-otp', { phoneNumber: number }))).toBe('400 INVALID_PHONE_NUMBER')
    const german = await arrive({}, { sms: { send: sms.send, allowedPrefixes: ['+49'] } })
    expect((await german.post('/phone-number/send-otp', { phoneNumber: number })).status).toBe(200)
    expect(outcome(await german.post('/phone-number/send-otp', { phoneNumber: '+881234567890' }))).toBe(
      '400 INVALID_PHONE_NUMBER',
    )
  })

  test('calls functions of the option in place of sms.send; without any, it responds with 501', async () => {
    const own = captureMails<{ phoneNumber: string; code: string }>()
    const { post, verify } = await arrive({ sendOTP: own.send, signUpOnVerification, otpLength: 8 }, { sms: {} })
    await post('/phone-number/send-otp', { phoneNumber: number })
    const { code, phoneNumber } = await own.next()
    expect([phoneNumber, code]).toEqual([number, expect.stringMatching(/^\d{8}$/)])
    expect((await verify(code)).status).toBe(200)
    const without = await arrive({}, { sms: {} })
    const { status, body } = await without.post('/phone-number/send-otp', { phoneNumber: number })
    expect([status, body]).toEqual([501, { code: 'SENDOTP_NOT_IMPLEMENTED', message: 'sendOTP not implemented' }])
  })
})

describe('POST /phone-number/verify', () => {
  test('accepts three wrong codes, then rejects the right one too', async () => {
    const { sendCode, verify } = await arrive()
    const code = await sendCode()
    const given = [wrong(code), wrong(code), wrong(code), code, code]
    const outcomes: string[] = []
    for (const one of given) outcomes.push(outcome(await verify(one)))
    expect(outcomes).toEqual([...Array(3).fill('400 INVALID_OTP'), '403 TOO_MANY_ATTEMPTS', '400 OTP_NOT_FOUND'])
  })

  test('rejects a code that was never sent, has expired, was used or was replaced', async () => {
    const { sendCode, verify, clock } = await arrive({ signUpOnVerification })
    expect(outcome(await verify('123456'))).toBe('400 OTP_NOT_FOUND')
    const [former, code] = [await sendCode(), await sendCode()]
    if (former !== code) expect(outcome(await verify(former))).toBe('400 INVALID_OTP')
    expect((await verify(code)).status).toBe(200)
    expect(outcome(await verify(code))).toBe('400 OTP_NOT_FOUND')
    const late = await sendCode()
    clock.advance(300)
    for (const code of ['OTP_EXPIRED', 'OTP_NOT_FOUND']) expect(outcome(await verify(late))).toBe(`400 ${code}`)
  })

  test('signs up the owner of a number whose placeholder address a stranger has registered', async () => {
    const { sendCode, verify, signUp } = await arrive({ signUpOnVerification })
    await signUp({ email: '491701234567@phone.example.com' })
    const { status, body } = await verify(await sendCode())
    expect([status, body.user]).toEqual([
      200,
      expect.objectContaining({ phoneNumber: number, email: expect.stringMatching(/^491701234567-\w{16}@phone\.example\.com$/) }),
    ])
  })

  test('a code of one number is not one of another', async () => {
    const { sendCode, verify } = await arrive()
    const [mine, other] = [await sendCode(), await sendCode('+491709999999')]
    if (mine !== other) expect(outcome(await verify(mine, { phoneNumber: '+491709999999' }))).toBe('400 INVALID_OTP')
  })

  test('signs up an unknown number if configured, else returns null', async () => {
    const verified: unknown[] = []
    const { sendCode, verify, user, browser } = await arrive({
      signUpOnVerification,
      callbackOnVerification: (data) => verified.push(data),
    })
    const visitor = browser()
    const { status, body } = await verify(await sendCode(), {}, visitor)
    expect([status, body]).toEqual([
      200,
      {
        status: true,
        token: expect.any(String),
        user: expect.objectContaining({
          email: '491701234567@phone.example.com',
          name: 'User 4567',
          phoneNumber: number,
          phoneNumberVerified: true,
        }),
      },
    ])
    expect(await user(visitor)).toMatchObject({ id: body.user.id, emailVerified: false })
    expect(verified).toMatchObject([{ phoneNumber: number, user: { id: body.user.id } }])
    const closed = await arrive()
    const response = await closed.verify(await closed.sendCode())
    expect([response.status, response.body, response.setCookie]).toEqual([200, null, []])
  })

  test('signs in the user with the number; with disableSession without a session', async () => {
    const { withNumber, sendCode, verify, user, browser } = await arrive()
    const owner = await user(await withNumber())
    const visitor = browser()
    const { body } = await verify(await sendCode(), {}, visitor)
    expect(body).toMatchObject({ status: true, token: expect.any(String), user: { id: owner.id } })
    expect((await user(visitor)).id).toBe(owner.id)
    const without = await verify(await sendCode(), { disableSession: true })
    expect([without.body.token, without.setCookie]).toEqual([null, []])
  })

  test('adds the number to the current user with updatePhoneNumber, notifies them, and keeps the session', async () => {
    const mail = captureMails<{ to: string; subject: string }>()
    const { signUp, sendCode, verify, user, app } = await arrive({}, { mail: { from: 'a@b.co', send: mail.send } })
    const visitor = await signUp()
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    const { body, setCookie } = await verify(await sendCode(), { updatePhoneNumber: true }, visitor)
    expect(setCookie).toEqual([])
    const { session, user: shown } = (await visitor.call('GET /get-session', {})).body
    expect(body).toMatchObject({ status: true, token: session.token, user: { phoneNumber: number, phoneNumberVerified: true } })
    expect(shown).toMatchObject({ phoneNumber: number, phoneNumberVerified: true })
    expect(await mail.next()).toMatchObject({ to: ann.email, subject: 'The phone number of your Latchkey account was changed' })
    expect((await verify(await sendCode(), { updatePhoneNumber: true }, visitor)).status).toBe(200)
    expect((await user(visitor)).phoneNumber).toBe(number)
  })

  test('writes the cached copy of the session with the new number', async () => {
    const { signUp, sendCode, verify } = await arrive({}, { session: { cookieCache: { enabled: true } } })
    const { setCookie } = await verify(await sendCode(), { updatePhoneNumber: true }, await signUp())
    expect(setCookie.map((header) => header.split('=')[0])).toEqual(['latchkey.session_data'])
  })

  test('with updatePhoneNumber requires a session, a fresh one, and a number that no other user has verified', async () => {
    const { withNumber, signUp, sendCode, verify, clock } = await arrive()
    await withNumber()
    const { status, body } = await verify(await sendCode(), { updatePhoneNumber: true })
    expect([status, body]).toEqual([401, { code: 'USER_NOT_FOUND', message: 'User not found' }])
    const bob = await signUp({ email: 'bob@example.com' })
    expect(outcome(await verify(await sendCode(), { updatePhoneNumber: true }, bob))).toBe('400 PHONE_NUMBER_ALREADY_EXISTS')
    clock.advance(86_400)
    const other = { phoneNumber: '+491709999999' }
    const code = await sendCode(other.phoneNumber)
    expect(outcome(await verify(code, { ...other, updatePhoneNumber: true }, bob))).toBe('403 SESSION_IS_NOT_FRESH')
    expect((await verify(code, other)).status).toBe(200)
  })

  test('takes an unverified number from another user', async () => {
    const { signUp, sendCode, verify, user, app } = await arrive()
    const eve = await signUp({ email: 'eve@example.com' })
    await app.db.updateTable('user').set({ phoneNumber: number, phoneNumberVerified: false }).execute()
    const visitor = await signUp()
    expect((await verify(await sendCode(), { updatePhoneNumber: true }, visitor)).status).toBe(200)
    expect([(await user(visitor)).phoneNumber, (await user(eve)).phoneNumber]).toEqual([number, null])
  })

  test('backs off after failures over several codes', async () => {
    const { sendCode, verify } = await arrive({}, { attempts: { enabled: true, perNetwork: { failures: 4 } } })
    for (let count = 0; count < 2; count += 1) {
      const code = await sendCode()
      for (let guess = 0; guess < 2; guess += 1) expect(outcome(await verify(wrong(code)))).toBe('400 INVALID_OTP')
    }
    expect((await verify(await sendCode())).status).toBe(429)
  })

  test('is rejected during an impersonation, and for a banned user', async () => {
    const sms = captureMails<{ code: string }>()
    const { ada, uma, app, browser } = await withAdmin({}, { phoneNumber: true, sms: { send: sms.send } })
    await ada.browser.call('POST /admin/impersonate-user', { body: { userId: uma.userId } })
    await ada.browser.call('POST /phone-number/send-otp', { body: { phoneNumber: number } })
    const body = { phoneNumber: number, code: (await sms.next()).code }
    const add = { body: { ...body, updatePhoneNumber: true } }
    expect(outcome(await ada.browser.call('POST /phone-number/verify', add))).toBe('403 NOT_ALLOWED_WHILE_IMPERSONATING_A_USER')
    const remove = { body: { phoneNumber: null } as never }
    expect(outcome(await ada.browser.call('POST /update-user', remove))).toBe('403 NOT_ALLOWED_WHILE_IMPERSONATING_A_USER')
    const columns = { banned: true, phoneNumber: number, phoneNumberVerified: true }
    await app.db.updateTable('user').set(columns).where('id', '=', uma.userId).execute()
    expect(outcome(await browser().call('POST /phone-number/verify', { body }))).toBe('403 BANNED_USER')
  })
})

describe('POST /sign-in/phone-number', () => {
  test('signs in with the password of the user', async () => {
    const { withNumber, signIn } = await arrive()
    await withNumber()
    const { status, body } = await signIn('+49 170 1234567')
    expect([status, Object.keys(body), Object.keys(body.user).sort()]).toEqual([
      200,
      ['token', 'user'],
      ['createdAt', 'email', 'emailVerified', 'id', 'image', 'name', 'phoneNumber', 'phoneNumberVerified', 'updatedAt'],
    ])
  })

  test('rejects invalid and unknown numbers, wrong passwords, and users without a password', async () => {
    const { withNumber, signIn, sendCode, verify } = await arrive({ signUpOnVerification })
    await withNumber()
    await verify(await sendCode('+491709999999'), { phoneNumber: '+491709999999' })
    expect(outcome(await signIn('ann'))).toBe('400 INVALID_PHONE_NUMBER')
    for (const [phone, password] of [
      ['+491700000000', ann.password],
      [number, 'wrong password'],
      ['+491709999999', ann.password],
    ] as const)
      expect(outcome(await signIn(phone, password))).toBe('401 INVALID_PHONE_NUMBER_OR_PASSWORD')
  })

  test('counts failures together with those of the email address', async () => {
    const { withNumber, signIn, post } = await arrive({}, { attempts: { enabled: true, perNetwork: { failures: 2 } } })
    await withNumber()
    const byEmail = (password: string) => post('/sign-in/email', { email: ann.email, password })
    expect([(await signIn(number, 'wrong password')).status, (await byEmail('wrong password')).status]).toEqual([401, 401])
    expect([(await signIn()).status, (await byEmail(ann.password)).status]).toEqual([429, 429])
  })

  test('with requireVerification sends a code to an unverified number, for the right password only', async () => {
    const { signUp, signIn, sms, verify, app } = await arrive({ requireVerification: true })
    const visitor = await signUp()
    await app.db.updateTable('user').set({ phoneNumber: number, phoneNumberVerified: false }).execute()
    expect(outcome(await signIn(number, 'wrong password'))).toBe('401 INVALID_PHONE_NUMBER_OR_PASSWORD')
    expect(outcome(await signIn())).toBe('401 PHONE_NUMBER_NOT_VERIFIED')
    const { code } = await sms.next()
    expect(sms.sent).toHaveLength(1)
    expect((await verify(code, { disableSession: true }, visitor)).body.user.phoneNumberVerified).toBe(true)
    expect((await signIn()).status).toBe(200)
  })
})

describe('a password reset by text message', () => {
  const request = '/phone-number/request-password-reset'
  const reset = (body: object = {}) => ({ phoneNumber: number, newPassword: 'another horse entirely', ...body })

  test.each([request, '/phone-number/forget-password'])(
    'sets a password with the code of %s, once, and revokes sessions',
    async (path) => {
      const { withNumber, post, sms, user, signIn } = await arrive()
      const visitor = await withNumber()
      const asked = await post(path, { phoneNumber: number })
      expect([asked.status, asked.body]).toEqual([200, { status: true }])
      const { code: otp, kind, text } = await sms.next()
      expect([kind, text]).toEqual(['phone-password-reset', expect.stringContaining('reset your Latchkey password')])
      expect(outcome(await post('/phone-number/verify', { phoneNumber: number, code: otp }))).not.toBe('200')
      const done = await post('/phone-number/reset-password', reset({ otp }))
      expect([done.status, done.body]).toEqual([200, { status: true }])
      expect(await user(visitor)).toBeUndefined()
      expect([(await signIn()).status, (await signIn(number, 'another horse entirely')).status]).toEqual([401, 200])
      expect(outcome(await post('/phone-number/reset-password', reset({ otp })))).toBe('400 OTP_NOT_FOUND')
    },
  )

  test('checks the code, its attempts, and the password; a rejected password does not use the code', async () => {
    const { withNumber, post, sms } = await arrive({}, { passwordRules: true })
    await withNumber()
    await post(request, { phoneNumber: number })
    const { code: otp } = await sms.next()
    const send = async (body: object) => outcome(await post('/phone-number/reset-password', reset(body)))
    expect(await send({ otp, newPassword: 'short' })).toBe('400 PASSWORD_TOO_SHORT')
    expect(await send({ otp, newPassword: 'a'.repeat(129) })).toBe('400 PASSWORD_TOO_LONG')
    for (let count = 0; count < 4; count += 1)
      expect(await send({ otp, newPassword: 'password123' })).toBe('400 PASSWORD_COMPROMISED')
    for (let count = 0; count < 3; count += 1) expect(await send({ otp: wrong(otp) })).toBe('400 INVALID_OTP')
    expect([await send({ otp }), await send({ otp })]).toEqual(['403 TOO_MANY_ATTEMPTS', '400 OTP_NOT_FOUND'])
  })

  test('rejects unknown and unverified numbers, and expired codes', async () => {
    const { withNumber, post, sms, clock, app } = await arrive()
    expect(outcome(await post(request, { phoneNumber: number }))).toBe('400 PHONE_NUMBER_ISNT_REGISTERED')
    await withNumber()
    await post(request, { phoneNumber: number })
    const { code: otp } = await sms.next()
    clock.advance(300)
    expect(outcome(await post('/phone-number/reset-password', reset({ otp })))).toBe('400 OTP_EXPIRED')
    await app.db.updateTable('user').set({ phoneNumberVerified: false }).execute()
    expect(outcome(await post(request, { phoneNumber: number }))).toBe('400 PHONE_NUMBER_ISNT_REGISTERED')
  })

  test('rejects the code when the number has moved, and deletes it when an operator has set the password', async () => {
    const { withNumber, post, sms, app } = await arrive()
    await withNumber()
    const { id } = await app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
    const ask = async () => {
      await post(request, { phoneNumber: number })
      return (await sms.next()).code
    }
    const first = await ask()
    await setPasswordForUser(app, (await findUserById(app, id)) ?? expect.fail(), 'a third horse here')
    expect(outcome(await post('/phone-number/reset-password', reset({ otp: first })))).toBe('400 OTP_NOT_FOUND')
    const second = await ask()
    await app.db.updateTable('user').set({ phoneNumber: '+491709999999' }).execute()
    expect(outcome(await post('/phone-number/reset-password', reset({ otp: second })))).toBe('400 UNEXPECTED_ERROR')
  })

  test('with antiEnumeration does not reveal whether a number is registered', async () => {
    const { post, sms, app } = await arrive(
      {},
      { emailAndPassword: { enabled: true, requireEmailVerification: true, antiEnumeration: true } },
    )
    const { status, body } = await post(request, { phoneNumber: number })
    expect([status, body, sms.sent]).toEqual([200, { status: true }, []])
    await expect.poll(() => app.db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })
})

describe('a number that was claimed at sign-up', () => {
  const bobs = { email: 'bob@example.com', phoneNumber: number }

  test('is shown as unverified, may be claimed by several users, and permits nothing', async () => {
    const { signUp, user, signIn, post } = await arrive()
    const [visitor, bob] = [await signUp({ phoneNumber: '+49 170 1234567' }), await signUp(bobs)]
    for (const by of [visitor, bob]) expect(await user(by)).toMatchObject({ phoneNumber: number, phoneNumberVerified: false })
    expect(outcome(await signIn())).toBe('401 INVALID_PHONE_NUMBER_OR_PASSWORD')
    expect(outcome(await post('/phone-number/request-password-reset', { phoneNumber: number }))).toBe(
      '400 PHONE_NUMBER_ISNT_REGISTERED',
    )
    expect(outcome(await post('/sign-up/email', { ...ann, email: 'eve@example.com', phoneNumber: 'x' }))).toBe(
      '400 INVALID_PHONE_NUMBER',
    )
  })

  test('is confirmed by a code with a session of the user, and taken from the others', async () => {
    const { signUp, user, signIn, sendCode, verify } = await arrive()
    const [visitor, bob] = [await signUp({ phoneNumber: number }), await signUp(bobs)]
    expect((await verify(await sendCode(), {}, visitor)).body.user).toMatchObject({
      phoneNumber: number,
      phoneNumberVerified: true,
    })
    expect((await user(bob)).phoneNumber).toBeNull()
    expect((await signIn()).status).toBe(200)
  })

  test('needs a fresh session to be confirmed', async () => {
    const { signUp, sendCode, verify, clock } = await arrive()
    const visitor = await signUp({ phoneNumber: number })
    clock.advance(86_400)
    expect(outcome(await verify(await sendCode(), {}, visitor))).toBe('403 SESSION_IS_NOT_FRESH')
  })

  test.each([
    ['signs up its owner', { signUpOnVerification }, number],
    ['answers null', {}, undefined],
  ] as const)('is taken from the user by a code without their session, which %s', async (_, options, owned) => {
    const { signUp, user, sendCode, verify } = await arrive(options)
    const visitor = await signUp({ phoneNumber: number })
    const { body } = await verify(await sendCode())
    expect(body?.user.phoneNumber).toBe(owned)
    expect(body?.user.email).not.toBe(ann.email)
    expect(await user(visitor)).toMatchObject({ email: ann.email, phoneNumber: null })
  })

  test('is taken from others when the user who has verified it enters a code', async () => {
    const { withNumber, signUp, user, sendCode, verify } = await arrive()
    await withNumber()
    const bob = await signUp(bobs)
    expect((await verify(await sendCode())).body.user.email).toBe(ann.email)
    expect((await user(bob)).phoneNumber).toBeNull()
  })

  test('belongs to one of several users who confirm it at the same time', async () => {
    const { signUp, sendCode, verify, app } = await arrive()
    const [visitor, bob] = [await signUp({ phoneNumber: number }), await signUp(bobs)]
    const code = await sendCode()
    await Promise.all([visitor, bob].map((by) => verify(code, {}, by)))
    const owners = await app.db.selectFrom('user').select('id').where('phoneNumberVerified', '=', true).execute()
    expect(owners).toHaveLength(1)
  })
})

describe('other calls', () => {
  test('claim a number; /update-user removes it, unless it is the only sign-in method', async () => {
    const { withNumber, post, user, signUp, sendCode, verify, browser } = await arrive({ signUpOnVerification })
    const visitor = await withNumber()
    const change = (phoneNumber: string | null, by = visitor) => post('/update-user', { phoneNumber }, by)
    expect((await change(number)).status).toBe(200)
    expect(await user(visitor)).toMatchObject({ phoneNumber: number, phoneNumberVerified: true })
    expect((await change('+49 170 9999999')).status).toBe(200)
    expect(await user(visitor)).toMatchObject({ phoneNumber: '+491709999999', phoneNumberVerified: false })
    expect((await change(null)).status).toBe(200)
    expect(await user(visitor)).toMatchObject({ phoneNumber: null, phoneNumberVerified: null })
    const bob = await signUp({ email: 'bob@example.com', phoneNumber: number })
    expect(await user(bob)).toMatchObject({ phoneNumber: number, phoneNumberVerified: false })
    const only = browser()
    await verify(await sendCode(), {}, only)
    expect(outcome(await change(null, only))).toBe('400 PHONE_NUMBER_CANNOT_BE_UPDATED')
  })

  test('an administrator sets a number, which is unverified unless they say so', async () => {
    const { ada, uma } = await withAdmin({}, { phoneNumber: true })
    const change = (data: object) => ada.browser.call('POST /admin/update-user', { body: { userId: uma.userId, data } })
    expect((await change({ phoneNumber: '+49 170 1234567', phoneNumberVerified: true })).body).toMatchObject({
      phoneNumber: number,
      phoneNumberVerified: true,
    })
    expect((await change({ phoneNumber: '+491709999999' })).body).toMatchObject({ phoneNumberVerified: false })
    expect(outcome(await change({ phoneNumber: 'x' }))).toBe('400 INVALID_PHONE_NUMBER')
    const own = { userId: ada.userId, data: { phoneNumber: number, phoneNumberVerified: true } }
    expect((await ada.browser.call('POST /admin/update-user', { body: own as never })).status).toBe(200)
    expect((await change({ phoneNumber: number })).status).toBe(200)
    expect(outcome(await change({ phoneNumber: number, phoneNumberVerified: true }))).toBe('400 PHONE_NUMBER_ALREADY_EXISTS')
    const created = { email: 'x@example.com', name: 'X', data: { phoneNumber: number, phoneNumberVerified: true } }
    expect(outcome(await ada.browser.call('POST /admin/create-user', { body: created as never }))).toBe(
      '400 PHONE_NUMBER_ALREADY_EXISTS',
    )
  })

  test('an import stores numbers in one form, and rejects invalid ones', async () => {
    const { app } = await arrive()
    const line = (position: number, user: object) => ({ number: position, text: JSON.stringify({ user }) })
    const read = importUsers(app, { dryRun: false })
    const lines = [
      line(1, { email: 'a@example.com', phoneNumber: '0049 170 1234567', phoneNumberVerified: true }),
      line(2, { email: 'b@example.com', phoneNumber: '0170' }),
    ]
    expect(await read(lines)).toMatchObject([{ outcome: 'created' }, { outcome: 'invalid', message: 'Invalid phone number' }])
    expect(await app.db.selectFrom('user').select(['phoneNumber', 'phoneNumberVerified']).execute()).toEqual([
      { phoneNumber: number, phoneNumberVerified: true },
    ])
  })
})

test('a right code is not used when guesses have used up its attempts since it was compared', async () => {
  const kit = await arrive({ signUpOnVerification })
  const code = await kit.sendCode()
  const guess = async () => {
    for (let count = 0; count < 3; count += 1) expect(outcome(await kit.verify(wrong(code)))).toBe('400 INVALID_OTP')
  }
  const isGuessed = runBefore(kit, 'delete onetimecode', guess)
  expect((await kit.verify(code)).status).not.toBe(200)
  expect(isGuessed()).toBe(true)
  expect(await kit.app.db.selectFrom('user').select('id').execute()).toEqual([])
})

test('a code verifies its own number, also when the user has another one since they were read', async () => {
  const kit = await arrive()
  const visitor = await kit.signUp()
  const code = await kit.sendCode()
  const change = () => kit.app.db.updateTable('user').set({ phoneNumber: '+491709999999' }).execute()
  const isChanged = runBefore(kit, 'delete onetimecode', change)
  const response = await kit.verify(code, { updatePhoneNumber: true }, visitor)
  expect([response.status, isChanged()]).toEqual([200, true])
  expect(await kit.user(visitor)).toMatchObject({ phoneNumber: number, phoneNumberVerified: true })
})
