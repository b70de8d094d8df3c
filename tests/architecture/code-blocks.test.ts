/** Every code block of the documents is checked: compiled, parsed, or excused by its language. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { codeBlocks } from './code-blocks.ts'
import { root } from './source.ts'

const blocks = codeBlocks(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'skills/**/*.md'])

/**
 * Compiled by `snippets.test.ts`. `examples.test.ts` runs configurations, requests and imports, `deploy.test.ts` the commands in `sh`, and the test
 * of the file of which a block is a copy that file. What is left is compiled only: parts of an app of the reader, whose calls are tested with
 * the published clients in tests/clients.
 */
const compiled = /^(tsx?|jsx?|vue|svelte)$/
/** Why no test parses them. */
const excused: Readonly<Record<string, string>> = {
  '': 'output of a command',
  text: 'output of a command, or a pattern',
  mermaid: 'a diagram, drawn by tests/package/site.test.ts',
  dockerfile: 'lines of a Dockerfile of the reader',
  html: 'a part of a page of the reader',
  perl: 'a program of an example in another language',
  go: 'a program of an example in another language',
  php: 'a program of an example in another language',
  java: 'a program of an example in another language',
  mjs: 'a test of an application, whose types conflict with those here; tests/package runs the same calls',
  python: 'a program of an example in another language',
  sql: 'run on a server by tests/cli/{import-example,init}.test.ts; the query for passkeys needs tables of better-auth, and is not run',
}

/** One document, or one a line (NDJSON). */
function parseDocuments(text: string): void {
  const lines = text.trim().split('\n')
  if (lines.length > 1 && lines.every((line) => /^\{.*\}$/.test(line))) for (const line of lines) JSON.parse(line)
  else JSON.parse(text)
}

test('every block that is a copy of a file names one that exists', () => {
  const copies = blocks.flatMap(({ copyOf }) => copyOf ?? [])
  expect(copies.length).toBeGreaterThan(10)
  expect(copies.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('every code block of the documents has a check, or a reason for none', () => {
  const checked = (language: string) => compiled.test(language) || /^(sh|json|ya?ml)$/.test(language)
  const others = blocks.filter(({ language }) => !checked(language) && !Object.hasOwn(excused, language))
  expect(others.map(({ place, language }) => `${place}: ${language}`)).toEqual([])
  for (const { language, text } of blocks) if (/^ya?ml$/.test(language)) expect(() => parse(text)).not.toThrow()
  for (const { language, text, place } of blocks) if (language === 'json') expect(() => parseDocuments(text), place).not.toThrow()
})
