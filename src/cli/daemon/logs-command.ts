import { resolve } from 'node:path'
import { isRecord } from '../../lib/objects.ts'
import { errorReason } from '../../lib/redact.ts'
import { type ExitCode, exitCodes, Failure } from '../../project/failure.ts'
import { type Context, command, flag, option, wholeNumber } from '../command.ts'
import type { Output } from '../output.ts'
import { findRunning } from './control-commands.ts'

export const logs = command('logs', 'Show the log of the daemon', {
  description: 'Formats the lines when standard output is a terminal; otherwise prints them as JSON.',
  examples: ['latchkey logs', 'latchkey logs -f', 'latchkey logs -n 500 | jq .msg'],
  options: {
    follow: flag('-f, --follow', 'Print new lines until Ctrl-C'),
    lines: option('-n, --lines <n>', 'Number of lines to print, from the end of the log [50]', (z) =>
      wholeNumber(z, 0, 1_000_000).default(50),
    ),
  },
  exitCodes: [8],
  handlesSignals: true,
  action: async (context): Promise<ExitCode> => {
    const { options, output } = context
    const path = await findLog(context)
    const { followLines, readLastLines } = await import('../../daemon/log-file.ts')
    const print = await printer(output)
    const { lines, end } = readLog(() => readLastLines(path, options.lines), path)
    for (const line of lines) print(line)
    if (!options.follow) return exitCodes.done
    const interrupted = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
    for await (const line of followLines(path, end, AbortSignal.any([interrupted.signal, output.closed]))) print(line)
    return interrupted.signal.aborted ? exitCodes.interrupted : exitCodes.done
  },
})

/** The log of the running daemon; else the configured one, or the default if the configuration is broken. */
async function findLog(context: Context): Promise<string> {
  const { directory, state } = await findRunning(context)
  if (state?.log) return state.log
  if (state) {
    throw new Failure('LOG_ELSEWHERE', `Process ${state.pid} logs to its standard output`, {
      hint: 'See the terminal, container or service that it runs in.',
    })
  }
  const loaded = await context.loadConfig({ needs: [] }).catch(() => null)
  return resolve(directory, loaded ? loaded.config.log.file : '.latchkey/daemon.log')
}

function readLog<T>(read: () => T, path: string): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
      throw new Failure('LOG_MISSING', `There is no log file ${path}`, { hint: '`latchkey start --detach` creates it.', cause })
    }
    const hint = 'Check its owner and mode.'
    throw new Failure('LOG_UNREADABLE', `Cannot read the log ${path}: ${errorReason(cause)}`, { hint, cause })
  }
}

/** Prints lines that are not JSON, such as those of a crash, as they are. */
async function printer(output: Output): Promise<(line: string) => void> {
  if (output.json) return (line) => output.record('logs/v1', parse(line) ?? { msg: line }, '')
  if (!output.isTerminal) return (line) => output.write(`${line}\n`)
  const { prettyFactory } = await import('pino-pretty')
  const { printable } = await import('../../lib/redact.ts')
  const format = prettyFactory({
    colorize: output.paint.bold('') !== '',
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss.l',
    errorLikeObjectKeys: ['err', 'error', 'cause'],
    messageFormat: (line, messageKey) => printable(String(line[messageKey] ?? '')),
  })
  return (line) => {
    const parsed = parse(line)
    output.write(parsed ? format(parsed) : `${printable(line)}\n`)
  }
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
