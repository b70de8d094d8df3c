/** Starts a daemon in a new folder with the command line, as an operator would. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../tests/kit/servers/index.ts'
import { childrenOf, residentMiB } from './process.ts'

const run = promisify(execFile)
export const latchkey = fileURLToPath(new URL('../bin/latchkey.js', import.meta.url))
export const secret = 'a secret of the benchmarks, 0123456789 abcdef'

/** Of the port for the operator's own servers. */
export const privateToken = 'a token of the benchmarks'

export interface Daemon {
  readonly url: string
  /** The same API for the operator's own servers; they send `privateToken`. */
  readonly privateURL: string
  /** Process id of the supervisor, the parent of the workers. */
  readonly pid: number
  /** Milliseconds from the command until the first response. */
  readonly startTime: number
  /** The memory of each worker now. */
  memory(): string
  stop(): Promise<void>
}

interface Needs {
  readonly database: string
  readonly redis?: string
  readonly cookieCache?: boolean
  /** Where limits are counted; default: in Redis if it is configured. */
  readonly limits?: 'memory'
  readonly admin?: boolean
  readonly apiKeys?: boolean
}

/** Rate limits and failure counts are on, so that their cost is measured, but the limits are too high to be reached. */
const configuration = (
  { redis, cookieCache, limits, admin = false, apiKeys = false }: Needs,
  privatePort: number,
) => `import { defineConfig } from 'latchkey/config'
export default defineConfig({
  baseURL: 'http://localhost:4000',
  secret: '${secret}',
  server: { private: { api: { port: ${privatePort}, token: '${privateToken}' } } },
  emailAndPassword: { enabled: true },
  admin: ${admin},
  apiKey: ${apiKeys},
  organization: { membershipLimit: 1_000_000, invitationLimit: 100_000_000, invitationMailLimit: { max: 100_000 } },
  ${redis ? `redis: { url: '${redis}' },` : ''}
  ${cookieCache ? 'session: { cookieCache: { enabled: true, maxAge: 3600 } },' : ''}
  rateLimit: { ${limits ? `storage: '${limits}', ` : ''}enabled: true, max: 1_000_000_000, customRules: { '/sign-*/*': { window: 10, max: 1_000_000_000 } } },
})
`

export async function startDaemon(needs: Needs): Promise<Daemon> {
  const cwd = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
  const env = { ...process.env, DATABASE_URL: needs.database, REDIS_URL: '', NODE_ENV: 'production' }
  const command = (...words: string[]) => run(process.execPath, [latchkey, ...words], { cwd, env })
  const [port, privatePort] = [await freePort(), await freePort()]
  await writeFile(join(cwd, 'auth.config.ts'), configuration(needs, privatePort))
  await command('migrate', 'generate')
  await command('migrate', 'up', '--yes')
  const started = performance.now()
  await command('start', '--detach', '--port', String(port))
  const startTime = performance.now() - started
  const { pid }: { pid: number } = JSON.parse((await command('status', '--json')).stdout)
  return {
    url: `http://127.0.0.1:${port}/api/auth`,
    privateURL: `http://127.0.0.1:${privatePort}/api/auth`,
    pid,
    startTime,
    memory: () =>
      childrenOf(pid)
        .map((worker) => `${residentMiB(worker).toFixed(0)} MiB`)
        .join(', '),
    stop: async () => {
      await command('stop')
      await rm(cwd, { recursive: true })
    },
  }
}

const json = { 'content-type': 'application/json' }

/** @returns the cookies of a new account */
export async function signUp({ url }: Daemon, email: string, password: string): Promise<string> {
  const response = await fetch(`${url}/sign-up/email`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ name: 'Bench', email, password }),
  })
  if (!response.ok) throw new Error(`sign-up failed: ${response.status} ${await response.text()}`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** A call with a JSON body. Each call replaces every `[<id>]` in it by a new string. */
export const post = ({ url, pid }: Daemon, path: string, body: object) => ({
  url: `${url}${path}`,
  pid,
  method: 'POST' as const,
  headers: json,
  body: JSON.stringify(body),
})
