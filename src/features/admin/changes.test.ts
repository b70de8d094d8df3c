/** Roles, creation, updates and removal of users: contract 05 §2, and who may change whom. */
import { describe, expect, test } from 'vitest'
import { type AdminConfig, seen, withAdmin } from '../../../tests/kit/administration.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { password } from '../../../tests/kit/members.ts'

const denied = (message: string) => [403, { code: message.toUpperCase().replaceAll(' ', '_'), message }]
const notFound = [404, { code: 'USER_NOT_FOUND', message: 'User not found' }]
const invalid = [
  400,
  { code: 'VALIDATION_ERROR', message: 'Invalid body parameters', details: { parameters: expect.any(Array) } },
]
const naming = (member: string) => [
  400,
  { code: 'VALIDATION_ERROR', message: `Invalid body parameters: ${member}`, details: { parameters: expect.any(Array) } },
]
const unauthorized = [401, { code: 'UNAUTHORIZED', message: 'Unauthorized' }]

const post = async (browser: Browser, path: string, body: object) =>
  seen(await browser.call(`POST /admin/${path}` as never, { body } as never))

/** Roles below the administrator's. */
const roles: AdminConfig['roles'] = {
  admin: {
    user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password', 'update'],
    session: ['list', 'revoke', 'delete'],
    report: ['read'],
  },
  user: {},
  support: { user: ['list', 'ban', 'set-role', 'delete', 'impersonate', 'set-password', 'update', 'create'] },
  creator: { user: ['create'] },
  reader: { report: ['read'] },
}
const withRoles: AdminConfig = { ac: { report: ['read'] }, roles }

describe('who may call', () => {
  const calls = [
    ['set-role', { role: 'user' }, 'You are not allowed to change users role'],
    ['create-user', { email: 'x@example.com', password, name: 'X' }, 'You are not allowed to create users'],
    ['update-user', { data: { name: 'X' } }, 'You are not allowed to update users'],
    ['ban-user', {}, 'You are not allowed to ban users'],
    ['unban-user', {}, 'You are not allowed to ban users'],
    ['impersonate-user', {}, 'You are not allowed to impersonate users'],
    ['list-user-sessions', {}, 'You are not allowed to list users sessions'],
    ['revoke-user-session', { sessionToken: 'x' }, 'You are not allowed to revoke users sessions'],
    ['revoke-user-sessions', {}, 'You are not allowed to revoke users sessions'],
    ['remove-user', {}, 'You are not allowed to delete users'],
    ['set-user-password', { newPassword: password }, 'You are not allowed to set users password'],
    ['send-password-reset', {}, 'You are not allowed to set users password'],
    ['send-verification-email', {}, 'You are not allowed to update users'],
    ['unlink-user-account', { accountId: 'x' }, 'You are not allowed to update users'],
  ] as const

  test.each(calls)('%s needs its permission, after a session and a valid body', async (path, body, text) => {
    const { uma, ada, browser } = await withAdmin()
    const given = { userId: ada.userId, ...body }
    expect(await post(browser(), path, given)).toEqual(unauthorized)
    expect(await post(uma.browser, path, given)).toEqual(denied(text))
    expect(await post(browser(), path, {})).toEqual(invalid)
  })

  test('a user id of the configuration has every permission', async () => {
    let made = 0
    const generateId = () => {
      made += 1
      return `id-${made}`
    }
    const { uma, join } = await withAdmin({ adminUserIds: ['id-4'] }, { advanced: { database: { generateId } } })
    expect(uma.userId).toBe('id-4')
    const bob = await join('Bob')
    expect(await post(uma.browser, 'ban-user', { userId: bob.userId })).toMatchObject([200, { sessionsRevoked: 1 }])
    expect(await post(bob.browser, 'ban-user', { userId: uma.userId })).toEqual(unauthorized)
    for (const permissions of [{ user: ['ban'] }, { user: ['unknown'] }, { unknown: ['x'] }, {}])
      expect(await post(uma.browser, 'has-permission', { permissions })).toMatchObject([200, { success: true }])
  })

  test('a user without a role has the default role', async () => {
    const { uma, app } = await withAdmin({ defaultRole: 'reader', roles: roles ?? {}, ac: { report: ['read'] } })
    await app.db.updateTable('user').set({ role: null }).where('id', '=', uma.userId).execute()
    expect(await post(uma.browser, 'has-permission', { permissions: { report: ['read'] } })).toMatchObject([
      200,
      { success: true },
    ])
  })
})

