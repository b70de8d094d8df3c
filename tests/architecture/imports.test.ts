/** Imports point one way: architecture, "Who may import whom", as data. */
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { featureList } from '../../src/features/index.ts'
import { readSource, type SourceFile } from './source.ts'

interface Rule {
  readonly values: readonly string[]
  readonly types: readonly string[]
}

/** What each place may import of ours. A place is a folder of `src`, or a file in it. */
const rules: Readonly<Record<string, Rule>> = {
  lib: { values: ['lib'], types: ['lib'] },
  core: { values: ['core', 'lib'], types: ['core', 'lib', 'features/index.ts'] },
  adapters: { values: ['adapters', 'core', 'lib'], types: ['adapters', 'core', 'lib', 'features/index.ts'] },
  http: { values: ['http', 'core', 'lib'], types: ['http', 'core', 'lib', 'features/index.ts'] },
  migrate: {
    values: ['migrate', 'core', 'lib', 'adapters/database'],
    types: ['migrate', 'core', 'lib', 'adapters/database', 'features/index.ts'],
  },
  features: { values: ['core', 'lib'], types: ['core', 'lib', 'features/index.ts'] },
  'features/index.ts': { values: ['core', 'lib', 'features'], types: ['core', 'lib', 'features'] },
  'app.ts': { values: ['adapters', 'core', 'lib', 'features/index.ts'], types: ['adapters', 'core', 'lib', 'features/index.ts'] },
  'client.ts': { values: [], types: ['core', 'features/index.ts'] },
  'index.ts': { values: ['core'], types: ['core', 'features/index.ts'] },
  daemon: { values: [''], types: [''] },
  cli: { values: [''], types: [''] },
}
/** The process that holds the port must not load what a reload replaces. */
const configurationFree = 'daemon/supervisor.ts'

interface Import {
  readonly target: string
  readonly typeOnly: boolean
}

function importsOf({ path, text }: SourceFile): Import[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?([^'"]*?from\s*)?['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]/g,
  )
  return [...found].map(([, type, , fixed, dynamic]) => ({
    target: posix.join(posix.dirname(path), fixed ?? dynamic ?? '').replace(/^src\//, ''),
    typeOnly: type !== undefined,
  }))
}

const order = Object.values(featureFolders())

/** Folder of each feature in the order of the list. */
function featureFolders(): Record<string, string> {
  const index = readSource().find(({ path }) => path === 'src/features/index.ts')
  const folders = Object.fromEntries(
    [...(index?.text ?? '').matchAll(/import \* as (\w+) from '\.\/([\w-]+)\/index\.ts'/g)].map(([, name = '', folder = '']) => [
      name,
      folder,
    ]),
  )
  return Object.fromEntries(Object.keys(featureList).map((name) => [name, folders[name] ?? '']))
}

function violations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const place = file.path.replace(/^src\//, '')
    return importsOf(file).flatMap((found) =>
      isAllowed(place, found) ? [] : [`${place} imports ${found.typeOnly ? 'types of ' : ''}${found.target}`],
    )
  })
}

function isAllowed(place: string, { target, typeOnly }: Import): boolean {
  const rule = rules[place] ?? rules[place.split('/')[0] ?? '']
  if (!rule) return false
  if (place === configurationFree && /^(features|app\.ts|cli\/load-config\.ts|adapters\/database)/.test(target)) return false
  if (place.startsWith('features/') && target.startsWith('features/') && target !== 'features/index.ts') {
    return place === 'features/index.ts' ? target.endsWith('/index.ts') : isFeatureAllowed(place, target)
  }
  const allowed = typeOnly ? rule.types : rule.values
  return allowed.some((prefix) => target === prefix || target.startsWith(prefix === '' ? '' : `${prefix}/`))
}

/** A feature's own files, or the front door of a feature above it in the list. */
function isFeatureAllowed(place: string, target: string): boolean {
  const [own = '', other = ''] = [place.split('/')[1], target.split('/')[1]]
  if (own === other) return true
  return target === `features/${other}/index.ts` && order.indexOf(other) >= 0 && order.indexOf(other) < order.indexOf(own)
}

test('imports point one way', () => {
  expect(violations(readSource())).toEqual([])
})

test('every feature of the list has a folder', () => {
  expect(order).not.toContain('')
})

describe('a planted violation is found', () => {
  const [first = '', last = ''] = [order[0], order.at(-1)]
  test.each([
    ['lib/x.ts', "import { a } from '../core/errors.ts'"],
    ['core/x.ts', "import { features } from '../features/index.ts'"],
    ['core/x.ts', "import { a } from '../adapters/log.ts'"],
    ['core/x.ts', "const { a } = await import('../adapters/log.ts')"],
    ['adapters/x.ts', "import { features } from '../features/index.ts'"],
    ['http/x.ts', "import { routes } from '../features/sessions/index.ts'"],
    ['http/x.ts', "export { a } from '../adapters/log.ts'"],
    ['migrate/x.ts', "import { a } from '../http/server.ts'"],
    ['daemon/supervisor.ts', "import { openApp } from '../app.ts'"],
    [`features/${first}/x.ts`, `import { a } from '../${last}/index.ts'`],
    [`features/${last}/x.ts`, `import { a } from '../${first}/tables.ts'`],
    [`features/${last}/x.ts`, "import { a } from '../../http/server.ts'"],
    [`features/${last}/x.ts`, "import { features } from '../index.ts'"],
  ])('%s: %s', (path, text) => expect(violations([{ path: `src/${path}`, text }])).toHaveLength(1))
  test('and what is allowed is not', () => {
    const allowed = [
      { path: 'src/core/x.ts', text: "import type { Config } from '../features/index.ts'" },
      { path: `src/features/${last}/x.ts`, text: `import { a } from '../${first}/index.ts'` },
    ]
    expect(violations(allowed)).toEqual([])
  })
})
