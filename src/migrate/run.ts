/** `up` and `down`: one run at a time on any number of machines, resumable at every statement. MySQL and MariaDB only. */
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import { acquireLease, createLeaseTable, findLeaseHolder, hasLeaseTable, type Lease } from '../adapters/database/lease.ts'
import type { Database } from '../features/index.ts'
import { isDenied } from '../lib/driver-errors.ts'
import { errorReason } from '../lib/redact.ts'
import { applyMigration, type StatementEvent } from './apply.ts'
import { type LongTransaction, type Session, withMigrationSession } from './execute.ts'
import { createJournal, type JournalEntry, type Planned, planDown, planUp, readJournalIfAny } from './journal.ts'
import { MigrationError } from './migration-error.ts'
import { readMigrations } from './migration-files.ts'
import { type Prepared, prepare } from './ownership.ts'
import type { UseCheck } from './serving.ts'
import { createServingTable } from './serving-table.ts'

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
  /** Who runs it, such as `deploy@web-1`, for the journal. Default: the holder. */
  readonly operator?: string
  /** Milliseconds to wait while another run holds the lock, and for workers that are being replaced. */
  readonly lockTimeout?: number
  /** Milliseconds after which the lock of a killed run expires. */
  readonly lockTtl?: number
  /** Ends the wait for the lock, or the run before its next statement. */
  readonly signal?: AbortSignal | undefined
  /** Called once, when another run holds the lock. */
  readonly onWait?: (holder: string | null) => void
  /** Called before a change of a table, with transactions that may keep it waiting. */
  readonly onLongTransactions?: ((found: readonly LongTransaction[]) => void) | undefined
  /** Only plans: reads, and acquires no lock. */
  readonly dryRun?: boolean
  /** Names of uses by running daemons that are accepted, as in `in-use:user.nickname`. */
  readonly acknowledge?: readonly string[]
  /** Called when workers that their daemon is replacing still use what the next statement drops. */
  readonly onServing?: UseCheck['onWait']
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
  /** Statements of a rollback that are not executed, because Latchkey did not do what they undo. */
  readonly kept: readonly { readonly change: string | null; readonly sql: string }[]
}
export interface RunResult {
  /** The migrations that were run, or would be. */
  readonly applied: readonly Applied[]
}

/**
 * Applies the pending migrations.
 * @throws MigrationError LOCK_HELD, IN_USE, DATABASE_REFUSED, FILE_EDITED, FILE_MISSING, NUMBER_UNKNOWN, STATEMENT_FAILED and others of its codes; the
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
  const { db, dialect, dryRun = false } = options
  requireFiles(dialect)
  if (dryRun)
    return readUnlocked(options, async (journal) => ({
      applied: (await prepare(db, dialect, await makePlan(journal))).map(toApplied),
    }))
  // Reports errors in the files before waiting for the lock.
  const planned = await makePlan(await readJournalIfAny(db, dialect))
  // Before the lock, so that an account without the right to create its table can run this when nothing is pending.
  if (planned.length === 0) return { applied: [] }
  await checkUnlocked(db, dialect, planned)
  const runAll = (lease: Lease) => withMigrationSession(db, (session) => runIn(session, options, lease, makePlan))
  return refuseDenied(db, () => withLock(options, runAll))
}

/**
 * A refusal before the first run leaves no table behind. Later, what is found may be from a run under way: the check under the lock
 * decides.
 */
async function checkUnlocked(db: Kysely<Database>, dialect: Dialect, planned: readonly Planned[]): Promise<void> {
  try {
    await prepare(db, dialect, planned)
  } catch (error) {
    if (!(await hasLeaseTable(db, dialect.errors))) throw error
  }
}

/** @throws MigrationError DIALECT_UNSUPPORTED */
export function requireFiles({ keepsMigrationFiles }: Dialect): void {
  if (keepsMigrationFiles) return
  throw new MigrationError('DIALECT_UNSUPPORTED', 'SQLite has no migration files: the daemon updates its schema at start')
}