describe('POST /admin/set-role', () => {
  test('takes one name or a list, and returns the whole user', async () => {
    const { ada, uma } = await withAdmin()
    const { userId } = uma
    expect(await post(ada.browser, 'set-role', { userId, role: ['admin', 'user'] })).toEqual([
      200,
      {
        user: {
          id: userId,
          name: 'Uma',
          email: 'uma@example.com',
          emailVerified: false,
          image: null,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
          role: 'admin,user',
          banned: null,
          banReason: null,
          banExpires: null,
        },
      },
    ])
    expect(await post(ada.browser, 'set-role', { userId, role: ' user , admin,user' })).toMatchObject([
      200,
      { user: { role: 'user,admin' } },
    ])
  })

  test('answers 404 for an unknown user, and 400 without a role', async () => {
    const { ada, uma } = await withAdmin()
    expect(await post(ada.browser, 'set-role', { userId: 'unknown', role: 'admin' })).toEqual(notFound)
    expect(await post(ada.browser, 'set-role', { userId: 7, role: 'admin' })).toEqual(notFound)
    for (const role of ['', [], ',', 'x'.repeat(256), undefined, null])
      expect(await post(ada.browser, 'set-role', { userId: uma.userId, role })).toEqual(invalid)
  })

  test.each(['auditor', 'user,auditor', 'User', 'toString'])('rejects the role %j, which does not exist', async (role) => {
    const unknown = [400, { code: 'ROLE_NOT_FOUND', message: 'Role not found' }]
    const { ada, uma, userOf } = await withAdmin({}, { seed: { roles: { auditor: { user: ['delete'] } } } })
    expect(await post(ada.browser, 'set-role', { userId: uma.userId, role })).toEqual(unknown)
    expect(await post(ada.browser, 'update-user', { userId: uma.userId, data: { role } })).toEqual(unknown)
    const given = { email: 'new@example.com', password, name: 'New' }
    expect(await post(ada.browser, 'create-user', { ...given, role })).toEqual(unknown)
    expect(await post(ada.browser, 'create-user', { ...given, data: { role } })).toEqual(unknown)
    expect((await userOf(uma.userId))?.role).toBe('user')
  })

  test('takes effect immediately, in both directions', async () => {
    const { ada, uma } = await withAdmin()
    const tryIt = () => post(uma.browser, 'list-user-sessions', { userId: ada.userId })
    expect(await tryIt()).toMatchObject([403, {}])
    await post(ada.browser, 'set-role', { userId: uma.userId, role: 'admin' })
    expect(await tryIt()).toMatchObject([200, {}])
    await post(ada.browser, 'set-role', { userId: uma.userId, role: 'user' })
    expect(await tryIt()).toMatchObject([403, {}])
  })

  test('records the former and the new role', async () => {
    const { ada, uma, events } = await withAdmin()
    await post(ada.browser, 'set-role', { userId: uma.userId, role: 'admin' })
    expect(await events('user.role-changed')).toMatchObject([
      { actorKind: 'user', actorId: ada.userId, targetId: uma.userId, details: { from: 'user', to: 'admin' } },
    ])
  })

  test('does not let an administrator demote themselves, so that one always remains', async () => {
    const { ada } = await withAdmin(withRoles)
    expect(await post(ada.browser, 'set-role', { userId: ada.userId, role: 'user' })).toEqual([
      400,
      { code: 'YOU_CANNOT_DEMOTE_YOURSELF', message: 'You cannot demote yourself' },
    ])
    expect(await post(ada.browser, 'update-user', { userId: ada.userId, data: { role: 'reader' } })).toMatchObject([400, {}])
    expect(await post(ada.browser, 'set-role', { userId: ada.userId, role: 'admin,reader' })).toMatchObject([200, {}])
  })
})

