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

export interface DetachOptions extends SupervisorOptions {
  readonly log: string
  /** Without the variables of `.env`, which every reload reads again. */
  readonly env: Environment
  readonly signal: AbortSignal
  /** Gets the end of the log when the daemon does not start. */
  readonly onLogLines: (lines: readonly string[]) => void
}

/** The program of a daemon without a terminal, and its arguments. */
export const daemonCommand = (): string[] => [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  ownScript('detached-process'),
]
export const daemonEnvironment = (directory: string, env: Environment): Environment => ({
  ...env,
  NODE_COMPILE_CACHE: createCompileCache(directory),
})

/** Resolves when the daemon is serving. @throws Failure with the reason when it does not start */
export async function startDetached({ env, signal, onLogLines, ...options }: DetachOptions): Promise<Detached> {
  const fd = openForAppending(options.log)
  const before = fstatSync(fd).size
  const [program = '', ...args] = daemonCommand()
  const child = spawn(program, args, {
    cwd: options.directory,
    detached: true,
    env: daemonEnvironment(options.directory, env),
    stdio: ['ignore', fd, fd, 'ipc'],
  })
  closeSync(fd)
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
  /** The child waits for the project and, if `takesPort`, the listening socket of its parent. */
  readonly onReady?: (takesPort: boolean) => void
}

/** Resolves when the daemon in this process is serving. @throws Failure with the reason when it does not start */
export async function followStart(child: ChildProcess, order: ToDetached, { onReady }: ChildEvents = {}): Promise<Detached> {
  const { promise, resolve, reject } = Promise.withResolvers<Detached>()
  child.on('message', (message: FromDetached) => {
    if (message.type === 'serving') {
      const { state, workers, pendingMigrations } = message
      resolve({ state, workers, pendingMigrations })
    } else if (message.type === 'ready') onReady?.(message.takesPort)
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
