/** The rate limits of an IP address: the limit of each path, how much of it is used, and when it resets. */
import type { App } from '../../core/app.ts'
import type { RateLimitStore } from '../../core/ports.ts'
import { apiPath } from '../../core/route.ts'
import { remoteRateLimits } from '../../daemon/control.ts'
import { findDaemon } from '../../daemon/state.ts'
import type { Config } from '../../features/index.ts'
import { isLimited, type LimitedCall, listLimitedCalls, rateLimitKey } from '../../http/rate-limit.ts'
import { networkOf } from '../../lib/ip.ts'
import { decide, type WindowRecord } from '../../lib/sliding-window.ts'
import { Failure, unreachableFailure } from '../../project/failure.ts'
import type { Palette } from '../output.ts'

interface CallState extends Omit<LimitedCall, 'rule'> {
  /** Seconds and calls; false for no limit; `function` when the configuration decides about each request. */
  readonly rule: { readonly window: number; readonly max: number } | false | 'function'
  /** Requests in the current window, or all that are stored if its length is unknown; null if not visible. */
  readonly count: number | null
  readonly lastRequest: Date | null
  /** Seconds until the next request is allowed; null if unknown. */
  readonly wait: number | null
}

type CallReport = Awaited<ReturnType<typeof explainCalls>>

interface CallFilter {
  readonly address: string
  /** With or without the base path; null for all. */
  readonly path: string | null
}

/** @param directory of the project @throws Failure UNREACHABLE, DAEMON_SILENT */
export async function explainCalls(app: App, directory: string, { address, path }: CallFilter) {
  const limited = listLimitedCalls(app, belowBase(app, path))
  const keys = limited.map(({ pattern }) => rateLimitKey(address, pattern))
  const counts = await useStore(app, directory, (store) => store.find(keys))
  const calls = limited.map((call, index) => stateOf(app, call, counts ? (counts[index] ?? null) : undefined))
  return {
    /** The address or network that is counted. */
    address: networkOf(address),
    /** Whether this configuration limits requests. */
    enabled: isLimited(app.config),
    storage: storageOf(app.config),
    /** False if the counters are in the memory of daemons that cannot be queried. */
    seen: counts !== null,
    /** Limited paths first, then those with counts. */
    calls: calls.toSorted((one, other) => (other.wait ?? 0) - (one.wait ?? 0) || (other.count ?? 0) - (one.count ?? 0)),
  }
}

/** @returns the number of deleted counters; null if they are not visible @throws Failure UNREACHABLE, DAEMON_SILENT */
export async function clearCalls(app: App, directory: string, { address, path }: CallFilter): Promise<number | null> {
  const keys = listLimitedCalls(app, belowBase(app, path)).map(({ pattern }) => rateLimitKey(address, pattern))
  return useStore(app, directory, (store) => store.delete([...new Set(keys)]))
}

function belowBase({ config }: App, path: string | null): string | null {
  const base = apiPath(config)
  const below = path?.startsWith(`${base}/`) ? path.slice(base.length) : path
  return below === null || below === '/' ? below : below.replace(/\/$/, '')
}

/** @returns null if the counters are in the memory of daemons and none runs here */
async function useStore<T>(
  app: App,
  directory: string,
  work: (store: Pick<RateLimitStore, 'find' | 'delete'>) => Promise<T>,
): Promise<T | null> {
  const daemon = app.rateLimits.isShared ? null : findDaemon(directory)
  const store = app.rateLimits.isShared ? app.rateLimits : daemon && remoteRateLimits(daemon)
  try {
    return store && (await work(store))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw unreachableFailure(`Cannot read the rate limits (${storageOf(app.config)})`, error)
  }
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

function storageOf({ rateLimit: { customStorage, storage }, redis }: Config): keyof typeof storages {
  if (customStorage) return 'custom'
  return storage === 'memory' || storage === 'database' ? storage : redis.enabled ? 'redis' : 'memory'
}

const storages = {
  custom: 'by rateLimit.customStorage',
  database: 'in the database',
  memory: 'in the memory of the daemon',
  redis: 'in Redis',
}
const sources: Readonly<Record<CallState['source'], string>> = {
  customRules: 'rateLimit.customRules',
  call: 'rule of this path',
  guessing: 'password guessing',
  default: 'rateLimit.window and max',
}

export function describeCalls({ address, enabled, storage, calls }: CallReport, paint: Palette): string[] {
  const rows = calls.map((call) => [
    describeWait(call),
    describeRule(call),
    [call.method ?? 'any', call.pattern ?? 'other paths'].join(' '),
    sources[call.source],
  ])
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row, index) => {
    const [state = '', ...rest] = row.map((text, column) => text.padEnd(widths[column] ?? 0))
    return `  ${[calls[index]?.wait ? paint.red(state) : state, ...rest].join('  ').trimEnd()}`
  })
  const off = 'Requests are not limited: rateLimit.enabled is off, or the environment is not production.'
  return [
    ...(enabled ? [] : [paint.yellow(off)]),
    `Requests from ${address}, counted ${storages[storage]}`,
    ...(lines.length > 0 ? lines : ['  no route has this path']),
  ]
}

function describeWait({ wait, count }: CallState): string {
  if (wait === null) return count === null ? 'not visible' : 'unknown'
  return wait > 0 ? `limited for ${wait} s` : 'allowed'
}

function describeRule({ rule, count }: CallState): string {
  if (rule === false) return 'no limit'
  return rule === 'function' ? `${count ?? '?'}, limit by a function` : `${count ?? '?'} of ${rule.max} in ${rule.window} s`
}

export const notVisible =
  'Each daemon counts requests in memory, and none is running for this project on this machine. Counts of other machines are not visible here'