/** @throws MigrationError DATABASE_REFUSED when the account has no right to what `work` does */
export async function refuseDenied<T>(db: Kysely<Database>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isDenied(error) ? await toRefusal(db, error) : error
  }
}

async function runIn(session: Session, options: RunOptions, lease: Lease, makePlan: MakePlan): Promise<RunResult> {
  const { dialect, signal, onStatement, onLongTransactions } = options
  const { connection } = session
  const journal = await readJournalIfAny(connection, dialect)
  // Again, under the lock: another run may have applied some since.
  const current = await prepare(connection, dialect, await makePlan(journal))
  await createJournal(connection)
  await createServingTable(connection, journal.length > 0)
  const operator = options.operator ?? options.holder
  const applying = { session, dialect, operator, lease, onStatement, onLongTransactions, signal, useCheck: toUseCheck(options) }
  const applied: string[] = []
  for (const migration of current) {
    await applyMigration(applying, migration).catch((error: unknown) => {
      throw isInUse(error) && applied.length > 0 ? withApplied(error, applied) : error
    })
    applied.push(migration.file.name)
  }
  return { applied: current.map(toApplied) }
}

const isInUse = (error: unknown): error is MigrationError => error instanceof MigrationError && error.code === 'IN_USE'

const withApplied = ({ code, message, details }: MigrationError, applied: readonly string[]) =>
  new MigrationError(code, `${message}. Applied before it: ${applied.join(', ')}`, { details })

async function toRefusal(db: RunOptions['db'], cause: unknown): Promise<MigrationError> {
  const { rows } = await sql<{ account: string }>`select current_user() as account`.execute(db)
  const message = `The account ${rows[0]?.account ?? ''} is not allowed to change tables: ${errorReason(cause)}`
  return new MigrationError('DATABASE_REFUSED', message, { cause })
}

const toUseCheck = ({
  db,
  dialect,
  signal,
  acknowledge = [],
  lockTimeout = defaultLockTimeoutMs,
  onServing,
}: RunOptions): UseCheck => {
  const { clock, errors } = dialect
  return { db, clock, errors, acknowledge, signal, timeout: lockTimeout, onWait: onServing }
}

/**
 * Reads without the lock, and once more whenever the result is an error or `isInDoubt` and another run has changed the journal: what is
 * found may be what that run has just made.
 */
export async function readUnlocked<T>(
  { db, dialect }: Pick<MigrationTarget, 'db' | 'dialect'>,
  read: (journal: readonly JournalEntry[]) => Promise<T>,
  isInDoubt: (result: T) => boolean = () => false,
): Promise<T> {
  for (let journal = await readJournalIfAny(db, dialect); ; ) {
    const [outcome] = await Promise.allSettled([read(journal)])
    const isCertain = outcome.status === 'fulfilled' && !isInDoubt(outcome.value)
    const current = isCertain ? journal : await readJournalIfAny(db, dialect)
    if (isDeepStrictEqual(current, journal)) {
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    }
    journal = current
  }
}

const toApplied = ({ file, direction, resumed, kept }: Prepared): Applied => ({
  number: file.number,
  name: file.name,
  direction,
  resumed,
  statements: file[direction]
    .filter((statement) => !kept.some((task) => task.statement === statement))
    .map(({ change, sql }) => ({ change: change?.name ?? null, class: change?.class ?? null, sql })),
  kept: kept.map(({ statement: { change, sql } }) => ({ change: change?.name ?? null, sql })),
})

const lockPollMs = 200
const defaultLockTimeoutMs = 60_000

async function acquireLock(options: RunOptions): Promise<Lease> {
  const { db, dialect, holder, lockTimeout = defaultLockTimeoutMs, lockTtl = 15_000, signal, onWait } = options
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

/** @throws MigrationError LOCK_HELD after `lockTimeout`, naming the holder */
export async function withLock<T>(options: RunOptions, work: (lease: Lease) => Promise<T>): Promise<T> {
  const lease = await acquireLock(options)
  let result: T
  try {
    result = await work(lease)
  } catch (error) {
    // Reports the first failure; a lock that cannot be released expires.
    await lease.release().catch(() => undefined)
    throw error
  }
  await lease.release()
  return result
}
