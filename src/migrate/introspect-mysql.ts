/** Reads the schema of a MySQL or MariaDB database, from `information_schema` and from the definitions of its tables. */
import { type Kysely, sql } from 'kysely'
import { collations } from '../adapters/database/mysql.ts'
import type { DatabaseErrors } from '../core/app.ts'
import type { Database } from '../features/index.ts'
import { type IndexColumn, toDefault, toForeignKey, toIndexes } from './live-parts.ts'
import { type ColumnSchema, type ForeignKeySchema, type IndexSchema, ownPrefix, type Schema, type TableSchema } from './schema.ts'

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
interface MysqlTable {
  readonly name: string
  readonly engine: string | null
  readonly collation: string | null
}
interface MysqlParts {
  readonly triggers: readonly { readonly name: string; readonly table: string }[]
  readonly columns: readonly MysqlColumn[]
  readonly indexes: readonly (IndexColumn & { readonly table: string })[]
  /** As `table.column`: MariaDB stores JSON as text with a check constraint. */
  readonly checkedAsJSON: ReadonlySet<string>
  readonly quotesDefaults: boolean
}

const [table, column] = [sql.ref('table'), sql.ref('column')]
const inThisDatabase = sql.raw('table_schema = database()')

/** @returns the tables under the names that the server uses, which may be in lower case */
export async function introspectMysql(db: Kysely<Database>, errors: Pick<DatabaseErrors, 'isMissingTable'>): Promise<Schema> {
  const { rows } = await sql<MysqlTable>`select table_name as name, engine as engine, table_collation as collation
    from information_schema.tables where ${inThisDatabase} and table_type = 'BASE TABLE' order by table_name`.execute(db)
  const parts = await findMysqlParts(db)
  const tables: Record<string, TableSchema> = {}
  for (const row of rows.filter(({ name }) => !name.startsWith(ownPrefix))) {
    const definition = await readDefinition(db, errors, row.name)
    if (definition !== null) tables[row.name] = mysqlTable(row, definition, parts)
  }
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
  // None without the privilege TRIGGER.
  const triggers = await sql<MysqlParts['triggers'][number]>`
    select trigger_name as name, event_object_table as ${table} from information_schema.triggers
    where trigger_schema = database() order by trigger_name`.execute(db)
  const checkedAsJSON = isMariaDB ? await findJSONChecks(db) : new Set<string>()
  return { columns: columns.rows, indexes: indexes.rows, triggers: triggers.rows, checkedAsJSON, quotesDefaults: isMariaDB }
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

function mysqlTable({ name, engine, collation }: MysqlTable, definition: string, parts: MysqlParts): TableSchema {
  const columns = parts.columns.filter(({ table }) => table === name)
  const indexes = parts.indexes.filter(({ table }) => table === name)
  const primary = new Set(indexes.filter(({ name }) => name === 'PRIMARY').map(({ column }) => column))
  const others = [
    ...(engine?.toLowerCase() === 'innodb' ? [] : [`engine ${engine ?? 'unknown'}`]),
    ...(collations.includes(collation ?? '') ? [] : [`default collation ${collation ?? 'unknown'}`]),
    ...findChecks(definition).map((check) => `check constraint ${check}`),
    ...parts.triggers.filter(({ table }) => table === name).map((trigger) => `trigger ${trigger.name}`),
  ]
  return {
    columns: Object.fromEntries(columns.map((row) => [row.name, mysqlColumn(row, primary.has(row.name), parts)])),
    indexes: withInvisible(toIndexes(indexes.filter(({ name }) => name !== 'PRIMARY')), definition),
    foreignKeys: findForeignKeys(definition),
    ...(others.length > 0 ? { other: others.join(', the ') } : {}),
  }
}

/** The optimizer does not use such an index. */
function withInvisible(indexes: Readonly<Record<string, IndexSchema>>, definition: string): Record<string, IndexSchema> {
  const invisible = new Set(
    [...definition.matchAll(/^ *(?:UNIQUE )?KEY `(.+?)` .*\b(?:INVISIBLE|IGNORED)\b/gm)].map(([, name = '']) => name),
  )
  const entries = Object.entries(indexes).map(([name, index]): [string, IndexSchema] => {
    if (!invisible.has(name)) return [name, index]
    return [name, { ...index, other: [index.other, 'invisible'].filter(Boolean).join(', ') }]
  })
  return Object.fromEntries(entries)
}

/** Names of constraints, and on MariaDB of columns with one. A JSON column of MariaDB has a constraint of its own. */
function findChecks(definition: string): string[] {
  const named = [...definition.matchAll(/^ *CONSTRAINT `(.+?)` CHECK /gm)].map(([, name = '']) => name)
  const ofColumns = [...definition.matchAll(/^ *`(.+?)` .* CHECK \((?!json_valid\(`\1`\)\))/gm)].map(([, name = '']) => name)
  return [...named, ...ofColumns]
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

/**
 * MariaDB hides the constraint views from a read-only account, but not the definition.
 * @returns null for a table that was dropped since it was listed, as by a migration of another process
 */
async function readDefinition(
  db: Kysely<Database>,
  { isMissingTable }: Pick<DatabaseErrors, 'isMissingTable'>,
  table: string,
): Promise<string | null> {
  try {
    const { rows } = await sql<Record<string, string>>`show create table ${sql.table(table)}`.execute(db)
    return rows[0]?.['Create Table'] ?? ''
  } catch (error) {
    if (isMissingTable(error)) return null
    throw error
  }
}

function findForeignKeys(definition: string): Record<string, ForeignKeySchema> {
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
