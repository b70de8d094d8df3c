/**
 * Builds the dashboard into `dashboard/dist`, with a compressed copy of each file, and checks the size of the sign-in page.
 * It does nothing when the sources have not changed since the last build. Usage: npm run build:dashboard
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

const output = 'dashboard/dist'
const stampFile = `${output}/.sources`
/** What a browser loads, compressed with Brotli, until the sign-in page can be used. */
const budgetKiB = 120
/** What it loads after that, to validate the form. */
const validationBudgetKiB = 26

/** The dashboard, and the files of the server that it shares. */
const sources = [
  'dashboard/{index.html,provider-marks.ts,vite.config.ts}',
  'dashboard/src/**/*',
  'src/client.ts',
  'src/core/schemas.ts',
  'src/features/*/schemas.ts',
  'src/features/social-sign-in/providers/*.ts',
  'src/lib/*.ts',
  'package-lock.json',
  'scripts/build-dashboard.ts',
]

function digestOfSources(): string {
  const digest = createHash('sha256')
  const files = sources.flatMap((pattern) => globSync(pattern)).filter((file) => statSync(file).isFile())
  for (const file of files.sort()) digest.update(`${file}\0`).update(readFileSync(file))
  return digest.digest('hex')
}

/** Written once here, so that the daemon only sends files. Fonts and images are compressed already. */
function compressFiles(): void {
  for (const file of globSync(`${output}/**/*.{js,css,svg}`)) {
    const content = readFileSync(file)
    const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }
    writeFileSync(`${file}.br`, brotliCompressSync(content, options))
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
}

interface Chunk {
  readonly type: string
  readonly fileName: string
  readonly moduleIds: readonly string[]
  readonly isEntry: boolean
  readonly imports: readonly string[]
}

/** The files with the entry or with one of these modules, and all that these import. */
function filesWith(chunks: readonly Chunk[], modules: readonly string[]): Set<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set<string>()
  const add = (fileName: string): void => {
    const chunk = byName.get(fileName)
    if (!chunk || found.has(fileName)) return
    found.add(fileName)
    for (const imported of chunk.imports) add(imported)
  }
  for (const { fileName, isEntry, moduleIds } of chunks) {
    if (isEntry || moduleIds.some((id) => modules.some((path) => id.endsWith(path)))) add(fileName)
  }
  return found
}

/** @throws Error when these files are larger than the budget */
function checkSize(what: string, files: ReadonlySet<string>, budget: number): void {
  const size = [...files].reduce((sum, file) => sum + statSync(`${output}/${file}.br`).size, 0) / 1024
  const line = `${what} loads ${size.toFixed(1)} of ${budget} KiB of JavaScript in ${files.size} files`
  if (size > budget) throw new Error(line)
  console.log(line)
}

/** What the sign-in page loads before it appears, in each language, and then to validate the form. */
function checkBudgets(chunks: readonly Chunk[]): void {
  const src = '/dashboard/src'
  for (const locale of ['en', 'de']) {
    const texts = ['messages/', 'messages/errors-', 'features/email-password/'].map((path) => `${src}/${path}${locale}.ts`)
    const initial = filesWith(chunks, [`${src}/features/email-password/sign-in.tsx`, ...texts])
    checkSize(`The sign-in page (${locale})`, initial, budgetKiB)
    const validated = filesWith(chunks, [`${src}/schemas.ts`, '/resolvers/zod/dist/zod.mjs'])
    checkSize('Its validation', new Set([...validated].filter((file) => !initial.has(file))), validationBudgetKiB)
  }
}

/** All pages, so that the daemon responds with 404 to other paths. They are declared in files that only the dashboard compiles. */
async function writePages(): Promise<void> {
  const declarations = '../dashboard/src/features/index.ts'
  const { folders }: { folders: readonly { screens: readonly { path: string; access: string }[] }[] } = await import(declarations)
  const pages = folders.flatMap(({ screens }) => screens.map(({ path, access }) => ({ path, access })))
  writeFileSync(`${output}/pages.json`, `${JSON.stringify(pages)}\n`)
}

async function build(): Promise<void> {
  // Vite would take that of a test run, and React would be built for development.
  process.env.NODE_ENV = 'production'
  const vite = await import('vite')
  const result = await vite.build({ configFile: 'dashboard/vite.config.ts', logLevel: 'warn' })
  if (!('output' in result)) throw new Error('Vite returned no output')
  compressFiles()
  await writePages()
  checkBudgets(result.output.filter((file) => file.type === 'chunk'))
}

const digest = digestOfSources()
const isCurrent = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === digest
if (!isCurrent) {
  // Without the development dependencies (npm ci --omit=dev) there is nothing to build with.
  if (existsSync('node_modules/vite')) {
    rmSync(output, { recursive: true, force: true })
    await build()
    writeFileSync(stampFile, digest)
  } else console.warn('Vite is not installed, so the dashboard was not built.')
}
