/** Pending, changed and drifted migrations, as data. Reads only. */
import type { Kysely } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import type { Database } from '../features/index.ts'
import { type Change, toChanges } from './changes.ts'
import { diffSchemas } from './diff.ts'
import { canServe, intersectSchemas } from './expand.ts'
import { introspect } from './introspect.ts'
import { findAdopted, findEdited, findMissing, findPending, type JournalEntry, planUp, readJournalIfAny } from './journal.ts'
import { findForeign, readOwnership } from './made.ts'
import { type MigrationFile, newestSchema, readMigrations } from './migration-files.ts'
import type { Taken } from './own-tables.ts'
import { findTaken, findTakenNames, readLive } from './ownership.ts'
import { type MigrationTarget, readUnlocked } from './run.ts'
import { describeColumn, type ForeignKeySchema, type IndexSchema, isSame, type Schema } from './schema.ts'

export interface Status {
  /** Declared, but in no migration. The class `taken` means that something else has the name already. */
  readonly ungenerated: readonly { readonly name: string; readonly class: Change['class'] | 'taken' }[]
  /** What the changes and the pending migrations would create, but exists and was not created by Latchkey. */
  readonly taken: readonly Taken[]
  /** Names of files that are not applied. */
  readonly pending: readonly string[]
  /** Started by a run that was interrupted or is still running. */
  readonly interrupted: readonly { readonly name: string; readonly direction: 'up' | 'down' }[]
  /** Names of files that were changed after they were applied. */
  readonly edited: readonly string[]
  /** Names of applied migrations whose files are missing. */
  readonly missing: readonly string[]
  /** Differences between the database and the applied migrations; on SQLite, the declared schema. */
  readonly drift: readonly Difference[]
  /** Number of applied migrations. */
  readonly applied: number
  /** The applied migrations, in order. */
  readonly migrations: readonly AppliedMigration[]
}

export interface AppliedMigration {
  readonly number: number
  /** With the number: `0002_teams`. */
  readonly name: string
  readonly appliedAt: Date
  /** Null for a migration that an earlier version applied. */
  readonly appliedBy: string | null
  /** Milliseconds from its first start to its end, including interruptions. */
  readonly duration: number
  /** Whether it was recorded without being executed, because its tables existed. */
  readonly adopted: boolean
}

/** @throws MigrationError FILES_INVALID, NAMES_TAKEN; the database's error when it is unreachable */
export async function status(target: MigrationTarget & { readonly schema: Schema }): Promise<Status> {
  const { db, dialect, dir, schema } = target
  if (!dialect.keepsMigrationFiles) return statusWithoutFiles(db, dialect, schema)
  const files = await readMigrations(dir)
  const ungenerated = toChanges(diffSchemas(newestSchema(files), schema))
  const { journal, taken } = await readJournalAndTaken(target, files, ungenerated)
  const interrupted = journal.filter(({ appliedAt }) => appliedAt === null)
  const adopted = journal.length > 0 ? await findAdopted(db) : []
  return {
    ungenerated: ungenerated.map((change) => (isTaken(change.name, taken) ? { ...change, class: 'taken' } : change)),
    taken,
    pending: findPending(files, journal).map(({ name }) => name),
    interrupted: interrupted.map(({ name, direction }) => ({ name, direction })),
    edited: findEdited(files, journal),
    missing: findMissing(files, journal),
    // In the middle of a migration the database always differs.
    drift: interrupted.length > 0 ? [] : await findDrift(db, dialect, appliedSchema(files, journal)),
    applied: journal.length - interrupted.length,
    migrations: journal.flatMap(({ number, name, startedAt, appliedAt, appliedBy }) => {
      if (!appliedAt) return []
      const duration = appliedAt.getTime() - startedAt.getTime()
      return [{ number, name, appliedAt, appliedBy, duration, adopted: adopted.includes(number) }]
    }),
  }
}

/** What the migrations, or the update of an embedded database, would create, but exists and was not created by Latchkey. */
export async function readTaken(target: MigrationTarget & { readonly schema: Schema }): Promise<readonly Taken[]> {
  const { db, dialect, dir, schema } = target
  if (!dialect.keepsMigrationFiles) return findTakenEmbedded(db, dialect, schema)
  const files = await readMigrations(dir)
  const ungenerated = toChanges(diffSchemas(newestSchema(files), schema))
  return (await readJournalAndTaken(target, files, ungenerated)).taken
}

const readJournalAndTaken = (
  target: MigrationTarget & { readonly schema: Schema },
  files: readonly MigrationFile[],
  ungenerated: readonly Change[],
) =>
  readUnlocked(
    target,
    async (journal) => ({ journal, taken: await findTakenBy(target, files, journal, ungenerated) }),
    ({ taken }) => taken.length > 0,
  )

async function findTakenEmbedded(db: Kysely<Database>, dialect: Dialect, schema: Schema): Promise<Taken[]> {
  const ownership = await readOwnership(db, dialect, schema, [])
  return findForeign(ownership, diffSchemas(ownership.own, schema), schema)
}

/** Nothing when the files do not fit the journal: they are reported as edited or missing. */
async function findTakenBy(
  { db, dialect, schema }: MigrationTarget & { readonly schema: Schema },
  files: readonly MigrationFile[],
  journal: readonly JournalEntry[],
  ungenerated: readonly Change[],
): Promise<Taken[]> {
  if (findEdited(files, journal).length > 0 || findMissing(files, journal).length > 0) return []
  const planned = planUp(files, journal)
  if (planned.length > 0) return findTakenNames(db, dialect, planned)
  if (ungenerated.length === 0) return []
  const tasks = ungenerated.map((change, position) => ({ position, state: null, statement: { change, sql: '', checksum: '' } }))
  return findTaken(await readLive(db, dialect, [{ target: schema }]), [{ tasks, target: schema }])
}

