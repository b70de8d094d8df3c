/** The other end of the private socket: how commands speak with a daemon. */
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { CliFailure } from '../cli/failure.ts'
import { unpackFailure } from './failures.ts'
import type { CountersQuestion, CountersReport, Failure } from './messages.ts'
import { isSameProcess } from './process-identity.ts'
import type { DaemonStatus, ReloadReport } from './report.ts'
import type { DaemonState } from './state.ts'

/** Milliseconds. */
const patience = 10_000
/** Milliseconds: as many workers as there are may each take their time. */
const reloadPatience = 600_000

/** @throws CliFailure DAEMON_SILENT */
export async function fetchStatus(state: DaemonState): Promise<DaemonStatus> {
  const { body } = await call<DaemonStatus>(state, 'GET', '/status', patience)
  return body
}

/** @throws CliFailure why the old configuration goes on serving; DAEMON_SILENT */
export async function requestReload(state: DaemonState): Promise<ReloadReport> {
  const { status, body } = await call<ReloadReport | Failure>(state, 'POST', '/reload', reloadPatience)
  if (status === 200 && 'before' in body) return body
  if ('code' in body) throw unpackFailure(body)
  throw silent(state, new Error(`status ${status}`))
}

/** What the daemon counts inside itself. @throws CliFailure DAEMON_SILENT */
export async function askCounters(state: DaemonState, question: CountersQuestion): Promise<CountersReport> {
  const { status, body } = await call<CountersReport>(state, 'POST', '/counters', patience, question)
  if (status === 200) return body
  throw silent(state, new Error(`status ${status}`))
}

/** @returns whether every process of it is gone; false after `timeout` seconds, by default those it gives its calls and five more */
export async function stopDaemon(
  state: DaemonState,
  { timeout, signal }: { timeout?: number | undefined; signal: AbortSignal },
): Promise<boolean> {
  const seconds = timeout ?? (await requestStop(state)) + 5
  if (timeout !== undefined) await requestStop(state)
  const end = performance.now() + seconds * 1000
  while (isSameProcess(state.pid, state.processStart)) {
    if (performance.now() > end || signal.aborted) return false
    await pause(50)
  }
  return true
}

/** @returns seconds that it gives its calls */
async function requestStop(state: DaemonState): Promise<number> {
  try {
    const { body } = await call<{ drainTimeout: number }>(state, 'POST', '/stop', patience)
    return body.drainTimeout
  } catch {
    // It does not listen, but it is there: the signal means the same.
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
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: T }>()
  const outgoing = request({ socketPath: socket, method, path, signal: AbortSignal.timeout(timeout) }, (incoming) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('error', reject)
    incoming.on('end', () => {
      try {
        resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) })
      } catch (error) {
        reject(error)
      }
    })
  })
  outgoing.on('error', reject)
  outgoing.end(sent && JSON.stringify(sent))
  return promise.catch((error: unknown) => {
    throw silent({ pid, url }, error)
  })
}

const silent = ({ pid, url }: Pick<DaemonState, 'pid' | 'url'>, cause: unknown): CliFailure =>
  new CliFailure('DAEMON_SILENT', `The daemon of ${url}, process ${pid}, does not answer on its socket`, {
    hint: 'Look into its log with `latchkey logs`; `latchkey stop` sends it a signal instead.',
    cause,
  })
