/** Packages of real apps, which are not dependencies of the repository: its installation must stay small. */
import { copyFileSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A second test file waits for the first, and then finds the packages of this lock file. */
const install = `cmp -s package-lock.json installed-lock.json ||
  { npm ci --prefer-offline --ignore-scripts --no-audit --no-fund && cp package-lock.json installed-lock.json; }`

/**
 * Installs the packages of a lock file, once for all apps and runs.
 * @param source folder of `package.json` and its lock file, relative to the repository
 * @param name of the folder below `node_modules/.cache`; its apps are folders in it
 * @returns the folder
 */
export async function installPackages(source: string, name: string): Promise<string> {
  const folder = join(root, 'node_modules/.cache', name)
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, source, file), join(folder, file))
  await execa('flock', ['lock', 'sh', '-c', install], { cwd: folder })
  return folder
}

/** Copies an app next to its packages. What was built before stays, so that it is built faster. @returns its folder */
export function copyApp(source: string, packages: string, name: string): string {
  const folder = join(packages, name)
  for (const part of ['app', 'lib', 'src', 'server']) rmSync(join(folder, part), { recursive: true, force: true })
  cpSync(join(root, source), folder, { recursive: true, filter: (path) => !/\/(node_modules|package-lock\.json)$/.test(path) })
  return folder
}

/** Adds `latchkey/server` to these packages as JavaScript, as the published package has it. */
export async function addServerEntries(packages: string): Promise<void> {
  const names = ['index', 'next', 'nuxt', 'sveltekit']
  const input = Object.fromEntries(names.map((name) => [name, join(root, `src/server/${name}.ts`)]))
  const folder = join(packages, 'node_modules/latchkey')
  mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({ input, platform: 'node' })
  const { output } = await bundle.generate({ format: 'esm' })
  const exported = names.map((name) => [name === 'index' ? './server' : `./server/${name}`, `./${name}.js`])
  const manifest = JSON.stringify({ name: 'latchkey', type: 'module', exports: Object.fromEntries(exported) })
  const files = output.flatMap((chunk) => ('code' in chunk ? [[chunk.fileName, chunk.code] as const] : []))
  for (const [file, text] of [...files, ['package.json', manifest] as const]) {
    // Another test file may read it now.
    const written = join(folder, `${file}.${process.pid}`)
    writeFileSync(written, text)
    renameSync(written, join(folder, file))
  }
}
