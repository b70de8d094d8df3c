/** The daemon's log: standard output, or a file that log rotation may move, delete or truncate at any time. */
import { closeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { destination } from 'pino'
import { createLog } from '../adapters/log.ts'
import type { Logger } from '../core/ports.ts'
import type { Config } from '../features/index.ts'
import type { SupervisorOptions } from './daemon.ts'
import { findFile, openForAppending } from './log-file.ts'

type Level = Config['log']['level']

/** Buffered while the destination is blocked. */
const maxBufferBytes = 1_048_576

/** @param target a file, or a stream as in `SupervisorOptions` @throws Failure LOG_UNWRITABLE */
export async function openDaemonLog(level: Level, target: SupervisorOptions['log']): Promise<Logger> {
  if (typeof target === 'string') return openLogFile(target).log(level)
  const stream = target === 1 ? process.stdout : process.stderr
  const colour = stream.isTTY === true && stream.hasColors()
  return createLog({ level, destination: openSink(target), pretty: stream.isTTY === true, colour })
}

function openSink(fd: number) {
  const sink = destination({ dest: fd, sync: true, maxLength: maxBufferBytes })
  // A full disk or a closed pipe must not end the service; these lines are lost.
  return sink.on('error', () => {})
}

export type LogFile = ReturnType<typeof openLogFile>

/**
 * Before each line, each process compares the path with the file that it writes to. So rotation needs no signal, and a line is
 * written to the old file or to the new one.
 * @throws Failure LOG_UNWRITABLE
 */
export function openLogFile(path: string) {
  let fd = openForAppending(path)
  let sink = openSink(fd)
  const copies = new Set<Promise<void>>()
  const write = (line: string): void => {
    if (findFile(path, fd) !== 'same') reopen()
    sink.write(line)
  }
  function reopen(): void {
    const old = fd
    try {
      fd = openForAppending(path)
    } catch {
      // A request must not fail because of its log line. The old file is still open and gets it; the next line tries again.
      return
    }
    sink = openSink(fd)
    closeSync(old)
  }
  return {
    path,
    log: (level: Level) => createLog({ level, destination: { write }, pretty: false }),
    /** Adds what a process prints, such as the last words of a crash, line by line: two processes may print at the same time. */
    copy: (output: Readable): void => {
      const lines = createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY })
      lines.on('line', (line) => write(`${line}\n`))
      const copied = new Promise<void>((resolve) => lines.once('close', resolve)).finally(() => copies.delete(copied))
      copies.add(copied)
    },
    /** Resolves when all copied outputs have ended. */
    copied: () => Promise.all(copies),
  }
}
