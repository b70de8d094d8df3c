/** The program: commander's commands made from the definitions, and the end of the process. */
import { Argument, Command as Commander, CommanderError, Option } from 'commander'
import { version } from '../core/version.ts'
import type { Command, CommandGroup, GlobalOptions, OptionDefinition } from './command.ts'
import { chapters } from './commands/index.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { CliFailure } from './failure.ts'
import { globalOptions } from './global-options.ts'
import { type Described, formatHelp, shortHelp } from './help.ts'
import { createOutput, type Output } from './output.ts'

type SetExitCode = (code: ExitCode) => void

/** @param args without the interpreter and the script; the process ends when it is done */
export async function main(args: readonly string[]): Promise<void> {
  // An unfinished action with nothing left to wait for would otherwise end the process with success.
  process.once('exit', (code) => {
    if (code === exitCodes.done && !isDone) process.exitCode = exitCodes.failed
  })
  let isDone = false
  let exitCode: ExitCode
  try {
    exitCode = await parse(args)
  } catch (error) {
    const output = outputFor({ json: args.includes('--json'), quiet: false, debug: args.includes('--debug') }, true)
    const { printFailure, toFailure } = await import('./describe-failure.ts')
    const failure = error instanceof CommanderError ? usageFailure(error) : await toFailure(error, null)
    printFailure(failure, output)
    exitCode = failure.exitCode
  }
  isDone = true
  await flush()
  process.exit(exitCode)
}

async function parse(args: readonly string[]): Promise<ExitCode> {
  if (args.length === 0) {
    process.stdout.write(shortHelp(version))
    return exitCodes.done
  }
  let exitCode: ExitCode = exitCodes.done
  const program = await createProgram(args, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done
    throw error
  }
}

/** Commands other than the one that `args` ask for are known by name and summary only. */
async function createProgram(args: readonly string[], setExitCode: SetExitCode): Promise<Commander> {
  const program = prepare(new Commander('latchkey'), {
    usage: 'latchkey <command> [options]',
    summary: 'Accounts, sessions and organizations of your own',
    examples: ['latchkey dev', 'latchkey init', 'latchkey migrate generate && latchkey migrate up', 'latchkey start --detach'],
    chapters,
  })
  program.version(version, '--version', 'Show the version')
  const asked = commandIn(args)
  for (const option of globalOptions) program.addOption(createOption(option))
  for (const { name, summary, load } of chapters.flatMap(({ entries }) => entries)) {
    program.addCommand(name === asked ? createEntry(await load(), 'latchkey', setExitCode) : new Commander(name).summary(summary))
  }
  return program
}

/** The first word that is neither a flag nor the value of one; after `help` the one behind it. */
function commandIn(args: readonly string[]): string | undefined {
  const isWord = (arg: string, position: number) => !arg.startsWith('-') && !['-c', '--config'].includes(args[position - 1] ?? '')
  const [first, second] = args.filter(isWord)
  return first === 'help' ? second : first
}

function createEntry(entry: Command | CommandGroup, parent: string, setExitCode: SetExitCode): Commander {
  if (!('commands' in entry)) return createLeaf(entry, parent, setExitCode)
  const usage = `${parent} ${entry.name} <command> [options]`
  const commander = prepare(new Commander(entry.name), { ...entry, usage })
  for (const command of entry.commands) commander.addCommand(createLeaf(command, `${parent} ${entry.name}`, setExitCode))
  return commander
}

function createLeaf(command: Command, parent: string, setExitCode: SetExitCode): Commander {
  const given = command.arguments ?? []
  const options = [...(command.options ?? []), ...deadlineOption(command)]
  const usage = [parent, command.name, ...given.map(({ syntax }) => syntax), '[options]'].join(' ')
  const commander = prepare(new Commander(command.name), { ...command, usage, exitCodes: command.exitCodes ?? [] })
  for (const { syntax, description, choices } of given) {
    const argument = new Argument(syntax, description)
    commander.addArgument(choices ? argument.choices(choices) : argument)
  }
  for (const option of options) commander.addOption(createOption(option))
  return commander.action(async () => {
    const global = readGlobals(commander)
    const input = {
      ...argumentsOf(
        commander,
        given.map(({ syntax }) => syntax.replaceAll(/\W/g, '')),
      ),
      ...commander.opts(),
    }
    const output = outputFor(global, commander.optsWithGlobals().color !== false)
    const { runCommand } = await import('./run.ts')
    setExitCode(await runCommand(command, input, { global, output, streams: process, cwd: process.cwd(), env: process.env }))
  })
}

const argumentsOf = (commander: Commander, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name, position): [string, unknown] => [name, commander.processedArgs[position]]))

const deadlineOption = ({ deadline }: Command): OptionDefinition[] =>
  deadline === undefined ? [] : [{ flags: '--timeout <seconds>', description: `Give up after this time; default: ${deadline}` }]

function prepare(commander: Commander, described: Described): Commander {
  return commander
    .summary(described.summary)
    .helpOption('-h, --help', 'Show this')
    .configureHelp({ showGlobalOptions: true, formatHelp: (shown, helper) => formatHelp(described, shown, helper) })
    .configureOutput({ outputError: () => {} })
    .exitOverride()
}

function createOption({ flags, description, choices, repeatable }: OptionDefinition): Option {
  const option = new Option(flags, description)
  if (choices) option.choices(choices)
  if (repeatable) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
  return option
}

function readGlobals(commander: Commander): GlobalOptions {
  const { config, json, yes, input, quiet, debug } = commander.optsWithGlobals()
  return {
    config: typeof config === 'string' ? config : undefined,
    json: json === true,
    yes: yes === true,
    input: input !== false,
    quiet: quiet === true,
    debug: debug === true,
  }
}

const outputFor = ({ json, quiet, debug }: Pick<GlobalOptions, 'json' | 'quiet' | 'debug'>, color: boolean): Output =>
  createOutput({ json, quiet, debug, color, env: process.env, streams: process })

function usageFailure(error: CommanderError): CliFailure {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n')
  // A group without its command: the help is already on standard error.
  if (error.code === 'commander.help') return new CliFailure('USAGE', 'A command is missing', { exitCode: exitCodes.usage })
  const hint = suggestion ? suggestion.replaceAll(/[()]/g, '') : 'Add --help to see what can be written.'
  return new CliFailure('USAGE', message.charAt(0).toUpperCase() + message.slice(1), { exitCode: exitCodes.usage, hint })
}

/** What is written to a pipe may still be on its way. */
const flush = (): Promise<unknown> =>
  Promise.all([process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))))
