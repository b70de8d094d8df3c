/** The state folder `.latchkey/`: the running daemon of a project, and the lock that allows only one. */
import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { writeFileAtomically } from '../adapters/atomic-file.ts'
import { isLoopback } from '../lib/ip.ts'
import { isRecord } from '../lib/objects.ts'
import { errorReason } from '../lib/redact.ts'
import { Failure } from '../project/failure.ts'
import type { ConfigOverride } from '../project/load-config.ts'
import type { DaemonMode } from './messages.ts'

export interface DaemonState {
  readonly schema: 'daemon/v1'
  readonly pid: number
  /** Start time, which distinguishes this process from a later one with the same id. */
  readonly processStart: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly mode: DaemonMode
  readonly version: string
  /** Path of the socket for the commands. */
  readonly socket: string
  /** Path of the socket for calls of the operator's own servers. */
  readonly apiSocket: string
  readonly host: string
  readonly port: number
  readonly url: string
  /** Null for the built-in configuration of `dev`. */
  readonly config: string | null
  /** Null when the daemon logs to its standard output. */
  readonly log: string | null
  /** For `restart`. */
  readonly overrides: readonly ConfigOverride[]
  /** What the operator has accepted, also for `restart`; a daemon of an earlier version writes none. */
  readonly acknowledge?: readonly string[]
}

export const stateFolder = (directory: string): string => join(directory, '.latchkey')

/**
 * Creates the folder of Node's compile cache. It saves a worker 28 MiB and half of its start time: cached TypeScript needs no
 * compiler. Not in the system's temporary folder, where other accounts could place code.
 * @throws Failure STATE_FOLDER
 */
export const createCompileCache = (directory: string): string =>
  process.env.NODE_COMPILE_CACHE || createFolder(join(createStateFolder(directory), 'cache'))

/** The path of an entry point in this folder, which is JavaScript in the published package. */
export const ownScript = (name: string): string =>
  fileURLToPath(new URL(`./${name}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url))

const stateFile = (folder: string) => join(folder, 'state.json')

/** `127.0.0.1:4000`, `[::1]:4000`. */
export const formatAddress = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

/**
 * @param url public address of the API
 * @param port where the daemon listens
 * @returns a warning when the address is on this machine but names another port, so that links lead nowhere
 */
export function findPortMismatch(url: string, port: number): string | null {
  const { hostname, port: named, protocol } = new URL(url)
  const expected = Number(named) || (protocol === 'https:' ? 443 : 80)
  if (!isLoopback(hostname) || protocol === 'https:' || expected === port) return null
  return `baseURL names port ${expected}, but the daemon listens on port ${port}: links in emails and redirects do not reach it`
}

/** Its files hold secrets, so version control must ignore them in every project. @throws Failure STATE_FOLDER */
export function createStateFolder(directory: string): string {
  const folder = createFolder(stateFolder(directory))
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw folderFailure(folder, cause)
  }
  return folder
}

/** Also closes one that others can read: Node and earlier versions create folders with the umask of the process. */
function createFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { mode, uid } = statSync(folder)
    if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(folder, 0o700)
    return folder
  } catch (cause) {
    throw folderFailure(folder, cause)
  }
}

const folderFailure = (folder: string, cause: unknown): Failure =>
  new Failure('STATE_FOLDER', `Cannot use the folder ${folder}: ${errorReason(cause)}`, {
    hint: 'Make it readable and writable for this account, or run the command as its owner.',
    cause,
  })

export const writeState = (folder: string, state: DaemonState): void =>
  writeFileAtomically(stateFile(folder), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })

/** Does not remove the state of a later daemon. */
export function removeState(folder: string, pid: number): void {
  if (readState(folder)?.pid === pid) rmSync(stateFile(folder), { force: true })
}

/**
 * The running daemon of this project; ignores the state that a killed one has left.
 * @throws Failure STATE_FOLDER when the state cannot be read
 */
export function findDaemon(directory: string): DaemonState | null {
  const state = readState(stateFolder(directory))
  return state && isSameProcess(state.pid, state.processStart) ? state : null
}

/** Whether the last daemon of this project ended without removing its state: it was killed, or the machine failed. */
export function wasKilled(directory: string): boolean {
  const state = readState(stateFolder(directory))
  return state !== null && !isSameProcess(state.pid, state.processStart)
}

function readState(folder: string): DaemonState | null {
  if (!existsSync(stateFile(folder))) return null
  try {
    const state: unknown = JSON.parse(readFileSync(stateFile(folder), 'utf8'))
    return isState(state) ? state : null
  } catch (cause) {
    if (cause instanceof SyntaxError) return null
    throw folderFailure(folder, cause)
  }
}

const isState = (value: unknown): value is DaemonState => isRecord(value) && value.schema === 'daemon/v1'

/** Start time of this process. */
export const ownStart = (): string => findProcessStart(process.pid) ?? ''

/**
 * Allows only this process to serve the project, until it exits in any way. Uses a file lock of the operating system through
 * SQLite: Node has no lock of its own, and a file created with O_EXCL would survive a killed process.
 * @returns releases the lock
 * @throws Failure ALREADY_RUNNING, STATE_FOLDER
 */
export function lockProject(directory: string): () => void {
  const folder = createStateFolder(directory)
  try {
    closeSync(openSync(join(folder, 'lock'), 'a', 0o600))
    const lock = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
    // Nothing is ever written, so no journal file is needed.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return () => lock.close()
  } catch (cause) {
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === 5) throw alreadyRunning(findDaemon(directory))
    throw folderFailure(folder, cause)
  }
}

export function alreadyRunning(state: DaemonState | null): Failure {
  const message = state
    ? `A daemon already serves this project: ${state.url}, process ${state.pid}`
    : 'Another daemon of this project is starting'
  return new Failure('ALREADY_RUNNING', message, {
    hint: 'See `latchkey status`. To apply a changed configuration, run `latchkey reload`.',
  })
}

/**
 * The start time of a process as an opaque text, which differs for a later process with the same id; null without a process.
 * @throws Error when the system has neither `/proc` nor `ps`
 */
export function findProcessStart(pid: number): string | null {
  return existsSync('/proc/self/stat') ? readFromProc(pid) : readFromPs(pid)
}

/** Field 22 counts clock ticks since boot, so the boot id belongs to the result (proc_pid_stat(5)). */
function readFromProc(pid: number): string | null {
  const stat = readIfPresent(`/proc/${pid}/stat`)
  if (stat === null) return null
  // The second field is the name in parentheses, which may itself contain spaces and parentheses.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return null
  const boot = readIfPresent('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
  return `${boot}:${fields[18]}`
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process has exited, or belongs to another account: it is not the one that wrote the state.
    return null
  }
}

function readFromPs(pid: number): string | null {
  try {
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C' },
      }).trim() || null
    )
  } catch (error) {
    // `ps` exits with 1 when there is no such process.
    if (error instanceof Error && 'status' in error && error.status === 1) return null
    throw error
  }
}

/** Whether the process with this start time still runs. */
export const isSameProcess = (pid: number, start: string): boolean => findProcessStart(pid) === start
