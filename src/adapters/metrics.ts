import cluster from 'node:cluster'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Metrics } from '../core/ports.ts'

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
      count: (name, labels = {}) => counters[name].inc(labels),
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
  }
}
