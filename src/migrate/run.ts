/** `up` and `down`: one process at a time on any number of machines, resumable at every statement. MySQL and MariaDB only. */
import type { Kysely } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import type { Database } from '../features/index.ts'
import { applyMigration, type StatementEvent } from './apply.ts'
import { MigrationFault } from './errors.ts'
import { readMigrations } from './files.ts'
import { createJournal, type JournalEntry, readJournal } from './journal.ts'
import { type LockOptions, withLock } from './lock.ts'
import { type Planned, planDown, planUp } from './plan.ts'
import { withSchemaSession } from './session.ts'

export interface MigrationTarget {
  readonly db: Kysely<Database>
  readonly dialect: Dialect
  /** The folder of the migrations. */
  readonly dir: string
}
/** The pool needs two connections: one works while the other renews the lock. */
export interface RunOptions extends MigrationTarget, LockOptions {
  /** Only plan: reads, and takes no lock. */
  readonly dryRun?: boolean
  readonly onStatement?: (event: StatementEvent) => void | Promise<void>
}
export interface UpOptions extends RunOptions {
  /** The last number to apply. */
  readonly to?: number | undefined
}
export interface DownOptions extends RunOptions {
  /** Migrations to take back; 1 when left out. */
  readonly steps?: number
  /** Names of those that are meant, newest first: others, applied or taken back meanwhile, are left alone. */
  readonly expected?: readonly string[]
}

export interface Applied {
  readonly number: number
  readonly name: string
  readonly direction: 'up' | 'down'
  /** Begun by a run that did not come to its end. */
  readonly resumed: boolean
  readonly statements: readonly { readonly change: string | null; readonly class: string | null; readonly sql: string }[]
}
export interface RunResult {
  /** What was done, or would be; empty when there is nothing to do. */
  readonly applied: readonly Applied[]
}

/**
 * Applies what is pending.
 * @throws MigrationFault LOCK_HELD, FILE_EDITED, FILE_MISSING, NUMBER_UNKNOWN, STATEMENT_FAILED and others of its codes; the
 * database's own error when it is away
 */
export const up = (options: UpOptions): Promise<RunResult> =>
  run(options, async (journal) => planUp(await readMigrations(options.dir), journal, options.to))

/** Takes back the newest migrations, also one that was applied in part. @throws as `up` */
export const down = (options: DownOptions): Promise<RunResult> =>
  run(options, async (journal) =>
    refuseOthers(planDown(await readMigrations(options.dir), journal, options.steps ?? 1), options.expected),
  )

/** @throws MigrationFault PLAN_CHANGED */
function refuseOthers(planned: Planned[], expected: readonly string[] | undefined): Planned[] {
  const names = planned.map(({ file }) => file.name)
  if (expected === undefined || names.join() === expected.join()) return planned
  throw new MigrationFault('PLAN_CHANGED', `Meanwhile the newest migrations are others: ${names.join(', ') || 'none'}`, {
    details: names,
  })
}

type MakePlan = (journal: readonly JournalEntry[]) => Promise<Planned[]>

async function run(options: RunOptions, makePlan: MakePlan): Promise<RunResult> {
  const { db, dialect, dryRun = false, onStatement, signal } = options
  if (dialect.name !== 'mysql')
    throw new MigrationFault('DIALECT_UNSUPPORTED', 'A SQLite file follows the declared schema without migration files')
  if (dryRun) return { applied: (await makePlan(await readJournalIfAny(db, dialect))).map(describe) }
  // Mistakes in the files are told before anybody waits for anything.
  await makePlan(await readJournalIfAny(db, dialect))
  return withLock(options, (lease) =>
    withSchemaSession(db, async (connection) => {
      await createJournal(connection)
      const planned = await makePlan(await readJournal(connection))
      for (const migration of planned) await applyMigration({ db: connection, dialect, lease, onStatement, signal }, migration)
      return { applied: planned.map(describe) }
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

const describe = ({ file, direction, resumed }: Planned): Applied => ({
  number: file.number,
  name: file.name,
  direction,
  resumed,
  statements: file[direction].map(({ change, sql }) => ({ change: change?.name ?? null, class: change?.class ?? null, sql })),
})
