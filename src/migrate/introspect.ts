/** Reads the schema of a live database: from `information_schema` on MySQL and MariaDB, from pragmas on SQLite. */
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import { collations } from '../adapters/database/mysql.ts'
import { sqliteDialect } from '../adapters/database/sqlite.ts'
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

const readers: Record<Dialect['name'], (db: Kysely<Database>) => Promise<Schema>> = {
  mysql: introspectMysql,
  sqlite: introspectSqlite,
}

export const introspect = (db: Kysely<Database>, { name }: Dialect): Promise<Schema> => readers[name](db)

const onDeleteActions: Readonly<Record<string, ForeignKeySchema['onDelete']>> = {
  CASCADE: 'cascade',
  'SET NULL': 'set null',
  RESTRICT: 'restrict',
  'NO ACTION': 'restrict',
}

/** @param other what the database says beyond columns and action; empty when it says nothing more */
function toForeignKey(column: string, references: string, action: string, other = ''): ForeignKeySchema {
  const onDelete = onDeleteActions[action]
  const unknown = (onDelete ? other : `${action} ${other}`).trim().toLowerCase()
  return { column, references, onDelete: onDelete ?? 'restrict', ...(unknown === '' ? {} : { other: unknown }) }
}

/** @param text as the database prints it; null without a default */
function toDefault(
  type: ColumnSchema['type'] | undefined,
  text: string | null,
  isQuoted: boolean,
): Pick<ColumnSchema, 'default'> {
  if (text === null || (isQuoted && text.toUpperCase() === 'NULL')) return {}
  if (type === 'boolean') return { default: text !== '0' }
  if (type === 'integer' || type === 'bigint') return { default: Number(text) }
  return { default: isQuoted ? text.replace(/^'(.*)'$/s, '$1').replaceAll("''", "'") : text }
}

interface IndexColumn {
  readonly name: string
  readonly unique: number
  /** Null for an expression. */
  readonly column: string | null
  /** A property that a declared index cannot have. */
  readonly other: string | null
}

/** @param rows one per column, in order */
function toIndexes(rows: readonly IndexColumn[]): Record<string, IndexSchema> {
  const indexes: Record<string, IndexSchema> = {}
  for (const row of rows) {
    const other = row.other ?? indexes[row.name]?.other
    const columns = [...(indexes[row.name]?.columns ?? []), row.column ?? 'an expression']
    indexes[row.name] = { columns, unique: Number(row.unique) === 1, ...(other === undefined ? {} : { other }) }
  }
  return indexes
}

interface MysqlColumn {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly full: string
  readonly length: number | null
  readonly collation: string | null
  readonly nullable: string
  readonly fallback: string | null
  readonly extra: string
}
interface MysqlParts {
  readonly columns: readonly MysqlColumn[]
  readonly indexes: readonly (IndexColumn & { readonly table: string })[]
  /** As `table.column`: MariaDB stores JSON as text with a check constraint. */
  readonly checkedAsJSON: ReadonlySet<string>
  readonly quotesDefaults: boolean
}

const [table, column] = [sql.ref('table'), sql.ref('column')]
const inThisDatabase = sql.raw('table_schema = database()')

async function introspectMysql(db: Kysely<Database>): Promise<Schema> {
  const { rows } = await sql<{ name: string; engine: string | null }>`select table_name as name, engine as engine
    from information_schema.tables where ${inThisDatabase} and table_type = 'BASE TABLE' order by table_name`.execute(db)
  const parts = await findMysqlParts(db)
  const tables: Record<string, TableSchema> = {}
  for (const { name, engine } of rows.filter(({ name }) => !name.startsWith(ownPrefix)))
    tables[name] = { ...mysqlTable(name, engine, parts), foreignKeys: await findMysqlForeignKeys(db, name) }
  return { tables }
}

