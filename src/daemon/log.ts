/** Where the daemon's lines go: its standard output, or a file that is opened anew with every reload. */
import { closeSync, fstatSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { destination } from 'pino'
import { createLog } from '../adapters/log.ts'
import { CliFailure } from '../cli/failure.ts'
import type { Logger } from '../core/ports.ts'
import type { Config } from '../features/index.ts'

type Level = Config['log']['level']

/** Bytes kept for a destination that takes none at the moment. */
const backlog = 1_048_576

/**
 * @param fd 1 for standard output, 2 for standard error
 */
export function openDaemonLog(level: Level, fd: 1 | 2): Promise<Logger> {
  const stream = fd === 1 ? process.stdout : process.stderr
  const colour = stream.isTTY === true && stream.hasColors()
  const sink = destination({ dest: fd, sync: true, maxLength: backlog })
  // A full disk or a closed pipe must not end the service; its lines are lost, and there is nowhere to say so.
  sink.on('error', () => {})
  return createLog({ level, destination: sink, pretty: stream.isTTY === true, colour })
}

export interface LogFile {
  readonly path: string
  /** The descriptor that workers are given as their standard output. */
  fd(): number
  /** After somebody moved the file away: writes to a new one from now on. */
  reopen(): void
  /** The supervisor's own lines. */
  log(level: Level): Promise<Logger>
}

/** @throws CliFailure LOG_UNWRITABLE */
export function openLogFile(path: string): LogFile {
  let fd = openForAppending(path)
  let sink = destination({ dest: fd, sync: true, maxLength: backlog })
  sink.on('error', () => {})
  return {
    path,
    fd: () => fd,
    reopen: () => {
      const old = fd
      fd = openForAppending(path)
      sink = destination({ dest: fd, sync: true, maxLength: backlog })
      sink.on('error', () => {})
      closeSync(old)
    },
    log: (level) => createLog({ level, destination: { write: (line) => sink.write(line) }, pretty: false }),
  }
}

/** Appending is atomic per line, so that all processes write to one file; readable by its owner only. @throws CliFailure */
export function openForAppending(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const fd = openSync(path, 'a', 0o600)
    if (!fstatSync(fd).isDirectory()) return fd
    throw new Error('it is a folder')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown reason'
    throw new CliFailure('LOG_UNWRITABLE', `The log ${path} cannot be written: ${reason}`, {
      hint: 'Check the folder and its owner, or name another file in log.file.',
      cause,
    })
  }
}
