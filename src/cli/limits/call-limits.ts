/** The rate limits of an IP address, as text, and where the commands find the counts. */
import type { App } from '../../core/app.ts'
import type { CallFilter, CallReport, CallState, CountStore } from '../../core/installation.ts'
import { remoteRateLimits } from '../../daemon/control.ts'
import { findDaemon } from '../../daemon/state.ts'
import { clearCalls as clearCallsOf, explainCalls as explainCallsOf, storageOf } from '../../http/call-limits.ts'
import { Failure, unreachableFailure } from '../../project/failure.ts'
import type { Palette } from '../output.ts'

/** @param directory of the project @throws Failure UNREACHABLE, DAEMON_SILENT */
export const explainCalls = (app: App, directory: string, filter: CallFilter): Promise<CallReport> =>
  guarded(app, () => explainCallsOf(app, storeOf(app, directory), filter))

/** @returns the number of deleted counters; null if they are not visible @throws Failure UNREACHABLE, DAEMON_SILENT */
export const clearCalls = (app: App, directory: string, filter: CallFilter): Promise<number | null> =>
  guarded(app, async () => {
    const store = storeOf(app, directory)
    return store && clearCallsOf(app, store, filter)
  })

/** Null if the counters are in the memory of daemons and none runs here. */
function storeOf(app: App, directory: string): CountStore | null {
  if (app.rateLimits.isShared) return app.rateLimits
  const daemon = findDaemon(directory)
  return daemon && remoteRateLimits(daemon)
}

async function guarded<T>(app: App, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) throw error
    throw unreachableFailure(`Cannot read the rate limits (${storageOf(app.config)})`, error)
  }
}

const storages: Readonly<Record<CallReport['storage'], string>> = {
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
