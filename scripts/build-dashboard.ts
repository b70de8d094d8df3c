/**
 * Builds the dashboard into `dashboard/dist`, with a compressed copy of each file, and checks the size of the hosted pages.
 * It does nothing when the sources have not changed since the last build. Usage: npm run build:dashboard
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type Chunk, checkApplicationBudgets, checkPageBudgets } from './page-budgets.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

const output = 'dashboard/dist'
/** What browsers may read. */
const files = `${output}/public`
const stampFile = `${output}/.sources`
/** The dashboard, and the files of the server that it shares. */
const sources = [
  'dashboard/{index.html,provider-marks.ts,vite.config.ts,vite.hosted.ts}',
  'dashboard/src/**/*',
  'src/client.ts',
  'src/core/{schemas,hosted,brand}.ts',
  'src/features/*/schemas.ts',
  'src/features/social-sign-in/providers/*.ts',
  'src/lib/*.ts',
  'package-lock.json',
  'scripts/{build-dashboard,page-budgets}.ts',
]

function digestOfSources(): string {
  const digest = createHash('sha256')
  const files = sources.flatMap((pattern) => globSync(pattern)).filter((file) => statSync(file).isFile())
  for (const file of files.sort()) digest.update(`${file}\0`).update(readFileSync(file))
  return digest.digest('hex')
}

/** Written once here, so that the daemon only sends files. Fonts and images are compressed already. */
function compressFiles(): void {
  for (const file of globSync(`${files}/**/*.{js,css,svg}`)) {
    const content = readFileSync(file)
    const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }
    writeFileSync(`${file}.br`, brotliCompressSync(content, options))
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
}

interface DeclaredScreen {
  readonly path: string
  readonly access: string
  readonly frame: string
  /** Where it leads outside of development. */
  readonly leadsTo?: unknown
}

/** All pages of the application, so that the daemon responds with 404 to other paths. Only the dashboard compiles their declarations. */
async function writePages(): Promise<void> {
  const declarations = '../dashboard/src/features/index.ts'
  const { folders }: { folders: readonly { screens: readonly DeclaredScreen[] }[] } = await import(declarations)
  const pages = folders.flatMap(({ screens }) =>
    screens.map(({ path, access, frame, leadsTo }) => ({
      ...{ path, access },
      ...(frame === 'plain' && !leadsTo && { isForDevelopers: true }),
    })),
  )
  writeFileSync(`${output}/pages.json`, `${JSON.stringify(pages)}\n`)
}

/** The scripts and the styles of pages that the server renders, and then what renders them, which names these files. */
async function buildHosted(vite: typeof import('vite')): Promise<void> {
  const { browserBuild, serverBuild } = await import('../dashboard/vite.hosted.ts')
  for (const name of ['hosted', 'reference']) await vite.build(browserBuild(`${root}${files}`, name))
  const find = (pattern: string): string => {
    const [found, ...others] = globSync(pattern, { cwd: files })
    if (found === undefined || others.length > 0) throw new Error(`Expected one file ${pattern}`)
    return found
  }
  const style = find('assets/hosted-*.css')
  const named = {
    script: find('assets/hosted-*.js'),
    style,
    styleWithMarks: await addMarks(style),
    icon: find('assets/favicon-*.svg'),
  }
  const ofReference = { script: find('assets/reference-*.js'), style: find('assets/reference-*.css'), icon: named.icon }
  const reference = Object.fromEntries(Object.entries(ofReference).map(([kind, path]) => [kind, basename(path)]))
  await vite.build(serverBuild(`${root}${output}`, named, reference))
}

/** A second style, so that pages with marks need no further file, and pages without any do not load them. @returns its name */
async function addMarks(style: string): Promise<string> {
  const { markRules } = await import('../dashboard/provider-marks.ts')
  const content = readFileSync(`${files}/${style}`, 'utf8') + markRules
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
  const name = `assets/hosted-marks-${hash}.css`
  writeFileSync(`${files}/${name}`, content)
  return name
}

async function build(): Promise<void> {
  // Vite would take that of a test run, and React would be built for development.
  process.env.NODE_ENV = 'production'
  const vite = await import('vite')
  await vite.build({ configFile: 'dashboard/vite.config.ts', logLevel: 'warn' })
  renameSync(`${files}/index.html`, `${output}/index.html`)
  const chunks: readonly Chunk[] = JSON.parse(readFileSync(`${files}/chunks.json`, 'utf8'))
  rmSync(`${files}/chunks.json`)
  await buildHosted(vite)
  compressFiles()
  await writePages()
  console.log(await checkPageBudgets(output))
  console.log(checkApplicationBudgets(output, chunks))
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
