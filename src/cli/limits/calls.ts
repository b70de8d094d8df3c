/** What is held against an address: the limits of each call, and how much of them is used up. */

import type { App } from '../../core/app.ts'
import { apiPath } from '../../core/base-url.ts'
import { isLimited, type LimitedCall, listLimitedCalls, rateLimitKey } from '../../http/rate-limit-rules.ts'
import { networkOf } from '../../lib/ip.ts'
import { decide } from '../../lib/sliding-window.ts'
import type { Palette } from '../output.ts'
import { type Counters, readCounters, type Storage, storageOf } from './counters.ts'

export interface CallState extends Omit<LimitedCall, 'rule'> {
  /** Seconds and calls; false for no limit; `function` when the configuration decides about each request. */
  readonly rule: { readonly window: number; readonly max: number } | false | 'function'
  /** Calls in the window that goes on, or all that are remembered when its length is not known; null when it cannot be seen. */
  readonly count: number | null
  readonly lastRequest: Date | null
  /** Seconds until the next call is let through; null when it cannot be known. */
  readonly wait: number | null
}
export interface CallReport {
  /** What the address is counted as. */
  readonly address: string
  /** Whether anything is counted under this configuration. */
  readonly enabled: boolean
  readonly storage: Storage
  /** False when the counters are in the memory of daemons that cannot be asked. */
  readonly seen: boolean
  /** Those that have to wait first, then those with counts. */
  readonly calls: readonly CallState[]
}

export interface Place {
  readonly address: string
  /** As in a URL, with or without the base path; null for all. */
  readonly path: string | null
}

/** @param directory of the project @throws CliFailure UNREACHABLE, DAEMON_SILENT */
export async function explainCalls(app: App, directory: string, { address, path }: Place): Promise<CallReport> {
  const limited = listLimitedCalls(app, belowBase(app, path))
  const keys = keysOf(limited, address)
  const counters = await readCounters(app, directory, [...new Set(keys)], false)
  const positions = new Map([...new Set(keys)].map((key, position) => [key, position]))
  const calls = limited.map((call, index) => stateOf(app, call, counters, positions.get(keys[index] ?? '') ?? 0))
  return {
    address: networkOf(address),
    enabled: isLimited(app.config),
    storage: storageOf(app.config),
    seen: counters !== null,
    calls: calls.toSorted((one, other) => (other.wait ?? 0) - (one.wait ?? 0) || (other.count ?? 0) - (one.count ?? 0)),
  }
}

/** @returns how many counters there were; null when they cannot be reached @throws CliFailure UNREACHABLE, DAEMON_SILENT */
export async function clearCalls(app: App, directory: string, { address, path }: Place): Promise<number | null> {
  const keys = [...new Set(keysOf(listLimitedCalls(app, belowBase(app, path)), address))]
  return (await readCounters(app, directory, keys, true))?.removed ?? null
}

const keysOf = (calls: readonly LimitedCall[], address: string): string[] =>
  calls.map(({ pattern }) => rateLimitKey(address, pattern))

function belowBase({ config }: App, path: string | null): string | null {
  const base = apiPath(config)
  const below = path?.startsWith(`${base}/`) ? path.slice(base.length) : path
  return below === null || below === '/' ? below : below.replace(/\/$/, '')
}

function stateOf(app: App, { rule, ...call }: LimitedCall, counters: Counters | null, position: number): CallState {
  const record = counters?.counts[position] ?? null
  const lastRequest = record && new Date(record.lastRequest)
  const unknown = { count: counters ? (record?.count ?? 0) : null, lastRequest, wait: null }
  if (typeof rule === 'function') return { ...call, rule: 'function', ...unknown }
  if (rule === false) return { ...call, rule, ...unknown, wait: 0 }
  const { window, max } = rule
  if (!counters) return { ...call, rule: { window, max }, ...unknown }
  const { retryAfter, record: next } = decide(record, rule, app.now().getTime())
  const count = next ? next.count - 1 : (record?.count ?? 0)
  return { ...call, rule: { window, max }, count, lastRequest, wait: retryAfter }
}

const sources: Readonly<Record<CallState['source'], string>> = {
  customRules: 'rateLimit.customRules',
  call: 'of this call',
  guessing: 'where passwords are tried',
  default: 'rateLimit.window and max',
}
const storages: Readonly<Record<Storage, string>> = {
  custom: 'by rateLimit.customStorage',
  database: 'in the database',
  memory: 'in the memory of the daemon',
  redis: 'in Redis',
}

/** For people. */
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
    const colour = calls[index]?.wait ? paint.red : (text: string) => text
    return `  ${[colour(state), ...rest].join('  ').trimEnd()}`
  })
  return [
    ...(enabled ? [] : [paint.yellow('Calls are not limited: rateLimit.enabled is off, or this is no production.')]),
    `Calls from ${address}, counted ${storages[storage]}`,
    ...(lines.length > 0 ? lines : ['  no call answers at this path, so none is counted']),
  ]
}

function describeWait({ wait, count }: CallState): string {
  if (wait === null) return count === null ? 'not seen' : 'not known'
  return wait > 0 ? `refused for ${wait} s` : 'let through'
}

function describeRule({ rule, count }: CallState): string {
  const counted = count === null ? '?' : String(count)
  if (rule === false) return 'no limit'
  return rule === 'function' ? `${counted} by a function` : `${counted} of ${rule.max} in ${rule.window} s`
}
