/** The app of a worker: loads the configuration, opens the app, updates or checks the schema, and reports its health. */
import { hostname } from 'node:os'
import { openDatabase } from '../adapters/database/open.ts'
import { createGauges } from '../adapters/gauges.ts'
import { countLines, createMetrics, watchState } from '../adapters/metrics.ts'
import { createHolderName } from '../adapters/system.ts'
import type { OpenApp } from '../app.ts'
import { type App, extend } from '../core/app.ts'
import type { Installation } from '../core/installation.ts'
import type { Dashboard, Logger } from '../core/ports.ts'
import { settlePrefix } from '../features/move/index.ts'
import { dashboardFolder, openDashboard } from '../http/dashboard.ts'
import { declareSchema, MigrationError, push, registerWorker, up } from '../migrate/index.ts'
import {
  checkBans,
  checkPasskeyDomain,
  checkPasskeyOrigins,
  checkSecret,
  ownTraits,
  settlePasskeyOrigins,
} from '../project/daemon-checks.ts'
import { Failure, unreachableFailure } from '../project/failure.ts'
import { findProject, type LoadConfigOptions, type LoadedConfig, loadConfig } from '../project/load-config.ts'
import { openProjectApp, requireSupported, waitForDatabase } from '../project/open-app.ts'
import { readSources } from '../project/option-place.ts'
import { checkSchema, findPending, fitToDatabase, migrationsFolder, productTables } from '../project/schema-check.ts'
import { loadDevelopmentConfig } from './development-config.ts'
import { aheadMessage, createHealth, findFallback } from './health.ts'
import { createInstallation } from './installation.ts'
import { openDaemonLog } from './log.ts'
import type { Health, StartOrder } from './messages.ts'

export interface Prepared {
  readonly loaded: LoadedConfig
  readonly opened: OpenApp
  readonly registry: ReturnType<typeof createMetrics>['registry']
  /** Metrics of the database as text. */
  readonly gauges: () => Promise<string>
  readonly log: Logger
  readonly installation: Installation
  /** Null when the hosted pages are disabled. */
  readonly dashboard: Dashboard | null
  /** `dev` may use another port. */
  readonly configuredPort: number
  /** Readiness: its database, Redis and migrations; cached. */
  readonly health: () => Promise<Health>
  /** Names of migrations that may be applied at any time, because they only drop what the configuration does not use. */
  readonly pendingMigrations: readonly string[]
  /** From now on migrations may drop what the configuration uses. */
  readonly unregister: () => Promise<void>
}

/**
 * A replacement for a lost worker, and the start after the daemon was killed, leave out what the database does not have yet.
 * A replacement for a lost worker does not check the database: it starts while the database is unreachable, and reports that it
 * is not ready.
 * @param onBlocked as for `loadConfig`
 * @throws Failure, MigrationError, errors of the database driver
 */
export async function prepare(order: StartOrder, onBlocked: LoadConfigOptions['onBlocked']): Promise<Prepared> {
  const project = findProject(order.cwd, order.config ?? undefined)
  const sources = readSources(project.config, project.directory)
  const { loaded: written, configuredPort } = await load(order, onBlocked)
  const { metrics, registry } = createMetrics()
  const log = countLines(await openDaemonLog(written.config.log.level, order.log), metrics)
  const { loaded, omitted } = mayRefuse(order) ? { loaded: written, omitted: [] } : await fitLoaded(order, written, log)
  let unregister = async (): Promise<void> => {}
  let dashboard: Dashboard | null = null
  const opened = await openProjectApp(loaded, { log, metrics, actor: { kind: 'system' } }, async (app) => {
    dashboard = loaded.config.dashboard.enabled ? await readDashboard(app.app) : null
    const isChecked = order.purpose !== 'replace'
    await (isChecked ? updateSchema(order, loaded, app) : trySettlePrefix(app.app))
    const registration = registerWorker(registrationOf(order, app))
    unregister = registration.remove
    if (!isChecked) return
    await registration.attempted
    // After the registration, so that a migration that starts later finds what this worker uses.
    await checkSchema(loaded, app.database, { mode: 'serve' }).catch(failAfter(unregister))
    if (!order.isDevelopment) await checkOthers(order, app).catch(failAfter(unregister))
  })
  const health = createHealth(opened, { loaded, omitted })
  // Logs how other daemons of the database differ, before the first probe.
  void health()
  const installation = createInstallation(loaded, opened, sources)
  watchState(registry, { pool: opened.database.usage, isFallback: () => findFallback(opened.app) !== null })
  return {
    loaded,
    opened,
    registry,
    gauges: createGauges(extend(opened.app, { installation })),
    log,
    installation,
    dashboard,
    configuredPort,
    health,
    pendingMigrations: order.purpose === 'replace' ? [] : (await findPending(loaded, opened.database)).pending,
    unregister,
  }
}

/** Whether a worker may refuse to start: not in the place of a lost one, and not after the daemon was killed. */
const mayRefuse = ({ purpose, isRecovery, migrate }: StartOrder): boolean =>
  purpose === 'reload' || (purpose === 'start' && (!isRecovery || migrate))

