import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { getUser } from '../../src/cli/ready-app.ts'
import type { Feature } from '../../src/core/feature.ts'
import { addMember, updateMemberRole } from '../../src/features/organizations/members.ts'
import { createOrganization } from '../../src/features/organizations/organizations.ts'
import { bin, complete, configFile, folder, latchkey, latchkeyJSON, latchkeyProcess } from './kit.ts'
import { options, type Project, places, serve } from './projects.ts'
import { onTerminal } from './terminal.ts'

const password = 'a perfectly fine passphrase'
const ann = ['users', 'create', '--email', 'Ann@Example.com', '--name', 'Ann Smith']
const signIn = (email: string, word = password) => ({ body: { email, password: word } })

const piped = ({ cwd, env }: Project, args: readonly string[], input: string | Buffer = `${password}\n`) =>
  latchkey(cwd, args, env, { input })

const lines = (stdout: string): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

describe.each(Object.entries(places))('on %s', { timeout: 90_000 }, (_, create) => {
  test('creates a user with a password, who can sign in, and shows all columns', async () => {
    const project = await create()
    const { cwd, env } = project
    const fields = ['--field', 'plan=pro', '--field', 'age=42', '--field', 'tags=["a","b"]']
    const made = await piped(project, [...ann, '--role', 'admin', ...fields, '--password-stdin', '--json'])
    expect([made.exitCode, made.stderr]).toEqual([0, ''])
    const user = {
      email: 'ann@example.com',
      name: 'Ann Smith',
      emailVerified: false,
      role: 'admin',
      plan: 'pro',
      age: 42,
      tags: ['a', 'b'],
      note: null,
    }
    expect(JSON.parse(made.stdout)).toMatchObject({ schema: 'users-create/v1', user, setupLink: null })
    const shown = await latchkeyJSON(cwd, ['users', 'show', 'ANN@example.com'], env)
    expect(shown.document).toMatchObject({
      schema: 'users-show/v1',
      user,
      accounts: [{ providerId: 'credential', hasPassword: true }],
    })
    expect(shown.stdout).not.toContain('argon2')
    const { browser } = await serve(project)
    expect((await browser().call('POST /sign-in/email', signIn('ann@example.com'))).status).toBe(200)
    const human = await latchkey(cwd, ['users', 'show', 'ann@example.com'], env)
    expect(human.stdout).toMatch(/^age +42$/m)
  })

  test('creates a user with a username and a phone number, if the features are on', async () => {
    const project = await create({ ...options, username: true, phoneNumber: true })
    const run = (...args: string[]) => latchkeyJSON(project.cwd, args, project.env)
    const names = ['--username', 'Ann', '--phone', '+49 170 1234567', '--phone-verified']
    expect((await run(...ann, ...names)).document).toMatchObject({
      user: { username: 'ann', displayUsername: 'Ann', phoneNumber: '+491701234567', phoneNumberVerified: true },
    })
    const bob = ['users', 'create', '--email', 'bob@example.com', '--name', 'Bob']
    const taken = await run(...bob, '--username', 'ANN')
    expect([taken.exitCode, taken.document.code]).toEqual([1, 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER'])
    const used = await run(...bob, '--phone', '+491701234567', '--phone-verified')
    expect([used.exitCode, used.document.code]).toEqual([1, 'PHONE_NUMBER_ALREADY_EXISTS'])
    expect((await run(...bob, '--phone', 'x')).document).toMatchObject({ code: 'INVALID_PHONE_NUMBER' })
    expect((await run(...bob, '--phone-verified')).exitCode).toBe(2)
    // A number that is not verified is a claim, which several users may have (contract 06 §6).
    expect((await run(...bob, '--phone', '+491701234567')).document).toMatchObject({
      user: { phoneNumber: '+491701234567', phoneNumberVerified: false },
    })
    const plain = await create()
    const refused = await latchkeyJSON(plain.cwd, [...ann, '--username', 'ann'], plain.env)
    expect(refused.document).toMatchObject({ code: 'USERNAME_DISABLED' })
  })

  test('prints a setup link once when no password is given', async () => {
    const project = await create()
    const { cwd, env } = project
    const { document } = await latchkeyJSON(cwd, ann, env)
    expect(document.setupLink).toMatch(/^http:\/\/localhost:4000\/set-up\?token=\w{32}$/)
    const { app, browser: visitor } = await serve(project)
    const token = new URL(String(document.setupLink)).searchParams.get('token') ?? ''
    expect(JSON.stringify(await app.db.selectFrom('verification').selectAll().execute())).not.toContain(token)
    expect((await visitor().call('POST /set-up', { body: { token, newPassword: password } })).status).toBe(200)
    const { browser } = await serve(project)
    expect((await browser().call('POST /sign-in/email', signIn('ann@example.com'))).status).toBe(200)
  })

  test('sets a new password and revokes all sessions', async () => {
    const project = await create()
    await piped(project, [...ann, '--password-stdin'])
    const { browser } = await serve(project)
    const [here, there] = [browser(), browser()]
    for (const each of [here, there]) await each.call('POST /sign-in/email', signIn('ann@example.com'))
    const args = ['users', 'set-password', 'ann@example.com', '--password-stdin', '--json']
    const changed = await piped(project, args, 'another fine passphrase')
    expect([changed.exitCode, changed.stderr]).toEqual([0, expect.stringContaining('✓')])
    expect(JSON.parse(changed.stdout)).toMatchObject({ schema: 'users-set-password/v1', sessionsEnded: 2 })
    for (const each of [here, there]) expect((await each.call('GET /get-session', {})).body).toBeNull()
    expect((await browser().call('POST /sign-in/email', signIn('ann@example.com'))).status).toBe(401)
    const right = signIn('ann@example.com', 'another fine passphrase')
    const third = browser()
    expect((await third.call('POST /sign-in/email', right)).status).toBe(200)
    const kept = await piped(project, [...args, '--keep-sessions'], 'a third fine passphrase')
    expect(JSON.parse(kept.stdout)).toMatchObject({ sessionsEnded: 0 })
    expect((await third.call('GET /get-session', {})).body).not.toBeNull()
  })

  test('revokes the setup link when a password is set', async () => {
    const project = await create()
    const { document } = await latchkeyJSON(project.cwd, ann, project.env)
    const token = new URL(String(document.setupLink)).searchParams.get('token') ?? ''
    await piped(project, ['users', 'set-password', 'ann@example.com', '--password-stdin'])
    const { browser } = await serve(project)
    const used = await browser().call('POST /set-up', { body: { token, newPassword: 'another fine passphrase' } })
    expect([used.status, used.body.code]).toEqual([400, 'INVALID_TOKEN'])
    expect((await browser().call('POST /sign-in/email', signIn('ann@example.com'))).status).toBe(200)
  })

  test('deletes a user with all their rows, after a confirmation by email address', async () => {
    const project = await create()
    const { cwd, env } = project
    await piped(project, [...ann, '--password-stdin'])
    const { app, browser } = await serve(project)
    const here = browser()
    await here.call('POST /sign-in/email', signIn('ann@example.com'))
    const args = ['users', 'delete', 'ann@example.com', '--yes']
    expect(await latchkeyJSON(cwd, args, env)).toMatchObject({ exitCode: 4, document: { code: 'ANSWER_NEEDED' } })
    const wrong = await latchkeyJSON(cwd, [...args, '--confirm', 'bob@example.com'], env)
    expect(wrong).toMatchObject({ exitCode: 5, document: { code: 'NOT_CONFIRMED' } })
    expect((await here.call('GET /get-session', {})).body).not.toBeNull()
    const done = await latchkeyJSON(cwd, [...args, '--confirm', 'Ann@Example.com'], env)
    expect([done.exitCode, done.document]).toMatchObject([0, { schema: 'users-delete/v1', email: 'ann@example.com' }])
    expect((await here.call('GET /get-session', {})).body).toBeNull()
    for (const table of ['user', 'account', 'session'] as const) {
      expect(await app.db.selectFrom(table).select('id').execute()).toEqual([])
    }
    const again = await latchkeyJSON(cwd, [...args, '--confirm', 'ann@example.com'], env)
    expect(again).toMatchObject({ exitCode: 1, document: { code: 'USER_NOT_FOUND' } })
  })

  test('does not delete the only owner of an organization with other members, and names it', async () => {
    const given = { ...options, organization: { enabled: true } }
    const project = await create(given)
    const { cwd, env } = project
    for (const name of ['ann', 'ben'])
      await latchkey(cwd, ['users', 'create', '--email', `${name}@example.com`, '--name', name], env)
    const { app } = await serve(project, given)
    const [owner, ben] = [await getUser(app, 'ann@example.com'), await getUser(app, 'ben@example.com')]
    await createOrganization(app, owner, { name: 'Alone', slug: 'alone' })
    const shared = (await createOrganization(app, owner, { name: 'Acme, Inc.\u001b[1m', slug: 'acme' })).organization
    const member = await addMember(app, { organizationId: shared.id, userId: ben.id, role: 'admin' })
    const remove = () => latchkeyJSON(cwd, ['users', 'delete', owner.email, '--confirm', owner.email], env)
    const refused = await remove()
    expect([refused.exitCode, refused.document.code]).toEqual([5, 'ONLY_OWNER'])
    expect(refused.document.message).toMatch(/^ann@example\.com is the only member with the role owner in: Acme, Inc\./)
    expect(refused.document.message).not.toContain('Alone')
    expect(refused.document.message).not.toContain('\u001b')
    expect(await app.db.selectFrom('member').select('id').execute()).toHaveLength(3)
    await updateMemberRole(app, { organizationId: shared.id, memberId: member.id, by: null, role: 'owner' })
    expect((await remove()).exitCode).toBe(0)
    const left = await app.db.selectFrom('organization').select(['id', 'memberCount']).execute()
    expect(left).toEqual([{ id: shared.id, memberCount: 1 }])
  })

  test('lists every user once, one per line, and filters by text', async () => {
    const project = await create()
    const { cwd, env } = project
    await latchkey(cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], env)
    const { app } = await serve(project)
    const now = new Date()
    const users = Array.from({ length: 1203 }, (_each, number) => ({
      id: app.random.id(),
      name: number % 100 === 0 ? `Zoë ${number}` : 'Other',
      email: `user-${number}@example.com`,
      createdAt: now,
      updatedAt: now,
      plan: 'free',
    }))
    for (let at = 0; at < users.length; at += 200)
      await app.db
        .insertInto('user')
        .values(users.slice(at, at + 200))
        .execute()
    const all = await latchkey(cwd, ['users', 'list', '--json'], env)
    const shown = lines(all.stdout)
    expect(new Set(shown.map(({ schema, plan }) => `${schema} ${plan}`))).toEqual(new Set(['users-list/v1 free']))
    expect(shown.map(({ email }) => email).sort()).toEqual(users.map(({ email }) => email).sort())
    const found = await latchkey(cwd, ['users', 'list', '--search', 'ZOË', '--json'], env)
    expect(lines(found.stdout)).toHaveLength(13)
    const few = await latchkey(cwd, ['users', 'list', '--limit', '7'], env)
    expect([few.exitCode, few.stdout.trim().split('\n').length, few.stderr]).toEqual([0, 7, '7 users'])
    const [last = ''] = few.stdout.trim().split('\n').at(-1)?.split(' ') ?? []
    const rest = await latchkey(cwd, ['users', 'list', '--after', last, '--json'], env)
    expect(lines(rest.stdout)).toEqual(shown.slice(7))
  })

  test('filters the list by role, verified email and age', async () => {
    const project = await create()
    const { cwd, env } = project
    await latchkey(cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], env)
    const { app } = await serve(project)
    const day = (number: number) => new Date(Date.UTC(2026, 0, number))
    const users = [
      { id: '1', role: 'admin', emailVerified: true, createdAt: day(1) },
      { id: '2', role: 'support,admin', emailVerified: false, createdAt: day(2) },
      { id: '3', role: 'administrator', emailVerified: true, createdAt: day(3) },
      { id: '4', role: null, emailVerified: false, createdAt: day(4) },
    ]
    const rows = users.map((one) => ({ ...one, name: one.id, email: `${one.id}@example.com`, updatedAt: one.createdAt }))
    await app.db.insertInto('user').values(rows).execute()
    const list = async (...args: string[]) => {
      const { exitCode, stdout } = await latchkey(cwd, ['users', 'list', ...args, '--json'], env)
      expect(exitCode).toBe(0)
      return lines(stdout).map(({ id }) => id)
    }
    expect(await list('--role', 'admin')).toEqual(['1', '2'])
    expect(await list('--unverified')).toEqual(['2', '4'])
    expect(await list('--created-since', '2026-01-03')).toEqual(['3', '4'])
    expect(await list('--created-since', '2026-01-03T01:00:00+01:00')).toEqual(['3', '4'])
    expect(await list('--created-since', '2026-01-03T00:00:01Z')).toEqual(['4'])
    expect(await list('--role', 'admin', '--unverified', '--search', '2@')).toEqual(['2'])
    expect(await list('--after', '2', '--limit', '1')).toEqual(['3'])
    const wrong = await latchkeyJSON(cwd, ['users', 'list', '--created-since', 'yesterday'], env)
    expect(wrong).toMatchObject({ exitCode: 2, document: { message: expect.stringMatching(/^--created-since: expected a day/) } })
  })
})

