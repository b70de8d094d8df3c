/** What the private listener tells. */
import { AggregatorRegistry, type MetricObject, Registry } from 'prom-client'
import { version } from '../core/version.ts'
import { isObject } from '../lib/is-object.ts'
import type { Member } from './crew.ts'
import type { Daemon } from './daemon.ts'
import type { CountersQuestion, CountersReport, HealthReport } from './messages.ts'
import { supervisorMetrics } from './supervisor-metrics.ts'

/** Milliseconds that a worker has to answer: longer than it gives its database. */
const patience = 4000

export interface WorkerStatus {
  readonly pid: number
  readonly state: Member['state']
  readonly generation: number
  readonly startedAt: string
  /** Null when it does not answer, or does not serve yet. */
  readonly requests: number | null
  readonly reasons: readonly string[]
  readonly degraded: readonly string[]
}

export interface Readiness {
  readonly ready: boolean
  readonly reasons: readonly string[]
  readonly degraded: readonly string[]
  readonly pendingMigrations: readonly string[]
  /** Name of the newest migration that is applied; null for an embedded database. */
  readonly schemaVersion: string | null
  readonly workers: readonly WorkerStatus[]
}

export interface DaemonStatus extends Readiness {
  readonly pid: number
  readonly version: string
  readonly mode: Daemon['options']['mode']
  readonly phase: Daemon['phase']
  readonly startedAt: string
  /** Seconds. */
  readonly uptime: number
  readonly url: string | null
  readonly host: string | null
  readonly port: number | null
  readonly config: string | null
  readonly log: string | null
  readonly generation: number
  /** Seconds. */
  readonly drainTimeout: number
}

export interface ReloadReport {
  /** Process numbers. */
  readonly before: readonly number[]
  readonly after: readonly number[]
  readonly generation: number
}

/** Ready when one worker is: a lost one is replaced while the others serve. */
export async function reportReadiness(daemon: Daemon): Promise<Readiness> {
  const reports = await Promise.all(daemon.crew.members().map((member) => askHealth(daemon, member)))
  const serving = reports.filter(({ member }) => member.state === 'serving')
  const isReady = daemon.phase === 'serving' && serving.some(({ health }) => health.reasons.length === 0)
  const own = {
    starting: ['the daemon is starting'],
    serving: serving.length === 0 ? ['no worker serves'] : [],
    stopping: ['the daemon is stopping'],
  }
  const unique = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())]
  return {
    ready: isReady,
    reasons: isReady ? [] : unique([own[daemon.phase], ...serving.map(({ health }) => health.reasons)]),
    degraded: unique(serving.map(({ health }) => health.degraded)),
    pendingMigrations: unique(serving.map(({ health }) => health.pendingMigrations)),
    schemaVersion: serving.map(({ health }) => health.schemaVersion).find((name) => name !== null) ?? null,
    workers: reports.map(({ member, health }) => statusOf(member, health)),
  }
}

const statusOf = ({ pid, state, generation, startedAt }: Member, { requests, reasons, degraded }: Known): WorkerStatus => ({
  pid,
  state,
  generation,
  startedAt: startedAt.toISOString(),
  requests,
  reasons,
  degraded,
})

interface Known extends Omit<HealthReport, 'requests'> {
  readonly requests: number | null
}
const nothing: Known = { reasons: [], degraded: [], pendingMigrations: [], schemaVersion: null, requests: null }

async function askHealth(daemon: Daemon, member: Member): Promise<{ member: Member; health: Known }> {
  if (member.state === 'starting') return { member, health: { ...nothing, reasons: ['this worker is starting'] } }
  try {
    const answer = await daemon.crew.ask(member, 'health', patience)
    if (isHealthReport(answer)) return { member, health: answer }
    return { member, health: { ...nothing, reasons: ['this worker gave no report'] } }
  } catch {
    // Late, or gone meanwhile; either way what there is to tell.
    return { member, health: { ...nothing, reasons: ['this worker does not answer'] } }
  }
}

const isHealthReport = (value: unknown): value is HealthReport =>
  typeof value === 'object' && value !== null && 'reasons' in value

export async function reportStatus(daemon: Daemon): Promise<DaemonStatus> {
  const { options, serving, phase, startedAt, generation } = daemon
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
    drainTimeout: serving?.drainTimeout ?? 0,
    ...(await reportReadiness(daemon)),
  }
}

/** The sum over all workers that answer, and the supervisor's own. */
export async function reportMetrics(daemon: Daemon): Promise<string> {
  const ofWorkers = daemon.crew.members().filter(({ state }) => state !== 'starting')
  const answers = await Promise.allSettled(ofWorkers.map((member) => daemon.crew.ask(member, 'metrics', patience)))
  const metrics = answers.flatMap((answer) => (answer.status === 'fulfilled' && isMetrics(answer.value) ? [answer.value] : []))
  const texts = [await AggregatorRegistry.aggregate(metrics).metrics(), await supervisorMetrics(daemon).metrics()]
  return texts.join('')
}

export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE

const isMetrics = (value: unknown): value is MetricObject[] => Array.isArray(value)

/**
 * Of limits that are counted inside this daemon: by its one worker, or for all of them by the supervisor, whom each of them asks.
 * @throws Error when no worker answers
 */
export async function reportCounters(daemon: Daemon, question: CountersQuestion): Promise<CountersReport> {
  const newest = daemon.crew.members('serving').at(-1)
  if (!newest) throw new Error('No worker serves')
  const answer = await daemon.crew.ask(newest, question, patience)
  if (isCountersReport(answer)) return answer
  throw new Error('The worker gave another answer')
}

const isCountersReport = (value: unknown): value is CountersReport =>
  isObject(value) && Array.isArray(value.counts) && typeof value.removed === 'number'

export const isCountersQuestion = (value: unknown): value is CountersQuestion =>
  isObject(value) &&
  typeof value.removes === 'boolean' &&
  Array.isArray(value.keys) &&
  value.keys.every((key) => typeof key === 'string')
