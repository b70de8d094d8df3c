import type { StoredRateLimit } from '../../core/config-sections.ts'
import type { RateLimitStore } from '../../core/ports.ts'
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
  const lastByKey = new Map<string, Promise<unknown>>()

  /** Runs after what the key is doing now, and whatever becomes of that. */
  function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (lastByKey.get(key) ?? Promise.resolve()).then(work, work)
    lastByKey.set(key, mine)
    const forget = () => {
      if (lastByKey.get(key) === mine) lastByKey.delete(key)
    }
    mine.then(forget, forget)
    return mine
  }

  return {
    take: (key, rule) =>
      inTurn(key, async () => {
        const work = async () => {
          const { allowed, retryAfter, record } = decide(checked(await storage.get(key)), rule, now().getTime())
          if (record) await storage.set(key, { key, ...record })
          return { allowed, retryAfter }
        }
        return withDeadline(work(), deadline, 'rateLimit.customStorage did not answer in time')
      }),
    close: async () => {},
  }
}

/** A record without its numbers would compare as neither full nor empty, and let every call pass. */
function checked(stored: StoredRateLimit | null | undefined): StoredRateLimit | null {
  if (!stored) return null
  if (Number.isFinite(stored.count) && Number.isFinite(stored.lastRequest)) return stored
  throw new Error('rateLimit.customStorage gave a record without count and lastRequest')
}
