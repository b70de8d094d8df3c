/** Generates the next migration, from the newest snapshot to the declared schema. Needs no database. */
import { join } from 'node:path'
import { type Change, nameOf, type Step, toChanges } from './changes.ts'
import { diffSchemas } from './diff.ts'
import { expandSchema, findRenames, type Rename } from './expand.ts'
import { MigrationError, rejectAny } from './migration-error.ts'
import { findEarlier, newestSchema, readMigrations, writeMigration } from './migration-files.ts'
import type { Schema } from './schema.ts'
import { type Snapshot, snapshotFile } from './snapshot.ts'
import { fillNulls, toMysql } from './sql.ts'

export interface GenerateOptions {
  readonly schema: Schema
  /** The folder of the migrations. Created when missing. */
  readonly dir: string
  /** Part of the file names. Default: derived from the changes. */
  readonly name?: string | undefined
  /** Names of intended destructive changes, as in `drop-column:user.nickname`. */
  readonly acknowledge?: readonly string[]
  /** False: only plan. */
  readonly write?: boolean
}
export interface Generated {
  /** Empty when the newest snapshot is the declared schema. */
  readonly changes: readonly Change[]
  /** The statements, in order. */
  readonly sql: readonly string[]
  /** Dropped and added columns that may be meant as one renamed column. */
  readonly renames: readonly Rename[]
  /** Null when nothing changed, or with `write: false`. */
  readonly written: Written | null
}
interface Written {
  /** Of the first migration. */
  readonly name: string
  readonly names: readonly string[]
  /** Of the migrations, then of the snapshot. */
  readonly paths: readonly string[]
  /** Paths of snapshots of an earlier version, which can be deleted. */
  readonly obsolete: readonly string[]
}

/** One migration to write. */
interface Part {
  readonly from: Schema
  readonly to: Schema
  readonly suffix: string
}

/**
 * Drops are a migration of their own after the other changes, which leave dropped columns optional: between the two a daemon can
 * serve with the old configuration and with the new one.
 * @throws MigrationError ACKNOWLEDGEMENT_NEEDED with the names of destructive changes that were not acknowledged;
 * COLUMN_NEEDS_DEFAULT, PRIMARY_KEY_CHANGED for changes that no migration can make; FILES_INVALID
 */
export async function generate(options: GenerateOptions): Promise<Generated> {
  const { schema, dir, name, acknowledge = [], write = true } = options
  const files = await readMigrations(dir)
  const before = newestSchema(files)
  const between = expandSchema(before, schema)
  const parts: Part[] = [
    { from: before, to: between, suffix: '' },
    { from: between, to: schema, suffix: '-drop' },
  ]
  const made = parts.map((part) => ({ ...part, steps: diffSchemas(part.from, part.to) })).filter(({ steps }) => steps.length > 0)
  const steps = made.flatMap((part) => part.steps)
  checkSteps(steps)
  const changes = toChanges(steps)
  const sql = made.flatMap((part) => toMysql(part.steps, part.to).map((statement) => statement.sql))
  const planned = { changes, sql, renames: findRenames(before, schema), written: null }
  if (steps.length === 0 || !write) return planned
  const unacknowledged = destructive(steps).filter((change) => !acknowledge.includes(change))
  rejectAny('ACKNOWLEDGEMENT_NEEDED', 'These changes lose data and are not acknowledged', unacknowledged)
  const title = titleOf(name ?? (files.length === 0 ? 'initial' : suggestTitle(steps)))
  const snapshots: Snapshot[] = [...files]
  const paths: string[] = []
  for (const part of made) {
    const suffix = made.length > 1 ? part.suffix : ''
    const written = await writePart(dir, snapshots, { ...part, title: `${title}${suffix}` })
    snapshots.push(written)
    paths.push(written.path)
  }
  const names = snapshots.slice(files.length).map((snapshot) => snapshot.name)
  const obsolete = await findEarlier(
    dir,
    files.map((file) => file.name),
  )
  return { ...planned, written: { name: names[0] ?? '', names, paths: [...paths, join(dir, snapshotFile)], obsolete } }
}

const destructive = (steps: readonly Step[]): string[] =>
  toChanges(steps).flatMap((change) => (change.class === 'destructive' ? [change.name] : []))

function writePart(
  dir: string,
  before: readonly Snapshot[],
  { from, to, steps, title }: Omit<Part, 'suffix'> & { steps: readonly Step[]; title: string },
) {
  const back = diffSchemas(to, from)
  return writeMigration(dir, before, {
    title,
    acknowledged: destructive(steps),
    up: toMysql(steps, to),
    down: [...fillNulls(back, from), ...toMysql(back, from)],
    schema: to,
  })
}

function checkSteps(steps: readonly Step[]): void {
  const withoutValue = steps.filter(
    (step) => step.kind === 'add-column' && !step.column.nullable && step.column.default === undefined,
  )
  const rekeyed = steps.filter(
    (step) =>
      ('column' in step && step.column.primary) || (step.kind === 'change-column' && step.from.primary !== step.to.primary),
  )
  const message = 'A column added to an existing table must be nullable or have a default'
  rejectAny('COLUMN_NEEDS_DEFAULT', message, withoutValue.map(nameOf))
  rejectAny('PRIMARY_KEY_CHANGED', 'The primary key of a table cannot be changed', rekeyed.map(nameOf))
}

function titleOf(name: string): string {
  const title = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
  if (title === '') throw new MigrationError('FILES_INVALID', 'The name of a migration must contain a letter or a digit')
  return title
}

function suggestTitle(steps: readonly Step[]): string {
  const tables = [...new Set(steps.map(({ table }) => table))]
  return tables.length > 3 ? `${tables.slice(0, 3).join('-')}-and-more` : tables.join('-')
}
