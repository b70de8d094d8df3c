/** The tables of the migrator itself, and whether tables of another program have their names. */
import { type Kysely, sql } from 'kysely'
import type { DatabaseErrors } from '../core/app.ts'
import type { Database } from '../features/index.ts'
import { hasProperty } from '../lib/driver-errors.ts'
import { MigrationError } from './migration-error.ts'

/** The columns of the first version of each table: a later version has more. */
const ownTables: Readonly<Record<string, readonly string[]>> = {
  latchkey_migration: ['number', 'name', 'checksum', 'direction', 'startedAt', 'appliedAt'],
  latchkey_migration_statement: ['migration', 'direction', 'position', 'checksum', 'state'],
  latchkey_lease: ['name', 'holder', 'expiresAt'],
  latchkey_daemon: ['id', 'host', 'process', 'generation', 'uses', 'seenAt'],
  latchkey_made: ['part'],
}

export const ownTableNames: readonly string[] = Object.keys(ownTables)

/** Unknown column: by the number of MySQL, by the message of SQLite. */
const isMissingColumn = (error: unknown): boolean =>
  hasProperty(error, 'errno', [1054]) || (error instanceof Error && error.message.startsWith('no such column'))

/** @throws MigrationError NAMES_TAKEN with the tables that are not the migrator's, although they have its names */
export async function checkOwnTables(db: Kysely<Database>, errors: Pick<DatabaseErrors, 'isMissingTable'>): Promise<void> {
  const foreign: string[] = []
  for (const [name, columns] of Object.entries(ownTables)) if (await isForeign(db, errors, name, columns)) foreign.push(name)
  if (foreign.length > 0) throw namesTaken(foreign.map((name) => `table ${name}`))
}

async function isForeign(
  db: Kysely<Database>,
  errors: Pick<DatabaseErrors, 'isMissingTable'>,
  name: string,
  columns: readonly string[],
): Promise<boolean> {
  try {
    await sql`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)} where 1 = 0`.execute(db)
    return false
  } catch (error) {
    if (errors.isMissingTable(error)) return false
    if (isMissingColumn(error)) return true
    throw error
  }
}

/** What exists under a name that a migration needs. */
export interface Taken {
  /** `user`, `user.balance`. */
  readonly path: string
  readonly kind: 'table' | 'view' | 'column' | 'index' | 'foreign-key'
}

export const describeTaken = ({ path, kind }: Taken): string => `${kind.replace('-', ' ')} ${path}`

/** @param names with their kinds, as in `table user`, `column user.balance` */
export function namesTaken(names: readonly string[]): MigrationError {
  const message = `The database already has what the migrations create, and Latchkey did not create it: ${names.join(', ')}. Nothing was changed`
  return new MigrationError('NAMES_TAKEN', message, { details: names })
}
