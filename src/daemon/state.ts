/** `.latchkey/`: who serves this project, and the lock that keeps it one. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CliFailure } from '../cli/failure.ts'
import type { ConfigOverride } from '../cli/load-config.ts'
import { findProcessStart, isSameProcess } from './process-identity.ts'

export interface DaemonState {
  readonly schema: 'daemon/v1'
  readonly pid: number
  /** Tells this process from a later one of the same number. */
  readonly processStart: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly mode: Mode
  readonly version: string
  /** Path of the private listener's socket. */
  readonly socket: string
  readonly host: string
  readonly port: number
  readonly url: string
  /** Null for the built-in configuration of `dev`. */
  readonly config: string | null
  /** Null when the log goes to where the daemon was started. */
  readonly log: string | null
  /** For `restart`. */
  readonly overrides: readonly ConfigOverride[]
}
export type Mode = 'foreground' | 'detached' | 'development'

export const stateFolder = (directory: string): string => join(directory, '.latchkey')

/**
 * Where Node keeps what it has compiled. It saves a worker 28 MiB and half of its start: TypeScript that is already
 * stripped needs no compiler. Not in the folder for temporary files, where others could put code of theirs.
 */
export const compileCache = (directory: string): string => process.env.NODE_COMPILE_CACHE ?? join(stateFolder(directory), 'cache')

const stateFile = (folder: string) => join(folder, 'state.json')

/** @throws CliFailure STATE_FOLDER */
export function createStateFolder(directory: string): string {
  const folder = stateFolder(directory)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  } catch (cause) {
    throw folderFailure(folder, cause)
  }
}

const folderFailure = (folder: string, cause: unknown): CliFailure =>
  new CliFailure('STATE_FOLDER', `The folder ${folder} cannot be written to: ${reasonOf(cause)}`, {
    hint: 'Give this account the right to write there, or start as its owner.',
    cause,
  })

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown reason')

/** Whole or not at all: who reads meanwhile sees the old state or the new one. */
export function writeState(folder: string, state: DaemonState): void {
  const fresh = `${stateFile(folder)}.${state.pid}`
  writeFileSync(fresh, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  renameSync(fresh, stateFile(folder))
}

/** A later daemon's state stays. */
export function removeState(folder: string, pid: number): void {
  if (readState(folder)?.pid === pid) rmSync(stateFile(folder), { force: true })
}

/**
 * The daemon of this project, when it runs; what a killed one has left behind counts as nothing.
 * @throws CliFailure STATE_FOLDER when the state cannot be read
 */
export function findDaemon(directory: string): DaemonState | null {
  const state = readState(stateFolder(directory))
  return state && isSameProcess(state.pid, state.processStart) ? state : null
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

const isState = (value: unknown): value is DaemonState =>
  typeof value === 'object' && value !== null && 'schema' in value && value.schema === 'daemon/v1'

/** Of this process. */
export const ownStart = (): string => findProcessStart(process.pid) ?? ''

/**
 * Makes this process the one that may serve the project, until it ends, however it ends.
 * An operating system's lock by way of SQLite: Node offers none itself, and a file made with O_EXCL would outlive a killed
 * process and could not be taken over without a race.
 * @returns gives the lock back
 * @throws CliFailure ALREADY_RUNNING, STATE_FOLDER
 */
export function lockProject(directory: string): () => void {
  const folder = createStateFolder(directory)
  try {
    closeSync(openSync(join(folder, 'lock'), 'a', 0o600))
    const lock = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
    // Nothing is ever written to it, so nothing needs to be taken back either.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return () => lock.close()
  } catch (cause) {
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === 5) throw alreadyRunning(findDaemon(directory))
    throw folderFailure(folder, cause)
  }
}

export function alreadyRunning(state: DaemonState | null): CliFailure {
  const message = state
    ? `A daemon serves this project already: ${state.url}, process ${state.pid}`
    : 'Another daemon of this project is starting'
  return new CliFailure('ALREADY_RUNNING', message, {
    hint: 'Look with `latchkey status`; `latchkey reload` takes up a changed configuration.',
  })
}
