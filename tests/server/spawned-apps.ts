/** The app of `tools/framework-apps` in frameworks that run as a process of their own. */
import { execa } from 'execa'
import { addServerEntries, copyApp, installPackages } from '../kit/installation.ts'
import { spawnApp } from '../kit/spawn-app.ts'

export interface Addresses {
  /** Of the API of Latchkey. */
  readonly baseURL: string
  readonly appURL: string
}
/** @returns stops it */
export type StartApp = (addresses: Addresses) => Promise<() => unknown>

const spawnIn =
  (cwd: string, args: (port: string) => readonly string[]): StartApp =>
  ({ baseURL, appURL }) => {
    const { port } = new URL(appURL)
    const variables = { LATCHKEY_URL: baseURL, APP_URL: appURL, PORT: port, HOST: 'localhost' }
    return spawnApp(appURL, { cwd, args: args(port), variables })
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
    return spawnIn(folder, () => ['.output/server/index.mjs'])
  },
  sveltekit: async () => {
    const vite = '../node_modules/vite/bin/vite.js'
    const folder = await prepareVueOrSvelte('sveltekit', [vite, 'build'])
    return spawnIn(folder, (port) => [vite, 'preview', '--host', 'localhost', '--port', port, '--strictPort'])
  },
  next: async () => {
    const packages = await installPackages('tests/quickstart/next', 'next')
    await addServerEntries(packages)
    const folder = copyApp('tests/server/apps/next', packages, 'adapter')
    return spawnIn(folder, (port) => ['../node_modules/next/dist/bin/next', 'dev', '--port', port, '--hostname', 'localhost'])
  },
}
