/** The differences between the two databases. */
import type { CompiledQuery, Dialect as KyselyDialect } from 'kysely'
import type { DatabaseSupport } from '../../core/app.ts'
import type { Logger } from '../../core/ports.ts'
import type { TablePrefix } from '../../core/table-prefix.ts'
import type { Config } from '../../features/index.ts'
import type { DatabaseClock } from './lease.ts'

/** The stored type of a column: `id` and `string` are both `varchar`. */
interface StoredColumn {
  readonly type: 'varchar' | 'text' | 'boolean' | 'integer' | 'bigint' | 'timestamp' | 'json'
  /** Characters of a `varchar`. */
  readonly length?: number
}

export interface Dialect {
  readonly name: 'mysql' | 'sqlite'
  /** Also what is more than errors, for `app.database`. */
  readonly errors: DatabaseSupport
  readonly clock: DatabaseClock
  /** Whether SQL files bring a database to the declared schema. An embedded database follows the declaration without files. */
  readonly keepsMigrationFiles: boolean
  /** The type in a table definition. */
  columnType(column: StoredColumn): string
  /** Ends every table definition, so that texts are compared byte by byte. */
  readonly tableOptions: string
  quote(identifier: string): string
}

/** A dialect together with the open file or pool behind it. */
export interface OpenedDialect {
  readonly dialect: Dialect
  readonly kysely: KyselyDialect
  /** Connections in use and calls that wait for one; null for an embedded database. */
  readonly pool: () => { readonly size: number; readonly active: number; readonly waiting: number } | null
  close(): Promise<void>
}

/** The section `database` of the configuration. Times in milliseconds. */
export type DatabaseOptions = Partial<Config['database']> &
  Pick<Config['database'], 'poolSize' | 'connectTimeout' | 'queryTimeout'> & {
    /** Called with the seconds that a statement or transaction waited for its connection. */
    readonly onWait?: (seconds: number) => void
    /** What a SQLite database in memory starts with: the bytes of a file. Default: nothing. */
    readonly content?: Uint8Array | undefined
    /** During a move in the database of the application that is replaced: the tables that have a prefix, and which. */
    readonly prefixed?: { readonly prefix: TablePrefix; readonly isOwn: (table: string) => boolean } | undefined
  }

/** Receives what an operator should know about the connections. */
export type DatabaseLog = Pick<Logger, 'warn'>

/** Types of columns in table definitions. @param json the type of JSON, which is not the same on all servers */
export function columnTypes(json: string): Dialect['columnType'] {
  const types = { text: 'text', boolean: 'tinyint(1)', integer: 'int', bigint: 'bigint', timestamp: 'datetime(3)', json }
  return ({ type, length }) => (type === 'varchar' ? `varchar(${length})` : types[type])
}

/**
 * The types of statement parameters. Objects are rejected because MySQL's driver would expand them into SQL, and `undefined`
 * because it is always a mistake.
 */
type Parameter = string | number | bigint | boolean | Date | Uint8Array | null

/** @throws TypeError for any other value */
export function toParameter(value: unknown): Parameter {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(
    `A value of this type cannot be sent to the database: ${value instanceof Date ? 'invalid date' : typeof value}`,
  )
}

/** A query that may run for any time, such as a change of a large table. */
interface UnlimitedQuery extends CompiledQuery {
  readonly unlimited: true
}
export const unlimited = (query: CompiledQuery): UnlimitedQuery => ({ ...query, unlimited: true })
export const isUnlimited = (query: CompiledQuery): query is UnlimitedQuery => 'unlimited' in query
