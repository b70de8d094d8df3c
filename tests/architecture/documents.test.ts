/** What documents and messages refer to exists, and so does what the README has newcomers run. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Feature } from '../../src/core/feature.ts'
import { mergeTables } from '../../src/core/table.ts'
import { featureList } from '../../src/features/index.ts'
import { readSource, root } from './source.ts'

test('every failure code has a heading in the docs', () => {
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
  const edge = readSource().filter(({ path }) => /^src\/(cli|daemon|migrate|project)\//.test(path))
  const codes = edge.flatMap(({ text }) => [
    ...[...text.matchAll(/new (?:Failure|Migration(?:Fault|Error))\(\s*'([A-Z_]+)'/g)].map(([, code = '']) => code),
    ...[...text.matchAll(/'((?:CONFIG|SECRET_FILE|MAIL)_[A-Z_]+)'/g)].map(([, code = '']) => code),
  ])
  expect(codes.length).toBeGreaterThan(50)
  expect([...new Set(codes)].filter((code) => !page.includes(`## ${code.toLowerCase().replaceAll('_', '-')}\n`))).toEqual([])
})

test('every link between documents leads to a file and a heading', () => {
  const documents = globSync(['*.md', 'docs/**/*.md', 'skills/**/*.md'], { cwd: root })
  const broken = documents.flatMap((from) =>
    // In the text, or below it: [name]: path
    [...readFileSync(join(root, from), 'utf8').matchAll(/\](?:\(|: )(?![a-z]+:|\s)([^)#\s]*)(?:#([^)\s]*))?/g)].flatMap(
      ([link, path = '', anchor]) => {
        const target = path === '' ? from : join(dirname(from), path)
        const isFound = existsSync(join(root, target)) && (anchor === undefined || headingsOf(target).includes(anchor))
        return isFound ? [] : [`${from}: ${link}`]
      },
    ),
  )
  expect(documents.length).toBeGreaterThan(15)
  expect(broken).toEqual([])
})

test('documents link each other as files, because nothing checks a URL', () => {
  const documents = globSync(['*.md', 'docs/**/*.md', 'skills/**/*.md'], { cwd: root })
  const urls = documents.flatMap((from) =>
    [...readFileSync(join(root, from), 'utf8').matchAll(/\](?:\(|: )(https?:\/\/[^)\s]*latchkey[^)\s]*)/g)].map(
      ([, url]) => `${from}: ${url}`,
    ),
  )
  expect(urls).toEqual([])
})

test('every page and heading of the docs that the program names exists', () => {
  const places = globSync(['{src,bin,deploy,config}/**/*', 'dashboard/src/**/*', '*.{yaml,js}', 'Dockerfile'], {
    cwd: root,
    withFileTypes: true,
  })
  const texts = places.filter((place) => place.isFile()).map((place) => readFileSync(join(place.parentPath, place.name), 'utf8'))
  // In a text: see "Rate limits of your own servers" in docs/operations.md
  const named = texts.flatMap((text) => [...text.matchAll(/(?:"([A-Z][^"\n]+)" in )?docs\/([\w-]+\.md)(?:#([\w-]+))?/g)])
  const missing = named.flatMap(([reference, title, page = '', anchor]) => {
    const path = join('docs', page)
    if (!existsSync(join(root, path))) return [reference]
    const wanted = [anchor, title === undefined ? undefined : anchorOf(title)].filter((each) => each !== undefined)
    return wanted.every((each) => headingsOf(path).includes(each)) ? [] : [reference]
  })
  expect(named.length).toBeGreaterThan(10)
  expect(missing).toEqual([])
})

const headingsOf = (path: string): string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title))

/** As GitHub derives it. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

test('every call that the documents name exists', () => {
  const routes = Object.values(featureList).flatMap((feature: Feature) => Object.keys(feature.routes ?? {}))
  const probes = ['GET /livez', 'GET /readyz', 'GET /metrics']
  const calls = [...routes, ...probes].map((key) => new RegExp(`^${key.replaceAll(/:\w+/g, '[^/]+')}$`))
  // Compatibility also names calls that exist in better-auth only.
  const pages = globSync(['*.md', 'docs/*.md'], { cwd: root, exclude: ['docs/compatibility.md'] })
  const named = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/`(GET|POST) (?:\/api\/auth)?(\/[^`\s?]*)/g)].map(
      ([, method, path]) => `${method} ${path}`,
    ),
  )
  expect(named.length).toBeGreaterThan(50)
  expect([...new Set(named)].filter((name) => !calls.some((call) => call.test(name)))).toEqual([])
})

test('every file and script of the repository that the documents name exists', () => {
  // These name files of the reader.
  const pages = globSync(['*.md', 'docs/*.md'], { cwd: root, exclude: ['docs/quickstart.md', 'docs/clients.md'] })
  const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
  const paths = [...text.matchAll(/`((?:src|tests|dashboard|deploy|scripts|config|bench|docs|bin)\/[\w./*{},-]+)`/g)].map(
    ([, path = '']) => path,
  )
  expect(paths.length).toBeGreaterThan(30)
  expect([...new Set(paths)].filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([])
  const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([])
})

test('the page of the import names each member of a user', () => {
  const page = readFileSync(join(root, 'docs/importing.md'), 'utf8')
  const columns = Object.entries(mergeTables(Object.values(featureList)).user ?? {}).filter(([, { internal }]) => !internal)
  const names = columns.map(([name, { outputName = name }]) => outputName)
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !page.includes(`\`user.${name}\``))).toEqual([])
})

test('the lock file lists the packages of all platforms, without which npm ci fails', () => {
  const { packages }: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !foldersAbove(path).some((folder) => `${folder}node_modules/${name}` in packages),
    ),
  )
  expect(missing).toEqual([])
})

interface Lock {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>
}

/** The folders in whose `node_modules` a package at this path finds its dependencies. */
function foldersAbove(path: string): string[] {
  const end = path.lastIndexOf('node_modules/')
  return path === '' ? [''] : [`${path}/`, ...foldersAbove(path.slice(0, Math.max(end, 0)).replace(/\/$/, ''))]
}
