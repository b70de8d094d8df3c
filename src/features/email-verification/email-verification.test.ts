import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { baseURL, testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { ConfigFile } from '../index.ts'

const ann = { name: 'Ann', email: 'Ann@Example.com', password: 'correct horse battery' }
const email = 'ann@example.com'
const secret = 'a secret of the tests, 0123456789 abcdefghij'

/** A daemon that mails links, and Ann, who has signed up. */
async function withAnn(config: ConfigFile = {}) {
  const mails = captureMails()
  const kit = await testApp({
    ...config,
    emailVerification: { sendVerificationEmail: mails.send, ...config.emailVerification },
  })
  const visitor = kit.browser()
  const signedUp = await visitor.call('POST /sign-up/email', { body: ann })
  const request = async (body: { email: string; callbackURL?: string } = { email }) => {
    const response = await kit.browser().call('POST /send-verification-email', { body })
    expect(response.status).toBe(200)
    return mails.next()
  }
  const annRow = () => kit.app.db.selectFrom('user').selectAll().where('name', '=', 'Ann').executeTakeFirstOrThrow()
  return { ...kit, mails, visitor, signedUp, request, annRow }
}

const forge = (claims: object, header: object = { alg: 'HS256' }, by = secret) => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${createHmac('sha256', by).update(input).digest('base64url')}`
}
const now = Date.parse('2026-01-31T12:00:00.000Z') / 1000

describe('POST /send-verification-email', () => {
  test('sends a verification link', async () => {
    const { request } = await withAnn()
    const mail = await request({ email: 'aNN@example.com', callbackURL: '/welcome?a=b' })
    expect(mail).toMatchObject({ user: { email, name: 'Ann', emailVerified: false } })
    expect(mail.url).toBe(`${baseURL}/api/auth/verify-email?token=${mail.token}&callbackURL=%2Fwelcome%3Fa%3Db`)
    const [header = '', claims = ''] = mail.token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
    expect(header).toBe('{"alg":"HS256"}')
    expect(JSON.parse(claims)).toEqual({ email, jti: expect.stringMatching(/^[a-zA-Z0-9]{24}$/), iat: now, exp: now + 3600 })
  })

  test('redirects to / by default without the hosted pages', async () => {
    const { request } = await withAnn({ dashboard: { enabled: false } })
    expect((await request()).url).toMatch(/&callbackURL=%2F$/)
    expect((await request({ email, callbackURL: '' })).url).toMatch(/&callbackURL=%2F$/)
  })

  test('responds alike to unknown and verified email addresses, and sends no email', async () => {
    const { app, browser, mails, request } = await withAnn()
    const ask = async (address: string) => {
      const { status, body, setCookie } = await browser().call('POST /send-verification-email', { body: { email: address } })
      return { status, body, setCookie }
    }
    const known = await ask(email)
    await mails.next()
    expect(known).toEqual({ status: 200, body: { status: true }, setCookie: [] })
    expect(await ask('unknown@example.com')).toEqual(known)
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    expect(await ask(email)).toEqual(known)
    await app.db.updateTable('user').set({ emailVerified: false }).execute()
    await request()
    expect(mails.sent).toHaveLength(2)
    await expect.poll(() => app.db.selectFrom('verification').selectAll().execute()).toEqual([])
  })

  test('sends with a session to its own email address only, and only until it is verified', async () => {
    const { app, visitor, mails } = await withAnn()
    // As it is stored, which is in lower case: the address that get-session shows.
    for (const foreign of ['eve@example.com', ann.email]) {
      const other = await visitor.call('POST /send-verification-email', { body: { email: foreign } })
      expect([other.status, other.body]).toEqual([
        400,
        {
          code: 'YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_YOUR_OWN_EMAIL',
          message: 'You can only send a verification email to your own email',
        },
      ])
    }
    expect((await visitor.call('POST /send-verification-email', { body: { email } })).body).toEqual({ status: true })
    await mails.next()
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    const done = await visitor.call('POST /send-verification-email', { body: { email: 'eve@example.com' } })
    expect([done.status, done.body]).toEqual([
      400,
      {
        code: 'YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL',
        message: 'You can only send a verification email to an unverified email',
      },
    ])
  })

  test.each([[undefined], [false as const]])('is rejected without a way to send email (%s)', async (sendVerificationEmail) => {
    const { browser } = await testApp({ emailVerification: sendVerificationEmail === undefined ? {} : { sendVerificationEmail } })
    const response = await browser().call('POST /send-verification-email', { body: { email } })
    expect([response.status, response.body]).toEqual([
      400,
      { code: 'VERIFICATION_EMAIL_ISNT_ENABLED', message: "Verification email isn't enabled" },
    ])
  })

  test('rejects an invalid email address and an untrusted callbackURL', async () => {
    const { browser } = await withAnn()
    const form = await browser().call('POST /send-verification-email', { body: { email: 'ann@example' } })
    expect([form.status, form.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    const foreign = await browser().call('POST /send-verification-email', { body: { email, callbackURL: 'https://evil.test' } })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'INVALID_CALLBACKURL'])
  })
})

describe('GET /verify-email', () => {
  test('verifies the email address, and responds with JSON or redirects', async () => {
    const { browser, request, annRow } = await withAnn()
    const response = await browser().call('GET /verify-email', { query: { token: (await request()).token } })
    expect([response.status, response.body, response.setCookie]).toEqual([200, { status: true, user: null }, []])
    expect((await annRow()).emailVerified).toBe(true)
  })

  test('redirects to a trusted callbackURL', async () => {
    const { browser, request } = await withAnn()
    const { url } = await request({ email, callbackURL: '/welcome' })
    const response = await browser().request(url.slice(`${baseURL}/api/auth`.length))
    expect([response.status, response.headers.get('location'), response.body]).toEqual([302, '/welcome', ''])
  })

  test('rejects an untrusted callbackURL before it reads the token, and a missing token', async () => {
    const { browser, request, annRow } = await withAnn()
    const { token } = await request()
    const foreign = await browser().call('GET /verify-email', { query: { token, callbackURL: 'https://evil.test' } })
    expect([foreign.status, foreign.body]).toEqual([403, { code: 'INVALID_CALLBACKURL', message: 'Invalid callbackURL' }])
    expect((await annRow()).emailVerified).toBe(false)
    const missing = await browser().request('/verify-email')
    expect([missing.status, missing.body]).toEqual([
      400,
      { code: 'VALIDATION_ERROR', message: 'Invalid query parameters', details: { parameters: expect.any(Array) } },
    ])
  })

  test.each([
    ['an expired token', 'token_expired', () => forge({ email, iat: now - 7200, exp: now - 3600 })],
    [
      'a token of another secret',
      'invalid_token',
      () => forge({ email, iat: now, exp: now + 60 }, { alg: 'HS256' }, 'x'.repeat(32)),
    ],
    [
      'a token without a signature',
      'invalid_token',
      () =>
        `${forge({ email, iat: now, exp: now + 60 }, { alg: 'none' })
          .split('.')
          .slice(0, 2)
          .join('.')}.`,
    ],
    ['a token of another algorithm', 'invalid_token', () => forge({ email, iat: now, exp: now + 60 }, { alg: 'HS512' })],
    ['a token without an email address', 'invalid_token', () => forge({ iat: now, exp: now + 60 })],
    ['a token of an unknown address', 'user_not_found', () => forge({ email: 'unknown@example.com', iat: now, exp: now + 60 })],
    ['a text', 'invalid_token', () => 'x'],
    ['a long text', 'invalid_token', () => 'x'.repeat(8000)],
  ])('rejects %s', async (_, code, token) => {
    const { browser } = await withAnn()
    const plain = await browser().call('GET /verify-email', { query: { token: token() } })
    expect([plain.status, plain.body]).toEqual([401, { code: code.toUpperCase(), message: code }])
    const follow = async (callbackURL: string) =>
      (await browser().call('GET /verify-email', { query: { token: token(), callbackURL } })).headers.get('location')
    expect(await follow('/dash')).toBe(`/dash?error=${code}`)
    expect(await follow('/dash?a=b')).toBe(`/dash?a=b&error=${code}`)
  })

  test('accepts a token without jti once, as the reference creates them', async () => {
    const { app, browser, annRow } = await withAnn({ emailVerification: { autoSignInAfterVerification: true } })
    const token = forge({ email, iat: now, exp: now + 60 })
    const [first, second] = [
      await browser().call('GET /verify-email', { query: { token } }),
      await browser().call('GET /verify-email', { query: { token } }),
    ]
    expect(first.setCookie).toHaveLength(1)
    expect([second.status, second.body, second.setCookie]).toEqual([200, { status: true, user: null }, []])
    expect((await annRow()).emailVerified).toBe(true)
    // The sign-up, and the first use.
    expect(await app.db.selectFrom('session').selectAll().execute()).toHaveLength(2)
  })

  test('accepts a token after a rotation of the secret', async () => {
    const { browser } = await withAnn({ secret: ['another secret, 9876543210 jihgfedcba abcd', secret] })
    const response = await browser().call('GET /verify-email', { query: { token: forge({ email, iat: now, exp: now + 60 }) } })
    expect(response.status).toBe(200)
  })

  test('calls onEmailVerification before the email address is verified; an error leaves the link usable', async () => {
    const seen: unknown[] = []
    let isBroken = true
    const onEmailVerification = (user: { email: string; emailVerified: boolean }) => {
      seen.push([user.email, user.emailVerified])
      if (isBroken) throw new Error('Broken')
    }
    const { browser, request, annRow } = await withAnn({ emailVerification: { onEmailVerification } })
    const { token } = await request()
    expect((await browser().call('GET /verify-email', { query: { token } })).status).toBe(500)
    expect((await annRow()).emailVerified).toBe(false)
    isBroken = false
    expect((await browser().call('GET /verify-email', { query: { token } })).status).toBe(200)
    expect((await annRow()).emailVerified).toBe(true)
    expect(seen).toEqual([
      [email, false],
      [email, false],
    ])
  })

  test('does not verify an email address that replaced the one in the link while the link was opened', async () => {
    const newEmail = 'new@example.com'
    const onEmailVerification = async () => {
      const changed = await visitor.call('POST /change-email', { body: { newEmail } })
      expect(changed.status).toBe(200)
    }
    const { annRow, browser, request, visitor } = await withAnn({
      emailVerification: { onEmailVerification },
      user: { changeEmail: { enabled: true } },
    })
    const { token } = await request()
    const followed = await browser().call('GET /verify-email', { query: { token } })
    expect([followed.status, followed.body.code]).toEqual([401, 'USER_NOT_FOUND'])
    expect(await annRow()).toMatchObject({ email: newEmail, emailVerified: false })
  })

  test('a hook that rejects the update leaves the link usable', async () => {
    let refuses = true
    const before = () => (refuses ? (false as const) : undefined)
    const { browser, request } = await withAnn({ databaseHooks: { user: { update: { before } } } })
    const { token } = await request()
    const refused = await browser().call('GET /verify-email', { query: { token } })
    expect([refused.status, refused.body]).toEqual([400, { code: 'FAILED_TO_UPDATE_USER', message: 'Failed to update user' }])
    refuses = false
    expect((await browser().call('GET /verify-email', { query: { token } })).status).toBe(200)
  })
})

describe('autoSignInAfterVerification', () => {
  const emailVerification = { autoSignInAfterVerification: true }

  test('creates a session for a browser without one', async () => {
    const { browser, request } = await withAnn({ emailVerification })
    const stranger = browser()
    const response = await stranger.call('GET /verify-email', { query: { token: (await request()).token } })
    expect(response.setCookie).toEqual([
      expect.stringMatching(/^latchkey\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect((await stranger.call('GET /get-session', {})).body.user).toMatchObject({ email, emailVerified: true })
  })

  test('keeps an existing session and sends its cookie again, each time', async () => {
    const { app, visitor, request, signedUp } = await withAnn({ emailVerification })
    const { token } = await request()
    for (let use = 0; use < 2; use += 1) {
      const response = await visitor.call('GET /verify-email', { query: { token } })
      expect(response.setCookie).toEqual([expect.stringContaining(`latchkey.session_token=${signedUp.body.token}.`)])
    }
    expect(await app.db.selectFrom('session').selectAll().execute()).toHaveLength(1)
  })

  test('creates a session by POST too: once, and only for a page of a trusted origin', async () => {
    const { app, browser, request } = await withAnn({ emailVerification })
    const { token } = await request()
    const post = (headers: Record<string, string>, by = browser()) => by.call('POST /verify-email', { body: { token } }, headers)
    const foreign = await post({
      'sec-fetch-dest': 'empty',
      'sec-fetch-mode': 'cors',
      'sec-fetch-site': 'cross-site',
      origin: 'https://evil.test',
    })
    expect([foreign.status, foreign.body.code, foreign.setCookie]).toEqual([403, 'INVALID_ORIGIN', []])
    const own = { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' }
    const first = await post(own)
    expect([first.status, first.setCookie.length]).toEqual([200, 1])
    const second = await post(own)
    expect([second.status, second.setCookie]).toEqual([200, []])
    expect(await app.db.selectFrom('session').selectAll().execute()).toHaveLength(2)
  })

  test('verifies, but keeps the session of another user', async () => {
    const { browser, request, annRow } = await withAnn({ emailVerification })
    const eve = browser()
    await eve.call('POST /sign-up/email', { body: { ...ann, name: 'Eve', email: 'eve@example.com' } })
    const response = await eve.call('GET /verify-email', { query: { token: (await request()).token } })
    expect([response.status, response.setCookie]).toEqual([200, []])
    expect((await eve.call('GET /get-session', {})).body.user.email).toBe('eve@example.com')
    expect((await annRow()).emailVerified).toBe(true)
  })

  test.each([
    ['a navigation', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }, true],
    ['a script of our own page', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' }, true],
    ['an image', { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' }, false],
    [
      'an image in our own page',
      { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'same-origin' },
      false,
    ],
    ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }, false],
    ['a script of a neighbour', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-site' }, false],
    [
      'a script of another site',
      { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' },
      false,
    ],
    [
      'a script of a trusted origin',
      {
        origin: 'https://app.example.com',
        'sec-fetch-dest': 'empty',
        'sec-fetch-mode': 'cors',
        'sec-fetch-site': 'cross-site',
      },
      true,
    ],
    [
      'a script of an untrusted origin',
      { origin: 'https://evil.test', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' },
      false,
    ],
    ['a program, which is Node.js by the mode that it sends', { 'sec-fetch-mode': 'cors' }, true],
    ['a program that sends nothing', {}, true],
    ['a script that sends no site', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }, false],
    ['an image that sends no destination', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' }, false],
  ])('signs in only when a person opens the link: %s', async (_, headers, signsIn) => {
    const { browser, request, annRow } = await withAnn({ emailVerification, trustedOrigins: ['https://app.example.com'] })
    const { token } = await request()
    const response = await browser().call('GET /verify-email', { query: { token } }, headers)
    expect([response.status, response.setCookie.length]).toEqual([200, signsIn ? 1 : 0])
    expect((await annRow()).emailVerified).toBe(true)
  })
})

describe('requireEmailVerification', () => {
  const emailAndPassword = { enabled: true, requireEmailVerification: true }
  const signIn = { email: ann.email, password: ann.password }

  test('sign-up creates no session and sends the link', async () => {
    const { signedUp, mails } = await withAnn({ emailAndPassword })
    expect([signedUp.status, signedUp.body.token, signedUp.body.user.email]).toEqual([200, null, email])
    expect(signedUp.setCookie).toEqual([expect.stringContaining('latchkey.sign_up=')])
    expect((await mails.next()).url).toMatch(/&callbackURL=%2Femail-verified$/)
  })

  test('sign-in is rejected and sends a new link until the email address is verified', async () => {
    const { browser, mails } = await withAnn({ emailAndPassword })
    const { token } = await mails.next()
    const visitor = browser()
    const refused = await visitor.call('POST /sign-in/email', { body: { ...signIn, callbackURL: '/in' } })
    expect([refused.status, refused.statusText, refused.body, refused.setCookie]).toEqual([
      403,
      'FORBIDDEN',
      { code: 'EMAIL_NOT_VERIFIED', message: 'Email not verified' },
      [expect.stringContaining('latchkey.sign_up=')],
    ])
    expect((await mails.next()).url).toMatch(/&callbackURL=%2Fin$/)
    await visitor.call('GET /verify-email', { query: { token } })
    expect((await browser().call('POST /sign-in/email', { body: signIn })).status).toBe(200)
    expect(mails.sent).toHaveLength(2)
  })

  test('a wrong password is rejected as usual, and sends no email', async () => {
    const { browser, mails } = await withAnn({ emailAndPassword })
    await mails.next()
    const response = await browser().call('POST /sign-in/email', { body: { ...signIn, password: 'another password' } })
    expect([response.status, response.body.code]).toEqual([401, 'INVALID_EMAIL_OR_PASSWORD'])
    expect(mails.sent).toHaveLength(1)
  })

  test('sign-in is rejected also when no email can be sent', async () => {
    const { browser } = await testApp({ emailAndPassword })
    expect((await browser().call('POST /sign-up/email', { body: ann })).body.token).toBeNull()
    expect((await browser().call('POST /sign-in/email', { body: signIn })).status).toBe(403)
  })
})

test('sendOnSignUp sends the link at sign-up and still creates the session', async () => {
  const { mails, signedUp } = await withAnn({ emailVerification: { sendOnSignUp: true } })
  expect((await mails.next()).user).toEqual({ ...signedUp.body.user })
  expect(signedUp.body.token).toMatch(/^\w{32}$/)
})

test('a sign-up that fails sends no email', async () => {
  const { browser, mails } = await withAnn({ emailVerification: { sendOnSignUp: true } })
  await mails.next()
  await Promise.all(Array.from({ length: 8 }, () => browser().call('POST /sign-up/email', { body: ann })))
  expect(mails.sent).toHaveLength(1)
})
