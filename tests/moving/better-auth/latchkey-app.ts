/** Latchkey on the database that a move has filled, asked as the former application was. */
import { onTestFinished } from 'vitest'
import { createLog } from '../../../src/adapters/log.ts'
import { openApp } from '../../../src/app.ts'
import { type ConfigFile, featureList } from '../../../src/features/index.ts'
import { createServer } from '../../../src/http/server.ts'
import { parseConfig } from '../../../src/project/config/parse-config.ts'
import { type Answer, origin } from './former-app.ts'

export async function serveProject(_cwd: string, config: ConfigFile) {
  const parsed = parseConfig(featureList, { environment: 'development', ...config })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  const log = await createLog({ level: 'error', destination: 2, pretty: false, colour: false })
  const opened = await openApp(parsed.config, { log, metrics: { count: () => {}, observe: () => {} }, actor: { kind: 'system' } })
  onTestFinished(opened.close)
  const server = createServer(opened.app, { reasons: async () => [] })
  const privileged = createServer(opened.app, { reasons: async () => [] }, { isPrivileged: true })
  const call =
    (to: typeof server) =>
    async (
      path: string,
      body: object | null = null,
      cookie = '',
      more: Readonly<Record<string, string>> = {},
    ): Promise<Answer> => {
      const headers = { 'content-type': 'application/json', origin, ...(cookie && { cookie }), ...more }
      const init = body === null ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await to.request(`${origin}/api/auth${path}`, init)
      const text = await response.text()
      const pairs = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
      return { status: response.status, cookie: pairs.join('; '), body: text === '' ? null : JSON.parse(text) }
    }
  const verifyKey = (key: string) => call(privileged)('/api-key/verify', { key })
  return { app: opened.app, close: opened.close, call: call(server), verifyKey }
}
