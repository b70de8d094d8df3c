/** Whom a call about a second factor is for: the user of a challenge, or of the session (contract 11 §3). */
import { describe, expect, test } from 'vitest'
import { type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { outcome, password, signUp } from '../../../tests/kit/members.ts'
import { enrol, hasSession, signInAs, verify, withAnn } from '../../../tests/kit/second-factor.ts'
import { transaction } from '../../core/transaction.ts'
import type { ConfigFile } from '../index.ts'
import { lockUser } from '../users/index.ts'

const gone = '401 INVALID_TWO_FACTOR_COOKIE'
const cookie = 'latchkey.two_factor'
const status = (browser: Browser, headers = {}) => browser.call('GET /two-factor/status', {}, headers)

describe('a challenge', () => {
  test('revokes the session of another user in this browser, and its verification gives that of the first factor', async () => {
    const kit = await withAnn()
    const { browser: bob } = await signUp(kit, 'Bob')
    const copy = kit.browser()
    for (const [name, value] of bob.cookies) copy.cookies.set(name, value)
    const first = await signInAs(bob, 'Ann')
    expect([hasSession(first), first.setCookie.filter((header) => /session_(token|data)=;/.test(header)).length]).toEqual([
      false,
      2,
    ])
    expect([await nameOf(bob), await nameOf(copy)]).toEqual([null, null])
    expect(outcome(await verify(bob, kit.code()))).toBe('200')
    expect(await nameOf(bob)).toBe('Ann')
  })

  test('keeps the session of another user where several are kept', async () => {
    const kit = await withAnn({ multiSession: true })
    const { browser: bob } = await signUp(kit, 'Bob')
    await signInAs(bob, 'Ann')
    expect(outcome(await verify(bob, kit.code()))).toBe('200')
    const { body } = await bob.call('GET /multi-session/list-device-sessions', {})
    expect(body.map(({ user }: { user: { name: string } }) => user.name).toSorted()).toEqual(['Ann', 'Bob'])
  })

  test('keeps the session of the same user, also when it is cancelled, and replaces it when it is answered', async () => {
    const { ann, code, browser } = await withAnn()
    const before = ann.cookies.get('latchkey.session_token')
    await signInAs(ann, 'Ann')
    expect([await nameOf(ann), ann.cookies.get('latchkey.session_token')]).toEqual(['Ann', before])
    expect((await ann.call('POST /two-factor/cancel', {})).body).toEqual({ status: true })
    expect([ann.cookies.has(cookie), await nameOf(ann)]).toEqual([false, 'Ann'])
    const copy = browser()
    for (const [name, value] of ann.cookies) copy.cookies.set(name, value)
    await signInAs(ann, 'Ann', { rememberMe: false, callbackURL: '/again' })
    const done = await verify(ann, code())
    expect([outcome(done), done.body.url, await nameOf(ann), await nameOf(copy)]).toEqual(['200', '/again', 'Ann', null])
    expect([done.setCookie.join().includes('dont_remember='), ann.cookies.has('latchkey.dont_remember')]).toEqual([true, true])
  })

  test('is not answered next to a session that it does not know: the session is the subject', async () => {
    const kit = await withAnn()
    const visitor = kit.browser()
    await signInAs(visitor, 'Ann')
    const challenge = visitor.cookies.get(cookie) ?? ''
    const { browser: bob } = await signUp(kit, 'Bob')
    bob.cookies.set(cookie, challenge)
    expect(outcome(await verify(bob, kit.code()))).toBe('400 TOTP_NOT_ENABLED')
    expect(await nameOf(bob)).toBe('Bob')
    expect(outcome(await verify(visitor, kit.code()))).toBe('200')
  })

  test.each([
    ['is banned', ({ app }: Kit) => app.db.updateTable('user').set({ banned: true }).execute()],
    ['is deleted', ({ app, userId }: Kit) => app.db.deleteFrom('user').where('id', '=', userId).execute()],
    ['changes how they sign in', ({ app, userId }: Kit) => transaction(app, (tx) => lockUser(tx, userId))],
    ['waits too long', async ({ clock }: Kit) => clock.advance(600)],
  ])('is over when its user %s, and the cookie goes', async (_, change) => {
    const kit = await withAnn({ admin: true })
    const visitor = kit.browser()
    await signInAs(visitor, 'Ann')
    const value = visitor.cookies.get(cookie) ?? ''
    await change(kit)
    const calls = [
      () => visitor.call('GET /two-factor/challenge', {}),
      () => verify(visitor, kit.code()),
      () => visitor.call('POST /two-factor/verify-backup-code', { body: { code: kit.backupCodes[0] ?? '' } }),
    ]
    for (const call of calls) {
      visitor.cookies.set(cookie, value)
      const answer = await call()
      expect([outcome(answer), hasSession(answer), visitor.cookies.has(cookie)]).toEqual([gone, false, false])
    }
    expect((await kit.app.db.selectFrom('backupCode').select('id').where('usedAt', 'is not', null).execute()).length).toBe(0)
  })

  test('is not found by a missing, unsigned or unknown cookie', async () => {
    const { browser, code } = await withAnn()
    const visitor = browser()
    expect(outcome(await verify(visitor, code()))).toBe(gone)
    await signInAs(visitor, 'Ann')
    const [value = ''] = (visitor.cookies.get(cookie) ?? '').split('.')
    for (const forged of [value, `${value}.forged`, '2fa-unknown']) {
      visitor.cookies.set(cookie, forged)
      expect(outcome(await verify(visitor, code()))).toBe(gone)
    }
  })

  test('that is cancelled is over; cancelling nothing succeeds', async () => {
    const { browser, code } = await withAnn()
    const visitor = browser()
    expect((await visitor.call('POST /two-factor/cancel', {})).body).toEqual({ status: true })
    await signInAs(visitor, 'Ann')
    const value = visitor.cookies.get(cookie) ?? ''
    await visitor.call('POST /two-factor/cancel', {})
    visitor.cookies.set(cookie, value)
    expect(outcome(await verify(visitor, code()))).toBe(gone)
  })

  test('remembers as the first factor said, also in a trusted browser', async () => {
    const { browser, code, clock } = await withAnn()
    const visitor = browser()
    await signInAs(visitor, 'Ann', { rememberMe: false })
    const done = await verify(visitor, code(), { trustDevice: true })
    expect(done.setCookie.find((header) => header.startsWith('latchkey.session_token='))).not.toContain('Max-Age')
    expect(visitor.cookies.has('latchkey.dont_remember')).toBe(true)
    clock.advance(3600)
    const read = await visitor.call('GET /get-session', {})
    expect(read.setCookie.join()).not.toContain('Max-Age=604800')
  })
})
type Kit = Awaited<ReturnType<typeof withAnn>>

describe('a program', () => {
  const signIn = (kit: Kit, headers = {}) =>
    kit.browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password } }, headers)

  test('gets a token in place of the cookie, with bearer only', async () => {
    const kit = await withAnn({ bearer: true })
    const first = await signIn(kit)
    const { token } = first.body.challenge
    expect([typeof token, first.headers.get('set-auth-token')]).toEqual(['string', null])
    const body = { code: kit.code(), challengeToken: token }
    const done = await kit.browser().call('POST /two-factor/verify-totp', { body })
    expect([outcome(done), await nameOf2(kit, done.headers.get('set-auth-token') ?? '')]).toEqual(['200', 'Ann'])
    const again = await kit.browser().call('POST /two-factor/verify-totp', { body })
    expect(outcome(again)).toBe(gone)
    for (const headers of [{ origin: 'http://localhost:3000' }, { 'sec-fetch-site': 'same-origin' }, { cookie: 'a=b' }])
      expect((await signIn(kit, headers)).body.challenge.token).toBeUndefined()
    expect((await signIn(await withAnn())).body.challenge.token).toBeUndefined()
  })

  const nameOf2 = async (kit: Kit, token: string) =>
    (await kit.browser().call('GET /get-session', {}, { authorization: `Bearer ${token}` })).body?.user.name

  test('cancels by its token', async () => {
    const kit = await withAnn({ bearer: true })
    const { token } = (await signIn(kit)).body.challenge
    await kit.browser().call('POST /two-factor/cancel', { body: { challengeToken: token } })
    const body = { code: kit.code(), challengeToken: token }
    expect(outcome(await kit.browser().call('POST /two-factor/verify-totp', { body }))).toBe(gone)
  })

  test('proves a second factor with its bearer token, which is replaced', async () => {
    const kit = await withAnn({ bearer: true, apiKey: true })
    const { token } = (await signIn(kit)).body.challenge
    const done = await kit.browser().call('POST /two-factor/verify-totp', { body: { code: kit.code(), challengeToken: token } })
    const authorization = `Bearer ${done.body.token}`
    kit.clock.advance(901)
    expect((await kit.browser().call('POST /api-key/create', { body: {} }, { authorization })).status).toBe(403)
    const proven = await kit.browser().call('POST /two-factor/verify-totp', { body: { code: kit.code() } }, { authorization })
    expect([outcome(proven), await nameOf2(kit, done.body.token), await nameOf2(kit, proven.body.token)]).toEqual([
      '200',
      undefined,
      'Ann',
    ])
    const created = await kit
      .browser()
      .call('POST /api-key/create', { body: {} }, { authorization: `Bearer ${proven.body.token}` })
    expect(created.status).toBe(200)
  })
})

