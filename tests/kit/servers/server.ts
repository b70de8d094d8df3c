/** A throw-away server: one process, one folder, one port, and what a test can do with them. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { keptFolder, spawnKept } from './keeper.ts'
import { freePort } from './ports.ts'

export interface Server {
  /** With user, password and, for Redis, nothing else: `mysql://app:app@127.0.0.1:port` or `redis://127.0.0.1:port`. */
  readonly url: string
  readonly port: number
  /** Of the running process, or of the last one; changes with `restart`. */
  readonly pid: number
  /** SIGKILL; resolves when the process is gone. What it had written stays. */
  kill(): Promise<void>
  /** Kills the process if it still runs, and starts another on the same port with the same data. */
  restart(): Promise<void>
  /** Ends the process and removes its data. Doing it twice does no harm. */
  stop(): Promise<void>
}

export interface Program {
  readonly name: string
  readonly url: (port: number) => string
  /** Fills the folder with what the server needs before its first start. */
  readonly prepare?: (folder: string) => Promise<void>
  readonly command: (folder: string, port: number) => readonly [command: string, ...args: string[]]
  /** Rejects as long as the server does not respond. */
  readonly ping: (url: string) => Promise<void>
}

const startTimeout = 60_000
const attempts = 5

/**
 * Starts the program on a free port and resolves when it responds.
 * @throws Error with the end of its log when it exits immediately, or does not respond within a minute
 */
export async function startServer(program: Program): Promise<Server> {
  const folder = keptFolder(program.name)
  await program.prepare?.(folder)
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    try {
      const first = await launch(program, folder, port)
      return control(program, folder, port, first)
    } catch (error) {
      // Another process may take the port between its search and its use.
      const taken = /address already in use/i.test(String(error))
      if (!taken || attempt === attempts) throw error
    }
  }
}

function control(program: Program, folder: string, port: number, first: ChildProcess): Server {
  let child = first
  return {
    url: program.url(port),
    port,
    get pid() {
      return child.pid ?? 0
    },
    kill: () => end(child),
    async restart() {
      await end(child)
      child = await launch(program, folder, port)
    },
    async stop() {
      await end(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.ref()
  child.kill('SIGKILL')
  await ended
}

async function launch(program: Program, folder: string, port: number): Promise<ChildProcess> {
  const [command, ...args] = program.command(folder, port)
  const child = spawnKept(folder, command, args)
  const deadline = performance.now() + startTimeout
  for (;;) {
    const failure = await program.ping(program.url(port)).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (failure === undefined && !hasEnded(child)) return child
    if (hasEnded(child)) throw new Error(`${program.name} ended at its start:\n${await logOf(folder)}`)
    if (performance.now() > deadline) {
      await end(child)
      throw new Error(`${program.name} does not respond after a minute:\n${await logOf(folder)}`, { cause: failure })
    }
    await delay(25)
  }
}

async function logOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.join('\n').trim().split('\n').slice(-25).join('\n')
}
