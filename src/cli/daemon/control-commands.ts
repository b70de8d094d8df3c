import type { DaemonState } from '../../daemon/state.ts'
import type { DaemonStatus, WorkerStatus } from '../../daemon/status-report.ts'
import { counted } from '../../lib/text.ts'
import { exitCodes, Failure } from '../../project/failure.ts'
import { type Context, command, flag, option, seconds } from '../command.ts'
import type { Output } from '../output.ts'

/** The folder of the project, and its running daemon. */
export async function findRunning({ cwd, global }: Pick<Context, 'cwd' | 'global'>) {
  const { findProject } = await import('../../project/load-config.ts')
  const { findDaemon } = await import('../../daemon/state.ts')
  const { directory } = findProject(cwd, global.config)
  return { directory, state: findDaemon(directory) }
}

export const status = command('status', 'Show the status of the daemon', {
  description:
    'Shows where the daemon listens, its workers, and whether emails, jobs, the audit log and rate limits work. Exits with 1 if one of these has failed or is replaced by a fallback.',
  examples: ['latchkey status', 'latchkey status --json', 'latchkey status --exit-code'],
  options: { exitCode: flag('--exit-code', 'Exit with 3 unless the daemon is ready') },
  exitCodes: [3],
  deadline: 30,
  action: async (context) => {
    const { options, output } = context
    const { fetchStatus } = await import('../../daemon/control.ts')
    const { findPortMismatch, formatAddress } = await import('../../daemon/state.ts')
    const { sentenceOf } = await import('../../features/operations/health-sentences.ts')
    const { directory, state } = await findRunning(context)
    if (!state) {
      output.result('status/v1', { running: false, directory }, `No daemon is running for ${directory}`)
      output.info('Next: latchkey start --detach')
      return options.exitCode ? exitCodes.pending : exitCodes.done
    }
    const found = await fetchStatus(state)
    const checks = (found.checks ?? []).filter((each) => each.state !== 'ok')
    const problems = checks.map((each) => [checkTitles[each.id] ?? each.id, sentenceOf(each).join('. ')] as const)
    const { url, host, port } = found
    const address = host === null || port === null ? 'none yet' : formatAddress(host, port)
    const mismatch = url === null || port === null ? null : findPortMismatch(url, port)
    output.result('status/v1', { running: true, directory, ...found }, describe(found, output, { address, mismatch, problems }))
    if (options.exitCode && !found.ready) return exitCodes.pending
    const isImpaired = found.degraded.length > 0 || found.checks?.some(({ state: outcome }) => outcome === 'failed')
    return isImpaired ? exitCodes.failed : exitCodes.done
  },
})

interface Where {
  readonly address: string
  /** A warning about the base URL. */
  readonly mismatch: string | null
  /** Titles and sentences. */
  readonly problems: readonly (readonly [string, string])[]
}

const checkTitles: Readonly<Record<string, string>> = { mail: 'Messages', jobs: 'Jobs', audit: 'Audit log' }

function describe(found: DaemonStatus, { paint, hang }: Output, { address, mismatch, problems }: Where): string[] {
  const { pid, version, mode, uptime, url, config, lastReload, log, pendingMigrations, schemaVersion } = found
  const head = found.ready
    ? `${paint.green('●')} Ready: ${paint.bold(url ?? '')} on ${address}`
    : `${paint.red('○')} Not ready: ${found.reasons.join('; ')}`
  const rows: readonly (readonly [string, string])[] = [
    ['Process', `${pid}, ${mode}, version ${version}, up ${duration(uptime)}`],
    ['Address', address],
    ...(mismatch === null ? [] : [['Warning', mismatch] as const]),
    ['Config', `${config ?? 'built in'}, ${describeReload(found)}`],
    ...(lastReload?.failure ? [['Reload', `failed at ${lastReload.at}: ${lastReload.failure.message}`] as const] : []),
    [
      'Schema',
      `${schemaVersion ?? 'up to date'}${pendingMigrations.length > 0 ? `; pending: ${pendingMigrations.join(', ')}` : ''}`,
    ],
    ['Log', log ?? 'standard output'],
    ...problems,
    ...found.degraded.map((text) => ['Degraded', text] as const),
    ...found.workers.map((worker) => ['Worker', describeWorker(worker)] as const),
  ]
  return [head, ...rows.map(([name, text]) => hang(`  ${paint.dim(name.padEnd(9))} `, text))]
}

