import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../adapters/database/open.ts'
import { type ConfigFile, featureList } from '../features/index.ts'
import { generate, introspect } from '../migrate/index.ts'
import { readMigrations, writeMigration } from '../migrate/migration-files.ts'
import { parseConfig } from './config/parse-config.ts'
import { checkSchema, declaredSchema, fitToDatabase, migrationsFolder, type SchemaUse } from './schema-check.ts'

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
  await sql`create table latchkey_migration_statement (migration, direction, position, checksum, state)`.execute(opened.db)
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
  // The tables exist, and no migration is recorded.
  await expect(checkSchema(loaded, database, { mode: 'serve' })).rejects.toMatchObject({ code: 'NAMES_TAKEN' })
  await expect(checkSchema(loaded, project().opened, { mode: 'read' })).rejects.toMatchObject({ code: 'MIGRATIONS_PENDING' })
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

test('commands leave out features whose columns do not exist yet, but not those that the command is about', async () => {
  const { directory, database, apply } = await migrated({})
  await apply()
  const loaded = load(
    { phoneNumber: { enabled: true }, apiKey: true, anonymous: true, jwt: true, organization: true, sms: { catch: true } },
    directory,
  )
  await generate({ schema: declaredSchema(loaded), dir: migrationsFolder(directory) })
  const warnings: string[] = []
  const use: SchemaUse = { mode: 'write', tables: ['user', 'session'], warn: (message) => warnings.push(message) }
  const { phoneNumber, apiKey, anonymous, jwt, organization } = await checkSchema(loaded, database, use)
  expect([phoneNumber, apiKey, anonymous, jwt, organization].map(({ enabled }) => enabled)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
  expect(warnings).toEqual([expect.stringContaining('Pending migrations: 0002_')])
  await expect(checkSchema(loaded, database, { ...use, tables: ['user', 'apikey'] })).rejects.toMatchObject({
    code: 'MIGRATIONS_PENDING',
  })
})

test('a worker fits a configuration to the database, unless the database has no tables at all', async () => {
  const { directory, database, apply } = await migrated({})
  await apply()
  const fields = { additionalFields: { plan: { type: 'string', required: false } } } as const
  const loaded = load({ phoneNumber: { enabled: true }, user: fields, sms: { send: async () => {} } }, directory)
  const fitted = await fitToDatabase(loaded, database)
  expect(fitted.omitted).toEqual(['phoneNumber', 'user.plan'])
  expect(fitted.loaded.config).toMatchObject({ phoneNumber: { enabled: false }, user: { additionalFields: {} } })
  expect(await fitToDatabase(fitted.loaded, database)).toEqual({ loaded: fitted.loaded, omitted: [] })
  const empty = project()
  expect(await fitToDatabase(loaded, empty.opened)).toEqual({ loaded, omitted: [] })
})

test('a feature of which the database has anything is not left out: its rows may be bans', async () => {
  const { directory, database, apply } = await migrated({ admin: true })
  await apply()
  const loaded = load({ admin: true }, directory)
  await sql`alter table "user" drop column "banReason"`.execute(database.db)
  const files = migrationsFolder(directory)
  await writeMigration(files, await readMigrations(files), {
    title: 'user',
    acknowledged: [],
    up: [],
    down: [],
    schema: declaredSchema(loaded),
  })
  await expect(checkSchema(loaded, database, { mode: 'write', tables: ['user'] })).rejects.toMatchObject({
    code: 'MIGRATIONS_PENDING',
  })
  expect(await fitToDatabase(loaded, database)).toEqual({ loaded, omitted: [] })
})
