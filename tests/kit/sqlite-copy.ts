/** SQLite databases in memory with the tables of a schema. The schema is pushed once per process; further databases are copies. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '../../src/adapters/database/open.ts'
import { push, type Schema } from '../../src/migrate/index.ts'

const contents = new Map<string, Promise<Uint8Array>>()

/** @returns the bytes of a database that has the tables of the schema, and no rows of features */
export function contentWith(schema: Schema): Promise<Uint8Array> {
  const key = JSON.stringify(schema)
  const content = contents.get(key) ?? createContent(schema)
  contents.set(key, content)
  return content
}

async function createContent(schema: Schema): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-sqlite-'))
  const file = join(folder, 'copy')
  const { db, dialect, close } = openDatabase({ url: 'sqlite::memory:', poolSize: 1, connectTimeout: 5000, queryTimeout: 5000 })
  await push({ db, dialect, schema })
  await sql`vacuum into ${file}`.execute(db)
  await close()
  const content = await readFile(file)
  await rm(folder, { recursive: true })
  return content
}
