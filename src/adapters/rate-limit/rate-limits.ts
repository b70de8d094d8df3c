/** Opens the store that counts rate limits, with a fallback that keeps limits in force during an outage. */
import cluster from 'node:cluster'
import type { App } from '../../core/app.ts'
import type { RateLimitStore } from '../../core/ports.ts'
import type { Config } from '../../features/index.ts'
import type { RedisConnection } from '../redis-connection.ts'
import { createCustomRateLimits } from './custom-rate-limit.ts'
import { createDatabaseRateLimits } from './database-rate-limit.ts'
import { createMemoryRateLimits, createSupervisorRateLimits, type SupervisorChannel } from './local-rate-limit.ts'
import { createRedisRateLimits } from './redis-rate-limit.ts'

interface OpenRateLimitsOptions extends Pick<App, 'db' | 'database' | 'log' | 'metrics' | 'now'> {
  readonly config: Pick<Config, 'rateLimit' | 'redis' | 'server'>
  readonly redis: RedisConnection | null
  /** Messages to the supervisor. Default: those of this process, if it is a worker. */
  readonly channel?: SupervisorChannel
}

/**
 * Opens `customStorage` if configured, else the configured storage, else Redis if configured, else the memory of this machine: the
 * supervisor's when there are several workers. Every other store falls back on that memory.
 * @throws Error when the storage is Redis and none is configured
 */
export function openRateLimits(options: OpenRateLimitsOptions): RateLimitStore {
  const { config, redis, now } = options
  const { customStorage, storage } = config.rateLimit
  const local = openLocal(options)
  const withLocal = (name: string, store: RateLimitStore) => withFallback(name, store, local, options)
  if (customStorage) return withLocal('custom', createCustomRateLimits({ storage: customStorage, now }))
  if (storage === 'memory') return local
  if (storage === 'database') return withLocal('database', createDatabaseRateLimits(options))
  if (redis) return withLocal('redis', createRedisRateLimits({ redis, keyPrefix: config.redis.keyPrefix, now }))
  if (storage === 'secondary-storage') throw new Error('rateLimit.storage is secondary-storage, which needs the section redis')
  return local
}

function openLocal(options: OpenRateLimitsOptions): RateLimitStore {
  const memory = createMemoryRateLimits({ now: options.now })
  // A parent process other than our supervisor may have a channel too, but would not respond.
  const channel = options.channel ?? (cluster.isWorker ? process : null)
  if (options.config.server.workers === 1 || !channel) return memory
  return withFallback('supervisor', createSupervisorRateLimits({ channel }), memory, options)
}

/**
 * Uses the first store, and the second one whenever the first fails: limits stay in force, but counting starts over.
 * An outage is logged once at its start and once at its end; the metric counts every request in between.
 * @param name the name of the first store in log and metric
 */
export function withFallback(name: string, first: RateLimitStore, second: RateLimitStore, ports: OutagePorts): RateLimitStore {
  const outage = watchOutage(name, ports)
  return {
    isShared: first.isShared,
    isFallback: outage.isUnavailable,
    take: async (key, rule) => {
      const call = outage.startCall()
      try {
        const decision = await first.take(key, rule)
        outage.succeeded(call)
        return decision
      } catch (error) {
        outage.failed(error)
      }
      return second.take(key, rule)
    },
    // Rejects during an outage, because the second store has counted only a part.
    find: (keys) => first.find(keys),
    delete: async (keys) => {
      await second.delete(keys)
      return first.delete(keys)
    },
    close: async () => {
      outage.close()
      await Promise.all([first.close(), second.close()])
    },
  }
}

interface OutagePorts extends Pick<OpenRateLimitsOptions, 'log' | 'metrics'> {
  /** Milliseconds without a failure after which an outage is over: one node of a cluster may fail while others respond. */
  readonly quietMs?: number
}

function watchOutage(name: string, { log, metrics, quietMs = 5000 }: OutagePorts) {
  let isUnavailable = false
  let calls = 0
  let lastCallBeforeFailure = 0
  let ending: NodeJS.Timeout | undefined
  const end = () => {
    isUnavailable = false
    ending = undefined
    log.info({ store: name }, 'The rate limit store responds again')
  }
  const stopEnding = () => {
    clearTimeout(ending)
    ending = undefined
  }
  return {
    startCall: () => {
      calls += 1
      return calls
    },
    failed: (error: unknown) => {
      lastCallBeforeFailure = calls
      stopEnding()
      metrics.count('rate_limit_fallback', { store: name })
      if (isUnavailable) return
      isUnavailable = true
      log.warn({ store: name, err: error }, 'The rate limit store does not respond: rate limits are counted in memory')
    },
    succeeded: (call: number) => {
      // A late response to a call from before the failure does not show that the store is back.
      if (isUnavailable && call > lastCallBeforeFailure) ending ??= setTimeout(end, quietMs).unref()
    },
    isUnavailable: () => isUnavailable,
    close: stopEnding,
  }
}
