/** The code in the documents compiles, with the client that the quickstart installs. */
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { type CodeBlock, codeBlocks, isConfiguration, wholeConfiguration } from './code-blocks.ts'
import { root } from './source.ts'

const snippets = codeBlocks(['README.md', 'docs/**/*.md'])

const isComponent = (language: string): boolean => language === 'vue' || language === 'svelte'

/** The script of a component; other tests do not need the templates of Vue and Svelte. */
const scriptOf = (text: string): string => /<script[^>]*>\n([\s\S]*?)<\/script>/.exec(text)?.[1] ?? text

/** Pages show options without the call around them, and calls without the client that they belong to. */
function completed(block: CodeBlock): string {
  const { text, language, copyOf } = block
  if (isComponent(language)) return scriptOf(text)
  if (isConfiguration(block)) return wholeConfiguration(block)
  return copyOf !== undefined || /^ *(import|export const) /m.test(text) ? text : `${text}\nexport {}`
}

function pathOf({ place, language, copyOf }: CodeBlock): string {
  if (copyOf === undefined) return `${place.replace(':', '/')}.${language}`
  return isComponent(language) ? `${copyOf}.ts` : copyOf
}

/** As the templates of Vite and Next.js have them. */
const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  jsx: 'react-jsx',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
}

/** JavaScript has no types for parameters. */
const scriptOptions = { ...compilerOptions, noImplicitAny: false, allowJs: true, checkJs: true }

/** A folder with the packages of a reader: those of this repository, the newest client in place of the oldest, and Latchkey. */
function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-snippets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const link = (target: string, path: string) => symlinkSync(join(root, target), join(folder, path))
  mkdirSync(join(folder, 'node_modules'))
  const installed = readdirSync(join(root, 'node_modules')).filter((name) => !/^\.|^better-auth$|^latchkey$/.test(name))
  for (const name of installed) link(`node_modules/${name}`, `node_modules/${name}`)
  link('node_modules/better-auth-newest', 'node_modules/better-auth')
  link('.', 'node_modules/latchkey')
  link('dashboard', 'dashboard')
  return folder
}

/** @returns the errors of the compiler */
async function compile(options: object, files: ReadonlyMap<string, string>): Promise<string[]> {
  const folder = createFolder()
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: [...files.keys()] }))
  const compiler = join(root, 'node_modules/.bin/tsc')
  const { all } = await execa(compiler, ['--pretty', 'false'], { cwd: folder, reject: false, all: true })
  return all.split('\n').filter((line) => line !== '')
}

// A copy of a file of the program itself is checked with the program.
const isOfReader = ({ copyOf = '' }: CodeBlock): boolean => !/^(src|dashboard)\//.test(copyOf)

test.each([
  ['TypeScript', /^(tsx?|vue|svelte)$/, compilerOptions],
  ['JavaScript', /^jsx?$/, scriptOptions],
])(
  '%s in the documents compiles',
  async (_, language, options) => {
    const code = snippets.filter((snippet) => language.test(snippet.language) && isOfReader(snippet))
    expect(code.length).toBeGreaterThan(3)
    const placeholders = globSync('tests/snippets/**/*.ts', { cwd: root }).map(
      (path) => [path, readFileSync(join(root, path), 'utf8')] as const,
    )
    expect(
      await compile(
        options,
        new Map([...code.map((snippet) => [pathOf(snippet), completed(snippet)] as const), ...placeholders]),
      ),
    ).toEqual([])
  },
  120_000,
)
