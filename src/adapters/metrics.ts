import cluster from 'node:cluster'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { MetricName, Metrics, TimingName } from '../core/ports.ts'

const prefix = 'latchkey_'

/**
 * Metrics in the Prometheus text format. In a worker the registry also answers a supervisor that asks with prom-client's
 * `AggregatorRegistry`. A label that is not declared here is an error; one that is left out is empty.
 */
export function createMetrics(): { metrics: Metrics; registry: Registry } {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix })
  const counters = createCounters(registry)
  const timings = createTimings(registry)
  if (cluster.isWorker) {
    AggregatorRegistry.setRegistries(registry)
    // Its constructor is what makes this worker answer.
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
    rate_limited: counter('rate_limited', 'Calls refused by a rate limit', []),
    rate_limit_fallback: counter('rate_limit_fallback', 'Calls counted elsewhere because the configured store did not answer', [
      'store',
    ]),
    hash_rejected: counter('hash_rejected', 'Password hashes refused because too many were waiting', []),
    database_retry: counter('database_retry', 'Transactions repeated after a deadlock or a certification failure', []),
    unexpected_error: counter('unexpected_error', 'Calls that ended in an error nobody had foreseen', []),
  }
}

function createTimings(registry: Registry): Readonly<Record<TimingName, Histogram>> {
  const histogram = (name: TimingName, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name: `${prefix}${name}_seconds`, help, labelNames, buckets, registers: [registry] })
  return {
    request_duration: histogram(
      'request_duration',
      'Time from the arrival of a call to its answer',
      // `route` is the declared pattern, never the path that was sent: callers would make a series each.
      ['method', 'route', 'status'],
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    ),
    hash_duration: histogram(
      'hash_duration',
      'Time of one password hash, without the time it waited',
      ['operation'],
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    ),
  }
}
