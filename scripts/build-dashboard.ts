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

/** The files of the sign-in page in one language: the entry, what it loads before the page appears, and all that these import. */
function signInFiles(chunks: readonly Chunk[], locale: string): Set<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set<string>()
  const add = (fileName: string): void => {
    const chunk = byName.get(fileName)
    if (!chunk || found.has(fileName)) return
    found.add(fileName)
    for (const imported of chunk.imports) add(imported)
  }
  const initial = [
    'features/email-password/sign-in.tsx',
    `features/email-password/${locale}.ts`,
    `messages/${locale}.ts`,
    `messages/errors-${locale}.ts`,
  ]
  for (const { fileName, isEntry, moduleIds } of chunks) {
    const isInitial = moduleIds.some((id) => initial.some((path) => id.endsWith(`/dashboard/src/${path}`)))
    if (isEntry || isInitial) add(fileName)
  }
  return found
}

/** @throws Error when the sign-in page is larger than the budget in any language */
function checkBudget(chunks: readonly Chunk[]): void {
  for (const locale of ['en', 'de']) {
    const files = [...signInFiles(chunks, locale)]
    const size = files.reduce((sum, file) => sum + statSync(`${output}/${file}.br`).size, 0) / 1024
    const line = `The sign-in page (${locale}) loads ${size.toFixed(1)} of ${budgetKiB} KiB of JavaScript in ${files.length} files`
    if (size > budgetKiB) throw new Error(line)
    console.log(line)
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
  checkBudget(result.output.filter((file) => file.type === 'chunk'))
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