describe('no escalation', () => {
  const refused = denied('You are not allowed to change users role')

  test('a role that permits more than the own ones cannot be given', async () => {
    const { join, uma } = await withAdmin(withRoles)
    const { browser: support, userId } = await join('Sue', 'support')
    for (const role of ['admin', 'user,admin', 'reader'])
      expect(await post(support, 'set-role', { userId: uma.userId, role })).toEqual(refused)
    for (const role of ['admin', 'reader']) {
      expect(await post(support, 'update-user', { userId: uma.userId, data: { role } })).toEqual(refused)
      expect(await post(support, 'create-user', { email: 'x@example.com', password, name: 'X', role })).toEqual(refused)
      expect(await post(support, 'create-user', { email: 'x@example.com', password, name: 'X', data: { role } })).toEqual(refused)
    }
    expect(await post(support, 'set-role', { userId, role: 'admin' })).toEqual(refused)
    expect(await post(support, 'set-role', { userId: uma.userId, role: 'creator,support' })).toMatchObject([200, {}])
  })

  test('without the permission to set roles, only the default role can be given to a new user', async () => {
    const { join } = await withAdmin(withRoles)
    const { browser } = await join('Cid', 'creator')
    const given = { password, name: 'X' }
    expect(await post(browser, 'create-user', { ...given, email: 'x@example.com', role: 'creator' })).toEqual(refused)
    expect(await post(browser, 'create-user', { ...given, email: 'y@example.com', role: 'user' })).toMatchObject([
      200,
      { user: { role: 'user' } },
    ])
    expect(await post(browser, 'create-user', { ...given, email: 'z@example.com' })).toMatchObject([
      200,
      { user: { role: 'user' } },
    ])
  })

  test.each([
    ['set-role', { role: 'user' }],
    ['update-user', { data: { email: 'taken-over@example.com' } }],
    ['ban-user', {}],
    ['unban-user', {}],
    ['impersonate-user', {}],
    ['remove-user', {}],
    ['set-user-password', { newPassword: 'another horse battery' }],
    ['unlink-user-account', { accountId: 'any' }],
  ])('%s does not reach a user whose roles permit more', async (path, body) => {
    const { ada, join, userOf } = await withAdmin({ ...withRoles, allowImpersonatingAdmins: true })
    const before = await userOf(ada.userId)
    const { browser } = await join('Sue', 'support')
    expect(await post(browser, path, { userId: ada.userId, ...body })).toMatchObject([403, {}])
    expect(await userOf(ada.userId)).toEqual(before)
    expect(await post(ada.browser, 'list-user-sessions', { userId: ada.userId })).toMatchObject([200, {}])
  })
})

