import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { App } from '../../core/app.ts'

const ann = { name: 'Ann', email: 'Ann@Example.com', password: 'correct horse battery' }
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('POST /sign-up/email', () => {
  test('creates a user, answers with the seven keys and begins a session', async () => {
    const { browser } = await testApp()
    const answer = await browser().call('POST /sign-up/email', { body: ann })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
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
    expect(answer.setCookie).toEqual([
      expect.stringMatching(
        new RegExp(
          `^latchkey\\.session_token=${answer.body.token}\\.[A-Za-z0-9%]+; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax$`,
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

  test('takes null for no image and no callbackURL', async () => {
    const { browser } = await testApp()
    const answer = await browser().call('POST /sign-up/email', { body: { ...ann, image: null, callbackURL: null } })
    expect([answer.status, answer.body.user?.image]).toEqual([200, null])
  })

  test('refuses a known address, in whatever case', async () => {
    const { browser } = await testApp()
    await browser().call('POST /sign-up/email', { body: ann })
    const answer = await browser().call('POST /sign-up/email', { body: { ...ann, email: 'aNN@example.COM' } })
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual({ code: 'USER_ALREADY_EXISTS', message: 'User already exists' })
  })

  test.each([
    ['no body', {}],
    ['no name', { email: ann.email, password: ann.password }],
    ['no password', { name: 'Ann', email: ann.email }],
    ['an address that is no text', { ...ann, email: 7 }],
    ['a name of a megabyte', { ...ann, name: 'a'.repeat(20_000) }],
  ])('refuses %s', async (_, body) => {
    const { browser } = await testApp()
    const answer = await browser().call('POST /sign-up/email', { body: body as never })
    expect([answer.status, answer.statusText]).toEqual([400, '400'])
    expect(answer.body).toEqual({ code: 'VALIDATION_ERROR', message: 'Invalid body parameters' })
  })

  test.each([
    ['', 400, 'INVALID_EMAIL', 'Invalid email'],
    ['ann@example', 400, 'INVALID_EMAIL', 'Invalid email'],
  ])('refuses the address "%s"', async (email, status, code, message) => {
    const { browser } = await testApp()
    const answer = await browser().call('POST /sign-up/email', { body: { ...ann, email } })
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ code, message })
  })

  test('refuses a password outside the bounds, after the address', async () => {
    const { browser } = await testApp()
    const signUp = async (password: string, email = ann.email) =>
      (await browser().call('POST /sign-up/email', { body: { ...ann, email, password } })).body
    expect(await signUp('1234567')).toEqual({ code: 'PASSWORD_TOO_SHORT', message: 'Password too short' })
    expect(await signUp('a'.repeat(129))).toEqual({ code: 'PASSWORD_TOO_LONG', message: 'Password too long' })
    expect(await signUp('1234567', 'nobody')).toMatchObject({ code: 'INVALID_EMAIL' })
  })

  test('never takes from the body what is not the user’s to say', async () => {
    const { app, browser } = await testApp()
    const body = { ...ann, id: 'chosen', role: 'admin', emailVerified: true, createdAt: '2000-01-01' }
    await browser().call('POST /sign-up/email', { body })
    const user = await app.db.selectFrom('user').selectAll().executeTakeFirstOrThrow()
    expect(user).toMatchObject({ role: null, emailVerified: false })
    expect(user.id).not.toBe('chosen')
  })

  test('without autoSignIn begins no session', async () => {
    const { browser } = await testApp({ emailAndPassword: { enabled: true, autoSignIn: false } })
    const answer = await browser().call('POST /sign-up/email', { body: ann })
    expect(answer.body.token).toBeNull()
    expect(answer.setCookie).toEqual([])
  })

  test.each([[{ enabled: false }], [{ enabled: true, disableSignUp: true }]])('is refused by %j', async (emailAndPassword) => {
    const { browser } = await testApp({ emailAndPassword })
    const answer = await browser().call('POST /sign-up/email', { body: ann })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
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

  test('begins a session', async () => {
    const { browser } = await signedUp()
    const answer = await browser().call('POST /sign-in/email', { body: { email, password } })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      redirect: false,
      token: expect.stringMatching(/^[a-zA-Z0-9]{32}$/),
      user: { email: 'ann@example.com' },
    })
    expect(answer.body).not.toHaveProperty('url')
    expect(answer.setCookie).toHaveLength(1)
  })

  test('repeats the callbackURL for the client to go to', async () => {
    const { browser } = await signedUp()
    const signIn = async (callbackURL: string) =>
      (await browser().call('POST /sign-in/email', { body: { email, password, callbackURL } })).body
    expect(await signIn('/dash')).toMatchObject({ redirect: true, url: '/dash' })
    expect(await signIn('')).toMatchObject({ redirect: false, url: '' })
  })

  test('makes a fresh token each time', async () => {
    const { browser } = await signedUp()
    const visitor = browser()
    const first = await visitor.call('POST /sign-in/email', { body: { email, password } })
    const second = await visitor.call('POST /sign-in/email', { body: { email, password } })
    expect(second.body.token).not.toBe(first.body.token)
  })

  test('without rememberMe the browser forgets the cookie and the session ends after a day', async () => {
    const { app, browser, clock } = await signedUp()
    const visitor = browser()
    const answer = await visitor.call('POST /sign-in/email', { body: { email, password, rememberMe: false } })
    expect(answer.setCookie).toEqual([
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
  ])('refuses %s with the same words', async (_, body) => {
    const { browser } = await signedUp()
    const answer = await browser().call('POST /sign-in/email', { body })
    expect([answer.status, answer.statusText]).toEqual([401, 'UNAUTHORIZED'])
    expect(answer.body).toEqual({ code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' })
    expect(answer.setCookie).toEqual([])
  })

  test.each([
    ['has no password', (app: App) => app.db.updateTable('account').set({ password: null })],
    ['signs in by other means only', (app: App) => app.db.updateTable('account').set({ providerId: 'google' })],
  ])('refuses a user who %s with the same words', async (_, change) => {
    const { app, browser } = await signedUp()
    await change(app).execute()
    const answer = await browser().call('POST /sign-in/email', { body: { email, password } })
    expect([answer.status, answer.body]).toEqual([
      401,
      { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' },
    ])
  })

  test('tells of a hook that lets no session begin', async () => {
    const before = (session: { userAgent?: unknown }) => (session.userAgent === 'refused' ? (false as const) : undefined)
    const { browser } = await signedUp({ databaseHooks: { session: { create: { before } } } })
    const answer = await browser().call('POST /sign-in/email', { body: { email, password } }, { 'user-agent': 'refused' })
    expect([answer.status, answer.statusText, answer.body, answer.setCookie]).toEqual([
      401,
      'UNAUTHORIZED',
      { code: 'FAILED_TO_CREATE_SESSION', message: 'Failed to create session' },
      [],
    ])
  })

  test('refuses a text that is no address', async () => {
    const { browser } = await signedUp()
    const answer = await browser().call('POST /sign-in/email', { body: { email: 'ann', password } })
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_EMAIL'])
  })

  test('refuses everybody when it is off', async () => {
    const { browser } = await testApp({ emailAndPassword: { enabled: false } })
    const answer = await browser().call('POST /sign-in/email', { body: { email, password } })
    expect(answer.body).toEqual({ code: 'EMAIL_AND_PASSWORD_IS_NOT_ENABLED', message: 'Email and password is not enabled' })
  })

  test('makes the hash anew when its cost was changed in the configuration', async () => {
    const { app, browser } = await signedUp()
    const cheap = await app.db.selectFrom('account').select('password').executeTakeFirstOrThrow()
    const old = String(cheap.password).replace('m=8192,t=1', 'm=8192,t=2')
    expect(app.hasher.needsRehash(old)).toBe(true)
    expect(app.hasher.needsRehash(String(cheap.password))).toBe(false)
    const signedIn = await browser().call('POST /sign-in/email', { body: { email, password } })
    expect(signedIn.status).toBe(200)
    expect(await app.db.selectFrom('account').select('password').executeTakeFirstOrThrow()).toEqual(cheap)
  })

  test('a password is the same in every Unicode form', async () => {
    const { browser } = await testApp()
    await browser().call('POST /sign-up/email', { body: { ...ann, password: 'pässWord1ﬁ' } })
    const answer = await browser().call('POST /sign-in/email', { body: { email, password: 'pässWord1fi'.normalize('NFD') } })
    expect(answer.status).toBe(200)
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

  test('signing up answers alike for known and unknown addresses, and changes nothing of the known one', async () => {
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
    const first = await signUp()
    expect([first.status, first.body, first.setCookie]).toEqual([200, shape('Ann'), []])
    const before = await app.db.selectFrom('user').selectAll().execute()
    expect(before[0]?.id).toBe(first.body.user.id)
    await mails.next()
    clock.advance(3600)
    const second = await signUp({ name: 'Eve', password: 'a password of Eve' })
    expect([second.status, second.body, second.setCookie]).toEqual([200, shape('Eve'), []])
    expect(second.body.user.id).not.toBe(first.body.user.id)
    expect(await app.db.selectFrom('user').selectAll().execute()).toEqual(before)
    expect(mails.sent).toHaveLength(1)
  })

  test('what is refused is refused alike', async () => {
    const { signUp } = await quiet()
    await signUp()
    for (const email of [known.email, 'nobody@example.com']) {
      expect((await signUp({ email, password: 'short' })).body.code).toBe('PASSWORD_TOO_SHORT')
    }
  })

  test('signing in to an address that is not proved answers like a wrong password', async () => {
    const { browser, mails, signUp, signIn } = await quiet()
    await signUp()
    const { token } = await mails.next()
    const [right, wrong] = [await signIn(), await signIn('another password')]
    expect([right.status, right.body, right.setCookie]).toEqual([wrong.status, wrong.body, wrong.setCookie])
    expect(right.status).toBe(401)
    await browser().call('GET /verify-email', { query: { token } })
    expect((await signIn()).status).toBe(200)
  })

  test('needs requireEmailVerification', async () => {
    await expect(testApp({ emailAndPassword: { enabled: true, antiEnumeration: true } })).rejects.toThrow('anti-enumeration')
  })
})
