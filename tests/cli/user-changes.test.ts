/** Changes of users by the operator: profile, roles and bans. */
import { describe, expect, test } from 'vitest'
import { latchkey, latchkeyJSON } from './kit.ts'
import { options, type Project, places, serve } from './projects.ts'

const password = 'a perfectly fine passphrase'
const given = { ...options, admin: { enabled: true } }
const signIn = { body: { email: 'ann@example.com', password } }

async function createAnn({ cwd, env }: Project, ...more: string[]): Promise<void> {
  const args = ['users', 'create', '--email', 'ann@example.com', '--name', 'Ann', '--password-stdin', ...more]
  expect((await latchkey(cwd, args, env, { input: `${password}\n` })).exitCode).toBe(0)
}

const actionsBy = async ({ cwd, env }: Project, action: string) => {
  const { stdout } = await latchkey(cwd, ['audit', 'list', '--action', action, '--json'], env)
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

describe.each(Object.entries(places))('on %s', { timeout: 90_000 }, (_, create) => {
  test('sets usernames and phone numbers in the form in which they are stored, if the features are on', async () => {
    const project = await create({ ...given, username: true, phoneNumber: true })
    const { cwd, env } = project
    await createAnn(project)
    const update = (...args: string[]) => latchkeyJSON(cwd, ['users', 'update', 'ann@example.com', ...args], env)
    const { document } = await update('--username', 'Ann', '--phone', '+49 170 1234567', '--phone-verified')
    expect(document).toMatchObject({
      user: { username: 'ann', displayUsername: 'Ann', phoneNumber: '+491701234567', phoneNumberVerified: true },
    })
    expect((await update('--phone', '+49 170 7654321')).document).toMatchObject({ user: { phoneNumberVerified: false } })
    expect((await update('--phone', 'x')).document).toMatchObject({ code: 'INVALID_PHONE_NUMBER' })
    const found = await latchkey(cwd, ['users', 'list', '--search', '7654321', '--json'], env)
    expect(JSON.parse(found.stdout)).toMatchObject({ email: 'ann@example.com' })
    expect((await update('--username', '', '--phone', '')).document).toMatchObject({
      user: { username: null, displayUsername: null, phoneNumber: null, phoneNumberVerified: null },
    })
    const plain = await create(given)
    const refused = await latchkeyJSON(plain.cwd, ['users', 'update', 'ann@example.com', '--username', 'ann'], plain.env)
    expect(refused.document).toMatchObject({ code: 'USERNAME_DISABLED' })
  })

  test('updates the profile and fields, also those that users cannot set, and records who did it', async () => {
    const project = await create(given)
    const { cwd, env } = project
    await createAnn(project)
    const args = [
      'users',
      'update',
      'ann@example.com',
      '--name',
      'Ann Smith',
      '--image',
      'https://example.com/a.png',
      '--verified',
    ]
    const updated = await latchkeyJSON(cwd, [...args, '--field', 'note=ours', '--field', 'age=42', '--field', 'plan=pro'], env)
    expect([updated.exitCode, updated.document]).toMatchObject([
      0,
      {
        schema: 'users-update/v1',
        user: { name: 'Ann Smith', image: 'https://example.com/a.png', emailVerified: true, note: 'ours', age: 42, plan: 'pro' },
      },
    ])
    const [event] = await actionsBy(project, 'user.updated')
    expect(event).toMatchObject({ actor: { kind: 'operator' }, outcome: 'succeeded' })
    expect(event.details.fields).toEqual(expect.arrayContaining(['name', 'image', 'note']))
    expect(JSON.stringify(event)).not.toContain('a.png')
    const moved = await latchkeyJSON(
      cwd,
      ['users', 'update', 'ann@example.com', '--email', 'Ann@Example.org', '--image', ''],
      env,
    )
    expect(moved.document).toMatchObject({ user: { email: 'ann@example.org', emailVerified: false, image: null } })
    const kept = await latchkeyJSON(cwd, ['users', 'update', 'ann@example.org', '--email', 'a@example.org', '--verified'], env)
    expect(kept.document).toMatchObject({ user: { email: 'a@example.org', emailVerified: true } })
    await createAnn(project)
    const taken = await latchkeyJSON(cwd, ['users', 'update', 'ann@example.com', '--email', 'a@example.org'], env)
    expect([taken.exitCode, taken.document.code]).toEqual([1, 'USER_ALREADY_EXISTS'])
  })

  test('sets roles immediately, and lists users by role and ban', async () => {
    const project = await create(given)
    const { cwd, env } = project
    await createAnn(project)
    await latchkey(cwd, ['users', 'create', '--email', 'bob@example.com', '--name', 'Bob'], env)
    const { browser } = await serve(project, given)
    const ann = browser()
    await ann.call('POST /sign-in/email', signIn)
    const list = () => ann.call('GET /admin/list-users', { query: {} })
    expect((await list()).status).toBe(403)
    const changed = await latchkeyJSON(cwd, ['users', 'set-role', 'ann@example.com', 'admin,user,admin'], env)
    expect([changed.exitCode, changed.document]).toMatchObject([
      0,
      { schema: 'users-set-role/v1', user: { role: 'admin,user' }, formerRole: 'user' },
    ])
    expect((await list()).status).toBe(200)
    const [event] = await actionsBy(project, 'user.role-changed')
    expect(event).toMatchObject({ actor: { kind: 'operator' }, details: { from: 'user', to: 'admin,user' } })
    const emails = async (...args: string[]) => {
      const { stdout } = await latchkey(cwd, ['users', 'list', '--json', ...args], env)
      return [...stdout.matchAll(/"email":"(\w+)@/g)].map(([, name]) => name).sort()
    }
    expect(await emails('--role', 'user')).toEqual(['ann', 'bob'])
    expect(await emails('--role', 'admin')).toEqual(['ann'])
    expect(await emails('--banned')).toEqual([])
    await latchkey(cwd, ['users', 'ban', 'bob@example.com'], env)
    expect(await emails('--banned')).toEqual(['bob'])
  })

  test('locks the account of a signed-in user after a confirmation, until it is unlocked', async () => {
    const project = await create(given)
    const { cwd, env } = project
    await createAnn(project)
    const { browser } = await serve(project, given)
    const ann = browser()
    await ann.call('POST /sign-in/email', signIn)
    const lock = (...more: string[]) =>
      latchkeyJSON(cwd, ['users', 'lock', 'ann@example.com', '--reason', 'Owner called', ...more], env)
    expect(await lock()).toMatchObject({ exitCode: 5, document: { code: 'NOT_CONFIRMED' } })
    expect((await ann.call('GET /get-session', {})).body).not.toBeNull()
    expect(await lock('--yes')).toMatchObject({
      exitCode: 0,
      document: { schema: 'users-lock/v1', opensByReset: false, ended: { sessions: 1 } },
    })
    expect((await ann.call('GET /get-session', {})).body).toBeNull()
    expect((await ann.call('POST /sign-in/email', signIn)).body.code).toBe('ACCOUNT_LOCKED')
    const [event] = await actionsBy(project, 'user.locked')
    expect(event).toMatchObject({ actor: { kind: 'operator' }, details: { by: 'operator', reason: 'Owner called' } })
    const unlock = () => latchkeyJSON(cwd, ['users', 'unlock', 'ann@example.com'], env)
    expect((await unlock()).document).toMatchObject({ schema: 'users-unlock/v1', wasLocked: true })
    expect((await unlock()).document).toMatchObject({ wasLocked: false })
    expect((await ann.call('POST /sign-in/email', signIn)).body.code).toBe('PASSWORD_MUST_BE_REPLACED')
  })

  test('bans a signed-in user, who is signed out immediately, until the ban is lifted', async () => {
    const project = await create(given)
    const { cwd, env } = project
    await createAnn(project)
    const { browser } = await serve(project, given)
    const ann = browser()
    await ann.call('POST /sign-in/email', signIn)
    const args = ['users', 'ban', 'ann@example.com', '--reason', 'Spam', '--expires-in', '7d']
    const banned = await latchkeyJSON(cwd, args, env)
    expect([banned.exitCode, banned.document]).toMatchObject([
      0,
      { schema: 'users-ban/v1', sessionsRevoked: 1, user: { banned: true, banReason: 'Spam' } },
    ])
    expect((await ann.call('GET /get-session', {})).body).toBeNull()
    const again = await ann.call('POST /sign-in/email', signIn)
    expect([again.status, again.body.code]).toEqual([403, 'BANNED_USER'])
    const [event] = await actionsBy(project, 'user.banned')
    expect(event).toMatchObject({ actor: { kind: 'operator' }, details: { reason: 'Spam', sessions: 1 } })
    const shown = await latchkey(cwd, ['users', 'show', 'ann@example.com'], env)
    expect(shown.stdout).toMatch(/^banned +true$/m)
    expect(shown.stdout).toMatch(/^banReason +Spam$/m)
    expect(shown.stdout).toMatch(/^lastSignInAt /m)
    const unban = () => latchkeyJSON(cwd, ['users', 'unban', 'ann@example.com'], env)
    expect((await unban()).document).toMatchObject({ schema: 'users-unban/v1', wasBanned: true, user: { banned: false } })
    expect(await unban()).toMatchObject({ exitCode: 0, document: { wasBanned: false } })
    expect((await ann.call('POST /sign-in/email', signIn)).status).toBe(200)
    expect(await actionsBy(project, 'user.unbanned')).toHaveLength(1)
  })
})

test('a ban ends at the given time', async () => {
  const project = await places.SQLite(given)
  const { cwd, env } = project
  await createAnn(project)
  const until = ['users', 'ban', 'ann@example.com', '--until']
  const banned = await latchkeyJSON(cwd, [...until, '2199-01-31T12:00:00Z'], env)
  expect(banned.document).toMatchObject({ user: { banExpires: '2199-01-31T12:00:00.000Z', banReason: 'No reason' } })
  const past = await latchkeyJSON(cwd, [...until, '2001-01-31T12:00:00Z'], env)
  expect([past.exitCode, past.document.code]).toEqual([2, 'USAGE'])
})

test.each([
  [['users', 'update', 'ann@example.com'], 2, 'USAGE', 'Nothing to change'],
  [['users', 'update', 'ann@example.com', '--verified', '--unverified'], 2, 'USAGE', '--verified'],
  [['users', 'update', 'ann@example.com', '--email', 'ann'], 2, 'USAGE', '--email'],
  [['users', 'update', 'ann@example.com', '--field', 'nothing=1'], 2, 'USAGE', 'nothing'],
  [['users', 'update', 'ann@example.com', '--field', 'plan=gold'], 1, 'VALIDATION_ERROR', 'plan'],
  [['users', 'update', 'eve@example.com', '--name', 'Eve'], 1, 'USER_NOT_FOUND', 'eve@example.com'],
  [['users', 'set-role', 'ann@example.com', 'absent'], 1, 'ROLE_UNKNOWN', 'absent'],
  [['users', 'set-role', 'ann@example.com', 'a,,b'], 2, 'USAGE', '<roles>'],
  [['users', 'set-role', 'ann@example.com'], 2, 'USAGE', 'roles'],
  [['users', 'ban', 'ann@example.com', '--expires-in', '7 days'], 2, 'USAGE', '--expires-in'],
  [['users', 'ban', 'ann@example.com', '--expires-in', '0d'], 2, 'USAGE', '--expires-in'],
  [['users', 'ban', 'ann@example.com', '--expires-in', '7d', '--until', '2199-01-31T12:00:00Z'], 2, 'USAGE', '--until'],
  [['users', 'unban', 'eve@example.com'], 1, 'USER_NOT_FOUND', 'eve@example.com'],
])('rejects %j', async (args, exitCode, code, message) => {
  const project = await places.SQLite(given)
  await createAnn(project)
  const ended = await latchkeyJSON(project.cwd, args, project.env)
  expect(ended).toMatchObject({ exitCode, document: { code, message: expect.stringContaining(message) } })
})

test('without administration, bans name the option, and profile and roles can be changed', async () => {
  const project = await places.SQLite(options)
  const { cwd, env } = project
  await createAnn(project)
  for (const args of [
    ['ban', 'ann@example.com'],
    ['unban', 'ann@example.com'],
    ['list', '--banned'],
  ]) {
    const { exitCode, document } = await latchkeyJSON(cwd, ['users', ...args], env)
    expect([exitCode, document]).toMatchObject([
      1,
      { code: 'ADMINISTRATION_DISABLED', hint: expect.stringContaining('admin: true') },
    ])
  }
  const updated = await latchkeyJSON(cwd, ['users', 'update', 'ann@example.com', '--name', 'Ann Smith'], env)
  expect(updated.document).toMatchObject({ user: { name: 'Ann Smith' } })
  const changed = await latchkeyJSON(cwd, ['users', 'set-role', 'ann@example.com', 'admin'], env)
  expect([changed.exitCode, changed.document]).toMatchObject([0, { user: { role: 'admin' } }])
})
