/** An old database in a file of SQLite. */

import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SourceDatabase, SourceReference, SourceRow } from '../../core/source-database.ts'
import { doubleQuoted } from '../../lib/text.ts'
import { type SourceOptions, tablesOf } from './open.ts'

/** Another process may write for this long. */
const timeout = 10_000

/** SQLite has no function for hashes. */
export function rowHash(database: DatabaseSync): SourceDatabase['hash'] {
  database.function('latchkey_hash', { deterministic: true }, (row) => hash('sha256', String(row)).slice(0, 22))
  return (_, columns) => `latchkey_hash(${columns.map((name) => `quote(${name})`).join(" || ',' || ")})`
}

/** @throws Error when the file does not exist or has another form */
export async function openSqliteSource({ url, writes = false }: SourceOptions): Promise<SourceDatabase> {
  const path = url.replace(/^sqlite:(\/\/)?/, '')
  const database = new DatabaseSync(path, { readOnly: !writes, timeout })
  const query: SourceDatabase['query'] = async (text, values = []) => {
    return database.prepare(text).all(...values) as unknown as SourceRow[]
  }
  const [{ version = '' } = {}] = await query('select sqlite_version() as version')
  // Fails here, and not later, for a file of another form.
  await query('select count(*) from sqlite_master')
  return {
    product: 'sqlite',
    label: `SQLite ${version} ${basename(path)}`,
    query,
    quote: doubleQuoted,
    hash: rowHash(database),
    tables: async () => tablesOf(await query(columnsQuery)),
    references: async () => (await query(referencesQuery)) as unknown as SourceReference[],
    // A file does not say who has it open.
    connections: async () => 0,
    write: async (statements) => {
      database.exec('begin immediate')
      try {
        for (const [text, values] of statements) database.prepare(text).run(...values)
        database.exec('commit')
      } catch (error) {
        if (database.isTransaction) database.exec('rollback')
        throw error
      }
    },
    close: async () => database.close(),
  }
}

const columnsQuery = `select t.name as "table", c.name as name, lower(c.type) as type, 1 - c."notnull" as nullable
  from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.cid`

const referencesQuery = `select t.name as "table", k."from" as "column", k."table" as target, lower(coalesce(c.type, '')) as type
  from sqlite_master t join pragma_foreign_key_list(t.name) k left join pragma_table_info(t.name) c on c.name = k."from"
  where t.type = 'table' order by t.name, k."from"`
