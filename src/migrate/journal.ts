/**
 * The journal of applied migrations, with the progress of an interrupted run (MySQL and MariaDB cannot roll back a change of a
 * table), and the plans that follow from it.
 */
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import type { DatabaseClock } from '../adapters/database/lease.ts'
import { ownTableOptions } from '../core/own-table.ts'
import type { Database } from '../features/index.ts'
import { MigrationError, rejectAny } from './migration-error.ts'
import { type FileStatement, type MigrationFile, newestSchema } from './migration-files.ts'
import { checkOwnTables } from './own-tables.ts'
import type { Schema } from './schema.ts'

type Direction = 'up' | 'down'

export interface JournalEntry {
  readonly number: number
  readonly name: string
  readonly checksum: string
  readonly direction: Direction
  readonly startedAt: Date
  /** Null while it is being applied or rolled back. */
  readonly appliedAt: Date | null
  /** The operator; null for a migration that an earlier version applied. */
  readonly appliedBy: string | null
}
export interface JournalStatement {
  readonly position: number
  readonly checksum: string
  /**
   * `making`: started after a check that what it makes did not exist. `started`: every other statement that was started.
   * `adopted`: what it makes existed before, and is never dropped by a rollback.
   */
  readonly state: 'started' | 'making' | 'done' | 'adopted'
}

const migrations = sql.table('latchkey_migration')
const statements = sql.table('latchkey_migration_statement')
const [startedAt, appliedAt] = [sql.ref('startedAt'), sql.ref('appliedAt')]
const [appliedBy, number] = [sql.ref('appliedBy'), sql.ref('number')]

export async function createJournal(db: Kysely<Database>): Promise<void> {
  const text = (length: number) => sql.raw(`varchar(${length}) not null`)
  await sql`create table if not exists ${migrations} (
    ${number} int not null primary key, name varchar(255) not null, checksum ${text(64)}, direction ${text(4)},
    ${startedAt} datetime(3) not null, ${appliedAt} datetime(3) null, ${appliedBy} varchar(255) null
  ) ${ownTableOptions}`.execute(db)
  await addOperator(db)
  await sql`create table if not exists ${statements} (
    migration int not null, direction ${text(4)}, position int not null, checksum ${text(64)}, state ${text(8)},
    primary key (migration, direction, position)
  ) ${ownTableOptions}`.execute(db)
}

/** A journal of an earlier version has no column for the operator. */
async function addOperator(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql`show columns from ${migrations} where field = 'appliedBy'`.execute(db)
  if (rows.length === 0) await sql`alter table ${migrations} add column ${appliedBy} varchar(255) null`.execute(db)
}

/** In the order of their numbers. @throws the database's error when there is no journal yet */
export async function readJournal(db: Kysely<Database>): Promise<JournalEntry[]> {
  // All columns, because an earlier version had fewer.
  const { rows } = await sql<JournalEntry>`select * from ${migrations} order by ${number}`.execute(db)
  return rows.map((row) => ({ ...row, appliedBy: row.appliedBy ?? null }))
}

/** Empty before the first run. @throws MigrationError NAMES_TAKEN when another program has a table of the journal's name */
export async function readJournalIfAny(db: Kysely<Database>, dialect: Dialect): Promise<JournalEntry[]> {
  await checkOwnTables(db, dialect.errors)
  try {
    return await readJournal(db)
  } catch (error) {
    if (dialect.errors.isMissingTable(error)) return []
    throw error
  }
}

export async function readStatements(db: Kysely<Database>, migration: number, direction: Direction): Promise<JournalStatement[]> {
  const { rows } = await sql<JournalStatement>`select position, checksum, state from ${statements}
    where migration = ${migration} and direction = ${direction} order by position`.execute(db)
  return rows
}

/** Records that a migration is in progress. A file that was fixed after a failure gets its new checksum. */
export async function startMigration(
  db: Kysely<Database>,
  clock: DatabaseClock,
  { file, direction }: Pick<Planned, 'file' | 'direction'>,
  operator: string,
): Promise<void> {
  const { number: migration, name, checksum } = file
  const progress = sql`checksum = ${checksum}, direction = ${direction}, ${appliedAt} = null, ${appliedBy} = ${operator}`
  await sql`insert into ${migrations} set ${number} = ${migration}, name = ${name}, ${startedAt} = ${clock.now}, ${progress}
    on duplicate key update ${progress}`.execute(db)
}

export async function finishMigration(
  db: Kysely<Database>,
  clock: DatabaseClock,
  { number: migration }: MigrationFile,
  direction: Direction,
): Promise<void> {
  if (direction === 'up') {
    await sql`update ${migrations} set ${appliedAt} = ${clock.now} where ${number} = ${migration}`.execute(db)
    return
  }
  await sql`delete from ${statements} where migration = ${migration}`.execute(db)
  await sql`delete from ${migrations} where ${number} = ${migration}`.execute(db)
}

export interface StatementKey {
  readonly migration: number
  readonly direction: Direction
  readonly position: number
}

export async function recordState(
  db: Kysely<Database>,
  { migration, direction, position }: StatementKey,
  { checksum }: Pick<FileStatement, 'checksum'>,
  state: JournalStatement['state'],
): Promise<void> {
  await sql`insert into ${statements} (migration, direction, position, checksum, state)
    values (${migration}, ${direction}, ${position}, ${checksum}, ${state})
    on duplicate key update checksum = ${checksum}, state = ${state}`.execute(db)
}

