import type { RateLimitStore } from '../../core/ports.ts'
import { createExpiringMap } from '../../lib/expiring-map.ts'
import { decide, type WindowRecord } from '../../lib/sliding-window.ts'

/**
 * Counts inside this process.
 * @param limit keys at most; those without a call for the longest time make room
 */
export function createMemoryRateLimits({ now, limit = 100_000 }: { now: () => Date; limit?: number }): RateLimitStore {
  const records = createExpiringMap<WindowRecord>(limit)
  return {
    isShared: false,
    take: async (key, rule) => {
      const at = now().getTime()
      const { allowed, retryAfter, record } = decide(records.get(key, at) ?? null, rule, at)
      // One millisecond longer than the window: at its very end a call is still counted on.
      if (record) records.set(key, record, at + rule.window * 1000 + 1, at)
      return { allowed, retryAfter }
    },
    find: async (keys) => keys.map((key) => records.get(key, now().getTime()) ?? null),
    delete: async (keys) => {
      const counted = keys.filter((key) => records.get(key, now().getTime()))
      for (const key of counted) records.delete(key)
      return counted.length
    },
    close: async () => {},
  }
}