test('an impersonated session and an API key cannot prove a factor', async () => {
  const kit = await withAnn({ admin: true, apiKey: true })
  const { key } = (await kit.ann.call('POST /api-key/create', { body: {} })).body
  const { browser: root, userId } = await signUp(kit, 'Root')
  await kit.app.db.updateTable('user').set({ role: 'admin' }).where('id', '=', userId).execute()
  expect(outcome(await root.call('POST /admin/impersonate-user', { body: { userId: kit.userId } }))).toBe('200')
  const body = { code: kit.code() }
  for (const call of ['verify-totp', 'verify-otp', 'verify-backup-code', 'send-otp'] as const) {
    expect((await root.call(`POST /two-factor/${call}`, { body } as never)).body.code).toBe(
      'NOT_ALLOWED_WHILE_IMPERSONATING_A_USER',
    )
    const keyed = await kit.browser().call(`POST /two-factor/${call}`, { body } as never, { 'x-api-key': key })
    expect(keyed.body.code).toBe('NOT_ALLOWED_WITH_AN_API_KEY')
  }
  expect((await status(root)).body.code).toBe('NOT_ALLOWED_WHILE_IMPERSONATING_A_USER')
  expect((await status(kit.browser(), { 'x-api-key': key })).body.code).toBe('NOT_ALLOWED_WITH_AN_API_KEY')
  // The key itself needs no second factor.
  expect((await kit.browser().call('GET /list-sessions', {}, { 'x-api-key': key })).status).toBe(200)
})

