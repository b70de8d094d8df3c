import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/adapters/database/open.ts'
import { freshDatabase } from '../kit/servers/index.ts'
import { complete, configFile, type Environment, folder, latchkey, latchkeyJSON, latchkeyProcess } from './kit.ts'

const declared = (admin: string, roles = `{ admin: { user: ['list'] } }`) =>
  configFile(`{ emailAndPassword: { enabled: true, minPasswordLength: 15 }, seed: { roles: ${roles}, admins: [${admin}] } }`)
const withLink = `{ email: 'Ops@Acme.test', name: 'Ops', role: 'admin' }`
const withPassword = `{ email: 'ops@acme.test', name: 'Ops', role: 'admin', passwordEnv: 'ADMIN_PASSWORD' }`

interface Project {
  readonly cwd: string
  readonly env: Environment
}

const kinds = {
  SQLite: async (config: string): Promise<Project> => ({ cwd: folder({ 'auth.config.ts': config }), env: complete }),
  'a server': async (config: string): Promise<Project> => {
    const database = await freshDatabase()
    onTestFinished(() => database.drop())
    const cwd = folder({ 'auth.config.ts': config })
    const env = { ...complete, DATABASE_URL: database.url }
    await latchkey(cwd, ['migrate', 'generate'], env)
    await latchkey(cwd, ['migrate', 'up', '--yes'], env)
    return { cwd, env }
  },
}

async function rows({ cwd, env }: Project, table: string): Promise<unknown[]> {
  const url = (env.DATABASE_URL ?? '').replace('sqlite:./', `sqlite:${cwd}/`)
  const database = openDatabase({ url, poolSize: 1, connectTimeout: 5000, queryTimeout: 5000 })
  try {
    return (await sql`select * from ${sql.table(table)}`.execute(database.db)).rows
  } finally {
    await database.close()
  }
}

describe.each(Object.entries(kinds))('seed on %s', (_, create) => {
  test('creates roles and administrators once', async () => {
    const project = await create(declared(withLink))
    const { cwd, env } = project
    const first = await latchkeyJSON(cwd, ['seed'], env)
    expect(first.exitCode, first.stderr).toBe(0)
    expect(first.document).toMatchObject({ schema: 'seed/v1', dryRun: false, created: 2, changed: 0, unchanged: 0, removed: 0 })
    expect(first.document.results).toContainEqual({
      kind: 'admin',
      name: 'Ops@Acme.test',
      outcome: 'created',
      setupLink: expect.stringMatching(/^http:\/\/localhost:4000\/set-up\?token=\w{32}$/),
    })
    const second = await latchkeyJSON(cwd, ['seed'], env)
    expect(second.document).toMatchObject({ created: 0, changed: 0, unchanged: 2 })
    expect(second.stdout).not.toContain('token=')
    expect(await rows(project, 'user')).toEqual([expect.objectContaining({ email: 'ops@acme.test', role: 'admin' })])
  })
  test('creates one administrator and one of each role when ten run together', async () => {
    const project = await create(declared(withLink))
    const all = await Promise.all(
      Array.from({ length: 10 }, () => latchkeyJSON(project.cwd, ['seed'], project.env, latchkeyProcess)),
    )
    expect(all.map(({ exitCode, stderr }) => [exitCode, stderr.includes('✗')])).toEqual(all.map(() => [0, false]))
    expect(all.reduce((sum, { document }) => sum + Number(document.created), 0)).toBe(2)
    expect(all.filter(({ stdout }) => stdout.includes('token='))).toHaveLength(1)
    expect(await rows(project, 'user')).toHaveLength(1)
    expect(await rows(project, 'role')).toHaveLength(1)
  }, 90_000)
  test('updates a role, and deletes one only with --prune', async () => {
    const { cwd, env } = await create(declared(withLink, `{ admin: { user: ['list'] }, support: { user: ['list'] } }`))
    await latchkey(cwd, ['seed'], env)
    writeFileSync(join(cwd, 'auth.config.ts'), declared(withLink, `{ admin: { user: ['list', 'ban'] } }`))
    expect((await latchkeyJSON(cwd, ['seed', '--dry-run', '--prune'], env)).document).toMatchObject({
      dryRun: true,
      changed: 1,
      removed: 1,
    })
    expect((await latchkeyJSON(cwd, ['seed'], env)).document).toMatchObject({ changed: 1, unchanged: 1, removed: 0 })
    expect((await latchkeyJSON(cwd, ['seed', '--prune'], env)).document).toMatchObject({ changed: 0, unchanged: 2, removed: 1 })
  })
  test('writes nothing in a dry run', async () => {
    const project = await create(declared(withLink))
    await latchkey(project.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], project.env)
    expect((await latchkeyJSON(project.cwd, ['seed', '--dry-run'], project.env)).document).toMatchObject({ created: 2 })
    expect(await rows(project, 'user')).toEqual([])
  })
})

