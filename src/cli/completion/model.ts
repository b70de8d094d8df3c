/** What can be typed where, as data: the scripts for the shells are written from it. */
import type { ArgumentDefinition, Command, CommandGroup, OptionDefinition } from '../command.ts'

export interface Word {
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
  /** Commands typed so far, separated by a blank; empty at the beginning. */
  readonly path: string
  readonly words: readonly Word[]
  readonly options: readonly CompletedOption[]
}

/** @param globals the options of every command */
export function completionModel(entries: readonly (Command | CommandGroup)[], globals: readonly OptionDefinition[]): Position[] {
  const shared = [...globals.map(completedOption), { names: ['-h', '--help'], description: 'Show this', value: 'none' } as const]
  const leaf = (path: string, { arguments: given = [], options = [], deadline }: Command): Position => ({
    path,
    words: given.flatMap(({ choices = [], description }: ArgumentDefinition) => choices.map((text) => ({ text, description }))),
    options: [...options.map(completedOption), ...(deadline === undefined ? [] : [timeout]), ...shared],
  })
  return [
    { path: '', words: entries.map(word), options: shared },
    ...entries.flatMap((entry) =>
      'commands' in entry
        ? [
            { path: entry.name, words: entry.commands.map(word), options: shared },
            ...entry.commands.map((command) => leaf(`${entry.name} ${command.name}`, command)),
          ]
        : [leaf(entry.name, entry)],
    ),
  ]
}

const word = ({ name, summary }: Command | CommandGroup): Word => ({ text: name, description: summary })

const timeout: CompletedOption = { names: ['--timeout'], description: 'Give up after this time, in seconds', value: 'any' }

function completedOption({ flags, description, choices }: OptionDefinition): CompletedOption {
  const [, placeholder] = /[<[]([\w-]+)/.exec(flags) ?? []
  const names = flags.split(/[ ,]+/).filter((part) => part.startsWith('-'))
  const isFile = placeholder === 'file' || placeholder === 'dir'
  return { names, description, value: placeholder === undefined ? 'none' : (choices ?? (isFile ? 'file' : 'any')) }
}