const isTaken = (change: string, taken: readonly Taken[]): boolean => {
  const path = change.slice(change.indexOf(':') + 1)
  return (
    /^(create|add)-/.test(change) &&
    taken.some((other) => other.path === path || (other.kind === 'table' && other.path === path.split('.')[0]))
  )
}

async function statusWithoutFiles(db: Kysely<Database>, dialect: Dialect, schema: Schema): Promise<Status> {
  const drift = await findDrift(db, dialect, schema)
  const taken = await findTakenEmbedded(db, dialect, schema)
  return { ungenerated: [], taken, pending: [], interrupted: [], edited: [], missing: [], drift, applied: 0, migrations: [] }
}

const findDrift = async (db: Kysely<Database>, dialect: Dialect, expected: Schema): Promise<Difference[]> =>
  findDifferences(await introspect(db, dialect, Object.keys(expected.tables)), expected)

const appliedSchema = (files: readonly MigrationFile[], journal: readonly JournalEntry[]): Schema =>
  newestSchema(files.slice(0, journal.at(-1)?.number ?? 0))

export const isClean = ({ ungenerated, taken, pending, interrupted, edited, missing, drift }: Status): boolean =>
  [ungenerated, taken, pending, interrupted, edited, missing, drift].every(({ length }) => length === 0)

export interface Pending {
  /** Names of files that are not completely applied. */
  readonly pending: readonly string[]
  /** Whether a daemon can serve before they are applied. */
  readonly isServable: boolean
  /** Name of the last file that is applied; null for none. */
  readonly newest: string | null
}

export interface LiveParts {
  /** The database as it is. */
  readonly live: Schema
  /** Without what a migration that is not complete has added so far: no daemon uses that yet, so that it has no rows of interest. */
  readonly complete: Schema
}

/** @param target.schema of the daemon */
export async function readLiveParts({
  db,
  dialect,
  dir,
  schema,
}: MigrationTarget & { readonly schema: Schema }): Promise<LiveParts> {
  // Before the journal, so that a migration that starts in between counts as not complete.
  const live = await introspect(db, dialect, Object.keys(schema.tables))
  if (!dialect.keepsMigrationFiles) return { live, complete: live }
  const journal = await readJournalIfAny(db, dialect)
  const interrupted = journal.find(({ appliedAt, direction }) => appliedAt === null && direction === 'up')
  if (!interrupted) return { live, complete: live }
  const files = (await readMigrations(dir)).filter(({ number }) => number < interrupted.number)
  return { live, complete: intersectSchemas(live, newestSchema(files)) }
}

/** Whether a daemon of this schema can serve the database as it is. */
export const isServable = async ({ db, dialect, schema }: Omit<MigrationTarget, 'dir'> & { readonly schema: Schema }) =>
  canServe(schema, await introspect(db, dialect, Object.keys(schema.tables)))

/** SQLite, which has no files, has none pending. @param target.schema of the daemon */
export async function pendingMigrations(target: MigrationTarget & { readonly schema: Schema }): Promise<Pending> {
  if (!target.dialect.keepsMigrationFiles) return { pending: [], isServable: true, newest: null }
  const files = await readMigrations(target.dir)
  const journal = await readJournalIfAny(target.db, target.dialect)
  const pending = findPending(files, journal)
  return {
    pending: pending.map(({ name }) => name),
    // Tables without any applied migration may belong to another program.
    isServable: pending.length === 0 || (journal.length > 0 && (await isServable(target))),
    newest: files.findLast((file) => !pending.includes(file))?.name ?? null,
  }
}

export interface Difference {
  /** `user`, `user.email`, `user.user_email_key`. */
  readonly path: string
  readonly kind: 'table' | 'column' | 'index' | 'foreign-key'
  readonly message: string
}

/** Ignores tables that are not expected: other programs may use the same database. */
export function findDifferences(live: Schema, expected: Schema): Difference[] {
  return Object.entries(expected.tables).flatMap(([table, declared]): Difference[] => {
    const found = live.tables[table]
    if (!found) return [{ path: table, kind: 'table', message: `The table ${table} is missing` }]
    return [
      ...(found.other ? [{ path: table, kind: 'table', message: `The table ${table} has the ${found.other}` } as const] : []),
      ...compareParts(table, 'column', describeColumn, found.columns, declared.columns),
      ...compareParts(table, 'index', describeIndex, found.indexes, declared.indexes),
      ...compareParts(table, 'foreign-key', describeForeignKey, found.foreignKeys, declared.foreignKeys),
    ]
  })
}

function compareParts<Part>(
  table: string,
  kind: Difference['kind'],
  describe: (part: Part) => string,
  found: Readonly<Record<string, Part>>,
  expected: Readonly<Record<string, Part>>,
): Difference[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])]
  return names.flatMap((name): Difference[] => {
    const [actual, declared] = [found[name], expected[name]]
    const path = `${table}.${name}`
    const subject = `The ${kind.replace('-', ' ')} ${path} is`
    if (actual === undefined) return [{ path, kind, message: `${subject} missing` }]
    if (declared === undefined) return [{ path, kind, message: `${subject} in no migration` }]
    if (isSame(actual, declared)) return []
    return [{ path, kind, message: `${subject} ${describe(actual)} instead of ${describe(declared)}` }]
  })
}

const describeIndex = ({ columns, unique, other }: IndexSchema): string =>
  [unique ? 'unique' : 'not unique', `over ${columns.join(', ')}`, ...(other ? [other] : [])].join(' ')

const describeForeignKey = ({ column, references, onDelete, other }: ForeignKeySchema): string =>
  `from ${column} to ${references} on delete ${other ?? onDelete}`
