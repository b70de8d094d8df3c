/** mysql2's pool as Kysely's driver, with a deadline for everything. */
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import type { PoolConnection, QueryError, TypeCast } from 'mysql2'
import { isPrepared } from '../../core/statement.ts'
import { errorProperty, toParameter } from './dialect.ts'
import { createMysqlPool, type DriverOptions, destroy, endPool, getConnection } from './mysql-pool.ts'

/** What mysql2 calls a statement that took too long. */
export const timeoutCode = 'PROTOCOL_SEQUENCE_TIMEOUT'
/** Milliseconds by which the server's own deadline comes before ours, so that the connection survives it. */
const grace = 1000
/** Statements that may take as long as they need; only the migrator sends them. */
const definition = /^\s*(alter|create|drop)\b/i
/** `tinyint(1)` is how both servers keep a boolean. */
const decodeCell: TypeCast = (field, next) => {
  if (field.type !== 'TINY' || field.length !== 1) return next()
  const text = field.string()
  return text === null ? null : text !== '0'
}

// Everything the product relies on, whatever the server's defaults are. MySQL alone reads what stands in a comment that begins
// with `!80000`, MariaDB alone what stands in one that begins with `M!`.
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

/** A connection of the pool as Kysely sees it. */
interface Handle extends DatabaseConnection {
  readonly raw: PoolConnection
  /** To be ended instead of given back. */
  isBroken: boolean
  isInTransaction: boolean
}

/** How a connection sends statements; the time-out in milliseconds. */
interface Habits {
  readonly timeout: number
  readonly prepares: boolean
}

/** Values are left out of the text of a failed statement: errors are logged. */
function describeError(error: QueryError, text: string): QueryError {
  if (error.fatal && !error.code) error.code = 'PROTOCOL_CONNECTION_LOST'
  return Object.assign(error, { sql: text })
}

function run(connection: PoolConnection, query: CompiledQuery, { timeout, prepares }: Habits): Promise<unknown> {
  const { sql } = query
  const values = query.parameters.map(toParameter)
  const limit = definition.test(sql) ? {} : { timeout: timeout + grace }
  return new Promise((resolve, reject) => {
    const done = (error: QueryError | null, result: unknown) => (error ? reject(describeError(error, sql)) : resolve(result))
    if (prepares && isPrepared(query)) connection.execute({ sql, values }, withTimeout(done, timeout + grace))
    else connection.query({ sql, values, typeCast: decodeCell, ...limit }, done)
  })
}

type Done = (error: QueryError | null, result: unknown) => void

/** In place of mysql2's own, which is for running a statement and not for preparing it. */
function withTimeout(done: Done, timeout: number): Done {
  const fail = () => {
    const late = new Error(`The database did not answer within ${timeout} ms`)
    done(Object.assign(late, { code: timeoutCode, fatal: true }), undefined)
  }
  const timer = setTimeout(fail, timeout)
  return (error, result) => {
    clearTimeout(timer)
    done(error, result)
  }
}

const brokenCodes = [timeoutCode, 'PROTOCOL_CONNECTION_LOST']
/** A server that has become read-only: another one may be reached by a new connection. */
const readOnlyNumbers = [1290, 1792, 1836, 1047]
const breaks = (error: unknown) =>
  errorProperty(error, 'fatal') === true ||
  brokenCodes.some((code) => code === errorProperty(error, 'code')) ||
  readOnlyNumbers.some((number) => number === errorProperty(error, 'errno'))

/** Times that a statement outside a transaction is tried: the server has undone it whole. */
const attempts = 6
/** Deadlock; certification failures of Galera and Group Replication; write conflicts of TiDB and MariaDB. */
export const victimNumbers = [1213, 3101, 1020, 8002, 8022, 8028, 9007]
const isVictim = (error: unknown) => victimNumbers.some((number) => number === errorProperty(error, 'errno'))

function toResult<R>(result: unknown): QueryResult<R> {
  if (Array.isArray(result)) return { rows: result }
  const numAffectedRows = countOf(result)
  return numAffectedRows === undefined ? { rows: [] } : { rows: [], numAffectedRows }
}

const countOf = (result: unknown): bigint | undefined => {
  const count = errorProperty(result, 'affectedRows')
  return typeof count === 'number' ? BigInt(count) : undefined
}

function createHandle(raw: PoolConnection, habits: Habits): Handle {
  const handle: Handle = {
    raw,
    isBroken: false,
    isInTransaction: false,
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return toResult<R>(await run(raw, query, habits))
        } catch (error) {
          if (breaks(error)) handle.isBroken = true
          if (handle.isInTransaction || attempt === attempts || !isVictim(error)) throw error
          await pause(randomInt(5, 10 * 2 ** attempt))
        }
      }
    },
    async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      const command = raw.query({ sql: query.sql, values: query.parameters.map(toParameter), typeCast: decodeCell })
      // Until the end: whoever stops reading earlier leaves rows on the wire.
      handle.isBroken = true
      for await (const row of command.stream({ highWaterMark: 100 })) yield { rows: [row] }
      handle.isBroken = false
    },
  }
  return handle
}

function giveBack({ raw, isBroken }: Handle): void {
  if (isBroken) destroy(raw)
  else raw.release()
}

const execute = (connection: DatabaseConnection, sql: string) => connection.executeQuery(CompiledQuery.raw(sql))

/** A connection whose session is not set up must not be used: it may keep times in another zone. */
async function openHandle(raw: PoolConnection, options: DriverOptions): Promise<Handle> {
  const { connectTimeout, queryTimeout, preparedStatements: prepares = true } = options
  const handle = createHandle(raw, { timeout: Math.min(connectTimeout, queryTimeout), prepares })
  try {
    for (const setting of sessionSettings(queryTimeout)) await execute(handle, setting)
  } catch (error) {
    destroy(raw)
    throw error
  }
  return createHandle(raw, { timeout: queryTimeout, prepares })
}

/** Nothing is connected before the first statement. */
export function createDriver(options: DriverOptions): Driver {
  const { connectTimeout } = options
  const pool = createMysqlPool(options)
  const handles = new WeakMap<PoolConnection, Handle>()
  const inUse = new WeakMap<DatabaseConnection, Handle>()
  const setTransaction = (connection: DatabaseConnection, isInTransaction: boolean) => {
    const handle = inUse.get(connection)
    if (handle) handle.isInTransaction = isInTransaction
  }
  return {
    init: async () => {},
    async acquireConnection() {
      const raw = await getConnection(pool, connectTimeout + grace)
      const handle = handles.get(raw) ?? (await openHandle(raw, options))
      handles.set(raw, handle)
      inUse.set(handle, handle)
      return handle
    },
    async releaseConnection(connection) {
      const handle = inUse.get(connection)
      if (handle) giveBack(handle)
    },
    async beginTransaction(connection) {
      setTransaction(connection, true)
      await execute(connection, 'start transaction')
    },
    async commitTransaction(connection) {
      await execute(connection, 'commit')
      setTransaction(connection, false)
    },
    async rollbackTransaction(connection) {
      const handle = inUse.get(connection)
      if (handle) await rollBack(handle)
      setTransaction(connection, false)
    },
    destroy: () => endPool(pool, connectTimeout),
  }
}

/** The server rolls back what a lost connection left open, and the error that led here is the one to be seen. */
async function rollBack(handle: Handle): Promise<void> {
  if (handle.isBroken) return
  await execute(handle, 'rollback').catch(() => {
    handle.isBroken = true
  })
}
