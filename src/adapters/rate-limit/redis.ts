import { createHash } from 'node:crypto'
import type { RateLimitCount, RateLimitDecision, RateLimitRule, RateLimitStore } from '../../core/ports.ts'
import type { RedisConnection } from '../redis.ts'

/**
 * `decide` of lib/sliding-window, inside Redis, so that no two calls can both take the last place. The time is the
 * caller's and not that of Redis: one clock for all stores, which tests move. Daemons whose clocks differ are off by
 * that difference at most, because the entry itself expires by the clock of Redis. One key: any cluster will do.
 * Answers the milliseconds left of a full window, 0 for an allowed call.
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
const sha = createHash('sha1').update(script).digest('hex')

const allowed: RateLimitDecision = Object.freeze({ allowed: true, retryAfter: 0 })

export interface RedisRateLimitOptions {
  readonly redis: RedisConnection
  readonly keyPrefix: string
  readonly now: () => Date
}

/** Counts in Redis, for all daemons together; `take` rejects when Redis is away. The connection is closed by who opened it. */
export function createRedisRateLimits({ redis, keyPrefix, now }: RedisRateLimitOptions): RateLimitStore {
  const { client } = redis
  const prefix = `${keyPrefix}rate-limit:`

  /** One command for each key: those of a cluster live on several nodes. */
  async function forEach<T>(keys: readonly string[], command: (key: string) => Promise<T>): Promise<T[]> {
    await opened(redis)
    try {
      return await Promise.all(keys.map((key) => command(prefix + key)))
    } catch (error) {
      throw redis.explain(error)
    }
  }

  async function run(key: string, rule: RateLimitRule): Promise<unknown> {
    await opened(redis)
    const [at, length] = [now().getTime(), rule.window * 1000]
    try {
      return await client.evalsha(sha, 1, key, at, length, rule.max)
    } catch (error) {
      // A server that was restarted, or a node that never saw the script; EVAL leaves it there for the next call.
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return client.eval(script, 1, key, at, length, rule.max)
      throw redis.explain(error)
    }
  }

  return {
    isShared: true,
    take: async (key, rule) => {
      const left = await run(prefix + key, rule)
      if (typeof left !== 'number') throw new Error('Redis gave an answer that is no number')
      return left === 0 ? allowed : { allowed: false, retryAfter: Math.ceil(left / 1000) }
    },
    find: async (keys) => (await forEach(keys, (key) => client.get(key))).map(readCount),
    delete: async (keys) => (await forEach(keys, (key) => client.del(key))).reduce((sum, removed) => sum + removed, 0),
    close: async () => {},
  }
}

async function opened(redis: RedisConnection): Promise<void> {
  const opening = redis.opening()
  if (opening !== null) await opening
}

/** As the script writes it. */
function readCount(record: string | null): RateLimitCount | null {
  if (record === null) return null
  const [count, lastRequest] = record.split(' ')
  return { count: Number(count), lastRequest: Number(lastRequest) }
}
