/** An app with every table that the old database has rows for: a report needs no configuration, and no database of Latchkey. */
import { createLog } from '../../adapters/log.ts'
import { createMetrics } from '../../adapters/metrics.ts'
import { openApp } from '../../app.ts'
import type { App } from '../../core/app.ts'
import { type ConfigFile, featureList } from '../../features/index.ts'
import type { Derived } from '../../features/move/index.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { withValue } from '../../project/environment.ts'

/** Sections that add tables and columns. */
const sections =
  /^(admin|username|phoneNumber|anonymous|organization|apiKey|jwt|twoFactor|passkey|user\.additionalFields|session\.additionalFields)$/

export async function openReportApp(options: Derived['options']): Promise<{ readonly app: App; close(): Promise<void> }> {
  const base: ConfigFile = {
    ...{ secret: 'A report stores nothing: 2f9c4e7ab1d8065f3e' },
    ...{ environment: 'development', baseURL: 'http://localhost:4000', database: { url: 'sqlite::memory:' } },
    ...{ emailAndPassword: { enabled: true } },
  } as ConfigFile
  const input = options
    .filter(({ path, value }) => sections.test(path) && value !== undefined)
    .reduce<Record<string, unknown>>((all, { path, value }) => withValue(all, path.split('.'), value), { ...base })
  const parsed = parseConfig(featureList, input)
  if ('issues' in parsed) throw new Error(parsed.issues.map(({ path, message }) => `${path}: ${message}`).join('; '))
  const log = await createLog({ level: 'error', destination: { write: () => true }, pretty: false, colour: false })
  const { app, close } = await openApp(parsed.config, { log, metrics: createMetrics().metrics, actor: { kind: 'system' } })
  return { app, close }
}
