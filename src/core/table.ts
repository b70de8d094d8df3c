/** Functions with which features declare tables. Database types, migrations and response schemas are derived from them. */
import type { ColumnType, JSONColumnType } from 'kysely'
import { type App, memo } from './app.ts'
import type { Feature } from './feature.ts'

type ColumnKind = 'id' | 'string' | 'text' | 'boolean' | 'integer' | 'bigint' | 'timestamp' | 'json'
type OnDelete = 'cascade' | 'set null' | 'restrict'

declare const types: unique symbol

/** A column as data. `Select` and `Insert` exist for the compiler only. */
export interface Column<Select = unknown, Insert = unknown> {
  readonly kind: ColumnKind
  /** Characters at most; for `id` and `string` only. */
  readonly length?: number
  readonly nullable: boolean
  readonly primary: boolean
  readonly unique: boolean
  readonly default?: string | number | boolean
  readonly references?: { readonly table: string; readonly onDelete: OnDelete }
  /** Never in a response. */
  readonly hidden: boolean
  /** A credential or a hash of one: hidden, and never passed to hooks of the configuration. */
  readonly secret: boolean
  /** For internal use: never in a response, in an export or in arguments of configured functions. */
  readonly internal: boolean
  /** Its name in responses, if it differs from the column's. */
  readonly outputName?: string
  /** Makes the value that responses contain instead of the stored one. */
  readonly output?: (value: unknown) => unknown
  readonly [types]?: { readonly select: Select; readonly insert: Insert }
}

export type Columns = Readonly<Record<string, Column>>
export type Tables = Readonly<Record<string, Columns>>

/** An index over one table; its name is derived from the table and the columns. */
export type Index = { readonly columns: readonly string[]; readonly unique: boolean }
export type Indexes = Readonly<Record<string, readonly Index[]>>

const plain = { nullable: false, primary: false, unique: false, hidden: false, secret: false, internal: false }

/** The primary key: 32 random letters and digits, generated before the insert. */
export const id = (): Column<string, string> => ({ ...plain, kind: 'id', length: 36, primary: true })

/** A short text that can be indexed. `length` in characters. */
export const string = (options: { length?: number } = {}): Column<string, string> => ({
  ...plain,
  kind: 'string',
  length: options.length ?? 255,
})

/** Bytes of UTF-8 that a long text may have, on every database. */
export const maxTextBytes = 65_535
const maxInteger = 2_147_483_647

/** Whether a column can store a value. MySQL rejects others, and SQLite would store them. */
export function fitsColumn({ kind, length }: Column, value: unknown): boolean {
  if (typeof value === 'number' && kind === 'integer') return Math.abs(value) <= maxInteger
  if (typeof value !== 'string') return true
  // A character has at most three bytes for each unit of `length`.
  if (kind === 'text') return value.length * 3 <= maxTextBytes || Buffer.byteLength(value) <= maxTextBytes
  return length === undefined || value.length <= length || [...value].length <= length
}

/** A long text, `maxTextBytes` at most, never indexed. */
export const text = (): Column<string, string> => ({ ...plain, kind: 'text' })

/** A column with a default may be left out of an insert. */
type Insertable<T, O> = O extends { readonly default: T } ? T | undefined : T
type DefaultTo<T> = { readonly default?: T }

export const boolean = <O extends DefaultTo<boolean>>(options?: O): Column<boolean, Insertable<boolean, O>> => ({
  ...plain,
  kind: 'boolean',
  ...options,
})

/** A whole number of 32 bits. */
export const integer = <O extends DefaultTo<number>>(options?: O): Column<number, Insertable<number, O>> => ({
  ...plain,
  kind: 'integer',
  ...options,
})

/** A whole number up to 2^53 - 1: counts and milliseconds. */
export const bigint = <O extends DefaultTo<number>>(options?: O): Column<number, Insertable<number, O>> => ({
  ...plain,
  kind: 'bigint',
  ...options,
})

/** A moment in UTC, to the millisecond. */
export const timestamp = (): Column<Date, Date> => ({ ...plain, kind: 'timestamp' })

