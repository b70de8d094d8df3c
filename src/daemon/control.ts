/** Client of the private socket: how commands control a running daemon. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { RateLimitStore } from '../core/ports.ts'
import { Failure } from '../project/failure.ts'
import type { Detached } from './detached-process.ts'
import { type CountersQuery, type CountersReport, type PackedFailure, type ReloadReport, unpackFailure } from './messages.ts'
import { type DaemonState, isSameProcess } from './state.ts'
import type { DaemonStatus } from './status-report.ts'
import type { RestartOrder } from './succession.ts'

const requestTimeoutMs = 10_000
/** Workers are replaced one after another. */
const reloadTimeoutMs = 600_000

/** @throws Failure DAEMON_SILENT */
export async function fetchStatus(state: DaemonState): Promise<DaemonStatus> {
  const { body } = await call<DaemonStatus>(state, 'GET', '/status', requestTimeoutMs)
  return body
}

/** @throws Failure why the previous configuration stays in use; DAEMON_SILENT */
export async function requestReload(state: DaemonState): Promise<ReloadReport> {
  const { status, body } = await call<ReloadReport | PackedFailure>(state, 'POST', '/reload', reloadTimeoutMs)
  if (status === 200 && 'before' in body) return body
  if ('code' in body) throw unpackFailure(body)
  throw silentFailure(state, new Error(`status ${status}`))
}

/**
 * Replaces the daemon without closing its port.
 * @returns null for a daemon of an earlier version, which cannot do it
 * @throws Failure why the running daemon continues; DAEMON_SILENT
 */
export async function requestRestart(state: DaemonState, order: RestartOrder): Promise<Detached | null> {
  const { status, body } = await call<Detached | PackedFailure>(state, 'POST', '/restart', reloadTimeoutMs, order)
  if (status === 200 && 'state' in body) return body
  if (status === 404) return null
  if ('code' in body) throw unpackFailure(body)
  throw silentFailure(state, new Error(`status ${status}`))
}

/** The rate-limit counters in the daemon's memory. Its functions throw Failure DAEMON_SILENT. */
export function remoteRateLimits(state: DaemonState): Pick<RateLimitStore, 'find' | 'delete'> {
  const query = async (sent: CountersQuery): Promise<CountersReport> => {
    const { status, body } = await call<CountersReport>(state, 'POST', '/counters', requestTimeoutMs, sent)
    if (status === 200) return body
    throw silentFailure(state, new Error(`status ${status}`))
  }
  return {
    find: async (keys) => [...(await query({ keys, removes: false })).counts],
    delete: async (keys) => (await query({ keys, removes: true })).removed,
  }
}

/**
 * @param options.timeout seconds to wait for the end; default: the daemon's drain timeout and five more
 * @returns whether the daemon has ended
 */
export async function stopDaemon(
  state: DaemonState,
  { timeout, signal }: { timeout?: number | undefined; signal: AbortSignal },
): Promise<boolean> {
  const drainTimeout = await requestStop(state)
  return waitForEnd(state, { seconds: timeout ?? drainTimeout + 5, signal })
}

/** @returns whether the daemon has ended within this time */
export async function waitForEnd(
  state: DaemonState,
  { seconds, signal }: { readonly seconds: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const end = performance.now() + seconds * 1000
  while (isSameProcess(state.pid, state.processStart)) {
    if (performance.now() > end || signal.aborted) return false
    await pause(50)
  }
  return true
}

/** @returns the drain timeout in seconds */
async function requestStop(state: DaemonState): Promise<number> {
  try {
    const { body } = await call<{ drainTimeout: number }>(state, 'POST', '/stop', requestTimeoutMs)
    return body.drainTimeout
  } catch {
    // The daemon runs but does not respond: the signal has the same effect.
    if (isSameProcess(state.pid, state.processStart)) process.kill(state.pid, 'SIGTERM')
    return 10
  }
}

async function call<T>(
  { socket, pid, url }: DaemonState,
  method: string,
  path: string,
  timeout: number,
  sent?: object,
): Promise<{ status: number; body: T }> {
  try {
    // After a restart another daemon has the socket, so no connection is reused.
    const outgoing = request({ socketPath: socket, method, path, agent: false, signal: AbortSignal.timeout(timeout) })
    // A timeout during the response is also an error of the request; reading the response reports it.
    outgoing.on('error', () => {})
    outgoing.end(sent && JSON.stringify(sent))
    const incoming: IncomingMessage = (await once(outgoing, 'response'))[0]
    return { status: incoming.statusCode ?? 0, body: JSON.parse(await text(incoming)) }
  } catch (error) {
    throw silentFailure({ pid, url }, error)
  }
}

const silentFailure = ({ pid, url }: Pick<DaemonState, 'pid' | 'url'>, cause: unknown): Failure =>
  new Failure('DAEMON_SILENT', `The daemon of ${url}, process ${pid}, does not respond on its socket`, {
    hint: 'Check its log with `latchkey logs`. `latchkey stop` sends it a signal instead.',
    cause,
  })
