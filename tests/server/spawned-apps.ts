/** The app of `tools/framework-apps` in frameworks that run as a process of their own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { until } from '../daemon/project.ts'
import { addServerEntries, copyApp, installPackages } from '../kit/installation.ts'
import { keptFolder, spawnKept } from '../kit/servers/keeper.ts'

export interface Addresses {
  /** Of the API of Latchkey. */
  readonly baseURL: string
  readonly appURL: string
}
/** @returns stops it */
export type StartApp = (addresses: Addresses) => Promise<() => unknown>

/** Nothing may leave this machine. */
const offline = [
  'NEXT_TELEMETRY_DISABLED=1',
  'NUXT_TELEMETRY_DISABLED=1',
  'NODE_USE_ENV_PROXY=1',
  'HTTPS_PROXY=http://127.0.0.1:9',
]

/** Runs a Node.js script until its app responds. @param script a path, and arguments after it */
export function spawnApp(cwd: string, script: (port: string) => readonly string[]): StartApp {
  return async ({ baseURL, appURL }) => {
    const folder = keptFolder('app')
    const { port } = new URL(appURL)
    const variables = [`LATCHKEY_URL=${baseURL}`, `APP_URL=${appURL}`, `PORT=${port}`, 'HOST=localhost', ...offline]
    const inFolder = ['-C', cwd, ...variables, process.execPath, ...script(port)]
    const child = spawnKept(folder, 'env', inFolder)
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
}

/** Which addresses it builds with does not matter: those of the process count. */
const buildEnv = { LATCHKEY_URL: 'http://localhost/api/auth', APP_URL: 'http://localhost', NUXT_TELEMETRY_DISABLED: '1' }

async function prepareVueOrSvelte(name: 'nuxt' | 'sveltekit', build: readonly string[]): Promise<string> {
  const packages = await installPackages('tests/server/apps', 'framework-apps')
  await addServerEntries(packages)
  const folder = copyApp(`tests/server/apps/${name}`, packages, name)
  await execa(process.execPath, build, { cwd: folder, env: buildEnv })
  return folder
}

export const spawnedApps: Readonly<Record<string, () => Promise<StartApp>>> = {
  nuxt: async () => {
    const folder = await prepareVueOrSvelte('nuxt', ['../node_modules/nuxt/bin/nuxt.mjs', 'build'])
    return spawnApp(folder, () => ['.output/server/index.mjs'])
  },
  sveltekit: async () => {
    const vite = '../node_modules/vite/bin/vite.js'
    const folder = await prepareVueOrSvelte('sveltekit', [vite, 'build'])
    return spawnApp(folder, (port) => [vite, 'preview', '--host', 'localhost', '--port', port, '--strictPort'])
  },
  next: async () => {
    const packages = await installPackages('tests/quickstart/next', 'next')
    await addServerEntries(packages)
    const folder = copyApp('tests/server/apps/next', packages, 'adapter')
    return spawnApp(folder, (port) => ['../node_modules/next/dist/bin/next', 'dev', '--port', port, '--hostname', 'localhost'])
  },
}