describe('users create is rejected', () => {
  test.each([
    [['users', 'create', '--name', 'Ann'], 2, 'USAGE'],
    [['users', 'create', '--email', 'ann', '--name', 'Ann'], 2, 'USAGE'],
    [['users', 'create', '--email', 'a b@example.com', '--name', 'Ann'], 2, 'USAGE'],
    [['users', 'create', '--email', 'ann@example.com'], 2, 'USAGE'],
    [[...ann, '--field', 'plan'], 2, 'USAGE'],
    [[...ann, '--field', 'nothing=1'], 2, 'USAGE'],
    [[...ann, '--field', 'note=x'], 2, 'USAGE'],
    [[...ann, '--field', 'age=old'], 2, 'USAGE'],
    [[...ann, '--field', 'plan=gold'], 1, 'VALIDATION_ERROR'],
    [[...ann, '--role', 'admin,owner'], 1, 'ROLE_UNKNOWN'],
  ])('%j', async (args, exitCode, code) => {
    const { cwd, env } = await places.SQLite()
    expect(await latchkeyJSON(cwd, args, env)).toMatchObject({ exitCode, document: { schema: 'error/v1', code } })
  })
  test.each([
    ['plan=gold', '--field: expected plan to be one of free, pro'],
    ['age=3.5', '--field: expected age to be a whole number'],
    ['age=old', '--field: expected JSON for age: a whole number'],
    ['tags=a', '--field: expected JSON for tags: a list such as ["a","b"]'],
    ['nothing=1', '--field: unknown field nothing; known fields: plan, age, tags'],
    ['__proto__=1', '--field: unknown field __proto__; known fields: plan, age, tags'],
    ['note=x', '--field: note cannot be set: user.additionalFields.note.input is false'],
  ])('with the field %s, by name', async (field, message) => {
    const { cwd, env } = await places.SQLite()
    const refused = await latchkeyJSON(cwd, [...ann, '--field', 'plan=pro', '--field', field], env)
    expect(refused.document).toMatchObject({ message })
    expect((await latchkeyJSON(cwd, ['users', 'show', 'ann@example.com'], env)).document).toMatchObject({
      code: 'USER_NOT_FOUND',
    })
  })
  test.each([
    ['brief', 1, 'PASSWORD_TOO_SHORT'],
    ['password123', 1, 'PASSWORD_COMPROMISED'],
    ['annsmith1', 1, 'PASSWORD_TOO_PERSONAL'],
    ['', 2, 'PASSWORD_INPUT'],
    ['two\nlines of it', 2, 'PASSWORD_INPUT'],
    [Buffer.from([0xff, 0xfe, 0xfd]), 2, 'PASSWORD_INPUT'],
    ['x'.repeat(70_000), 2, 'PASSWORD_INPUT'],
  ])('with the password %j', async (input, exitCode, code) => {
    const project = await places.SQLite()
    const ended = await piped(project, [...ann, '--password-stdin', '--json'], input)
    expect([ended.exitCode, JSON.parse(ended.stdout).code]).toEqual([exitCode, code])
    expect(JSON.parse(ended.stdout).hint).toEqual(expect.any(String))
    if (input.length > 0) expect(ended.stdout + ended.stderr).not.toContain(String(input))
  })
  test('with the value of a username or phone number that is taken, and with their rules', async () => {
    const project = await places.SQLite({ ...options, username: true, phoneNumber: true })
    const run = async (...args: string[]) => (await latchkeyJSON(project.cwd, ['users', ...args], project.env)).document
    const number = ['--phone', '+491701234567', '--phone-verified']
    const names = ['--username', 'ann', ...number]
    await run('create', '--email', 'ann@example.com', '--name', 'Ann', ...names)
    const bob = ['create', '--email', 'bob@example.com', '--name', 'Bob']
    expect(await run(...bob, '--username', 'Ann')).toMatchObject({
      message: expect.stringMatching(/taken.*: Ann$/),
      hint: expect.stringMatching(/--username/),
    })
    expect(await run(...bob, '--username', 'a')).toMatchObject({
      message: 'username is too short: a',
      hint: expect.stringMatching(/at least 3/),
    })
    expect(await run(...bob, '--phone', '170')).toMatchObject({
      message: 'Invalid phone number: 170',
      hint: expect.stringMatching(/country code/),
    })
    await run(...bob)
    expect(await run('update', 'bob@example.com', ...number)).toMatchObject({
      message: 'Phone number already exists: +491701234567',
      hint: expect.stringMatching(/users list --search/),
    })
    expect(await run('update', 'bob@example.com', '--email', 'ann@example.com')).toMatchObject({
      message: 'User already exists: ann@example.com',
    })
  })
  test('when a required field is not given, the address is known, or passwords are off', async () => {
    const required = { plan: { type: 'string' as const } }
    const strict = await places.SQLite({ ...options, user: { additionalFields: required } })
    expect((await latchkeyJSON(strict.cwd, ann, strict.env)).document).toMatchObject({
      code: 'PLAN_IS_REQUIRED',
      hint: 'Add --field plan=<value>: a string',
    })
    const { cwd, env } = await places.SQLite()
    await latchkey(cwd, ann, env)
    expect(await latchkeyJSON(cwd, ann, env)).toMatchObject({ exitCode: 1, document: { code: 'USER_ALREADY_EXISTS' } })
    expect((await latchkeyJSON(cwd, ann, env)).document).toMatchObject({
      message: 'User already exists: Ann@Example.com',
      hint: 'Show the user: `latchkey users show Ann@Example.com`',
    })
    const off = await places.SQLite({})
    expect((await latchkeyJSON(off.cwd, ann, off.env)).document).toMatchObject({ code: 'PASSWORDS_DISABLED' })
  })
})

