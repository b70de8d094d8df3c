/** Every core call of contract 09 through the published clients, errors included, over a real socket. */
import { describe, expect, test } from 'vitest'
import { type Client, createClient, createCookieFetch, type Outcome, type Version, versions } from './published.ts'
import { type Served, serve } from './served.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const { email, password } = ann
const newPassword = 'another horse battery'

const ok = (data: unknown) => ({ data, error: null })
const refused = (status: number, statusText: string, code: string, message: string) => ({
  data: null,
  error: { status, statusText, code, message },
})
const unauthorized = refused(401, 'UNAUTHORIZED', 'UNAUTHORIZED', 'Unauthorized')
const { error } = refused(400, '400', 'VALIDATION_ERROR', 'Invalid body parameters')
const invalid = { data: null, error: { ...error, details: { parameters: expect.any(Array) } } }

describe.each(versions)('better-auth %s', (version) => {
  const open = ({ origin }: Served) => createClient(version as Version, origin, { customFetchImpl: createCookieFetch() })

  async function arrive(config = {}) {
    const served = await serve(config)
    const client = open(served)
    const signUp = await client.signUp?.email?.(ann)
    return { ...served, client, signUp: signUp as Outcome, another: () => open(served) }
  }
  const signIn = (client: Client, given: object = { email, password }) => client.signIn?.email?.({ ...given }) as Promise<Outcome>
  const call = (client: Client, name: string, input: object = {}, options: object = {}) =>
    client[name]?.({ ...input }, { ...options }) as Promise<Outcome>

  test('signs up, gets the session with its dates, and signs out', async () => {
    const { client, signUp } = await arrive()
    const { data } = signUp
    expect(data.user).toMatchObject({ name: 'Ann', email, emailVerified: false, image: null })
    expect(data.user.createdAt).toBeInstanceOf(Date)
    const session = await call(client, 'getSession')
    expect(session.data.session).toMatchObject({ token: data.token, userId: data.user.id })
    expect(session.data.session.expiresAt).toBeInstanceOf(Date)
    expect(await call(client, 'signOut')).toEqual(ok({ success: true }))
    expect(await call(client, 'getSession')).toEqual(ok(null))
    expect(await call(client, 'signOut')).toEqual(refused(400, 'BAD_REQUEST', 'FAILED_TO_GET_SESSION', 'Failed to get session'))
  })

  test('gets the reason of a rejected sign-up', async () => {
    const { another } = await arrive()
    const signUp = (given: object) => another().signUp?.email?.({ ...ann, ...given })
    expect(await signUp({})).toEqual(refused(422, 'UNPROCESSABLE_ENTITY', 'USER_ALREADY_EXISTS', 'User already exists'))
    expect(await signUp({ email: 'invalid' })).toEqual(refused(400, 'BAD_REQUEST', 'INVALID_EMAIL', 'Invalid email'))
    expect(await signUp({ email: 'b@example.com', password: 'short' })).toEqual(
      refused(400, 'BAD_REQUEST', 'PASSWORD_TOO_SHORT', 'Password too short'),
    )
    expect(await signUp({ password: undefined })).toEqual(invalid)
  })

  test('signs in, gets the redirect, and is rejected with a wrong password', async () => {
    const { another } = await arrive()
    expect((await signIn(another(), { email, password, callbackURL: '/dash' })).data).toMatchObject({
      redirect: true,
      url: '/dash',
    })
    expect(await signIn(another(), { email, password: 'wrong horse battery' })).toEqual(
      refused(401, 'UNAUTHORIZED', 'INVALID_EMAIL_OR_PASSWORD', 'Invalid email or password'),
    )
    expect(await signIn(another(), { email, password, callbackURL: 'https://evil.test' })).toEqual(
      refused(403, 'FORBIDDEN', 'INVALID_CALLBACKURL', 'Invalid callbackURL'),
    )
  })

  test('lists sessions and revokes them by token and by handle', async () => {
    const { client, another } = await arrive()
    const others = [another(), another(), another()]
    for (const other of others) await signIn(other)
    const [second, third, fourth] = others as [Client, Client, Client]
    const { data: sessions } = await call(client, 'listSessions')
    expect(sessions).toHaveLength(4)
    const { id } = (await call(second, 'getSession')).data.session
    const listed = sessions.find((session: { id: string }) => session.id === id)
    expect(await call(client, 'revokeSession', { token: listed.token })).toEqual(ok({ status: true }))
    const { token } = (await call(third, 'getSession')).data.session
    expect(await call(client, 'revokeSession', { token })).toEqual(ok({ status: true }))
    for (const ended of [second, third]) expect(await call(ended, 'getSession')).toEqual(ok(null))
    expect(await call(client, 'revokeSession', { token })).toEqual(
      refused(400, 'BAD_REQUEST', 'SESSION_NOT_FOUND', 'Session not found'),
    )
    expect(await call(client, 'revokeOtherSessions')).toEqual(ok({ status: true }))
    expect(await call(fourth, 'getSession')).toEqual(ok(null))
    expect((await call(client, 'listSessions')).data).toHaveLength(1)
    expect(await call(client, 'revokeSessions')).toEqual(ok({ status: true }))
    for (const name of ['listSessions', 'revokeSessions', 'revokeOtherSessions', 'listAccounts']) {
      expect(await call(client, name)).toEqual(unauthorized)
    }
  })

  test('lists its accounts, and cannot unlink the last one', async () => {
    const { client, signUp } = await arrive()
    expect((await call(client, 'listAccounts')).data).toEqual([
      expect.objectContaining({ provider: 'credential', providerId: 'credential', accountId: signUp.data.user.id, scopes: [] }),
    ])
    expect(await call(client, 'unlinkAccount', { providerId: 'credential' })).toEqual(
      refused(400, 'BAD_REQUEST', 'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT', "You can't unlink your last account"),
    )
  })

  test('gets an error for an unknown provider', async () => {
    const { client, signUp, another } = await arrive()
    const notFound = refused(404, 'NOT_FOUND', 'PROVIDER_NOT_FOUND', 'Provider not found')
    const accountNotFound = refused(400, 'BAD_REQUEST', 'ACCOUNT_NOT_FOUND', 'Account not found')
    const notSupported = (code: string, id: string) => refused(400, 'BAD_REQUEST', code, `Provider ${id} is not supported.`)
    expect(await another().signIn?.social?.({ provider: 'github', callbackURL: '/dash' })).toEqual(notFound)
    expect(await call(client, 'linkSocial', { provider: 'github', callbackURL: '/dash' })).toEqual(notFound)
    expect(await call(another(), 'linkSocial', { provider: 'github' })).toEqual(unauthorized)
    const [{ id }] = (await call(client, 'listAccounts')).data
    for (const name of ['getAccessToken', 'refreshToken']) {
      const ofProvider = await call(client, name, { providerId: 'github' })
      expect(ofProvider).toEqual(notSupported('PROVIDER_GITHUB_IS_NOT_SUPPORTED', 'github'))
      const ofRow = await call(client, name, { accountId: id })
      expect(ofRow).toEqual(notSupported('PROVIDER_CREDENTIAL_IS_NOT_SUPPORTED', 'credential'))
      expect(await call(client, name, { accountId: 'unknown' })).toEqual(accountNotFound)
      expect(await call(another(), name, { providerId: 'github' })).toEqual(unauthorized)
    }
    const notConfigured = refused(
      500,
      'INTERNAL_SERVER_ERROR',
      'PROVIDER_ACCOUNT_PROVIDER_IS_CREDENTIAL_BUT_IT_IS_NOT_CONFIGURED',
      'Provider account provider is credential but it is not configured',
    )
    expect(await call(client, 'accountInfo', { accountId: signUp.data.user.id })).toEqual(notConfigured)
    expect(await call(client, 'accountInfo', { query: { accountId: id } })).toEqual(notConfigured)
    expect(await call(client, 'accountInfo', { query: { accountId: 'unknown' } })).toEqual(accountNotFound)
  })

  test('changes name and image, but not the email address', async () => {
    const { client } = await arrive()
    expect(await call(client, 'updateUser', { name: 'Anna', image: 'https://example.com/a.png' })).toEqual(ok({ status: true }))
    expect((await call(client, 'getSession')).data.user).toMatchObject({ name: 'Anna', image: 'https://example.com/a.png' })
    expect(await call(client, 'updateUser', { email: 'b@example.com' })).toEqual(
      refused(400, 'BAD_REQUEST', 'EMAIL_CAN_NOT_BE_UPDATED', 'Email can not be updated'),
    )
  })

  test('updates fields of its session', async () => {
    const { client } = await arrive({ session: { additionalFields: { theme: { type: 'string', required: false } } } })
    expect((await call(client, 'getSession')).data.session.theme).toBeNull()
    const { data, error } = await call(client, 'updateSession', { theme: 'dark' })
    expect([error, data.session.theme]).toEqual([null, 'dark'])
    expect((await call(client, 'getSession')).data.session.theme).toBe('dark')
    expect(await call(client, 'updateSession', { theme: 7 })).toEqual(invalid)
  })

  test('changes the password, and revokes the other sessions on request', async () => {
    const { client, another } = await arrive()
    const other = another()
    await signIn(other)
    expect(await call(client, 'changePassword', { currentPassword: 'wrong horse battery', newPassword })).toEqual(
      refused(400, 'BAD_REQUEST', 'INVALID_PASSWORD', 'Invalid password'),
    )
    const changed = await call(client, 'changePassword', { currentPassword: password, newPassword, revokeOtherSessions: true })
    expect(changed.error).toBeNull()
    expect(await call(other, 'getSession')).toEqual(ok(null))
    expect((await call(client, 'getSession')).data.user.email).toBe(email)
    expect((await signIn(other)).error?.code).toBe('INVALID_EMAIL_OR_PASSWORD')
    expect((await signIn(other, { email, password: newPassword })).error).toBeNull()
    expect(await call(client, 'verifyPassword', { password: newPassword })).toEqual(ok({ status: true }))
  })

  test('resets a forgotten password, and gets the same response for an unknown email address', async () => {
    const { client, another, nextMail } = await arrive()
    const ask = (name: string, address: string) => call(another(), name, { email: address, redirectTo: '/reset' })
    // Later clients know only the newer name, which any client can spell.
    for (const name of ['forgetPassword', 'requestPasswordReset']) {
      const known = await ask(name, email)
      expect(known.error).toBeNull()
      expect(await ask(name, 'bob@example.com')).toEqual(known)
      const { token } = await nextMail('reset-password')
      expect(await call(another(), 'resetPassword', { token, newPassword: `${newPassword} ${name}` })).toEqual(
        ok({ status: true }),
      )
      expect(await call(another(), 'resetPassword', { token, newPassword })).toEqual(
        refused(400, 'BAD_REQUEST', 'INVALID_TOKEN', 'invalid token'),
      )
      expect((await signIn(another(), { email, password: `${newPassword} ${name}` })).error).toBeNull()
    }
    expect(await call(client, 'getSession')).toEqual(ok(null))
  })

  test('verifies the email address', async () => {
    const { client, nextMail } = await arrive()
    expect(await call(client, 'sendVerificationEmail', { email })).toEqual(ok({ status: true }))
    const { token } = await nextMail('verification')
    const verified = await call(client, 'verifyEmail', { query: { token } })
    expect([verified.error, verified.data.status]).toEqual([null, true])
    expect((await call(client, 'getSession', { query: { disableCookieCache: true } })).data.user.emailVerified).toBe(true)
    expect((await call(client, 'verifyEmail', { query: { token: 'nonsense' } })).error).toMatchObject({
      status: 401,
      code: 'INVALID_TOKEN',
    })
  })

  test('changes the email address', async () => {
    const { client } = await arrive()
    expect(await call(client, 'changeEmail', { newEmail: email })).toEqual(
      refused(400, 'BAD_REQUEST', 'EMAIL_IS_THE_SAME', 'Email is the same'),
    )
    expect(await call(client, 'changeEmail', { newEmail: 'anna@example.com' })).toEqual(ok({ status: true }))
    expect((await call(client, 'getSession')).data.user.email).toBe('anna@example.com')
  })

  test('deletes the account', async () => {
    const { client, another } = await arrive()
    expect(await call(client, 'deleteUser', { password: 'wrong horse battery' })).toEqual(
      refused(400, 'BAD_REQUEST', 'INVALID_PASSWORD', 'Invalid password'),
    )
    expect(await call(client, 'deleteUser', { password })).toEqual(ok({ success: true, message: 'User deleted' }))
    expect(await call(client, 'getSession')).toEqual(ok(null))
    expect((await signIn(another())).error?.status).toBe(401)
  })

  test('uses a session of its cookie cache', async () => {
    const { client, another } = await arrive({ session: { cookieCache: { enabled: true } } })
    const other = another()
    await signIn(other)
    const first = await call(other, 'getSession')
    expect(await call(other, 'getSession')).toEqual(first)
    await call(client, 'revokeOtherSessions')
    expect(await call(other, 'getSession')).toEqual(ok(null))
  })

  test('gets the seconds to wait when it is limited', async () => {
    const { another } = await arrive({ rateLimit: { enabled: true } })
    let retryAfter: string | null = null
    const onError = ({ response }: { response: Response }) => {
      retryAfter = response.headers.get('X-Retry-After')
    }
    const client = another()
    const tries = Array.from({ length: 3 }, () => signIn(client, { email, password: 'wrong horse battery' }))
    await Promise.all(tries)
    const limited = await client.signIn?.email?.({ email, password }, { onError })
    expect(limited?.error).toEqual({
      status: 429,
      statusText: 'Too Many Requests',
      code: 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER',
      message: 'Too many requests. Please try again later.',
    })
    expect(Number(retryAfter)).toBeGreaterThan(0)
  })

  test('gets only the status for an unknown path', async () => {
    const { another } = await arrive()
    expect((await call(another(), 'noSuchCall')).error).toMatchObject({ status: 404, statusText: 'Not Found' })
  })
})
