/** Checks whether what should happen by itself does: emails, jobs and the audit log, as the database knows it. */
import { createLog } from '../../adapters/log.ts'
import { createMetrics } from '../../adapters/metrics.ts'
import { readMailDelay } from '../../features/email-verification/index.ts'
import { type Check, checkInstallation, sentenceOf } from '../../features/operations/index.ts'
import { readRejections } from '../../features/statistics/index.ts'
import { counted } from '../../lib/text.ts'
import type { LoadedConfig } from '../../project/load-config.ts'
import { openProjectApp } from '../../project/open-app.ts'
import { check, type Finding } from './finding.ts'

const titles: Readonly<Record<string, readonly [id: string, title: string]>> = {
  mail: ['mail-delivery', 'Mail delivery'],
  jobs: ['jobs', 'Jobs'],
  audit: ['audit-log', 'Audit log'],
  deletions: ['deletions', 'Deletions'],
}

/** @throws as `openProjectApp` */
export async function checkWork(loaded: LoadedConfig): Promise<Finding[]> {
  const log = await createLog({ level: 'error', destination: 2, pretty: true })
  const options = { log, metrics: createMetrics().metrics, actor: { kind: 'system' } as const }
  const opened = await openProjectApp(loaded, options, async () => {})
  try {
    const checks = await checkInstallation(opened.app)
    const rejected = await readRejections(opened.app)
    // Whether emails are configured is another finding.
    const findings = checks.filter(({ message }) => message !== 'not-configured').map(describe)
    return [...findings, describeRejections(rejected), ...describeDelay(await readMailDelay(opened.app))]
  } finally {
    await opened.close()
  }
}

function describe(each: Check): Finding {
  const { ok, warning, failed } = check(...(titles[each.id] ?? [each.id, each.id]))
  const [text, fix = 'Run `latchkey logs`.'] = sentenceOf(each)
  if (each.state === 'ok') return ok(text)
  return each.state === 'failed' ? failed(text, fix) : warning(text, fix)
}

/** Seconds that an email with a code may take: half of what most codes live for would be too much. */
const slowMail = 120

/** Codes and links by email are of no use when they arrive late. Nothing without recent sign-ins by email. */
function describeDelay(delay: Awaited<ReturnType<typeof readMailDelay>>): Finding[] {
  if (!delay) return []
  const { ok, warning } = check('mail-delay', 'Sign-in by email')
  const text = `Half of the last ${delay.count} sign-ins by email came within ${delay.seconds} s of their request`
  if (delay.seconds <= slowMail) return [ok(text)]
  return [
    warning(text, 'Compare `latchkey mail list` with the log of your mail server: greylisting and queues delay the first email.'),
  ]
}

/** Someone who guesses is rejected too, but an app's server that is rejected shows its users as signed out. */
function describeRejections(rejected: Awaited<ReturnType<typeof readRejections>>): Finding {
  const { ok, warning } = check('rate-limits', 'Rate limits')
  const [first] = rejected
  if (!first) return ok('No request was rejected in the last two hours')
  const total = rejected.reduce((sum, { count }) => sum + count, 0)
  return warning(
    `${counted(total, 'request')} rejected in the last two hours, ${first.count} of them ${first.route}`,
    'If the client is a server of yours, see "Rate limits of your own servers" in docs/operations.md; otherwise `latchkey limits explain --ip <address>`.',
  )
}