test('creates a user once when ten commands run together, and reports the others', async () => {
  const { cwd, env } = await places['a server']()
  const all = await Promise.all(Array.from({ length: 10 }, () => latchkeyJSON(cwd, ann, env, latchkeyProcess)))
  expect(all.map(({ exitCode }) => exitCode).sort()).toEqual([0, ...Array.from({ length: 9 }, () => 1)])
  expect(new Set(all.map(({ document }) => document.code))).toEqual(new Set([undefined, 'USER_ALREADY_EXISTS']))
}, 90_000)

test('users create names the operator as the actor to listeners of a feature', async () => {
  // As Node loads it for commands inside the test process, not as Vitest does.
  const { featureList } = createRequire(import.meta.url)('../../src/features/index.ts')
  const features: Record<string, Feature> = featureList
  const actors: unknown[] = []
  features.probe = { on: { 'user.created': ({ actor }) => void actors.push(actor) } }
  onTestFinished(() => void delete features.probe)
  const { cwd, env } = await places.SQLite()
  expect((await latchkey(cwd, ann, env)).exitCode).toBe(0)
  expect(actors).toEqual([{ kind: 'operator', name: userInfo().username }])
})

test.each([['show'], ['set-password'], ['delete']])('users %s reports an unknown user', async (name) => {
  const project = await places.SQLite()
  const args = name === 'set-password' ? ['--password-stdin'] : []
  for (const wanted of ['unknown@example.com', 'x'.repeat(32)]) {
    const ended = await piped(project, ['users', name, wanted, ...args, '--json'])
    expect([ended.exitCode, JSON.parse(ended.stdout).code]).toEqual([1, 'USER_NOT_FOUND'])
  }
})

