import type { Logger, Metrics, RateLimitStore } from '../../core/ports.ts'

interface Ports {
  readonly log: Logger
  readonly metrics: Metrics
}

/**
 * Asks the first store, and the second whenever the first fails: limits stay in force, though counted anew.
 * The log tells once that a store is away and once that it is back; the metric counts every call in between.
 * @param name of the first store, for log and metric
 */
export function withFallback(name: string, first: RateLimitStore, second: RateLimitStore, ports: Ports): RateLimitStore {
  const outage = watchOutage(name, ports)
  return {
    isShared: first.isShared,
    take: async (key, rule) => {
      const call = outage.begin()
      try {
        const decision = await first.take(key, rule)
        outage.succeeded(call)
        return decision
      } catch (error) {
        outage.failed(error)
      }
      return second.take(key, rule)
    },
    // What the second has counted meanwhile is a part of the truth only: that the first is away says more.
    find: (keys) => first.find(keys),
    delete: async (keys) => {
      await second.delete(keys)
      return first.delete(keys)
    },
    close: async () => {
      await Promise.all([first.close(), second.close()])
    },
  }
}

function watchOutage(name: string, { log, metrics }: Ports) {
  let isAway = false
  let calls = 0
  let lastCallBeforeFailure = 0
  return {
    begin: () => {
      calls += 1
      return calls
    },
    failed: (error: unknown) => {
      lastCallBeforeFailure = calls
      metrics.count('rate_limit_fallback', { store: name })
      if (isAway) return
      isAway = true
      log.warn({ store: name, err: error }, 'rate limits are counted elsewhere: their store does not answer')
    },
    succeeded: (call: number) => {
      // An answer to a call from before the failure, which was only late, does not show that the store is back.
      if (!isAway || call <= lastCallBeforeFailure) return
      isAway = false
      log.info({ store: name }, 'rate limits are counted in their store again')
    },
  }
}
