/** Writes the next migration: what leads from the newest snapshot to the declared schema. Needs no database. */
import { type Change, nameOf, type Step, toChange } from './changes.ts'
import { diffSchemas } from './diff.ts'
import { MigrationFault } from './errors.ts'
import { newestSchema, readMigrations, writeMigration } from './files.ts'
import type { Schema } from './schema.ts'
import { toMysql } from './sql-mysql.ts'

export interface GenerateOptions {
  readonly schema: Schema
  /** The folder of the migrations; made when absent. */
  readonly dir: string
  /** Goes into the names of the files; made from the changes when left out. */
  readonly name?: string | undefined
  /** Names of the destructive changes that are meant, as in `drop-column:user.nickname`. */
  readonly acknowledge?: readonly string[]
  /** False: only plan. */
  readonly write?: boolean
}
export interface Generated {
  /** Empty when the newest snapshot is the declared schema. */
  readonly changes: readonly Change[]
  /** The statements, in order. */
  readonly sql: readonly string[]
  /** Null when nothing was to be done, or only planned. */
  readonly written: { readonly name: string; readonly paths: readonly string[] } | null
}

/**
 * @throws MigrationFault ACKNOWLEDGEMENT_NEEDED with the names of destructive changes that were not acknowledged;
 * COLUMN_NEEDS_DEFAULT, PRIMARY_KEY_CHANGED for what no migration can do; FILES_INVALID
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
  refuseUnnamed(destructive.filter((change) => !acknowledge.includes(change)))
  const number = files.length + 1
  const title = titleOf(name ?? (number === 1 ? 'initial' : suggestTitle(steps)))
  const down = toMysql(diffSchemas(schema, before), before)
  return { ...planned, written: await writeMigration(dir, { number, title, acknowledged: destructive, up, down, schema }) }
}

function refuseUnnamed(names: readonly string[]): void {
  if (names.length === 0) return
  throw new MigrationFault('ACKNOWLEDGEMENT_NEEDED', `Data would be lost: ${names.join(', ')}`, { details: names })
}

function checkSteps(steps: readonly Step[]): void {
  const valueless = steps.filter(
    (step) => step.kind === 'add-column' && !step.column.nullable && step.column.default === undefined,
  )
  if (valueless.length > 0) {
    const details = valueless.map(nameOf)
    throw new MigrationFault(
      'COLUMN_NEEDS_DEFAULT',
      `A column of a table with rows must be nullable or have a default: ${details.join(', ')}`,
      { details },
    )
  }
  const keys = steps.filter(
    (step) =>
      ('column' in step && step.column.primary) || (step.kind === 'change-column' && step.from.primary !== step.to.primary),
  )
  if (keys.length === 0) return
  const details = keys.map(nameOf)
  throw new MigrationFault('PRIMARY_KEY_CHANGED', `The primary key of a table cannot be changed: ${details.join(', ')}`, {
    details,
  })
}

function titleOf(name: string): string {
  const title = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
  if (title === '') throw new MigrationFault('FILES_INVALID', 'The name of a migration must contain a letter or a digit')
  return title
}

function suggestTitle(steps: readonly Step[]): string {
  const tables = [...new Set(steps.map(({ table }) => table))]
  return tables.length > 3 ? `${tables.slice(0, 3).join('-')}-and-more` : tables.join('-')
}
