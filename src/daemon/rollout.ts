/** Starts the workers, replaces lost ones, and rolls out a new configuration. */
import { setTimeout as pause } from 'node:timers/promises'
import { version } from '../core/version.ts'
import { Failure } from '../project/failure.ts'
import type { Daemon } from './daemon.ts'
import type { ReloadReport, ServingReport, StartOrder, StartPurpose } from './messages.ts'
import type { PrivateListener } from './private-listener.ts'
import { drainWorker, listWorkers, type PoolWorker, startWorker } from './worker-pool.ts'

const startTimeoutMs = 60_000
/** Backoff between replacements: doubled after each loss, and reset after a worker that lived long enough. */
const replacementPauseMs = 250
const maxReplacementPauseMs = 30_000
const healthyLifetimeMs = 60_000

export type Rollout = ReturnType<typeof createRollout>

interface Ports {
  /** Opens the ports of a daemon that starts. @returns the public port @throws Failure */
  readonly openPort: (serving: ServingReport) => Promise<number>
  readonly applyPrivatePorts: PrivateListener['apply']
}

export function createRollout(daemon: Daemon, { openPort, applyPrivatePorts }: Ports) {
  // One at a time: each of two parallel reloads would treat the other's workers as old ones.
  let last: Promise<unknown> = Promise.resolve()
  const inSequence = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => {})
    return next
  }
  let losses = 0

  async function replenish(): Promise<void> {
    const pauseMs = losses === 0 ? 0 : Math.min(maxReplacementPauseMs, replacementPauseMs * 2 ** losses)
    await pause(pauseMs, undefined, { ref: false })
    losses += 1
    try {
      await inSequence(() => fillUp(daemon))
    } catch (error) {
      if (daemon.phase !== 'serving') return
      daemon.log.error({ err: error }, 'A lost worker could not be replaced; retrying')
      await replenish()
    }
  }

  return {
    /** Starts the first worker, which reads the number of workers from the configuration, then the others. @throws Failure */
    startAll: () => inSequence(() => startAll(daemon, openPort)),
    /** Replaces one worker after another; each old one serves until its replacement is ready. @throws Failure */
    reload: () => inSequence(() => reload(daemon, applyPrivatePorts)),
    /** Restores the number of workers, with growing pauses. */
    replace: (lost: PoolWorker): void => {
      if (Date.now() - lost.startedAt.getTime() > healthyLifetimeMs) losses = 0
      if (daemon.phase === 'serving') void replenish()
    },
  }
}

async function addWorker(daemon: Daemon, purpose: StartPurpose, migrate = false) {
  const { cwd, config, overrides, acknowledge, waitForDatabase, mode, log } = daemon.options
  const order: StartOrder = {
    purpose,
    generation: daemon.generation,
    cwd,
    config,
    overrides,
    migrate,
    acknowledge,
    waitForDatabase: purpose === 'start' ? waitForDatabase : 0,
    // `dev` passes its standard error on as the standard output of the workers.
    log: typeof log === 'string' ? log : 1,
    isDevelopment: mode === 'development',
    isRecovery: daemon.isRecovery,
    address: daemon.serving?.address ?? null,
  }
  // A migration may take any time.
  const timeoutMs = migrate ? null : startTimeoutMs + order.waitForDatabase * 1000
  const started = await startWorker(daemon.pool, order, daemon.generation, timeoutMs)
  daemon.log.info({ worker: started.worker.pid, generation: daemon.generation }, 'A worker is ready')
  return started
}

async function startAll(daemon: Daemon, openPort: Ports['openPort']): Promise<ServingReport> {
  const { worker: _, ...report } = await addWorker(daemon, 'start', daemon.options.migrate)
  const serving = withPort(report, await openPort(report))
  daemon.serving = serving
  await Promise.all(Array.from({ length: serving.workers - 1 }, () => addWorker(daemon, 'start')))
  return serving
}

/** The system chooses the port for 0, and the default public URL contains it. */
function withPort(serving: ServingReport, port: number): ServingReport {
  const url = new URL(serving.url)
  if (url.port === '0') url.port = String(port)
  return { ...serving, url: url.href, address: { ...serving.address, port } }
}

async function fillUp(daemon: Daemon): Promise<void> {
  while (daemon.phase === 'serving' && listWorkers(daemon.pool, 'serving').length < (daemon.serving?.workers ?? 0)) {
    await addWorker(daemon, 'replace')
    daemon.metrics.replacements.inc()
  }
}

async function reload(daemon: Daemon, applyPrivatePorts: PrivateListener['apply']): Promise<ReloadReport> {
  if (daemon.phase !== 'serving') throw new Failure('NOT_SERVING', 'The daemon is starting or stopping', { retryable: true })
  const previous = listWorkers(daemon.pool, 'serving')
  const before = previous.map(({ pid }) => pid)
  const serving = await startGeneration(daemon, applyPrivatePorts)
  daemon.serving = withPort(serving, serving.address.port)
  retire(daemon, previous.shift())
  for (let started = 1; started < serving.workers; started += 1) {
    await addWorker(daemon, 'reload')
    retire(daemon, previous.shift())
  }
  for (const worker of previous) retire(daemon, worker)
  const after = listWorkers(daemon.pool, 'serving').map(({ pid }) => pid)
  return { before, after, generation: daemon.generation, pendingMigrations: serving.pendingMigrations }
}

/** Starts the first worker of a new configuration. @throws Failure; then the previous configuration stays in use */
async function startGeneration(daemon: Daemon, applyPrivatePorts: PrivateListener['apply']): Promise<ServingReport> {
  let first: PoolWorker | undefined
  daemon.generation += 1
  try {
    const { worker, ...serving } = await addWorker(daemon, 'reload')
    first = worker
    checkVersion(serving)
    await applyPrivatePorts(serving.privateListener)
    return serving
  } catch (error) {
    daemon.generation -= 1
    retire(daemon, first)
    throw error
  }
}

/** Idle connections stay open for the whole drain timeout: a client that reuses one gets a response that closes it. */
function retire(daemon: Daemon, worker: PoolWorker | undefined): void {
  const timeoutMs = (daemon.serving?.drainTimeout ?? 0) * 1000
  if (worker) drainWorker(daemon.pool, worker, timeoutMs, timeoutMs)
}

/** The messages between supervisor and workers may differ between versions. */
function checkVersion(serving: ServingReport): void {
  if (serving.version === version) return
  throw new Failure('VERSION_CHANGED', `The daemon runs version ${version}, but ${serving.version} is installed now`, {
    hint: 'Run `latchkey restart` to use the new version.',
  })
}
