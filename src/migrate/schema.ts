/** A database schema as data: declared by features, stored in a snapshot or read from a database, in one shape. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isRecord } from '../lib/objects.ts'

const declaredColumn = z.strictObject({
  type: z.enum(['varchar', 'text', 'boolean', 'integer', 'bigint', 'timestamp', 'json']),
  /** Characters of a `varchar`. */
  length: z.int().positive().exactOptional(),
  nullable: z.boolean(),
  primary: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
})
const declaredIndex = z.strictObject({ columns: z.array(z.string()).min(1).readonly(), unique: z.boolean() })
/** To the primary key of another table. */
const declaredForeignKey = z.strictObject({
  column: z.string(),
  references: z.string(),
  onDelete: z.enum(['cascade', 'set null', 'restrict']),
})
/** Tables without anything that cannot be declared. */
export const declaredTables = z.record(
  z.string(),
  z.strictObject({
    columns: z.record(z.string(), declaredColumn),
    indexes: z.record(z.string(), declaredIndex),
    foreignKeys: z.record(z.string(), declaredForeignKey),
  }),
)

/** What was found in a database and is impossible to declare: an unknown type, another collation. */
type Other = { readonly other?: string }
export type ColumnSchema = Readonly<z.output<typeof declaredColumn>> & Other
export type IndexSchema = Readonly<z.output<typeof declaredIndex>> & Other
export type ForeignKeySchema = Readonly<z.output<typeof declaredForeignKey>> & Other
export interface TableSchema extends Other {
  readonly columns: Readonly<Record<string, ColumnSchema>>
  readonly indexes: Readonly<Record<string, IndexSchema>>
  readonly foreignKeys: Readonly<Record<string, ForeignKeySchema>>
}
export interface Schema {
  readonly tables: Readonly<Record<string, TableSchema>>
}

export const emptySchema: Schema = { tables: {} }
export const emptyTable: TableSchema = { columns: {}, indexes: {}, foreignKeys: {} }

/** Both databases allow 64 characters. */
export const longestName = 64
/** Of the migrator's own tables. */
export const ownPrefix = 'latchkey_'

/** Long names end in a digest, so that they stay unique and reproducible. */
function shorten(name: string): string {
  if (name.length <= longestName) return name
  return `${name.slice(0, longestName - 9)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
}
export const indexName = (table: string, { columns, unique }: IndexSchema): string =>
  shorten(`${table}_${columns.join('_')}_${unique ? 'key' : 'idx'}`)
/** Unique in the whole database, as MySQL requires. */
export const foreignKeyName = (table: string, column: string): string => shorten(`${table}_${column}_fk`)

export const primaryColumns = (table: TableSchema = emptyTable): string[] =>
  Object.entries(table.columns).flatMap(([name, { primary }]) => (primary ? [name] : []))

/** Columns in which a repeated or arbitrary value may be rejected. */
export function constrainedColumns({ indexes, foreignKeys }: TableSchema): Set<string> {
  const unique = Object.values(indexes).filter((index) => index.unique)
  return new Set([...unique.flatMap(({ columns }) => columns), ...Object.values(foreignKeys).map(({ column }) => column)])
}

/** Whether two parts of schemas are equal, whatever the order of their keys. */
export const isSame = (one: unknown, other: unknown): boolean => stableJSON(one) === stableJSON(other)

/** JSON with sorted keys: the same schema is always the same text. */
export function stableJSON(value: unknown, indent?: number): string {
  const sorted = (_: string, part: unknown): unknown =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1))) : part
  return JSON.stringify(value, sorted, indent)
}

/** For example `varchar(36) not null default "member"`. */
export function describeColumn(column: ColumnSchema): string {
  const type = column.type === 'varchar' ? `varchar(${column.length})` : column.type
  const words = [column.other ?? type, column.nullable ? 'null' : 'not null']
  if (column.primary) words.push('primary key')
  if (column.default !== undefined) words.push(`default ${JSON.stringify(column.default)}`)
  return words.join(' ')
}
