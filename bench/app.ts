/** The insides of a daemon, for what would take too long by calls. */
import { createLog } from '../src/adapters/log.ts'
import { type OpenApp, openApp } from '../src/app.ts'
import { parseConfig } from '../src/core/parse-config.ts'
import { featureList } from '../src/features/index.ts'
import { secret } from './daemon.ts'

/** @param url of the database, as a daemon of `startDaemon` has it */
export async function openBenchApp(url: string): Promise<OpenApp> {
  const parsed = parseConfig(featureList, {
    secret,
    baseURL: 'http://localhost:4000',
    database: { url, queryTimeout: 600_000 },
    emailAndPassword: { enabled: true },
  })
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  const log = await createLog({ level: 'warn', destination: 2, pretty: false, colour: false })
  return openApp(parsed.config, { log, metrics: { count: () => {}, observe: () => {} }, actor: { kind: 'system' } })
}
