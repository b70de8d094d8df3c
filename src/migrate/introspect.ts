/** Reads the schema of a live database: from `information_schema` on MySQL and MariaDB, from pragmas on SQLite. */
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import { sqliteDialect } from '../adapters/database/sqlite.ts'
import type { Database } from '../features/index.ts'
import { introspectMysql } from './introspect-mysql.ts'
import { type IndexColumn, toDefault, toForeignKey, toIndexes } from './live-parts.ts'
import {
  type ColumnSchema,
  type ForeignKeySchema,
  foreignKeyName,
  type IndexSchema,
  ownPrefix,
  type Schema,
  type TableSchema,
} from './schema.ts'

/** @param known the names of the expected tables, as they are declared */
export async function introspect(db: Kysely<Database>, { name, errors }: Dialect, known: Iterable<string> = []): Promise<Schema> {
  // SQLite ignores the case of all names.
  if (name === 'sqlite') return spellTables(await introspectSqlite(db), known)
  const live = await introspectMysql(db, errors)
  const { rows } = await sql<{ mode: number }>`select @@lower_case_table_names as mode`.execute(db)
  return Number(rows[0]?.mode) === 0 ? live : spellTables(live, known)
}

/**
 * The schema with its tables under their declared names. With `lower_case_table_names` 1 the server stores names in lower case, and
 * with 2 it stores those in foreign keys so.
 */
export function spellTables(live: Schema, known: Iterable<string>): Schema {
  const names = new Map([...known].map((name) => [name.toLowerCase(), name]))
  const spell = (name: string): string => names.get(name.toLowerCase()) ?? name
  const tables = Object.entries(live.tables).map(([name, table]): [string, TableSchema] => {
    const keys = Object.entries(table.foreignKeys).map(([key, foreignKey]) => [
      key,
      { ...foreignKey, references: spell(foreignKey.references) },
    ])
    return [spell(name), { ...table, foreignKeys: Object.fromEntries(keys) }]
  })
  return { tables: Object.fromEntries(tables) }
}

/** Names of views and other objects that share their names with tables. */
export async function findViews(db: Kysely<Database>, { name }: Dialect): Promise<string[]> {
  const found =
    name === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'view' order by name`
      : sql<{ name: string }>`select table_name as name from information_schema.tables
          where table_schema = database() and table_type <> 'BASE TABLE' order by table_name`
  return (await found.execute(db)).rows.map((row) => row.name)
}

interface SqliteColumn {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
  readonly pk: number
}

async function introspectSqlite(db: Kysely<Database>): Promise<Schema> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table' order by name`.execute(db)
  const names = rows.map(({ name }) => name).filter((name) => !name.startsWith('sqlite_') && !name.startsWith(ownPrefix))
  const tables: Record<string, TableSchema> = {}
  for (const name of names) {
    tables[name] = {
      columns: await findSqliteColumns(db, name),
      indexes: await findSqliteIndexes(db, name),
      foreignKeys: await findSqliteForeignKeys(db, name),
    }
  }
  return { tables }
}

async function findSqliteColumns(db: Kysely<Database>, table: string): Promise<Record<string, ColumnSchema>> {
  const { rows } = await sql<SqliteColumn>`select name, type, "notnull", dflt_value, pk from pragma_table_info(${table})`.execute(
    db,
  )
  return Object.fromEntries(rows.map((row) => [row.name, sqliteColumn(row)]))
}

const sqliteTypes = ['text', 'boolean', 'integer', 'bigint', 'timestamp', 'json'] as const

function sqliteColumn(row: SqliteColumn): ColumnSchema {
  const declared = row.type.toLowerCase()
  const length = /^varchar\((\d+)\)$/.exec(declared)?.[1]
  const known = sqliteTypes.find((type) => sqliteDialect.columnType({ type }) === declared)
  const type = length === undefined ? (known ?? 'text') : 'varchar'
  return {
    type,
    ...(length === undefined ? {} : { length: Number(length) }),
    nullable: row.notnull === 0,
    primary: row.pk > 0,
    ...toDefault(type, row.dflt_value, true),
    ...(length === undefined && !known ? { other: declared } : {}),
  }
}

async function findSqliteIndexes(db: Kysely<Database>, table: string): Promise<Record<string, IndexSchema>> {
  const { rows } = await sql<IndexColumn>`
    select list.name, list."unique", info.name as "column", iif(list.partial, 'partial', null) as other
    from pragma_index_list(${table}) as list, pragma_index_info(list.name) as info
    where list.origin <> 'pk' order by list.name, info.seqno`.execute(db)
  return toIndexes(rows)
}

/** SQLite does not report the names of constraints; ours follow from table and column. */
async function findSqliteForeignKeys(db: Kysely<Database>, table: string): Promise<Record<string, ForeignKeySchema>> {
  const { rows } = await sql<{ column: string; references: string; action: string }>`
    select "from" as "column", "table" as "references", on_delete as action from pragma_foreign_key_list(${table})`.execute(db)
  return Object.fromEntries(
    rows.map(({ column, references, action }) => [foreignKeyName(table, column), toForeignKey(column, references, action)]),
  )
}
