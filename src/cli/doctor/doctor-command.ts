import { counted } from '../../lib/text.ts'
import { exitCodes, usageError } from '../../project/failure.ts'
import { command, option, waitForDatabaseOption } from '../command.ts'
import type { Output } from '../output.ts'
import type { Finding } from './finding.ts'

export const doctor = command('doctor', 'Diagnose problems and suggest fixes', {
  description:
    'Checks Node.js, the configuration, the database, Redis, cookies, proxies, file modes, password hashes, the providers of social sign-in, and whether emails, jobs and the audit log work. Compares the clock with that of the database, and with a time server only if `--ntp` names one. Changes nothing. Exits with 1 if a check fails; warnings are not failures.',
  examples: [
    'latchkey doctor',
    'latchkey doctor --json | jq ".findings[] | select(.status != \\"ok\\")"',
    'latchkey doctor --ntp time.example.com',
  ],
  options: {
    ntp: option('--ntp <host>', 'Also compare the clock with this time server', (z) => z.string().optional()),
    waitForDb: waitForDatabaseOption,
  },
  deadline: 120,
  action: async (context) => {
    const { output, options } = context
    const { examine } = await import('./examine.ts')
    const { readTimeServer } = await import('./check-ntp.ts')
    const server = options.ntp === undefined ? null : readTimeServer(options.ntp)
    if (options.ntp !== undefined && !server) throw usageError('--ntp: expected a host, or host:port')
    const findings: Finding[] = []
    for await (const found of examine(context, server)) {
      const finding = found.fix ? { ...found, fix: output.typed(found.fix) } : found
      findings.push(finding)
      if (!output.json) output.write(`${describe(finding, output)}\n`)
    }
    const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length
    const summary = { ok: count('ok'), warnings: count('warning'), failed: count('failed'), skipped: count('skipped') }
    const text = `\n${summary.ok} ok, ${counted(summary.warnings, 'warning')}, ${summary.failed} failed`
    output.result('doctor/v1', { ...summary, findings }, text)
    return summary.failed > 0 ? exitCodes.failed : exitCodes.done
  },
})

function describe({ status, title, message, fix }: Finding, { paint, hang }: Output): string {
  const mark = { ok: paint.green('✓'), warning: paint.yellow('!'), failed: paint.red('✗'), skipped: paint.dim('–') }[status]
  const line = hang(`${mark} ${title.padEnd(18)} `, message)
  return fix ? `${line}\n${hang(`  ${' '.repeat(18)} ${paint.dim('→')} `, fix)}` : line
}
