import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { ConfigFile } from '../index.ts'
import { setPasswordForUser } from './index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'

async function withAnn(config: ConfigFile = {}) {
  const kit = await testApp(config)
  const visitor = kit.browser()
  const signedUp = await visitor.call('POST /sign-up/email', { body: ann })
  const change = (body: object = {}) =>
    visitor.call('POST /change-password', { body: { currentPassword: ann.password, newPassword, ...body } })
  const signIn = (password: string) => kit.browser().call('POST /sign-in/email', { body: { email: ann.email, password } })
  return { ...kit, visitor, signedUp, change, signIn }
}

describe('POST /change-password', () => {
  test('replaces the password and keeps the sessions', async () => {
    const { visitor, signedUp, change, signIn } = await withAnn()
    const response = await change()
    expect([response.status, response.body, response.setCookie]).toEqual([200, { token: null, user: signedUp.body.user }, []])
    expect((await signIn(ann.password)).status).toBe(401)
    expect((await signIn(newPassword)).status).toBe(200)
    expect((await visitor.call('GET /get-session', {})).body).not.toBeNull()
  })

  test('with revokeOtherSessions revokes all sessions and creates a new one', async () => {
    const { app, browser, visitor, signedUp, change } = await withAnn()
    const other = browser()
    await other.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } })
    const response = await change({ revokeOtherSessions: true })
    expect(response.body).toEqual({ token: expect.stringMatching(/^\w{32}$/), user: signedUp.body.user })
    expect(response.body.token).not.toBe(signedUp.body.token)
    expect(response.setCookie).toEqual([expect.stringContaining(`latchkey.session_token=${response.body.token}.`)])
    expect((await other.call('GET /get-session', {})).body).toBeNull()
    expect((await visitor.call('GET /get-session', {})).body.session.token).toBe(response.body.token)
    expect(await app.db.selectFrom('session').selectAll().execute()).toHaveLength(1)
  })

  test('replaces a session that ends with the browser by one that does too', async () => {
    const { browser } = await withAnn()
    const visitor = browser()
    await visitor.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password, rememberMe: false } })
    const response = await visitor.call('POST /change-password', {
      body: { currentPassword: ann.password, newPassword, revokeOtherSessions: true },
    })
    expect(response.setCookie).toHaveLength(2)
    expect(response.setCookie.join()).not.toContain('Max-Age')
  })

  test('rejects in the order of the contract', async () => {
    const { app, browser, change } = await withAnn()
    expect((await change({ newPassword: 'short', currentPassword: 'wrong' })).body).toEqual({
      code: 'PASSWORD_TOO_SHORT',
      message: 'Password too short',
    })
    expect((await change({ newPassword: 'a'.repeat(129) })).body).toEqual({
      code: 'PASSWORD_TOO_LONG',
      message: 'Password too long',
    })
    const wrong = await change({ currentPassword: 'wrong password' })
    expect([wrong.status, wrong.body]).toEqual([400, { code: 'INVALID_PASSWORD', message: 'Invalid password' }])
    expect((await change({ currentPassword: 'a'.repeat(100_000) })).body.code).toBe('INVALID_PASSWORD')
    const anonymous = await browser().call('POST /change-password', { body: { currentPassword: ann.password, newPassword } })
    expect([anonymous.status, anonymous.body]).toEqual([401, { code: 'UNAUTHORIZED', message: 'Unauthorized' }])
    await app.db.deleteFrom('account').execute()
    const none = await change()
    expect([none.status, none.body]).toEqual([
      400,
      { code: 'CREDENTIAL_ACCOUNT_NOT_FOUND', message: 'Credential account not found' },
    ])
  })

  test('reports a hook that rejects the new session as the contract requires', async () => {
    let refuses = false
    const before = () => (refuses ? (false as const) : undefined)
    const { change, signIn } = await withAnn({ databaseHooks: { session: { create: { before } } } })
    refuses = true
    const response = await change({ revokeOtherSessions: true })
    expect([response.status, response.body]).toEqual([500, { code: 'FAILED_TO_GET_SESSION', message: 'Failed to get session' }])
    refuses = false
    expect([(await signIn(newPassword)).status, (await signIn(ann.password)).status]).toEqual([401, 200])
  })

  test('is delayed after failures, as sign-in is', async () => {
    const { change } = await withAnn({ attempts: { enabled: true } })
    for (let failure = 0; failure < 30; failure += 1) await change({ currentPassword: 'wrong password' })
    const response = await change()
    expect([response.status, response.headers.get('x-retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
  })

  test('rejects a common password with passwordRules', async () => {
    const { change } = await withAnn({ passwordRules: true })
    const response = await change({ newPassword: 'latchkey-1234' })
    expect([response.status, response.body.code]).toEqual([400, expect.stringMatching(/^PASSWORD_(TOO_PERSONAL|COMPROMISED)$/)])
  })
})

describe('POST /verify-password', () => {
  test('makes the session fresh, and changes nothing else of it', async () => {
    const { visitor, clock } = await withAnn({ session: { exposeAuthentication: true } })
    const read = async () => (await visitor.call('GET /get-session', {})).body.session
    const before = await read()
    clock.advance(600)
    const wrong = await visitor.call('POST /verify-password', { body: { password: 'wrong password' } })
    expect([wrong.status, (await read()).authenticatedAt]).toEqual([400, before.authenticatedAt])
    expect((await visitor.call('POST /verify-password', { body: { password: ann.password } })).status).toBe(200)
    expect(await read()).toEqual({ ...before, authenticatedAt: clock.now().toISOString() })
  })

  test('verifies the password of the current user', async () => {
    const { app, browser, visitor } = await withAnn()
    const verify = async (password: string, by = visitor) => {
      const { status, body } = await by.call('POST /verify-password', { body: { password } })
      return [status, body]
    }
    const refused = [400, { code: 'INVALID_PASSWORD', message: 'Invalid password' }]
    expect(await verify(ann.password)).toEqual([200, { status: true }])
    expect(await verify('wrong password')).toEqual(refused)
    expect(await verify(ann.password, browser())).toEqual([401, { code: 'UNAUTHORIZED', message: 'Unauthorized' }])
    await app.db.deleteFrom('account').execute()
    expect(await verify(ann.password)).toEqual(refused)
  })
})

describe('a password that an operator sets', () => {
  async function withLink() {
    const mails = captureMails()
    const kit = await withAnn({ emailAndPassword: { enabled: true, sendResetPassword: mails.send } })
    const user = await kit.app.db.selectFrom('user').selectAll().executeTakeFirstOrThrow()
    const request = async (email: string) => {
      await kit.browser().call('POST /request-password-reset', { body: { email } })
      return mails.next()
    }
    const reset = (token: string) =>
      kit.browser().call('POST /reset-password', { body: { token, newPassword: 'a third horse altogether' } })
    return { ...kit, user, request, reset }
  }

  test('invalidates the reset links of this user only', async () => {
    const { app, browser, user, request, reset, signIn } = await withLink()
    await browser().call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } })
    const links = [await request(ann.email), await request(ann.email)]
    const other = await request('bob@example.com')
    expect(await setPasswordForUser(app, user, newPassword)).toEqual({ sessions: 1, apiKeys: 0 })
    for (const { token } of links) expect((await reset(token)).body.code).toBe('INVALID_TOKEN')
    expect((await signIn(newPassword)).status).toBe(200)
    expect((await reset(other.token)).status).toBe(200)
    const { token } = await request(ann.email)
    expect((await reset(token)).status).toBe(200)
  })

  test('revokes the sessions, or keeps them with keepSessions', async () => {
    const { app, user, visitor } = await withLink()
    expect(await setPasswordForUser(app, user, newPassword, { keepSessions: true })).toEqual({ sessions: 0, apiKeys: 0 })
    expect((await visitor.call('GET /get-session', {})).body).not.toBeNull()
    expect(await setPasswordForUser(app, user, ann.password)).toEqual({ sessions: 1, apiKeys: 0 })
    expect((await visitor.call('GET /get-session', {})).body).toBeNull()
  })

  test('is not undone by any of 64 concurrent uses of a link', async () => {
    const { app, user, request, reset, signIn } = await withLink()
    const { token } = await request(ann.email)
    const [, ...uses] = await Promise.all([
      setPasswordForUser(app, user, newPassword),
      ...Array.from({ length: 64 }, () => reset(token)),
    ])
    expect(uses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(new Set(uses.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(new Set(['INVALID_TOKEN']))
    expect((await reset(token)).body.code).toBe('INVALID_TOKEN')
    expect((await signIn(newPassword)).status).toBe(200)
  })
})

describe('a first password', () => {
  async function withoutPassword() {
    const kit = await withAnn()
    await kit.app.db.deleteFrom('account').execute()
    return { ...kit, user: await kit.app.db.selectFrom('user').selectAll().executeTakeFirstOrThrow() }
  }

  test('cannot be set over HTTP', async () => {
    const { visitor } = await withoutPassword()
    const response = await visitor.request('/set-password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ newPassword }),
    })
    expect([response.status, response.body]).toEqual([404, ''])
  })
})
