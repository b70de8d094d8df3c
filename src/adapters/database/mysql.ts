/** MySQL and MariaDB behind Kysely. The connections are in `mysql-driver.ts`. */

import { readFileSync } from 'node:fs'
import { CompiledQuery, MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler, type SqlBool, sql } from 'kysely'
import type { SslOptions } from 'mysql2'
import type { App, TimeLimit } from '../../core/app.ts'
import { hasProperty } from '../../lib/driver-errors.ts'
import { isLoopback } from '../../lib/ip.ts'
import { backticked } from '../../lib/text.ts'
import { parseDatabaseAddress } from './database-address.ts'
import { columnTypes, type DatabaseLog, type DatabaseOptions, type Dialect, type OpenedDialect } from './dialect.ts'
import { noWriteNumbers, timeoutCode, victimNumbers } from './mysql-connection.ts'
import { createDriver } from './mysql-driver.ts'
import { busyCode, fullNumbers } from './mysql-pool.ts'

/** Adds the timeout of a wait for a lock. */
const retryable = [...victimNumbers, 1205]
/** No room for a connection; shutting down; a member of a cluster that accepts no writes now. */
const unavailable = [...fullNumbers, 1053, ...noWriteNumbers, 3101]
const timedOut = [3024, 1969]
const connectionCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'PROTOCOL_CONNECTION_LOST',
  busyCode,
]
const hasNumber = (error: unknown, numbers: readonly number[]) => hasProperty(error, 'errno', numbers)
const hasCode = (error: unknown, codes: readonly string[]) => hasProperty(error, 'code', codes)

/**
 * Texts are compared byte by byte: case, accent, width and trailing spaces count. The collation that both servers share ignores
 * trailing spaces, and those that do not have different names; each server reads only the comment made for it. No column has the
 * character set ASCII, because comparing one with any other text is an error on the servers.
 */
const tableOptions =
  'engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */'
/** The collation of every text, under the names of both servers. */
export const collations: readonly string[] = ['utf8mb4_0900_bin', 'utf8mb4_nopad_bin']

/** MySQL reads the hint, MariaDB the comment made for it. */
const limitTime = (milliseconds: number): TimeLimit => {
  const limit = Math.max(1, Math.floor(milliseconds))
  const prefix = `/*M! set statement max_statement_time = ${limit / 1000} for */`
  return {
    condition: () => sql<SqlBool>`true`,
    apply: (query) => ({
      ...query,
      sql: `${prefix} ${query.sql.replace(/^select\b/, `select /*+ MAX_EXECUTION_TIME(${limit}) */`)}`,
    }),
  }
}

/** From the statistics of the tables, which lag behind by a tenth of their rows at most. */
async function estimateReads(db: App['db'], query: CompiledQuery): Promise<number> {
  const explained = CompiledQuery.raw(`explain /*!80000 format = traditional */ ${query.sql}`, [...query.parameters])
  const { rows } = await db.executeQuery<{ readonly rows: number | string | null }>(explained)
  return Math.max(0, ...rows.map((table) => Number(table.rows ?? 0)))
}

const estimateRows = (db: App['db'], table: string): Promise<number> =>
  estimateReads(db, sql`select 1 from ${sql.table(table)}`.compile(db))

export const mysqlDialect: Dialect = {
  name: 'mysql',
  keepsMigrationFiles: true,
  errors: {
    isUniqueViolation: (error) => hasNumber(error, [1062]),
    isRetryable: (error) => hasNumber(error, retryable),
    isUnreachable: (error) => hasNumber(error, unavailable) || hasCode(error, connectionCodes),
    isTimeout: (error) => hasNumber(error, timedOut) || hasCode(error, [timeoutCode]),
    isMissingTable: (error) => hasNumber(error, [1146]),
    limitTime,
    estimateRows,
    inJoinOrder: sql`straight_join`,
    byPrimaryKey: sql`force index (primary)`,
    estimateReads,
  },
  clock: {
    now: sql<Date>`utc_timestamp(3)`,
    after: (milliseconds) => sql<Date>`(utc_timestamp(3) + interval ${Math.round(milliseconds * 1000)} microsecond)`,
  },
  // MariaDB stores JSON as text, and cannot pack texts of two collations into one array.
  columnType: columnTypes('json /*M! collate utf8mb4_nopad_bin */'),
  tableOptions,
  quote: backticked,
}

/** @returns undefined for an unencrypted connection */
function tlsOf(options: DatabaseOptions, host: string): SslOptions | undefined {
  if ((options.tls ?? (isLoopback(host) ? 'off' : 'verify')) === 'off') return undefined
  return {
    ...(options.ca ? { ca: readFileSync(options.ca, 'utf8') } : {}),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    verifyIdentity: true,
  }
}

function addressOf(url: string) {
  const address = parseDatabaseAddress(url)
  if ('message' in address) throw new Error(`${address.path}: ${address.message} ${address.hint}`)
  return address
}

/**
 * @param options.url `mysql://user:password@host:3306/name`
 * @throws Error when the URL is malformed or the CA file cannot be read; nothing is connected yet
 */
export function openMysql(options: DatabaseOptions & { readonly url: string }, log?: DatabaseLog): OpenedDialect {
  const address = addressOf(options.url)
  const ssl = tlsOf(options, address.host)
  const driver = createDriver({ ...options, log, address: { ...address, ...(ssl ? { ssl } : {}) } })
  return {
    dialect: mysqlDialect,
    kysely: {
      createAdapter: () => new MysqlAdapter(),
      createDriver: () => driver,
      createQueryCompiler: () => new MysqlQueryCompiler(),
      createIntrospector: (db) => new MysqlIntrospector(db),
    },
    pool: driver.usage,
    close: async () => {},
  }
}
