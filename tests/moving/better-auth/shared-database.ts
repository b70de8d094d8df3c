/** One database that an application with better-auth gives to Latchkey. */
import type { Project } from '../../daemon/project.ts'
import { type FormerApp, formerSecret, origin } from './former-app.ts'

export const env = { BETTER_AUTH_SECRET: formerSecret }
const features =
  'admin: true, username: true, phoneNumber: true, anonymous: true, twoFactor: true, passkey: true, jwt: true, apiKey: { enableMetadata: true }, organization: { teams: { enabled: true } }'

/** @param advanced members of that section */
export const configure = (project: Project, url: string, advanced = '') =>
  project.configure(`
import { defineConfig, digitIds } from 'latchkey/config'
export default defineConfig({
  baseURL: '${origin}', secret: '${formerSecret}', database: { url: '${url}' },
  server: { port: ${project.port}, workers: 1 }, advanced: { cookiePrefix: 'better-auth', ${advanced} }, rateLimit: { enabled: false },
  emailAndPassword: { enabled: true, minPasswordLength: 8 }, passwordHash: { memory: 8192, iterations: 1 },
  move: { trial: true }, ${features},
})
`)

/** The names of all tables, with their definitions. */
export async function definitions(app: FormerApp, isWanted: (name: string) => boolean = () => true) {
  const rows = await app.query(
    'select table_name as name from information_schema.tables where table_schema = database() order by 1',
  )
  const names = rows.map(({ name }) => String(name)).filter(isWanted)
  const found: Record<string, unknown> = {}
  for (const name of names) found[name] = (await app.query(`show create table \`${name}\``))[0]?.['Create Table']
  return found
}

export const isFormer = (name: string): boolean => !name.startsWith('lk_move_')
