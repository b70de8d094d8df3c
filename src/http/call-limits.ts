/** The rate limits of an IP address: the limit of each path, how much of it is used, and when it resets. */
import type { App } from '../core/app.ts'
import type { CallFilter, CallReport, CallState, CountStore } from '../core/installation.ts'
import { apiPath } from '../core/route.ts'
import type { Config } from '../features/index.ts'
import { networkOf } from '../lib/ip.ts'
import { decide, type WindowRecord } from '../lib/sliding-window.ts'
import { isLimited, type LimitedCall, listLimitedCalls, rateLimitKey } from './rate-limit.ts'

/** @param store of the counts; null if they are not visible @throws the error of the store */
export async function explainCalls(app: App, store: CountStore | null, { address, path }: CallFilter): Promise<CallReport> {
  const limited = listLimitedCalls(app, belowBase(app, path))
  const counts = store && (await store.find(limited.map(({ pattern }) => rateLimitKey(address, pattern))))
  const calls = limited.map((call, index) => stateOf(app, call, counts ? (counts[index] ?? null) : undefined))
  return {
    address: networkOf(address),
    enabled: isLimited(app.config),
    storage: storageOf(app.config),
    seen: counts !== null,
    // Limited paths first, then those with counts.
    calls: calls.toSorted((one, other) => (other.wait ?? 0) - (one.wait ?? 0) || (other.count ?? 0) - (one.count ?? 0)),
  }
}

/** @returns the number of deleted counters @throws the error of the store */
export function clearCalls(app: App, store: CountStore, { address, path }: CallFilter): Promise<number> {
  const keys = listLimitedCalls(app, belowBase(app, path)).map(({ pattern }) => rateLimitKey(address, pattern))
  return store.delete([...new Set(keys)])
}

function belowBase({ config }: App, path: string | null): string | null {
  const base = apiPath(config)
  const below = path?.startsWith(`${base}/`) ? path.slice(base.length) : path
  return below === null || below === '/' ? below : below.replace(/\/$/, '')
}

/** @param record undefined if it is not visible */
function stateOf(app: App, { rule, ...call }: LimitedCall, record: WindowRecord | null | undefined): CallState {
  const count = record === undefined ? null : (record?.count ?? 0)
  const known = { ...call, count, lastRequest: record ? new Date(record.lastRequest) : null, wait: null }
  if (typeof rule === 'function') return { ...known, rule: 'function' }
  if (rule === false) return { ...known, rule, wait: 0 }
  if (record === undefined) return { ...known, rule }
  const { retryAfter, record: next } = decide(record, rule, app.now().getTime())
  return { ...known, rule, count: next ? next.count - 1 : count, wait: retryAfter }
}

/** Where requests are counted. */
export function storageOf({ rateLimit: { customStorage, storage }, redis }: Config): CallReport['storage'] {
  if (customStorage) return 'custom'
  return storage === 'memory' || storage === 'database' ? storage : redis.enabled ? 'redis' : 'memory'
}
