/** Sessions, sign-in methods and permissions of users: contract 05 §2 and §5. */
import { describe, expect, test } from 'vitest'
import { type AdminConfig, seen, withAdmin } from '../../../tests/kit/administration.ts'
import { baseURL } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { password } from '../../../tests/kit/members.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { type ConfigFile, featureList } from '../index.ts'

const notFound = [404, { code: 'USER_NOT_FOUND', message: 'User not found' }]
const invalid = [
  400,
  { code: 'VALIDATION_ERROR', message: 'Invalid body parameters', details: { parameters: expect.any(Array) } },
]
const unauthorized = [401, { code: 'UNAUTHORIZED', message: 'Unauthorized' }]
const other = 'another horse battery'
const post = async (browser: Browser, path: string, body: object) =>
  seen(await browser.call(`POST /admin/${path}` as never, { body } as never))
const listOf = async (browser: Browser, userId: string) =>
  (await browser.call('POST /admin/list-user-sessions', { body: { userId } })).body.sessions

describe('sessions of users', () => {
  test('are listed with handles, oldest first, also expired ones; the own current one has its token', async () => {
    const { ada, uma, signIn, clock, app } = await withAdmin({}, { session: { expiresIn: 3600 } })
    clock.advance(10)
    await signIn(uma.email)
    const sessions = await listOf(ada.browser, uma.userId)
    expect(sessions).toHaveLength(2)
    for (const { id, token, createdAt, impersonatedBy } of sessions) {
      expect([token, impersonatedBy]).toEqual([id, null])
      expect(typeof createdAt).toBe('string')
    }
    const times = sessions.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect([...times].sort()).toEqual(times)
    await app.db.updateTable('session').set({ expiresAt: clock.now() }).where('userId', '=', uma.userId).execute()
    expect(await listOf(ada.browser, uma.userId)).toHaveLength(2)
    expect(await listOf(ada.browser, 'unknown')).toEqual([])
    const own = await listOf(ada.browser, ada.userId)
    expect(own[0].token).toMatch(/^\w{32}$/)
    expect(own[0].token).not.toBe(own[0].id)
  })

  test('are revoked by handle or token, one by one; an unknown one succeeds too', async () => {
    const { ada, uma, signIn, sessionsOf, events } = await withAdmin()
    const second = await signIn(uma.email)
    const [{ id }] = await listOf(ada.browser, uma.userId)
    const revoke = (sessionToken: string) => post(ada.browser, 'revoke-user-session', { sessionToken })
    const done = [200, { success: true }]
    expect([await revoke(id), await revoke(id), await revoke('unknown')]).toEqual([done, done, done])
    expect(await sessionsOf(uma.userId)).toHaveLength(1)
    const [remaining] = await listOf(ada.browser, uma.userId)
    const token = remaining.id === id ? '' : second.answer.body.token
    expect(await revoke(token)).toEqual(done)
    expect((await sessionsOf(uma.userId)).length + (await sessionsOf(ada.userId)).length).toBeLessThanOrEqual(2)
    expect(
      (await events('sessions.revoked')).every(({ actorId, userId }) => actorId === ada.userId && userId === uma.userId),
    ).toBe(true)
  })

  test('are revoked all immediately, with their number', async () => {
    const { ada, uma, signIn, sessionsOf } = await withAdmin()
    await signIn(uma.email)
    expect(await post(ada.browser, 'revoke-user-sessions', { userId: uma.userId })).toEqual([200, { success: true, revoked: 2 }])
    expect(await post(ada.browser, 'revoke-user-sessions', { userId: 'unknown' })).toEqual([200, { success: true, revoked: 0 }])
    expect(await sessionsOf(uma.userId)).toEqual([])
  })

  test('are not revoked by an administrator whose roles permit less than those of the user', async () => {
    const roles = { admin: { session: ['list', 'revoke'], user: ['ban'] }, support: { session: ['list', 'revoke'] }, user: {} }
    const { ada, uma, join, sessionsOf } = await withAdmin({ roles })
    const sue = await join('Sue', 'support')
    const denied = [
      403,
      { code: 'YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS', message: 'You are not allowed to revoke users sessions' },
    ]
    const [{ id: sessionToken }] = await listOf(sue.browser, ada.userId)
    expect(await post(sue.browser, 'revoke-user-session', { sessionToken })).toEqual(denied)
    expect(await post(sue.browser, 'revoke-user-sessions', { userId: ada.userId })).toEqual(denied)
    expect(await sessionsOf(ada.userId)).toHaveLength(1)
    for (const { userId } of [uma, sue])
      expect(await post(sue.browser, 'revoke-user-sessions', { userId })).toEqual([200, { success: true, revoked: 1 }])
  })
})

