/** The dashboard is a client of the API: what it may import, and the size of its files. */
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, type SourceFile } from './source.ts'

const readDashboard = (): SourceFile[] =>
  globSync('dashboard/src/**/*.{ts,tsx}', { cwd: root }).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Files of the server that run in browsers too. */
const shared = /^src\/(client|core\/schemas|features\/[\w-]+\/schemas|lib\/[\w-]+)\.ts$/
const types = /^src\/(core\/[\w-]+|features\/index)\.ts$/

/** Folders of the dashboard that one of its folders must not import. */
const above: Readonly<Record<string, RegExp>> = {
  i18n: /^dashboard\/src\/(?!i18n\/)/,
  messages: /^dashboard\/src\/(?!messages\/|i18n\/)/,
  components: /^dashboard\/src\/(features|frame|stories)\//,
}

function violations(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const found = text.matchAll(
      /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"]*?['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]/g,
    )
    return [...found].flatMap(([, type, fixed, dynamic]) => {
      const target = posix.join(posix.dirname(path), fixed ?? dynamic ?? '')
      return isAllowed(path, target, type !== undefined) ? [] : [`${path} imports ${target}`]
    })
  })
}

function isAllowed(path: string, target: string, isType: boolean): boolean {
  if (target.startsWith('src/')) return shared.test(target) || (isType && types.test(target))
  if (!target.startsWith('dashboard/')) return false
  const [folder = '', own = ''] = path.split('/').slice(2)
  const [otherFolder, other] = target.split('/').slice(2)
  if (above[folder]?.test(target)) return false
  // A folder of screens is complete in itself: what two of them share is a component or part of the frame. Files next to the folders list them.
  return folder !== 'features' || otherFolder !== 'features' || own.endsWith('.ts') || other === own
}

test('the dashboard imports of the server only what runs in browsers, and its folders depend one way', () => {
  expect(violations(readDashboard())).toEqual([])
})

describe('a planted violation is found', () => {
  test.each([
    ['api.ts', "import { apiPath } from '../../src/core/route.ts'"],
    ['api.ts', "import { routes } from '../../src/features/sessions/index.ts'"],
    ['components/x.tsx', "import { Mark } from '../frame/mark.tsx'"],
    ['i18n/x.ts', "import { send } from '../api.ts'"],
    ['features/a/x.tsx', "const { Screen } = await import('../b/x.tsx')"],
  ])('%s: %s', (path, text) => expect(violations([{ path: `dashboard/src/${path}`, text }])).toHaveLength(1))
})

test('files have at most 250 lines', () => {
  const long = readDashboard().filter(({ text }) => text.split('\n').length > 250)
  expect(long.map(({ path }) => path)).toEqual([])
})

test('every hosted page that the server links to is declared', () => {
  const read = (pattern: string) => globSync(pattern, { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'))
  const found = (texts: readonly string[], form: RegExp) =>
    texts.flatMap((text) => [...text.matchAll(form)].map(([, path]) => path))
  const declared = new Set(found(read('dashboard/src/features/*/index.ts'), /\bpath: '(\/[^']*)'/g))
  const linked = found(read('src/**/*.ts'), /\bhosted(?:URL|Path)\([^()]*, '(\/[^']*)'\)/g)
  expect(linked.length).toBeGreaterThan(10)
  expect(linked.filter((path) => path !== undefined && !declared.has(path))).toEqual([])
})
