/** Projects on SQLite and on a database server, and the app of a daemon on them. */
import { onTestFinished } from 'vitest'
import { createLog } from '../../src/adapters/log.ts'
import { type OpenApp, openApp } from '../../src/app.ts'
import { type ConfigFile, featureList } from '../../src/features/index.ts'
import { createServer } from '../../src/http/server.ts'
import { parseConfig } from '../../src/project/config/parse-config.ts'
import { type Browser, createBrowser } from '../kit/browser.ts'
import { freshDatabase } from '../kit/servers/index.ts'
import { complete, configFile, type Environment, folder, latchkey, secret } from './kit.ts'

export interface Project {
  readonly cwd: string
  readonly env: Environment
}

export const options: ConfigFile = {
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  passwordRules: { enabled: true },
  seed: { roles: { admin: { user: ['list'] } } },
  user: {
    additionalFields: {
      plan: { type: ['free', 'pro'], required: false },
      age: { type: 'number', required: false, fieldName: 'years' },
      tags: { type: 'string[]', required: false },
      note: { type: 'string', required: false, input: false, returned: false },
    },
  },
}

/** Where the tables are on SQLite, or applied on a database server. */
export const places = {
  SQLite: async (given: ConfigFile = options): Promise<Project> => ({
    cwd: folder({ 'auth.config.ts': configFile(JSON.stringify(given)) }),
    env: complete,
  }),
  'a server': async (given: ConfigFile = options): Promise<Project> => {
    const database = await freshDatabase()
    onTestFinished(() => database.drop())
    const cwd = folder({ 'auth.config.ts': configFile(JSON.stringify(given)) })
    const env = { ...complete, DATABASE_URL: database.url }
    await latchkey(cwd, ['migrate', 'generate'], env)
    await latchkey(cwd, ['migrate', 'up', '--yes'], env)
    return { cwd, env }
  },
}

/** The insides of a daemon on the database of a project, which has its tables already. */
export async function serve({ cwd, env }: Project, given: ConfigFile = options): Promise<OpenApp & { browser(): Browser }> {
  const url = (env.DATABASE_URL ?? '').replace('sqlite:./', `sqlite:${cwd}/`)
  const parsed = parseConfig(featureList, { ...given, secret, baseURL: complete.LATCHKEY_BASE_URL ?? '', database: { url } })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  const log = await createLog({ level: 'error', destination: 2, pretty: false, colour: false })
  const metrics = { count: () => {}, observe: () => {} }
  const opened = await openApp(parsed.config, { log, metrics, actor: { kind: 'system' } })
  onTestFinished(opened.close)
  const server = createServer(opened.app, { reasons: async () => [] })
  const origin = 'http://localhost:4000/api/auth'
  return { ...opened, browser: () => createBrowser((to, init) => server.request(to, init), origin) }
}
