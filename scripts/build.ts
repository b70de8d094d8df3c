/**
 * Builds the published package in `dist/`, with the layout of the repository: JavaScript and declarations instead of TypeScript,
 * because Node does not strip types below node_modules. Packs it into `latchkey-<version>.tgz`, and prints how to install that.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleTesting } from './bundle-testing.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

interface Manifest {
  readonly bin: Record<string, string>
  readonly exports: Record<string, string>
  readonly optionalDependencies: Record<string, string>
  readonly [field: string]: unknown
}

/** Files and folders that the package contains as they are. */
const copied = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'LICENSE',
  'bin',
  'dashboard/dist',
  'deploy',
  'docs',
  'schemas',
  'skills',
]

const kept = ['name', 'version', 'description', 'license', 'type', 'engines', 'bin', 'dependencies'] as const

/** npm proves where a package was built only if its manifest names that repository. */
const origin = process.env.GITHUB_REPOSITORY
  ? { repository: { type: 'git', url: `git+https://github.com/${process.env.GITHUB_REPOSITORY}.git` } }
  : {}

/** The manifest of the published package: without scripts, development tools and the Node of the repository. */
function manifestFrom(repository: Manifest): Record<string, unknown> {
  const optional = Object.entries(repository.optionalDependencies).filter(([name]) => !name.startsWith('node-linux-'))
  const javascript = (path: string): string => path.replace(/\.ts$/, '.js')
  const types = (path: string): string => path.replace(/\.ts$/, '.d.ts')
  const exported = Object.entries(repository.exports).map(([name, path]) => [
    name,
    path.endsWith('.json') ? path : { types: types(path), default: javascript(path) },
  ])
  return {
    ...Object.fromEntries(kept.map((field) => [field, repository[field]])),
    ...origin,
    optionalDependencies: Object.fromEntries(optional),
    exports: Object.fromEntries(exported),
  }
}

interface LockedPackage {
  readonly dev?: boolean
  readonly devOptional?: boolean
  /** A workspace, which only tests use. */
  readonly link?: boolean
}

/**
 * The lock file of the published package, with the versions that the tests have used and that the bill of materials lists:
 * that of the repository without development tools. `npm pack` includes a lock file only under this name.
 */
function shrinkwrapFrom(manifest: object): object {
  const { packages, ...lock }: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const isInstalled = ([path, { dev, devOptional, link }]: [string, LockedPackage]) =>
    path.startsWith('node_modules/') && !dev && !devOptional && !link && !path.startsWith('node_modules/node-linux-')
  return { ...lock, packages: { '': manifest, ...Object.fromEntries(Object.entries(packages).filter(isInstalled)) } }
}

interface BillOfMaterials {
  readonly metadata: { readonly component: object }
  readonly components: readonly {
    readonly name: string
    readonly 'bom-ref': string
    readonly properties: readonly { readonly name: string }[]
  }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/** The packages whose code is part of the built dashboard: `name@version`. */
const bundledPackages = (): Set<string> =>
  new Set(
    [...readFileSync('dashboard/dist/public/licenses.txt', 'utf8').matchAll(/^## (\S+) - (\S+)/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    ),
  )

/**
 * The dependencies that the package installs or contains, as CycloneDX, from the lock file. `npm sbom --omit=dev` also omits packages that a
 * development tool happens to need too, so the development-only ones are removed here.
 */
function billOfMaterials(): BillOfMaterials {
  const command = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--offline', '--no-workspaces']
  const document: BillOfMaterials = JSON.parse(execFileSync('npm', command, { encoding: 'utf8', maxBuffer: 1e8 }))
  const bundled = bundledPackages()
  const components = document.components.filter(
    ({ name, properties, ...component }) =>
      bundled.has(component['bom-ref']) ||
      (!name.startsWith('node-linux-') && !properties.some((property) => property.name === 'cdx:npm:package:development')),
  )
  const refs = new Set(components.map((component) => component['bom-ref']))
  const { name, version } = repository
  const own = { ...document.metadata.component, name, version }
  return {
    ...document,
    metadata: { ...document.metadata, component: own },
    components,
    dependencies: document.dependencies
      .filter(({ ref }) => refs.has(ref) || ref === `${name}@${version}`)
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  }
}

const repository: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))
rmSync('dist', { recursive: true, force: true })
execFileSync('node_modules/.bin/tsc', ['--project', 'tsconfig.build.json'], { stdio: 'inherit' })

const assets = globSync('src/**/*', { withFileTypes: true, exclude: ['**/*.ts'] })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`)
for (const path of [...assets, ...copied]) cpSync(path, `dist/${path}`, { recursive: true })
await bundleTesting(join(root, 'dist'))

const manifest = manifestFrom(repository)
const documents = { package: manifest, 'npm-shrinkwrap': shrinkwrapFrom(manifest), 'sbom.cdx': billOfMaterials() }
for (const [name, document] of Object.entries(documents))
  writeFileSync(`dist/${name}.json`, `${JSON.stringify(document, null, 2)}\n`)

/** `npm create latchkey`, which runs the package of the same version. Not a workspace: the lock file would look for that in the registry. */
function writeInitializer(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  for (const name of ['index.js', 'README.md']) cpSync(`tools/create-latchkey/${name}`, `${folder}/${name}`, { recursive: true })
  cpSync('LICENSE', `${folder}/LICENSE`)
  const { private: _, ...own }: Record<string, unknown> = JSON.parse(readFileSync('tools/create-latchkey/package.json', 'utf8'))
  const { version, engines } = repository
  const complete = { ...own, version, engines, ...origin, dependencies: { latchkey: version } }
  writeFileSync(`${folder}/package.json`, `${JSON.stringify(complete, null, 2)}\n`)
}

/** Packs a folder, and removes tarballs of earlier versions: `npm install -g ./latchkey-*.tgz` must find one file. */
function pack(folder: string, name: string): string {
  for (const tarball of globSync(`${name}-[0-9]*.tgz`)) rmSync(tarball)
  const [packed]: { filename: string; size: number }[] = JSON.parse(
    execFileSync('npm', ['pack', `./${folder}`, '--json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  if (!packed) throw new Error('npm pack has created no tarball')
  return `${packed.filename} (${Math.round(packed.size / 1000)} kB): npm install -g ./${packed.filename}`
}

writeInitializer('tools/create-latchkey/dist')
console.log(pack('tools/create-latchkey/dist', 'create-latchkey'))
console.log(pack('dist', 'latchkey'))
