/** What a worker knows of its installation, for the pages of operators. */
import { readFile, stat } from 'node:fs/promises'
import { describeRedis } from '../adapters/redis-connection.ts'
import type { OpenApp } from '../app.ts'
import type { Installation, MigrationReport } from '../core/installation.ts'
import { featureList } from '../features/index.ts'
import { clearCalls, explainCalls } from '../http/call-limits.ts'
import { describeTaken, differingParts, findServing, type Status, status } from '../migrate/index.ts'
import { configShape } from '../project/config/parse-config.ts'
import { showOptions } from '../project/config-view.ts'
import { findOtherConfigurations } from '../project/daemon-checks.ts'
import type { LoadedConfig } from '../project/load-config.ts'
import { locateOptions } from '../project/option-place.ts'
import { findWeakSettings } from '../project/protections/index.ts'
import { declaredSchema, migrationsFolder } from '../project/schema-check.ts'

/** @param sources as they were when the configuration was loaded */
export function createInstallation(
  loaded: LoadedConfig,
  { app, database, redis }: OpenApp,
  sources: ReadonlyMap<string, string>,
): Installation {
  const { db, dialect } = database
  const shape = configShape(featureList)
  return {
    startedAt: app.now(),
    configuration: () => ({
      file: loaded.file,
      options: showOptions(shape, loaded),
      weaker: findWeakSettings(shape, loaded.config),
    }),
    locate: (paths) => locateOptions(shape, loaded, sources, paths),
    findChange: () => findChange(sources),
    migrations: async () =>
      describeStatus(
        dialect.keepsMigrationFiles,
        await status({ db, dialect, dir: migrationsFolder(loaded.directory), schema: declaredSchema(loaded) }),
      ),
    explainCalls: (filter) => explainCalls(app, app.rateLimits, filter),
    clearCalls: (filter) => clearCalls(app, app.rateLimits, filter),
    database: database.describe,
    redis: redis && (() => describeRedis(redis)),
    differences: async () =>
      (await findOtherConfigurations(loaded.config, database, process.ppid)).map((difference) => ({
        daemon: `${difference.host} (${difference.process})`,
        parts: differingParts(difference),
      })),
    workers: async () => (await findServing(db, dialect)).map(({ host, process, generation }) => ({ host, process, generation })),
  }
}

/** @returns when the first file with another content was changed; now, when it was deleted; null when all are the same */
export async function findChange(sources: ReadonlyMap<string, string>): Promise<Date | null> {
  for (const [path, before] of sources) {
    const stats = await stat(path).catch(ifMissing)
    const content = stats ? await readFile(path, 'utf8') : ''
    if (content !== before) return stats?.mtime ?? new Date()
  }
  return null
}

function ifMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

function describeStatus(keepsFiles: boolean, found: Status): MigrationReport {
  const unapplied = { appliedAt: null, appliedBy: null, duration: null }
  const applied = found.migrations.map(({ name, appliedAt, appliedBy, duration }) => ({
    name,
    state: found.edited.includes(name)
      ? ('edited' as const)
      : found.missing.includes(name)
        ? ('missing' as const)
        : ('applied' as const),
    appliedAt,
    appliedBy,
    duration,
  }))
  const interrupted = found.interrupted.map(({ name }) => ({ name, state: 'interrupted' as const, ...unapplied }))
  const pending = found.pending
    .filter((name) => !interrupted.some((other) => other.name === name))
    .map((name) => ({ name, state: 'pending' as const, ...unapplied }))
  return {
    keepsFiles,
    files: [...applied, ...interrupted, ...pending],
    ungenerated: found.ungenerated.map(({ name }) => name),
    drift: [
      ...found.taken.map((taken) => ({ path: taken.path, message: `The ${describeTaken(taken)} was not created by Latchkey` })),
      ...found.drift.map(({ path, message }) => ({ path, message })),
    ],
  }
}