describe('seed of organizations', () => {
  const organizations = (members: string) =>
    configFile(`{ emailAndPassword: { enabled: true }, organization: true, seed: { roles: { admin: {} }, admins: [${withLink}],
      organizations: [{ slug: 'acme', name: 'Acme', owner: 'ops@acme.test', members: [${members}] }] } }`)

  test('creates an organization of an administrator that the same run creates', async () => {
    const project = await kinds.SQLite(organizations(''))
    const { cwd, env } = project
    expect((await latchkeyJSON(cwd, ['seed', '--dry-run'], env)).document).toMatchObject({ created: 3 })
    expect(await latchkey(cwd, ['seed'], env)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('+ organization acme'),
    })
    expect(await rows(project, 'member')).toEqual([expect.objectContaining({ role: 'owner' })])
    expect((await latchkeyJSON(cwd, ['seed', '--prune'], env)).document).toMatchObject({ created: 0, unchanged: 3, removed: 0 })
  })
  test('names every user who does not exist, and then writes nothing at all', async () => {
    const project = await kinds.SQLite(organizations(`{ email: 'eve@acme.test' }, { email: 'joe@acme.test' }`))
    const { cwd, env } = project
    await latchkey(cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], env)
    expect(await latchkeyJSON(cwd, ['seed'], env)).toMatchObject({
      exitCode: 1,
      document: {
        code: 'USER_NOT_FOUND',
        message: 'There is no user eve@acme.test, joe@acme.test. Nothing was written',
        hint: expect.stringContaining('latchkey users create'),
        details: [{ path: 'member acme/eve@acme.test' }, { path: 'member acme/joe@acme.test' }],
      },
    })
    for (const table of ['user', 'role', 'organization']) expect(await rows(project, table)).toEqual([])
    const planned = await latchkey(cwd, ['seed', '--dry-run'], env)
    expect(planned).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('+ member acme/eve@acme.test: member; there is no user eve@acme.test'),
    })
  })
})

test('--prune deletes a role that users have only when its use is acknowledged', async () => {
  const project = await kinds.SQLite(declared(withLink))
  const { cwd, env } = project
  await latchkey(cwd, ['seed'], env)
  writeFileSync(join(cwd, 'auth.config.ts'), declared('', '{}'))
  for (const args of [
    ['seed', '--prune'],
    ['seed', '--prune', '--yes'],
  ]) {
    expect(await latchkeyJSON(cwd, args, env)).toMatchObject({
      exitCode: 5,
      document: { code: 'ROLE_IN_USE', details: [{ path: 'role-in-use:admin', message: '1 user still has it' }] },
    })
  }
  expect(await rows(project, 'role')).toHaveLength(1)
  expect(await latchkeyJSON(cwd, ['seed', '--prune', '--dry-run'], env)).toMatchObject({ exitCode: 0 })
  const acknowledged = await latchkey(cwd, ['seed', '--prune', '--acknowledge', 'role-in-use:admin'], env)
  expect(acknowledged).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('- role admin: 1 user still has it') })
})

