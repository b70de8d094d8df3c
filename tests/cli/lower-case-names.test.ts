/** A server that stores the names of tables in lower case, as some managed ones do. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type Server, startDatabase } from '../kit/servers/index.ts'
import { complete, configFile, folder, latchkey, latchkeyJSON } from './kit.ts'
import { opened } from './migrated-project.ts'

let server: Server
beforeAll(async () => {
  server = await startDatabase(['--lower-case-table-names=1'])
})
afterAll(() => server?.stop())

const withLimits = configFile(`{ emailAndPassword: { enabled: true }, rateLimit: { storage: 'database' } }`)

async function applied() {
  const { url } = await freshDatabase(server.url)
  const made = { cwd: folder({ 'auth.config.ts': withLimits }), env: { ...complete, DATABASE_URL: url } }
  await latchkey(made.cwd, ['migrate', 'generate'], made.env)
  expect(await latchkey(made.cwd, ['migrate', 'up', '--yes'], made.env)).toMatchObject({ exitCode: 0 })
  return made
}
const isClean = async ({ cwd, env }: Awaited<ReturnType<typeof applied>>) => {
  const { exitCode, document } = await latchkeyJSON(cwd, ['migrate', 'status', '--exit-code'], env)
  expect([exitCode, document]).toMatchObject([0, { clean: true, drift: [] }])
}

test('the applied schema has no drift, doctor agrees, and a table can be dropped', async () => {
  const made = await applied()
  const { cwd, env } = made
  const stored = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = database()`.execute(opened(made).db)
  expect(stored.rows.map(({ name }) => name)).toContain('passwordscheme')
  await isClean(made)
  const { document } = await latchkeyJSON(cwd, ['doctor'], env)
  expect(JSON.stringify(document)).not.toMatch(/passwordScheme|rateLimit is missing/)
  writeFileSync(join(cwd, 'auth.config.ts'), configFile())
  await latchkey(cwd, ['migrate', 'generate', '--acknowledge', 'drop-table:rateLimit'], env)
  expect(await latchkey(cwd, ['migrate', 'up', '--yes'], env)).toMatchObject({ exitCode: 0 })
  await isClean(made)
  expect(await latchkey(cwd, ['migrate', 'down', '--confirm', '0002_ratelimit'], env)).toMatchObject({ exitCode: 0 })
  expect((await latchkeyJSON(cwd, ['migrate', 'status'], env)).document).toMatchObject({ drift: [], applied: 1 })
}, 60_000)

test('a run that was killed while it created a table is resumed', async () => {
  const made = await applied()
  const { db } = opened(made)
  const text = readFileSync(join(made.cwd, 'migrations/0001_initial.sql'), 'utf8').split('-- down')[0] ?? ''
  const created = [...text.matchAll(/^-- (\S+) \((?:safe|needs-lock)\)$/gm)].map(([, name]) => name)
  const position = created.indexOf('create-table:passwordScheme')
  expect(position).toBeGreaterThan(-1)
  // The table is there, but the journal has only the start of its statement.
  await sql`update latchkey_migration set appliedAt = null`.execute(db)
  await sql`update latchkey_migration_statement set state = 'started' where position = ${position}`.execute(db)
  expect(await latchkey(made.cwd, ['migrate', 'up', '--yes'], made.env)).toMatchObject({ exitCode: 0 })
  await isClean(made)
}, 60_000)

test('a daemon can start', async () => {
  const { cwd, env } = await applied()
  expect(await latchkey(cwd, ['start', '--check'], env)).toMatchObject({ exitCode: 0 })
}, 60_000)