describe('POST /admin/create-user', () => {
  const given = { email: 'New@Example.com', password, name: 'New' }

  test('creates a user with the default role, who can sign in immediately', async () => {
    const { ada, signIn, events } = await withAdmin()
    const [status, body] = await post(ada.browser, 'create-user', given)
    const user = { email: 'new@example.com', name: 'New', role: 'user', emailVerified: false, banned: null }
    expect([status, body]).toMatchObject([200, { user }])
    expect((await signIn(given.email)).answer.status).toBe(200)
    const [event] = (await events('user.created')).filter(({ actorId }) => actorId === ada.userId)
    expect(event).toMatchObject({ targetType: 'user', outcome: 'succeeded' })
    expect(JSON.stringify(event)).not.toContain('example.com')
  })

  test('sets roles and columns of `data`, also those that users cannot set', async () => {
    const additionalFields = {
      plan: { type: 'string', input: false, required: false },
      seats: { type: 'number', required: false },
    } as const
    const { ada } = await withAdmin({}, { user: { additionalFields } })
    const data = { emailVerified: true, image: 'a.png', plan: 'pro', seats: 3 }
    expect(await post(ada.browser, 'create-user', { ...given, role: ['admin', 'user'], data })).toMatchObject([
      200,
      { user: { ...data, role: 'admin,user' } },
    ])
    const create = (wrong: object) => post(ada.browser, 'create-user', { ...given, email: 'y@example.com', data: wrong })
    const years = ['0000-01-01T00:00:00Z', '0999-12-31T23:59:59Z', '9999-12-31T23:59:59-12:00'].map((createdAt) => ({
      createdAt,
    }))
    for (const wrong of [{ seats: 'x' }, { createdAt: 'x' }, ...years]) expect(await create(wrong)).toEqual(invalid)
    for (const wrong of [{ banned: true }, { id: 'x' }, { accessRevision: 7 }, { unknown: 1 }, { password: 'x' }])
      expect(await create(wrong)).toEqual(naming(`data.${Object.keys(wrong)[0]}`))
    const createdAt = '2024-01-01T00:00:00.000Z'
    expect(await create({ createdAt })).toMatchObject([200, { user: { createdAt } }])
  })

  test('checks the email address and the password, as sign-up does', async () => {
    const { ada } = await withAdmin()
    const create = (more: object) => post(ada.browser, 'create-user', { ...given, ...more })
    expect(await create({ email: 'no-address' })).toEqual([400, { code: 'INVALID_EMAIL', message: 'Invalid email' }])
    expect(await create({ password: 'short' })).toEqual([400, { code: 'PASSWORD_TOO_SHORT', message: 'Password too short' }])
    expect(await create({ password: 'x'.repeat(129) })).toEqual([
      400,
      { code: 'PASSWORD_TOO_LONG', message: 'Password too long' },
    ])
    for (const missing of ['email', 'name']) expect(await create({ [missing]: undefined })).toEqual(invalid)
    expect(await create({})).toMatchObject([200, {}])
    const exists = [400, { code: 'USER_ALREADY_EXISTS', message: 'User already exists' }]
    expect(await create({ email: 'NEW@example.com' })).toEqual(exists)
  })

  test('creates a user without a password, who has no sign-in method', async () => {
    const { ada, app } = await withAdmin()
    const [, body] = await post(ada.browser, 'create-user', { ...given, password: undefined })
    const { id } = Object(body).user
    expect(await app.db.selectFrom('account').select('id').where('userId', '=', id).execute()).toEqual([])
  })

  test('answers 500 when a hook of the configuration rejects the user', async () => {
    const databaseHooks = {
      user: { create: { before: ({ name }: Readonly<Record<string, unknown>>) => (name === 'New' ? false : undefined) } },
    } as const
    const { ada } = await withAdmin({}, { databaseHooks })
    expect(await post(ada.browser, 'create-user', given)).toEqual([
      500,
      { code: 'FAILED_TO_CREATE_USER', message: 'Failed to create user' },
    ])
  })
})

