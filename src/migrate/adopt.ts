/** Records migrations whose tables exist already, such as those of a restored dump without its journal. Executes none of them. */
import type { Kysely } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import type { Database } from '../features/index.ts'
import { introspect } from './introspect.ts'
import {
  checkApplied,
  createJournal,
  findPending,
  finishMigration,
  type JournalEntry,
  readJournal,
  readJournalIfAny,
  readStatements,
  recordState,
  startMigration,
} from './journal.ts'
import { partsOf, readOwnership, recordMade } from './made.ts'
import { MigrationError } from './migration-error.ts'
import { type MigrationFile, readMigrations } from './migration-files.ts'
import { checkOwnTables } from './own-tables.ts'
import { createOwnTables } from './push.ts'
import { type MigrationTarget, type RunOptions, refuseDenied, requireFiles, withLock } from './run.ts'
import type { Schema } from './schema.ts'
import { createServingTable } from './serving-table.ts'
import { type Difference, findDifferences } from './status.ts'

export interface Adopted {
  readonly number: number
  readonly name: string
  /** Statements written by hand, whose effect cannot be compared. */
  readonly byHand: readonly string[]
}
export interface AdoptEmbeddedOptions {
  readonly db: Kysely<Database>
  readonly dialect: Dialect
  readonly schema: Schema
  readonly dryRun?: boolean
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
      // The tables exist, so that daemons may use them.
      await createServingTable(db, true)
      // Again, under the lock: another run may have applied some since.
      const current = await findAdoptable(options, await readJournal(db))
      await db.transaction().execute(async (transaction) => {
        for (const file of current)
          await recordAdopted(transaction, { dialect, operator: options.operator ?? options.holder }, file)
      })
      return { adopted: current.map(toAdopted) }
    }),
  )
}

/**
 * Records the tables of an embedded database as Latchkey's, if they have exactly the declared shape.
 * @returns their names; none when all are recorded
 * @throws MigrationError SHAPE_DIFFERS, NAMES_TAKEN
 */
export async function adoptEmbedded(options: AdoptEmbeddedOptions): Promise<readonly string[]> {
  const { db, dialect, schema, dryRun = false } = options
  await checkOwnTables(db, dialect.errors)
  return db.transaction().execute(async (transaction) => {
    const { live, recorded } = await readOwnership(transaction, dialect, schema, [])
    if (partsOf(schema).every((part) => recorded.has(part))) return []
    rejectDifferences(findDifferences(live.schema, schema), 'the configuration')
    if (!dryRun) {
      await createOwnTables(transaction)
      await recordMade(transaction, schema, recorded)
    }
    return Object.keys(schema.tables).toSorted()
  })
}

function rejectDifferences(found: readonly Difference[], name: string): void {
  if (found.length === 0) return
  const details = found.map(({ message }) => message)
  const message = `The database does not have exactly the tables of ${name}. Nothing was changed. ${details.join('. ')}`
  throw new MigrationError('SHAPE_DIFFERS', message, { details })
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
  rejectDifferences(findDifferences(live, newest.schema), newest.name)
  return pending
}

/** What an interrupted run has done stays recorded as done. */
export async function recordAdopted(
  db: Kysely<Database>,
  { dialect, operator }: { readonly dialect: Dialect; readonly operator: string },
  file: MigrationFile,
): Promise<void> {
  const { number: migration } = file
  await startMigration(db, dialect.clock, { file, direction: 'up' }, operator)
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