test.each([
  ['users list'],
  ['users show ann@example.com'],
  ['users create --email ann@example.com --name Ann'],
  ['users delete ann@example.com --confirm ann@example.com'],
  ['sessions list --user ann@example.com'],
  ['sessions revoke --all --confirm all'],
])('%s needs a configuration and a database', async (line) => {
  const args = line.split(' ')
  expect(await latchkeyJSON(folder(), args)).toMatchObject({ exitCode: 8, document: { code: 'CONFIG_NOT_FOUND' } })
  const cwd = folder({ 'auth.config.ts': configFile() })
  const away = { ...complete, DATABASE_URL: 'mysql://root@127.0.0.1:1/nowhere' }
  expect(await latchkeyJSON(cwd, args, away)).toMatchObject({ exitCode: 6, document: { code: 'UNREACHABLE' } })
})

test('set-password names the missing flag without a terminal and without --password-stdin', async () => {
  const { cwd, env } = await places.SQLite()
  const ended = await latchkeyJSON(cwd, ['users', 'set-password', 'ann@example.com'], env)
  expect(ended).toMatchObject({ exitCode: 4, document: { details: [{ path: '--password-stdin' }] } })
})

test('asks for the password on a terminal without showing it', async () => {
  const project = await places.SQLite()
  await latchkey(project.cwd, ann, project.env)
  const terminal = onTerminal(project.cwd, ['users', 'set-password', 'ann@example.com'], project.env)
  await terminal.answer('New password', `${password}\r`)
  expect(await terminal.ended, terminal.text()).toBe(0)
  expect(terminal.text()).not.toContain('perfectly')
  const { browser } = await serve(project)
  expect((await browser().call('POST /sign-in/email', signIn('ann@example.com'))).status).toBe(200)
})

test('ends a list quietly when its reader closes', async () => {
  const project = await places.SQLite()
  const { cwd, env } = project
  await latchkey(cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], env)
  const { app } = await serve(project)
  const now = new Date()
  for (let at = 0; at < 20; at += 1) {
    const users = Array.from({ length: 500 }, (_, number) => {
      const id = app.random.id()
      return { id, name: 'x'.repeat(200), email: `${at}-${number}@example.com`, createdAt: now, updatedAt: now }
    })
    await app.db.insertInto('user').values(users).execute()
  }
  const child = spawn(process.execPath, [bin, 'users', 'list', '--json'], { cwd, env: { ...process.env, ...env } })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [exitCode] = await once(child, 'exit')
  expect([exitCode, stderr]).toEqual([0, ''])
})
