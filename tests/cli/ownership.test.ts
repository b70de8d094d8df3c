/** Commands on a database in which an app has tables of the same names. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/adapters/database/open.ts'
import { startDatabase } from '../kit/servers/databases.ts'
import { freshDatabase } from '../kit/servers/index.ts'
import { complete, configFile, folder, latchkey, latchkeyJSON, latchkeyProcess } from './kit.ts'
import { migrated, opened, project } from './migrated-project.ts'

const balance = 'create table `user` (id int primary key, balance int)'

test('up, status, start and doctor refuse the tables of an app, and down leaves them', async () => {
  const made = await project()
  const { cwd, env } = made
  const { db } = opened(made)
  writeFileSync(join(cwd, 'users.ndjson'), '')
  await sql.raw(balance).execute(db)
  await sql`insert into user values (1, 100)`.execute(db)
  await sql`create table account (id int primary key)`.execute(db)
  const early = await latchkey(cwd, ['migrate', 'status'], env)
  expect(early.stdout).toMatch(/^ {2}\+ create-table:user +taken$/m)
  expect(early.stdout).toContain('latchkey migrate adopt')
  await latchkey(cwd, ['migrate', 'generate'], env)
  expect((await latchkeyJSON(cwd, ['migrate', 'status', '--exit-code'], env)).document).toMatchObject({
    clean: false,
    taken: expect.arrayContaining([
      { path: 'user', kind: 'table' },
      { path: 'account', kind: 'table' },
    ]),
  })
  for (const args of [
    ['migrate', 'up', '--yes'],
    ['migrate', 'up', '--dry-run'],
    ['migrate', 'up', '--yes'],
    ['start', '--check'],
    ['users', 'show', 'ann@example.com'],
    ['import', 'users', 'users.ndjson'],
  ]) {
    const { exitCode, document } = await latchkeyJSON(cwd, args, env)
    expect([exitCode, document.code]).toEqual([5, 'NAMES_TAKEN'])
    expect(document.message).toContain('table user')
    expect(document.message).toContain('table account')
    expect(document.hint).toContain('latchkey migrate adopt')
  }
  expect(await latchkeyJSON(cwd, ['migrate', 'adopt', '--yes'], env)).toMatchObject({
    exitCode: 5,
    document: { code: 'SHAPE_DIFFERS' },
  })
  expect((await latchkeyJSON(cwd, ['migrate', 'down', '--confirm', '0001_initial'], env)).document).toMatchObject({ applied: [] })
  expect((await sql`select * from user`.execute(db)).rows).toEqual([{ id: 1, balance: 100 }])
  expect((await latchkey(cwd, ['doctor'], env)).stdout).toContain('not created by Latchkey')
})

test.each([[['start', '--migrate']], [['start']]])('%j refuses too, with exit code 5', async (args) => {
  const made = await project()
  await latchkey(made.cwd, ['migrate', 'generate'], made.env)
  await sql.raw(balance).execute(opened(made).db)
  const { exitCode, stderr, stdout } = await latchkeyProcess(made.cwd, [...args, '--port', '0'], made.env)
  expect([exitCode, `${stdout}${stderr}`]).toEqual([5, expect.stringContaining('table user')])
})

test('adopts a restored dump, and down says that it drops nothing', async () => {
  const made = await migrated()
  const { cwd, env } = made
  for (const table of ['migration', 'migration_statement']) await sql.raw(`drop table latchkey_${table}`).execute(opened(made).db)
  expect((await latchkeyJSON(cwd, ['migrate', 'adopt'], env)).exitCode).toBe(4)
  expect((await latchkeyJSON(cwd, ['migrate', 'adopt', '--yes'], env)).document).toMatchObject({
    schema: 'migrate-adopt/v1',
    adopted: [{ name: '0001_initial', byHand: [] }],
  })
  expect((await latchkey(cwd, ['migrate', 'status'], env)).stdout).toMatch(/^0001_initial .*\(adopted\)$/m)
  expect((await latchkey(cwd, ['start', '--check'], env)).exitCode).toBe(0)
  const down = await latchkey(cwd, ['migrate', 'down', '--dry-run'], env)
  expect(down.stdout).toContain('= drop-table:user  kept: not recorded as done by Latchkey')
})

test('an embedded database with a table of an app is rejected without advice to drop it', async () => {
  const cwd = folder({ 'auth.config.ts': configFile() })
  const database = openDatabase({ url: `sqlite:${cwd}/test.db`, poolSize: 1, connectTimeout: 1000, queryTimeout: 1000 })
  onTestFinished(database.close)
  await sql.raw(balance).execute(database.db)
  await sql`insert into user values (1, 100)`.execute(database.db)
  const create = ['users', 'create', '--email', 'a@example.com', '--name', 'A']
  for (const args of [['start', '--check'], ['users', 'list'], create]) {
    const { exitCode, stdout, stderr } = await latchkey(cwd, args, complete)
    expect([exitCode, `${stdout}${stderr}`]).toEqual([5, expect.stringContaining('table user')])
    expect(stderr).not.toContain('--acknowledge')
  }
  expect((await sql`select * from user`.execute(database.db)).rows).toEqual([{ id: 1, balance: 100 }])
})

describe('an account that may only read', () => {
  async function readOnly() {
    const database = await freshDatabase()
    onTestFinished(() => database.drop())
    const cwd = folder({ 'auth.config.ts': configFile() })
    const env = { ...complete, DATABASE_URL: database.url }
    await latchkey(cwd, ['migrate', 'generate'], env)
    await latchkey(cwd, ['migrate', 'up', '--yes'], env)
    return { cwd, env: { ...env, DATABASE_URL: await database.createAccount('SELECT') } }
  }
  test('is reported by start --check, and by a command that writes', async () => {
    const { cwd, env } = await readOnly()
    for (const args of [
      ['start', '--check'],
      ['users', 'create', '--email', 'a@example.com', '--name', 'A'],
    ]) {
      const { exitCode, document } = await latchkeyJSON(cwd, args, env)
      expect([exitCode, document.code, document.retryable]).toEqual([6, 'DATABASE_REFUSED', false])
      expect(document.hint).toContain('INSERT')
    }
  })
})

test('pins the engine and the character set of its own tables, whatever the defaults of the server are', async () => {
  const server = await startDatabase([
    '--default-storage-engine=MyISAM',
    '--character-set-server=latin1',
    '--collation-server=latin1_swedish_ci',
  ])
  onTestFinished(() => server.stop())
  const database = await freshDatabase(server.url)
  const cwd = folder({ 'auth.config.ts': configFile() })
  const env = { ...complete, DATABASE_URL: database.url }
  await latchkey(cwd, ['migrate', 'generate'], env)
  const { exitCode, stderr } = await latchkey(cwd, ['migrate', 'up', '--yes'], env)
  expect(exitCode, stderr).toBe(0)
  const { db, close } = openDatabase({ url: database.url, poolSize: 1, connectTimeout: 5000, queryTimeout: 5000 })
  onTestFinished(close)
  const { rows } = await sql<{ name: string; engine: string; collation: string }>`select table_name as name, engine as engine,
    table_collation as collation from information_schema.tables where table_schema = database()`.execute(db)
  const names = rows.map(({ name }) => name)
  for (const own of ['latchkey_migration', 'latchkey_migration_statement', 'latchkey_lease', 'latchkey_daemon'])
    expect(names).toContain(own)
  expect(rows.filter(({ engine, collation }) => engine !== 'InnoDB' || !/^utf8mb4_(0900|nopad)_bin$/.test(collation))).toEqual([])
})