/** Leaves out what the database does not have yet. As it is while the database cannot be read. */
async function fitLoaded(order: StartOrder, loaded: LoadedConfig, log: Logger): ReturnType<typeof fitToDatabase<LoadedConfig>> {
  const whole = { loaded, omitted: [] }
  if (order.isDevelopment) return whole
  const { config } = loaded
  const { db, dialect, close } = openDatabase({ ...config.database, poolSize: 1 })
  try {
    if (!dialect.keepsMigrationFiles) return whole
    const fitting = await fitToDatabase(loaded, { db, dialect })
    if (fitting.omitted.length > 0) log.warn({ omitted: fitting.omitted }, aheadMessage(fitting.omitted))
    return fitting
  } catch (error) {
    // Whatever is wrong, the worker itself meets it too, and reports it as ever.
    log.debug({ err: error }, 'Cannot read the schema of the database')
    return whole
  } finally {
    await close()
  }
}

/** @param folder default: that of the build @throws Failure DASHBOARD_MISSING */
export async function readDashboard(app: App, folder = dashboardFolder()): Promise<Dashboard> {
  const dashboard = await openDashboard(app, folder)
  if (dashboard) return dashboard
  const hint = 'Run `npm run build`, or set `dashboard: { enabled: false }`.'
  throw new Failure('DASHBOARD_MISSING', `The hosted pages are not built: their files are missing in ${folder}`, { hint })
}

/** Not for the replacement of a lost worker: workers that serve already are not a reason to serve less. @throws Failure */
async function checkOthers({ generation, acknowledge }: StartOrder, app: OpenApp): Promise<void> {
  await checkSecret(app, { process: process.ppid, generation }, acknowledge)
  await checkBans(app, acknowledge)
  await checkPasskeyDomain(app, acknowledge)
  await checkPasskeyOrigins(app, acknowledge)
  await settlePasskeyOrigins(app, acknowledge)
}

/** @returns a handler that cleans up and throws the error again */
const failAfter =
  (cleanUp: () => Promise<void>) =>
  async (error: unknown): Promise<never> => {
    await cleanUp()
    throw error
  }

/** The daemon is the parent process. */
const registrationOf = ({ generation }: StartOrder, { app, database: { db, errors, dialect } }: OpenApp) => ({
  db,
  errors,
  clock: dialect.clock,
  log: app.log,
  id: app.random.id(),
  host: hostname(),
  process: process.ppid,
  generation,
  schema: declareSchema(app.features),
  traits: ownTraits(app.config),
})

async function load(order: StartOrder, onBlocked: LoadConfigOptions['onBlocked']): ReturnType<typeof loadDevelopmentConfig> {
  if (order.isDevelopment) return loadDevelopmentConfig(order, onBlocked)
  const { cwd, config, overrides } = order
  const loaded = await loadConfig({ cwd, configFlag: config ?? undefined, overrides, env: process.env, onBlocked })
  return { loaded, configuredPort: loaded.config.server.port }
}

/** Without a database, a worker is replaced all the same: what waits for a move asks again. */
const trySettlePrefix = (app: App): Promise<void> => settlePrefix(app).catch(() => undefined)

async function updateSchema(order: StartOrder, loaded: LoadedConfig, opened: OpenApp): Promise<void> {
  const { database, app } = opened
  await waitForDatabase(database, { seconds: order.waitForDatabase, info: (message) => app.log.info({}, message) })
  try {
    await requireSupported(database)
    // Until the switch, the tables of a move in the same database have a prefix.
    await settlePrefix(app)
    if (!database.dialect.keepsMigrationFiles) await updateEmbedded(order, opened)
    else if (order.migrate) await applyPending(loaded, opened)
  } catch (error) {
    if (database.errors.isUnreachable(error)) throw unreachableFailure('Cannot connect to the database', error)
    throw error
  }
}

/** @throws Failure SCHEMA_LOSES_DATA */
async function updateEmbedded({ purpose, acknowledge, isDevelopment }: StartOrder, { app, database }: OpenApp): Promise<void> {
  const { db, dialect } = database
  try {
    const { changes } = await push({
      db,
      dialect,
      schema: declareSchema(app.features),
      known: productTables,
      acknowledge: purpose === 'start' ? acknowledge : [],
    })
    const log = isDevelopment ? app.log.debug : app.log.info
    if (changes.length > 0) log({ changes: changes.length }, 'The schema of the embedded database was updated')
  } catch (error) {
    if (!(error instanceof MigrationError) || error.code !== 'ACKNOWLEDGEMENT_NEEDED') throw error
    const flags = error.details.map((name) => `--acknowledge ${name}`).join(' ')
    const command = isDevelopment
      ? `stop with Ctrl-C, then run \`latchkey dev ${flags}\``
      : `run \`latchkey stop\`, then \`latchkey start ${flags}\``
    const hint = `Restore the previous configuration. To drop the data, ${command}`
    throw new Failure('SCHEMA_LOSES_DATA', error.message, { exitCode: 5, hint, cause: error })
  }
}

/** Leaves drops of what other daemons use: they may be restarted one after another. @throws MigrationError */
async function applyPending(loaded: LoadedConfig, { app, database }: OpenApp): Promise<void> {
  try {
    await up({
      db: database.db,
      dialect: database.dialect,
      dir: migrationsFolder(loaded.directory),
      holder: createHolderName(),
      onStatement: (event) => app.log.info({ event }, 'Executing a migration statement'),
    })
  } catch (error) {
    if (!(error instanceof MigrationError) || !['IN_USE', 'DAEMONS_UNSEEN'].includes(error.code)) throw error
    app.log.warn({ reason: error.message }, 'A migration is not applied, because other daemons use what it drops')
  }
}
