/** The commands as a page, made from the definitions that `--help` is made from. */
import type { Command, CommandGroup, OptionDefinition } from '../src/cli/command.ts'
import { chapters } from '../src/cli/commands/index.ts'
import { exitCodeMeanings } from '../src/cli/exit-codes.ts'
import { globalOptions } from '../src/cli/global-options.ts'

const heading = `# Command line

This page is made from the definitions behind \`--help\` (\`npm run docs\`). Data goes to standard output, everything else to
standard error; with \`--json\` standard output is exactly one JSON document (or one a line, for streams) with a member
\`schema\` such as \`seed/v1\`. A failure in JSON mode is a document \`error/v1\` with \`code\`, \`message\`, \`hint\`, \`docs\` and \`retryable\`. Questions
are asked only where standard input and output are terminals, and neither \`--no-input\` nor \`CI\` is set; elsewhere the missing
flags are listed and the exit code is 4. \`--yes\` never covers what destroys.
`

export async function cliReference(): Promise<string> {
  const pages: string[] = []
  for (const { title, entries } of chapters) {
    pages.push(`## ${title}\n`)
    for (const entry of entries) pages.push(...describe(await entry.load(), 'latchkey'))
  }
  const codes = Object.entries(exitCodeMeanings).map(([code, meaning]) => `| ${code} | ${meaning} |`)
  const exits = ['## Exit codes\n', '| code | meaning |', '| --- | --- |', ...codes, ''].join('\n')
  return [heading, '## Options of every command\n', optionTable(globalOptions), exits, ...pages].join('\n')
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
