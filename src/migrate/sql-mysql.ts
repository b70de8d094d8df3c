/**
 * Statements for MySQL and MariaDB. Every change of a table says how it is done and what it lets through meanwhile, so that
 * the server refuses what it cannot do that way, instead of quietly copying the table.
 */
import { mysqlDialect as dialect } from '../adapters/database/mysql.ts'
import { type Change, type ColumnChange, changesDefaultOnly, isOnline, type Step, toChange } from './changes.ts'
import type { ColumnSchema, Schema, TableSchema } from './schema.ts'
import { columnDefinition, columnList, foreignKeyDefinition, indexDefinition, literal, primaryColumns } from './sql.ts'

/** One statement of a file, with the change that it makes. */
export interface Statement {
  readonly change: Change
  readonly sql: string
}

const { quote } = dialect
const instant = 'algorithm=instant'
const online = 'algorithm=inplace, lock=none'
const copying = 'algorithm=copy, lock=shared'

/** @param to the schema that the steps lead to */
export const toMysql = (steps: readonly Step[], to: Schema): Statement[] =>
  steps.flatMap(withFilling).map((step) => ({ change: toChange(step), sql: statementFor(step, to) }))

function statementFor(step: Step, to: Schema): string {
  const alter = `alter table ${quote(step.table)}`
  switch (step.kind) {
    case 'create-table':
      return createTable(step.table, step.schema, to)
    case 'drop-table':
      return `drop table ${quote(step.table)}`
    case 'add-column':
      return `${alter} add column ${addColumn(step.name, step.column)}, ${instant}`
    case 'drop-column':
      return `${alter} drop column ${quote(step.name)}, ${online}`
    case 'change-column':
      return `${alter} ${changeColumn(step)}`
    case 'add-index':
      return `${alter} add ${indexDefinition(dialect, step.name, step.index)}, ${online}`
    case 'drop-index':
      return `${alter} drop index ${quote(step.name)}, ${online}`
    case 'add-foreign-key':
      return `${alter} add ${foreignKeyDefinition(dialect, step.name, step.foreignKey, keyOf(to, step.foreignKey.references))}, ${copying}`
    case 'drop-foreign-key':
      return `${alter} drop foreign key ${quote(step.name)}, ${online}`
  }
}

const keyOf = (schema: Schema, table: string): string =>
  primaryColumns(schema.tables[table] ?? { columns: {}, indexes: {}, foreignKeys: {} })[0] ?? 'id'

function createTable(table: string, schema: TableSchema, to: Schema): string {
  const lines = [
    ...Object.entries(schema.columns).map(([name, column]) => columnDefinition(dialect, name, column)),
    `primary key ${columnList(dialect, primaryColumns(schema))}`,
    ...Object.entries(schema.indexes).map(([name, index]) => indexDefinition(dialect, name, index)),
    ...Object.entries(schema.foreignKeys).map(([name, foreignKey]) =>
      foreignKeyDefinition(
        dialect,
        name,
        foreignKey,
        keyOf({ tables: { ...to.tables, [table]: schema } }, foreignKey.references),
      ),
    ),
  ]
  return `create table ${quote(table)} (\n  ${lines.join(',\n  ')}\n) ${dialect.tableOptions}`
}

function changeColumn(step: ColumnChange): string {
  const { name, to } = step
  if (!changesDefaultOnly(step))
    return `modify column ${columnDefinition(dialect, name, to)}, ${isOnline(step) ? online : copying}`
  if (to.default !== undefined) return `alter column ${quote(name)} set default ${literal(to.default)}, ${instant}`
  // Without any default a nullable column would have to be named in every insert.
  return `alter column ${quote(name)} ${to.nullable ? 'set default null' : 'drop default'}, ${instant}`
}

/** What the rows that are there get in a column which has no default, where the server would find no valid value by itself. */
const fillings: Readonly<Partial<Record<ColumnSchema['type'], string>>> = {
  timestamp: '1970-01-01 00:00:00.000',
  json: '{}',
}

/** MySQL takes no plain default for JSON, and needs none to fill the column. */
function addColumn(name: string, { default: value, ...column }: ColumnSchema): string {
  if (column.type !== 'json' || value === undefined)
    return columnDefinition(dialect, name, { ...column, ...(value === undefined ? {} : { default: value }) })
  return `${columnDefinition(dialect, name, column)} /*M! default ${literal(value)} */`
}

/** Such a column is added with a default which is then taken away. It occurs only on the way back, when a column was dropped. */
function withFilling(step: Step): Step[] {
  if (step.kind !== 'add-column') return [step]
  const { table, name, column } = step
  const filling = fillings[column.type]
  if (column.nullable || filling === undefined) return [step]
  const filled = { ...column, default: filling }
  return [
    { ...step, column: filled },
    { kind: 'change-column', table, name, from: filled, to: column },
  ]
}
