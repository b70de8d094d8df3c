/** MySQL and MariaDB behind Kysely: what the two ask of a dialect. The connections are in `mysql-driver.ts`. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler, sql } from 'kysely'
import type { SslOptions } from 'mysql2'
import { isLoopback } from '../../lib/loopback.ts'
import type { DatabaseOptions, Dialect, OpenedDialect, StoredColumn } from './dialect.ts'
import { errorProperty } from './dialect.ts'
import { createDriver, timeoutCode, victimNumbers } from './mysql-driver.ts'
import { busyCode } from './mysql-pool.ts'

/** Beside them the end of a wait for a lock. */
const retryable = [...victimNumbers, 1205]
/** Too many connections; shutting down; not part of a primary component; read-only during a change of primary. */
const unavailable = [1040, 1053, 1203, 1047, 1290, 1792, 1836]
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
const hasNumber = (error: unknown, numbers: readonly number[]) => {
  const number = errorProperty(error, 'errno')
  return typeof number === 'number' && numbers.includes(number)
}
const hasCode = (error: unknown, codes: readonly string[]) => {
  const code = errorProperty(error, 'code')
  return typeof code === 'string' && codes.includes(code)
}

// MariaDB keeps JSON as text, and would not pack texts of two collations into one array.
const types = {
  text: 'text',
  boolean: 'tinyint(1)',
  integer: 'int',
  bigint: 'bigint',
  timestamp: 'datetime(3)',
  json: 'json /*M! collate utf8mb4_nopad_bin */',
}

const columnType = ({ type, length }: StoredColumn) => (type === 'varchar' ? `varchar(${length})` : types[type])

/**
 * What differs in a byte differs: case, accent, width, a space at the end. The collation that both servers share ignores that
 * space, and those that do not have other names; each server reads only the comment made for it. No column is ASCII by type:
 * the servers answer a comparison with anything else by an error.
 */
const tableOptions =
  'engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */'
/** The collation of every text, under the names of both servers. */
export const collations: readonly string[] = ['utf8mb4_0900_bin', 'utf8mb4_nopad_bin']

export const mysqlDialect: Dialect = {
  name: 'mysql',
  errors: {
    isUniqueViolation: (error) => hasNumber(error, [1062]),
    isRetryable: (error) => hasNumber(error, retryable),
    isUnreachable: (error) => hasNumber(error, unavailable) || hasCode(error, connectionCodes),
    isTimeout: (error) => hasNumber(error, timedOut) || hasCode(error, [timeoutCode]),
    isMissingTable: (error) => hasNumber(error, [1146]),
  },
  clock: {
    now: sql<Date>`utc_timestamp(3)`,
    after: (milliseconds) => sql<Date>`(utc_timestamp(3) + interval ${Math.round(milliseconds * 1000)} microsecond)`,
  },
  columnType,
  tableOptions,
  quote: (identifier) => `\`${identifier.replaceAll('`', '``')}\``,
}

/** @returns nothing for a connection in clear */
function tlsOf(options: DatabaseOptions, host: string): SslOptions | undefined {
  if ((options.tls ?? (isLoopback(host) ? 'off' : 'verify')) === 'off') return undefined
  // mysql2 would look for the name `localhost` in the certificate of an address, and so refuse every right one.
  if (isIP(host)) throw new Error('database.url must name its host by name, not by address, for its certificate to be verified')
  return {
    ...(options.ca ? { ca: readFileSync(options.ca, 'utf8') } : {}),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    verifyIdentity: true,
  }
}

function parseAddress(url: string) {
  const address = URL.parse(url)
  if (!address?.hostname) throw new Error('database.url must look like mysql://user:password@host:3306/name')
  // A parameter that is ignored may be one that was meant to protect.
  if (address.search) throw new Error('database.url takes no parameters; use the options beside it')
  const database = decodeURIComponent(address.pathname.slice(1))
  if (!database) throw new Error('database.url must end with the name of a database')
  return {
    host: address.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(address.port || 3306),
    user: decodeURIComponent(address.username),
    password: decodeURIComponent(address.password),
    database,
  }
}

/**
 * @param options.url `mysql://user:password@host:3306/name`
 * @throws Error when the address or the file of the certificate authority is wrong; nothing is connected yet
 */
export function openMysql(options: DatabaseOptions & { readonly url: string }): OpenedDialect {
  const address = parseAddress(options.url)
  const ssl = tlsOf(options, address.host)
  const driver = createDriver({ ...options, address: { ...address, ...(ssl ? { ssl } : {}) } })
  return {
    dialect: mysqlDialect,
    kysely: {
      createAdapter: () => new MysqlAdapter(),
      createDriver: () => driver,
      createQueryCompiler: () => new MysqlQueryCompiler(),
      createIntrospector: (db) => new MysqlIntrospector(db),
    },
    close: async () => {},
  }
}