describe('POST /admin/set-user-password', () => {
  const set = (browser: Browser, userId: string, newPassword = other) =>
    post(browser, 'set-user-password', { userId, newPassword })
  const done = [200, { status: true }]

  test('replaces the password immediately, and revokes the sessions of the user', async () => {
    const { ada, uma, signIn, sessionsOf, events } = await withAdmin()
    expect(await set(ada.browser, uma.userId)).toEqual(done)
    expect(await sessionsOf(uma.userId)).toEqual([])
    expect((await signIn(uma.email)).answer.status).toBe(401)
    expect((await signIn(uma.email, other)).answer.status).toBe(200)
    expect(await events('password.set')).toMatchObject([{ actorId: ada.userId, targetId: uma.userId }])
  })

  test('lets the user sign in only after they have replaced it, if the administrator asks for that', async () => {
    const mails = captureMails()
    const { ada, uma, signIn, browser } = await withAdmin(
      {},
      { emailAndPassword: { enabled: true, sendResetPassword: mails.send } },
    )
    const body = { userId: uma.userId, newPassword: other, mustReplacePassword: true }
    expect(await post(ada.browser, 'set-user-password', body)).toEqual(done)
    expect((await signIn(uma.email, other)).answer.body).toMatchObject({ code: 'PASSWORD_MUST_BE_REPLACED' })
    const { token } = await mails.next()
    const replaced = { newPassword: 'a third horse battery', token }
    expect((await browser().call('POST /reset-password', { body: replaced })).status).toBe(200)
    expect((await signIn(uma.email, replaced.newPassword)).answer.status).toBe(200)
  })

  test('cannot ask for a replacement when no reset link can be sent', async () => {
    const { ada, uma } = await withAdmin()
    const body = { userId: uma.userId, newPassword: other, mustReplacePassword: true }
    expect(await post(ada.browser, 'set-user-password', body)).toMatchObject([400, { code: 'RESET_PASSWORD_ISNT_ENABLED' }])
  })

  test('creates a credential account for a user without one', async () => {
    const { ada, uma, signIn, app } = await withAdmin()
    await app.db.deleteFrom('account').where('userId', '=', uma.userId).execute()
    expect(await set(ada.browser, uma.userId)).toEqual(done)
    expect((await signIn(uma.email, other)).answer.status).toBe(200)
  })

  test('checks the bounds, and answers 404 for an unknown user', async () => {
    const { ada, uma } = await withAdmin()
    expect(await set(ada.browser, uma.userId, 'short')).toMatchObject([400, { code: 'PASSWORD_TOO_SHORT' }])
    expect(await set(ada.browser, uma.userId, 'x'.repeat(129))).toMatchObject([400, { code: 'PASSWORD_TOO_LONG' }])
    expect(await set(ada.browser, 'unknown')).toEqual(notFound)
    expect(await post(ada.browser, 'set-user-password', { userId: uma.userId })).toEqual(invalid)
  })

  test('keeps the current session of an administrator who sets their own', async () => {
    const { ada, signIn, sessionsOf } = await withAdmin()
    await signIn(ada.email)
    expect(await set(ada.browser, ada.userId)).toEqual(done)
    expect(await sessionsOf(ada.userId)).toHaveLength(1)
    expect((await ada.browser.call('GET /list-accounts', {})).status).toBe(200)
  })

  test('ends the open reset and setup links of the user', async () => {
    const mails = captureMails()
    const { ada, uma, browser } = await withAdmin({}, { emailAndPassword: { enabled: true, sendResetPassword: mails.send } })
    await browser().call('POST /request-password-reset', { body: { email: uma.email } })
    const { token } = await mails.next()
    await set(ada.browser, uma.userId)
    const answer = await browser().call('POST /reset-password', { body: { token, newPassword: password } })
    expect(answer.body).toMatchObject({ code: 'INVALID_TOKEN' })
  })

  test('requires a new password at the next sign-in if the option is on', async () => {
    const mails = captureMails()
    const { ada, uma, signIn } = await withAdmin(
      { forcePasswordChange: true },
      { emailAndPassword: { enabled: true, sendResetPassword: mails.send } },
    )
    await set(ada.browser, uma.userId)
    expect((await signIn(uma.email, other)).answer.body).toMatchObject({ code: 'PASSWORD_MUST_BE_REPLACED' })
    const { token } = await mails.next()
    await uma.browser.call('POST /reset-password', { body: { token, newPassword: 'a third horse battery' } })
    expect((await signIn(uma.email, 'a third horse battery')).answer.status).toBe(200)
  })

  test('is rejected if the option says so', async () => {
    const { ada, uma, signIn } = await withAdmin({ allowSettingPasswords: false })
    expect(await set(ada.browser, uma.userId)).toEqual([
      403,
      { code: 'SETTING_PASSWORDS_IS_DISABLED', message: 'Setting passwords is disabled' },
    ])
    expect((await signIn(uma.email)).answer.status).toBe(200)
  })
})

