import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { type Answer, type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { clearEmailCodes, countCodeRequest, explainEmailCodes, readMailDelay } from '../email-verification/index.ts'
import type { ConfigFile } from '../index.ts'
import type { CodeMail } from './mails.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const { email } = ann
const newPassword = 'another horse entirely'
type Options = Exclude<NonNullable<ConfigFile['emailOTP']>, boolean>

const outcome = ({ status, body }: Answer) => [status, body?.code].filter(Boolean).join(' ')
const wrong = (code: string) => (code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`)
/** What a browser sends with a call of a page of our own. */
const page = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }

async function arrive(emailOTP: Options = {}, config: ConfigFile = {}) {
  const mails = captureMails<CodeMail>()
  const links = captureMails()
  const kit = await testApp({
    emailVerification: { sendVerificationEmail: links.send },
    ...config,
    emailOTP: { sendVerificationOTP: mails.send, ...emailOTP },
  })
  const post = (path: string, body: object, browser: Browser = kit.browser(), headers: Record<string, string> = page) =>
    browser.call(`POST ${path}` as never, { body } as never, headers)
  const send = async (browser: Browser, type = 'sign-in', to = email, headers = page) => {
    const response = await post('/email-otp/send-verification-otp', { email: to, type }, browser, headers)
    expect([response.status, response.body]).toEqual([200, { success: true }])
    return (await mails.next()).otp
  }
  const signUp = async (body: object = {}) => {
    const browser = kit.browser()
    expect((await post('/sign-up/email', { ...ann, ...body }, browser)).status).toBe(200)
    return browser
  }
  const verifyAnn = () => kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
  const user = async () => kit.app.db.selectFrom('user').selectAll().where('email', '=', email).executeTakeFirst()
  return { ...kit, mails, links, post, send, signUp, user, verifyAnn }
}

describe('POST /email-otp/send-verification-otp', () => {
  test('sends a code and sets a cookie; the code is stored as a keyed hash only', async () => {
    const { app, browser, mails, post } = await arrive()
    const answer = await post('/email-otp/send-verification-otp', { email: 'ANN@Example.com', type: 'sign-in' }, browser())
    expect(answer.setCookie).toEqual([
      expect.stringMatching(/^latchkey\.email_otp=\w{32}\.[\w%]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    const { otp, ...mail } = await mails.next()
    expect(otp).toMatch(/^\d{6}$/)
    expect(mail).toMatchObject({ email, type: 'sign-in' })
    const stored = JSON.stringify([
      await app.db.selectFrom('oneTimeCode').selectAll().execute(),
      await app.db.selectFrom('auditEvent').selectAll().execute(),
    ])
    expect(stored).not.toContain(otp)
  })

  test.each([
    ['an invalid address', { email: 'nope', type: 'sign-in' }, '400 INVALID_EMAIL'],
    ['an unknown type', { email, type: 'zzz' }, '400 VALIDATION_ERROR'],
    ['a change of address', { email, type: 'change-email' }, '400 INVALID_OTP_TYPE'],
    ['no address', { type: 'sign-in' }, '400 VALIDATION_ERROR'],
  ])('rejects %s', async (_, body, expected) => {
    const { post } = await arrive()
    expect(outcome(await post('/email-otp/send-verification-otp', body))).toBe(expected)
  })

  test('fails when no email can be sent', async () => {
    const { post } = await arrive({ sendVerificationOTP: false })
    const answer = await post('/email-otp/send-verification-otp', { email, type: 'sign-in' })
    expect([answer.status, answer.body]).toEqual([
      400,
      { code: 'SEND_EMAIL_VERIFICATION_IS_NOT_IMPLEMENTED', message: 'send email verification is not implemented' },
    ])
    const wrongType = await post('/email-otp/send-verification-otp', { email, type: 'change-email' })
    expect(outcome(wrongType)).toBe('400 INVALID_OTP_TYPE')
  })

  test.each([
    ['sign-in with sign-up disabled', 'sign-in', { disableSignUp: true }],
    ['email-verification', 'email-verification', {}],
    ['forget-password', 'forget-password', {}],
  ])('sends nothing to an unknown address for %s, with the same response', async (_, type, options) => {
    const { browser, mails, post, send, settled } = await arrive(options)
    const answer = await post('/email-otp/send-verification-otp', { email, type }, browser())
    expect([answer.status, answer.body, answer.setCookie.length]).toEqual([200, { success: true }, 1])
    await settled()
    expect(mails.sent).toEqual([])
    if (type === 'sign-in') return
    await send(browser(), 'sign-in')
    expect(mails.sent.map((mail) => mail.type)).toEqual(['sign-in'])
  })
})

describe('POST /sign-in/email-otp', () => {
  test('signs up an unknown address, verified, and signs in a known one', async () => {
    const { browser, post, send, user } = await arrive()
    const visitor = browser()
    const otp = await send(visitor)
    const created = await post('/sign-in/email-otp', { email, otp, name: 'Ann', callbackURL: '/welcome' }, visitor)
    expect([created.status, created.body]).toMatchObject([
      200,
      { token: expect.any(String), redirect: true, url: '/welcome', user: { email, name: 'Ann', emailVerified: true } },
    ])
    expect(await nameOf(visitor)).toBe('Ann')
    const again = browser()
    const answer = await post('/sign-in/email-otp', { email, otp: await send(again), rememberMe: false }, again)
    expect([answer.status, Object.keys(answer.body).sort()]).toEqual([200, ['token', 'user']])
    expect(answer.setCookie.find((header) => header.includes('session_token'))).not.toContain('Max-Age')
    expect((await user())?.name).toBe('Ann')
  })

  test('rejects an unknown address with sign-up disabled like a wrong code', async () => {
    const { app, browser, post, settled } = await arrive({ disableSignUp: true })
    const visitor = browser()
    await post('/email-otp/send-verification-otp', { email, type: 'sign-in' }, visitor)
    await settled()
    const outcomes: string[] = []
    for (let guess = 0; guess < 5; guess += 1)
      outcomes.push(outcome(await post('/sign-in/email-otp', { email, otp: `00000${guess}` }, visitor)))
    expect(outcomes).toEqual([...Array(3).fill('400 INVALID_OTP'), '403 TOO_MANY_ATTEMPTS', '400 INVALID_OTP'])
    expect(await app.db.selectFrom('user').selectAll().execute()).toEqual([])
  })

  test('accepts three wrong codes, then rejects the right one too', async () => {
    const { browser, post, send } = await arrive()
    const visitor = browser()
    const code = await send(visitor)
    const outcomes: string[] = []
    for (const otp of [wrong(code), wrong(code), wrong(code), code, code])
      outcomes.push(outcome(await post('/sign-in/email-otp', { email, otp }, visitor)))
    expect(outcomes).toEqual([...Array(3).fill('400 INVALID_OTP'), '403 TOO_MANY_ATTEMPTS', '400 INVALID_OTP'])
  })

  test('rejects a code that was never sent, has expired, was used or was replaced', async () => {
    const { browser, clock, post, send } = await arrive()
    const visitor = browser()
    const signIn = (otp: string) => post('/sign-in/email-otp', { email, otp }, visitor)
    expect(outcome(await signIn('123456'))).toBe('400 INVALID_OTP')
    const [former, code] = [await send(visitor), await send(visitor)]
    if (former !== code) expect(outcome(await signIn(former))).toBe('400 INVALID_OTP')
    expect(outcome(await signIn(code))).toBe('200')
    expect(outcome(await signIn(code))).toBe('400 INVALID_OTP')
    const late = await send(visitor)
    clock.advance(600)
    const expired = await signIn(late)
    expect([expired.status, expired.body]).toEqual([400, { code: 'OTP_EXPIRED', message: 'otp expired' }])
    expect(outcome(await signIn(late))).toBe('400 INVALID_OTP')
  })

  test.each([
    ['spaces and hyphens', (code: string) => ` ${code.slice(0, 3)}-${code.slice(3)} `],
    ['fullwidth digits', (code: string) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))],
    ['Arabic digits', (code: string) => code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))],
  ])('accepts a code typed with %s', async (_, type) => {
    const { browser, post, send } = await arrive()
    const visitor = browser()
    expect(outcome(await post('/sign-in/email-otp', { email, otp: type(await send(visitor)) }, visitor))).toBe('200')
  })

  test('a required field is missing: the code stays usable', async () => {
    const { browser, post, send } = await arrive(
      {},
      { user: { additionalFields: { company: { type: 'string', required: true } } } },
    )
    const visitor = browser()
    const otp = await send(visitor)
    expect(outcome(await post('/sign-in/email-otp', { email, otp }, visitor))).toBe('400 COMPANY_IS_REQUIRED')
    expect(outcome(await post('/sign-in/email-otp', { email, otp, company: 'Acme' }, visitor))).toBe('200')
  })
})

test('a banned user gets no session by a code', async () => {
  const { app, browser, post, send, signUp } = await arrive({}, { admin: true })
  await signUp()
  await app.db.updateTable('user').set({ banned: true, emailVerified: true }).execute()
  const visitor = browser()
  const answer = await post('/sign-in/email-otp', { email, otp: await send(visitor) }, visitor)
  expect([outcome(answer), answer.setCookie.some((header) => header.includes('session_token'))]).toEqual([
    '403 BANNED_USER',
    false,
  ])
})

test('the event of a sign-in says how long its email took, and whether the browser that asked has used it', async () => {
  const { app, browser, clock, post, send } = await arrive()
  const readEvents = async () => {
    const events = app.db.selectFrom('auditEvent').select('details').where('action', '=', 'user.signed-in').orderBy('createdAt')
    return (await events.execute()).map(({ details }) => details)
  }
  const visitor = browser()
  const first = await send(visitor)
  clock.advance(42)
  await post('/sign-in/email-otp', { email, otp: first }, visitor)
  clock.advance(60)
  const byProgram = await send(browser(), 'sign-in', email, {} as typeof page)
  await post('/sign-in/email-otp', { email, otp: byProgram }, browser(), {})
  const common = { method: 'email-code' }
  expect(await readEvents()).toEqual([
    { ...common, sameBrowser: true, mailSeconds: 42 },
    { ...common, sameBrowser: false, mailSeconds: 0 },
  ])
  expect(await readMailDelay(app)).toBeNull()
  for (const seconds of [10, 20, 30]) {
    clock.advance(60)
    const again = browser()
    const otp = await send(again)
    clock.advance(seconds)
    await post('/sign-in/email-otp', { email, otp }, again)
  }
  expect(await readMailDelay(app)).toEqual({ seconds: 20, count: 5 })
})

test('explains why an address gets no codes, and that they are longer; a reset ends both', async () => {
  const { app, browser, clock, mails, post, send, settled } = await arrive(
    { allowedAttempts: 10 },
    { mailLimit: { enabled: true } },
  )
  const visitor = browser()
  for (let round = 0; round < 2; round += 1) {
    const code = await send(visitor)
    for (let guess = 0; guess < 10; guess += 1) await post('/sign-in/email-otp', { email, otp: wrong(code) }, visitor)
    clock.advance(31)
  }
  const usual = { failures: 0, wait: 0, nextDelay: 0, hasLongerCodes: false, sendsIn: 0 }
  expect(await explainEmailCodes(app, email)).toEqual({ ...usual, hasLongerCodes: true })
  for (let hour = 0; hour < 20; hour += 1) {
    clock.advance(3600)
    for (let network = 0; network < 2; network += 1) await countCodeRequest(app, `network ${network}`, email)
  }
  expect((await explainEmailCodes(app, 'ANN@example.com')).sendsIn).toBeGreaterThan(0)
  const before = mails.sent.length
  await post('/email-otp/send-verification-otp', { email, type: 'sign-in' }, browser())
  await settled()
  expect(mails.sent).toHaveLength(before)
  expect(await clearEmailCodes(app, 'ANN@example.com')).toBeGreaterThan(0)
  expect(await explainEmailCodes(app, email)).toEqual(usual)
  clock.advance(31)
  expect(await send(browser())).toMatch(/^\d{6}$/)
})

describe('a code belongs to the browser that asked for it', () => {
  test('a stranger who asks for codes neither ends it nor uses up its attempts nor can guess it', async () => {
    const { browser, post, send } = await arrive()
    const [owner, stranger, program] = [browser(), browser(), browser()]
    const code = await send(owner)
    const other = await send(stranger)
    const third = await send(program, 'sign-in', email, {} as typeof page)
    for (const [visitor, own, headers] of [
      [stranger, other, page],
      [program, third, {}],
      [browser(), '', page],
    ] as const) {
      if (code !== own)
        expect(outcome(await post('/sign-in/email-otp', { email, otp: code }, visitor, headers))).toBe('400 INVALID_OTP')
      for (let guess = 0; guess < 4; guess += 1)
        await post('/sign-in/email-otp', { email, otp: wrong(own || code) }, visitor, headers)
    }
    expect(outcome(await post('/sign-in/email-otp', { email, otp: code }, owner))).toBe('200')
  })

  test('programs without cookies use the code that a program asked for', async () => {
    const { browser, post, send } = await arrive()
    const otp = await send(browser(), 'sign-in', email, {} as typeof page)
    expect(outcome(await post('/sign-in/email-otp', { email, otp }, browser(), {}))).toBe('200')
  })

  test('unless bindToBrowser is off: one code per address', async () => {
    const { browser, post, send } = await arrive({ bindToBrowser: false })
    const former = await send(browser())
    const otp = await send(browser())
    if (former !== otp) expect(outcome(await post('/sign-in/email-otp', { email, otp: former }))).toBe('400 INVALID_OTP')
    expect(outcome(await post('/sign-in/email-otp', { email, otp }))).toBe('200')
  })

  test('wrong codes delay their network after 10, and the address after 50, for at most a minute; guesses without a code do not', async () => {
    const config = { attempts: { enabled: true }, server: { trustedProxies: ['127.0.0.1'] } } satisfies ConfigFile
    const { app, browser, clock, post, send } = await arrive({ allowedAttempts: 10 }, config)
    const from = (network: number) => ({ ...page, 'x-forwarded-for': `203.0.${network}.1` })
    const guess = async (visitor: Browser, otp: string, network: number) =>
      outcome(await post('/sign-in/email-otp', { email, otp }, visitor, from(network)))
    for (let count = 0; count < 60; count += 1) expect(await guess(browser(), '000000', 1)).toBe('400 INVALID_OTP')
    const failures = async () => (await explainEmailCodes(app, email)).failures
    expect(await failures()).toBe(0)
    for (let network = 2; network < 7; network += 1) {
      const visitor = browser()
      const code = await send(visitor)
      for (let count = 0; count < 10; count += 1) expect(await guess(visitor, wrong(code), network)).toBe('400 INVALID_OTP')
      expect(await guess(visitor, code, network)).toBe('429 TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER')
    }
    expect(await failures()).toBe(50)
    const owner = browser()
    const code = await send(owner)
    expect(await guess(owner, code, 7)).toBe('429 TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER')
    clock.advance(60)
    expect(await guess(owner, code, 7)).toBe('200')
  })

  test('after 20 wrong codes in a day the address gets longer ones', async () => {
    const { app, browser, clock, post, send } = await arrive({ allowedAttempts: 10 })
    const visitor = browser()
    for (let round = 0; round < 2; round += 1) {
      const code = await send(visitor)
      for (let guess = 0; guess < 10; guess += 1) await post('/sign-in/email-otp', { email, otp: wrong(code) }, visitor)
    }
    const long = await send(browser())
    expect(long).toMatch(/^\d{8}$/)
    const events = app.db.selectFrom('auditEvent').select('id').where('action', '=', 'email-code.suspended')
    expect(await events.execute()).toHaveLength(1)
    clock.advance(86_401)
    expect(await send(browser())).toMatch(/^\d{6}$/)
  })

  test('each network gets one in 30 seconds and five an hour, and leaves some to others', async () => {
    const limits = { mailLimit: { enabled: true }, server: { trustedProxies: ['127.0.0.1'] } } satisfies ConfigFile
    const { browser, clock, mails, post, settled } = await arrive({}, limits)
    const ask = async (network: string) => {
      await post('/email-otp/send-verification-otp', { email, type: 'sign-in' }, browser(), {
        ...page,
        'x-forwarded-for': network,
      })
      await settled()
      return mails.sent.length
    }
    expect([await ask('203.0.113.1'), await ask('203.0.113.1')]).toEqual([1, 1])
    for (let time = 0; time < 10; time += 1) {
      clock.advance(31)
      await ask('203.0.113.1')
    }
    expect(mails.sent).toHaveLength(5)
    expect(await ask('198.51.100.1')).toBe(6)
  })
})

describe('POST /email-otp/verify-email', () => {
  test('verifies the address in the browser that signed up, and nothing else changes', async () => {
    const { post, send, signUp, user } = await arrive()
    const visitor = await signUp()
    const answer = await post('/email-otp/verify-email', { email, otp: await send(visitor, 'email-verification') }, visitor)
    expect([answer.status, answer.body]).toMatchObject([200, { status: true, token: null, user: { email, emailVerified: true } }])
    expect([await nameOf(visitor), (await user())?.emailVerified]).toEqual(['Ann', true])
    expect(outcome(await post('/sign-in/email', ann))).toBe('200')
  })

  test('signs in with autoSignInAfterVerification, but not over the session of another user', async () => {
    const { browser, post, send, signUp } = await arrive({}, { emailVerification: { autoSignInAfterVerification: true } })
    await signUp()
    const eve = await signUp({ email: 'eve@example.com', name: 'Eve' })
    expect(
      (await post('/email-otp/verify-email', { email, otp: await send(eve, 'email-verification') }, eve)).body.token,
    ).toBeNull()
    expect(await nameOf(eve)).toBe('Eve')
    const bob = browser()
    await post('/sign-up/email', { ...ann, email: 'bob@example.com', name: 'Bob' })
    const otp = await send(bob, 'email-verification', 'bob@example.com')
    const answer = await post('/email-otp/verify-email', { email: 'bob@example.com', otp }, bob)
    expect([answer.body.token, await nameOf(bob)]).toEqual([expect.any(String), 'Bob'])
  })

  test.each([
    ['an invalid address', { email: 'nope', otp: 'x' }, '400 INVALID_EMAIL'],
    ['a wrong code', { email, otp: 'x' }, '400 INVALID_OTP'],
  ])('rejects %s', async (_, body, expected) => {
    const { post } = await arrive()
    expect(outcome(await post('/email-otp/verify-email', body))).toBe(expected)
  })
})

test('POST /email-otp/check-verification-otp compares a code without using it; every wrong one counts', async () => {
  const { browser, post, send } = await arrive()
  const visitor = browser()
  const otp = await send(visitor)
  const check = (code: string) => post('/email-otp/check-verification-otp', { email, type: 'sign-in', otp: code }, visitor)
  for (let time = 0; time < 5; time += 1) expect((await check(otp)).body).toEqual({ success: true })
  for (let time = 0; time < 2; time += 1) expect(outcome(await check(wrong(otp)))).toBe('400 INVALID_OTP')
  expect(outcome(await post('/sign-in/email-otp', { email, otp }, visitor))).toBe('200')
  expect(outcome(await check(otp))).toBe('400 INVALID_OTP')
})

describe('a password reset by code', () => {
  test.each(['/email-otp/request-password-reset', '/forget-password/email-otp'])(
    'is requested by %s, for known and unknown addresses',
    async (path) => {
      const { browser, mails, post, signUp, user } = await arrive()
      expect((await post(path, { email: 'unknown@example.com' })).body).toEqual({ success: true })
      await signUp()
      const visitor = browser()
      expect((await post(path, { email }, visitor)).body).toEqual({ success: true })
      const { otp } = await mails.next()
      const reset = (password: string, code = otp) => post('/email-otp/reset-password', { email, otp: code, password }, visitor)
      expect(outcome(await reset('x'))).toBe('400 PASSWORD_TOO_SHORT')
      expect(outcome(await reset('x'.repeat(200)))).toBe('400 PASSWORD_TOO_LONG')
      expect(outcome(await reset(newPassword, wrong(otp)))).toBe('400 INVALID_OTP')
      expect((await reset(newPassword)).body).toEqual({ success: true })
      expect(outcome(await reset(newPassword))).toBe('400 INVALID_OTP')
      expect((await user())?.emailVerified).toBe(true)
      expect(outcome(await post('/sign-in/email', { email, password: newPassword }))).toBe('200')
      expect(mails.sent).toHaveLength(1)
    },
  )

  test('rejects a password before it compares the code, and says nothing of the name of a user', async () => {
    const { browser, post, send, signUp, verifyAnn } = await arrive({}, { passwordRules: true })
    await signUp({ name: 'Wolfeschlegelstein' })
    await verifyAnn()
    const visitor = browser()
    const otp = await send(visitor, 'forget-password')
    const reset = async (password: string, code: string, to = email) =>
      outcome(await post('/email-otp/reset-password', { email: to, otp: code, password }, visitor))
    expect(await reset('password1', wrong(otp))).toBe('400 PASSWORD_COMPROMISED')
    const personal = 'Wolfeschlegelstein1'
    expect(await reset(personal, wrong(otp))).toBe('400 INVALID_OTP')
    expect(await reset(personal, wrong(otp), 'bob@example.com')).toBe('400 INVALID_OTP')
    expect(await reset(personal, otp)).toBe('400 PASSWORD_TOO_PERSONAL')
    expect(await reset(newPassword, otp)).toBe('200')
  })

  test('ends sessions that a stranger may have, also with revokeSessionsOnPasswordReset: false', async () => {
    const keeps = { emailAndPassword: { enabled: true, revokeSessionsOnPasswordReset: false } }
    const { browser, post, send, signUp, verifyAnn } = await arrive({}, keeps)
    const squatter = await signUp()
    const owner = browser()
    const reset = async (password: string) =>
      post('/email-otp/reset-password', { email, otp: await send(owner, 'forget-password'), password }, owner)
    expect(outcome(await reset(newPassword))).toBe('200')
    expect(await nameOf(squatter)).toBeNull()
    // The address is verified now, so that the sessions are known to be of its owner.
    await verifyAnn()
    const first = browser()
    await post('/sign-in/email', { email, password: newPassword }, first)
    expect(outcome(await reset('one more horse entirely'))).toBe('200')
    expect(await nameOf(first)).toBe('Ann')
  })

  test('ends the sessions and the open links and codes of the user', async () => {
    const { app, browser, post, send, signUp } = await arrive()
    const thief = await signUp()
    await send(thief, 'sign-in')
    const owner = browser()
    const otp = await send(owner, 'forget-password')
    expect(outcome(await post('/email-otp/reset-password', { email, otp, password: newPassword }, owner))).toBe('200')
    expect(await nameOf(thief)).toBeNull()
    expect(await app.db.selectFrom('oneTimeCode').selectAll().execute()).toEqual([])
  })
})

describe('a change of the email address by code', () => {
  const changeEmail = { enabled: true, verifyCurrentEmail: false }
  const newEmail = 'new@example.com'
  const change = (kit: Awaited<ReturnType<typeof arrive>>, visitor: Browser, body: object) =>
    kit.post('/email-otp/change-email', body, visitor)

  test('replaces it with the verified new one', async () => {
    const kit = await arrive({ changeEmail })
    const visitor = await kit.signUp()
    expect((await kit.post('/email-otp/request-email-change', { newEmail: 'NEW@example.com' }, visitor)).body).toEqual({
      success: true,
    })
    const { otp, email: to, type } = await kit.mails.next()
    expect([to, type]).toEqual([newEmail, 'change-email'])
    expect(outcome(await change(kit, visitor, { newEmail: 'other@example.com', otp }))).toBe('400 INVALID_OTP')
    expect(outcome(await change(kit, visitor, { newEmail, otp }))).toBe('200')
    const { user } = (await visitor.call('GET /get-session', {})).body
    expect(user).toMatchObject({ email: newEmail, emailVerified: true })
  })

  test('responds the same for a taken address, which gets no code', async () => {
    const kit = await arrive({ changeEmail })
    const visitor = await kit.signUp()
    await kit.signUp({ email: newEmail })
    expect((await kit.post('/email-otp/request-email-change', { newEmail }, visitor)).body).toEqual({ success: true })
    await kit.settled()
    expect(kit.mails.sent).toEqual([])
  })

  test('with verifyCurrentEmail, needs a code that was sent to the current address', async () => {
    const kit = await arrive({ changeEmail: { enabled: true } })
    const visitor = await kit.signUp()
    await kit.verifyAnn()
    const request = (otp?: string) => kit.post('/email-otp/request-email-change', { newEmail, ...(otp && { otp }) }, visitor)
    expect(outcome(await request())).toBe('400 OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL')
    const current = await kit.send(visitor, 'email-verification')
    expect(outcome(await request(wrong(current)))).toBe('400 INVALID_OTP')
    expect(outcome(await request(current))).toBe('200')
    expect(outcome(await change(kit, visitor, { newEmail, otp: (await kit.mails.next()).otp }))).toBe('200')
  })

  test.each([
    ['is disabled', {}, { newEmail }, '400 CHANGE_EMAIL_WITH_OTP_IS_DISABLED'],
    ['has an invalid address', { changeEmail }, { newEmail: 'nope' }, '400 INVALID_EMAIL'],
    ['has the current address', { changeEmail }, { newEmail: email }, '400 EMAIL_IS_THE_SAME'],
  ])('fails when it %s', async (_, options, body, expected) => {
    const kit = await arrive(options)
    expect(outcome(await kit.post('/email-otp/request-email-change', body, await kit.signUp()))).toBe(expected)
  })

  test('requires a fresh session', async () => {
    const kit = await arrive({ changeEmail }, { session: { freshAge: 60 } })
    const visitor = await kit.signUp()
    expect(outcome(await kit.post('/email-otp/request-email-change', { newEmail }))).toBe('401 UNAUTHORIZED')
    kit.clock.advance(61)
    for (const path of ['/email-otp/request-email-change', '/email-otp/change-email'])
      expect(outcome(await kit.post(path, { newEmail, otp: '123456' }, visitor))).toBe('403 SESSION_IS_NOT_FRESH')
  })
})

describe('a person who signed up with the address of another', () => {
  test.each([
    ['a code to sign in', 'sign-in', '/sign-in/email-otp'],
    ['a code that verifies the address', 'email-verification', '/email-otp/verify-email'],
  ])('loses their access by %s in another browser; the owner gets an email', async (_, type, path) => {
    const ended = captureMails<{ subject: string; text: string }>()
    const mail = { from: 'a@example.com', send: ended.send }
    const { app, browser, post, send, signUp } = await arrive({}, { mail })
    const squatter = await signUp()
    const owner = browser()
    expect(outcome(await post(path, { email, otp: await send(owner, type) }, owner))).toBe('200')
    expect(await nameOf(squatter)).toBeNull()
    expect(outcome(await post('/sign-in/email', ann))).toBe('401 INVALID_EMAIL_OR_PASSWORD')
    const { subject, text } = await ended.next()
    expect(subject).toBe('Earlier access to your Latchkey account has ended')
    expect(text).toContain('Ended: password, 1 session')
    const events = app.db.selectFrom('auditEvent').select('id').where('action', '=', 'earlier-access.ended')
    expect(await events.execute()).toHaveLength(1)
  })

  test('keeps it with revokeEarlierAccess: false', async () => {
    const { browser, post, send, signUp } = await arrive({}, { emailVerification: { revokeEarlierAccess: false } })
    const squatter = await signUp()
    const owner = browser()
    expect(outcome(await post('/sign-in/email-otp', { email, otp: await send(owner) }, owner))).toBe('200')
    expect(await nameOf(squatter)).toBe('Ann')
  })
})

describe('verification emails', () => {
  const mail: NonNullable<ConfigFile['mail']> = { from: 'a@example.com', send: () => {} }

  test.each([
    ['overrideDefaultEmailVerification', { overrideDefaultEmailVerification: true }],
    ['sendVerificationOnSignUp', { sendVerificationOnSignUp: true }],
  ])('have a code in place of the link with %s, in the browser that signed up', async (_, options) => {
    const { browser, mails, post, settled } = await arrive(options, {
      mail,
      emailVerification: {},
      emailAndPassword: { enabled: true, requireEmailVerification: true },
    })
    const visitor = browser()
    const { setCookie } = await post('/sign-up/email', ann, visitor)
    expect(setCookie.map((header) => header.split('=')[0]).sort()).toEqual(['latchkey.email_otp', 'latchkey.sign_up'])
    const { otp, type } = await mails.next()
    await settled()
    expect([type, mails.sent.length]).toEqual(['email-verification', 1])
    expect(outcome(await post('/email-otp/verify-email', { email, otp }, browser()))).toBe('400 INVALID_OTP')
    expect(outcome(await post('/email-otp/verify-email', { email, otp }, visitor))).toBe('200')
    expect(outcome(await post('/sign-in/email', ann))).toBe('200')
  })

  test('a sign-up without a verification link sends a code with sendVerificationOnSignUp', async () => {
    const { browser, links, mails, post } = await arrive({ sendVerificationOnSignUp: true })
    await post('/sign-up/email', ann, browser())
    expect((await mails.next()).type).toBe('email-verification')
    expect(links.sent).toEqual([])
  })
})