/** A JSON value; parsed when read, written as text made by `JSON.stringify`. */
export const json = <T>(): Column<JSONColumnType<T & object>, never> => ({ ...plain, kind: 'json' })

/** The id of a row of another table, with a real foreign key. */
export const references = (table: string, onDelete: OnDelete = 'cascade'): Column<string, string> => ({
  ...plain,
  kind: 'id',
  length: 36,
  references: { table, onDelete },
})

export const nullable = <S, I>(column: Column<S, I>): Column<S | null, I | null | undefined> => ({ ...column, nullable: true })
/** A part of the primary key of a table that has several, in the order in which they are declared. No other table can refer to it. */
export const primary = <C extends Column>(column: C): C => ({ ...column, primary: true })
export const unique = <C extends Column>(column: C): C => ({ ...column, unique: true })
export const hidden = <C extends Column>(column: C): C & { readonly hidden: true } => ({ ...column, hidden: true })
export const secret = <C extends Column>(column: C): C & { readonly hidden: true } => ({ ...column, hidden: true, secret: true })
export const internal = <C extends Column>(column: C): C & { readonly hidden: true } => ({
  ...column,
  hidden: true,
  internal: true,
})

/** An index for queries by these columns, from the left. */
export const index = (...columns: string[]): Index => ({ columns, unique: false })
/** A unique key over these columns. */
export const uniqueIndex = (...columns: string[]): Index => ({ columns, unique: true })

type Cell<C> = C extends Column<infer S, infer I> ? (S extends JSONColumnType<object> ? S : ColumnType<S, I, S>) : never

/** The tables as Kysely's types. */
export type Rows<T> = { [K in keyof T]: { [C in keyof T[K]]: Cell<T[K][C]> } }

/**
 * Merges the tables of several features. Later features add columns to the tables of earlier ones.
 * @throws Error naming a column that is declared twice
 */
export function mergeTables(features: readonly Pick<Feature, 'tables'>[]): Tables {
  const merged: Record<string, Record<string, Column>> = {}
  for (const { tables } of features) {
    for (const [table, columns] of Object.entries(tables ?? {})) {
      const known = (Object.hasOwn(merged, table) && merged[table]) || {}
      merged[table] = known
      for (const [name, column] of Object.entries(columns)) {
        if (Object.hasOwn(known, name)) throw new Error(`The column ${table}.${name} is declared twice`)
        known[name] = column
      }
    }
  }
  return merged
}

const tablesOf = memo(({ features }: Pick<App, 'features' | 'memo'>) => mergeTables(features))

/** The columns of a table by name, with those that features and the configuration add; merged once per app. */
export const columnsOf = (app: Pick<App, 'features' | 'memo'>, table: string): Readonly<Record<string, Column>> =>
  tablesOf(app)[table] ?? {}

/** Whether an enabled feature declares the table. */
export const hasTable = (app: Pick<App, 'features' | 'memo'>, table: string): boolean => Object.hasOwn(tablesOf(app), table)

/** A row of a table with nothing but the defaults of its columns. */
export const defaultRow = (app: Pick<App, 'features' | 'memo'>, table: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(columnsOf(app, table)).map(([name, column]) => [name, column.default ?? null]))

export const mergeIndexes = (features: readonly Pick<Feature, 'indexes'>[]): Indexes =>
  mergeLists(features.map(({ indexes }) => indexes))

/** Resource to actions, for every permission that a role may have. */
export const mergePermissions = (features: readonly Pick<Feature, 'permissions'>[]): Record<string, string[]> =>
  mergeLists(features.map(({ permissions }) => permissions))

/** @returns what is wrong with an action that `permissions` do not have */
export const unknownAction = (permissions: Readonly<Record<string, unknown>>, resource: string, action: string): string =>
  Object.hasOwn(permissions, resource)
    ? `Unknown action "${action}".`
    : `Unknown resource "${resource}" of the action "${action}".`

function mergeLists<T>(parts: readonly (Readonly<Record<string, readonly T[]>> | undefined)[]): Record<string, T[]> {
  const merged: Record<string, T[]> = {}
  for (const part of parts) {
    for (const [name, added] of Object.entries(part ?? {})) merged[name] = [...(merged[name] ?? []), ...added]
  }
  return merged
}
