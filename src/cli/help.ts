/** The layout of `--help`: examples first, options in groups, exit codes, 80 columns. */
import { type Command as Commander, Help, type Option } from 'commander'
import { type ExitCode, exitCodeMeanings } from '../project/failure.ts'
import type { ArgumentDefinition, Command } from './command.ts'
import type { Chapter } from './command-list.ts'
import { createTyped, type Place } from './invocation.ts'
import { docsPath } from './output.ts'

/** Every command may end with these. */
const commonExitCodes: readonly ExitCode[] = [0, 1, 2, 130]

type Row = readonly [term: string, text: string]

/** Only the program itself has `chapters`. */
export interface Described extends Pick<Command, 'summary' | 'description' | 'examples' | 'exitCodes'> {
  readonly arguments?: readonly ArgumentDefinition[]
  readonly usage: string
  readonly commands?: readonly Command[]
  readonly chapters?: readonly Chapter[]
}

/** Wraps and aligns as commander does. */
const layout = Object.assign(new Help(), { helpWidth: 80 })

export function formatHelp(described: Described, commander: Commander, helper: Help, { cwd, env }: Place): string {
  const typed = createTyped({ cwd, env })
  const withPaths = (text: string) => text.replaceAll(/docs\/([\w-]+\.md)/g, (_, page: string) => docsPath(page, cwd))
  const own = helper.visibleOptions(commander).filter((option) => option.long !== '--help')
  const shared = helper.visibleGlobalOptions(commander).filter((option) => option.long !== '--version')
  const { summary, description, usage, examples, chapters = [], commands } = described
  const sections = [
    `${summary}.`,
    description ? layout.boxWrap(withPaths(typed(description)), 80) : '',
    `Usage: ${typed(usage)}`,
    ['Examples:', ...examples.map((line) => `  ${typed(line)}`)].join('\n'),
    table('Arguments', (described.arguments ?? []).map(argumentRow)),
    ...chapters.map(({ title, entries }) => table(title, entries.map(commandRow))),
    table('Commands', (commands ?? []).map(commandRow)),
    commander.parent ? table('Options', own.map(optionRow)) : '',
    table('Options of every command', [...(commander.parent ? shared : own).map(optionRow), ['-h, --help', 'Show help']]),
    commands ? '' : exitCodeTable(described.exitCodes),
    withPaths('Docs: docs/cli.md'),
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

export function shortHelp(version: string, place: Place): string {
  const typed = createTyped(place)
  const rows: Row[] = [
    ['latchkey dev', 'Try it: a server with an embedded database'],
    ['latchkey init', 'Create a configuration'],
    ['latchkey migrate up', 'Apply pending migrations'],
    ['latchkey start --detach', 'Start the daemon'],
    ['latchkey doctor', 'Diagnose problems and suggest fixes'],
    ['latchkey --help', 'List all commands'],
  ]
  return `latchkey ${version}: self-hosted authentication.\n\n${rowsOf(rows.map(([term, text]) => [typed(term), text]))}\n`
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

const table = (title: string, rows: readonly Row[]) => (rows.length === 0 ? '' : `${title}:\n${rowsOf(rows)}`)

function rowsOf(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([term]) => term.length))
  return rows.map(([term, text]) => layout.formatItem(term, width, text, layout)).join('\n')
}
