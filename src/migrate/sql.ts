/**
 * SQL statements for the steps of a migration: online changes for MySQL and MariaDB, rebuilt tables for SQLite.
 * Every change of a MySQL table names its algorithm and lock, so that the server rejects a change that it could only make by
 * copying the table.
 */
import type { Dialect } from '../adapters/database/dialect.ts'
import { mysqlDialect } from '../adapters/database/mysql.ts'
import { sqliteDialect } from '../adapters/database/sqlite.ts'
import { type Change, type ColumnChange, changesDefaultOnly, isOnline, type Step, toChanges } from './changes.ts'
import {
  type ColumnSchema,
  constrainedColumns,
  emptyTable,
  type ForeignKeySchema,
  type IndexSchema,
  primaryColumns,
  type Schema,
  type TableSchema,
} from './schema.ts'

/** One statement of a file, with the change that it makes; null for a change of rows. */
export interface Statement {
  readonly change: Change | null
  readonly sql: string
}

/** `declareSchema` allows plain characters only, so quoting needs no escapes. */
function literal(value: string | number | boolean): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return String(Number(value))
}

function columnDefinition(dialect: Dialect, name: string, column: ColumnSchema): string {
  const words = [dialect.quote(name), dialect.columnType(column), column.nullable ? 'null' : 'not null']
  if (column.default !== undefined) words.push(`default ${literal(column.default)}`)
  return words.join(' ')
}

const columnList = ({ quote }: Dialect, columns: readonly string[]): string => `(${columns.map(quote).join(', ')})`

const indexDefinition = (dialect: Dialect, name: string, { columns, unique }: IndexSchema): string =>
  `${unique ? 'unique ' : ''}index ${dialect.quote(name)} ${columnList(dialect, columns)}`

/** @param schema has the referenced table */
function foreignKeyDefinition(dialect: Dialect, name: string, foreignKey: ForeignKeySchema, schema: Schema): string {
  const { column, references, onDelete } = foreignKey
  const key = primaryColumns(tableOf(schema, references))[0] ?? 'id'
  const target = `${dialect.quote(references)} ${columnList(dialect, [key])}`
  return `constraint ${dialect.quote(name)} foreign key ${columnList(dialect, [column])} references ${target} on delete ${onDelete}`
}

const tableOf = (schema: Schema, table: string): TableSchema => schema.tables[table] ?? emptyTable

/** @param indexes definitions inside the table, where the database takes them there */
function createTable(dialect: Dialect, name: string, table: TableSchema, to: Schema, indexes: readonly string[] = []): string {
  const lines = [
    ...Object.entries(table.columns).map(([column, declared]) => columnDefinition(dialect, column, declared)),
    `primary key ${columnList(dialect, primaryColumns(table))}`,
    ...indexes,
    ...Object.entries(table.foreignKeys).map(([key, foreignKey]) => foreignKeyDefinition(dialect, key, foreignKey, to)),
  ]
  return `create table ${dialect.quote(name)} (\n  ${lines.join(',\n  ')}\n) ${dialect.tableOptions}`.trimEnd()
}

const instant = 'algorithm=instant'
const online = 'algorithm=inplace, lock=none'
const copying = 'algorithm=copy, lock=shared'

/** @param to the schema that the steps lead to */
export function toMysql(steps: readonly Step[], to: Schema): Statement[] {
  const plan = steps.flatMap(withTemporaryDefault)
  const changes = toChanges(plan)
  return plan.map((step, index) => ({ change: changes[index] ?? null, sql: mysqlStatement(step, to) }))
}

function mysqlStatement(step: Step, to: Schema): string {
  const { quote } = mysqlDialect
  const alter = `alter table ${quote(step.table)}`
  switch (step.kind) {
    case 'create-table': {
      const indexes = Object.entries(step.schema.indexes).map(([name, index]) => indexDefinition(mysqlDialect, name, index))
      return createTable(mysqlDialect, step.table, step.schema, to, indexes)
    }
    case 'drop-table':
      return `drop table ${quote(step.table)}`
    case 'add-column':
      return `${alter} add column ${addColumn(step.name, step.column)}, ${instant}`
    case 'drop-column':
      // Where the server cannot do it instantly, `execute` does it in place.
      return `${alter} drop column ${quote(step.name)}, ${instant}`
    case 'change-column':
      return `${alter} ${changeColumn(step)}`
    case 'add-index':
      return `${alter} add ${indexDefinition(mysqlDialect, step.name, step.index)}, ${online}`
    case 'drop-index':
      return `${alter} drop index ${quote(step.name)}, ${online}`
    case 'add-foreign-key':
      // In place only without checks of foreign keys, which `apply` replaces: see `foreign-keys.ts`.
      return `${alter} add ${foreignKeyDefinition(mysqlDialect, step.name, step.foreignKey, to)}, ${online}`
    case 'drop-foreign-key':
      return `${alter} drop foreign key ${quote(step.name)}, ${online}`
  }
}

function changeColumn(step: ColumnChange): string {
  const { name, to } = step
  const column = mysqlDialect.quote(name)
  if (!changesDefaultOnly(step))
    return `modify column ${columnDefinition(mysqlDialect, name, to)}, ${isOnline(step) ? online : copying}`
  if (to.default !== undefined) return `alter column ${column} set default ${literal(to.default)}, ${instant}`
  // Without any default every insert would have to name a nullable column.
  return `alter column ${column} ${to.nullable ? 'set default null' : 'drop default'}, ${instant}`
}

