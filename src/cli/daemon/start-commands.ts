import { resolve } from 'node:path'
import type { SupervisorOptions } from '../../daemon/daemon.ts'
import type { Detached } from '../../daemon/detached-process.ts'
import type { DaemonState } from '../../daemon/state.ts'
import { isRecord } from '../../lib/objects.ts'
import { counted } from '../../lib/text.ts'
import { type ExitCode, exitCodes, Failure, toFailure } from '../../project/failure.ts'
import type { ConfigOverride } from '../../project/load-config.ts'
import { type Context, command, flag, list, option, type ValuesOf, wholeNumber } from '../command.ts'
import { printFailure } from '../output.ts'
import { checkStart } from './check-start.ts'
import { findRunning, pendingDrops, stopRunning, stopTimeout } from './control-commands.ts'

/** Shared with `dev`. */
export const hostOption = option('--host <address>', 'Address to listen on [server.host]', (z) => z.string().min(1).optional())
export const portOption = (initial: string) =>
  option('--port <n>', `Port to listen on [${initial}]`, (z) => wholeNumber(z, 0, 65_535).optional())

const startOptions = {
  detach: flag('-d, --detach', 'Run in the background; log to log.file'),
  workers: option('--workers <n>', 'Number of worker processes [server.workers]', (z) => wholeNumber(z, 1, 256).optional()),
  host: hostOption,
  port: portOption('server.port'),
  waitForMove: flag('--wait-for-move', 'Answer 503 until a move is final; see `move from-better-auth`'),
  migrate: flag('--migrate', 'Apply pending migrations before serving'),
  acknowledge: list(
    '--acknowledge <name>',
    'Accept another-secret, bans-ignored, passkeys-stranded, passkey-origin-removed, or a schema change that loses data, by its name (embedded database only); repeatable',
  ),
  check: flag('--check', 'Check configuration, database and Redis, then exit'),
}
type StartContext = Context<ValuesOf<typeof startOptions>>

export const start = command('start', 'Start the daemon', {
  description:
    'Without --detach it stays in the foreground and logs to standard output, as containers and service managers expect. SIGTERM and Ctrl-C let running requests finish; a second signal stops immediately. SIGHUP reloads the configuration.',
  examples: ['latchkey start', 'latchkey start --detach --workers 2', 'latchkey start --check'],
  options: startOptions,
  usesDatabase: true,
  exitCodes: [5, 7],
  handlesSignals: true,
  action: async (context) => {
    if (context.options.check) return check(context)
    if (!context.options.detach) return serve(context)
    return detach(context, { flags: flagsOf(context), schema: 'start/v1' })
  },
})

/** @param options of the section `server` that flags have set */
export const overrideServer = (options: Readonly<Record<string, string | number | undefined>>): ConfigOverride[] =>
  Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [{ path: `server.${name}`, value, origin: `--${name}` }],
  )

const flagsOf = ({
  options: { workers, host, port, migrate, acknowledge, waitForMove },
  waitForDatabase,
}: StartContext): Detaching['flags'] => ({
  overrides: [
    ...overrideServer({ workers, host, port }),
    ...(waitForMove ? [{ path: 'move.wait', value: true, origin: '--wait-for-move' }] : []),
  ],
  migrate,
  acknowledge,
  waitForDatabase,
})

async function serve(context: StartContext): Promise<ExitCode> {
  const { global, output, cwd } = context
  const { getProject } = await import('../../project/load-config.ts')
  const { runSupervisor } = await import('../../daemon/supervisor.ts')
  const { findPortMismatch, formatAddress } = await import('../../daemon/state.ts')
  return runSupervisor(
    {
      ...getProject(cwd, global.config),
      mode: 'foreground',
      cwd,
      ...flagsOf(context),
      // With --json, standard output must have exactly one document.
      log: global.json ? 2 : 1,
    },
    {
      onServing: (state, { workers, pendingMigrations }) => {
        for (const line of pendingDrops(pendingMigrations)) output.info(line)
        const { pid, url, host, port } = state
        if (global.json) output.result('start/v1', { detached: false, pid, url, host, port, workers, log: null }, [])
        else if (output.isTerminal) output.success(`Serving ${url} on ${formatAddress(host, port)}. Press Ctrl-C to stop.`)
        const mismatch = findPortMismatch(url, port)
        if (mismatch !== null) output.warn(mismatch)
      },
    },
  )
}

/** What `start --detach` and `restart` do differently. */
interface Detaching {
  readonly flags: Pick<SupervisorOptions, 'overrides' | 'migrate' | 'acknowledge' | 'waitForDatabase'>
  readonly schema: string
  /** Runs when the configuration is valid. */
  readonly before?: () => Promise<void>
}

