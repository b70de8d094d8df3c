/** Compares the tables with the configuration before they are used: one check, with a rule for each kind of use. */
import { join } from 'node:path'
import type { OpenApp } from '../app.ts'
import { enabledFeatures, type Feature } from '../core/feature.ts'
import { type Config, type Database, featureList } from '../features/index.ts'
import { counted } from '../lib/text.ts'
import {
  canServe,
  declareSchema,
  describeTaken,
  diffSchemas,
  generate,
  isDrop,
  type LiveParts,
  MigrationError,
  type Pending,
  pendingMigrations,
  push,
  readLiveParts,
  readTaken,
  type Schema,
  type Status,
  status,
  toChanges,
} from '../migrate/index.ts'
import { Failure } from './failure.ts'
import { fitConfig, omittedParts } from './fitting-config.ts'
import type { LoadedConfig } from './load-config.ts'

type Project = Pick<LoadedConfig, 'config' | 'directory'>

export const migrationsFolder = (directory: string): string => join(directory, 'migrations')

/** The schema of the enabled features. */
export const declaredSchema = ({ config }: Pick<LoadedConfig, 'config'>): Schema =>
  declareSchema(enabledFeatures(featureList, config))

/** Of all features: an embedded database of an earlier version may have any of them. */
export const productTables: readonly string[] = Object.values(featureList).flatMap((feature: Feature) =>
  Object.keys(feature.tables ?? {}),
)

/**
 * - `serve`: the daemon needs every table. It has updated an embedded database itself.
 * - `write`: an operator's command updates an embedded database. It needs its own tables.
 * - `read`: a reading command or a dry run needs its own tables and changes none.
 *
 * Tables and columns that are no longer declared are never an error: they may stay until a migration drops them.
 */
export interface SchemaUse {
  readonly mode: 'serve' | 'write' | 'read'
  /**
   * The tables that the command uses; without a list all. If only others are behind, or only custom fields and optional features are missing, the
   * command continues with a warning, and without them. A table that is not declared is not needed.
   */
  readonly tables?: readonly (keyof Database)[]
  readonly warn?: (message: string) => void
}

/**
 * @returns the configuration, without custom fields and features whose columns do not exist yet
 * @throws Failure MIGRATIONS_NOT_GENERATED, MIGRATIONS_PENDING; MigrationError NAMES_TAKEN, FILES_INVALID
 */
export async function checkSchema(loaded: Project, database: OpenApp['database'], use: SchemaUse): Promise<Config> {
  const behind = await (database.dialect.keepsMigrationFiles
    ? findBehindFiles(loaded, database)
    : findBehindEmbedded(loaded, database, use))
  if (behind === null) return loaded.config
  if (!use.tables) return rejectBehind(behind, loaded, database)
  const { live, complete } = await readParts(loaded, database)
  const config = leaveOut(loaded.config, complete)
  const isMissing = (table: string) => declaredSchema(loaded).tables[table] !== undefined && live.tables[table] === undefined
  // A table of a feature that is left out is still needed by the commands of this feature.
  if (use.tables.some(isMissing) || !hasTables(declaredSchema({ config }), live, use.tables))
    return rejectBehind(behind, loaded, database)
  const ahead = toChanges(diffSchemas(live, declaredSchema(loaded))).filter((change) => !isDrop(change))
  const distance = ahead.length === 0 ? '' : ` by ${counted(ahead.length, 'change')}`
  const omitted = omittedParts(loaded.config, config)
  const without = omitted.length === 0 ? '' : `Continues without ${omitted.join(', ')}. `
  use.warn?.(`The configuration is ahead of the database${distance}. ${without}${behind.message}. ${behind.hint}`)
  return config
}

export const readStatus = (loaded: Project, { db, dialect }: Pick<OpenApp['database'], 'db' | 'dialect'>): Promise<Status> =>
  status({ db, dialect, dir: migrationsFolder(loaded.directory), schema: declaredSchema(loaded) })

/** @throws MigrationError NAMES_TAKEN with tables of another program that have the names of Latchkey's */
export function rejectTaken({ taken }: Pick<Status, 'taken'>): void {
  if (taken.length === 0) return
  const names = taken.map(describeTaken)
  throw new MigrationError('NAMES_TAKEN', `The database already has, not created by Latchkey: ${names.join(', ')}`, {
    details: names,
  })
}

