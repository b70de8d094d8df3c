const sweepInterval = 60_000
const orderInterval = 1000

interface Entry<V> {
  value: V
  expiresAt: number
  readonly placedAt: number
}

export interface ExpiringMap<V> {
  get(key: string, now: number): V | undefined
  set(key: string, value: V, expiresAt: number, now: number): void
  delete(key: string): void
  size(): number
}

/**
 * A map whose entries disappear, all times in milliseconds of the same clock. When it is full the expired entries go
 * first, then those that were set the longest time ago, to the second.
 * @param limit entries at most
 */
export function createExpiringMap<V>(limit: number): ExpiringMap<V> {
  const entries = new Map<string, Entry<V>>()
  let nextSweep = 0

  function makeRoom(now: number): void {
    if (entries.size < limit && now < nextSweep) return
    for (const [key, entry] of entries) if (entry.expiresAt <= now) entries.delete(key)
    nextSweep = now + sweepInterval
    if (entries.size < limit) return
    // A tenth at once, so that a full map is not searched for every entry that comes.
    const target = Math.floor(limit * 0.9)
    for (const key of entries.keys()) {
      if (entries.size <= target) return
      entries.delete(key)
    }
  }

  return {
    get: (key, now) => {
      const entry = entries.get(key)
      return entry && entry.expiresAt > now ? entry.value : undefined
    },
    set: (key, value, expiresAt, now) => {
      const entry = entries.get(key)
      // Moving an entry to the end makes a small map reallocate itself: several microseconds, and this is on every call's path.
      if (entry && Math.abs(now - entry.placedAt) < orderInterval) {
        entry.value = value
        entry.expiresAt = expiresAt
        return
      }
      entries.delete(key)
      makeRoom(now)
      entries.set(key, { value, expiresAt, placedAt: now })
    },
    delete: (key) => {
      entries.delete(key)
    },
    size: () => entries.size,
  }
}