async function findMysqlParts(db: Kysely<Database>): Promise<MysqlParts> {
  const server = await sql<{ version: string }>`select version() as version`.execute(db)
  const isMariaDB = /mariadb/i.test(server.rows[0]?.version ?? '')
  const columns = await sql<MysqlColumn>`
    select table_name as ${table}, column_name as name, data_type as type, column_type as ${sql.ref('full')},
      character_maximum_length as length, collation_name as collation, is_nullable as nullable, column_default as fallback,
      extra as extra
    from information_schema.columns where ${inThisDatabase} order by table_name, ordinal_position`.execute(db)
  const indexes = await sql<MysqlParts['indexes'][number]>`
    select table_name as ${table}, index_name as name, non_unique = 0 as ${sql.ref('unique')}, column_name as ${column},
      if(sub_part is null, null, 'over parts of its columns') as other
    from information_schema.statistics where ${inThisDatabase} order by table_name, index_name, seq_in_index`.execute(db)
  const checkedAsJSON = isMariaDB ? await findJSONChecks(db) : new Set<string>()
  return { columns: columns.rows, indexes: indexes.rows, checkedAsJSON, quotesDefaults: isMariaDB }
}

async function findJSONChecks(db: Kysely<Database>): Promise<Set<string>> {
  const { rows } = await sql<{ table: string; clause: string }>`select table_name as ${table}, check_clause as clause
    from information_schema.check_constraints where constraint_schema = database()`.execute(db)
  return new Set(
    rows.flatMap(({ table, clause }) => {
      const column = /^json_valid\(`(.*)`\)$/i.exec(clause)?.[1]
      return column === undefined ? [] : [`${table}.${column}`]
    }),
  )
}

function mysqlTable(name: string, engine: string | null, parts: MysqlParts): Omit<TableSchema, 'foreignKeys'> {
  const columns = parts.columns.filter(({ table }) => table === name)
  const indexes = parts.indexes.filter(({ table }) => table === name)
  const primary = new Set(indexes.filter(({ name }) => name === 'PRIMARY').map(({ column }) => column))
  return {
    columns: Object.fromEntries(columns.map((row) => [row.name, mysqlColumn(row, primary.has(row.name), parts)])),
    indexes: toIndexes(indexes.filter(({ name }) => name !== 'PRIMARY')),
    ...(engine?.toLowerCase() === 'innodb' ? {} : { other: `engine ${engine ?? 'unknown'}` }),
  }
}

const mysqlTypes: Readonly<Record<string, ColumnSchema['type']>> = {
  text: 'text',
  'tinyint(1)': 'boolean',
  int: 'integer',
  bigint: 'bigint',
  'datetime(3)': 'timestamp',
  json: 'json',
}

function mysqlColumn(row: MysqlColumn, primary: boolean, parts: MysqlParts): ColumnSchema {
  const isJSON = parts.checkedAsJSON.has(`${row.table}.${row.name}`)
  // MariaDB adds a display width to integers, which has a meaning in tinyint(1) only.
  const full = row.full.replace(/^(int|bigint)\(\d+\)/, '$1')
  const type = row.type === 'varchar' ? 'varchar' : isJSON ? 'json' : mysqlTypes[full]
  const isText = type === 'varchar' || type === 'text'
  const isExact = !isText || collations.includes(row.collation ?? '')
  const others = [
    ...(type === undefined ? [full] : []),
    ...(isExact ? [] : [`${full} collate ${row.collation}`]),
    ...(row.extra === '' || row.extra === 'DEFAULT_GENERATED' ? [] : [row.extra]),
  ]
  return {
    type: type ?? 'text',
    ...(type === 'varchar' ? { length: Number(row.length) } : {}),
    nullable: row.nullable === 'YES',
    primary,
    ...toDefault(type, row.fallback, parts.quotesDefaults),
    ...(others.length > 0 ? { other: others.join(' ') } : {}),
  }
}

/** From the table's definition: MariaDB hides the constraint views from a read-only account. */
async function findMysqlForeignKeys(db: Kysely<Database>, table: string): Promise<Record<string, ForeignKeySchema>> {
  const { rows } = await sql<Record<string, string>>`show create table ${sql.table(table)}`.execute(db)
  const definition = rows[0]?.['Create Table'] ?? ''
  const lines = definition.matchAll(
    /^ *CONSTRAINT `(.+)` FOREIGN KEY \(`(.+)`\) REFERENCES `(.+?)` \(.*?\)(?: ON DELETE (CASCADE|SET NULL|RESTRICT|NO ACTION|SET DEFAULT))?(.*?),?$/gm,
  )
  return Object.fromEntries(
    [...lines].map(([, name = '', column = '', references = '', action = 'RESTRICT', rest = '']) => [
      name,
      toForeignKey(column, references, action, rest),
    ]),
  )
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
