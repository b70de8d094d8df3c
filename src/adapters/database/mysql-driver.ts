/** Connections of `mysql-pool.ts` as Kysely's driver, with a timeout for every statement. */
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import type { FieldPacket, PoolConnection, QueryError } from 'mysql2'
import { databaseTimeLeft, spendDatabaseTime } from '../../core/database-time.ts'
import { isPrepared } from '../../core/statement.ts'
import { type DatabaseLog, type DatabaseOptions, errorProperty, hasProperty, isUnlimited, toParameter } from './dialect.ts'
import { type ConnectionPoolOptions, openPool } from './mysql-pool.ts'
import { causalSettings, sessionSettings, unknownVariable } from './mysql-session.ts'

interface DriverOptions
  extends ConnectionPoolOptions,
    Pick<DatabaseOptions, 'queryTimeout' | 'preparedStatements' | 'causalReads'> {
  readonly log: DatabaseLog | undefined
}

/** mysql2's code for a statement that took too long. */
export const timeoutCode = 'PROTOCOL_SEQUENCE_TIMEOUT'
/** The server's own timeout fires this much before ours, so that the connection survives it. */
const graceMs = 1000
/**
 * Decodes booleans in place: `tinyint(1)` in both servers, of type 1 in the protocol. mysql2's `typeCast` would take a call per cell.
 */
function decodeBooleans<T>(rows: T, fields: readonly FieldPacket[] | undefined): T {
  for (const { name, columnType, columnLength } of fields ?? [])
    if (columnType === 1 && columnLength === 1)
      for (const row of Array.isArray(rows) ? rows : []) if (row[name] !== null) row[name] = row[name] !== 0
  return rows
}

/** Values are left out of the text of a failed statement, because errors are logged. */
function describeError(error: QueryError, text: string): QueryError {
  if (error.fatal && !error.code) error.code = 'PROTOCOL_CONNECTION_LOST'
  return Object.assign(error, { sql: text })
}

const createLate = (timeoutMs: number): QueryError =>
  Object.assign(new Error(`The database did not respond within ${timeoutMs} ms`), { code: timeoutCode }) as unknown as QueryError

type Done = (error: QueryError | null, result: unknown) => void

/** Replaces mysql2's own timeout, which covers running a statement but not preparing it. */
function withTimeout(done: Done, timeoutMs: number): Done {
  const fail = () => done(Object.assign(createLate(timeoutMs), { fatal: true }), undefined)
  const timer = setTimeout(fail, timeoutMs)
  return (error, result) => {
    clearTimeout(timer)
    done(error, result)
  }
}

/** The server prepares no more statements (1461); a proxy that cannot prepare them (1295) or lost them (1243). */
const unpreparedNumbers = [1461, 1295, 1243]
/** Time for which statements are then sent as text. */
const textMs = 60_000

/** Decides for all connections of a pool whether statements are prepared. */
function createPreparation(isOn: boolean, log: DriverOptions['log']) {
  let textUntil = isOn ? 0 : Number.POSITIVE_INFINITY
  let isReported = false
  return {
    isPossible: () => performance.now() >= textUntil,
    succeeded: () => {
      isReported = false
    },
    failed: (error: unknown) => {
      textUntil = performance.now() + textMs
      if (!isReported) log?.warn({ err: error }, 'The database prepares no more statements: they are sent as text')
      isReported = true
    },
  }
}
type Preparation = ReturnType<typeof createPreparation>

const brokenCodes = [timeoutCode, 'PROTOCOL_CONNECTION_LOST']
/**
 * The server accepts no writes, and a new connection may reach another one: read-only (1290, 1792, 1836), not in the primary
 * component of Galera (1047), a group that changes its mode or its primary (3098, 3100), a commit that the cluster rejected (1180).
 */
