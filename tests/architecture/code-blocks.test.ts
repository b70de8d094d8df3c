/** Every code block of the documents is checked: compiled, parsed, or excused by its language. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from './source.ts'

interface Block {
  /** Page and line. */
  readonly place: string
  readonly language: string
  readonly text: string
}

const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'skills/**/*.md'], { cwd: root })

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map((match) => ({
    place: `${page}:${text.slice(0, match.index).split('\n').length}`,
    language: match[2] ?? '',
    text: match[3] ?? '',
  }))
}

const blocks = pages.flatMap(blocksOf)

/** Checked by `snippets.test.ts`; commands in `sh` by `deploy.test.ts`. */
const compiled = /^(tsx?|jsx?|vue|svelte)$/
/** Why no test parses them. */
const excused: Readonly<Record<string, string>> = {
  '': 'output of a command',
  text: 'output of a command, or a pattern',
  mermaid: 'a diagram',
  dockerfile: 'lines of a Dockerfile of the reader',
  html: 'a part of a page of the reader',
  perl: 'a program of an example in another language',
  go: 'a program of an example in another language',
  php: 'a program of an example in another language',
  java: 'a program of an example in another language',
  mjs: 'a test of an application, whose types conflict with those here; tests/package runs the same calls',
  python: 'a program of an example in another language',
  sql: 'statements for a MySQL server of the reader, with its own names',
}

test('every code block of the documents has a check, or a reason for none', () => {
  const checked = (language: string) => compiled.test(language) || /^(sh|json|ya?ml)$/.test(language)
  const others = blocks.filter(({ language }) => !checked(language) && !Object.hasOwn(excused, language))
  expect(others.map(({ place, language }) => `${place}: ${language}`)).toEqual([])
  for (const { language, text } of blocks) if (/^ya?ml$/.test(language)) expect(() => parse(text)).not.toThrow()
  for (const { language, text, place } of blocks) if (language === 'json') expect(() => JSON.parse(text), place).not.toThrow()
})
