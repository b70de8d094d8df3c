import type { BaseContext } from '../command.ts'
import { command } from '../command.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { CliFailure } from '../failure.ts'
import { flag, wholeNumber } from '../inputs.ts'
import type { Output } from '../output.ts'

export const logs = command({
  name: 'logs',
  summary: 'Show what the daemon has logged',
  description: 'On a terminal the lines are made readable; elsewhere they are JSON as they stand in the file.',
  examples: ['latchkey logs', 'latchkey logs -f', 'latchkey logs -n 500 | jq .msg'],
  options: [
    { flags: '-f, --follow', description: 'Go on with what is added, until Ctrl-C' },
    { flags: '-n, --lines <n>', description: 'How many of the last lines; default: 50' },
  ],
  exitCodes: [8],
  handlesSignals: true,
  input: (z) => z.object({ follow: flag(z), lines: wholeNumber(z, 0, 1_000_000).default(50) }),
  action: async ({ options, output, ...context }): Promise<ExitCode> => {
    const path = await findLog(context)
    const { followLines, readLastLines } = await import('../../daemon/log-tail.ts')
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

type FindContext = Pick<BaseContext, 'cwd' | 'global' | 'loadConfig'>

/** Of the running daemon; else where the configuration says, or where it is by default when the configuration is broken. */
async function findLog({ cwd, global, loadConfig }: FindContext): Promise<string> {
  const [{ resolve }, { findProject }, { findDaemon, stateFolder }] = await Promise.all([
    import('node:path'),
    import('../../daemon/project.ts'),
    import('../../daemon/state.ts'),
  ])
  const { directory } = findProject(cwd, global.config)
  const state = findDaemon(directory)
  if (state?.log) return state.log
  if (state) {
    throw new CliFailure('LOG_ELSEWHERE', `Process ${state.pid} logs to where it was started`, {
      hint: 'Look into that terminal, or into the log of its container or service.',
    })
  }
  const loaded = await loadConfig().catch(() => null)
  return loaded ? resolve(loaded.directory, loaded.config.log.file) : resolve(stateFolder(directory), 'daemon.log')
}

function readLog<T>(read: () => T, path: string): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
      throw new CliFailure('LOG_MISSING', `There is no log at ${path}`, {
        hint: 'It is made by `latchkey start --detach`.',
        cause,
      })
    }
    const reason = cause instanceof Error ? cause.message : 'unknown reason'
    throw new CliFailure('LOG_UNREADABLE', `The log ${path} cannot be read: ${reason}`, {
      hint: 'Check its owner and mode.',
      cause,
    })
  }
}

/** What is no JSON was written by something else, such as a crash: it is shown as it is. */
async function printer(output: Output): Promise<(line: string) => void> {
  if (output.json) return (line) => output.record('logs/v1', parse(line) ?? { msg: line }, '')
  if (!output.isTerminal) return (line) => output.write(`${line}\n`)
  const { prettyFactory } = await import('pino-pretty')
  const { printable } = await import('../../lib/printable.ts')
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

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
