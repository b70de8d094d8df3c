/** Starts a daemon that goes on when the command has ended. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, fstatSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../cli/environment.ts'
import { CliFailure } from '../cli/failure.ts'
import { fetchStatus } from './control.ts'
import type { SupervisorOptions } from './daemon.ts'
import type { FromDetached } from './detached.ts'
import { unpackFailure } from './failures.ts'
import { openForAppending } from './log.ts'
import { readLastLines } from './log-tail.ts'
import { compileCache, type DaemonState } from './state.ts'

const source = fileURLToPath(new URL('./detached.ts', import.meta.url))
const script = existsSync(source) ? source : source.replace(/ts$/, 'js')

export interface Detached {
  readonly state: DaemonState
  readonly workers: number
}

export interface DetachOptions extends SupervisorOptions {
  readonly log: string
  /** As it was before a configuration was loaded: what `.env` adds must be read again by every reload. */
  readonly env: Environment
  readonly signal: AbortSignal
  /** The lines that a daemon which does not start has left in its log. */
  readonly onLogLines: (lines: readonly string[]) => void
}

/** @returns when it answers @throws CliFailure why it does not serve */
export async function startDetached({ env, signal, onLogLines, ...options }: DetachOptions): Promise<Detached> {
  const fd = openForAppending(options.log)
  const before = fstatSync(fd).size
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    cwd: options.directory,
    detached: true,
    env: { ...env, NODE_COMPILE_CACHE: compileCache(options.directory) },
    stdio: ['ignore', fd, fd, 'ipc'],
  })
  closeSync(fd)
  const abandon = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', abandon, { once: true })
  try {
    const started = await answerOf(child, options)
    await fetchStatus(started.state)
    return started
  } catch (error) {
    onLogLines(linesSince(options.log, before))
    throw error
  } finally {
    signal.removeEventListener('abort', abandon)
    if (child.connected) child.disconnect()
    child.unref()
  }
}

async function answerOf(child: ChildProcess, options: SupervisorOptions): Promise<Detached> {
  const { promise, resolve, reject } = Promise.withResolvers<Detached>()
  child.on('message', (message: FromDetached) => {
    if (message.type === 'serving') resolve(message)
    else reject(unpackFailure(message.failure))
  })
  child.on('error', reject)
  child.on('exit', (code, signal) => {
    const how = signal ? `was killed by ${signal}` : `ended with exit code ${code}`
    reject(new CliFailure('DAEMON_ENDED', `The daemon ${how} before it served`, { hint: 'Its last lines in the log tell more.' }))
  })
  child.send(options)
  return promise
}

/** At most twenty. */
function linesSince(path: string, position: number): readonly string[] {
  const { lines, end } = readLastLines(path, 20)
  return end > position ? lines : []
}