/** A failed reload leaves the configuration as it was. */
const describeReload = ({ generation, lastReload }: DaemonStatus): string => {
  if (generation === 1) return 'as at the start'
  const when = lastReload?.failure === null ? ` at ${lastReload.at}` : ''
  return `reloaded${when}, generation ${generation}`
}

function describeWorker({ pid, state, generation, requests, reasons }: WorkerStatus): string {
  const served = requests === null ? '' : `, ${counted(requests, 'request')}`
  return `${pid} ${state}, generation ${generation}${served}${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`
}

/** Two units at most: `3 d 4 h`, `12 min 5 s`. */
function duration(seconds: number): string {
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = units.findIndex(([count]) => count > 0)
  const shown = first < 0 ? units.slice(-1) : units.slice(first, first + 2).filter(([count]) => count > 0)
  return shown.map((part) => part.join(' ')).join(' ')
}

/** @param names of migrations that only drop what the configuration does not use */
export function pendingDrops(names: readonly string[]): string[] {
  if (names.length === 0) return []
  const subject = names.length === 1 ? 'is pending and can be applied now' : 'are pending and can be applied now'
  return [`${names.join(', ')} ${subject}: latchkey migrate up`]
}

export const stopTimeout = option('--timeout <seconds>', 'Wait this long for the daemon to stop [server.drainTimeout + 5]', (z) =>
  seconds(z).optional(),
)

export const stop = command('stop', 'Stop the daemon', {
  description: 'Stops accepting requests, finishes the running ones within server.drainTimeout, then exits.',
  examples: ['latchkey stop', 'latchkey stop --timeout 60'],
  options: { timeout: stopTimeout },
  action: async (context) => {
    const { options, output } = context
    const { directory, state } = await findRunning(context)
    if (!state) {
      output.result('stop/v1', { stopped: false, pid: null }, `Nothing to do: no daemon is running for ${directory}`)
      return
    }
    await stopRunning(context, state, options.timeout)
    output.result('stop/v1', { stopped: true, pid: state.pid }, 'Stopped')
  },
})

/** @throws Failure STOP_TIMEOUT */
export async function stopRunning({ output, signal }: Context, state: DaemonState, timeout: number | undefined): Promise<void> {
  const { stopDaemon } = await import('../../daemon/control.ts')
  const { pid, url } = state
  output.info(`Stopping ${url}, process ${pid}`)
  if (await stopDaemon(state, { timeout, signal })) return
  throw new Failure('STOP_TIMEOUT', `Process ${pid} is still running`, {
    hint: `It may be finishing requests: wait, set a longer --timeout, or stop it immediately with \`kill ${pid}\`.`,
    retryable: true,
  })
}

export const reload = command('reload', 'Reload configuration without downtime', {
  description:
    'Replaces one worker after another, so that no request fails. If the configuration is invalid or a new worker does not start, the old configuration stays in use and the command prints the reason.',
  examples: ['latchkey reload', 'latchkey reload --json'],
  exitCodes: [5, 6, 8],
  action: async (context) => {
    const { requestReload } = await import('../../daemon/control.ts')
    const { directory, state } = await findRunning(context)
    if (!state) {
      const hint = 'Start one with `latchkey start --detach`.'
      throw new Failure('NOT_RUNNING', `No daemon is running for ${directory}`, { hint })
    }
    const report = await requestReload(state)
    const list = (pids: readonly number[]) => pids.join(', ') || 'none'
    const { output } = context
    output.result('reload/v1', { pid: state.pid, ...report }, [
      `Reloaded: workers ${list(report.before)} → ${list(report.after)}`,
      ...pendingDrops(report.pendingMigrations).map(output.typed),
      output.typed('The old workers finish their requests and exit. Next: latchkey status'),
    ])
  },
})
