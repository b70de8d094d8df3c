/** Generates docs/cli.md from the definitions behind `--help`. */
import { type Command, type CommandGroup, globalOptions, type OptionDefinition } from '../src/cli/command.ts'
import { chapters, type Entry } from '../src/cli/command-list.ts'
import { exitCodeMeanings } from '../src/project/failure.ts'

const heading = `# Command line

Every command with its options and examples. This page is generated from the definitions behind \`--help\` (\`npm run docs\`).

- Data goes to standard output, everything else to standard error.
- With \`--json\`, standard output is exactly one JSON document, or one per line for streams. Its member \`schema\` names the
  format, such as \`seed/v1\`. A failure is a document \`error/v1\` with \`code\`, \`message\`, \`hint\`, \`docs\` and \`retryable\`.
- If the reader of standard output closes it early, as \`head\` does, a list or an export ends with 0 and says how many records it wrote.
- A command prompts only when standard input and output are terminals, and neither \`--no-input\` nor \`CI\` is set. Otherwise it
  lists the missing flags and exits with 4.
- \`--yes\` never confirms a destructive action.
`

export async function cliReference(): Promise<string> {
  const pages: string[] = []
  for (const { title, entries } of chapters) {
    pages.push(`## ${title}\n`)
    for (const entry of entries) {
      const loaded = await entry.load()
      checkEntry(entry, loaded)
      pages.push(...describe(loaded, 'latchkey'))
    }
  }
  const codes = Object.entries(exitCodeMeanings).map(([code, meaning]) => `| ${code} | ${meaning} |`)
  const exits = ['## Exit codes\n', '| code | meaning |', '| --- | --- |', ...codes, ''].join('\n')
  return [heading, '## Options of every command\n', optionTable(globalOptions), exits, ...pages].join('\n')
}

/** Node runs this script without checking types, so that a wrong definition would only fail somewhere below. */
function checkEntry({ name, summary }: Entry, loaded: Partial<Command & CommandGroup> | undefined): void {
  const isDefinition = Array.isArray(loaded?.examples) && (loaded.action !== undefined || Array.isArray(loaded.commands))
  if (isDefinition && loaded.name === name && loaded.summary === summary) return
  const expected = 'the result of command() or group(), with the same name and summary'
  throw new Error(`The entry ${name} of src/cli/command-list.ts must load ${expected}`)
}

function describe(command: Command | CommandGroup, parent: string): string[] {
  const name = `${parent} ${command.name}`
  const intro = [`### ${name}\n`, `${command.summary}.${command.description ? ` ${command.description}` : ''}\n`]
  if ('commands' in command) return [...intro, ...command.commands.flatMap((inner) => describe(inner, name))]
  const examples = ['```sh', ...command.examples, '```\n'].join('\n')
  const words = (command.arguments ?? []).map(({ syntax, description }) => `- \`${syntax}\`: ${description}`).join('\n')
  return [
    ...intro,
    examples,
    ...(words ? [`${words}\n`] : []),
    ...(command.options?.length ? [optionTable(command.options)] : []),
  ]
}

const optionTable = (options: readonly OptionDefinition[]) =>
  [
    '| option | meaning |',
    '| --- | --- |',
    ...options.map(({ flags, description }) => `| \`${flags.replaceAll('|', '\\|')}\` | ${description.replaceAll('|', '\\|')} |`),
    '',
  ].join('\n')
