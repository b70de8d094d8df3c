/**
 * The process that holds the port and never reads the configuration: what a configuration does, it does to a worker, which
 * can be replaced.
 */
import { join } from 'node:path'
import { createMemoryRateLimits } from '../adapters/rate-limit/memory.ts'
import { toFailure } from '../cli/describe-failure.ts'
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts'
import { version } from '../core/version.ts'
import { createConnections } from './connections.ts'
import { createCrew } from './crew.ts'
import type { Daemon, SupervisorEvents, SupervisorOptions } from './daemon.ts'
import { packFailure } from './failures.ts'
import { openDaemonLog, openLogFile } from './log.ts'
import type { Serving } from './messages.ts'
import { openPrivateListener, type PrivateListener } from './private-listener.ts'
import { isCountersQuestion, metricsType, reportCounters, reportMetrics, reportReadiness, reportStatus } from './report.ts'
import { createRollout, type Rollout } from './rollout.ts'
import { listenForSignals } from './signals.ts'
import { createStateFolder, type DaemonState, lockProject, ownStart, removeState, writeState } from './state.ts'
import { watchFiles } from './watch.ts'

/**
 * Serves until it is told to stop.
 * @returns the exit code
 * @throws CliFailure when it could not start; nothing is left behind then
 */
export async function runSupervisor(options: SupervisorOptions, events: SupervisorEvents = {}): Promise<ExitCode> {
  const unlock = lockProject(options.directory)
  const folder = createStateFolder(options.directory)
  const { daemon, hooks } = await createDaemon(options, events)
  const ending = createEnding(daemon)
  const listener = await openPrivateListener(
    folder,
    routesOf(daemon, () => hooks.reload(), ending.stop),
  )
  const rollout = createRollout(daemon, listener)
  // Whoever wants to know of a refused reload has been told by then.
  const reloadUnasked = () => void hooks.reload().catch(() => {})
  const watcher = options.mode === 'development' ? watchFiles(reloadUnasked) : null
  hooks.replace = rollout.replace
  hooks.reload = () => reloadAndTell(daemon, rollout)
  hooks.sources = (files) => watcher?.add(files)
  listenForSignals({ ...ending, reload: reloadUnasked })
  try {
    watcher?.add([options.config ?? join(options.directory, 'auth.config.ts'), join(options.directory, '.env')])
    const serving = await Promise.race([rollout.startAll(), ending.asked])
    if (serving) begin(daemon, serving, { folder, listener })
    return await ending.exitCode
  } catch (error) {
    if (daemon.phase === 'stopping') return await ending.exitCode
    // Without a file the command that runs this says it, where the log would have said it too.
    if (daemon.logFile) daemon.log.error({ failure: packFailure(await toFailure(error, null)) }, 'The daemon does not start')
    throw error
  } finally {
    daemon.phase = 'stopping'
    watcher?.close()
    daemon.connections.close()
    for (const member of daemon.crew.members()) daemon.crew.kill(member)
    await daemon.crew.ended()
    listener.close()
    removeState(folder, process.pid)
    unlock()
  }
}

/** What is known only after the daemon itself. */
interface Hooks {
  replace: Rollout['replace']
  reload: Rollout['reload']
  sources: (files: readonly string[]) => void
}

async function createDaemon(options: SupervisorOptions, events: SupervisorEvents): Promise<{ daemon: Daemon; hooks: Hooks }> {
  const logFile = typeof options.log === 'string' ? openLogFile(options.log) : null
  const stream = options.log === 2 ? 2 : 1
  const connections = createConnections()
  const hooks: Hooks = { replace: () => {}, reload: () => Promise.reject(new Error('The daemon is starting')), sources: () => {} }
  const daemon: Daemon = {
    options,
    events,
    logFile,
    connections,
    startedAt: new Date(),
    counts: { replacements: 0, reloads: 0, refusedReloads: 0 },
    phase: 'starting',
    generation: 1,
    serving: null,
    log: logFile ? await logFile.log('info') : await openDaemonLog(options.mode === 'development' ? 'warn' : 'info', stream),
    crew: createCrew({
      cwd: options.directory,
      connections,
      outputs: () => (logFile ? [logFile.fd(), logFile.fd()] : [stream, 2]),
      rateLimits: createMemoryRateLimits({ now: () => new Date() }),
      onSources: (files) => hooks.sources(files),
      onLost: (member, how) => {
        daemon.log.warn({ worker: member.pid, how }, 'A worker was lost; another takes its place')
        hooks.replace(member)
      },
    }),
  }
  return { daemon, hooks }
}

