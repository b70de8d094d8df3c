/** mysql2's pool as Kysely's driver, with a timeout for every wait. */
import { randomInt } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import { createPool, type Pool, type PoolConnection, type PoolOptions, type QueryError, type TypeCast } from 'mysql2'
import { isPrepared } from '../../core/statement.ts'
import { type DatabaseOptions, errorProperty, hasProperty, isUnlimited, toParameter } from './dialect.ts'

interface DriverOptions extends Pick<DatabaseOptions, 'poolSize' | 'connectTimeout' | 'queryTimeout' | 'preparedStatements'> {
  readonly address: Pick<PoolOptions, 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl'>
}

/** mysql2's code for a statement that took too long. */
export const timeoutCode = 'PROTOCOL_SEQUENCE_TIMEOUT'
/** No connection became free in time. */
export const busyCode = 'POOL_BUSY'
/** The server's own timeout fires this much before ours, so that the connection survives it. */
const graceMs = 1000
/** The server counts prepared statements over all connections. */
const maxPreparedStatements = 50
/** Both servers store a boolean as `tinyint(1)`. */
const decodeCell: TypeCast = (field, next) => {
  if (field.type !== 'TINY' || field.length !== 1) return next()
  const text = field.string()
  return text === null ? null : text !== '0'
}

// Everything the product relies on, whatever the server's defaults are. Only MySQL reads comments that start with `!80000`, and
// only MariaDB those that start with `M!`.
function sessionSettings(queryTimeout: number): string[] {
  const seconds = Math.max(1, Math.floor(queryTimeout / 1000))
  const modes =
    'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'
  return [
    `set session sql_mode = '${modes}', time_zone = '+00:00', foreign_key_checks = 1, unique_checks = 1, autocommit = 1,
      innodb_lock_wait_timeout = ${Math.max(1, Math.floor(seconds / 2))}, lock_wait_timeout = ${seconds}
      /*!80000 , max_execution_time = ${queryTimeout} */ /*M! , max_statement_time = ${queryTimeout / 1000} */`,
    'set session transaction isolation level read committed',
  ]
}

/** Values are left out of the text of a failed statement, because errors are logged. */
function describeError(error: QueryError, text: string): QueryError {
  if (error.fatal && !error.code) error.code = 'PROTOCOL_CONNECTION_LOST'
  return Object.assign(error, { sql: text })
}

type Done = (error: QueryError | null, result: unknown) => void

/** Replaces mysql2's own timeout, which covers running a statement but not preparing it. */
function withTimeout(done: Done, timeoutMs: number): Done {
  const fail = () => {
    const late = new Error(`The database did not respond within ${timeoutMs} ms`)
    done(Object.assign(late, { code: timeoutCode, fatal: true }), undefined)
  }
  const timer = setTimeout(fail, timeoutMs)
  return (error, result) => {
    clearTimeout(timer)
    done(error, result)
  }
}

const brokenCodes = [timeoutCode, 'PROTOCOL_CONNECTION_LOST']
/** The server has become read-only; a new connection may reach another one. */
const readOnlyNumbers = [1290, 1792, 1836, 1047]
const breaksConnection = (error: unknown) =>
  errorProperty(error, 'fatal') === true ||
  hasProperty(error, 'code', brokenCodes) ||
  hasProperty(error, 'errno', readOnlyNumbers)

/** Attempts for a statement outside a transaction, which the server has rolled back as a whole. */
const maxAttempts = 6
/** Deadlock; certification failures of Galera and Group Replication; write conflicts of TiDB and MariaDB. */
export const victimNumbers = [1213, 3101, 1020, 8002, 8022, 8028, 9007]

function toResult<R>(result: unknown): QueryResult<R> {
  if (Array.isArray(result)) return { rows: result }
  const count = errorProperty(result, 'affectedRows')
  return typeof count === 'number' ? { rows: [], numAffectedRows: BigInt(count) } : { rows: [] }
}

/** A connection of the pool as Kysely sees it. */
class MysqlConnection implements DatabaseConnection {
  readonly raw: PoolConnection
  readonly timeoutMs: number
  readonly prepares: boolean
  /** Closed on release instead of returned to the pool. */
  isBroken = false
  isInTransaction = false

