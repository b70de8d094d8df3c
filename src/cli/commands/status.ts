import type { DaemonStatus, WorkerStatus } from '../../daemon/report.ts'
import { command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { flag } from '../inputs.ts'
import type { Palette } from '../output.ts'

export const status = command({
  name: 'status',
  summary: 'Show what the daemon does',
  examples: ['latchkey status', 'latchkey status --json', 'latchkey status --exit-code'],
  options: [{ flags: '--exit-code', description: 'End with 3 when no daemon serves, or it is not ready' }],
  exitCodes: [3],
  deadline: 30,
  input: (z) => z.object({ exitCode: flag(z) }),
  action: async ({ options, global, output, cwd }) => {
    const [{ findProject }, { findDaemon }, { fetchStatus }] = await Promise.all([
      import('../../daemon/project.ts'),
      import('../../daemon/state.ts'),
      import('../../daemon/control.ts'),
    ])
    const { directory } = findProject(cwd, global.config)
    const state = findDaemon(directory)
    if (!state) {
      output.result('status/v1', { running: false, directory }, `No daemon serves ${directory}`)
      output.info('Next: latchkey start --detach')
      return options.exitCode ? exitCodes.pending : exitCodes.done
    }
    const found = await fetchStatus(state)
    output.result('status/v1', { running: true, directory, ...found }, describe(found, output.paint))
    return options.exitCode && !found.ready ? exitCodes.pending : exitCodes.done
  },
})

function describe(found: DaemonStatus, paint: Palette): string[] {
  const { pid, version, mode, uptime, url, host, port, config, generation, log, pendingMigrations, schemaVersion } = found
  const head = found.ready
    ? `${paint.green('●')} Ready: ${paint.bold(url ?? '')}`
    : `${paint.red('○')} Not ready: ${found.reasons.join('; ')}`
  const rows: readonly (readonly [string, string])[] = [
    ['Process', `${pid}, ${mode}, version ${version}, up ${duration(uptime)}`],
    ['Address', host === null ? 'none yet' : `${host.includes(':') ? `[${host}]` : host}:${port}`],
    ['Config', `${config ?? 'built in'}, ${generation === 1 ? 'as at the start' : `reloaded, generation ${generation}`}`],
    [
      'Schema',
      `${schemaVersion ?? 'as the configuration declares'}${pendingMigrations.length > 0 ? `; pending: ${pendingMigrations.join(', ')}` : ''}`,
    ],
    ['Log', log ?? 'where it was started'],
    ...found.degraded.map((text) => ['Degraded', text] as const),
    ...found.workers.map((worker) => ['Worker', describeWorker(worker)] as const),
  ]
  return [head, ...rows.map(([name, text]) => `  ${paint.dim(name.padEnd(9))} ${text}`)]
}

function describeWorker({ pid, state, generation, requests, reasons }: WorkerStatus): string {
  const calls = requests === null ? '' : requests === 1 ? ', one call' : `, ${requests} calls`
  return `${pid} ${state}, generation ${generation}${calls}${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`
}

/** Two units at most: `3 d 4 h`, `12 min 5 s`. */
function duration(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const
  const first = units.findIndex(([length]) => seconds >= length)
  if (first < 0) return '0 s'
  let rest = seconds
  const parts = units.slice(first, first + 2).map(([length, unit]) => {
    const count = Math.floor(rest / length)
    rest -= count * length
    return count === 0 ? '' : `${count} ${unit}`
  })
  return parts.filter(Boolean).join(' ')
}
