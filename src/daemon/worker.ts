/** A worker: a process that serves requests for the supervisor. It drains and exits when the supervisor has exited. */
import cluster from 'node:cluster'
import { flushCompileCache } from 'node:module'
import { Socket } from 'node:net'
import { extend } from '../core/app.ts'
import { ownTextFiles } from '../core/own-locales.ts'
import { apiURL } from '../core/route.ts'
import { version } from '../core/version.ts'
import { hostedURL } from '../features/dashboard/index.ts'
import { checkInstallation } from '../features/operations/index.ts'
import { Failure, toFailure } from '../project/failure.ts'
import { type APIServer, createAPIServer } from './api-server.ts'
import { recordSources } from './config-sources.ts'
import { seedDevelopmentAdmin } from './development-admin.ts'
import { databasePath } from './development-config.ts'
import { type Jobs, startJobs } from './jobs.ts'
import { openDaemonLog } from './log.ts'
import {
  type Address,
  type CountersQuery,
  type CountersReport,
  type DevelopmentAccess,
  type Health,
  isToWorker,
  type Listener,
  packFailure,
  type ServingReport,
  type StartOrder,
  sendToParent,
  type ToSupervisor,
  type ToWorker,
  type WorkerQuery,
} from './messages.ts'
import { startPolls } from './polls.ts'
import { type Prepared, prepare } from './worker-app.ts'

/** For the connections to the database and Redis. */
const closeTimeoutMs = 2000
/** Timeout of idle connections after a signal. Otherwise the supervisor sends the value. */
const idleTimeoutMs = 1000

interface Running extends Prepared {
  readonly server: APIServer
  readonly jobs: Jobs
  readonly stopPolls: () => void
}

let running: Running | null = null
let isDraining = false
const leave = Promise.withResolvers<void>()

const send = (message: ToSupervisor): Promise<void> => sendToParent(message)

async function start(order: StartOrder): Promise<void> {
  const sources = order.isDevelopment ? recordSources() : new Set<string>()
  const report = (failure: Failure) => send({ type: 'failed', failure: packFailure(failure), sources: [...sources] })
  try {
    const prepared = await prepare(order, (failure) => void report(failure))
    const { opened } = prepared
    const development = order.isDevelopment ? await describeDevelopment(order, prepared) : null
    const { dashboard, installation } = prepared
    const pages = { dashboard, installation, development: development && { administrator: development.admin } }
    const app = extend(opened.app, pages)
    const reasons = { reasons: async () => (await readHealth(prepared)).reasons }
    // Before the first request: what is frozen must be known by then.
    const stopPolls = await startPolls(opened.app)
    const jobs = startJobs(opened.app, opened.database.dialect.clock)
    running = { ...prepared, server: createAPIServer(app, reasons), jobs, stopPolls }
    exitOnUnexpectedErrors(running)
    const address = addressOf(order, prepared)
    // Loading leaves garbage that an idle worker would never collect. Only this kind of collection returns the memory to the
    // system.
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    await send({ type: 'ready', serving: describe(prepared, { address, sources, development }) })
    // Otherwise Node writes the cache only at exit, and not at every kind of exit.
    flushCompileCache()
  } catch (error) {
    await running?.unregister()
    const failure = await toFailure(error, null)
    // The message alone does not show the cause.
    if (failure.code === 'UNEXPECTED') (await openDaemonLog('error', order.log)).error({ err: error }, 'A worker failed to start')
    await report(failure)
    process.exit(1)
  }
}

/** @throws Failure ADDRESS_CHANGED */
function addressOf({ address, purpose }: StartOrder, { loaded, configuredPort, log }: Prepared): Address {
  const { host, port } = loaded.config.server
  if (!address) return { host, port, configuredHost: host, configuredPort }
  if (address.configuredHost === host && address.configuredPort === configuredPort) return address
  if (purpose === 'replace') {
    log.warn(
      { host, port: configuredPort },
      'The configured host or port has changed; the change takes effect at the next restart',
    )
    return address
  }
  throw new Failure(
    'ADDRESS_CHANGED',
    `The host or port changed from ${address.configuredHost}:${address.configuredPort} to ${host}:${configuredPort}`,
    { hint: 'Run `latchkey restart` to use the new address.' },
  )
}

async function describeDevelopment(order: StartOrder, { loaded, opened, configuredPort }: Prepared): Promise<DevelopmentAccess> {
  const actual = order.address?.port ?? loaded.config.server.port
  return {
    admin: await seedDevelopmentAdmin(opened, loaded.directory),
    adminUrl: loaded.config.admin.enabled ? hostedURL(loaded.config, '/admin') : null,
    database: databasePath(loaded.directory),
    takenPort: actual === configuredPort || configuredPort === 0 ? null : configuredPort,
  }
}

