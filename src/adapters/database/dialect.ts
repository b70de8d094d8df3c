/** The questions in which the two databases differ. */
import type { Dialect as KyselyDialect } from 'kysely'
import type { DatabaseErrors } from '../../core/app.ts'
import type { DatabaseClock } from '../../core/lease.ts'

/** How a column is kept, whatever it means: `id` and `string` are both `varchar`. */
export interface StoredColumn {
  readonly type: 'varchar' | 'text' | 'boolean' | 'integer' | 'bigint' | 'timestamp' | 'json'
  /** Characters; of `varchar` only. */
  readonly length?: number
}

/** What went wrong, in terms that callers can act on. */
export interface DatabaseFailures extends DatabaseErrors {
  /** The statement names a table that does not exist. */
  isMissingTable(error: unknown): boolean
}

export interface Dialect {
  readonly name: 'mysql' | 'sqlite'
  readonly errors: DatabaseFailures
  readonly clock: DatabaseClock
  /** As it stands in a table's definition. */
  columnType(column: StoredColumn): string
  /** Follows the definition of every table; without it texts are not compared byte by byte. */
  readonly tableOptions: string
  quote(identifier: string): string
}

/** A dialect together with the open file or pool behind it. */
export interface OpenedDialect {
  readonly dialect: Dialect
  readonly kysely: KyselyDialect
  close(): Promise<void>
}

/** The section `database` of the configuration. Times in milliseconds. */
export interface DatabaseOptions {
  readonly url?: string | undefined
  /** Default: `off` for loopback, `verify` for every other host. */
  readonly tls?: 'verify' | 'off' | undefined
  /** Path of a PEM file. */
  readonly ca?: string | undefined
  readonly poolSize: number
  readonly connectTimeout: number
  readonly queryTimeout: number
  /** Default: true. */
  readonly preparedStatements?: boolean | undefined
}

/** A property of an error, when it has one; drivers throw errors of many shapes. */
export const errorProperty = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined

/**
 * The only kinds of value that a statement may carry. Objects are refused because MySQL's driver would expand them into SQL,
 * and `undefined` because it is always a mistake.
 */
export type Parameter = string | number | bigint | boolean | Date | Uint8Array | null

/** @throws TypeError for any other value */
export function toParameter(value: unknown): Parameter {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(
    `A value of this kind cannot be sent to the database: ${value instanceof Date ? 'invalid date' : typeof value}`,
  )
}
