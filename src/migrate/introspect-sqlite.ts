/** The schema of a SQLite file as it is. */
import { type Kysely, sql } from 'kysely'
import { sqliteDialect } from '../adapters/database/sqlite.ts'
import type { OnDelete } from '../core/table.ts'
import type { Database } from '../features/index.ts'
import {
  type ColumnSchema,
  type ForeignKeySchema,
  foreignKeyName,
  type IndexSchema,
  ownPrefix,
  type Schema,
  type TableSchema,
} from './schema.ts'

interface ColumnRow {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
  readonly pk: number
}

export async function introspectSqlite(db: Kysely<Database>): Promise<Schema> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table' order by name`.execute(db)
  const names = rows.map(({ name }) => name).filter((name) => !name.startsWith('sqlite_') && !name.startsWith(ownPrefix))
  const tables: Record<string, TableSchema> = {}
  for (const name of names) {
    tables[name] = {
      columns: await findColumns(db, name),
      indexes: await findIndexes(db, name),
      foreignKeys: await findForeignKeys(db, name),
    }
  }
  return { tables }
}

async function findColumns(db: Kysely<Database>, table: string): Promise<Record<string, ColumnSchema>> {
  const { rows } = await sql<ColumnRow>`select name, type, "notnull", dflt_value, pk from pragma_table_info(${table})`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.name, toColumn(row)]))
}

const types = ['text', 'boolean', 'integer', 'bigint', 'timestamp', 'json'] as const

function toColumn(row: ColumnRow): ColumnSchema {
  const declared = row.type.toLowerCase()
  const length = /^varchar\((\d+)\)$/.exec(declared)?.[1]
  const known = types.find((type) => sqliteDialect.columnType({ type }) === declared)
  const type = length === undefined ? (known ?? 'text') : 'varchar'
  return {
    type,
    ...(length === undefined ? {} : { length: Number(length) }),
    nullable: row.notnull === 0,
    primary: row.pk > 0,
    ...defaultOf(type, row.dflt_value),
    ...(length === undefined && !known ? { other: declared } : {}),
  }
}

function defaultOf(type: ColumnSchema['type'], text: string | null): { default?: string | number | boolean } {
  if (text === null || text.toLowerCase() === 'null') return {}
  if (type === 'boolean') return { default: text !== '0' }
  if (type === 'integer' || type === 'bigint') return { default: Number(text) }
  return { default: text.replace(/^'(.*)'$/s, '$1').replaceAll("''", "'") }
}

async function findIndexes(db: Kysely<Database>, table: string): Promise<Record<string, IndexSchema>> {
  const { rows } = await sql<{ name: string; unique: number; column: string | null; partial: number }>`
    select list.name, list."unique", list.partial, info.name as "column"
    from pragma_index_list(${table}) as list, pragma_index_info(list.name) as info
    where list.origin <> 'pk' order by list.name, info.seqno`.execute(db)
  const indexes: Record<string, IndexSchema> = {}
  for (const row of rows) {
    const columns = [...(indexes[row.name]?.columns ?? []), row.column ?? 'an expression']
    indexes[row.name] = { columns, unique: row.unique === 1, ...(row.partial === 1 ? { other: 'partial' } : {}) }
  }
  return indexes
}

const actions: Readonly<Record<string, OnDelete>> = {
  CASCADE: 'cascade',
  'SET NULL': 'set null',
  RESTRICT: 'restrict',
  'NO ACTION': 'restrict',
}

/** SQLite does not tell the names of constraints; ours follow from table and column. */
async function findForeignKeys(db: Kysely<Database>, table: string): Promise<Record<string, ForeignKeySchema>> {
  const { rows } = await sql<{ column: string; references: string; action: string }>`
    select "from" as "column", "table" as "references", on_delete as action from pragma_foreign_key_list(${table})`.execute(db)
  return Object.fromEntries(
    rows.map(({ column, references, action }) => {
      const onDelete = actions[action]
      const known = { column, references, onDelete: onDelete ?? 'restrict' }
      return [foreignKeyName(table, column), onDelete ? known : { ...known, other: action.toLowerCase() }]
    }),
  )
}
