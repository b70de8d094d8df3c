/** Opens the app of a daemon directly, for work that would take too long through API calls. */
import { createLog } from '../src/adapters/log.ts'
import { type OpenApp, openApp } from '../src/app.ts'
import { featureList } from '../src/features/index.ts'
import { parseConfig } from '../src/project/config/parse-config.ts'
import { secret } from './daemon.ts'

/** @param url of the database that a daemon of `startDaemon` uses */
export async function openBenchApp(url: string): Promise<OpenApp> {
  const parsed = parseConfig(featureList, {
    secret,
    baseURL: 'http://localhost:4000',
    database: { url, queryTimeout: 600_000 },
    emailAndPassword: { enabled: true },
    organization: true,
    admin: true,
    apiKey: true,
  })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  const log = await createLog({ level: 'warn', destination: 2, pretty: false, colour: false })
  return openApp(parsed.config, { log, metrics: { count: () => {}, observe: () => {} }, actor: { kind: 'system' } })
}