describe('POST /admin/update-user', () => {
  test('updates fields, also those that users cannot set, and returns the user', async () => {
    const additionalFields = { plan: { type: 'string', input: false } } as const
    const { ada, uma, events, clock } = await withAdmin({}, { user: { additionalFields } })
    // No random ID contains the first letter.
    const data = { name: 'Úna', image: 'a.png', emailVerified: true, plan: 'pro' }
    expect(await post(ada.browser, 'update-user', { userId: uma.userId, data })).toMatchObject([200, { id: uma.userId, ...data }])
    clock.advance(1)
    expect(await post(ada.browser, 'update-user', { userId: uma.userId, data: { role: ['admin', 'user'] } })).toMatchObject([
      200,
      { role: 'admin,user' },
    ])
    const recorded = await events('user.updated', 'user.email-verified', 'user.role-changed')
    expect(recorded.map(({ action, details }) => [action, details])).toEqual(
      expect.arrayContaining([
        ['user.updated', { fields: ['name', 'image', 'plan'] }],
        ['user.email-verified', {}],
        ['user.role-changed', { from: 'user', to: 'admin,user' }],
      ]),
    )
    expect(JSON.stringify(recorded)).not.toContain('Úna')
  })

  test('makes a new email address unverified, unless the call says otherwise, and ends the links of the old one', async () => {
    const { ada, uma, userOf, app } = await withAdmin()
    const update = (data: object) => post(ada.browser, 'update-user', { userId: uma.userId, data })
    await update({ emailVerified: true })
    expect(await update({ email: 'Uma@Example.com' })).toMatchObject([200, { email: 'uma@example.com', emailVerified: true }])
    expect(await update({ email: 'Una@example.com' })).toMatchObject([200, { email: 'una@example.com', emailVerified: false }])
    expect(await update({ email: 'ula@example.com', emailVerified: true })).toMatchObject([200, { emailVerified: true }])
    expect(await update({ email: 'ada@example.com' })).toEqual([
      400,
      { code: 'USER_ALREADY_EXISTS', message: 'User already exists' },
    ])
    expect((await userOf(uma.userId))?.email).toBe('ula@example.com')
    expect(await app.db.selectFrom('verification').selectAll().execute()).toEqual([])
  })

  test('answers 404 for an unknown user, and 400 for nothing and for columns that have their own calls', async () => {
    const { ada, uma } = await withAdmin()
    const update = (data: unknown, userId = uma.userId) => post(ada.browser, 'update-user', { userId, data })
    expect(await update({ name: 'X' }, 'unknown')).toEqual(notFound)
    expect(await update({})).toEqual([400, { code: 'NO_DATA_TO_UPDATE', message: 'No data to update' }])
    for (const data of [{ email: 'x' }, null]) expect(await update(data)).toEqual(invalid)
    for (const data of [{ banned: false }, { banReason: 'x' }, { id: 'x' }, { createdAt: 'x' }, { accessRevision: 1 }])
      expect(await update(data)).toEqual(naming(`data.${Object.keys(data)[0]}`))
  })
})

describe('POST /admin/remove-user', () => {
  test('deletes the user with everything that belongs to them, and answers the same for an unknown one', async () => {
    const { app, ada, uma, events } = await withAdmin()
    const remove = (userId: string) => post(ada.browser, 'remove-user', { userId })
    expect(await remove(uma.userId)).toEqual([200, { success: true }])
    expect(await remove(uma.userId)).toEqual([200, { success: true }])
    for (const table of ['session', 'account'] as const)
      expect(await app.db.selectFrom(table).select('id').where('userId', '=', uma.userId).execute()).toEqual([])
    expect((await uma.browser.call('GET /get-session', {})).body).toBeNull()
    expect(await events('user.deleted')).toMatchObject([{ targetId: uma.userId, actorId: ada.userId }])
  })

  test('does not remove the own account', async () => {
    const { ada } = await withAdmin()
    expect(await post(ada.browser, 'remove-user', { userId: ada.userId })).toEqual([
      400,
      { code: 'YOU_CANNOT_REMOVE_YOURSELF', message: 'You cannot remove yourself' },
    ])
  })

  test('does not remove the own account by the call of users either, unless the user may set no roles', async () => {
    const { ada, uma } = await withAdmin({}, { user: { deleteUser: { enabled: true } } })
    const body = { password }
    expect(seen(await ada.browser.call('POST /delete-user', { body }))).toEqual([
      400,
      { code: 'YOU_CANNOT_REMOVE_YOURSELF', message: 'You cannot remove yourself' },
    ])
    expect((await ada.browser.call('GET /get-session', {})).body.user.id).toBe(ada.userId)
    expect((await uma.browser.call('POST /delete-user', { body })).status).toBe(200)
  })

  test('keeps the only owner of an organization with other members', async () => {
    const { ada, uma, join, app } = await withAdmin({}, { organization: true })
    const { body } = await uma.browser.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
    const bob = await join('Bob')
    const { addMember } = await import('../organizations/members.ts')
    await addMember(app, { organizationId: body.id, userId: bob.userId, role: 'member' })
    expect(await post(ada.browser, 'remove-user', { userId: uma.userId })).toMatchObject([
      400,
      { code: 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER' },
    ])
  })
})
