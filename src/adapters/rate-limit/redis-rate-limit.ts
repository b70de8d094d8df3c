import type { Result } from 'ioredis'
import type { RateLimitDecision, RateLimitStore } from '../../core/ports.ts'
import type { WindowRecord } from '../../lib/sliding-window.ts'
import type { RedisConnection } from '../redis-connection.ts'

/**
 * `decide` of lib/sliding-window inside Redis, so that two requests cannot both take the last slot. The time is the daemon's and
 * not that of Redis: one clock for all stores, which tests can move. Daemons whose clocks differ are off by that difference at
 * most, because the entry itself expires by the clock of Redis. A single key works on any cluster.
 * Returns the milliseconds left of a full window, 0 for an allowed request.
 */
const script = `
local now, length, max = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local record, count = redis.call('GET', KEYS[1]), 1
if record then
  local separator = string.find(record, ' ', 1, true)
  local elapsed = now - tonumber(string.sub(record, separator + 1))
  if elapsed <= length and elapsed >= -length then
    local counted = tonumber(string.sub(record, 1, separator - 1))
    if elapsed < length and counted >= max then return length - math.max(elapsed, 0) end
    count = counted + 1
  end
end
redis.call('SET', KEYS[1], count .. ' ' .. ARGV[1], 'PX', length + 1)
return 0`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeRateLimit(key: string, ...values: number[]): Result<number, Context>
  }
}

const allowed: RateLimitDecision = Object.freeze({ allowed: true, retryAfter: 0 })

/** Counts in Redis for all daemons; `take` rejects when Redis is unavailable. The code that opened the connection closes it. */
export function createRedisRateLimits(options: { redis: RedisConnection; keyPrefix: string; now: () => Date }): RateLimitStore {
  const { redis, keyPrefix, now } = options
  const { client } = redis
  const prefix = `${keyPrefix}rate-limit:`
  client.defineCommand('takeRateLimit', { numberOfKeys: 1, lua: script })

  /** One command per key, because the keys of a cluster live on several nodes. */
  const forEach = <T>(keys: readonly string[], command: (key: string) => Promise<T>): Promise<T[]> =>
    redis.run(() => Promise.all(keys.map((key) => command(prefix + key))))

  return {
    isShared: true,
    take: async (key, { window, max }) => {
      const leftMs = await redis.run(() => client.takeRateLimit(prefix + key, now().getTime(), window * 1000, max))
      return leftMs === 0 ? allowed : { allowed: false, retryAfter: Math.ceil(leftMs / 1000) }
    },
    find: async (keys) => (await forEach(keys, (key) => client.get(key))).map(readCount),
    delete: async (keys) => (await forEach(keys, (key) => client.del(key))).reduce((sum, removed) => sum + removed, 0),
    close: async () => {},
  }
}

/** Reads a record in the format of the script. */
function readCount(record: string | null): WindowRecord | null {
  if (record === null) return null
  const [count, lastRequest] = record.split(' ')
  return { count: Number(count), lastRequest: Number(lastRequest) }
}
