/** Every code block of the documents is checked: compiled, parsed, or excused by its language. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Command, CommandGroup, OptionDefinition } from '../../src/cli/command.ts'
import { globalOptions } from '../../src/cli/command.ts'
import { chapters } from '../../src/cli/command-list.ts'
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

/** Checked by `snippets.test.ts`. */
const compiled = /^(tsx?|jsx?|vue|svelte)$/
/** Why no test parses them. */
const excused: Readonly<Record<string, string>> = {
  '': 'output of a command',
  text: 'output of a command, or a pattern',
  mermaid: 'a diagram',
  dockerfile: 'lines of a Dockerfile of the reader',
  html: 'a part of a page of the reader',
  perl: 'a program of an example in another language',
  python: 'a program of an example in another language',
  sql: 'statements for a MySQL server of the reader, with its own names',
}

/** The words of each `latchkey` command in a shell block; lines that continue are joined. */
function commandLines(text: string): string[][] {
  const joined = text.replaceAll(/\\\n\s*/g, ' ')
  return joined.split('\n').flatMap((line) => {
    const code = line.replace(/^\s*#.*|\s#\s.*$/, '')
    return [...code.matchAll(/(?:^|[\s(])(?:npx )?latchkey((?:\s+(?:'[^']*'|"[^"]*"|[^\s|&;)>'"]+))*)/g)].flatMap(
      ([, words = '']) => {
        const list = words.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? []
        // As in `sudo -u latchkey latchkey status`.
        const command = list.slice(list.lastIndexOf('latchkey') + 1)
        return /^[a-z]/.test(command[0] ?? '') ? [command] : []
      },
    )
  })
}

const entries = new Map(chapters.flatMap(({ entries }) => entries.map((entry) => [entry.name, entry] as const)))
const isGroup = (found: Command | CommandGroup): found is CommandGroup => 'commands' in found
const flagsOf = (options: readonly OptionDefinition[]) => options.flatMap(({ flags }) => flags.match(/--?[a-z][\w-]*/g) ?? [])

/** @returns what is wrong with the words after `latchkey`; null: nothing */
async function faultOf([name = '', ...rest]: readonly string[]): Promise<string | null> {
  if (name === 'help') return null
  const entry = entries.get(name)
  if (!entry) return `there is no command ${name}`
  const loaded = await entry.load()
  const found = isGroup(loaded) ? loaded.commands.find((each) => each.name === rest[0]) : loaded
  if (!found) return rest.length === 0 || rest[0]?.startsWith('-') ? null : `there is no command ${name} ${rest[0]}`
  const known = new Set([...flagsOf(found.options), ...flagsOf(globalOptions), '-h', '--help', '--no-color'])
  const unknown = rest.filter((word) => /^-{1,2}[a-z]/.test(word)).map((word) => word.replace(/=.*/, ''))
  const wrong = unknown.find((flag) => !known.has(flag))
  return wrong === undefined ? null : `${name}: there is no option ${wrong}`
}

test('every command in the documents exists, with its options', async () => {
  const shell = blocks.filter(({ language }) => language === 'sh')
  const lines = shell.flatMap(({ place, text }) => commandLines(text).map((words) => ({ place, words })))
  expect(lines.length).toBeGreaterThan(150)
  const faults = await Promise.all(
    lines.map(async ({ place, words }) => {
      const fault = await faultOf(words)
      return fault === null ? [] : [`${place}: ${fault}`]
    }),
  )
  expect(faults.flat()).toEqual([])
})

test('every code block of the documents has a check, or a reason for none', () => {
  const checked = (language: string) => compiled.test(language) || /^(sh|json|ya?ml)$/.test(language)
  const others = blocks.filter(({ language }) => !checked(language) && !Object.hasOwn(excused, language))
  expect(others.map(({ place, language }) => `${place}: ${language}`)).toEqual([])
  for (const { language, text } of blocks) if (/^ya?ml$/.test(language)) expect(() => parse(text)).not.toThrow()
  for (const { language, text, place } of blocks) if (language === 'json') expect(() => JSON.parse(text), place).not.toThrow()
})
