/** One connection of the pool of `mysql-pool.ts`, with a timeout for every statement. */
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import type { FieldPacket, PoolConnection, QueryError } from 'mysql2'
import { databaseTimeLeft, spendDatabaseTime } from '../../core/database-time.ts'
import { isPrepared } from '../../core/statement.ts'
import { errorProperty, hasProperty } from '../../lib/driver-errors.ts'
import { type DatabaseLog, isUnlimited, toParameter } from './dialect.ts'

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
export function createPreparation(isOn: boolean, log: DatabaseLog | undefined) {
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
  const [found, changed] = [errorProperty(result, 'affectedRows'), errorProperty(result, 'changedRows')]
  if (typeof found !== 'number') return { rows: [] }
  return { rows: [], numAffectedRows: BigInt(found), ...(typeof changed === 'number' ? { numChangedRows: BigInt(changed) } : {}) }
}

/** Attempts on other connections: the server may have closed all idle ones together. */
const maxConnectionAttempts = 3
const lostCodes = ['PROTOCOL_CONNECTION_LOST', 'ECONNRESET', 'EPIPE']
/** mysql2 knew that the connection was closed, and sent nothing. */
const unsent = "Can't add new command"

/** Whether a statement whose connection was lost cannot have changed anything. */
const isRepeatable = ({ sql }: CompiledQuery, error: unknown): boolean =>
  hasProperty(error, 'code', lostCodes) &&
  (/^(select\b(?!.*\bfor update\b)|start transaction)/is.test(sql) || String(errorProperty(error, 'message')).startsWith(unsent))

/** A connection of the pool as Kysely sees it. */
export class MysqlConnection implements DatabaseConnection {
  /** Replaced when the server has closed it while it was idle. */
  raw: PoolConnection
  /** Discards the connection, and takes another one of the pool. */
  replace: ((lost: MysqlConnection) => Promise<void>) | null = null
  /** No statement has succeeded since it was taken from the pool. */
  isFresh = true
  /** It was discarded, and none has taken its place. */
  isGone = false
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
    for (let attempt = 1; ; attempt += 1) {
      if (databaseTimeLeft() <= 0) throw createLate(this.timeoutMs)
      try {
        const result = await this.execute<R>(query)
        this.isFresh = false
        return result
      } catch (error) {
        // A later statement may depend on what earlier ones have set for the session.
        if (!this.isFresh || !this.replace || attempt === maxConnectionAttempts || !isRepeatable(query, error)) throw error
        await this.replace(this)
      }
    }
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
