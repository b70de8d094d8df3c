import type { StoredRateLimit } from '../../core/config-sections.ts'
import type { RateLimitCount, RateLimitStore } from '../../core/ports.ts'
import { withDeadline } from '../../lib/deadline.ts'
import { decide } from '../../lib/sliding-window.ts'

export interface CustomRateLimitOptions {
  /** Of the installation's own: reading and writing are two steps, so several daemons may both take the last place. */
  readonly storage: {
    readonly get: (key: string) => Promise<StoredRateLimit | null | undefined>
    readonly set: (key: string, value: StoredRateLimit) => Promise<void>
  }
  readonly now: () => Date
  /** Milliseconds for both steps together. */
  readonly deadline?: number
}

/** Inside this process the calls with one key wait for each other, so that here at least the count is exact. */
export function createCustomRateLimits({ storage, now, deadline = 1000 }: CustomRateLimitOptions): RateLimitStore {
  const inTurn = createTurns()
  const inTime = <T>(key: string, work: () => Promise<T>): Promise<T> =>
    inTurn(key, () => withDeadline(work(), deadline, 'rateLimit.customStorage did not answer in time'))

  /** A record that counts nothing is one that was forgotten. */
  async function find(key: string): Promise<RateLimitCount | null> {
    const stored = checked(await storage.get(key))
    return stored && stored.count > 0 ? { count: stored.count, lastRequest: stored.lastRequest } : null
  }

  return {
    isShared: true,
    take: (key, rule) =>
      inTime(key, async () => {
        const { allowed, retryAfter, record } = decide(checked(await storage.get(key)), rule, now().getTime())
        if (record) await storage.set(key, { key, ...record })
        return { allowed, retryAfter }
      }),
    find: (keys) => Promise.all(keys.map((key) => inTime(key, () => find(key)))),
    delete: async (keys) => {
      const removed = keys.map((key) =>
        inTime(key, async () => {
          if (!(await find(key))) return false
          // There is no way to remove one; a window that began in 1970 is over.
          await storage.set(key, { key, count: 0, lastRequest: 0 })
          return true
        }),
      )
      return (await Promise.all(removed)).filter(Boolean).length
    },
    close: async () => {},
  }
}

/** @returns runs after what the key is doing now, and whatever becomes of that */
function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lastByKey = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const mine = (lastByKey.get(key) ?? Promise.resolve()).then(work, work)
    lastByKey.set(key, mine)
    const forget = () => {
      if (lastByKey.get(key) === mine) lastByKey.delete(key)
    }
    mine.then(forget, forget)
    return mine
  }
}

/** A record without its numbers would compare as neither full nor empty, and let every call pass. */
function checked(stored: StoredRateLimit | null | undefined): StoredRateLimit | null {
  if (!stored) return null
  if (Number.isFinite(stored.count) && Number.isFinite(stored.lastRequest)) return stored
  throw new Error('rateLimit.customStorage gave a record without count and lastRequest')
}