describe('a verification link with autoSignInAfterVerification', () => {
  async function open(config: ConfigFile = {}) {
    const links = captureMails()
    const kit = await withAnn({
      emailVerification: { sendVerificationEmail: links.send, autoSignInAfterVerification: true },
      ...config,
    })
    await kit.ann.call('POST /send-verification-email', { body: { email: 'ann@example.com' } })
    const { token } = await links.next()
    const isVerified = async () =>
      (await kit.app.db.selectFrom('user').select('emailVerified').executeTakeFirstOrThrow()).emailVerified
    return { ...kit, token, isVerified }
  }

  test('opened by a call verifies the address, and gives no session and no cookie', async () => {
    const { browser, token, isVerified } = await open()
    const visitor = browser()
    const answer = await visitor.call('GET /verify-email', { query: { token } })
    expect([answer.status, hasSession(answer), [...visitor.cookies.keys()], Boolean(await isVerified())]).toEqual([
      200,
      false,
      [],
      true,
    ])
  })

  test('opened with a callbackURL leads to the challenge', async () => {
    const { browser, token, code } = await open()
    const visitor = browser()
    const answer = await visitor.call('GET /verify-email', { query: { token, callbackURL: '/in' } })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/two-factor?callbackURL=%2Fin'])
    expect(outcome(await verify(visitor, code()))).toBe('200')
  })

  test('leads to an error of the application when there is no page', async () => {
    const { browser, token } = await open({ dashboard: { enabled: false } })
    const answer = await browser().call('GET /verify-email', { query: { token, callbackURL: '/in' } })
    expect(answer.headers.get('location')).toBe('/in?error=two_factor_required')
  })
})

test('one-time tokens hand over a session as it is, without a challenge', async () => {
  const { ann, browser } = await withAnn({ oneTimeToken: true })
  const { token } = (await ann.call('GET /one-time-token/generate', {})).body
  const visitor = browser()
  expect(outcome(await visitor.call('POST /one-time-token/verify', { body: { token } }))).toBe('200')
  expect((await status(visitor)).body.session).toMatchObject({ acr: 'urn:latchkey:acr:2', amr: ['pwd', 'otp', 'mfa'] })
})

test('sign-ups and anonymous users are not challenged', async () => {
  const kit = await withAnn({ anonymous: true })
  expect(hasSession(await kit.browser().call('POST /sign-in/anonymous', {}))).toBe(true)
  const { browser: bob } = await signUp(kit, 'Bob')
  expect(await nameOf(bob)).toBe('Bob')
  await enrol(kit, bob)
})

test('nothing of a sign-in happens before the second factor', async () => {
  const { browser, app, code, settled } = await withAnn({ attempts: { enabled: true, deviceCookie: true } })
  const visitor = browser()
  const read = async () => {
    await settled()
    const events = await app.db.selectFrom('auditEvent').select('action').execute()
    const user = await app.db.selectFrom('user').select('lastSignInAt').executeTakeFirstOrThrow()
    return { signedIn: events.filter(({ action }) => action === 'user.signed-in').length, ...user }
  }
  const before = await read()
  const first = await signInAs(visitor, 'Ann')
  expect(first.setCookie.join()).not.toContain('known_device')
  expect(await read()).toEqual(before)
  const done = await verify(visitor, code())
  expect(done.setCookie.join()).toContain('known_device')
  expect((await read()).signedIn).toBe(before.signedIn + 1)
})