describe('links', () => {
  test('a reset link is sent on behalf of a user, also of one without a password', async () => {
    const mails = captureMails()
    const { ada, uma, app, signIn, events } = await withAdmin(
      {},
      { emailAndPassword: { enabled: true, sendResetPassword: mails.send } },
    )
    await app.db.deleteFrom('account').where('userId', '=', uma.userId).execute()
    expect(await post(ada.browser, 'send-password-reset', { userId: uma.userId })).toEqual([200, { status: true }])
    const { token, user } = await mails.next()
    expect(user).toMatchObject({ email: uma.email, role: 'user', banned: null, banReason: null, banExpires: null })
    await uma.browser.call('POST /reset-password', { body: { token, newPassword: other } })
    expect((await signIn(uma.email, other)).answer.status).toBe(200)
    expect(await events('password-reset.requested')).toMatchObject([{ actorId: ada.userId, targetId: uma.userId }])
    expect(await post(ada.browser, 'send-password-reset', { userId: 'unknown' })).toEqual(notFound)
  })

  test('a verification link is sent to an unverified email address', async () => {
    const mails = captureMails()
    const { ada, uma, browser } = await withAdmin({}, { emailVerification: { sendVerificationEmail: mails.send } })
    const send = (userId: string) => post(ada.browser, 'send-verification-email', { userId })
    expect(await send(uma.userId)).toEqual([200, { status: true }])
    const { token } = await mails.next()
    expect((await browser().call('POST /verify-email', { body: { token } })).status).toBe(200)
    expect(await send(uma.userId)).toMatchObject([400, {}])
    expect(await send('unknown')).toEqual(notFound)
  })

  test('without email there are none', async () => {
    const { ada, uma } = await withAdmin()
    expect(await post(ada.browser, 'send-password-reset', { userId: uma.userId })).toMatchObject([
      400,
      { code: 'RESET_PASSWORD_ISNT_ENABLED' },
    ])
    expect(await post(ada.browser, 'send-verification-email', { userId: uma.userId })).toMatchObject([
      400,
      { code: 'VERIFICATION_EMAIL_ISNT_ENABLED' },
    ])
  })
})

