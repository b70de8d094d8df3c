/**
 * The program in a few large files, for tests that start processes. From the source a process loads 900 files, and most of its
 * processor time goes into that. What the repository has as separate files keeps its place: entry points, assets, the manifest.
 */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Below `node_modules`, so that packages with native parts are found. */
const builds = join(root, 'node_modules/.cache/program')
const keptMs = 24 * 3600 * 1000

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the program: the built one in the project with servers, elsewhere the repository. */
    program: string
  }
}

/** Output → source: the command, the processes that it starts, what a configuration imports, and the process of migration tests. */
const entries = {
  'src/cli/program': 'src/cli/program.ts',
  'src/daemon/detached-process': 'src/daemon/detached-process.ts',
  'src/daemon/worker': 'src/daemon/worker.ts',
  'src/project/import-watchdog': 'src/project/import-watchdog.ts',
  'src/index': 'src/index.ts',
  'tests/migrations/process': 'tests/migrations/process.ts',
}
const assets = ['package.json', 'bin/latchkey.js', ...globSync('src/**/*.{bin,json,txt}', { cwd: root })]
/** The hosted pages as they are built; without a build a page that is enough to start a daemon, and to see what it serves. */
const pages = existsSync(join(root, 'dashboard/dist/index.html')) ? 'dashboard/dist' : 'tests/kit/dashboard'

/** `import.meta.url` stays the place of the module, in whichever file it ends up: all that use it are two folders deep. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: (code, id) => {
    if (!id.startsWith(join(root, 'src')) || !code.includes('import.meta.url')) return null
    const place = JSON.stringify(`../../${relative(root, id).replace(/\.ts$/, '.js')}`)
    return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`)
  },
}

/** The texts of a language are imported by its name, of which the bundler knows nothing. */
const nameTexts: Plugin = {
  name: 'name-texts',
  transform: (code, id) => {
    if (!code.includes('import(`./texts/')) return null
    const names = globSync('*.ts', { cwd: join(dirname(id), 'texts') }).sort()
    const each = names.map((name) => `${JSON.stringify(name)}: () => import('./texts/${name}')`)
    return code.replaceAll(/import\(`\.\/texts\/(.*?)`\)/g, (_, name: string) => `({ ${each.join(', ')} })[\`${name}\`]()`)
  },
}

/** @returns the folder of the program; the same one as long as its contents are the same, for Node's compile cache */
export async function buildProgram(): Promise<string> {
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    external: ['argon2', '@node-rs/argon2', 'bcrypt'],
    plugins: [keepPlaces, nameTexts],
    logLevel: 'warn',
  })
  const made = `${builds}/${process.pid}.part`
  const { output } = await bundle.write({ dir: made, chunkFileNames: 'src/chunks/[name]-[hash].js' })
  await bundle.close()
  cpSync(join(root, pages), join(made, 'dashboard/dist'), { recursive: true })
  for (const file of assets) {
    mkdirSync(dirname(join(made, file)), { recursive: true })
    cpSync(join(root, file), join(made, file))
  }
  const digest = createHash('sha256')
  for (const { fileName } of output) digest.update(readFileSync(join(made, fileName)))
  const built = globSync('dashboard/dist/**/*.*', { cwd: made }).sort()
  for (const file of [...assets, ...built]) digest.update(readFileSync(join(made, file)))
  return keep(made, join(builds, digest.digest('hex').slice(0, 16)))
}

/** Another run may use the folder, or make it at this moment. */
function keep(made: string, folder: string): string {
  try {
    renameSync(made, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(made, { recursive: true })
  }
  for (const name of readdirSync(builds)) {
    const other = join(builds, name)
    if (other !== folder && Date.now() - statSync(other).mtimeMs > keptMs) rmSync(other, { recursive: true, force: true })
  }
  return folder
}