  constructor(raw: PoolConnection, timeoutMs: number, prepares: boolean) {
    this.raw = raw
    this.timeoutMs = timeoutMs
    this.prepares = prepares
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return toResult<R>(await this.#send(query))
      } catch (error) {
        if (breaksConnection(error)) this.isBroken = true
        if (this.isInTransaction || attempt === maxAttempts || !hasProperty(error, 'errno', victimNumbers)) throw error
        await pause(randomInt(5, 10 * 2 ** attempt))
      }
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const command = this.raw.query({ sql: query.sql, values: query.parameters.map(toParameter), typeCast: decodeCell })
    // Until the end, because a reader that stops earlier leaves rows on the wire.
    this.isBroken = true
    for await (const row of command.stream({ highWaterMark: 100 })) yield { rows: [row] }
    this.isBroken = false
  }

  /** After a lost connection the server rolls back by itself, and the error that led here must not be replaced. */
  async rollBack(): Promise<void> {
    if (this.isBroken) return
    await this.executeQuery(CompiledQuery.raw('rollback')).catch(() => {
      this.isBroken = true
    })
  }

  #send(query: CompiledQuery): Promise<unknown> {
    const { raw, prepares } = this
    const { sql } = query
    const values = query.parameters.map(toParameter)
    const timeout = this.timeoutMs + graceMs
    return new Promise((resolve, reject) => {
      const done: Done = (error, result) => (error ? reject(describeError(error, sql)) : resolve(result))
      if (prepares && isPrepared(query)) raw.execute({ sql, values }, withTimeout(done, timeout))
      else raw.query({ sql, values, typeCast: decodeCell, ...(isUnlimited(query) ? {} : { timeout }) }, done)
    })
  }
}

/** A connection whose session is not set up must not be used, because it may store times in another time zone. */
async function setUpSession(raw: PoolConnection, options: DriverOptions): Promise<MysqlConnection> {
  const { connectTimeout, queryTimeout, preparedStatements: prepares = true } = options
  const connection = new MysqlConnection(raw, Math.min(connectTimeout, queryTimeout), prepares)
  try {
    for (const setting of sessionSettings(queryTimeout)) await connection.executeQuery(CompiledQuery.raw(setting))
  } catch (error) {
    destroy(raw)
    throw error
  }
  return new MysqlConnection(raw, queryTimeout, prepares)
}

function ours(connection: DatabaseConnection): MysqlConnection {
  if (connection instanceof MysqlConnection) return connection
  throw new TypeError('This connection was opened by another driver')
}

/** Connects for the first statement. */
export function createDriver(options: DriverOptions): Driver {
  const { connectTimeout } = options
  const pool = openPool(options)
  const connections = new WeakMap<PoolConnection, MysqlConnection>()
  return {
    init: async () => {},
    async acquireConnection() {
      const raw = await getConnection(pool, connectTimeout + graceMs)
      const connection = connections.get(raw) ?? (await setUpSession(raw, options))
      connections.set(raw, connection)
      return connection
    },
    async releaseConnection(connection) {
      const { raw, isBroken } = ours(connection)
      if (isBroken) destroy(raw)
      else raw.release()
    },
    async beginTransaction(connection) {
      ours(connection).isInTransaction = true
      await connection.executeQuery(CompiledQuery.raw('start transaction'))
    },
    async commitTransaction(connection) {
      await connection.executeQuery(CompiledQuery.raw('commit'))
      ours(connection).isInTransaction = false
    },
    async rollbackTransaction(connection) {
      await ours(connection).rollBack()
      ours(connection).isInTransaction = false
    },
    destroy: async () => {
      // A silent server must not keep us waiting.
      await Promise.race([pool.promise().end(), pause(connectTimeout, undefined, { ref: false })])
    },
  }
}

const openPool = ({ poolSize, connectTimeout, address }: DriverOptions): Pool =>
  createPool({
    ...address,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    connectTimeout,
    connectionLimit: poolSize,
    maxPreparedStatements,
    decimalNumbers: true,
    stringifyObjects: true,
    multipleStatements: false,
    enableKeepAlive: true,
    // Affected rows are the rows that matched, changed or not, as in SQLite.
    flags: ['FOUND_ROWS', '-LOCAL_FILES'],
  })

const getConnection = (pool: Pool, timeoutMs: number): Promise<PoolConnection> =>
  new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(Object.assign(new Error(`No database connection was free within ${timeoutMs} ms`), { code: busyCode }))
    }, timeoutMs)
    pool.getConnection((error, connection) => {
      clearTimeout(timer)
      if (isLate) connection?.release()
      else if (error) reject(error)
      else resolve(connection)
    })
  })

/** Also closes a socket whose other end is silent, which would otherwise keep the process alive. */
function destroy(connection: PoolConnection): void {
  connection.destroy()
  if ('stream' in connection && connection.stream instanceof Socket) connection.stream.destroy()
}
