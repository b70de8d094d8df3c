import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/adapters/database/open.ts'
import { diffSchemas } from '../../src/migrate/diff.ts'
import { down, push, type Schema, up } from '../../src/migrate/index.ts'
import { introspect } from '../../src/migrate/introspect.ts'
import { readMigrations, writeMigration } from '../../src/migrate/migration-files.ts'
import { emptySchema, stableJSON } from '../../src/migrate/schema.ts'
import { toMysql } from '../../src/migrate/sql.ts'
import { findDifferences } from '../../src/migrate/status.ts'
import { freshDatabase } from '../kit/servers/index.ts'
import { randomSchema } from './random-schema.ts'

let place: Awaited<ReturnType<typeof freshDatabase>>
let server: OpenDatabase
beforeAll(async () => {
  place = await freshDatabase()
  server = openDatabase({ url: place.url, poolSize: 3, connectTimeout: 5000, queryTimeout: 10_000 })
})
afterAll(async () => {
  await server?.close()
  await place?.drop()
})

/** Not `generate`, which refuses what a table with rows could not follow. */
async function write(dir: string, from: Schema, to: Schema): Promise<void> {
  const [there, back] = [toMysql(diffSchemas(from, to), to), toMysql(diffSchemas(to, from), from)]
  const files = await readMigrations(dir)
  await writeMigration(dir, files, { title: 'random', acknowledged: [], up: there, down: back, schema: to })
}

async function expectSchema({ db, dialect }: OpenDatabase, expected: Schema): Promise<void> {
  const live = await introspect(db, dialect)
  expect(findDifferences(live, expected)).toEqual([])
  expect(stableJSON(live)).toBe(stableJSON(expected))
}

test('migrates any schema to any other on a server, and rolls back', async () => {
  const property = fc.asyncProperty(randomSchema, randomSchema, async (one, other) => {
    const { db, dialect } = server
    const dir = await mkdtemp(join(tmpdir(), 'latchkey-random-'))
    await write(dir, emptySchema, one)
    await write(dir, one, other)
    await up({ db, dialect, dir, holder: 'test' })
    await expectSchema(server, other)
    await down({ db, dialect, dir, holder: 'test' })
    await expectSchema(server, one)
    await down({ db, dialect, dir, holder: 'test' })
    await expectSchema(server, emptySchema)
    await rm(dir, { recursive: true })
  })
  await fc.assert(property, { numRuns: Number(process.env.RUNS ?? 20), endOnFailure: true })
}, 120_000)

test('updates any schema to any other on SQLite', async () => {
  const property = fc.asyncProperty(fc.array(randomSchema, { minLength: 1, maxLength: 4 }), async (schemas) => {
    const file = openDatabase({ url: 'sqlite::memory:', poolSize: 1, connectTimeout: 1000, queryTimeout: 1000 })
    for (const schema of schemas) {
      await push({ db: file.db, dialect: file.dialect, schema })
      await expectSchema(file, schema)
      expect((await push({ db: file.db, dialect: file.dialect, schema })).changes).toEqual([])
    }
    await file.close()
  })
  await fc.assert(property, { numRuns: 100 })
})
