const sweepIntervalMs = 60_000
const orderIntervalMs = 1000

interface Entry<V> {
  value: V
  expiresAt: number
  readonly placedAt: number
}

/**
 * A map whose entries expire; all times are in milliseconds of the same clock. When it is full, expired entries are deleted first,
 * then those that were set the longest time ago, to the second.
 * @param limit maximum number of entries
 */
export function createExpiringMap<V>(limit: number) {
  const entries = new Map<string, Entry<V>>()
  let nextSweep = 0

  function makeRoom(now: number): void {
    if (entries.size < limit && now < nextSweep) return
    for (const [key, entry] of entries) if (entry.expiresAt <= now) entries.delete(key)
    nextSweep = now + sweepIntervalMs
    if (entries.size < limit) return
    // Deletes a tenth of the entries, so that a full map is not searched for every new entry.
    const target = Math.floor(limit * 0.9)
    for (const key of entries.keys()) {
      if (entries.size <= target) return
      entries.delete(key)
    }
  }

  return {
    get: (key: string, now: number): V | undefined => {
      const entry = entries.get(key)
      return entry && entry.expiresAt > now ? entry.value : undefined
    },
    set: (key: string, value: V, expiresAt: number, now: number): void => {
      const entry = entries.get(key)
      // Moving an entry to the end makes a small map reallocate itself, which costs every request several microseconds.
      if (entry && Math.abs(now - entry.placedAt) < orderIntervalMs) {
        entry.value = value
        entry.expiresAt = expiresAt
        return
      }
      entries.delete(key)
      makeRoom(now)
      entries.set(key, { value, expiresAt, placedAt: now })
    },
    delete: (key: string): void => void entries.delete(key),
    size: () => entries.size,
  }
}
