/** Steps as statements of a database. Pure. */
import type { Dialect } from '../adapters/database/dialect.ts'
import type { ColumnSchema, ForeignKeySchema, IndexSchema, TableSchema } from './schema.ts'

/** Plain characters only, as `declareSchema` makes sure; so quoting needs no escapes. */
export function literal(value: string | number | boolean): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return String(Number(value))
}

export function columnDefinition(dialect: Dialect, name: string, column: ColumnSchema): string {
  const words = [dialect.quote(name), dialect.columnType(column), column.nullable ? 'null' : 'not null']
  if (column.default !== undefined) words.push(`default ${literal(column.default)}`)
  return words.join(' ')
}

export const columnList = (dialect: Dialect, columns: readonly string[]): string =>
  `(${columns.map((column) => dialect.quote(column)).join(', ')})`

/** @param key the primary key of the table that is referred to */
export function foreignKeyDefinition(dialect: Dialect, name: string, foreignKey: ForeignKeySchema, key: string): string {
  const { column, references, onDelete } = foreignKey
  return `constraint ${dialect.quote(name)} foreign key ${columnList(dialect, [column])} references ${dialect.quote(references)} ${columnList(dialect, [key])} on delete ${onDelete}`
}

export const primaryColumns = (table: TableSchema): string[] =>
  Object.entries(table.columns).flatMap(([name, { primary }]) => (primary ? [name] : []))

export const indexDefinition = (dialect: Dialect, name: string, { columns, unique }: IndexSchema): string =>
  `${unique ? 'unique ' : ''}index ${dialect.quote(name)} ${columnList(dialect, columns)}`
