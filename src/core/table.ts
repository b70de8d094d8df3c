/** The vocabulary in which a feature declares its tables; database types, migrations and views are derived from it. */
import type { ColumnType, JSONColumnType } from 'kysely'

export type ColumnKind = 'id' | 'string' | 'text' | 'boolean' | 'integer' | 'bigint' | 'timestamp' | 'json'
export type OnDelete = 'cascade' | 'set null' | 'restrict'

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
  /** Never leaves the server. */
  readonly hidden: boolean
  /** Never taken from a user's body. */
  readonly readOnly: boolean
  /** For the product's own work: no output has it, no export and no function of the configuration. */
  readonly internal: boolean
  /** Its name in answers, where that is not the column's. */
  readonly shownAs?: string
  /** What leaves the server in place of the value. */
  readonly output?: (value: unknown) => unknown
  readonly [types]?: { readonly select: Select; readonly insert: Insert }
}

export type Columns = Readonly<Record<string, Column>>
export type Tables = Readonly<Record<string, Columns>>

/** An index over one table; its name is derived from the table and the columns. */
export interface Index {
  readonly columns: readonly string[]
  readonly unique: boolean
}
export type Indexes = Readonly<Record<string, readonly Index[]>>

const plain = { nullable: false, primary: false, unique: false, hidden: false, readOnly: false, internal: false }

/** The primary key: 32 random letters and digits, made before the row is inserted. */
export const id = (): Column<string, string> => ({ ...plain, kind: 'id', length: 36, primary: true, readOnly: true })

/** A short text that may be indexed. `length` in characters. */
export const string = (options: { length?: number } = {}): Column<string, string> => ({
  ...plain,
  kind: 'string',
  length: options.length ?? 255,
})

/** A long text, 65,535 bytes at most, never indexed. */
export const text = (): Column<string, string> => ({ ...plain, kind: 'text' })

export function boolean(): Column<boolean, boolean>
export function boolean(options: { default: boolean }): Column<boolean, boolean | undefined>
export function boolean(options: { default?: boolean } = {}): Column<boolean, boolean | undefined> {
  return { ...plain, kind: 'boolean', ...options }
}

/** A whole number of 32 bits. */
export function integer(): Column<number, number>
export function integer(options: { default: number }): Column<number, number | undefined>
export function integer(options: { default?: number } = {}): Column<number, number | undefined> {
  return { ...plain, kind: 'integer', ...options }
}

/** A whole number up to 2^53 - 1: counts and milliseconds. */
export function bigint(): Column<number, number>
export function bigint(options: { default: number }): Column<number, number | undefined>
export function bigint(options: { default?: number } = {}): Column<number, number | undefined> {
  return { ...plain, kind: 'bigint', ...options }
}

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
export const unique = <C extends Column>(column: C): C => ({ ...column, unique: true })
export const hidden = <C extends Column>(column: C): C & { readonly hidden: true } => ({ ...column, hidden: true })
export const readOnly = <C extends Column>(column: C): C => ({ ...column, readOnly: true })
export const internal = <C extends Column>(column: C): C & { readonly hidden: true } => ({
  ...column,
  hidden: true,
  readOnly: true,
  internal: true,
})

/** An index for look-ups by these columns, from the left. */
export const index = (...columns: string[]): Index => ({ columns, unique: false })
/** A unique key over these columns. */
export const uniqueIndex = (...columns: string[]): Index => ({ columns, unique: true })

type Selected<C> = C extends Column<infer S, unknown> ? (S extends JSONColumnType<infer T> ? T : S) : never
type Cell<C> = C extends Column<infer S, infer I> ? (S extends JSONColumnType<object> ? S : ColumnType<S, I, S>) : never

/** What may leave the server of a row: every column that is not hidden. */
export type VisibleRow<T> = { -readonly [C in keyof T as T[C] extends { readonly hidden: true } ? never : C]: Selected<T[C]> }
/** The tables as Kysely wants to see them. */
export type Rows<T> = { [K in keyof T]: { [C in keyof T[K]]: Cell<T[K][C]> } }
