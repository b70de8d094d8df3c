/** Generates the next migration, from the newest snapshot to the declared schema. Needs no database. */
import { type Change, nameOf, type Step, toChange } from './changes.ts'
import { diffSchemas } from './diff.ts'
import { MigrationError, rejectAny } from './migration-error.ts'
import { newestSchema, readMigrations, writeMigration } from './migration-files.ts'
import type { Schema } from './schema.ts'
import { toMysql } from './sql.ts'

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
  /** Null when nothing changed, or with `write: false`. */
  readonly written: { readonly name: string; readonly paths: readonly string[] } | null
}

/**
 * @throws MigrationError ACKNOWLEDGEMENT_NEEDED with the names of destructive changes that were not acknowledged;
 * COLUMN_NEEDS_DEFAULT, PRIMARY_KEY_CHANGED for changes that no migration can make; FILES_INVALID
 */
export async function generate(options: GenerateOptions): Promise<Generated> {
  const { schema, dir, name, acknowledge = [], write = true } = options
  const files = await readMigrations(dir)
  const before = newestSchema(files)
  const steps = diffSchemas(before, schema)
  checkSteps(steps)
  const changes = steps.map(toChange)
  const up = toMysql(steps, schema)
  const planned = { changes, sql: up.map(({ sql }) => sql), written: null }
  if (steps.length === 0 || !write) return planned
  const destructive = changes.filter((change) => change.class === 'destructive').map((change) => change.name)
  const unacknowledged = destructive.filter((change) => !acknowledge.includes(change))
  rejectAny('ACKNOWLEDGEMENT_NEEDED', 'These changes lose data and are not acknowledged', unacknowledged)
  const number = files.length + 1
  const title = titleOf(name ?? (number === 1 ? 'initial' : suggestTitle(steps)))
  const down = toMysql(diffSchemas(schema, before), before)
  return { ...planned, written: await writeMigration(dir, { number, title, acknowledged: destructive, up, down, schema }) }
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
