/** Collects the commands and options that the completion scripts offer. */
import {
  type ArgumentDefinition,
  argument,
  type Command,
  type CommandGroup,
  command,
  globalOptions,
  type OptionDefinition,
} from '../command.ts'

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

interface Word {
  readonly text: string
  readonly description: string
}

export interface CompletedOption {
  /** `-o`, `--out`. */
  readonly names: readonly string[]
  readonly description: string
  /** What may follow: nothing, one of these words, a file, or anything. */
  readonly value: 'none' | 'file' | 'any' | readonly string[]
}

/** One place on the command line: after `latchkey`, after `latchkey migrate`, after `latchkey migrate up`. */
export interface Position {
  /** Commands typed so far, separated by a space; empty at the beginning. */
  readonly path: string
  readonly words: readonly Word[]
  readonly options: readonly CompletedOption[]
  /** An argument is the path of a file or folder. */
  readonly takesFile: boolean
}

function findPositions(entries: readonly (Command | CommandGroup)[]): Position[] {
  const shared = [
    ...globalOptions.map(completedOption),
    { names: ['-h', '--help'], description: 'Show help', value: 'none' } as const,
  ]
  const leaf = (path: string, { arguments: given, options }: Command): Position => ({
    path,
    words: given.flatMap(({ choices = [], description }: ArgumentDefinition) => choices.map((text) => ({ text, description }))),
    options: [...options.map(completedOption), ...shared],
    takesFile: given.some(({ syntax }) => isPath(/\w+/.exec(syntax)?.[0])),
  })
  return [
    { path: '', words: entries.map(word), options: shared, takesFile: false },
    ...entries.flatMap((entry) =>
      'commands' in entry
        ? [
            { path: entry.name, words: entry.commands.map(word), options: shared, takesFile: false },
            ...entry.commands.map((command) => leaf(`${entry.name} ${command.name}`, command)),
          ]
        : [leaf(entry.name, entry)],
    ),
  ]
}

const word = ({ name, summary }: Command | CommandGroup): Word => ({ text: name, description: summary })

const isPath = (placeholder: string | undefined): boolean => placeholder === 'file' || placeholder === 'dir'

function completedOption({ flags, description, choices }: OptionDefinition): CompletedOption {
  const [, placeholder] = /[<[]([\w-]+)/.exec(flags) ?? []
  const names = flags.split(/[ ,]+/).filter((part) => part.startsWith('-'))
  return { names, description, value: placeholder === undefined ? 'none' : (choices ?? (isPath(placeholder) ? 'file' : 'any')) }
}

export const completion = command('completion', 'Generate a shell completion script', {
  examples: [
    'source <(latchkey completion bash)',
    'source <(latchkey completion zsh)',
    'latchkey completion fish | source',
    'latchkey completion powershell | Out-String | Invoke-Expression',
  ],
  arguments: { shell: { ...argument('<shell>', 'Shell to generate the script for', (z) => z.enum(shells)), choices: shells } },
  action: async ({ options, output }) => {
    const { chapters } = await import('../command-list.ts')
    const { completionScript } = await import('./completion-scripts.ts')
    const entries = await Promise.all(chapters.flatMap((chapter) => chapter.entries).map(({ load }) => load()))
    const script = completionScript(options.shell, findPositions(entries))
    output.result('completion/v1', { shell: options.shell, script }, script.trimEnd())
  },
})
