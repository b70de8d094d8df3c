/** Apps that run as a process of their own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../daemon/project.ts'
import { keptFolder, spawnKept } from './servers/keeper.ts'

/** Nothing may leave this machine. */
const offline = [
  'NEXT_TELEMETRY_DISABLED=1',
  'NUXT_TELEMETRY_DISABLED=1',
  'NODE_USE_ENV_PROXY=1',
  'HTTPS_PROXY=http://127.0.0.1:9',
]

interface Command {
  /** The folder of the app. */
  readonly cwd: string
  /** Arguments of Node.js. */
  readonly args: readonly string[]
  readonly variables: Readonly<Record<string, string>>
}

/**
 * Runs a Node.js program until its app responds.
 * @returns stops it
 */
export async function spawnApp(appURL: string, { cwd, args, variables }: Command): Promise<() => void> {
  const folder = keptFolder('app')
  const given = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const child = spawnKept(folder, 'env', ['-C', cwd, ...offline, ...given, process.execPath, ...args])
  const stop = () => {
    // The whole group: the servers that it has started, too.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  await until(async () => {
    if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'output.log'), 'utf8'))
    const response = await fetch(appURL, { redirect: 'manual' }).catch(() => null)
    await response?.text()
    return response !== null
  }, appURL)
  return stop
}
