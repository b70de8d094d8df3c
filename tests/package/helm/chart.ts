/** Renders the chart by `render.go`: Helm is in no package, but its template engine is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { parseAllDocuments, stringify } from 'yaml'
import { keptFolder } from '../../kit/servers/keeper.ts'
import { ensureParts, goTemplates } from '../../kit/servers/packages.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
export const chart = join(root, 'deploy/helm/latchkey')

/** @param path below the repository */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}

/** The values that have no default. */
export const required = { image: { repository: 'registry.example.com/accounts' }, baseURL: 'https://accounts.example.com' }

let program: Promise<string> | undefined

async function build(): Promise<string> {
  await ensureParts([goTemplates])
  const file = join(keptFolder('render'), 'render')
  // The packages of Debian are sources below one folder, as before modules.
  const env = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' }
  await execa('go', ['build', '-o', file, 'render.go'], { cwd: join(root, 'tests/package/helm'), env })
  return file
}

/** @returns the manifests in the order of their files. Kubernetes reads YAML 1.1, in which 0440 is octal. */
export async function renderChart(values: object): Promise<readonly Manifest[]> {
  program ??= build()
  const { stdout } = await execa(await program, [chart], { input: stringify(values) })
  return parseAllDocuments(stdout, { version: '1.1' })
    .map((document): Manifest | null => document.toJS())
    .filter((manifest) => manifest !== null)
}
