/** `up` and `down`: one run at a time on any number of machines, resumable at every statement. MySQL and MariaDB only. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import { acquireLease, createLeaseTable, findLeaseHolder, type Lease } from '../adapters/database/lease.ts'
import type { Database } from '../features/index.ts'
import { applyMigration, type StatementEvent } from './apply.ts'
import { createJournal, type JournalEntry, type Planned, planDown, planUp, readJournal } from './journal.ts'
import { MigrationError } from './migration-error.ts'
import { readMigrations } from './migration-files.ts'

export interface MigrationTarget {
  readonly db: Kysely<Database>
  readonly dialect: Dialect
  /** The folder of the migrations. */
  readonly dir: string
}
/** The pool needs two connections: one runs statements while the other renews the lock. */
export interface RunOptions extends MigrationTarget {
  /** Identifies this run, such as host, process and a few random characters. Unique; shown to runs that wait. */
  readonly holder: string
  /** Milliseconds to wait while another run holds the lock. */
  readonly lockTimeout?: number
  /** Milliseconds after which the lock of a killed run expires. */
  readonly lockTtl?: number
  /** Ends the wait for the lock, or the run before its next statement. */
  readonly signal?: AbortSignal | undefined
  /** Called once, when another run holds the lock. */
  readonly onWait?: (holder: string | null) => void
  /** Only plans: reads, and acquires no lock. */
  readonly dryRun?: boolean
  readonly onStatement?: ((event: StatementEvent) => void | Promise<void>) | undefined
}
export interface UpOptions extends RunOptions {
  /** The last number to apply. */
  readonly to?: number | undefined
}
export interface DownOptions extends RunOptions {
  /** Number of migrations to roll back. Default: 1. */
  readonly steps?: number
  /** Names of the migrations to roll back, newest first; the run fails when the newest ones are others. */
  readonly expected?: readonly string[]
}

export interface Applied {
  readonly number: number
  readonly name: string
  readonly direction: 'up' | 'down'
  /** Started by a run that was interrupted. */
  readonly resumed: boolean
  readonly statements: readonly { readonly change: string | null; readonly class: string | null; readonly sql: string }[]
}
export interface RunResult {
  /** The migrations that were run, or would be. */
  readonly applied: readonly Applied[]
}

/**
 * Applies the pending migrations.
 * @throws MigrationError LOCK_HELD, FILE_EDITED, FILE_MISSING, NUMBER_UNKNOWN, STATEMENT_FAILED and others of its codes; the
 * database's own error when it is unreachable
 */
export const up = (options: UpOptions): Promise<RunResult> =>
  run(options, async (journal) => planUp(await readMigrations(options.dir), journal, options.to))

/** Rolls back the newest migrations, including a partly applied one. @throws as `up`, and MigrationError PLAN_CHANGED */
export const down = (options: DownOptions): Promise<RunResult> =>
  run(options, async (journal) => {
    const planned = planDown(await readMigrations(options.dir), journal, options.steps ?? 1)
    const names = planned.map(({ file }) => file.name)
    if (options.expected === undefined || names.join() === options.expected.join()) return planned
    const message = `The latest migrations changed while you confirmed: ${names.join(', ') || 'none'}`
    throw new MigrationError('PLAN_CHANGED', message, { details: names })
  })

type MakePlan = (journal: readonly JournalEntry[]) => Promise<Planned[]>

async function run(options: RunOptions, makePlan: MakePlan): Promise<RunResult> {
  const { db, dialect, dryRun = false, onStatement, signal } = options
  if (!dialect.keepsMigrationFiles)
    throw new MigrationError('DIALECT_UNSUPPORTED', 'SQLite has no migration files: the daemon updates its schema at start')
  // Reports errors in the files before waiting for the lock.
  const planned = await makePlan(await readJournalIfAny(db, dialect))
  if (dryRun) return { applied: planned.map(toApplied) }
  const lease = await acquireLock(options)
  return withLease(lease, () =>
    withMigrationSession(db, async (connection) => {
      await createJournal(connection)
      // Again, under the lock: another run may have applied some since.
      const current = await makePlan(await readJournal(connection))
      for (const migration of current) await applyMigration({ db: connection, dialect, lease, onStatement, signal }, migration)
      return { applied: current.map(toApplied) }
    }),
  )
}

/** Empty before the first run. */
export async function readJournalIfAny(db: Kysely<Database>, dialect: Dialect): Promise<JournalEntry[]> {
  try {
    return await readJournal(db)
  } catch (error) {
    if (dialect.errors.isMissingTable(error)) return []
    throw error
  }
}

const toApplied = ({ file, direction, resumed }: Planned): Applied => ({
  number: file.number,
  name: file.name,
  direction,
  resumed,
  statements: file[direction].map(({ change, sql }) => ({ change: change?.name ?? null, class: change?.class ?? null, sql })),
})

const lockPollMs = 200

/** @throws MigrationError LOCK_HELD after `lockTimeout`, naming the holder */
async function acquireLock(options: RunOptions): Promise<Lease> {
  const { db, dialect, holder, lockTimeout = 60_000, lockTtl = 15_000, signal, onWait } = options
  const { errors, clock } = dialect
  const lock = { db, errors, clock, name: 'migrations', holder, ttl: lockTtl }
  await createLeaseTable(db)
  const deadline = AbortSignal.timeout(lockTimeout)
  let lease = await acquireLease(lock)
  if (!lease && lockTimeout > 0) onWait?.(await findLeaseHolder(lock))
  while (!lease) {
    if (deadline.aborted) {
      const other = await findLeaseHolder(lock)
      const details = other === null ? [] : [other]
      throw new MigrationError('LOCK_HELD', `Another migration run holds the lock: ${other ?? 'unknown'}`, { details })
    }
    await pause(lockPollMs, undefined, { signal })
    lease = await acquireLease(lock)
  }
  return lease
}

async function withLease<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
  let result: T
  try {
    result = await work()
  } catch (error) {
    // Reports the first failure; a lock that cannot be released expires.
    await lease.release().catch(() => undefined)
    throw error
  }
  await lease.release()
  return result
}

/** Short, because all later statements on the table queue behind a waiting one; a statement that times out is retried. */
const lockWaitSeconds = 5

/**
 * Runs `work` on one connection without a statement timeout, and restores the session's settings afterwards. MariaDB only
 * reads comments that begin with `M!`.
 */
function withMigrationSession<T>(db: Kysely<Database>, work: (connection: Kysely<Database>) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ lockWait: number; timeout?: number }>`select @@session.lock_wait_timeout as lockWait
      /*M! , @@session.max_statement_time as timeout */`.execute(connection)
    await setTimeouts(connection, lockWaitSeconds, 0)
    try {
      return await work(connection)
    } finally {
      // A lost connection has no settings to restore.
      await setTimeouts(connection, rows[0]?.lockWait ?? lockWaitSeconds, rows[0]?.timeout ?? 0).catch(() => undefined)
    }
  })
}

const setTimeouts = (connection: Kysely<Database>, lockWait: number, statement: number) =>
  sql`set session lock_wait_timeout = ${sql.lit(lockWait)} /*M! , max_statement_time = ${sql.lit(statement)} */`.execute(
    connection,
  )