describe('sign-in methods', () => {
  test('are listed without secrets, and unlinked but for the last one', async () => {
    const { ada, uma, app, clock, events } = await withAdmin()
    const now = clock.now()
    const row = { id: 'github-1', accountId: '7', providerId: 'github', userId: uma.userId, scope: 'a,b', accessToken: 'secret' }
    await app.db
      .insertInto('account')
      .values({ ...row, createdAt: now, updatedAt: now })
      .execute()
    const list = async () =>
      (await ada.browser.call('GET /admin/list-user-accounts', { query: { userId: uma.userId } })).body.accounts
    const accounts = await list()
    expect(accounts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ providerId: 'credential', accountId: uma.userId, scopes: [], hasPassword: true }),
        {
          id: 'github-1',
          providerId: 'github',
          accountId: '7',
          scopes: ['a', 'b'],
          hasPassword: false,
          createdAt: now.toISOString(),
          updatedAt: now.toISOString(),
        },
      ]),
    )
    const unlink = (accountId: string, userId = uma.userId) => post(ada.browser, 'unlink-user-account', { userId, accountId })
    expect(await unlink('unknown')).toMatchObject([400, { code: 'ACCOUNT_NOT_FOUND' }])
    expect(await unlink('github-1', ada.userId)).toMatchObject([400, {}])
    expect(await unlink('github-1')).toEqual([200, { status: true }])
    const [last] = await list()
    expect(await unlink(last.id)).toMatchObject([400, { code: 'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT' }])
    expect(await unlink('x', 'unknown')).toEqual(notFound)
    expect(await events('account.unlinked')).toMatchObject([
      { userId: uma.userId, targetId: 'github-1', details: { providerId: 'github' } },
    ])
  })
})

describe('POST /admin/has-permission', () => {
  const roles: AdminConfig = {
    ac: { report: ['read', 'write'] },
    roles: { admin: { user: ['ban', 'list'], report: ['read', 'write'] }, user: { report: ['read'] } },
  }
  const ask = async (browser: Browser, body: object) => post(browser, 'has-permission', body)
  const yes = [200, { error: null, success: true }]
  const no = [200, { error: null, success: false }]

  test('needs exactly one of permission and permissions', async () => {
    const { ada } = await withAdmin(roles)
    expect(await ask(ada.browser, {})).toEqual(invalid)
    const one = { user: ['ban'] }
    expect(await ask(ada.browser, { permission: one, permissions: one })).toEqual(invalid)
    expect(await ask(ada.browser, { permission: one })).toEqual(yes)
    expect(await ask(ada.browser, { permissions: one })).toEqual(yes)
  })

  test('answers for the session user: all actions of all resources, by one role', async () => {
    const { ada, uma } = await withAdmin(roles)
    expect(await ask(ada.browser, { permissions: { user: ['ban', 'list'], report: ['write'] } })).toEqual(yes)
    expect(await ask(ada.browser, { permissions: { user: ['ban', 'delete'] } })).toEqual(no)
    expect(await ask(ada.browser, { permissions: { unknown: ['x'] } })).toEqual(no)
    expect(await ask(uma.browser, { permissions: { report: ['read'] } })).toEqual(yes)
    expect(await ask(uma.browser, { permissions: { report: ['read', 'write'] } })).toEqual(no)
    expect(await ask(uma.browser, { permissions: {} })).toEqual(no)
  })

  test('ignores userId and role of the body when there is a session', async () => {
    const { ada, uma } = await withAdmin(roles)
    const permissions = { user: ['ban'] }
    expect(await ask(uma.browser, { userId: ada.userId, role: 'admin', permissions })).toEqual(no)
  })

  test('without a session, answers for a role, and never for a user', async () => {
    const { ada, browser } = await withAdmin(roles)
    const permissions = { user: ['ban'] }
    expect(await ask(browser(), { role: 'admin', permissions })).toEqual(yes)
    expect(await ask(browser(), { role: 'user,admin', permissions })).toEqual(yes)
    expect(await ask(browser(), { role: 'unknown', permissions })).toEqual(no)
    expect(await ask(browser(), { permissions })).toEqual(unauthorized)
    for (const userId of [ada.userId, 'unknown'])
      for (const more of [{}, { role: 'admin' }])
        expect(await ask(browser(), { userId, permissions, ...more })).toEqual(unauthorized)
  })

  test('accepts roles and resources made by createAccessControl of better-auth', async () => {
    const { createAccessControl } = await import('better-auth/plugins/access')
    const ac = createAccessControl({ report: ['read', 'write'], user: ['ban'] } as const)
    const { ada, uma } = await withAdmin({
      ac: ac as never,
      roles: {
        admin: ac.newRole({ report: ['read', 'write'], user: ['ban'] }) as never,
        user: ac.newRole({ report: ['read'] }) as never,
      },
    })
    expect(await ask(ada.browser, { permissions: { report: ['write'], user: ['ban'] } })).toEqual(yes)
    expect(await ask(uma.browser, { permissions: { report: ['write'] } })).toEqual(no)
    expect(await ask(uma.browser, { permissions: { report: ['read'] } })).toEqual(yes)
  })
})

