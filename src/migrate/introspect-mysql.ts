/** The schema of a MySQL or MariaDB database as it is, from `information_schema`. */
import { type Kysely, sql } from 'kysely'
import { collations } from '../adapters/database/mysql.ts'
import type { OnDelete } from '../core/table.ts'
import type { Database } from '../features/index.ts'
import { type ColumnSchema, type ForeignKeySchema, type IndexSchema, ownPrefix, type Schema, type TableSchema } from './schema.ts'

interface ColumnRow {
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
interface IndexRow {
  readonly table: string
  readonly name: string
  readonly different: number
  readonly column: string | null
  readonly prefix: number | null
}
interface Found {
  readonly columns: readonly ColumnRow[]
  readonly indexes: readonly IndexRow[]
  /** `table.column` of the columns that MariaDB checks to be JSON, which it keeps as text. */
  readonly checkedAsJSON: ReadonlySet<string>
  readonly quotesDefaults: boolean
}

const schema = sql.raw('database()')

export async function introspectMysql(db: Kysely<Database>): Promise<Schema> {
  const { rows: tables } = await sql<{ name: string; engine: string | null }>`select table_name as name, engine as engine
    from information_schema.tables where table_schema = ${schema} and table_type = 'BASE TABLE' order by table_name`.execute(db)
  const found = await findParts(db)
  const own = tables.filter(({ name }) => !name.startsWith(ownPrefix))
  const schemas: Record<string, TableSchema> = {}
  for (const { name, engine } of own)
    schemas[name] = { ...toTable(name, engine, found), foreignKeys: await findForeignKeys(db, name) }
  return { tables: schemas }
}

async function findParts(db: Kysely<Database>): Promise<Found> {
  const isMariaDB = await hasCheckedTables(db)
  const columns =
    await sql<ColumnRow>`select table_name as ${sql.ref('table')}, column_name as name, data_type as type, column_type as ${sql.ref('full')},
      character_maximum_length as length, collation_name as collation, is_nullable as nullable, column_default as fallback, extra as extra
    from information_schema.columns where table_schema = ${schema} order by table_name, ordinal_position`.execute(db)
  const indexes = await sql<IndexRow>`select table_name as ${sql.ref('table')}, index_name as name, non_unique as different,
      column_name as ${sql.ref('column')}, sub_part as prefix
    from information_schema.statistics where table_schema = ${schema} order by table_name, index_name, seq_in_index`.execute(db)
  const checkedAsJSON = isMariaDB ? await findJSONChecks(db) : new Set<string>()
  return { columns: columns.rows, indexes: indexes.rows, checkedAsJSON, quotesDefaults: isMariaDB }
}

async function hasCheckedTables(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  return /mariadb/i.test(rows[0]?.version ?? '')
}

async function findJSONChecks(db: Kysely<Database>): Promise<Set<string>> {
  const { rows } = await sql<{ table: string; clause: string }>`select table_name as ${sql.ref('table')}, check_clause as clause
    from information_schema.check_constraints where constraint_schema = ${schema}`.execute(db)
  return new Set(
    rows.flatMap(({ table, clause }) => {
      const column = /^json_valid\(`(.*)`\)$/i.exec(clause)?.[1]
      return column === undefined ? [] : [`${table}.${column}`]
    }),
  )
}

function toTable(name: string, engine: string | null, found: Found): Omit<TableSchema, 'foreignKeys'> {
  const columns = found.columns.filter(({ table }) => table === name)
  const indexes = found.indexes.filter(({ table }) => table === name)
  const primary = new Set(indexes.filter(({ name }) => name === 'PRIMARY').map(({ column }) => column))
  return {
    columns: Object.fromEntries(columns.map((row) => [row.name, toColumn(row, primary.has(row.name), found)])),
    indexes: toIndexes(indexes.filter(({ name }) => name !== 'PRIMARY')),
    ...(engine?.toLowerCase() === 'innodb' ? {} : { other: `engine ${engine ?? 'unknown'}` }),
  }
}

const types: Readonly<Record<string, ColumnSchema['type']>> = {
  text: 'text',
  'tinyint(1)': 'boolean',
  int: 'integer',
  bigint: 'bigint',
  'datetime(3)': 'timestamp',
  json: 'json',
}

function toColumn(row: ColumnRow, primary: boolean, found: Found): ColumnSchema {
  const isJSON = found.checkedAsJSON.has(`${row.table}.${row.name}`)
  // MariaDB adds a width to whole numbers, which means nothing but in tinyint(1).
  const full = row.full.replace(/^(int|bigint)\(\d+\)/, '$1')
  const type = row.type === 'varchar' ? 'varchar' : isJSON ? 'json' : types[full]
  const isText = type === 'varchar' || type === 'text'
  const isExact = !isText || collations.includes(row.collation ?? '')
  const others = [
    ...(type === undefined ? [full] : []),
    ...(isExact ? [] : [`${full} collate ${row.collation}`]),
    ...row.extra
      .split(' ')
      .filter((word) => word !== '' && word !== 'DEFAULT_GENERATED')
      .slice(0, 1)
      .map(() => row.extra),
  ]
  return {
    type: type ?? 'text',
    ...(type === 'varchar' ? { length: Number(row.length) } : {}),
    nullable: row.nullable === 'YES',
    primary,
    ...defaultOf(type, row.fallback, found.quotesDefaults),
    ...(others.length > 0 ? { other: others.join(' ') } : {}),
  }
}

function defaultOf(
  type: ColumnSchema['type'] | undefined,
  text: string | null,
  isQuoted: boolean,
): { default?: string | number | boolean } {
  if (text === null || (isQuoted && text === 'NULL')) return {}
  if (type === 'boolean') return { default: text !== '0' }
  if (type === 'integer' || type === 'bigint') return { default: Number(text) }
  return { default: isQuoted ? text.replace(/^'(.*)'$/s, '$1').replaceAll("''", "'") : text }
}

function toIndexes(rows: readonly IndexRow[]): Record<string, IndexSchema> {
  const indexes: Record<string, IndexSchema> = {}
  for (const row of rows) {
    const known = indexes[row.name]
    const isPartial = row.prefix !== null || known?.other !== undefined
    const columns = [...(known?.columns ?? []), row.column ?? 'an expression']
    indexes[row.name] = {
      columns,
      unique: Number(row.different) === 0,
      ...(isPartial ? { other: 'over parts of its columns' } : {}),
    }
  }
  return indexes
}

const actions: Readonly<Record<string, OnDelete>> = {
  CASCADE: 'cascade',
  'SET NULL': 'set null',
  RESTRICT: 'restrict',
  'NO ACTION': 'restrict',
}

/** From the table's definition: MariaDB hides the views of constraints from an account that may only read. */
async function findForeignKeys(db: Kysely<Database>, table: string): Promise<Record<string, ForeignKeySchema>> {
  const { rows } = await sql<Record<string, string>>`show create table ${sql.table(table)}`.execute(db)
  const definition = rows[0]?.['Create Table'] ?? ''
  const lines = definition.matchAll(
    /^ *CONSTRAINT `(.+)` FOREIGN KEY \(`(.+)`\) REFERENCES `(.+?)` \(.*?\)(?: ON DELETE (CASCADE|SET NULL|RESTRICT|NO ACTION|SET DEFAULT))?(.*?),?$/gm,
  )
  return Object.fromEntries(
    [...lines].map(([, name = '', column = '', references = '', action = 'RESTRICT', rest = '']) => {
      const onDelete = actions[action]
      const other = onDelete ? rest.trim() : `${action} ${rest}`.trim()
      return [
        name,
        { column, references, onDelete: onDelete ?? 'restrict', ...(other === '' ? {} : { other: other.toLowerCase() }) },
      ]
    }),
  )
}