/** Where another program has the names, the migrations cannot be applied, as the failure would advise. */
async function rejectBehind(behind: Failure, loaded: Project, database: OpenApp['database']): Promise<never> {
  const { db, dialect } = database
  const target = { db, dialect, dir: migrationsFolder(loaded.directory), schema: declaredSchema(loaded) }
  rejectTaken({ taken: await readTaken(target) })
  throw behind
}

const readParts = (loaded: Project, { db, dialect }: Pick<OpenApp['database'], 'db' | 'dialect'>): Promise<LiveParts> =>
  readLiveParts({ db, dialect, dir: migrationsFolder(loaded.directory), schema: declaredSchema(loaded) })

/** @param complete without what a migration that is not complete has added so far */
const leaveOut = (config: Config, complete: Schema): Config =>
  fitConfig(config, complete, (fitting) => declaredSchema({ config: fitting }))

/**
 * For a worker that must start: the configuration without what the database does not have yet.
 * @returns the same object when nothing is missing, and when the rest cannot serve either
 */
export async function fitToDatabase<Loaded extends Project>(
  loaded: Loaded,
  database: Pick<OpenApp['database'], 'db' | 'dialect'>,
): Promise<{ readonly loaded: Loaded; readonly omitted: readonly string[] }> {
  const { live, complete } = await readParts(loaded, database)
  const config = leaveOut(loaded.config, complete)
  if (config === loaded.config || !canServe(declaredSchema({ config }), live)) return { loaded, omitted: [] }
  return { loaded: { ...loaded, config }, omitted: omittedParts(loaded.config, config) }
}

/** @returns the failure MIGRATIONS_NOT_GENERATED when the configuration needs what no migration creates */
export async function findUngenerated(loaded: Project): Promise<Failure | null> {
  const dir = migrationsFolder(loaded.directory)
  const { changes } = await generate({ schema: declaredSchema(loaded), dir, write: false })
  const needed = changes.filter((change) => !isDrop(change))
  if (needed.length === 0) return null
  const subject = needed.length === 1 ? 'One schema change has' : `${needed.length} schema changes have`
  return new Failure('MIGRATIONS_NOT_GENERATED', `${subject} no migration`, {
    hint: 'Run `latchkey migrate generate`, review the SQL, then run `latchkey migrate up`.',
  })
}

async function findBehindFiles(loaded: Project, { db, dialect }: OpenApp['database']): Promise<Failure | null> {
  const ungenerated = await findUngenerated(loaded)
  if (ungenerated) return ungenerated
  const { pending, isServable } = await findPending(loaded, { db, dialect })
  if (isServable) return null
  return new Failure('MIGRATIONS_PENDING', `Pending migrations: ${pending.join(', ')}`, {
    hint: 'Run `latchkey migrate up`, or start the daemon with --migrate.',
  })
}

export const findPending = (loaded: Project, { db, dialect }: Pick<OpenApp['database'], 'db' | 'dialect'>): Promise<Pending> =>
  pendingMigrations({ db, dialect, dir: migrationsFolder(loaded.directory), schema: declaredSchema(loaded) })

async function findBehindEmbedded(
  loaded: Pick<LoadedConfig, 'config'>,
  { db, dialect }: OpenApp['database'],
  { mode }: SchemaUse,
): Promise<Failure | null> {
  if (mode === 'serve') return null
  const options = { db, dialect, schema: declaredSchema(loaded), known: productTables }
  const { changes } = await push({ ...options, dryRun: true })
  const needed = changes.filter((change) => !isDrop(change)).map(({ name }) => name)
  if (mode === 'write') {
    try {
      await push(options)
      return null
    } catch (error) {
      if (!(error instanceof MigrationError) || error.code !== 'ACKNOWLEDGEMENT_NEEDED') throw error
    }
  }
  if (needed.length === 0) return null
  return new Failure(
    'MIGRATIONS_PENDING',
    `The schema of the embedded database is out of date. Missing changes: ${needed.length}`,
    {
      hint: 'Start the daemon, or run a command that writes: both update the embedded database.',
      details: needed.map((path) => ({ id: 'migrations-pending', path, message: '' })),
    },
  )
}

/** Whether those of the tables that are declared exist with all their columns. */
const hasTables = (declared: Schema, live: Schema, tables: readonly string[]): boolean =>
  tables.every((table) =>
    Object.keys(declared.tables[table]?.columns ?? {}).every((name) => live.tables[table]?.columns[name] !== undefined),
  )
