/** Statements for SQLite, which can create, drop and rename tables: a table that changes is built anew and its rows copied. Pure. */
import { sqliteDialect as dialect } from '../adapters/database/sqlite.ts'
import type { Step } from './changes.ts'
import type { ColumnSchema, IndexSchema, Schema, TableSchema } from './schema.ts'
import { columnDefinition, columnList, foreignKeyDefinition, literal, primaryColumns } from './sql.ts'

const { quote } = dialect
const rebuilt = (table: string): string => `latchkey_new_${table}`

/**
 * @param steps from `from` to `to`
 * @returns statements to be run in one transaction, with foreign keys switched off: or the rows that refer to a table which is
 * built anew would be deleted with the old one
 */
export function toSqlite(steps: readonly Step[], from: Schema, to: Schema): string[] {
  const created = tablesOf(steps, ['create-table'])
  const dropped = tablesOf(steps, ['drop-table'])
  const changed = tablesOf(steps, ['add-column', 'drop-column', 'change-column', 'add-foreign-key', 'drop-foreign-key'])
  const rebuilding = changed.filter((table) => from.tables[table] && to.tables[table])
  const indexed = steps.filter((step) => !rebuilding.includes(step.table))
  return [
    ...indexed.flatMap((step) => (step.kind === 'drop-index' ? [`drop index ${quote(step.name)}`] : [])),
    ...dropped.map((table) => `drop table ${quote(table)}`),
    ...created.flatMap((table) => [createTable(table, table, to), ...createIndexes(table, to)]),
    ...rebuilding.flatMap((table) => rebuildTable(table, from, to)),
    ...indexed.flatMap((step) => (step.kind === 'add-index' ? [createIndex(step.table, step.name, step.index)] : [])),
  ]
}

const tablesOf = (steps: readonly Step[], kinds: readonly Step['kind'][]): string[] => [
  ...new Set(steps.filter(({ kind }) => kinds.includes(kind)).map(({ table }) => table)),
]

const noTable: TableSchema = { columns: {}, indexes: {}, foreignKeys: {} }
const tableOf = (schema: Schema, table: string): TableSchema => schema.tables[table] ?? noTable

function createTable(name: string, table: string, to: Schema): string {
  const schema = tableOf(to, table)
  const lines = [
    ...Object.entries(schema.columns).map(([column, declared]) => columnDefinition(dialect, column, declared)),
    `primary key ${columnList(dialect, primaryColumns(schema))}`,
    ...Object.entries(schema.foreignKeys).map(([constraint, foreignKey]) =>
      foreignKeyDefinition(dialect, constraint, foreignKey, primaryColumns(tableOf(to, foreignKey.references))[0] ?? 'id'),
    ),
  ]
  return `create table ${quote(name)} (\n  ${lines.join(',\n  ')}\n)`
}

const createIndexes = (table: string, to: Schema): string[] =>
  Object.entries(tableOf(to, table).indexes).map(([name, index]) => createIndex(table, name, index))

const createIndex = (table: string, name: string, { columns, unique }: IndexSchema): string =>
  `create ${unique ? 'unique ' : ''}index ${quote(name)} on ${quote(table)} ${columnList(dialect, columns)}`

/** https://sqlite.org/lang_altertable.html#otheralter; the indexes go with the old table. */
function rebuildTable(table: string, from: Schema, to: Schema): string[] {
  const before = tableOf(from, table)
  const copied = Object.entries(tableOf(to, table).columns).filter(([name]) => before.columns[name])
  const names = columnList(
    dialect,
    copied.map(([name]) => name),
  )
  const values = copied.map(([name, column]) => copiedValue(name, column)).join(', ')
  return [
    createTable(rebuilt(table), table, to),
    ...(copied.length > 0 ? [`insert into ${quote(rebuilt(table))} ${names} select ${values} from ${quote(table)}`] : []),
    `drop table ${quote(table)}`,
    `alter table ${quote(rebuilt(table))} rename to ${quote(table)}`,
    ...createIndexes(table, to),
  ]
}

/** A column that must no longer be null gets its default where it is; without one the constraint refuses the change. */
function copiedValue(name: string, { nullable, default: value }: ColumnSchema): string {
  return nullable || value === undefined ? quote(name) : `coalesce(${quote(name)}, ${literal(value)})`
}
