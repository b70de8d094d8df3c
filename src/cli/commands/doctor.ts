import { type Context, command } from '../command.ts'
import type { Finding } from '../doctor/finding.ts'
import { exitCodes } from '../exit-codes.ts'
import { seconds, waitForDatabaseOption } from '../inputs.ts'
import type { Output } from '../output.ts'

export const doctor = command({
  name: 'doctor',
  summary: 'Find out what is wrong, and how to mend it',
  description:
    'Looks at Node.js, the configuration, the database, Redis, cookies, proxies, files and password hashes, and changes nothing. It ends with 1 when something has failed; warnings are no failure.',
  examples: ['latchkey doctor', 'latchkey doctor --json | jq ".findings[] | select(.status != \\"ok\\")"'],
  options: [waitForDatabaseOption],
  deadline: 120,
  input: (z) => z.object({ waitForDb: seconds(z).default(0) }),
  action: async (context) => {
    const { output } = context
    const { examine } = await import('../doctor/examine.ts')
    const findings: Finding[] = []
    for await (const finding of examine(context, context.options.waitForDb)) {
      findings.push(finding)
      if (!output.json) output.write(`${describe(finding, output)}\n`)
    }
    const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length
    const summary = { ok: count('ok'), warnings: count('warning'), failed: count('failed'), skipped: count('skipped') }
    const text = `\n${summary.ok} fine, ${summary.warnings} to look at, ${summary.failed} wrong`
    output.result('doctor/v1', { ...summary, findings }, text)
    return summary.failed > 0 ? exitCodes.failed : exitCodes.done
  },
})

export type DoctorContext = Pick<Context<unknown>, 'loadConfig' | 'output' | 'cwd' | 'signal' | 'global' | 'env'>

function describe({ status, title, message, mend }: Finding, { paint }: Output): string {
  const mark = { ok: paint.green('✓'), warning: paint.yellow('!'), failed: paint.red('✗'), skipped: paint.dim('–') }[status]
  const line = `${mark} ${title.padEnd(18)} ${message}`
  return mend ? `${line}\n  ${' '.repeat(18)} ${paint.dim('→')} ${mend}` : line
}
