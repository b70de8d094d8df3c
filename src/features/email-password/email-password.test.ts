import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { App } from '../../core/app.ts'

const ann = { name: 'Ann', email: 'Ann@Example.com', password: 'correct horse battery' }
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('POST /sign-up/email', () => {
  test('creates a user, returns the seven keys and creates a session', async () => {
    const { browser } = await testApp()
    const response = await browser().call('POST /sign-up/email', { body: ann })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.body).toEqual({
      token: expect.stringMatching(/^[a-zA-Z0-9]{32}$/),
      user: {
        id: expect.stringMatching(/^[a-zA-Z0-9]{32}$/),
        name: 'Ann',
        email: 'ann@example.com',
        image: null,
        emailVerified: false,
        createdAt: expect.stringMatching(iso),
        updatedAt: expect.stringMatching(iso),
      },
    })
    expect(response.setCookie).toEqual([
      expect.stringMatching(
        new RegExp(
          `^latchkey\\.session_token=${response.body.token}\\.[A-Za-z0-9%]+; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax$`,
        ),
      ),
    ])
  })

  test('stores neither the token nor the password', async () => {
    const { app, browser } = await testApp()
    const { body } = await browser().call('POST /sign-up/email', { body: ann })
    const stored = JSON.stringify([
      await app.db.selectFrom('session').selectAll().execute(),
      await app.db.selectFrom('account').selectAll().execute(),
      await app.db.selectFrom('user').selectAll().execute(),
    ])
    expect(stored).not.toContain(body.token)
    expect(stored).not.toContain(ann.password)
    expect(stored).toContain('$argon2id$v=19$m=8192,t=1,p=1$')
  })

  test('accepts null for image and callbackURL', async () => {
    const { browser } = await testApp()
    const response = await browser().call('POST /sign-up/email', { body: { ...ann, image: null, callbackURL: null } })
    expect([response.status, response.body.user?.image]).toEqual([200, null])
  })

  test('rejects a known email address in any case', async () => {
    const { browser } = await testApp()
    await browser().call('POST /sign-up/email', { body: ann })
    const response = await browser().call('POST /sign-up/email', { body: { ...ann, email: 'aNN@example.COM' } })
    expect(response.status).toBe(422)
    expect(response.body).toEqual({ code: 'USER_ALREADY_EXISTS', message: 'User already exists' })
  })

  test.each([
    ['no body', {}],
    ['no name', { email: ann.email, password: ann.password }],
    ['no password', { name: 'Ann', email: ann.email }],
    ['an address that is not text', { ...ann, email: 7 }],
    ['a name of a megabyte', { ...ann, name: 'a'.repeat(20_000) }],
  ])('rejects %s', async (_, body) => {
    const { browser } = await testApp()
    const response = await browser().call('POST /sign-up/email', { body: body as never })
    expect([response.status, response.statusText]).toEqual([400, '400'])
    expect(response.body).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'Invalid body parameters',
      details: { parameters: expect.any(Array) },
    })
  })

  test.each([
    ['', 400, 'INVALID_EMAIL', 'Invalid email'],
    ['ann@example', 400, 'INVALID_EMAIL', 'Invalid email'],
  ])('rejects the email address "%s"', async (email, status, code, message) => {
    const { browser } = await testApp()
    const response = await browser().call('POST /sign-up/email', { body: { ...ann, email } })
    expect(response.status).toBe(status)
    expect(response.body).toEqual({ code, message })
  })

  test('rejects a password that is too short or too long, after the email address', async () => {
    const { browser } = await testApp()
    const signUp = async (password: string, email = ann.email) =>
      (await browser().call('POST /sign-up/email', { body: { ...ann, email, password } })).body
    expect(await signUp('1234567')).toEqual({ code: 'PASSWORD_TOO_SHORT', message: 'Password too short' })
    expect(await signUp('a'.repeat(129))).toEqual({ code: 'PASSWORD_TOO_LONG', message: 'Password too long' })
    expect(await signUp('1234567', 'invalid')).toMatchObject({ code: 'INVALID_EMAIL' })
  })

  test('ignores members that a user may not set', async () => {
    const { app, browser } = await testApp()
    const body = { ...ann, id: 'chosen', role: 'admin', emailVerified: true, createdAt: '2000-01-01' }
    await browser().call('POST /sign-up/email', { body })
    const user = await app.db.selectFrom('user').selectAll().executeTakeFirstOrThrow()
    expect(user).toMatchObject({ role: null, emailVerified: false })
    expect(user.id).not.toBe('chosen')
  })

  test('without autoSignIn creates no session', async () => {
    const { browser } = await testApp({ emailAndPassword: { enabled: true, autoSignIn: false } })
    const response = await browser().call('POST /sign-up/email', { body: ann })
    expect(response.body.token).toBeNull()
    expect(response.setCookie).toEqual([])
  })

  test.each([[{ enabled: false }], [{ enabled: true, disableSignUp: true }]])('is rejected with %j', async (emailAndPassword) => {
    const { browser } = await testApp({ emailAndPassword })
    const response = await browser().call('POST /sign-up/email', { body: ann })
    expect(response.status).toBe(400)
    expect(response.body).toEqual({
      code: 'EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED',
      message: 'Email and password sign up is not enabled',
    })
  })
})

