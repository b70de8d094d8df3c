/** Compares the tables with the configuration before they are used: one check, with a rule for each kind of use. */
import { join } from 'node:path'
import type { OpenApp } from '../app.ts'
import { enabledFeatures } from '../core/feature.ts'
import { type Database, featureList } from '../features/index.ts'
import { declareSchema, generate, introspect, MigrationError, pendingMigrations, push, type Schema } from '../migrate/index.ts'
import { Failure } from './failure.ts'
import type { LoadedConfig } from './load-config.ts'

export const migrationsFolder = (directory: string): string => join(directory, 'migrations')

/** The schema of the enabled features. */
export const declaredSchema = ({ config }: Pick<LoadedConfig, 'config'>): Schema =>
  declareSchema(enabledFeatures(featureList, config))

/**
 * - `serve`: the daemon needs every table. It has updated an embedded database itself.
 * - `write`: an operator's command updates an embedded database. It needs its own tables.
 * - `read`: a reading command or a dry run needs its own tables and changes none.
 *
 * Tables and columns that are no longer declared are never an error: they may stay until a migration drops them.
 */
export interface SchemaUse {
  readonly mode: 'serve' | 'write' | 'read'
  /** The tables that the command uses; without a list all. If only others are behind, the command continues with a warning. */
  readonly tables?: readonly (keyof Database)[]
  readonly warn?: (message: string) => void
}

/** @throws Failure MIGRATIONS_NOT_GENERATED, MIGRATIONS_PENDING; MigrationError FILES_INVALID */
export async function checkSchema(
  loaded: Pick<LoadedConfig, 'config' | 'directory'>,
  database: OpenApp['database'],
  use: SchemaUse,
): Promise<void> {
  const behind = await (database.dialect.keepsMigrationFiles
    ? findBehindFiles(loaded, database)
    : findBehindEmbedded(loaded, database, use))
  if (behind === null) return
  if (!use.tables || !(await hasTables(loaded, database, use.tables))) throw behind
  use.warn?.(`${behind.message}. ${behind.hint}`)
}

async function findBehindFiles(
  loaded: Pick<LoadedConfig, 'config' | 'directory'>,
  { db, dialect }: OpenApp['database'],
): Promise<Failure | null> {
  const dir = migrationsFolder(loaded.directory)
  const { changes } = await generate({ schema: declaredSchema(loaded), dir, write: false })
  const needed = changes.filter(({ name }) => !isDrop(name))
  if (needed.length > 0) {
    const subject = needed.length === 1 ? 'One schema change has' : `${needed.length} schema changes have`
    return new Failure('MIGRATIONS_NOT_GENERATED', `${subject} no migration`, {
      hint: 'Run `latchkey migrate generate`, review the SQL, then run `latchkey migrate up`.',
    })
  }
  const pending = await pendingMigrations({ db, dialect, dir })
  if (pending.length === 0) return null
  return new Failure('MIGRATIONS_PENDING', `Pending migrations: ${pending.join(', ')}`, {
    hint: 'Run `latchkey migrate up`, or start the daemon with --migrate.',
  })
}

async function findBehindEmbedded(
  loaded: Pick<LoadedConfig, 'config'>,
  { db, dialect }: OpenApp['database'],
  { mode }: SchemaUse,
): Promise<Failure | null> {
  if (mode === 'serve') return null
  const options = { db, dialect, schema: declaredSchema(loaded) }
  const names = (await push({ ...options, dryRun: true })).changes.map(({ name }) => name)
  const needed = names.filter((name) => !isDrop(name))
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

const isDrop = (change: string): boolean => change.startsWith('drop-')

/** Whether the tables exist with all their columns. */
async function hasTables(
  loaded: Pick<LoadedConfig, 'config'>,
  { db, dialect }: OpenApp['database'],
  tables: readonly string[],
): Promise<boolean> {
  const [declared, live] = [declaredSchema(loaded).tables, (await introspect(db, dialect)).tables]
  return tables.every((table) => {
    const columns = live[table]?.columns
    return columns !== undefined && Object.keys(declared[table]?.columns ?? {}).every((name) => Object.hasOwn(columns, name))
  })
}
