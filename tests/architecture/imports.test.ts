/** Imports point one way, as docs/architecture.md describes. */
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { featureList } from '../../src/features/index.ts'
import { readSource, type SourceFile } from './source.ts'

interface Rule {
  readonly values: readonly string[]
  readonly types: readonly string[]
}

/** What a program that runs the product imports. */
const product = ['app.ts', 'features/index.ts', 'migrate', 'adapters', 'core', 'lib']

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
  'features/index.ts': { values: ['core', 'lib', 'features'], types: ['core', 'lib', 'features', 'config-file.ts'] },
  'config-file.ts': { values: [], types: ['features/index.ts'] },
  'app.ts': { values: ['adapters', 'core', 'lib', 'features/index.ts'], types: ['adapters', 'core', 'lib', 'features/index.ts'] },
  'client.ts': { values: [], types: ['core', 'features/index.ts'] },
  // Servers of apps load it: it must not load the daemon.
  server: { values: ['server', 'lib'], types: ['server', 'lib'] },
  testing: {
    values: ['testing', 'project', 'daemon', 'http', 'features', ...product],
    types: ['testing', 'project', 'daemon', 'http', 'features', ...product],
  },
  'index.ts': { values: ['core'], types: ['core', 'features/index.ts'] },
  project: { values: ['project', ...product], types: ['project', ...product] },
  daemon: {
    values: ['daemon', 'project', 'http', 'features', ...product],
    types: ['daemon', 'project', 'http', 'features', ...product],
  },
  cli: {
    values: ['cli', 'daemon', 'project', 'http', 'features', ...product],
    types: ['cli', 'daemon', 'project', 'http', 'features', ...product],
  },
}
/** The process that holds the port must not load what a reload replaces. */
const configurationFree = 'daemon/supervisor.ts'

interface Import {
  readonly target: string
  readonly typeOnly: boolean
  readonly dynamic: boolean
}

function importsOf({ path, text }: SourceFile): Import[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?([^'"]*?from\s*)?['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]/g,
  )
  return [...found].map(([, type, , fixed, dynamic]) => ({
    target: posix.join(posix.dirname(path), fixed ?? dynamic ?? '').replace(/^src\//, ''),
    typeOnly: type !== undefined,
    dynamic: fixed === undefined,
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
  if (
    place === configurationFree &&
    /^(features|app\.ts|project\/(load-config|open-app|schema-check)\.ts|adapters\/database)/.test(target)
  )
    return false
  if (place.startsWith('features/') && target.startsWith('features/') && target !== 'features/index.ts') {
    return place === 'features/index.ts' ? target.endsWith('/index.ts') : isFeatureAllowed(place, target)
  }
  const allowed = typeOnly ? rule.types : rule.values
  return allowed.some((prefix) => target === prefix || target.startsWith(`${prefix}/`))
}

/** A feature's own files, or the front door of a feature above it in the list. */
function isFeatureAllowed(place: string, target: string): boolean {
  const [own = '', other = ''] = [place.split('/')[1], target.split('/')[1]]
  if (own === other) return true
  return target === `features/${other}/index.ts` && order.indexOf(other) >= 0 && order.indexOf(other) < order.indexOf(own)
}

/** The groups of files that reach each other by imports of values which run when the file is loaded. */
function circles(files: readonly SourceFile[]): string[][] {
  const targets = new Map(
    files.map((file) => {
      const found = importsOf(file).filter(({ typeOnly, dynamic }) => !typeOnly && !dynamic)
      return [file.path.replace(/^src\//, ''), found.map(({ target }) => target)]
    }),
  )
  const reachable = (from: string, seen = new Set<string>()): Set<string> => {
    for (const target of targets.get(from) ?? []) if (!seen.has(target) && seen.add(target)) reachable(target, seen)
    return seen
  }
  const reach = new Map([...targets.keys()].map((path) => [path, reachable(path)]))
  const inCircle = [...targets.keys()].filter((path) => reach.get(path)?.has(path))
  const groups = Map.groupBy(inCircle, (path) =>
    inCircle
      .filter((other) => reach.get(path)?.has(other))
      .sort()
      .join(),
  )
  return [...groups.values()].map((group) => group.sort())
}

test('imports point one way', () => {
  expect(violations(readSource())).toEqual([])
})

test('no files import values from each other in a circle', () => {
  expect(circles(readSource())).toEqual([])
  const planted = [
    { path: 'src/core/a.ts', text: "import { b } from './b.ts'" },
    { path: 'src/core/b.ts', text: "export { c } from './c.ts'" },
    { path: 'src/core/c.ts', text: "import { a } from './a.ts'\nimport type { d } from './d.ts'" },
    { path: 'src/core/d.ts', text: "import { a } from './a.ts'" },
  ]
  expect(circles(planted)).toEqual([['core/a.ts', 'core/b.ts', 'core/c.ts']])
})

/** Entry points that run in a browser, too. */
const shared = (path: string) =>
  path === 'client.ts' || path === 'core/schemas.ts' || /^features\/[\w-]+\/schemas\.ts$/.test(path)
/** Packages that run in a browser. */
const inBrowsers = ['zod']

/** Imports of values that no browser can load, from the entry points and the files that they import. */
function browserViolations(files: readonly SourceFile[]): string[] {
  const byPlace = new Map(files.map((file) => [file.path.replace(/^src\//, ''), file]))
  const reached = new Set([...byPlace.keys()].filter(shared))
  for (const place of reached) {
    const file = byPlace.get(place)
    for (const { target, typeOnly } of file ? importsOf(file) : []) if (!typeOnly) reached.add(target)
  }
  return [...reached].flatMap((place) => {
    const packages = (byPlace.get(place)?.text ?? '').matchAll(/(?:^|\n)import (?!type\b)[^'"]*['"]([^.'"][^'"]*)['"]/g)
    return [...packages].flatMap(([, name = '']) => (inBrowsers.includes(name) ? [] : [`${place} imports ${name}`]))
  })
}

test('what the dashboard shares with the server runs in a browser', () => {
  expect(browserViolations(readSource())).toEqual([])
  const planted = [
    { path: 'src/features/x/schemas.ts', text: "import { z } from 'zod'\nimport { a } from '../../lib/a.ts'" },
    { path: 'src/lib/a.ts', text: "import { join } from 'node:path'\nimport type { Kysely } from 'kysely'" },
    { path: 'src/lib/b.ts', text: "import { join } from 'node:path'" },
  ]
  expect(browserViolations(planted)).toEqual(['lib/a.ts imports node:path'])
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
    ['daemon/supervisor.ts', "import { loadConfig } from '../project/load-config.ts'"],
    ['daemon/x.ts', "import type { BaseContext } from '../cli/command.ts'"],
    ['daemon/x.ts', "const { a } = await import('../cli/output.ts')"],
    ['project/x.ts', "import { findDaemon } from '../daemon/state.ts'"],
    ['project/x.ts', "import type { Output } from '../cli/output.ts'"],
    ['project/x.ts', "import { routes } from '../features/sessions/index.ts'"],
    ['migrate/x.ts', "import { Failure } from '../project/failure.ts'"],
    ['cli/x.ts', "import { a } from '../client.ts'"],
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