function begin(daemon: Daemon, serving: Serving, { folder, listener }: { folder: string; listener: PrivateListener }): void {
  const { options, logFile } = daemon
  const state: DaemonState = {
    schema: 'daemon/v1',
    pid: process.pid,
    processStart: ownStart(),
    startedAt: daemon.startedAt.toISOString(),
    mode: options.mode,
    version,
    socket: listener.socket,
    host: serving.address.host,
    port: serving.address.port,
    url: serving.url,
    config: options.config,
    log: logFile?.path ?? null,
    overrides: options.overrides,
  }
  writeState(folder, state)
  daemon.phase = 'serving'
  daemon.log.info({ url: serving.url, host: state.host, port: state.port, workers: serving.workers }, 'The daemon serves')
  daemon.events.onServing?.(state, serving)
}

async function reloadAndTell(daemon: Daemon, rollout: Rollout) {
  try {
    const report = await rollout.reload()
    daemon.counts.reloads += 1
    daemon.log.info({ ...report }, 'The configuration was reloaded')
    if (daemon.serving) daemon.events.onReloaded?.(report, daemon.serving)
    return report
  } catch (error) {
    const failure = await toFailure(error, null)
    daemon.counts.refusedReloads += 1
    if (daemon.events.onReloadFailed) daemon.events.onReloadFailed(failure)
    else daemon.log.error({ failure: packFailure(failure) }, 'The configuration was not reloaded; the old one goes on serving')
    throw failure
  }
}

function routesOf(daemon: Daemon, reload: Rollout['reload'], stop: () => void) {
  return {
    'GET /livez': async () => ({ status: 200, body: { status: 'alive' } }),
    'GET /readyz': async () => {
      const readiness = await reportReadiness(daemon)
      return { status: readiness.ready ? 200 : 503, body: { status: readiness.ready ? 'ready' : 'not ready', ...readiness } }
    },
    'GET /status': async () => ({ status: 200, body: await reportStatus(daemon) }),
    'GET /metrics': async () => ({ status: 200, body: await reportMetrics(daemon), type: metricsType }),
    'POST /counters': async (body: unknown) => {
      const report = isCountersQuestion(body) ? await reportCounters(daemon, body) : null
      return report ? { status: 200, body: report } : { status: 400, body: { code: 'BAD_REQUEST', message: 'No such question' } }
    },
    'POST /reload': async () => {
      const outcome = await reload().catch((error: unknown) => toFailure(error, null))
      return outcome instanceof Error ? { status: 409, body: packFailure(outcome) } : { status: 200, body: outcome }
    },
    'POST /stop': async () => {
      // After the answer: with no worker left the listener would close under it.
      setImmediate(stop)
      return { status: 202, body: { pid: process.pid, drainTimeout: daemon.serving?.drainTimeout ?? 0 } }
    },
  }
}

interface Ending {
  /** Lets calls finish; a second time: at once. */
  readonly stop: () => void
  readonly stopAtOnce: () => void
  readonly isStopping: () => boolean
  /** Resolves when somebody asked to stop. */
  readonly asked: Promise<null>
  readonly exitCode: Promise<ExitCode>
}

/** Milliseconds that a connection without a call may stay: nobody takes the place of this daemon. */
const idleGrace = 1000

function createEnding(daemon: Daemon): Ending {
  const asked = Promise.withResolvers<null>()
  const exitCode = Promise.withResolvers<ExitCode>()
  return {
    asked: asked.promise,
    exitCode: exitCode.promise,
    isStopping: () => daemon.phase === 'stopping',
    stop: () => {
      if (daemon.phase === 'stopping') return
      daemon.phase = 'stopping'
      daemon.log.info({}, 'The daemon stops')
      daemon.connections.close()
      const deadline = (daemon.serving?.drainTimeout ?? 0) * 1000
      for (const member of daemon.crew.members('starting')) daemon.crew.kill(member)
      for (const member of daemon.crew.members('serving')) daemon.crew.drain(member, Math.min(idleGrace, deadline), deadline)
      asked.resolve(null)
      void daemon.crew.ended().then(() => exitCode.resolve(exitCodes.done))
    },
    stopAtOnce: () => exitCode.resolve(exitCodes.interrupted),
  }
}
