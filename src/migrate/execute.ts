/** Executes one statement of a migration: without a time limit, with retries while its table is in use, until it is interrupted. */
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type Kysely, type QueryResult, sql } from 'kysely'
import { unlimited } from '../adapters/database/dialect.ts'
import type { DatabaseErrors } from '../core/app.ts'
import type { Database } from '../features/index.ts'
import { hasProperty, isDenied } from '../lib/driver-errors.ts'

/** Waits for a table in use. While a statement waits, all later ones on the table queue behind it. */
const lockWaitSeconds = 1
const firstPauseMs = 500
const maxPauseMs = 5000
const busyTimeoutMs = 66_000

/** One connection with the session settings of migrations. */
export interface Session {
  readonly connection: Kysely<Database>
  /** Ends the statement that the connection executes. */
  readonly kill: () => Promise<void>
}

/**
 * Runs `work` on one connection without time limits, and restores the session's settings afterwards. MariaDB only reads comments
 * that begin with `M!`, and MySQL those that begin with a number.
 * @param db ends statements over another connection
 */
export function withMigrationSession<T>(db: Kysely<Database>, work: (session: Session) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ id: number; lockWait: number; timeout: number }>`select connection_id() as id,
      @@session.lock_wait_timeout as lockWait
      /*!80000 , @@session.max_execution_time as timeout */ /*M! , @@session.max_statement_time as timeout */`.execute(connection)
    const { id, lockWait, timeout } = rows[0] ?? { id: 0, lockWait: lockWaitSeconds, timeout: 0 }
    const kill = async () => void (await sql`kill query ${sql.lit(id)}`.execute(db))
    await configure(connection, { lockWait: lockWaitSeconds, timeout: 0, buffer: indexBuffer })
    try {
      return await work({ connection, kill })
    } finally {
      // A lost connection has no settings to restore.
      await configure(connection, { lockWait, timeout, buffer: 'default' }).catch(() => undefined)
    }
  })
}

/** Bytes for the build of an index: a quarter of the buffer pool, 256 MiB at most. With the server's 1 MiB it takes four times as long. */
const indexBuffer = 'least(268435456, greatest(1048576, @@global.innodb_buffer_pool_size div 4))'

interface Settings {
  /** Seconds. */
  readonly lockWait: number
  /** For a statement, in the unit of the server; 0: none. */
  readonly timeout: number
  /** Bytes, as an expression. MySQL has the setting since 8.0.27; MariaDB has none for a session. */
  readonly buffer: string
}

/** Also makes MySQL report the current number of rows, which it caches for a day, and how many rows a statement changed in English. */
const configure = (connection: Kysely<Database>, { lockWait, timeout, buffer }: Settings) =>
  sql`set session lock_wait_timeout = ${sql.lit(lockWait)}, lc_messages = 'en_US'
    /*!80000 , max_execution_time = ${sql.lit(timeout)}, information_schema_stats_expiry = 0 */
    /*!80027 , innodb_ddl_buffer_size = ${sql.raw(buffer)} */
    /*M! , max_statement_time = ${sql.lit(timeout)} */`.execute(connection)

const instant = 'algorithm=instant'
/** The server cannot do it instantly: MySQL before 8.0.29, or after 255 (before 9.1: 64) instant changes of one table. */
const notInstantNumbers = [1845, 1846, 4080, 4092]

const isNotInstant = (error: unknown): boolean => hasProperty(error, 'errno', notInstantNumbers)

interface ExecuteOptions {
  readonly session: Session
  readonly errors: DatabaseErrors
  readonly signal?: AbortSignal | undefined
}

/**
 * A change that the server cannot make instantly is made in place, while writes go on; never by a copy.
 * @param db the connection of the session, or a transaction on it
 * @throws the database's error; a retryable one when the table is still in use after about a minute
 */
export async function execute(db: Kysely<Database>, text: string, options: ExecuteOptions): Promise<QueryResult<unknown>> {
  const { session, errors, signal } = options
  // A kill that fails leaves the statement running; the next run finds its effect.
  const interrupt = () => void session.kill().catch(() => undefined)
  signal?.addEventListener('abort', interrupt, { once: true })
  const end = performance.now() + busyTimeoutMs
  let pauseMs = firstPauseMs
  let statement = text
  try {
    for (;;) {
      try {
        return await db.executeQuery(unlimited(CompiledQuery.raw(statement)))
      } catch (error) {
        if (isNotInstant(error) && statement.endsWith(instant)) {
          statement = `${statement.slice(0, -instant.length)}algorithm=inplace, lock=none`
          continue
        }
        const isBusy = errors.isRetryable(error) && !errors.isUnreachable(error)
        if (!isBusy || db.isTransaction || performance.now() > end || signal?.aborted) throw error
        await pause(pauseMs, undefined, { signal })
        pauseMs = Math.min(maxPauseMs, pauseMs * 2)
      }
    }
  } finally {
    signal?.removeEventListener('abort', interrupt)
  }
}

export interface LongTransaction {
  /** As `kill` takes it. */
  readonly process: number
  readonly seconds: number
  /** Null without the privilege to see it. */
  readonly user: string | null
}

/**
 * Open transactions, the oldest first, which keep a change of their tables waiting.
 * @param least their age in seconds
 * @returns none without the privilege PROCESS
 */
export async function findLongTransactions(db: Kysely<Database>, least: number): Promise<LongTransaction[]> {
  try {
    const { rows } = await sql<LongTransaction>`select trx.trx_mysql_thread_id as process,
        timestampdiff(second, trx.trx_started, now()) as seconds, list.user as user
      from information_schema.innodb_trx as trx left join information_schema.processlist as list on list.id = trx.trx_mysql_thread_id
      where trx.trx_mysql_thread_id not in (0, connection_id()) and timestampdiff(second, trx.trx_started, now()) >= ${least}
      order by trx.trx_started`.execute(db)
    return rows.map(({ process, seconds, user }) => ({ process: Number(process), seconds: Number(seconds), user }))
  } catch (error) {
    if (isDenied(error)) return []
    throw error
  }
}

/** Number of rows of a table as the server estimates it; null for an unknown table. */
export async function estimateRows(db: Kysely<Database>, table: string): Promise<number | null> {
  const { rows } = await sql<{ count: number | null }>`select table_rows as count from information_schema.tables
    where table_schema = database() and table_name = ${table}`.execute(db)
  return rows[0]?.count === undefined || rows[0].count === null ? null : Number(rows[0].count)
}
