/**
 * The process that owns the port. It never loads the configuration: an error in a configuration breaks only a worker, which can be
 * replaced.
 */
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createMemoryRateLimits } from '../adapters/rate-limit/local-rate-limit.ts'
import type { Logger } from '../core/ports.ts'
import { version } from '../core/version.ts'
import { type ExitCode, exitCodes, toFailure } from '../project/failure.ts'
import { watchFiles } from './config-sources.ts'
import { createConnectionHandover } from './connection-handover.ts'
import type { Daemon, SupervisorEvents, SupervisorOptions } from './daemon.ts'
import { openDaemonLog, openLogFile } from './log.ts'
import { packFailure, type ServingReport } from './messages.ts'
import { createRoutes } from './private-routes.ts'
import { createRollout, type Rollout } from './rollout.ts'
import { type DaemonState, ownStart } from './state.ts'
import * as statusReport from './status-report.ts'
import {
  applyPrivatePorts,
  createDaemonSlot,
  type DaemonSlot,
  openPorts,
  type Predecessor,
  type RestartOrder,
  replaceDaemon,
} from './succession.ts'
import { allEnded, drainWorker, killWorker, listWorkers, type WorkerPool } from './worker-pool.ts'

/**
 * Serves until it is stopped.
 * @param predecessor the daemon that this one replaces
 * @returns the exit code
 * @throws Failure when it cannot start; then it has removed everything that it created
 */
export async function runSupervisor(
  options: SupervisorOptions,
  events: SupervisorEvents = {},
  predecessor: Predecessor | null = null,
): Promise<ExitCode> {
  const place = createDaemonSlot(options.directory)
  const isRecovery = predecessor ? false : place.lock()
  // No worker reports before `startAll`, when the watcher and the rollout are there.
  const daemon = await createDaemon(options, events, isRecovery, {
    onSources: (files) => watcher?.add(files),
    onLost: (worker) => rollout.replace(worker),
  })
  const shutdown = createShutdown(daemon)
  const reloadNow = () => reloadAndReport(daemon, rollout)
  const routes = createRoutes(daemon, { reload: reloadNow, restart: (order) => restart(order), stop: shutdown.stop })
  const openPort = (serving: ServingReport) => openPorts(daemon, serving, { place, routes, predecessor })
  const rollout = createRollout(daemon, { openPort, applyPrivatePorts: (ports) => applyPrivatePorts(daemon, place, ports) })
  const restart = (order: RestartOrder) => replaceDaemon(daemon, { place, routes, stop: shutdown.stop }, order)
  // `reloadAndReport` has reported the failure.
  const reload = () => void reloadNow().catch(() => {})
  // First: a process that finds the socket may send a signal at that moment.
  listenForSignals(daemon, shutdown, reload)
  if (!predecessor) await place.open({ routes, connections: daemon.connections })
  const watcher = options.mode === 'development' ? watchFiles(reload) : null
  try {
    watcher?.add([options.config ?? join(options.directory, 'auth.config.ts'), join(options.directory, '.env')])
    const serving = await Promise.race([rollout.startAll(), shutdown.requested])
    if (serving) announce(daemon, serving, place)
    return await shutdown.exitCode
  } catch (error) {
    if (daemon.phase === 'stopping') return await shutdown.exitCode
    // Without a log file, the command prints the failure itself.
    if (daemon.logFile) daemon.log.error({ failure: packFailure(await toFailure(error, null)) }, 'The daemon failed to start')
    throw error
  } finally {
    watcher?.close()
    await endAll(daemon)
    place.leave()
  }
}

/** How long the supervisor waits for the last output of workers that have exited. */
const outputTimeoutMs = 1000

async function endAll(daemon: Daemon): Promise<void> {
  daemon.phase = 'stopping'
  daemon.connections.close()
  for (const worker of daemon.pool.workers) killWorker(worker)
  await allEnded(daemon.pool)
  // A process that a worker has started may hold its output open.
  await Promise.race([daemon.logFile?.copied(), pause(outputTimeoutMs, undefined, { ref: false })])
}

async function createDaemon(
  options: SupervisorOptions,
  events: SupervisorEvents,
  isRecovery: boolean,
  { onSources, onLost }: Pick<WorkerPool, 'onSources' | 'onLost'>,
): Promise<Daemon> {
  const logFile = typeof options.log === 'string' ? openLogFile(options.log) : null
  const stream = options.log === 2 ? 2 : 1
  const connections = createConnections(() => daemon.log)
  const pool: WorkerPool = {
    workers: new Set(),
    cwd: options.directory,
    connections,
    outputs: logFile ? 'pipe' : [stream, 2],
    onOutput: (output) => logFile?.copy(output),
    rateLimits: createMemoryRateLimits({ now: () => new Date() }),
    onSources,
    onLost: (worker, reason) => {
      if (daemon.phase === 'serving') daemon.log.warn({ worker: worker.pid, reason }, 'A worker was lost and is being replaced')
      onLost(worker, reason)
    },
  }
  const daemon: Daemon = {
    options,
    events,
    logFile,
    connections,
    startedAt: new Date(),
    isRecovery,
    phase: 'starting',
    generation: 1,
    lastReload: null,
    serving: null,
    log: logFile ? await logFile.log('info') : await openDaemonLog(options.mode === 'development' ? 'warn' : 'info', stream),
    pool,
    metrics: statusReport.createSupervisorMetrics(pool, () => daemon.lastReload?.failure != null),
  }
  return daemon
}