/** @throws Failure with the reason, after printing the end of the log to standard error */
async function detach(context: Context, { flags, schema, before }: Detaching): Promise<ExitCode> {
  const { output } = context
  const { startDetached } = await import('../../daemon/detach.ts')
  const { alreadyRunning, findDaemon } = await import('../../daemon/state.ts')
  const { env, options } = await prepare(context, flags)
  await before?.()
  const running = findDaemon(options.directory)
  if (running) throw alreadyRunning(running)
  let lines: readonly string[] = []
  const interrupt = new AbortController()
  const abort = () => interrupt.abort()
  process.once('SIGINT', abort).once('SIGTERM', abort)
  try {
    const onLogLines = (found: readonly string[]) => {
      lines = found
    }
    const started = await startDetached({ ...options, env, signal: interrupt.signal, onLogLines })
    return reportStart(output, { ...started, schema, log: options.log })
  } catch (error) {
    if (interrupt.signal.aborted) return exitCodes.interrupted
    const failure = await toFailure(error, null)
    // The reason first.
    printFailure(failure, output)
    showLog(output, options.log, lines)
    return failure.exitCode
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort)
  }
}

/** Checks the configuration. @throws Failure with exit code 8 */
async function prepare({ env, loadConfig }: Context, flags: Detaching['flags']) {
  // Loading adds the variables of `.env`, which the daemon must read again with every reload.
  const environment = { ...env }
  const { config, file, directory } = await loadConfig({ overrides: flags.overrides })
  const log = resolve(directory, config.log.file)
  return { env: environment, options: { ...flags, mode: 'detached', cwd: directory, config: file, directory, log } as const }
}

interface StartReport extends Detached {
  readonly schema: string
  readonly log: string
}

async function reportStart(output: Context['output'], report: StartReport): Promise<ExitCode> {
  const { schema, state, workers, pendingMigrations, log } = report
  const { findPortMismatch, formatAddress } = await import('../../daemon/state.ts')
  const { pid, url, host, port } = state
  output.result(schema, { detached: true, pid, url, host, port, workers, log }, [
    `Serving ${url} on ${formatAddress(host, port)} (process ${pid}, ${counted(workers, 'worker')})`,
    `Log ${log}`,
    ...pendingDrops(pendingMigrations).map(output.typed),
  ])
  const mismatch = findPortMismatch(url, port)
  if (mismatch !== null) output.warn(mismatch)
  output.info('Next: latchkey status, latchkey logs -f, latchkey reload, latchkey stop')
  return exitCodes.done
}

function showLog(output: Context['output'], log: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  output.error(`The log of this start, ${log}:`)
  for (const line of lines) output.error(`  ${readable(line)}`)
}

/** Level, message and reason of a log line; another line, such as that of a crash, as it is. */
function readable(line: string): string {
  try {
    const { level, msg, failure, err }: Record<string, unknown> = JSON.parse(line)
    const [reason] = [failure, err].flatMap((found) => (isRecord(found) ? [String(found.message)] : []))
    return `${level}: ${msg}${reason === undefined ? '' : `: ${reason}`}`
  } catch {
    return line
  }
}

/** Checks what a start needs, without starting. */
async function check(context: StartContext): Promise<ExitCode> {
  const { database, redis } = await checkStart(context, flagsOf(context), null)
  context.output.result('start/v1', { checked: true, database, redis }, [
    'Configuration  valid',
    `Database       ${database}, reachable, schema up to date`,
    `Redis          ${redis}`,
  ])
  return exitCodes.done
}

export const restart = command('restart', 'Restart the daemon', {
  description:
    'Uses the flags of the last start and the environment of this command. The new daemon starts before the old one stops, so that no request fails; if it does not start, the old one continues. To apply a changed configuration, `latchkey reload` is enough.',
  examples: ['latchkey restart', 'latchkey restart --timeout 60'],
  options: { timeout: stopTimeout },
  exitCodes: [6, 8],
  handlesSignals: true,
  action: async (context) => {
    const { options, output } = context
    const { state } = await findRunning(context)
    if (state && state.mode !== 'detached') {
      throw new Failure('NOT_DETACHED', `Process ${state.pid} runs in the foreground of a terminal or service manager`, {
        hint: 'Restart it there, or use `latchkey reload` here.',
      })
    }
    const { overrides = [], acknowledge = [] } = state ?? {}
    const flags = { overrides, migrate: false, acknowledge, waitForDatabase: 0 }
    const started = state && (await replace(context, state, flags))
    if (started) return reportStart(output, started)
    const before = async () => {
      if (!state) return output.info('No daemon was running')
      // A daemon of an earlier version cannot start its successor: what can be checked is checked before it stops.
      await checkStart(context, flags, state)
      await stopRunning(context, state, options.timeout)
    }
    return detach(context, { flags, schema: 'restart/v1', before })
  },
})

/** @returns null for a daemon of an earlier version, which must stop first @throws Failure; then the running daemon continues */
async function replace(
  context: Context<{ readonly timeout: number | undefined }>,
  state: DaemonState,
  flags: Detaching['flags'],
): Promise<StartReport | null> {
  const { fetchStatus, requestRestart, waitForEnd } = await import('../../daemon/control.ts')
  const { daemonProcess } = await import('../../daemon/detach.ts')
  const { env, options } = await prepare(context, flags)
  const { drainTimeout } = await fetchStatus(state)
  const order = { ...daemonProcess(options.directory, env), options }
  const started = await requestRestart(state, order)
  if (!started) return null
  const seconds = context.options.timeout ?? drainTimeout + 5
  if (!(await waitForEnd(state, { seconds, signal: context.signal })))
    context.output.warn(`The previous process ${state.pid} is still finishing requests`)
  return { ...started, schema: 'restart/v1', log: options.log }
}
