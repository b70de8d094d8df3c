/** Starts a daemon in a new folder with the command line, as an operator would. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../tests/kit/servers/index.ts'
import { registerCleanup } from './cleanup.ts'
import { childrenOf, residentMiB } from './process.ts'

const run = promisify(execFile)
export const ownRoot = fileURLToPath(new URL('..', import.meta.url))
export const secret = 'a secret of the benchmarks, 0123456789 abcdef'

/** Source text of options of `auth.config.ts`, by name. */
export type Options = Readonly<Record<string, string>>

export interface Daemon {
  readonly url: string
  /** Its folder, and its variables, for further commands. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
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
  /** In addition to email and password, or in place of a default. */
  readonly options?: Options
  /** Of the source that runs; default: this one. */
  readonly root?: string
  /** A file of users to import. */
  readonly users?: string
}

/** Limits whose cost is measured, but which are too high to be reached. @param paths with limits of their own */
export function countedOnly(paths: readonly string[] = ['/sign-*/*'], storage = ''): string {
  const rules = paths.map((path) => `'${path}': { window: 10, max: 1_000_000_000 }`)
  return `{ ${storage}enabled: true, max: 1_000_000_000, customRules: { ${rules.join(', ')} } }`
}

const defaults: Options = {
  baseURL: `'http://localhost:4000'`,
  secret: `'${secret}'`,
  emailAndPassword: '{ enabled: true }',
  rateLimit: countedOnly(),
}

export const organizations: Options = {
  organization: '{ membershipLimit: 1_000_000, invitationLimit: 100_000_000, invitationMailLimit: { max: 100_000 } }',
}

/** A session is read from a cookie and checked in Redis. Requests are counted in memory, because the floor has one read of Redis only. */
export const cookieCache = (redis: string): Options => ({
  redis: `{ url: '${redis}' }`,
  session: '{ cookieCache: { enabled: true, maxAge: 3600 } }',
  rateLimit: countedOnly(undefined, `storage: 'memory', `),
})

export const configuration = (options: Options): string => {
  const lines = Object.entries({ ...defaults, ...options }).map(([name, text]) => `  ${name}: ${text},`)
  return ["import { defineConfig } from 'latchkey/config'", 'export default defineConfig({', ...lines, '})', ''].join('\n')
}

/** Runs a command of the command line in a folder. */
export const runLatchkey = (words: readonly string[], { cwd, root = ownRoot, env = {} }: RunOptions) =>
  run(process.execPath, [join(root, 'bin/latchkey.js'), ...words], { cwd, env: { ...process.env, ...env } })

interface RunOptions {
  readonly cwd: string
  readonly root?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Whether the source knows all options; this one does. */
export async function acceptsOptions({ root, options }: { readonly root: string; readonly options: Options }): Promise<boolean> {
  if (root === ownRoot) return true
  const cwd = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
  try {
    await writeFile(join(cwd, 'auth.config.ts'), configuration(options))
    await runLatchkey(['config', 'check'], { cwd, root, env: { DATABASE_URL: 'mysql://127.0.0.1/unused', REDIS_URL: '' } })
    return true
  } catch {
    return false
  } finally {
    await rm(cwd, { recursive: true })
  }
}

/** @throws Error with the output of a command that fails, such as `migrate generate` for an option that the source does not know */
export async function startDaemon({ database, options = {}, root = ownRoot, users }: Needs): Promise<Daemon> {
  const cwd = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
  const env = { DATABASE_URL: database, REDIS_URL: '', NODE_ENV: 'production' }
  const command = (...words: string[]) => runLatchkey(words, { cwd, root, env })
  const stop = registerCleanup(async () => {
    await command('stop')
    await rm(cwd, { recursive: true })
  })
  await writeFile(join(cwd, 'auth.config.ts'), configuration(options))
  await command('migrate', 'generate')
  await command('migrate', 'up', '--yes')
  if (users) await command('import', 'users', users, '--yes')
  const port = await freePort()
  const started = performance.now()
  await command('start', '--detach', '--port', String(port))
  const startTime = performance.now() - started
  const { pid }: { pid: number } = JSON.parse((await command('status', '--json')).stdout)
  const memory = () =>
    childrenOf(pid)
      .map((worker) => `${residentMiB(worker).toFixed(0)} MiB`)
      .join(', ')
  return { url: `http://127.0.0.1:${port}/api/auth`, cwd, env, pid, startTime, memory, stop }
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
  return cookiesOf(response)
}

/** What a browser sends after a response. */
export const cookiesOf = ({ headers }: Response): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

/** A call with a JSON body. Each call replaces every `[<id>]` in it by a new string. */
export const post = ({ url, pid }: Daemon, path: string, body: object) => ({
  url: `${url}${path}`,
  pid,
  method: 'POST' as const,
  headers: json,
  body: JSON.stringify(body),
})
