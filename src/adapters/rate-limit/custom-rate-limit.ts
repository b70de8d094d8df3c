import type { RateLimitStore, StoredRateLimit } from '../../core/ports.ts'
import type { Config } from '../../features/index.ts'
import { withDeadline } from '../../lib/async.ts'
import { decide, type WindowRecord } from '../../lib/sliding-window.ts'

interface CustomRateLimitOptions {
  /** Reading and writing are two steps, so two daemons may both take the last slot. */
  readonly storage: NonNullable<Config['rateLimit']['customStorage']>
  readonly now: () => Date
  /** For both steps together. */
  readonly timeoutMs?: number
}

/** Requests with one key wait for each other inside this process, so that the count is exact at least here. */
export function createCustomRateLimits({ storage, now, timeoutMs = 1000 }: CustomRateLimitOptions): RateLimitStore {
  const inTurn = createTurns()
  const inTime = <T>(key: string, work: () => Promise<T>): Promise<T> =>
    inTurn(key, () => withDeadline(work(), timeoutMs, 'rateLimit.customStorage did not respond in time'))

  /** A count of zero marks a deleted record. */
  async function find(key: string): Promise<WindowRecord | null> {
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
          // The interface has no delete; a window that started in 1970 is over.
          await storage.set(key, { key, count: 0, lastRequest: 0 })
          return true
        }),
      )
      return (await Promise.all(removed)).filter(Boolean).length
    },
    close: async () => {},
  }
}

/** Runs the work of each key one after the other, whether or not earlier work fails. */
function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lastByKey = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const current = (lastByKey.get(key) ?? Promise.resolve()).then(work, work)
    lastByKey.set(key, current)
    const cleanUp = () => {
      if (lastByKey.get(key) === current) lastByKey.delete(key)
    }
    current.then(cleanUp, cleanUp)
    return current
  }
}

/** A record without its numbers would compare as neither full nor empty, and let every request pass. */
function checked(stored: StoredRateLimit | null | undefined): StoredRateLimit | null {
  if (!stored) return null
  if (Number.isFinite(stored.count) && Number.isFinite(stored.lastRequest)) return stored
  throw new Error('rateLimit.customStorage returned a record without count and lastRequest')
}
