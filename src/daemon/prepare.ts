/** From an order to an open `app` that may serve: configuration, database, schema. */
import { hostname } from 'node:os'
import { createMetrics } from '../adapters/metrics.ts'
import { random } from '../adapters/random.ts'
import { type OpenApp, openApp } from '../app.ts'
import { unreachableFailure } from '../cli/describe-failure.ts'
import { CliFailure } from '../cli/failure.ts'
import { type LoadedConfig, loadConfig } from '../cli/load-config.ts'
import { openingFailure, waitForDatabase } from '../cli/open-app.ts'
import { migrationsFolder } from '../cli/schema.ts'
import type { Logger } from '../core/ports.ts'
import { readMigrations } from '../migrate/files.ts'
import { declareSchema, MigrationFault, pendingMigrations, push, up } from '../migrate/index.ts'
import { loadDevelopmentConfig } from './development.ts'
import type { Migrations } from './health.ts'
import { openDaemonLog } from './log.ts'
import type { Order } from './messages.ts'
import { checkSchema } from './schema-check.ts'

export interface Prepared {
  readonly loaded: LoadedConfig
  readonly opened: OpenApp
  readonly registry: ReturnType<typeof createMetrics>['registry']
  readonly log: Logger
  /** As configured; in development another one may have been chosen. */
  readonly wantedPort: number
  readonly findMigrations: () => Promise<Migrations>
}

/**
 * A replacement for a lost worker starts although the database is away or behind: it will say so, and serve when that is over.
 * @throws CliFailure, MigrationFault, and whatever the drivers throw
 */
export async function prepare(order: Order): Promise<Prepared> {
  const { loaded, wantedPort } = await load(order)
  const { config } = loaded
  const log = await openDaemonLog(config.log.level, 1)
  const { metrics, registry } = createMetrics()
  const opened = await openApp(config, { log, metrics, actor: { kind: 'system' } }).catch((error: unknown) => {
    throw openingFailure(error)
  })
  const findMigrations = () => migrationsOf(loaded, opened)
  try {
    if (order.purpose !== 'replace') await checkDatabase(order, loaded, opened)
    return { loaded, opened, registry, log, wantedPort, findMigrations }
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function load(order: Order): Promise<{ loaded: LoadedConfig; wantedPort: number }> {
  if (order.isDevelopment) return loadDevelopmentConfig(order)
  const { cwd, configFlag, overrides } = order
  const loaded = await loadConfig({ cwd, configFlag, overrides, env: process.env })
  return { loaded, wantedPort: loaded.config.server.port }
}

async function checkDatabase(order: Order, loaded: LoadedConfig, opened: OpenApp): Promise<void> {
  const { database, app } = opened
  const output = { info: (text: string) => app.log.info({}, text) }
  // Never aborted: a worker that is not wanted any more is killed.
  const { signal } = new AbortController()
  await waitForDatabase(database, order.waitForDatabase, { signal, output })
  try {
    if (database.dialect.name === 'sqlite') await followDeclaration(order, opened)
    else await readyMigrations(order, loaded, opened)
  } catch (error) {
    if (database.errors.isUnreachable(error)) throw unreachableFailure('The database could not be reached', error)
    throw error
  }
}

/** Embedded databases have no migration files. */
async function followDeclaration({ acknowledge, isDevelopment }: Order, { app, database }: OpenApp): Promise<void> {
  const { db, dialect } = database
  try {
    const { changes } = await push({ db, dialect, schema: declareSchema(app.features), acknowledge })
    const tell = isDevelopment ? app.log.debug : app.log.info
    if (changes.length > 0) tell({ changes: changes.length }, 'The embedded database follows the configuration')
  } catch (error) {
    if (!(error instanceof MigrationFault) || error.code !== 'ACKNOWLEDGEMENT_NEEDED') throw error
    const flags = error.details.map((name) => `--acknowledge ${name}`).join(' ')
    const hint = `Restore what the configuration declared; or, when it may be lost: \`latchkey stop\`, then start with ${flags}`
    throw new CliFailure('SCHEMA_LOSES_DATA', error.message, { exitCode: 5, hint, cause: error })
  }
}

/** @throws CliFailure MIGRATIONS_NOT_GENERATED, MIGRATIONS_PENDING; MigrationFault */
async function readyMigrations(order: Order, { directory }: LoadedConfig, opened: OpenApp): Promise<void> {
  const { app, database } = opened
  if (order.migrate) {
    const { db, dialect } = database
    const holder = `${hostname()} ${process.pid} ${random.token(6)}`
    await up({
      db,
      dialect,
      dir: migrationsFolder(directory),
      holder,
      onStatement: (event) => app.log.info({ event }, 'Migrating'),
    })
  }
  await checkSchema(directory, opened)
}

/** An embedded database has none. */
async function migrationsOf({ directory }: LoadedConfig, { database }: OpenApp): Promise<Migrations> {
  const { db, dialect } = database
  if (dialect.name === 'sqlite') return { pending: [], newest: null }
  const dir = migrationsFolder(directory)
  const pending = await pendingMigrations({ db, dialect, dir })
  const applied = (await readMigrations(dir)).filter(({ name }) => !pending.includes(name))
  return { pending, newest: applied.at(-1)?.name ?? null }
}
