import type { KeyValue } from '../core/ports.ts'
import { createExpiringMap } from '../lib/expiring-map.ts'
import type { RedisConnection } from './redis-connection.ts'

/**
 * A store inside this process: other workers do not see it, and a restart empties it.
 * @param limit maximum number of entries; the oldest are dropped first
 */
export function createMemoryKeyValue({ now, limit = 10_000 }: { now: () => Date; limit?: number }): KeyValue {
  const entries = createExpiringMap<string>(limit)
  return {
    get: async (keys) => {
      const at = now().getTime()
      return keys.map((key) => entries.get(key, at) ?? null)
    },
    add: async (key, value, ttlSeconds) => {
      const at = now().getTime()
      if (entries.get(key, at) === undefined) entries.set(key, value, at + ttlSeconds * 1000, at)
    },
    delete: async (keys) => {
      for (const key of keys) entries.delete(key)
    },
    connection: () => 0,
    ping: async () => {},
  }
}

/** A store that all daemons share. Its commands reject when Redis is unavailable. The code that opened the connection closes it. */
export function createRedisKeyValue({ redis, keyPrefix }: { redis: RedisConnection; keyPrefix: string }): KeyValue {
  const { client, run } = redis
  // The braces keep all keys on one node of a cluster, so that one command can handle several keys.
  const named = (key: string) => `${keyPrefix}{kv}:${key}`
  return {
    get: async (keys) => (keys.length === 0 ? [] : run(() => client.mget(keys.map(named)))),
    add: async (key, value, ttlSeconds) => {
      await run(() => client.set(named(key), value, 'PX', Math.ceil(ttlSeconds * 1000), 'NX'))
    },
    delete: async (keys) => {
      if (keys.length > 0) await run(() => client.del(keys.map(named)))
    },
    connection: redis.connections,
    ping: async () => {
      await run(() => client.ping())
    },
  }
}
