import type { KeyValue } from '../../core/ports.ts'
import { createExpiringMap } from '../../lib/expiring-map.ts'

interface Entry {
  readonly value: string
  readonly expiresAt: number
}

/**
 * A store inside this process: other workers do not see it, and a restart empties it.
 * @param limit entries at most; the oldest make room
 */
export function createMemoryKeyValue({ now, limit = 10_000 }: { now: () => Date; limit?: number }): KeyValue {
  const entries = createExpiringMap<Entry>(limit)
  const put = (key: string, entry: Entry, at: number) => entries.set(key, entry, entry.expiresAt, at)
  return {
    get: async (keys) => {
      const at = now().getTime()
      return keys.map((key) => entries.get(key, at)?.value ?? null)
    },
    set: async (key, value, ttl) => {
      const at = now().getTime()
      put(key, { value, expiresAt: at + ttl * 1000 }, at)
    },
    delete: async (key) => entries.delete(key),
    increase: async (key) => {
      const at = now().getTime()
      const entry = entries.get(key, at)
      const value = Number(entry?.value ?? 0)
      if (!Number.isSafeInteger(value)) throw new Error('The value is not a whole number')
      put(key, { value: String(value + 1), expiresAt: entry?.expiresAt ?? Number.POSITIVE_INFINITY }, at)
      return value + 1
    },
    ping: async () => {},
    close: async () => {},
  }
}
