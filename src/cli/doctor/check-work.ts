/** Checks whether what should happen by itself does: emails, jobs and the audit log, as the database knows it. */
import { createLog } from '../../adapters/log.ts'
import { createMetrics } from '../../adapters/metrics.ts'
import { checkInstallation, sentenceOf } from '../../features/operations/index.ts'
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
    // Whether emails are configured is another finding.
    return checks
      .filter(({ message }) => message !== 'not-configured')
      .map((each) => {
        const { ok, warning, failed } = check(...(titles[each.id] ?? [each.id, each.id]))
        const [text, fix = 'Run `latchkey logs`.'] = sentenceOf(each)
        if (each.state === 'ok') return ok(text)
        return each.state === 'failed' ? failed(text, fix) : warning(text, fix)
      })
  } finally {
    await opened.close()
  }
}
