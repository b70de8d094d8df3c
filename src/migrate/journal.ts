/** What was applied, and how far an interrupted run has come: neither MySQL nor MariaDB can take back a change of a table. */
import { type Kysely, sql } from 'kysely'
import type { DatabaseClock } from '../core/lease.ts'
import type { Database } from '../features/index.ts'
import type { FileStatement, MigrationFile } from './files.ts'

type Direction = 'up' | 'down'

export interface JournalEntry {
  readonly number: number
  readonly name: string
  readonly checksum: string
  readonly direction: Direction
  /** Null while it is under way, in either direction. */
  readonly appliedAt: Date | null
}
export interface JournalStatement {
  readonly position: number
  readonly checksum: string
  readonly state: 'started' | 'done'
}

const migrations = sql.table('latchkey_migration')
const statements = sql.table('latchkey_migration_statement')
const [startedAt, appliedAt, number] = [sql.ref('startedAt'), sql.ref('appliedAt'), sql.ref('number')]

export async function createJournal(db: Kysely<Database>): Promise<void> {
  const text = (length: number) => sql.raw(`varchar(${length}) not null`)
  await sql`create table if not exists ${migrations} (
    ${number} int not null primary key, name varchar(255) not null, checksum ${text(64)}, direction ${text(4)},
    ${startedAt} datetime(3) not null, ${appliedAt} datetime(3) null
  ) engine=InnoDB`.execute(db)
  await sql`create table if not exists ${statements} (
    migration int not null, direction ${text(4)}, position int not null, checksum ${text(64)}, state ${text(8)},
    primary key (migration, direction, position)
  ) engine=InnoDB`.execute(db)
}

/** In order of their numbers. @throws the database's error when there is no journal yet */
export async function readJournal(db: Kysely<Database>): Promise<JournalEntry[]> {
  const { rows } =
    await sql<JournalEntry>`select ${number}, name, checksum, direction, ${appliedAt} from ${migrations} order by ${number}`.execute(
      db,
    )
  return rows
}

export async function readStatements(db: Kysely<Database>, migration: number, direction: Direction): Promise<JournalStatement[]> {
  const { rows } = await sql<JournalStatement>`select position, checksum, state from ${statements}
    where migration = ${migration} and direction = ${direction} order by position`.execute(db)
  return rows
}

/** Notes that a migration is under way. A file that was mended after a failure gets its new checksum. */
export async function beginMigration(
  db: Kysely<Database>,
  clock: DatabaseClock,
  file: MigrationFile,
  direction: Direction,
): Promise<void> {
  const { number: migration, name, checksum } = file
  const noted =
    await sql`update ${migrations} set checksum = ${checksum}, direction = ${direction}, ${appliedAt} = null where ${number} = ${migration}`.execute(
      db,
    )
  if (noted.numAffectedRows) return
  await sql`insert into ${migrations} (${number}, name, checksum, direction, ${startedAt}, ${appliedAt})
    values (${migration}, ${name}, ${checksum}, ${direction}, ${clock.now}, null)`.execute(db)
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

export interface Place {
  readonly migration: number
  readonly direction: Direction
  readonly position: number
}

export async function noteStarted(db: Kysely<Database>, place: Place, { checksum }: FileStatement): Promise<void> {
  const { migration, direction, position } = place
  const noted = await sql`update ${statements} set checksum = ${checksum}, state = 'started'
    where migration = ${migration} and direction = ${direction} and position = ${position}`.execute(db)
  if (noted.numAffectedRows) return
  await sql`insert into ${statements} (migration, direction, position, checksum, state)
    values (${migration}, ${direction}, ${position}, ${checksum}, 'started')`.execute(db)
}

export async function noteDone(db: Kysely<Database>, { migration, direction, position }: Place): Promise<void> {
  await sql`update ${statements} set state = 'done'
    where migration = ${migration} and direction = ${direction} and position = ${position}`.execute(db)
}
