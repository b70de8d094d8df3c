import { describe, expect, test } from 'vitest'
import { baseURL, testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { App } from '../../core/app.ts'
import { refusal } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import type { UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import type { ConfigFile } from '../index.ts'
import { findUserByEmail } from '../users/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
type DeleteUser = NonNullable<NonNullable<ConfigFile['user']>['deleteUser']>
const userDeleted = { success: true, message: 'User deleted' }
const unknownToken = { code: 'INVALID_TOKEN', message: 'invalid token' }
const cleared = ['session_token', 'session_data', 'dont_remember'].map((name) =>
  expect.stringMatching(new RegExp(`^latchkey\\.${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax$`)),
)

async function withAnn(deleteUser: DeleteUser = {}, config: ConfigFile = {}) {
  const kit = await testApp({ ...config, user: { deleteUser: { enabled: true, ...deleteUser } } })
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  const remove = (body: object = {}, by = visitor) => by.call('POST /delete-user', { body })
  const count = async () => (await kit.app.db.selectFrom('user').selectAll().execute()).length
  return { ...kit, visitor, remove, count }
}

async function withMail(deleteUser: DeleteUser = {}, config: ConfigFile = {}) {
  const mails = captureMails()
  const kit = await withAnn({ sendDeleteAccountVerification: mails.send, ...deleteUser }, config)
  const request = async (callbackURL?: string) => {
    const response = await kit.remove(callbackURL === undefined ? {} : { callbackURL })
    expect([response.status, response.body, response.setCookie]).toEqual([
      200,
      { success: true, message: 'Verification email sent' },
      [],
    ])
    return mails.next()
  }
  const follow = (token: string, by = kit.visitor, callbackURL?: string) =>
    by.call('GET /delete-user/callback', { query: { token, ...(callbackURL !== undefined && { callbackURL }) } })
  const other = async () => {
    const eve = kit.browser()
    await eve.call('POST /sign-up/email', { body: { ...ann, email: 'eve@example.com' } })
    return eve
  }
  return { ...kit, mails, request, follow, other }
}

describe('POST /delete-user', () => {
  test('responds 404 unless enabled', async () => {
    const { remove, count } = await withAnn({ enabled: false })
    const response = await remove()
    expect([response.status, response.body]).toEqual([404, { code: 'NOT_FOUND', message: 'Not Found' }])
    expect(await count()).toBe(1)
  })

  test('deletes the user with all related rows and clears the cookies', async () => {
    const { app, remove, visitor } = await withAnn()
    const response = await remove()
    expect([response.status, response.body]).toEqual([200, userDeleted])
    expect(response.setCookie).toEqual(cleared)
    for (const table of ['user', 'session', 'account'] as const)
      expect(await app.db.selectFrom(table).selectAll().execute()).toEqual([])
    expect((await visitor.call('GET /get-session', {})).body).toBeNull()
  })

  test('does not delete other users', async () => {
    const { app, browser, remove } = await withAnn()
    const eve = browser()
    await eve.call('POST /sign-up/email', { body: { ...ann, email: 'eve@example.com' } })
    await remove()
    expect((await eve.call('GET /get-session', {})).body.user.email).toBe('eve@example.com')
    expect(await app.db.selectFrom('account').selectAll().execute()).toHaveLength(1)
  })

  test('requires a session and a body', async () => {
    const { browser, remove, visitor, count } = await withAnn()
    expect((await remove({}, browser())).status).toBe(401)
    expect((await visitor.request('/delete-user', { method: 'POST' })).body.code).toBe('VALIDATION_ERROR')
    expect(await count()).toBe(1)
  })

  test('checks the password if one is given', async () => {
    const { app, remove, count } = await withAnn()
    const wrong = await remove({ password: 'wrong password' })
    expect([wrong.status, wrong.body]).toEqual([400, { code: 'INVALID_PASSWORD', message: 'Invalid password' }])
    await app.db.updateTable('account').set({ password: null }).execute()
    const none = await remove({ password: ann.password })
    expect([none.status, none.body]).toEqual([
      400,
      { code: 'CREDENTIAL_ACCOUNT_NOT_FOUND', message: 'Credential account not found' },
    ])
    expect(await count()).toBe(1)
  })

  test('requires a fresh session without a password, to the second', async () => {
    const { clock, remove, count } = await withAnn({}, { session: { freshAge: 100 } })
    clock.advance(101)
    const response = await remove()
    expect([response.status, response.body]).toEqual([
      400,
      {
        code: 'SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION',
        message: 'Session expired. Re-authenticate to perform this action.',
      },
    ])
    expect(await count()).toBe(1)
    expect((await remove({ password: ann.password })).body).toEqual(userDeleted)
  })

  test('accepts a session as old as freshAge, and a renewal does not make one fresh', async () => {
    const fresh = await withAnn({}, { session: { freshAge: 100 } })
    fresh.clock.advance(100)
    expect((await fresh.remove()).body).toEqual(userDeleted)
    const renewed = await withAnn({}, { session: { freshAge: 100, updateAge: 50 } })
    renewed.clock.advance(60)
    await renewed.visitor.call('GET /get-session', {})
    renewed.clock.advance(60)
    expect((await renewed.remove()).status).toBe(400)
  })

  test('accepts any session with freshAge 0', async () => {
    const { clock, remove } = await withAnn({}, { session: { freshAge: 0 } })
    clock.advance(86_400 * 5)
    expect((await remove()).body).toEqual(userDeleted)
  })

  test('calls beforeDelete, which may reject, and afterDelete after the commit', async () => {
    const seen: unknown[] = []
    let refuses = true
    const { remove, count } = await withAnn({
      beforeDelete: (user) => {
        seen.push(['before', user.email])
        if (refuses) throw refusal({ status: 400, message: 'Not yet' })
      },
      afterDelete: async (user) => void seen.push(['after', user.email, await count()]),
    })
    const refused = await remove()
    expect([refused.status, refused.body, refused.setCookie]).toEqual([400, { code: 'NOT_YET', message: 'Not yet' }, []])
    expect(await count()).toBe(1)
    refuses = false
    await remove()
    expect(seen).toEqual([
      ['before', ann.email],
      ['before', ann.email],
      ['after', ann.email, 0],
    ])
  })
})

describe('with a deletion link', () => {
  test('deletes nothing until the link is opened', async () => {
    const { request, count, app } = await withMail({}, { dashboard: { enabled: false } })
    const mail = await request('/bye')
    expect(mail.user.email).toBe(ann.email)
    expect(mail.token).toMatch(/^[a-z0-9]{32}$/)
    expect(mail.url).toBe(`${baseURL}/api/auth/delete-user/callback?token=${mail.token}&callbackURL=%2Fbye`)
    expect((await request()).url).toMatch(/&callbackURL=%2F$/)
    expect(await count()).toBe(1)
    expect(JSON.stringify(await app.db.selectFrom('verification').selectAll().execute())).not.toContain(mail.token)
  })

  test('sends the link also when the password is given, and for a session that is not fresh', async () => {
    const { clock, remove, count } = await withMail()
    clock.advance(86_401)
    expect((await remove({ password: ann.password })).body.message).toBe('Verification email sent')
    expect((await remove()).body.message).toBe('Verification email sent')
    expect(await count()).toBe(1)
  })

  test('deletes, clears the cookies and redirects when the link is opened', async () => {
    const { request, follow, count, visitor } = await withMail()
    const { url } = await request('/bye')
    const response = await visitor.request(url.slice(`${baseURL}/api/auth`.length))
    expect([response.status, response.headers.get('location'), await count()]).toEqual([302, '/bye', 0])
    expect(response.setCookie).toEqual(cleared)
    const again = await follow('x')
    expect([again.status, again.body]).toEqual([404, { code: 'FAILED_TO_GET_USER_INFO', message: 'Failed to get user info' }])
  })

  test('responds with JSON without a callbackURL', async () => {
    const { request, follow, remove, other } = await withMail()
    expect((await follow((await request()).token)).body).toEqual(userDeleted)
    const eve = await other()
    await remove({}, eve)
    expect((await remove({ token: 'x' }, eve)).body).toEqual(unknownToken)
  })

  test('deletes with the token by POST as well', async () => {
    const { request, remove, count } = await withMail()
    const { token } = await request()
    const response = await remove({ token })
    expect([response.status, response.body, await count()]).toEqual([200, userDeleted, 0])
    expect(response.setCookie).toEqual(cleared)
  })

  test('works for its owner only, until it expires, and rejects an untrusted callbackURL', async () => {
    const { browser, clock, request, follow, other, count } = await withMail({ deleteTokenExpiresIn: 60 })
    const { token } = await request()
    const eve = await other()
    const foreign = await follow(token, eve)
    expect([foreign.status, foreign.body]).toEqual([404, unknownToken])
    expect((await follow(token, browser())).body.code).toBe('FAILED_TO_GET_USER_INFO')
    expect((await follow(token, undefined, 'https://evil.test')).body.code).toBe('INVALID_CALLBACKURL')
    expect((await browser().request('/delete-user/callback')).body).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'Invalid query parameters',
      details: { parameters: ['token'] },
    })
    clock.advance(60)
    expect((await follow(token)).body).toEqual(unknownToken)
    expect(await count()).toBe(2)
  })

  test('responds 404 unless enabled', async () => {
    const { visitor } = await withAnn({ enabled: false })
    const response = await visitor.call('GET /delete-user/callback', { query: { token: 'x' } })
    expect([response.status, response.body]).toEqual([404, { code: 'NOT_FOUND', message: 'Not Found' }])
  })

  test('lets the hook reject the deletion', async () => {
    const hooks: ConfigFile = { databaseHooks: { verification: { create: { before: () => false } } } }
    const { remove, count } = await withAnn({ sendDeleteAccountVerification: () => undefined }, hooks)
    const response = await remove()
    expect([response.status, response.body.code, await count()]).toEqual([400, 'FAILED_TO_CREATE_VERIFICATION', 1])
  })

  test('rejects a link from before a new password', async () => {
    const { browser, mails, follow, remove, count, visitor } = await withMail()
    const thief = browser()
    await thief.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } })
    await remove({}, thief)
    const { token } = await mails.next()
    const body = { currentPassword: ann.password, newPassword: 'another horse entirely', revokeOtherSessions: true }
    expect((await visitor.call('POST /change-password', { body })).status).toBe(200)
    const response = await follow(token)
    expect([response.status, response.body, await count()]).toEqual([404, unknownToken, 1])
  })

  test('deletes the links of a deleted user', async () => {
    const { app, request, follow } = await withMail()
    const [{ token }] = [await request(), await request()]
    await follow(token)
    expect(await app.db.selectFrom('verification').selectAll().execute()).toEqual([])
  })
})

test.each<[name: string, end: (tx: App, user: UserRow) => Promise<unknown>]>([
  ['the owner of the address takes the account over', (tx, { id }) => emit(tx, 'earlier-access.revoked', { userId: id })],
  [
    'the email address changes',
    (tx, user) => emit(tx, 'user.email-changed', { userId: user.id, user, formerEmail: ann.email, wasVerified: true }),
  ],
])('a link ends when %s', async (_, end) => {
  const { app, request, follow, count } = await withMail()
  const { token } = await request()
  const user = (await findUserByEmail(app, ann.email)) ?? expect.fail('no user')
  await transaction(app, (tx) => end(tx, user))
  expect((await follow(token)).status).toBe(404)
  expect(await count()).toBe(1)
})
