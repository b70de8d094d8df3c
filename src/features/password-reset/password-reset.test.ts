import { describe, expect, test } from 'vitest'
import { baseURL, testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { ConfigFile } from '../index.ts'

const ann = { name: 'Ann', email: 'Ann@Example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'
const api = `${baseURL}/api/auth`
const unknownToken = { code: 'INVALID_TOKEN', message: 'invalid token' }

async function withAnn(config: ConfigFile = {}) {
  const mails = captureMails()
  const kit = await testApp({
    ...config,
    emailAndPassword: { enabled: true, sendResetPassword: mails.send, ...config.emailAndPassword },
  })
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  const request = async (redirectTo?: string) => {
    const body = { email: ann.email, ...(redirectTo !== undefined && { redirectTo }) }
    await kit.browser().call('POST /request-password-reset', { body })
    return mails.next()
  }
  const reset = (token: string, password = newPassword) =>
    kit.browser().call('POST /reset-password', { body: { token, newPassword: password } })
  const signIn = (password: string) => kit.browser().call('POST /sign-in/email', { body: { email: ann.email, password } })
  return { ...kit, mails, visitor, request, reset, signIn }
}

describe.each(['POST /request-password-reset', 'POST /forget-password'] as const)('%s', (key) => {
  test('sends a password reset link', async () => {
    const { browser, mails } = await withAnn({ dashboard: { enabled: false } })
    await browser().call(key, { body: { email: 'aNN@example.com', redirectTo: '/reset?x=1' } })
    const mail = await mails.next()
    expect(mail.user).toMatchObject({ email: 'ann@example.com', name: 'Ann' })
    expect(mail.token).toMatch(/^[a-zA-Z0-9]{24}$/)
    expect(mail.url).toBe(`${api}/reset-password/${mail.token}?callbackURL=%2Freset%3Fx%3D1`)
    await browser().call(key, { body: { email: ann.email } })
    expect((await mails.next()).url).toMatch(/\?callbackURL=$/)
  })

  test('responds alike to known and unknown email addresses', async () => {
    const { app, browser, mails } = await withAnn()
    const ask = async (email: string) => {
      const { status, body, setCookie } = await browser().call(key, { body: { email } })
      return { status, body, setCookie }
    }
    const known = await ask(ann.email)
    expect(known).toEqual({
      status: 200,
      body: { status: true, message: 'If this email exists in our system, check your email for the reset link' },
      setCookie: [],
    })
    expect(await ask('unknown@example.com')).toEqual(known)
    await mails.next()
    expect(mails.sent).toHaveLength(1)
    await expect.poll(() => app.db.selectFrom('verification').selectAll().execute()).toHaveLength(1)
  })

  test('is rejected when no email can be sent', async () => {
    const { browser } = await testApp()
    const response = await browser().call(key, { body: { email: ann.email } })
    expect([response.status, response.body]).toEqual([
      400,
      { code: 'RESET_PASSWORD_ISNT_ENABLED', message: "Reset password isn't enabled" },
    ])
  })

  test('rejects an invalid email address and an untrusted redirectTo', async () => {
    const { browser } = await withAnn()
    const form = await browser().call(key, { body: { email: 'ann@example' } })
    expect([form.status, form.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    const foreign = await browser().call(key, { body: { email: ann.email, redirectTo: 'https://evil.test' } })
    expect([foreign.status, foreign.body]).toEqual([403, { code: 'INVALID_REDIRECTURL', message: 'Invalid redirectURL' }])
  })
})

test('responds to a hook that rejects the link like to an unknown email address', async () => {
  const { browser, mails } = await withAnn({ databaseHooks: { verification: { create: { before: () => false } } } })
  const ask = async (email: string) => (await browser().call('POST /request-password-reset', { body: { email } })).body
  expect(await ask(ann.email)).toEqual(await ask('unknown@example.com'))
  expect(mails.sent).toEqual([])
})

test('shows the row of a link to hooks without its identifier', async () => {
  const seen: string[][] = []
  const watch = (row: object) => void seen.push(Object.keys(row))
  const { request } = await withAnn({ databaseHooks: { verification: { create: { before: watch, after: watch } } } })
  await request()
  expect(seen).toEqual([seen[0], seen[0]])
  expect(seen[0]).not.toContain('identifier')
})

test('stores the token as a hash', async () => {
  const { app, request } = await withAnn()
  const { token } = await request()
  const rows = JSON.stringify(await app.db.selectFrom('verification').selectAll().execute())
  expect(rows).not.toContain(token)
})

describe('GET /reset-password/:token', () => {
  const location = (response: { headers: Headers }) => response.headers.get('location')

  test('redirects to the page of the app with the token, which stays usable', async () => {
    const { browser, request, reset } = await withAnn({ trustedOrigins: ['https://app.example.com'] })
    const { token, url } = await request('/reset?x=1')
    for (let visit = 0; visit < 2; visit += 1) {
      const response = await browser().request(url.slice(api.length))
      expect([response.status, location(response), response.body]).toEqual([302, `${baseURL}/reset?x=1&token=${token}`, ''])
    }
    const elsewhere = await browser().call('GET /reset-password/:token', {
      params: { token },
      query: { callbackURL: 'https://app.example.com/r' },
    })
    expect(location(elsewhere)).toBe(`https://app.example.com/r?token=${token}`)
    expect((await reset(token)).status).toBe(200)
  })

  test('redirects there with an error when the token is unknown or has expired', async () => {
    const { browser, clock, request } = await withAnn()
    const { token } = await request('/reset')
    const unknown = await browser().call('GET /reset-password/:token', {
      params: { token: 'x' },
      query: { callbackURL: '/reset?x=1' },
    })
    expect(location(unknown)).toBe(`${baseURL}/reset?x=1&error=INVALID_TOKEN`)
    clock.advance(3600)
    const expired = await browser().call('GET /reset-password/:token', { params: { token }, query: { callbackURL: '/reset' } })
    expect(location(expired)).toBe(`${baseURL}/reset?error=INVALID_TOKEN`)
  })

  test('redirects to the error page without a callbackURL', async () => {
    const { browser, request } = await withAnn({ dashboard: { enabled: false } })
    const { url } = await request()
    expect(location(await browser().request(url.slice(api.length)))).toBe(`${api}/error?error=INVALID_TOKEN`)
  })

  test.each([
    ['https://app.example.com/oops', 'https://app.example.com/oops?error=INVALID_TOKEN'],
    ['https://app.example.com/?a=1#top', 'https://app.example.com/?a=1&error=INVALID_TOKEN#top'],
    ['/oops', '/oops?error=INVALID_TOKEN'],
  ])('redirects to the error page of the configuration: %s', async (errorURL, expected) => {
    const { browser } = await withAnn({ onAPIError: { errorURL } })
    const response = await browser().request('/reset-password/unknown?callbackURL=')
    expect([response.status, location(response)]).toEqual([302, expected])
  })

  test('never redirects to an untrusted target, and requires a target', async () => {
    const { browser, request } = await withAnn()
    const { token } = await request()
    const foreign = await browser().call('GET /reset-password/:token', {
      params: { token },
      query: { callbackURL: 'https://evil.test' },
    })
    expect([foreign.status, foreign.body]).toEqual([403, { code: 'INVALID_CALLBACKURL', message: 'Invalid callbackURL' }])
    const missing = await browser().request(`/reset-password/${token}`)
    expect([missing.status, missing.body]).toEqual([
      400,
      { code: 'VALIDATION_ERROR', message: 'Invalid query parameters', details: { parameters: expect.any(Array) } },
    ])
  })
})

describe('POST /reset-password', () => {
  test('replaces the password, revokes all sessions and creates none', async () => {
    const { visitor, request, reset, signIn } = await withAnn()
    const response = await reset((await request()).token)
    expect([response.status, response.body, response.setCookie]).toEqual([200, { status: true }, []])
    expect((await visitor.call('GET /get-session', {})).body).toBeNull()
    expect((await signIn(ann.password)).status).toBe(401)
    expect((await signIn(newPassword)).status).toBe(200)
  })

  test('keeps the sessions when configured', async () => {
    const { app, visitor, request, reset } = await withAnn({ emailAndPassword: { revokeSessionsOnPasswordReset: false } })
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    await reset((await request()).token)
    expect((await visitor.call('GET /get-session', {})).body).not.toBeNull()
  })

  test('revokes those of an unverified user in any case, who may be another person than the owner of the address', async () => {
    const { visitor, request, reset } = await withAnn({ emailAndPassword: { revokeSessionsOnPasswordReset: false } })
    await reset((await request()).token)
    expect((await visitor.call('GET /get-session', {})).body).toBeNull()
  })

  test('sets the first password of a user without one, and revokes their sessions too', async () => {
    const { app, visitor, request, reset, signIn } = await withAnn()
    await app.db.deleteFrom('account').execute()
    expect((await reset((await request()).token)).status).toBe(200)
    expect((await signIn(newPassword)).status).toBe(200)
    expect((await visitor.call('GET /get-session', {})).body).toBeNull()
    expect(await app.db.selectFrom('account').select(['providerId', 'accountId']).execute()).toEqual([
      { providerId: 'credential', accountId: (await app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()).id },
    ])
  })

  test('accepts the token in the body, or else in the query', async () => {
    const { browser, request, signIn } = await withAnn()
    const { token } = await request()
    const wrong = await browser().call('POST /reset-password', { query: { token }, body: { newPassword, token: 'x' } })
    expect([wrong.status, wrong.body]).toEqual([400, unknownToken])
    expect((await browser().call('POST /reset-password', { query: { token }, body: { newPassword } })).status).toBe(200)
    expect((await signIn(newPassword)).status).toBe(200)
  })

  test('rejects in the order of the contract: no token, length, unknown token', async () => {
    const { browser, request, reset } = await withAnn()
    const { token } = await request()
    expect((await browser().call('POST /reset-password', { body: { newPassword: 'short' } })).body).toEqual(unknownToken)
    expect((await reset('x', 'short')).body).toEqual({ code: 'PASSWORD_TOO_SHORT', message: 'Password too short' })
    expect((await reset(token, 'a'.repeat(129))).body).toEqual({ code: 'PASSWORD_TOO_LONG', message: 'Password too long' })
    expect((await reset('x')).body).toEqual(unknownToken)
    expect((await reset(token)).status).toBe(200)
  })

  test('rejects an expired link, and one of a deleted user', async () => {
    const { app, clock, request, reset } = await withAnn({ emailAndPassword: { resetPasswordTokenExpiresIn: 60 } })
    const { token } = await request()
    clock.advance(60)
    expect((await reset(token)).body).toEqual(unknownToken)
    const { token: orphan } = await request()
    await app.db.deleteFrom('user').execute()
    expect([(await reset(orphan)).status, (await reset(orphan)).body]).toEqual([400, unknownToken])
  })

  test('creates one account when two links are used concurrently', async () => {
    const { app, request, reset } = await withAnn()
    await app.db.deleteFrom('account').execute()
    const tokens = await Promise.all(Array.from({ length: 8 }, () => request()))
    const responses = await Promise.all(tokens.map(({ token }) => reset(token)))
    expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    expect(await app.db.selectFrom('account').selectAll().execute()).toHaveLength(1)
  })

  test('calls the hooks of the account, which may reject', async () => {
    const seen: unknown[] = []
    let refuses = true
    const update = {
      before: (columns: object) => {
        seen.push(Object.keys(columns))
        return refuses ? (false as const) : undefined
      },
      after: (row: object) => void seen.push(Object.keys(row).includes('password')),
    }
    const { request, reset } = await withAnn({ databaseHooks: { account: { update } } })
    const { token } = await request()
    expect([(await reset(token)).status, (await reset(token)).body.code]).toEqual([400, 'FAILED_TO_UPDATE_ACCOUNT'])
    refuses = false
    expect((await reset(token)).status).toBe(200)
    expect(seen).toEqual([['updatedAt'], ['updatedAt'], ['updatedAt'], false])
  })

  test('rejects a common password with passwordRules', async () => {
    const { request, reset } = await withAnn({ passwordRules: true, emailAndPassword: { minPasswordLength: 8 } })
    const response = await reset((await request()).token, 'latchkey-1234')
    expect([response.status, response.body.code]).toEqual([400, expect.stringMatching(/^PASSWORD_(TOO_PERSONAL|COMPROMISED)$/)])
  })
})
