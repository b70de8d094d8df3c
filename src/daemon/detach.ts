/** Starts a daemon in the background. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync } from 'node:fs'
import type { Environment } from '../project/environment.ts'
import { Failure } from '../project/failure.ts'
import { fetchStatus } from './control.ts'
import type { SupervisorOptions } from './daemon.ts'
import type { Detached, FromDetached, ToDetached } from './detached-process.ts'
import { openForAppending, readLastLines } from './log-file.ts'
import { unpackFailure } from './messages.ts'
import { createCompileCache, ownScript } from './state.ts'
import type { WantedPorts } from './succession.ts'

export interface DaemonOptions extends SupervisorOptions {
  readonly log: string
}

export interface DetachOptions extends DaemonOptions {
  /** Without the variables of `.env`, which every reload reads again. */
  readonly env: Environment
  readonly signal: AbortSignal
  /** Gets the end of the log when the daemon does not start. */
  readonly onLogLines: (lines: readonly string[]) => void
}

/** Which program runs a daemon without a terminal, and in which environment. */
export interface DaemonProcess {
  readonly command: readonly string[]
  readonly env: Environment
}

/** @throws Failure STATE_FOLDER */
export const daemonProcess = (directory: string, env: Environment): DaemonProcess => ({
  command: [process.execPath, '--disable-warning=ExperimentalWarning', ownScript('detached-process')],
  env: { ...env, NODE_COMPILE_CACHE: createCompileCache(directory) },
})

/** @returns the process, which waits for its order, and the size of its log before it @throws Failure LOG_UNWRITABLE */
export function spawnDaemon({ command: [program = '', ...args], env }: DaemonProcess, options: DaemonOptions) {
  const log = openForAppending(options.log)
  try {
    const { size } = fstatSync(log)
    const child = spawn(program, args, { cwd: options.directory, detached: true, env, stdio: ['ignore', log, log, 'ipc'] })
    return { child, before: size }
  } finally {
    closeSync(log)
  }
}

/** Resolves when the daemon is serving. @throws Failure with the reason when it does not start */
export async function startDetached({ env, signal, onLogLines, ...options }: DetachOptions): Promise<Detached> {
  const { child, before } = spawnDaemon(daemonProcess(options.directory, env), options)
  const cancel = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const started = await followStart(child, { options })
    await fetchStatus(started.state)
    return started
  } catch (error) {
    onLogLines(linesSince(options.log, before))
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
    if (child.connected) child.disconnect()
    child.unref()
  }
}

export interface ChildEvents {
  /** The child waits for the project and the listening sockets of its parent. */
  readonly onReady?: (wanted: WantedPorts) => void
}

/** Resolves when the daemon in this process is serving. @throws Failure with the reason when it does not start */
export async function followStart(child: ChildProcess, order: ToDetached, { onReady }: ChildEvents = {}): Promise<Detached> {
  const { promise, resolve, reject } = Promise.withResolvers<Detached>()
  child.on('message', (message: FromDetached) => {
    if (message.type === 'serving') {
      const { state, workers, pendingMigrations } = message
      resolve({ state, workers, pendingMigrations })
    } else if (message.type === 'ready') onReady?.(message)
    else reject(unpackFailure(message.failure))
  })
  child.on('error', reject)
  child.on('exit', (code, signal) => {
    const reason = signal ? `was killed by ${signal}` : `exited with code ${code}`
    reject(
      new Failure('DAEMON_ENDED', `The daemon ${reason} before it was ready`, { hint: 'See the end of its log for the reason.' }),
    )
  })
  child.send(order)
  return promise
}

/** At most twenty lines, none from before the position. */
function linesSince(path: string, position: number): readonly string[] {
  const { lines, end } = readLastLines(path, 20)
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  const own = bytes.subarray(Math.max(0, bytes.length - (end - position))).toString()
  return own.split('\n').filter(Boolean)
}