describe('the password of an administrator', () => {
  test('is read from its variable, or from the file that NAME_FILE names', async () => {
    for (const form of ['ADMIN_PASSWORD', 'ADMIN_PASSWORD_FILE']) {
      const project = await kinds.SQLite(declared(withPassword))
      writeFileSync(join(project.cwd, 'password'), 'correct horse battery staple\n', { mode: 0o600 })
      const value = form.endsWith('_FILE') ? join(project.cwd, 'password') : 'correct horse battery staple'
      const { stdout, stderr } = await latchkey(project.cwd, ['seed', '--debug'], { ...project.env, [form]: value })
      expect(stdout).toContain('+ admin ops@acme.test')
      expect(stdout).not.toContain('set-up')
      expect(stdout + stderr).not.toContain('correct horse')
      expect(await rows(project, 'account')).toEqual([
        expect.objectContaining({ password: expect.stringMatching(/^\$argon2id\$/) }),
      ])
    }
  })
  test('is rejected from a file that every account can read', async () => {
    const { cwd, env } = await kinds.SQLite(declared(withPassword))
    writeFileSync(join(cwd, 'password'), 'correct horse battery staple')
    chmodSync(join(cwd, 'password'), 0o644)
    expect(await latchkey(cwd, ['seed'], { ...env, ADMIN_PASSWORD_FILE: join(cwd, 'password') })).toMatchObject({
      exitCode: 8,
      stderr: expect.stringContaining('chmod 600'),
    })
  })
  test('is needed without a terminal, so that no setup link gets into a log unasked', async () => {
    const project = await kinds.SQLite(declared(withPassword))
    const { cwd, env } = project
    const missing = await latchkeyJSON(cwd, ['seed'], env)
    expect(missing).toMatchObject({
      exitCode: 4,
      document: { code: 'ANSWER_NEEDED', hint: expect.stringContaining('--setup-links') },
    })
    expect(JSON.stringify(missing.document)).toContain('ADMIN_PASSWORD')
    expect(await rows(project, 'user')).toEqual([])
    const asked = await latchkeyJSON(cwd, ['seed', '--setup-links'], env)
    expect(asked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('token=') })
  })
  test('is read once: a changed variable is reported and changes nothing', async () => {
    const { cwd, env } = await kinds.SQLite(declared(withPassword))
    await latchkey(cwd, ['seed'], { ...env, ADMIN_PASSWORD: 'correct horse battery staple' })
    const again = await latchkey(cwd, ['seed'], { ...env, ADMIN_PASSWORD: 'short' })
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('unchanged: the password is not taken from ADMIN_PASSWORD again'),
    })
  })
  test('must have the configured length', async () => {
    const { cwd, env } = await kinds.SQLite(declared(withPassword))
    expect(await latchkeyJSON(cwd, ['seed'], { ...env, ADMIN_PASSWORD: 'short' })).toMatchObject({
      exitCode: 1,
      document: { code: 'PASSWORD_TOO_SHORT' },
    })
  })
})

describe.each([
  ['seed', ['seed', '--dry-run'], { created: 2 }],
  ['import', ['import', 'users', 'users.ndjson', '--dry-run'], { created: 1, unchanged: 0 }],
])('a dry run of %s on an embedded database', (_name, args, expected) => {
  const project = () => {
    const cwd = folder({
      'auth.config.ts': declared(withLink),
      'users.ndjson': '{"user":{"email":"ann@example.com"}}\n',
    })
    return { cwd, file: join(cwd, 'test.db') }
  }
  const bytes = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

  test('creates no database, and reports what it would create', async () => {
    const { cwd, file } = project()
    const { exitCode, document, stderr } = await latchkeyJSON(cwd, args, complete)
    expect([exitCode, document]).toMatchObject([0, expected])
    expect(stderr).toMatch(/The database does not exist yet\. .* creates it with the tables account, .*user/)
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, '')
    expect((await latchkeyJSON(cwd, args, complete)).document).toMatchObject(expected)
    expect(readFileSync(file, 'utf8')).toBe('')
  })
  test('changes no byte of an up-to-date database', async () => {
    const { cwd, file } = project()
    await latchkey(cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], complete)
    const before = bytes(file)
    const { exitCode, document, stderr } = await latchkeyJSON(cwd, args, complete)
    expect([exitCode, document, stderr]).toMatchObject([0, expected, ''])
    expect(bytes(file)).toBe(before)
  })
  test('is rejected when tables need a change first, as on a server', async () => {
    const { cwd, file } = project()
    await latchkey(cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], complete)
    const before = bytes(file)
    const more = declared(withLink).replace('{ emailAndPassword', "{ rateLimit: { storage: 'database' }, emailAndPassword")
    writeFileSync(join(cwd, 'auth.config.ts'), more)
    const { exitCode, document } = await latchkeyJSON(cwd, args, complete)
    expect([exitCode, document]).toMatchObject([1, { code: 'MIGRATIONS_PENDING', details: [{ path: 'create-table:rateLimit' }] }])
    expect(bytes(file)).toBe(before)
    await latchkey(
      cwd,
      args.filter((word) => word !== '--dry-run'),
      complete,
    )
    expect(bytes(file)).not.toBe(before)
  })
})

test('seed is rejected while migrations are pending or not generated', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  const cwd = folder({ 'auth.config.ts': declared(withLink) })
  const env = { ...complete, DATABASE_URL: database.url }
  expect(await latchkeyJSON(cwd, ['seed'], env)).toMatchObject({ exitCode: 1, document: { code: 'MIGRATIONS_NOT_GENERATED' } })
  await latchkey(cwd, ['migrate', 'generate'], env)
  expect(await latchkeyJSON(cwd, ['seed'], env)).toMatchObject({
    exitCode: 1,
    document: { code: 'MIGRATIONS_PENDING', hint: expect.stringContaining('migrate up') },
  })
})
