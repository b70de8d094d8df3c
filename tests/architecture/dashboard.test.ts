/** The dashboard is a client of the API: what it may import, and the size of its files. */
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readDashboard, root, type SourceFile } from './source.ts'

/** Files of the server that run in browsers too. */
const shared = /^src\/(client|core\/schemas|features\/[\w-]+\/schemas|lib\/[\w-]+)\.ts$/
const types = /^src\/(core\/[\w-]+|features\/index)\.ts$/

/** Folders of the dashboard that one of its folders must not import. */
const above: Readonly<Record<string, RegExp>> = {
  i18n: /^dashboard\/src\/(?!i18n\/|languages\/)/,
  messages: /^dashboard\/src\/(?!messages\/|i18n\/)/,
  browser: /^dashboard\/src\/(?!browser\/|i18n\/)/,
  api: /^dashboard\/src\/(features|frame|stories|components|routes|session)\//,
  session: /^dashboard\/src\/(features|frame|stories|routes\/(?!screens))\//,
  components: /^dashboard\/src\/(features|frame|stories)\//,
  frame: /^dashboard\/src\/(features|stories)\//,
}

/** They put the folders of screens together; no other file outside of the folders knows one. */
const compositions = new Set(['dashboard/src/routes/router.tsx', 'dashboard/src/main.tsx'])

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
  // The texts of a language, of every folder.
  if (folder === 'languages') return /\b[a-z]{2}\.ts$/.test(target) || isType
  if (otherFolder === 'features' && !['features', 'stories', 'hosted', 'events', 'exports'].includes(folder))
    return compositions.has(path)
  // A folder of screens is complete in itself: what two of them share is a component or part of the frame. Files next to the folders list them.
  return folder !== 'features' || otherFolder !== 'features' || own.endsWith('.ts') || other === own
}

test('the dashboard imports of the server only what runs in browsers, and its folders depend one way', () => {
  expect(violations(readDashboard())).toEqual([])
})

describe('a planted violation is found', () => {
  test.each([
    ['api/calls.ts', "import { apiPath } from '../../../src/core/route.ts'"],
    ['api/calls.ts', "import { routes } from '../../../src/features/sessions/index.ts'"],
    ['components/x.tsx', "import { Mark } from '../frame/mark.tsx'"],
    ['i18n/x.ts', "import { send } from '../api/calls.ts'"],
    ['browser/x.ts', "import { call } from '../session/session.ts'"],
    ['frame/x.tsx', "import { messages } from '../features/a/messages.ts'"],
    ['session/session.ts', "import { folders } from '../features/index.ts'"],
    ['features/a/x.tsx', "const { Screen } = await import('../b/x.tsx')"],
  ])('%s: %s', (path, text) => expect(violations([{ path: `dashboard/src/${path}`, text }])).toHaveLength(1))
})

/** Files that a file reaches by its imports, without types. */
function reached(start: string): readonly string[] {
  const files = new Map(readDashboard().map(({ path, text }) => [path, text]))
  const found = new Set([start])
  for (const path of found)
    for (const [, target = ''] of (files.get(path) ?? '').matchAll(/^(?:import|export) (?!type)[^'"]*?['"](\.[^'"]+)['"]/gm)) {
      const file = posix.join(posix.dirname(path), target)
      if (files.has(file)) found.add(file)
    }
  return [...found]
}

test('hosted pages reach nothing that needs a browser, the router or the session of the application', () => {
  const application = /^dashboard\/src\/(api\/(?!settings)|routes\/|session\/|main|browser\/theme|frame\/(?!mark))/
  const browserOnly = reached('dashboard/src/hosted/render.tsx').filter((path) => application.test(path))
  const scripts = ['hosted', 'reference'].flatMap((room) => reached(`dashboard/src/${room}/client.ts`))
  const script = scripts.filter((path) => /\.tsx$/.test(path) || application.test(path))
  expect([...browserOnly, ...script]).toEqual([])
  expect(reached('dashboard/src/hosted/render.tsx').length).toBeGreaterThan(50)
})

test('files have at most 250 lines', () => {
  const long = readDashboard().filter(({ text }) => text.split('\n').length > 250)
  expect(long.map(({ path }) => path)).toEqual([])
})

test('every hosted page that the server links to is declared', () => {
  const read = (pattern: string) => globSync(pattern, { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'))
  const found = (texts: readonly string[], form: RegExp) =>
    texts.flatMap((text) => [...text.matchAll(form)].map(([, path]) => path))
  const declared = new Set(found(read('dashboard/src/{features,hosted}/**/*.{ts,tsx}'), /\bpath(?::| =) '(\/[^']*)'/g))
  const linked = found(read('src/**/*.ts'), /\bhosted(?:URL|Path)\([^()]*, '(\/[^']*)'\)/g)
  expect(linked.length).toBeGreaterThan(10)
  expect(linked.filter((path) => path !== undefined && !declared.has(path))).toEqual([])
})
