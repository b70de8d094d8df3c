import cluster from 'node:cluster'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Logger, Metrics } from '../core/ports.ts'

type MetricName = Parameters<Metrics['count']>[0]
type TimingName = Parameters<Metrics['observe']>[0]

const prefix = 'latchkey_'

/**
 * Metrics in the Prometheus text format. In a worker the registry also responds to the `AggregatorRegistry` of prom-client in the
 * supervisor. A label that is not declared here is an error; a missing one is empty.
 */
export function createMetrics(): { metrics: Metrics; registry: Registry } {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix })
  const counters = createCounters(registry)
  const timings = createTimings(registry)
  if (cluster.isWorker) {
    AggregatorRegistry.setRegistries(registry)
    // Its constructor makes this worker respond.
    new AggregatorRegistry()
  }
  return {
    registry,
    metrics: {
      count: (name, labels = {}, amount = 1) => counters[name].inc(labels, amount),
      observe: (name, seconds, labels = {}) => timings[name].observe(labels, seconds),
    },
  }
}

function createCounters(registry: Registry): Readonly<Record<MetricName, Counter>> {
  const counter = (name: MetricName, help: string, labelNames: string[]) =>
    new Counter({ name: `${prefix}${name}_total`, help, labelNames, registers: [registry] })
  return {
    sign_in: counter('sign_in', 'Users who signed in', ['method']),
    sign_in_failed: counter('sign_in_failed', 'Passwords, codes and links that did not authenticate a user', ['route']),
    challenge: counter('challenge', 'Sign-ins that waited for more than the first factor: opened, passed, failed or cancelled', [
      'kind',
      'outcome',
    ]),
    second_factor: counter('second_factor', 'Second factors: passed or failed', ['kind', 'outcome']),
    second_factor_reset: counter('second_factor_reset', 'Resets of second factors: requested, cancelled or done', [
      'by',
      'outcome',
    ]),
    rate_limited: counter('rate_limited', 'Requests rejected by a rate limit', []),
    rate_limit_fallback: counter(
      'rate_limit_fallback',
      'Requests counted in memory because the configured store did not respond',
      ['store'],
    ),
    hash_rejected: counter('hash_rejected', 'Password hashes rejected because too many were waiting', []),
    database_retry: counter('database_retry', 'Transactions repeated after a deadlock or a certification failure', []),
    database_unavailable: counter(
      'database_unavailable',
      'Requests and jobs that failed because the database was unavailable',
      [],
    ),
    unexpected_error: counter('unexpected_error', 'Requests that ended in an unexpected error', []),
    delivery: counter('delivery', 'Attempts to deliver an email or text message: sent, retried or failed', ['medium', 'outcome']),
    audit_discarded: counter('audit_discarded', 'Rejected calls that are counted but not recorded in the audit log', []),
    sweep_unfinished: counter('sweep_unfinished', 'Runs of a cleanup that ended with expired rows left', []),
    sign_in_mail: counter('sign_in_mail', 'Magic links and codes by email: sent, used or expired', ['kind', 'outcome']),
    // Whatever degrades without an error response is logged: so each such state has a metric.
    log_lines: counter('log_lines', 'Warnings and errors in the log', ['level']),
  }
}

function createTimings(registry: Registry): Readonly<Record<TimingName, Histogram>> {
  const histogram = (name: TimingName, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name: `${prefix}${name}_seconds`, help, labelNames, buckets, registers: [registry] })
  return {
    request_duration: histogram(
      'request_duration',
      'Time from the arrival of a request to its response',
      // `route` is the declared pattern, not the path of the request, because clients could create any number of series.
      ['method', 'route', 'status'],
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    ),
    hash_duration: histogram(
      'hash_duration',
      'Time of one password hash, without its time in the queue',
      ['operation'],
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    ),
    job_duration: histogram('job_duration', 'Time of one run of a job', ['job'], [0.01, 0.1, 0.5, 1, 5, 15, 60, 240, 1000]),
    sign_in_mail_delay: histogram(
      'sign_in_mail_delay',
      'Time from the request of a magic link or code to its use',
      ['kind'],
      [5, 10, 20, 30, 60, 120, 300, 600],
    ),
    database_wait: histogram(
      'database_wait',
      'Time that a statement or transaction waited for a free database connection',
      [],
      [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5],
    ),
  }
}

/** A log whose warnings and errors are counted. */
export const countLines = (log: Logger, { count }: Pick<Metrics, 'count'>): Logger => ({
  ...log,
  warn: (fields, message) => {
    count('log_lines', { level: 'warn' })
    log.warn(fields, message)
  },
  error: (fields, message) => {
    count('log_lines', { level: 'error' })
    log.error(fields, message)
  },
  child: (fields) => countLines(log.child(fields), { count }),
})

interface Watched {
  readonly pool: () => { readonly size: number; readonly active: number; readonly waiting: number } | null
  readonly isFallback: () => boolean
}

/** Adds the state of this process: its connections to the database, and whether it counts rate limits itself. The sum counts. */
export function watchState(registry: Registry, { pool, isFallback }: Watched): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `${prefix}${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('rate_limit_fallback_active', 'Workers that count rate limits in memory because the store does not respond', () =>
    isFallback() ? 1 : 0,
  )
  gauge('database_connections_max', 'Database connections that the workers may open', () => pool()?.size ?? 0)
  gauge('database_connections_active', 'Database connections in use', () => pool()?.active ?? 0)
  gauge('database_connections_waiting', 'Statements and transactions that wait for a connection', () => pool()?.waiting ?? 0)
}