describe('POST /sign-in/email', () => {
  const signedUp = async (config = {}) => {
    const kit = await testApp(config)
    await kit.browser().call('POST /sign-up/email', { body: ann })
    return kit
  }
  const { email, password } = ann

  test('creates a session', async () => {
    const { browser } = await signedUp()
    const response = await browser().call('POST /sign-in/email', { body: { email, password } })
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({
      redirect: false,
      token: expect.stringMatching(/^[a-zA-Z0-9]{32}$/),
      user: { email: 'ann@example.com' },
    })
    expect(response.body).not.toHaveProperty('url')
    expect(response.setCookie).toHaveLength(1)
  })

  test('returns the callbackURL for the client to redirect to', async () => {
    const { browser } = await signedUp()
    const signIn = async (callbackURL: string) =>
      (await browser().call('POST /sign-in/email', { body: { email, password, callbackURL } })).body
    expect(await signIn('/dash')).toMatchObject({ redirect: true, url: '/dash' })
    expect(await signIn('')).toMatchObject({ redirect: false, url: '' })
  })

  test('creates a new token each time', async () => {
    const { browser } = await signedUp()
    const visitor = browser()
    const first = await visitor.call('POST /sign-in/email', { body: { email, password } })
    const second = await visitor.call('POST /sign-in/email', { body: { email, password } })
    expect(second.body.token).not.toBe(first.body.token)
  })

  test('sets a session cookie and a session of one day without rememberMe', async () => {
    const { app, browser, clock } = await signedUp()
    const visitor = browser()
    const response = await visitor.call('POST /sign-in/email', { body: { email, password, rememberMe: false } })
    expect(response.setCookie).toEqual([
      expect.stringMatching(/^latchkey\.session_token=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^latchkey\.dont_remember=true\.[^;]+; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    const sessions = await app.db.selectFrom('session').select('expiresAt').execute()
    expect(sessions.map(({ expiresAt }) => expiresAt.getTime() - clock.now().getTime())).toContain(86_400_000)
    clock.advance(86_400)
    expect((await visitor.call('GET /get-session', {})).body).toBeNull()
  })

  test.each([
    ['an unknown address', { email: 'bob@example.com', password }],
    ['a wrong password', { email, password: 'wrong horse battery' }],
    ['a password that is too long', { email, password: 'a'.repeat(10_000) }],
    ['an empty password', { email, password: '' }],
  ])('responds to %s with the same error', async (_, body) => {
    const { browser } = await signedUp()
    const response = await browser().call('POST /sign-in/email', { body })
    expect([response.status, response.statusText]).toEqual([401, 'UNAUTHORIZED'])
    expect(response.body).toEqual({ code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' })
    expect(response.setCookie).toEqual([])
  })

  test.each([
    ['has no password', (app: App) => app.db.updateTable('account').set({ password: null })],
    ['signs in by other means only', (app: App) => app.db.updateTable('account').set({ providerId: 'google' })],
  ])('responds to a user who %s with the same error', async (_, change) => {
    const { app, browser } = await signedUp()
    await change(app).execute()
    const response = await browser().call('POST /sign-in/email', { body: { email, password } })
    expect([response.status, response.body]).toEqual([
      401,
      { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' },
    ])
  })

  test('reports a hook that rejects the session', async () => {
    const before = (session: { userAgent?: unknown }) => (session.userAgent === 'rejected' ? (false as const) : undefined)
    const { browser } = await signedUp({ databaseHooks: { session: { create: { before } } } })
    const response = await browser().call('POST /sign-in/email', { body: { email, password } }, { 'user-agent': 'rejected' })
    expect([response.status, response.statusText, response.body, response.setCookie]).toEqual([
      401,
      'UNAUTHORIZED',
      { code: 'FAILED_TO_CREATE_SESSION', message: 'Failed to create session' },
      [],
    ])
  })

  test('rejects an invalid email address', async () => {
    const { browser } = await signedUp()
    const response = await browser().call('POST /sign-in/email', { body: { email: 'ann', password } })
    expect([response.status, response.body.code]).toEqual([400, 'INVALID_EMAIL'])
  })

  test('is rejected when it is off', async () => {
    const { browser } = await testApp({ emailAndPassword: { enabled: false } })
    const response = await browser().call('POST /sign-in/email', { body: { email, password } })
    expect(response.body).toEqual({ code: 'EMAIL_AND_PASSWORD_IS_NOT_ENABLED', message: 'Email and password is not enabled' })
  })

  test('rehashes a hash of another cost, and keeps one of the configured cost', async () => {
    const { app, browser } = await signedUp()
    const stored = async () => String((await app.db.selectFrom('account').select('password').executeTakeFirstOrThrow()).password)
    const signIn = async () => (await browser().call('POST /sign-in/email', { body: { email, password } })).status
    const { app: costlier } = await testApp({ passwordHash: { memory: 8192, iterations: 2 } })
    const costly = await costlier.hasher.hash(password)
    expect(costly).toContain('m=8192,t=2')
    await app.db.updateTable('account').set({ password: costly }).execute()
    expect(await signIn()).toBe(200)
    const replaced = await stored()
    expect(replaced).toContain('m=8192,t=1')
    expect(await signIn()).toBe(200)
    expect(await stored()).toBe(replaced)
  })

  test('accepts a password in every Unicode form', async () => {
    const { browser } = await testApp()
    await browser().call('POST /sign-up/email', { body: { ...ann, password: 'pässWord1ﬁ' } })
    const response = await browser().call('POST /sign-in/email', { body: { email, password: 'pässWord1fi'.normalize('NFD') } })
    expect(response.status).toBe(200)
  })
})

describe('antiEnumeration', () => {
  const known = { name: 'Ann', email: 'Ann@Example.com', password: 'correct horse battery' }

  async function quiet() {
    const mails = captureMails()
    const kit = await testApp({
      emailAndPassword: { enabled: true, requireEmailVerification: true, antiEnumeration: true },
      emailVerification: { sendVerificationEmail: mails.send },
    })
    const signUp = (body: object = {}) => kit.browser().call('POST /sign-up/email', { body: { ...known, ...body } })
    const signIn = (password = known.password) =>
      kit.browser().call('POST /sign-in/email', { body: { email: known.email, password } })
    return { ...kit, mails, signUp, signIn }
  }

  test('responds to sign-up alike for known and unknown email addresses, and does not change the known user', async () => {
    const { app, clock, mails, signUp } = await quiet()
    const shape = (name: string) => ({
      token: null,
      user: {
        id: expect.stringMatching(/^\w{32}$/),
        name,
        email: 'ann@example.com',
        image: null,
        emailVerified: false,
        createdAt: clock.now().toISOString(),
        updatedAt: clock.now().toISOString(),
      },
    })
    const cookie = expect.stringMatching(/^latchkey\.sign_up=\w{32}\.[\w%]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/)
    const first = await signUp()
    expect([first.status, first.body, first.setCookie]).toEqual([200, shape('Ann'), [cookie]])
    const before = await app.db.selectFrom('user').selectAll().execute()
    expect(before[0]?.id).toBe(first.body.user.id)
    await mails.next()
    clock.advance(3600)
    const second = await signUp({ name: 'Eve', password: 'a password of Eve' })
    expect([second.status, second.body, second.setCookie]).toEqual([200, shape('Eve'), [cookie]])
    expect(second.body.user.id).not.toBe(first.body.user.id)
    expect(await app.db.selectFrom('user').selectAll().execute()).toEqual(before)
    expect(mails.sent).toHaveLength(1)
  })

  test('rejects invalid input alike', async () => {
    const { signUp } = await quiet()
    await signUp()
    for (const email of [known.email, 'unknown@example.com']) {
      expect((await signUp({ email, password: 'short' })).body.code).toBe('PASSWORD_TOO_SHORT')
    }
  })

  test('responds to sign-in with an unverified email address like to a wrong password', async () => {
    const { browser, mails, signIn } = await quiet()
    const visitor = browser()
    await visitor.call('POST /sign-up/email', { body: known })
    const { token } = await mails.next()
    const [right, wrong] = [await signIn(), await signIn('another password')]
    expect([right.status, right.body, right.setCookie]).toEqual([wrong.status, wrong.body, wrong.setCookie])
    expect(right.status).toBe(401)
    await visitor.call('GET /verify-email', { query: { token } })
    expect((await signIn()).status).toBe(200)
  })

  test('requires requireEmailVerification', async () => {
    await expect(testApp({ emailAndPassword: { enabled: true, antiEnumeration: true } })).rejects.toThrow('anti-enumeration')
  })
})
