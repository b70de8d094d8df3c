/** The daemon's log: standard output, or a file that each reload reopens. */
import { closeSync } from 'node:fs'
import { destination } from 'pino'
import { createLog } from '../adapters/log.ts'
import type { Logger } from '../core/ports.ts'
import type { Config } from '../features/index.ts'
import { openForAppending } from './log-file.ts'

type Level = Config['log']['level']

/** Buffered while the destination is blocked. */
const maxBufferBytes = 1_048_576

/** @param fd 1 for standard output, 2 for standard error */
export function openDaemonLog(level: Level, fd: 1 | 2): Promise<Logger> {
  const stream = fd === 1 ? process.stdout : process.stderr
  const colour = stream.isTTY === true && stream.hasColors()
  return createLog({ level, destination: openSink(fd), pretty: stream.isTTY === true, colour })
}

function openSink(fd: number) {
  const sink = destination({ dest: fd, sync: true, maxLength: maxBufferBytes })
  // A full disk or a closed pipe must not end the service; these lines are lost.
  return sink.on('error', () => {})
}

export type LogFile = ReturnType<typeof openLogFile>

/** @throws Failure LOG_UNWRITABLE */
export function openLogFile(path: string) {
  let fd = openForAppending(path)
  let sink = openSink(fd)
  return {
    path,
    /** The descriptor for the standard output of the workers. */
    fd: () => fd,
    /** Opens the path again, after log rotation has moved the file. */
    reopen: () => {
      const old = fd
      fd = openForAppending(path)
      sink = openSink(fd)
      closeSync(old)
    },
    /** The supervisor's own lines. */
    log: (level: Level) => createLog({ level, destination: { write: (line) => sink.write(line) }, pretty: false }),
  }
}