describe('GET /admin/list-roles', () => {
  test('lists configured and stored roles with what they permit', async () => {
    const { ada, app, clock } = await withAdmin({ adminRoles: ['admin', 'chief'] })
    const times = { createdAt: clock.now(), updatedAt: clock.now() }
    const permissions = JSON.stringify({ user: ['list'] })
    await app.db
      .insertInto('role')
      .values({ id: 'r1', name: 'chief', permissions, ...times })
      .execute()
    const { body } = await ada.browser.call('GET /admin/list-roles', {})
    expect(body.roles).toEqual([
      { role: 'admin', permissions: expect.objectContaining({ session: ['list', 'revoke', 'delete'] }), isAdministrator: true },
      { role: 'user', permissions: {}, isAdministrator: false },
      { role: 'chief', permissions: { user: ['list'] }, isAdministrator: true },
    ])
  })
})

describe('the configuration', () => {
  const issuesOf = (config: ConfigFile) => {
    const parsed = parseConfig(featureList, {
      ...{ secret: 'a secret of the tests, 0123456789 abcdefghij', environment: 'development' },
      ...{ baseURL, database: { url: 'sqlite::memory:' }, emailAndPassword: { enabled: true } },
      ...config,
    })
    return 'issues' in parsed ? parsed.issues.map(({ id, path }) => [id, path]) : []
  }
  const admins = (role: string) => ({ admins: [{ email: 'root@example.com', name: 'Root', role }] })

  test('knows the built-in roles, and those of admin.roles, for seeded administrators', () => {
    expect(issuesOf({ admin: true, seed: admins('admin') })).toEqual([])
    expect(issuesOf({ admin: { roles: { chief: { user: ['ban'] } } }, seed: admins('chief') })).toEqual([])
    expect(issuesOf({ admin: { roles: { chief: {} } }, seed: admins('admin') })).toEqual([
      ['seed-admin-role', 'seed.admins.0.role'],
    ])
    expect(issuesOf({ seed: admins('admin') })).toEqual([['seed-admin-role', 'seed.admins.0.role']])
  })

  test('rejects unknown actions, and a role that is declared twice', () => {
    expect(issuesOf({ admin: { roles: { chief: { user: ['fly'] } } } })).toEqual([
      ['admin-role-action', 'admin.roles.chief.user'],
    ])
    expect(issuesOf({ admin: { ac: { user: ['fly'] }, roles: { chief: { user: ['fly'] } } } })).toEqual([])
    const doubled = issuesOf({ admin: { roles: { chief: {} } }, seed: { roles: { chief: {} } } })
    expect(doubled).toEqual([['admin-role-seeded', 'admin.roles.chief']])
  })
})
