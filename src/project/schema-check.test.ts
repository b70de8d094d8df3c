import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../adapters/database/open.ts'
import { parseConfig } from '../core/parse-config.ts'
import { type ConfigFile, featureList } from '../features/index.ts'
import { generate, introspect } from '../migrate/index.ts'
import { checkSchema, declaredSchema, migrationsFolder, type SchemaUse } from './schema-check.ts'

const catching: ConfigFile = { mail: { from: 'a@example.com', catch: true } }

function load(options: ConfigFile, directory: string) {
  const parsed = parseConfig(featureList, {
    environment: 'development',
    secret: 'Zk3vT9qLw2Rr8Yp5Xn1Bc7Md4Gh6Js0FaE',
    baseURL: 'http://localhost:4000',
    database: { url: 'sqlite::memory:' },
    emailAndPassword: { enabled: true },
    ...options,
  })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  return { config: parsed.config, directory }
}

function project() {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-schema-'))
  const opened = openDatabase({ url: 'sqlite::memory:', poolSize: 1, connectTimeout: 1000, queryTimeout: 1000 })
  onTestFinished(async () => {
    await opened.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const tables = async () => Object.keys((await introspect(opened.db, opened.dialect)).tables)
  return { directory, opened, tables }
}

/** An SQLite database that passes for one with migration files, with one applied migration for `options`. */
async function migrated(options: ConfigFile) {
  const { directory, opened, tables } = project()
  const loaded = load(options, directory)
  await checkSchema(loaded, opened, { mode: 'write' })
  const { written } = await generate({ schema: declaredSchema(loaded), dir: migrationsFolder(directory) })
  await sql`create table latchkey_migration (number, name, checksum, direction, startedAt, appliedAt)`.execute(opened.db)
  const apply = () =>
    sql`insert into latchkey_migration values (1, ${written?.name}, '', 'up', 1, 1)`.execute(opened.db).then(() => {})
  return { directory, database: { ...opened, dialect: { ...opened.dialect, keepsMigrationFiles: true } }, apply, tables }
}

test('a table that is no longer declared stops neither the daemon nor a command', async () => {
  const { directory, database, apply } = await migrated(catching)
  await apply()
  const loaded = load({ mail: { from: 'a@example.com', smtp: 'smtp://localhost:25' } }, directory)
  for (const mode of ['serve', 'write', 'read'] as const) await checkSchema(loaded, database, { mode })
})

test('a missing migration stops the daemon, and a command only if its own tables are incomplete', async () => {
  const { directory, database, apply } = await migrated({ mail: { from: 'a@example.com', smtp: 'smtp://localhost:25' } })
  await apply()
  const loaded = load(catching, directory)
  await expect(checkSchema(loaded, database, { mode: 'serve' })).rejects.toMatchObject({ code: 'MIGRATIONS_NOT_GENERATED' })
  const warnings: string[] = []
  const use: SchemaUse = { mode: 'write', tables: ['user'], warn: (message) => warnings.push(message) }
  await checkSchema(loaded, database, use)
  expect(warnings).toEqual([
    expect.stringMatching(
      /^The configuration is ahead of the database by 1 change\. One schema change has no migration\. Run `latchkey migrate generate`/,
    ),
  ])
  await expect(checkSchema(loaded, database, { ...use, tables: ['user', 'caughtMail'] })).rejects.toMatchObject({
    code: 'MIGRATIONS_NOT_GENERATED',
  })
  const withField = load({ user: { additionalFields: { plan: { type: 'string', required: false } } } }, directory)
  await expect(checkSchema(withField, database, { mode: 'serve' })).rejects.toMatchObject({ code: 'MIGRATIONS_NOT_GENERATED' })
  await expect(checkSchema(withField, database, { mode: 'write' })).rejects.toMatchObject({ code: 'MIGRATIONS_NOT_GENERATED' })
  expect((await checkSchema(withField, database, use)).user.additionalFields).toEqual({})
})

test('a pending migration stops the daemon, and a command only if its own tables are incomplete', async () => {
  const { directory, database } = await migrated({})
  const loaded = load({}, directory)
  await expect(checkSchema(loaded, database, { mode: 'serve' })).rejects.toMatchObject({ code: 'MIGRATIONS_PENDING' })
  const warnings: string[] = []
  await checkSchema(loaded, database, { mode: 'read', tables: ['user'], warn: (message) => warnings.push(message) })
  expect(warnings).toEqual([expect.stringContaining('Pending migrations: 0001_initial')])
})

test('a reading command changes no embedded database, and a writing one updates it', async () => {
  const { directory, opened, tables } = project()
  const loaded = load({}, directory)
  await expect(checkSchema(loaded, opened, { mode: 'read', tables: ['user'] })).rejects.toMatchObject({
    code: 'MIGRATIONS_PENDING',
    details: expect.arrayContaining([expect.objectContaining({ path: 'create-table:user' })]),
  })
  expect(await tables()).toEqual([])
  await checkSchema(loaded, opened, { mode: 'write', tables: ['user'] })
  expect(await tables()).toContain('user')
  const warnings: string[] = []
  await checkSchema(load(catching, directory), opened, {
    mode: 'read',
    tables: ['user'],
    warn: (message) => warnings.push(message),
  })
  expect([warnings.length, (await tables()).includes('caughtMail')]).toEqual([1, false])
})
