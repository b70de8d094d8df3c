/** A daemon of its own folder, started by the command line as an operator would. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../tests/kit/servers/index.ts'
import { childrenOf } from './process.ts'

const run = promisify(execFile)
const latchkey = fileURLToPath(new URL('../bin/latchkey.js', import.meta.url))

export interface Daemon {
  readonly url: string
  /** Of the supervisor; the workers are below it. */
  readonly pid: number
  readonly workers: readonly number[]
  /** Milliseconds from the command until it answered. */
  readonly startTime: number
  stop(): Promise<void>
}

/** Limits stay on, so that counting is part of what is measured, but nobody reaches them. */
const configuration = (redis: string | null) => `import { defineConfig } from 'latchkey/config'
export default defineConfig({
  baseURL: 'http://localhost:4000',
  secret: 'a secret of the benchmarks, 0123456789 abcdef',
  emailAndPassword: { enabled: true },
  ${redis ? `redis: { url: '${redis}' },` : ''}
  rateLimit: { enabled: true, max: 1_000_000_000, customRules: { '/sign-*/*': { window: 10, max: 1_000_000_000 } } },
})
`

export async function startDaemon(database: string, redis: string | null): Promise<Daemon> {
  const cwd = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
  const env = { ...process.env, DATABASE_URL: database, REDIS_URL: '', NODE_ENV: 'production' }
  const command = (...words: string[]) => run(process.execPath, [latchkey, ...words], { cwd, env })
  await writeFile(join(cwd, 'auth.config.ts'), configuration(redis))
  await command('migrate', 'generate')
  await command('migrate', 'up', '--yes')
  const port = await freePort()
  const started = performance.now()
  await command('start', '--detach', '--port', String(port))
  const startTime = performance.now() - started
  const status: { pid: number } = JSON.parse((await command('status', '--json')).stdout)
  return {
    url: `http://127.0.0.1:${port}/api/auth`,
    pid: status.pid,
    workers: childrenOf(status.pid),
    startTime,
    stop: async () => {
      await command('stop')
      await rm(cwd, { recursive: true })
    },
  }
}
