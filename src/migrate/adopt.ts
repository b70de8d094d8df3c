/** Records migrations whose tables exist already, such as those of a restored dump without its journal. Executes none of them. */
import type { Kysely } from 'kysely'
import type { Database } from '../features/index.ts'
import { introspect } from './introspect.ts'
import {
  checkApplied,
  createJournal,
  findPending,
  finishMigration,
  type JournalEntry,
  readJournal,
  readStatements,
  recordState,
  startMigration,
} from './journal.ts'
import { MigrationError } from './migration-error.ts'
import { type MigrationFile, readMigrations } from './migration-files.ts'
import { type MigrationTarget, type RunOptions, readJournalIfAny, refuseDenied, requireFiles, withLock } from './run.ts'
import { createServingTable } from './serving.ts'
import { findDifferences } from './status.ts'

export interface Adopted {
  readonly number: number
  readonly name: string
  /** Statements written by hand, whose effect cannot be compared. */
  readonly byHand: readonly string[]
}
export interface AdoptResult {
  readonly adopted: readonly Adopted[]
}

/**
 * Adopts the pending migrations up to the newest one of which the database has exactly the schema.
 * @throws MigrationError SHAPE_DIFFERS with all differences to the newest migration, and as `up`
 */
export async function adopt(options: RunOptions): Promise<AdoptResult> {
  const { db, dialect, dryRun = false } = options
  requireFiles(dialect)
  const files = await findAdoptable(options, await readJournalIfAny(db, dialect))
  if (dryRun || files.length === 0) return { adopted: files.map(toAdopted) }
  return refuseDenied(db, () =>
    withLock(options, async () => {
      await createJournal(db)
      await createServingTable(db)
      // Again, under the lock: another run may have applied some since.
      const current = await findAdoptable(options, await readJournal(db))
      await db.transaction().execute(async (transaction) => {
        for (const file of current) await record(transaction, options, file)
      })
      return { adopted: current.map(toAdopted) }
    }),
  )
}

async function findAdoptable(target: MigrationTarget, journal: readonly JournalEntry[]): Promise<MigrationFile[]> {
  const { db, dialect, dir } = target
  const files = await readMigrations(dir)
  checkApplied(files, journal)
  const reverting = journal.find(({ appliedAt, direction }) => appliedAt === null && direction === 'down')
  if (reverting) {
    const message = `The rollback of ${reverting.name} is not complete. Complete it with latchkey migrate down`
    throw new MigrationError('SHAPE_DIFFERS', message, { details: [reverting.name] })
  }
  const pending = findPending(files, journal)
  const [newest] = pending.toReversed()
  if (!newest) return []
  for (const file of pending.toReversed()) {
    const live = await introspect(db, dialect, Object.keys(file.schema.tables))
    if (findDifferences(live, file.schema).length === 0) return pending.filter(({ number }) => number <= file.number)
  }
  const live = await introspect(db, dialect, Object.keys(newest.schema.tables))
  const differences = findDifferences(live, newest.schema).map(({ message }) => message)
  const message = `The database does not have exactly the tables of ${newest.name}. Nothing was changed. ${differences.join('. ')}`
  throw new MigrationError('SHAPE_DIFFERS', message, { details: differences })
}

/** What an interrupted run has done stays recorded as done. */
async function record(db: Kysely<Database>, { dialect, operator, holder }: RunOptions, file: MigrationFile): Promise<void> {
  const { number: migration } = file
  await startMigration(db, dialect.clock, { file, direction: 'up' }, operator ?? holder)
  const recorded = await readStatements(db, migration, 'up')
  for (const [position, statement] of file.up.entries()) {
    if (recorded.some((other) => other.position === position && other.state === 'done')) continue
    await recordState(db, { migration, direction: 'up', position }, statement, 'adopted')
  }
  await finishMigration(db, dialect.clock, file, 'up')
}

const toAdopted = ({ number, name, up }: MigrationFile): Adopted => ({
  number,
  name,
  byHand: up.flatMap(({ change, sql }) => (change === null ? [sql] : [])),
})
