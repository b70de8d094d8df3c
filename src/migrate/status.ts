/** Everything that is not as it should be, as data. Reads only. */
import type { Kysely } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import type { Database } from '../features/index.ts'
import { type Change, toChange } from './changes.ts'
import { diffSchemas } from './diff.ts'
import { type Difference, findDifferences } from './drift.ts'
import { type MigrationFile, newestSchema, readMigrations } from './files.ts'
import { introspect } from './introspect.ts'
import type { JournalEntry } from './journal.ts'
import { findEdited, findMissing, findPending } from './plan.ts'
import { type MigrationTarget, readJournalIfAny } from './run.ts'
import type { Schema } from './schema.ts'

export interface StatusOptions extends MigrationTarget {
  readonly schema: Schema
}
export interface Status {
  /** Declared, but in no migration. */
  readonly ungenerated: readonly Change[]
  /** Names of files that are not applied. */
  readonly pending: readonly string[]
  /** Under way in a run that did not come to its end, or has not yet. */
  readonly interrupted: readonly { readonly name: string; readonly direction: 'up' | 'down' }[]
  /** Names of files that were changed after they were applied. */
  readonly edited: readonly string[]
  /** Names of applied files that are no longer there. */
  readonly missing: readonly string[]
  /** How the database differs from what was applied; on SQLite, from what is declared. */
  readonly drift: readonly Difference[]
  /** How many migrations are applied. */
  readonly applied: number
}

/** @throws MigrationFault FILES_INVALID; the database's error when it is away */
export async function status({ db, dialect, dir, schema }: StatusOptions): Promise<Status> {
  if (dialect.name === 'sqlite') return statusWithoutFiles(db, dialect, schema)
  const files = await readMigrations(dir)
  const journal = await readJournalIfAny(db, dialect)
  const interrupted = journal.filter(({ appliedAt }) => appliedAt === null)
  return {
    ungenerated: diffSchemas(newestSchema(files), schema).map(toChange),
    pending: findPending(files, journal).map(({ name }) => name),
    interrupted: interrupted.map(({ name, direction }) => ({ name, direction })),
    edited: findEdited(files, journal),
    missing: findMissing(files, journal),
    // In the middle of a migration the database is bound to differ.
    drift: interrupted.length > 0 ? [] : findDifferences(await introspect(db, dialect), appliedSchema(files, journal)),
    applied: journal.length - interrupted.length,
  }
}

async function statusWithoutFiles(db: Kysely<Database>, dialect: Dialect, schema: Schema): Promise<Status> {
  const drift = findDifferences(await introspect(db, dialect), schema)
  return { ungenerated: [], pending: [], interrupted: [], edited: [], missing: [], drift, applied: 0 }
}

const appliedSchema = (files: readonly MigrationFile[], journal: readonly JournalEntry[]): Schema =>
  newestSchema(files.slice(0, journal.at(-1)?.number ?? 0))

export const isClean = ({ ungenerated, pending, interrupted, edited, missing, drift }: Status): boolean =>
  [ungenerated, pending, interrupted, edited, missing, drift].every(({ length }) => length === 0)

/** Names of files that are not, or not wholly, applied: what a daemon asks at its start. None on SQLite, which has no files. */
export async function pendingMigrations({ db, dialect, dir }: MigrationTarget): Promise<string[]> {
  if (dialect.name === 'sqlite') return []
  return findPending(await readMigrations(dir), await readJournalIfAny(db, dialect)).map(({ name }) => name)
}
