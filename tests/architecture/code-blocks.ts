/** The code blocks of the documents. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './source.ts'

export interface CodeBlock {
  /** Page and line, such as `docs/jwt.md:39`. */
  readonly place: string
  readonly language: string
  readonly text: string
  /** The file of the repository of which it is a copy. */
  readonly copyOf: string | undefined
}

const fence = /(?:<!-- snippet: (\S+) -->\n)?^( *)```(\w*)\n([\s\S]*?)^ *```$/gm

/** @param pages as globs, from the root of the repository */
export const codeBlocks = (pages: readonly string[]): CodeBlock[] =>
  globSync(pages, { cwd: root }).flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    return [...text.matchAll(fence)].map(([, copyOf, , language = '', code = ''], index, all) => {
      const line = text.slice(0, all[index]?.index).split('\n').length
      return { place: `${page}:${line}`, language, text: code, copyOf }
    })
  })

const defineConfig = "import { defineConfig } from 'latchkey/config'\n"

/** A configuration, or options of one without the call around them. */
export const isConfiguration = ({ language, text, copyOf }: CodeBlock): boolean =>
  /^[tj]s$/.test(language) && copyOf === undefined && (text.includes('export default defineConfig(') || /^\s*\w+: /.test(text))

/** The same as a whole file. */
export function wholeConfiguration({ text }: CodeBlock): string {
  if (/^ *import /m.test(text)) return text
  if (text.includes('export default defineConfig(')) return `${defineConfig}${text}`
  return `${defineConfig}export default defineConfig({\n${text}\n})`
}
