/** The texts of `--help`: purpose, examples, arguments, flags in groups, exit codes, where to read on. At most 80 columns. */
import type { Command as Commander, Help, Option } from 'commander'
import type { ArgumentDefinition, Command } from './command.ts'
import type { Chapter } from './commands/index.ts'
import { type ExitCode, exitCodeMeanings } from './exit-codes.ts'

const columns = 80
const docs = 'Docs: docs/cli.md'

/** Those that every command may end with. */
const commonExitCodes: readonly ExitCode[] = [0, 1, 2, 130]

type Row = readonly [term: string, text: string]

/** `chapters` only for the program itself. */
export interface Described {
  readonly usage: string
  readonly summary: string
  readonly description?: string
  readonly examples: readonly string[]
  readonly arguments?: readonly ArgumentDefinition[]
  readonly exitCodes?: readonly ExitCode[]
  readonly commands?: readonly Command[]
  readonly chapters?: readonly Chapter[]
}

export function formatHelp(described: Described, commander: Commander, helper: Help): string {
  const own = helper.visibleOptions(commander).filter((option) => option.long !== '--help')
  const shared = helper.visibleGlobalOptions(commander).filter((option) => option.long !== '--version')
  const sections = [
    `${described.summary}.`,
    described.description ? wrap(described.description, '') : '',
    `Usage: ${described.usage}`,
    list('Examples', described.examples),
    table('Arguments', (described.arguments ?? []).map(argumentRow)),
    ...(described.chapters ?? []).map(({ title, entries }) => table(title, entries.map(commandRow))),
    table('Commands', (described.commands ?? []).map(commandRow)),
    commander.parent ? table('Options', own.map(optionRow)) : '',
    table('Options of every command', [...(commander.parent ? shared : own).map(optionRow), ['-h, --help', 'Show this']]),
    described.commands ? '' : exitCodeTable(described.exitCodes),
    docs,
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

export function shortHelp(version: string): string {
  const rows: Row[] = [
    ['latchkey dev', 'Try it here and now, with nothing else installed'],
    ['latchkey init', 'Write a configuration'],
    ['latchkey migrate up', 'Bring the database up to date'],
    ['latchkey start --detach', 'Start the daemon'],
    ['latchkey doctor', 'Find out what is wrong, and how to mend it'],
    ['latchkey --help', 'All commands'],
  ]
  return `latchkey ${version}: accounts, sessions and organizations of your own.\n\n${rowsOf(rows)}\n`
}

const exitCodeTable = (codes: readonly ExitCode[] | undefined): string => {
  const shown = codes
    ? [...commonExitCodes, ...codes].sort((a, b) => a - b)
    : (Object.keys(exitCodeMeanings).map(Number) as ExitCode[])
  return table(
    'Exit codes',
    shown.map((code) => [String(code), exitCodeMeanings[code]]),
  )
}

const argumentRow = ({ syntax, description, choices }: ArgumentDefinition): Row => [syntax, withChoices(description, choices)]
const optionRow = (option: Option): Row => [option.flags, withChoices(option.description, option.argChoices)]
const withChoices = (text: string, choices: readonly string[] | undefined) => (choices ? `${text} (${choices.join(', ')})` : text)
const commandRow = ({ name, summary }: { readonly name: string; readonly summary: string }): Row => [name, summary]

const list = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`
const table = (title: string, rows: readonly Row[]) => (rows.length === 0 ? '' : `${title}:\n${rowsOf(rows)}`)

/** Terms in one column; a term that is too long for it has its text below. */
function rowsOf(rows: readonly Row[]): string {
  const width = Math.min(28, Math.max(...rows.map(([term]) => term.length)))
  const indent = ' '.repeat(width + 4)
  return rows
    .map(([term, text]) => {
      const below = wrap(text, indent)
      return term.length > width ? `  ${term}\n${indent}${below}` : `  ${term.padEnd(width)}  ${below}`
    })
    .join('\n')
}

/** @param indent of all lines but the first, which stands behind a term of the same width */
function wrap(text: string, indent: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line && indent.length + line.length + 1 + word.length > columns) {
      lines.push(line)
      line = word
    } else line = line ? `${line} ${word}` : word
  }
  return [...lines, line].join(`\n${indent}`)
}