const createConnections = (log: () => Logger) =>
  createConnectionHandover({
    onStuck: ({ process: stuck }) => {
      log().error({ worker: stuck.pid }, 'A worker did not accept a connection in time and was killed')
      stuck.kill('SIGKILL')
    },
    onOverflow: (closed) => log().warn({ closed }, 'Connections were closed because too many wait for a worker'),
  })

/** Writes the state file, through which commands find the daemon. */
function announce(daemon: Daemon, serving: ServingReport, place: DaemonSlot): void {
  const state = describeState(daemon, serving, place.sockets())
  place.announce(state)
  daemon.phase = 'serving'
  daemon.log.info({ url: serving.url, host: state.host, port: state.port, workers: serving.workers }, 'The daemon is serving')
  daemon.events.onServing?.(state, serving)
}

const describeState = (
  { options, startedAt, logFile }: Daemon,
  { address, url }: ServingReport,
  sockets: Pick<DaemonState, 'socket' | 'apiSocket'>,
): DaemonState => ({
  schema: 'daemon/v1',
  pid: process.pid,
  processStart: ownStart(),
  startedAt: startedAt.toISOString(),
  mode: options.mode,
  version,
  ...sockets,
  host: address.host,
  port: address.port,
  url,
  config: options.config,
  log: logFile?.path ?? null,
  overrides: options.overrides,
  // Names of schema changes have a colon: they are accepted once.
  acknowledge: options.acknowledge.filter((name) => !name.includes(':')),
})

async function reloadAndReport(daemon: Daemon, rollout: Rollout) {
  try {
    const report = await rollout.reload()
    daemon.lastReload = { at: new Date().toISOString(), failure: null }
    daemon.metrics.reloads.inc()
    daemon.log.info({ ...report }, 'The configuration was reloaded')
    if (daemon.serving) daemon.events.onReloaded?.(report, daemon.serving)
    return report
  } catch (error) {
    const failure = await toFailure(error, null)
    daemon.lastReload = { at: new Date().toISOString(), failure: packFailure(failure) }
    daemon.metrics.refusedReloads.inc()
    if (daemon.events.onReloadFailed) daemon.events.onReloadFailed(failure)
    else daemon.log.error({ failure: packFailure(failure) }, 'The configuration was not reloaded; the previous one stays in use')
    throw failure
  }
}

type Shutdown = ReturnType<typeof createShutdown>

/** Shorter than for a reload: after a stop no other worker serves the connection. */
const idleTimeoutMs = 1000

function createShutdown(daemon: Daemon) {
  const requested = Promise.withResolvers<null>()
  const exitCode = Promise.withResolvers<ExitCode>()
  return {
    /** Resolves at the first request to stop. */
    requested: requested.promise,
    exitCode: exitCode.promise,
    /** Lets running requests finish. */
    stop: () => {
      if (daemon.phase === 'stopping') return
      daemon.phase = 'stopping'
      daemon.log.info({}, 'The daemon is stopping')
      daemon.connections.close()
      const timeoutMs = (daemon.serving?.drainTimeout ?? 0) * 1000
      for (const worker of listWorkers(daemon.pool, 'starting')) killWorker(worker)
      for (const worker of [...listWorkers(daemon.pool, 'serving'), ...listWorkers(daemon.pool, 'leaving')])
        drainWorker(daemon.pool, worker, Math.min(idleTimeoutMs, timeoutMs), timeoutMs)
      requested.resolve(null)
      void allEnded(daemon.pool).then(() => exitCode.resolve(exitCodes.done))
    },
    stopNow: () => exitCode.resolve(exitCodes.interrupted),
  }
}

/** Within this time a second signal is a duplicate: npm and others forward a signal that the terminal has sent to all. */
const duplicateSignalMs = 100

/** SIGTERM and SIGINT stop, a second one immediately; SIGHUP reloads. The listeners stay: a third signal must not end the process. */
function listenForSignals(daemon: Daemon, { stop, stopNow }: Shutdown, reload: () => void): void {
  let last = Number.NEGATIVE_INFINITY
  const end = () => {
    if (performance.now() - last < duplicateSignalMs) return
    last = performance.now()
    if (daemon.phase === 'stopping') stopNow()
    else stop()
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('SIGHUP', () => (process.stdout.isTTY && !hasTerminal() ? end() : reload()))
}

/** A terminal that closes also sends SIGHUP; by then the process has no controlling terminal (tty(4)). */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
