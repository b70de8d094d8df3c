/** A schema as data: what is declared, what a snapshot holds, and what is found in a database, in one shape. */
import { createHash } from 'node:crypto'
import type { StoredColumn } from '../adapters/database/dialect.ts'
import type { OnDelete } from '../core/table.ts'

export interface ColumnSchema extends StoredColumn {
  readonly nullable: boolean
  readonly primary: boolean
  readonly default?: string | number | boolean
  /** Found in a database and not to be declared: a foreign type, another collation. */
  readonly other?: string
}
export interface IndexSchema {
  readonly columns: readonly string[]
  readonly unique: boolean
  readonly other?: string
}
/** To the primary key of another table. */
export interface ForeignKeySchema {
  readonly column: string
  readonly references: string
  readonly onDelete: OnDelete
  readonly other?: string
}
export interface TableSchema {
  readonly columns: Readonly<Record<string, ColumnSchema>>
  readonly indexes: Readonly<Record<string, IndexSchema>>
  readonly foreignKeys: Readonly<Record<string, ForeignKeySchema>>
  readonly other?: string
}
export interface Schema {
  readonly tables: Readonly<Record<string, TableSchema>>
}

export const emptySchema: Schema = { tables: {} }

/** Both databases take 64 characters; tables that begin so are the migrator's own. */
export const longestName = 64
export const ownPrefix = 'latchkey_'

/** Long names end in a digest, so that they stay different and stay the same. */
function shorten(name: string): string {
  if (name.length <= longestName) return name
  return `${name.slice(0, longestName - 9)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
}
export const indexName = (table: string, { columns, unique }: IndexSchema): string =>
  shorten(`${table}_${columns.join('_')}_${unique ? 'key' : 'idx'}`)
/** Unique in the whole database, as MySQL demands. */
export const foreignKeyName = (table: string, column: string): string => shorten(`${table}_${column}_fk`)

/** Whether two parts of schemas say the same, in whatever order. */
export const isSame = (one: unknown, other: unknown): boolean => stableJSON(one) === stableJSON(other)

/** JSON with sorted keys: the same schema is always the same text. */
export function stableJSON(value: unknown, indent?: number): string {
  const sorted = (_: string, part: unknown): unknown =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part
  return JSON.stringify(value, sorted, indent)
}

/** As a reader would say it: `varchar(36) not null default 'member'`. */
export function describeColumn(column: ColumnSchema): string {
  const type = column.type === 'varchar' ? `varchar(${column.length})` : column.type
  const words = [column.other ?? type, column.nullable ? 'null' : 'not null']
  if (column.primary) words.push('primary key')
  if (column.default !== undefined) words.push(`default ${JSON.stringify(column.default)}`)
  return words.join(' ')
}
