/** Status, readiness and metrics of a daemon, for the private listener. */
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, type MetricObject, Registry } from 'prom-client'
import { version } from '../core/version.ts'
import type { Check } from '../features/operations/index.ts'
import { isObject } from '../lib/objects.ts'
import type { Daemon } from './daemon.ts'
import type { CountersQuery, CountersReport, HealthReport } from './messages.ts'
import { listWorkers, type PoolWorker, queryWorker, type WorkerPool } from './worker-pool.ts'

/** Longer than the time that a worker waits for its database. */
const queryTimeoutMs = 4000

/** Ready when at least one worker is: the others keep serving while a lost one is replaced. */
export async function reportReadiness(daemon: Daemon) {
  const workers = listWorkers(daemon.pool)
  const reports = await Promise.all(workers.map(async (worker) => ({ worker, health: await queryHealth(worker) })))
  const serving = reports.filter(({ worker }) => worker.state === 'serving' || worker.state === 'leaving')
  const isReady = daemon.phase === 'serving' && serving.some(({ health }) => health.reasons.length === 0)
  const ownReasons = {
    starting: ['the daemon is starting'],
    serving: serving.length === 0 ? ['no worker is ready'] : [],
    stopping: ['the daemon is stopping'],
  }
  const unique = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())]
  return {
    ready: isReady,
    reasons: isReady ? [] : unique([ownReasons[daemon.phase], ...serving.map(({ health }) => health.reasons)]),
    degraded: unique(serving.map(({ health }) => health.degraded)),
    pendingMigrations: unique(serving.map(({ health }) => health.pendingMigrations)),
    schemaVersion: serving.map(({ health }) => health.schemaVersion).find((name) => name !== null) ?? null,
    workers: reports.map(describeWorker),
  }
}

function describeWorker({ worker, health }: { readonly worker: PoolWorker; readonly health: HealthReport }) {
  const { pid, state, generation, startedAt } = worker
  const { requests, reasons, degraded } = health
  return { pid, state, generation, startedAt: startedAt.toISOString(), requests, reasons, degraded }
}

async function queryHealth(worker: PoolWorker): Promise<HealthReport> {
  const unknown = (reason: string): HealthReport => {
    return { reasons: [reason], degraded: [], pendingMigrations: [], schemaVersion: null, requests: null }
  }
  if (worker.state === 'starting') return unknown('this worker is starting')
  try {
    const report = await queryWorker(worker, 'health', queryTimeoutMs)
    return isHealthReport(report) ? report : unknown('this worker sent no report')
  } catch {
    return unknown('this worker does not respond')
  }
}

const isHealthReport = (value: unknown): value is HealthReport => isObject(value) && 'reasons' in value

/** The document of `latchkey status --json`; times in seconds. */
export type DaemonStatus = Awaited<ReturnType<typeof reportStatus>>
export type WorkerStatus = DaemonStatus['workers'][number]

export async function reportStatus(daemon: Daemon) {
  const { options, serving, phase, startedAt, generation, lastReload } = daemon
  return {
    pid: process.pid,
    version,
    mode: options.mode,
    phase,
    startedAt: startedAt.toISOString(),
    uptime: Math.round((Date.now() - startedAt.getTime()) / 1000),
    url: serving?.url ?? null,
    host: serving?.address.host ?? null,
    port: serving?.address.port ?? null,
    config: options.config,
    log: daemon.logFile?.path ?? null,
    generation,
    lastReload,
    drainTimeout: serving?.drainTimeout ?? 0,
    ...(await reportReadiness(daemon)),
    checks: await readChecks(daemon.pool),
  }
}

/** The sum over all workers that respond, and the supervisor's own metrics. */
export async function reportMetrics({ pool, metrics: own }: Daemon): Promise<string> {
  const workers = listWorkers(pool).filter(({ state }) => state !== 'starting')
  const responses = await Promise.allSettled(workers.map((worker) => queryWorker(worker, 'metrics', queryTimeoutMs)))
  const ofWorkers = responses.flatMap((each) => (each.status === 'fulfilled' && isMetrics(each.value) ? [each.value] : []))
  const texts = [await AggregatorRegistry.aggregate(ofWorkers).metrics(), await readGauges(pool), await own.registry.metrics()]
  return texts.join('')
}

/** One worker reads what the database knows, because all would read the same. Empty while none is ready. */
async function readGauges(pool: WorkerPool): Promise<string> {
  const [oldest] = listWorkers(pool, 'serving')
  if (!oldest) return ''
  const text = await queryWorker(oldest, 'gauges', queryTimeoutMs).catch(() => '')
  return typeof text === 'string' ? text : ''
}

/** Work that should happen by itself: emails, jobs and the audit log. Null while no worker is ready, or the database is not. */
async function readChecks(pool: WorkerPool): Promise<Check[] | null> {
  const [oldest] = listWorkers(pool, 'serving')
  const checks = oldest && (await queryWorker(oldest, 'checks', queryTimeoutMs).catch(() => null))
  return Array.isArray(checks) ? checks : null
}

const isMetrics = (value: unknown): value is MetricObject[] => Array.isArray(value)

const prefix = 'latchkey_supervisor_'

/** Metrics that only the supervisor has. */
/** @param hasFailed whether the last reload failed */
export function createSupervisorMetrics(pool: WorkerPool, hasFailed: () => boolean) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix })
  new Gauge({
    name: `${prefix}workers`,
    help: 'Number of workers by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const state of ['starting', 'serving', 'leaving', 'draining'] as const)
        this.set({ state }, listWorkers(pool, state).length)
    },
  })
  new Gauge({
    name: `${prefix}reload_failed`,
    help: '1: the last reload failed, and the previous configuration stays in use',
    registers: [registry],
    collect() {
      this.set(hasFailed() ? 1 : 0)
    },
  })
  const counter = (name: string, help: string) => new Counter({ name: `${prefix}${name}_total`, help, registers: [registry] })
  return {
    registry,
    replacements: counter('replacements', 'Workers started to replace a lost one'),
    reloads: counter('reloads', 'Successful reloads of the configuration'),
    refusedReloads: counter('refused_reloads', 'Reloads that failed and kept the previous configuration'),
  }
}

/**
 * Rate-limit counters in memory: in the only worker, or in the supervisor, which every worker queries.
 * @throws Error when no worker responds
 */
export async function reportCounters(daemon: Daemon, query: CountersQuery): Promise<CountersReport> {
  const newest = listWorkers(daemon.pool, 'serving').at(-1)
  if (!newest) throw new Error('No worker is ready')
  const report = await queryWorker(newest, query, queryTimeoutMs)
  if (isCountersReport(report)) return report
  throw new Error('The worker sent an unexpected response')
}

const isCountersReport = (value: unknown): value is CountersReport =>
  isObject(value) && Array.isArray(value.counts) && typeof value.removed === 'number'

export const isCountersQuery = (value: unknown): value is CountersQuery =>
  isObject(value) &&
  typeof value.removes === 'boolean' &&
  Array.isArray(value.keys) &&
  value.keys.every((key) => typeof key === 'string')