function describe(
  { loaded: { config }, pendingMigrations }: Prepared,
  more: { address: Address; sources: ReadonlySet<string>; development: DevelopmentAccess | null },
): ServingReport {
  const url = apiURL(config)
  return {
    version,
    address: more.address,
    workers: config.server.workers,
    drainTimeout: config.server.drainTimeout,
    privateListener: config.server.private,
    url,
    referenceUrl: config.openAPI.enabled ? `${url}/reference` : null,
    pagesUrl: hostedURL(config, '/'),
    mailboxUrl: config.mail.enabled && config.mail.catch ? (hostedURL(config, '/mailbox') ?? `${url}/mailbox/list`) : null,
    pendingMigrations,
    sources: [...more.sources, ...ownTextFiles(config)],
    development: more.development,
  }
}

/** An unexpected error leaves an unknown state; the supervisor starts another worker. */
function exitOnUnexpectedErrors({ log }: Running): void {
  const end = (kind: string) => (error: unknown) => {
    log.error({ err: error }, kind)
    process.exit(1)
  }
  process.on('uncaughtException', end('Uncaught exception'))
  process.on('unhandledRejection', end('Unhandled promise rejection'))
}

async function drain(idleMs: number, timeoutMs: number): Promise<void> {
  if (!running) process.exit(0)
  if (isDraining) return
  isDraining = true
  const { server, jobs, stopPolls, opened, unregister } = running
  server.startDraining()
  await Promise.all([server.drained(idleMs, timeoutMs), jobs.stop(timeoutMs)])
  stopPolls()
  const timer = setTimeout(() => process.exit(0), closeTimeoutMs)
  await unregister()
  await opened.close()
  clearTimeout(timer)
  process.exit(0)
}

/** After a signal that the supervisor did not send. It must first stop sending connections: `leave` comes after the last one. */
async function drainUnordered(): Promise<void> {
  if (process.connected) {
    await send({ type: 'draining' })
    await leave.promise
  }
  const timeoutMs = (running?.loaded.config.server.drainTimeout ?? 0) * 1000
  await drain(Math.min(idleTimeoutMs, timeoutMs), timeoutMs)
}

function accept(socket: unknown, listener: Listener): void {
  // Undefined when the client has disconnected.
  if (socket instanceof Socket) running?.server.accept(socket, listener)
  void send({ type: 'confirmed' })
}

async function readHealth({ health }: Prepared): Promise<Health> {
  const found = await health()
  return isDraining ? { ...found, reasons: ['this worker is draining', ...found.reasons] } : found
}

async function respond(query: WorkerQuery, current: Running): Promise<unknown> {
  if (query === 'metrics') return current.registry.getMetricsAsJSON()
  if (query === 'gauges') return current.gauges()
  if (query === 'checks') return checkInstallation(current.opened.app)
  if (query === 'health') return { ...(await readHealth(current)), requests: current.server.requests() }
  return readCounters(current, query)
}

/** @returns null when they cannot be read, with the cause in the log */
async function readCounters({ opened, log }: Running, { keys, removes }: CountersQuery): Promise<CountersReport | null> {
  const { rateLimits } = opened.app
  try {
    const counts = await rateLimits.find(keys)
    return { counts, removed: removes ? await rateLimits.delete(keys) : 0 }
  } catch (error) {
    log.warn({ err: error }, 'Cannot read the rate-limit counters')
    return null
  }
}

async function handle(message: Exclude<ToWorker, { type: 'connection' }>): Promise<void> {
  if (message.type === 'start') return start(message.order)
  if (message.type === 'drain') return drain(message.idleTimeoutMs, message.timeoutMs)
  if (message.type === 'leave') return leave.resolve()
  if (running) await send({ type: 'response', id: message.id, response: await respond(message.query, running) })
}

process.title = 'latchkey worker'
process.on('message', (message, socket) => {
  if (!isToWorker(message)) return
  if (message.type === 'connection') accept(socket, message.listener)
  else void handle(message)
})
// A terminal sends these to all processes; the supervisor decides what they mean.
process.on('SIGINT', () => {})
process.on('SIGHUP', () => {})
// Service managers send SIGTERM to all processes at the same time.
process.on('SIGTERM', () => void drainUnordered())
cluster.worker?.on('disconnect', () => {
  // Otherwise Node exits immediately and aborts the running requests.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  leave.resolve()
  void drainUnordered()
})