/** MySQL allows no plain default for JSON, and needs none to fill the column. */
function addColumn(name: string, { default: value, ...column }: ColumnSchema): string {
  if (column.type !== 'json' || value === undefined)
    return columnDefinition(mysqlDialect, name, { ...column, ...(value === undefined ? {} : { default: value }) })
  return `${columnDefinition(mysqlDialect, name, column)} /*M! default ${literal(value)} */`
}

/** Values for existing rows in a new column without a default, for types where the server has no valid value of its own. */
const temporaryDefaults: Readonly<Partial<Record<ColumnSchema['type'], string>>> = {
  timestamp: '1970-01-01 00:00:00.000',
  json: '{}',
}

/** Adds such a column with a default and then drops the default. Only the rollback of a dropped column needs it. */
function withTemporaryDefault(step: Step): Step[] {
  if (step.kind !== 'add-column') return [step]
  const { table, name, column } = step
  const value = temporaryDefaults[column.type]
  if (column.nullable || value === undefined) return [step]
  const filled = { ...column, default: value }
  return [
    { ...step, column: filled },
    { kind: 'change-column', table, name, from: filled, to: column },
  ]
}

/** Values for rows without one in a column that a rollback makes required again. */
const emptyValues: Readonly<Record<ColumnSchema['type'], string | number>> = {
  ...{ varchar: '', text: '', boolean: 0, integer: 0, bigint: 0 },
  ...{ timestamp: '1970-01-01 00:00:00.000', json: '{}' },
}

/**
 * Statements that a rollback needs before it makes columns required. A unique column gets none: equal values would be rejected.
 * @param to the schema that the steps lead to
 */
export function fillNulls(steps: readonly Step[], to: Schema): Statement[] {
  const { quote } = mysqlDialect
  return steps.flatMap((step): Statement[] => {
    if (step.kind !== 'change-column' || step.to.nullable || !step.from.nullable) return []
    if (constrainedColumns(tableOf(to, step.table)).has(step.name)) return []
    const column = quote(step.name)
    const value = literal(step.to.default ?? emptyValues[step.to.type])
    // In slices, see `slices.ts`.
    return [{ change: null, sql: `update ${quote(step.table)} set ${column} = ${value} where ${column} is null limit 1000` }]
  })
}

/**
 * SQLite can create, drop and rename tables only: a changed table is rebuilt and its rows are copied.
 * @param steps from `from` to `to`
 * @returns statements for one transaction with foreign keys switched off: otherwise dropping the old table would delete the
 * rows that refer to it
 */
export function toSqlite(steps: readonly Step[], from: Schema, to: Schema): string[] {
  const { quote } = sqliteDialect
  const created = tablesOf(steps, ['create-table'])
  const dropped = tablesOf(steps, ['drop-table'])
  const changed = tablesOf(steps, ['add-column', 'drop-column', 'change-column', 'add-foreign-key', 'drop-foreign-key'])
  const rebuilt = changed.filter((table) => from.tables[table] && to.tables[table])
  const indexed = steps.filter((step) => !rebuilt.includes(step.table))
  return [
    ...indexed.flatMap((step) => (step.kind === 'drop-index' ? [`drop index ${quote(step.name)}`] : [])),
    ...dropped.map((table) => `drop table ${quote(table)}`),
    ...created.flatMap((table) => [createTable(sqliteDialect, table, tableOf(to, table), to), ...createIndexes(table, to)]),
    ...rebuilt.flatMap((table) => rebuildTable(table, from, to)),
    ...indexed.flatMap((step) => (step.kind === 'add-index' ? [createIndex(step.table, step.name, step.index)] : [])),
  ]
}

const tablesOf = (steps: readonly Step[], kinds: readonly Step['kind'][]): string[] => [
  ...new Set(steps.filter(({ kind }) => kinds.includes(kind)).map(({ table }) => table)),
]

const createIndexes = (table: string, to: Schema): string[] =>
  Object.entries(tableOf(to, table).indexes).map(([name, index]) => createIndex(table, name, index))

const createIndex = (table: string, name: string, { columns, unique }: IndexSchema): string =>
  `create ${unique ? 'unique ' : ''}index ${sqliteDialect.quote(name)} on ${sqliteDialect.quote(table)} ${columnList(sqliteDialect, columns)}`

/** https://sqlite.org/lang_altertable.html#otheralter; dropping the old table drops its indexes. */
function rebuildTable(table: string, from: Schema, to: Schema): string[] {
  const { quote } = sqliteDialect
  const rebuilt = `latchkey_new_${table}`
  const copied = Object.entries(tableOf(to, table).columns).filter(([name]) => tableOf(from, table).columns[name])
  const names = copied.map(([name]) => quote(name)).join(', ')
  const values = copied.map(([name, column]) => copiedValue(name, column)).join(', ')
  return [
    createTable(sqliteDialect, rebuilt, tableOf(to, table), to),
    ...(copied.length > 0 ? [`insert into ${quote(rebuilt)} (${names}) select ${values} from ${quote(table)}`] : []),
    `drop table ${quote(table)}`,
    `alter table ${quote(rebuilt)} rename to ${quote(table)}`,
    ...createIndexes(table, to),
  ]
}

/** In a column that is no longer nullable the default replaces nulls; without a default the constraint rejects the change. */
function copiedValue(name: string, { nullable, default: value }: ColumnSchema): string {
  const column = sqliteDialect.quote(name)
  return nullable || value === undefined ? column : `coalesce(${column}, ${literal(value)})`
}