export const noWriteNumbers = [1290, 1792, 1836, 1047, 3098, 3100, 1180]
const breaksConnection = (error: unknown) =>
  errorProperty(error, 'fatal') === true || hasProperty(error, 'code', brokenCodes) || hasProperty(error, 'errno', noWriteNumbers)

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
  readonly preparation: Preparation
  /** Closed on release instead of returned to the pool. */
  isBroken = false
  /** A statement may still run on the server, although its client has given up. */
  isLate = false
  isInTransaction = false

  constructor(raw: PoolConnection, timeoutMs: number, preparation: Preparation) {
    this.raw = raw
    this.timeoutMs = timeoutMs
    this.preparation = preparation
  }

  /** @throws an error with `timeoutCode` without sending it when the call has spent its time */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (databaseTimeLeft() <= 0) throw createLate(this.timeoutMs)
    return this.execute(query)
  }

  /** Also when no time is left, as an end of a transaction must be. */
  async execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return toResult<R>(await spendDatabaseTime(() => this.#send(query)))
      } catch (error) {
        if (breaksConnection(error)) this.isBroken = true
        if (errorProperty(error, 'code') === timeoutCode) this.isLate = true
        const isFinal = attempt === maxAttempts || databaseTimeLeft() <= 0 || !hasProperty(error, 'errno', victimNumbers)
        if (this.isInTransaction || isFinal) throw error
        await pause(randomInt(5, 10 * 2 ** attempt))
      }
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const command = this.raw.query({ sql: query.sql, values: query.parameters.map(toParameter) })
    const fields: FieldPacket[] = []
    command.on('fields', (found: FieldPacket[]) => fields.push(...found))
    // Until the end, because a reader that stops earlier leaves rows on the wire.
    this.isBroken = true
    for await (const row of command.stream({ highWaterMark: 100 })) yield { rows: decodeBooleans([row], fields) }
    this.isBroken = false
  }

  /** After a lost connection the server rolls back by itself, and the error that led here must not be replaced. */
  async rollBack(): Promise<void> {
    if (this.isBroken) return
    await this.execute(CompiledQuery.raw('rollback')).catch(() => {
      this.isBroken = true
    })
  }

  async #send(query: CompiledQuery): Promise<unknown> {
    const { preparation } = this
    const values = query.parameters.map(toParameter)
    if (!isPrepared(query) || !preparation.isPossible()) return this.#sendText(query, values)
    try {
      const result = await this.#sendPrepared(query.sql, values)
      preparation.succeeded()
      return result
    } catch (error) {
      // The statement was not run: the server knows none that it could run.
      if (!hasProperty(error, 'errno', unpreparedNumbers)) throw error
      preparation.failed(error)
      this.raw.unprepare(query.sql)
      return this.#sendText(query, values)
    }
  }

  #timeLeft(): number {
    return Math.ceil(Math.max(0, Math.min(this.timeoutMs, databaseTimeLeft()))) + graceMs
  }

  #sendPrepared(sql: string, values: Values): Promise<unknown> {
    return settled(sql, (done) => this.raw.execute({ sql, values }, withTimeout(done, this.#timeLeft())))
  }

  #sendText(query: CompiledQuery, values: Values): Promise<unknown> {
    const { sql } = query
    const timeout = isUnlimited(query) ? {} : { timeout: this.#timeLeft() }
    return settled(sql, (done) =>
      this.raw.query({ sql, values, ...timeout }, (error, rows, fields) => done(error, decodeBooleans(rows, fields))),
    )
  }
}

type Values = ReturnType<typeof toParameter>[]

const settled = (sql: string, send: (done: Done) => void): Promise<unknown> =>
  new Promise((resolve, reject) => send((error, result) => (error ? reject(describeError(error, sql)) : resolve(result))))

/** A connection whose session is not set up must not be used, because it may store times in another time zone. */
async function setUpSession(raw: PoolConnection, options: DriverOptions, preparation: Preparation): Promise<MysqlConnection> {
  const { connectTimeout, queryTimeout } = options
  const connection = new MysqlConnection(raw, Math.min(connectTimeout, queryTimeout), preparation)
  const send = (setting: string) => connection.executeQuery(CompiledQuery.raw(setting))
  for (const setting of sessionSettings(queryTimeout)) await send(setting)
  for (const setting of options.causalReads ? causalSettings : [])
    await send(setting).catch((error: unknown) => {
      if (!hasProperty(error, 'errno', [unknownVariable])) throw error
    })
  return new MysqlConnection(raw, queryTimeout, preparation)
}

function ours(connection: DatabaseConnection): MysqlConnection {
  if (connection instanceof MysqlConnection) return connection
  throw new TypeError('This connection was opened by another driver')
}

/** Connects for the first statement. */
export function createDriver(options: DriverOptions): Driver & Pick<ReturnType<typeof openPool>, 'usage'> {
  const pool = openPool(options)
  const preparation = createPreparation(options.preparedStatements ?? true, options.log)
  const connections = new WeakMap<PoolConnection, MysqlConnection>()
  return {
    usage: pool.usage,
    init: async () => {},
    async acquireConnection() {
      const raw = await spendDatabaseTime(() => pool.acquire(databaseTimeLeft()))
      try {
        const connection = connections.get(raw) ?? (await setUpSession(raw, options, preparation))
        connections.set(raw, connection)
        return connection
      } catch (error) {
        pool.discard(raw)
        throw error
      }
    },
    async releaseConnection(connection) {
      const { raw, isBroken, isLate } = ours(connection)
      if (isLate) pool.kill(raw)
      if (isBroken) pool.discard(raw)
      else pool.release(raw)
    },
    async beginTransaction(connection) {
      ours(connection).isInTransaction = true
      await connection.executeQuery(CompiledQuery.raw('start transaction'))
    },
    async commitTransaction(connection) {
      await ours(connection).execute(CompiledQuery.raw('commit'))
      ours(connection).isInTransaction = false
    },
    async rollbackTransaction(connection) {
      await ours(connection).rollBack()
      ours(connection).isInTransaction = false
    },
    destroy: pool.end,
  }
}
