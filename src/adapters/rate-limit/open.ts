import cluster from 'node:cluster'
import type { Kysely } from 'kysely'
import type { DatabaseErrors } from '../../core/app.ts'
import type { Logger, Metrics, RateLimitStore } from '../../core/ports.ts'
import type { Config, Database } from '../../features/index.ts'
import type { RedisConnection } from '../redis.ts'
import { createCustomRateLimits } from './custom.ts'
import { createDatabaseRateLimits } from './database.ts'
import { withFallback } from './fallback.ts'
import { createMemoryRateLimits } from './memory.ts'
import { createRedisRateLimits } from './redis.ts'
import { createSupervisorRateLimits, type SupervisorChannel } from './supervisor.ts'

export interface OpenRateLimitsOptions {
  readonly config: Pick<Config, 'rateLimit' | 'redis' | 'server'>
  readonly db: Kysely<Database>
  readonly database: DatabaseErrors
  readonly redis: RedisConnection | null
  readonly log: Logger
  readonly metrics: Metrics
  readonly now: () => Date
  /** The way to the supervisor; by default that of this process, if it has one. */
  readonly channel?: SupervisorChannel
}

/**
 * The store that the configuration names: one of its own, else the named storage, else Redis when there is one, else the
 * memory of this machine, which is the supervisor's when there are several workers. All but memory fall back on the latter.
 * @throws Error when the storage is Redis and none is configured
 */
export function openRateLimits(options: OpenRateLimitsOptions): RateLimitStore {
  const { config, redis, now } = options
  const { customStorage, storage } = config.rateLimit
  const local = openLocal(options)
  const fallingBack = (name: string, store: RateLimitStore) => withFallback(name, store, local, options)
  if (customStorage) return fallingBack('custom', createCustomRateLimits({ storage: customStorage, now }))
  if (storage === 'memory') return local
  if (storage === 'database') return fallingBack('database', createDatabaseRateLimits(options))
  if (redis) return fallingBack('redis', createRedisRateLimits({ redis, keyPrefix: config.redis.keyPrefix, now }))
  if (storage === 'secondary-storage') throw new Error('rateLimit.storage is secondary-storage, which needs the section redis')
  return local
}

function openLocal(options: OpenRateLimitsOptions): RateLimitStore {
  const memory = createMemoryRateLimits({ now: options.now })
  // Other parents than our supervisor may speak with this process too; they would not answer.
  const channel = options.channel ?? (cluster.isWorker ? process : null)
  if (options.config.server.workers === 1 || !channel) return memory
  return withFallback('supervisor', createSupervisorRateLimits({ channel }), memory, options)
}
