import { Cluster } from 'ioredis'
import type { KeyValue } from '../../core/ports.ts'
import type { RedisConnection } from '../redis.ts'
import { appendEntry, logKey, readTail } from './redis-log.ts'

/** A store that all daemons share. Its commands reject when Redis is away. The connection is closed by who opened it. */
export function createRedisKeyValue({ redis, keyPrefix }: { redis: RedisConnection; keyPrefix: string }): KeyValue {
  const { client } = redis
  const prefix = `${keyPrefix}kv:`

  async function run<T>(command: () => Promise<T>): Promise<T> {
    const opening = redis.opening()
    if (opening !== null) await opening
    try {
      return await command()
    } catch (error) {
      throw redis.explain(error)
    }
  }

  function getMany(keys: readonly string[]): Promise<(string | null)[]> {
    // The keys of a cluster live on several nodes, and one command speaks to one of them.
    if (client instanceof Cluster) return Promise.all(keys.map((key) => client.get(prefix + key)))
    return client.mget(keys.map((key) => prefix + key))
  }

  return {
    get: async (keys) => {
      const [first] = keys
      if (first === undefined) return []
      return keys.length === 1 ? [await run(() => client.get(prefix + first))] : run(() => getMany(keys))
    },
    set: async (key, value, ttl) => {
      await run(() => client.set(prefix + key, value, 'PX', Math.ceil(ttl * 1000)))
    },
    delete: async (key) => {
      await run(() => client.del(prefix + key))
    },
    append: (log, entry, options) => run(() => appendEntry(client, logKey(prefix, log), entry, options)),
    readLog: (log, after) => run(() => readTail(client, logKey(prefix, log), after)),
    ping: async () => {
      await run(() => client.ping())
    },
    close: async () => {},
  }
}
