/** That the database has the tables which the configuration needs, before a command uses them. */
import { join } from 'node:path'
import type { OpenApp } from '../app.ts'
import { enabledFeatures } from '../core/feature.ts'
import { featureList } from '../features/index.ts'
import { type Change, declareSchema, generate, pendingMigrations, push, type Schema } from '../migrate/index.ts'
import { CliFailure } from './failure.ts'
import type { LoadedConfig } from './load-config.ts'

/** The folder of the migrations of a project. */
export const migrationsFolder = (directory: string): string => join(directory, 'migrations')

/** What the enabled features need. */
export const declaredSchema = ({ config }: Pick<LoadedConfig, 'config'>): Schema =>
  declareSchema(enabledFeatures(featureList, config))

/**
 * An embedded database is brought to the declared schema; on a server only the files do that.
 * @param options.dryRun nothing may be written, so an embedded database must be as declared already
 * @throws CliFailure MIGRATIONS_NOT_GENERATED, MIGRATIONS_PENDING
 */
export async function readySchema(
  loaded: LoadedConfig,
  { db, dialect }: OpenApp['database'],
  { dryRun = false } = {},
): Promise<void> {
  const schema = declaredSchema(loaded)
  if (dialect.name === 'sqlite') {
    const { changes } = await push({ db, dialect, schema, dryRun })
    if (dryRun && changes.length > 0) throw notAsDeclared(changes)
    return
  }
  const dir = migrationsFolder(loaded.directory)
  const { changes } = await generate({ schema, dir, write: false })
  if (changes.length > 0) {
    const hint = 'Type latchkey migrate generate, read the SQL, then latchkey migrate up'
    throw new CliFailure('MIGRATIONS_NOT_GENERATED', `The configuration needs what no migration makes (${changes.length})`, {
      hint,
    })
  }
  const pending = await pendingMigrations({ db, dialect, dir })
  if (pending.length === 0) return
  const what = pending.length === 1 ? 'A migration is' : `${pending.length} migrations are`
  throw new CliFailure('MIGRATIONS_PENDING', `${what} not applied: ${pending.join(', ')}`, { hint: 'Type latchkey migrate up' })
}

function notAsDeclared(changes: readonly Change[]): CliFailure {
  const names = changes.map(({ name }) => name)
  return new CliFailure('MIGRATIONS_PENDING', `The embedded database is not as the configuration declares (${names.length})`, {
    hint: 'A dry run changes no tables. The same command without it does, and so does every other one.',
    details: names.map((path) => ({ id: 'migrations-pending', path, message: '' })),
  })
}