/** For a statement that the server has rejected. */
export async function discardStatement(db: Kysely<Database>, { migration, direction, position }: StatementKey): Promise<void> {
  await sql`delete from ${statements}
    where migration = ${migration} and direction = ${direction} and position = ${position}`.execute(db)
}

/** Numbers of the migrations of which at least one statement was adopted. */
export async function findAdopted(db: Kysely<Database>): Promise<number[]> {
  const { rows } = await sql<{ migration: number }>`select distinct migration from ${statements} where state = 'adopted'`.execute(
    db,
  )
  return rows.map(({ migration }) => migration)
}

export interface Planned {
  readonly file: MigrationFile
  readonly direction: 'up' | 'down'
  /** Started by a run that was interrupted. */
  readonly resumed: boolean
  /** Whether the journal has an entry of it. */
  readonly isRecorded: boolean
  /** The schema that it starts from. */
  readonly base: Schema
  /** The schema that it leads to. */
  readonly target: Schema
  /** Statements up, of this and earlier files, that were written by hand. */
  readonly byHand: readonly string[]
}

function plan(files: readonly MigrationFile[], file: MigrationFile, direction: 'up' | 'down', entry?: JournalEntry): Planned {
  const before = newestSchema(files.slice(0, file.number - 1))
  const statements = files.slice(0, file.number).flatMap(({ up }) => up)
  return {
    file,
    direction,
    resumed: entry?.appliedAt === null && entry.direction === direction,
    isRecorded: entry !== undefined,
    ...(direction === 'up' ? { base: before, target: file.schema } : { base: file.schema, target: before }),
    byHand: statements.flatMap(({ change, sql }) => (change === null ? [sql] : [])),
  }
}

/**
 * First completes an interrupted rollback, then applies that migration again.
 * @param to the last number to apply; default: all
 * @throws MigrationError NUMBER_UNKNOWN, FILE_MISSING, FILE_EDITED
 */
export function planUp(files: readonly MigrationFile[], journal: readonly JournalEntry[], to = files.length): Planned[] {
  if (to !== 0 && !files[to - 1]) throw new MigrationError('NUMBER_UNKNOWN', `There is no migration ${to}`)
  checkApplied(files, journal)
  const reverting = journal.filter((entry) => entry.appliedAt === null && entry.direction === 'down').toReversed()
  const pending = findPending(files, journal).filter((file) => file.number <= to)
  return [
    ...reverting.flatMap((entry) => fileOf(files, entry.number).map((file) => plan(files, file, 'down', entry))),
    ...pending.map((file) => {
      // A rollback that is completed first removes the entry.
      const entry = journal.find(({ number, direction }) => number === file.number && direction === 'up')
      return plan(files, file, 'up', entry)
    }),
  ]
}

/** @param steps number of migrations, from the newest; an interrupted one counts */
export function planDown(files: readonly MigrationFile[], journal: readonly JournalEntry[], steps: number): Planned[] {
  checkApplied(files, journal)
  const entries = journal.toReversed().slice(0, steps)
  return entries.flatMap((entry) => fileOf(files, entry.number).map((file) => plan(files, file, 'down', entry)))
}

/** Files that are not completely applied. */
export const findPending = (files: readonly MigrationFile[], journal: readonly JournalEntry[]): MigrationFile[] =>
  files.filter((file) => !journal.some(({ number, appliedAt }) => number === file.number && appliedAt !== null))

export const findEdited = (files: readonly MigrationFile[], journal: readonly JournalEntry[]): string[] =>
  journal
    .filter(
      ({ number, appliedAt, checksum }) => appliedAt !== null && fileOf(files, number).some((file) => file.checksum !== checksum),
    )
    .map(({ name }) => name)

export const findMissing = (files: readonly MigrationFile[], journal: readonly JournalEntry[]): string[] =>
  journal.filter(({ number, name }) => !fileOf(files, number).some((file) => file.name === name)).map(({ name }) => name)

const fileOf = (files: readonly MigrationFile[], number: number): MigrationFile[] => files.slice(number - 1, number)

/** @throws MigrationError FILE_MISSING, FILE_EDITED */
export function checkApplied(files: readonly MigrationFile[], journal: readonly JournalEntry[]): void {
  rejectAny('FILE_MISSING', 'Applied migrations are missing from the folder', findMissing(files, journal))
  rejectAny('FILE_EDITED', 'Migrations were changed after they were applied', findEdited(files, journal))
}

/**
 * An interrupted migration may be edited only after the statements that have been executed.
 * @throws MigrationError FILE_EDITED
 */
export function checkResumed(
  { file, direction }: Pick<Planned, 'file' | 'direction'>,
  recorded: readonly JournalStatement[],
): void {
  const edited = recorded.find(
    ({ position, checksum, state }) =>
      (state === 'done' || state === 'adopted') && file[direction][position]?.checksum !== checksum,
  )
  if (!edited) return
  const message = `${file.name} was interrupted, and its statement ${edited.position + 1} was changed after it had been executed`
  throw new MigrationError('FILE_EDITED', message, { details: [file.name] })
}
