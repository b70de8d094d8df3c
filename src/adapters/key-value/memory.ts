import type { KeyValue } from '../../core/ports.ts'
import { createExpiringMap } from '../../lib/expiring-map.ts'

const longestTail = 1000

/**
 * A store inside this process: other workers do not see it, and a restart empties it.
 * @param limit entries at most; the oldest make room
 */
export function createMemoryKeyValue({ now, limit = 10_000 }: { now: () => Date; limit?: number }): KeyValue {
  const entries = createExpiringMap<string>(limit)
  const logs = new Map<string, number>()
  const logged = createExpiringMap<string>(limit)
  return {
    get: async (keys) => {
      const at = now().getTime()
      return keys.map((key) => entries.get(key, at) ?? null)
    },
    set: async (key, value, ttl) => {
      const at = now().getTime()
      entries.set(key, value, at + ttl * 1000, at)
    },
    delete: async (key) => entries.delete(key),
    append: async (log, entry, { first, above, ttl }) => {
      const at = now().getTime()
      const last = logs.get(log)
      const number = last === undefined ? first : Math.max(last, above) + 1
      logs.set(log, number)
      logged.set(`${log}:${number}`, entry, at + ttl * 1000, at)
      return number
    },
    readLog: async (log, after) => {
      const at = now().getTime()
      const last = logs.get(log) ?? null
      if (last === null || after === null || last <= after) return { last, entries: [] }
      if (last - after > longestTail) return { last, entries: null }
      const numbers = Array.from({ length: last - after }, (_, offset) => after + 1 + offset)
      return { last, entries: numbers.map((number) => logged.get(`${log}:${number}`, at) ?? null) }
    },
    ping: async () => {},
    close: async () => {},
  }
}
