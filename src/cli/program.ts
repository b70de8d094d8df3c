/** The program: builds commander's commands from the definitions and runs one of them. */
import { Argument, Command as Commander, CommanderError, Option } from 'commander'
import { version } from '../core/version.ts'
import { type ExitCode, exitCodes, type Failure, toFailure } from '../project/failure.ts'
import { type Command, type CommandGroup, type GlobalOptions, globalOptions, type OptionDefinition } from './command.ts'
import { chapters } from './command-list.ts'
import { type Described, formatHelp, shortHelp } from './help.ts'
import { createOutput, printFailure } from './output.ts'
import type { Host } from './run.ts'
import type { Typed } from './usage-errors.ts'

interface Leaf {
  readonly host: Host
  readonly setExitCode: (code: ExitCode) => void
}

/** Runs the program. The process ends with the exit code. @param args without the interpreter and the script */
export async function main(args: readonly string[]): Promise<void> {
  // An unfinished action with nothing left to wait for would otherwise end the process with success.
  process.once('exit', (code) => {
    if (code === exitCodes.done && !isDone) process.exitCode = exitCodes.failed
  })
  let isDone = false
  const exitCode = await runCli(args, { streams: process, cwd: process.cwd(), env: process.env })
  isDone = true
  await flush()
  process.exit(exitCode)
}

/**
 * Runs one command within this process, which continues afterwards. Failures are printed, never thrown.
 * @param host `env` receives the variables of `.env`; pass a copy unless it is `process.env`
 */
export async function runCli(args: readonly string[], host: Host): Promise<ExitCode> {
  try {
    return await parse(args, host)
  } catch (error) {
    const [json, debug] = [args.includes('--json'), args.includes('--debug')]
    const output = createOutput({ ...host, json, quiet: false, debug, color: true })
    const failure = error instanceof CommanderError ? await describeUsage(error, args) : await toFailure(error, null)
    printFailure(failure, output)
    return failure.exitCode
  }
}

async function parse(given: readonly string[], host: Host): Promise<ExitCode> {
  const args = await withoutHelpWord(given)
  if (args.length === 0) {
    host.streams.stdout.write(shortHelp(version, host))
    return exitCodes.done
  }
  let exitCode: ExitCode = exitCodes.done
  const program = await createProgram(args, host, (code) => {
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

/** Only the command in `args` is loaded; of the others name and summary are enough. */
async function createProgram(args: readonly string[], host: Host, setExitCode: Leaf['setExitCode']): Promise<Commander> {
  const leaf: Leaf = { host, setExitCode }
  const program = prepare(new Commander('latchkey'), host, {
    usage: 'latchkey <command> [options]',
    summary: 'Self-hosted authentication: accounts, sessions and organizations',
    examples: ['latchkey dev', 'latchkey init', 'latchkey migrate generate && latchkey migrate up', 'latchkey start --detach'],
    chapters,
  })
  program.version(version, '--version', 'Show the version')
  const [requested] = wordsIn(args)
  for (const option of globalOptions) program.addOption(createOption(option))
  for (const { name, summary, load } of entries) {
    program.addCommand(name === requested ? createEntry(await load(), 'latchkey', leaf) : new Commander(name).summary(summary))
  }
  return program
}

const entries = chapters.flatMap((chapter) => chapter.entries)
const isHelp = (arg: string): boolean => arg === '--help' || arg === '-h'

/** The words that are neither flags nor the value of one: first the command. */
const wordsIn = (args: readonly string[]): string[] =>
  args.filter((arg, position) => !arg.startsWith('-') && !['-c', '--config'].includes(args[position - 1] ?? ''))

/** `help migrate up` is `migrate up --help`. Without a command of this name, the flag is removed, so that the name is reported. */
async function withoutHelpWord(args: readonly string[]): Promise<readonly string[]> {
  const [first] = wordsIn(args)
  const isWord = first === 'help'
  const rest = isWord ? args.filter((_, position) => position !== args.indexOf('help')) : args
  if (!isWord && !rest.some(isHelp)) return args
  const [name, second] = wordsIn(rest)
  const entry = entries.find((each) => each.name === name)
  const loaded = await entry?.load()
  const isKnown =
    name === undefined ||
    (loaded && (!('commands' in loaded) || second === undefined || loaded.commands.some((each) => each.name === second)))
  const bare = rest.filter((arg) => !isHelp(arg))
  return isKnown ? [...bare, '--help'] : bare
}

/** What there is at the place of a usage error. */
async function describeTyped(args: readonly string[]): Promise<Typed> {
  const [first, second] = wordsIn(await withoutHelpWord(args))
  const entry = await entries.find(({ name }) => name === first)?.load()
  const commands = entry && 'commands' in entry ? entry.commands : undefined
  const command = commands ? commands.find(({ name }) => name === second) : entry
  const own = command && !('commands' in command) ? command.options : []
  return {
    group: commands ? first : undefined,
    commands: commands?.map(({ name }) => name) ?? [],
    options: [...['--version', '--help'], ...[...own, ...globalOptions].flatMap(({ flags }) => flags.match(/--[\w-]+/g) ?? [])],
    next: second,
    groups: entries.map(({ name }) => name),
  }
}

function createEntry(entry: Command | CommandGroup, parent: string, leaf: Leaf): Commander {
  if (!('commands' in entry)) return createLeaf(entry, parent, leaf)
  const usage = `${parent} ${entry.name} <command> [options]`
  const commander = prepare(new Commander(entry.name), leaf.host, { ...entry, usage })
  for (const command of entry.commands) commander.addCommand(createLeaf(command, `${parent} ${entry.name}`, leaf))
  return commander
}

function createLeaf(command: Command, parent: string, { host, setExitCode }: Leaf): Commander {
  const given = command.arguments
  const usage = [parent, command.name, ...given.map(({ syntax }) => syntax), '[options]'].join(' ')
  const commander = prepare(new Commander(command.name), host, { ...command, usage })
  for (const { syntax, description, choices } of given) {
    const argument = new Argument(syntax, description)
    commander.addArgument(choices ? argument.choices(choices) : argument)
  }
  for (const option of command.options) commander.addOption(createOption(option))
  return commander.action(async () => {
    const global = readGlobals(commander)
    const names = given.map(({ syntax }) => syntax.replaceAll(/\W/g, ''))
    const words = names.map((name, position): [string, unknown] => [name, commander.processedArgs[position]])
    const input = { ...Object.fromEntries(words), ...commander.opts() }
    const output = createOutput({ ...host, ...global, color: commander.optsWithGlobals().color !== false })
    const { runCommand } = await import('./run.ts')
    setExitCode(await runCommand(command, input, { ...host, global, output }))
  })
}

function prepare(commander: Commander, host: Host, described: Described): Commander {
  const { streams } = host
  return commander
    .summary(described.summary)
    .helpCommand(false)
    .helpOption('-h, --help', 'Show help')
    .configureHelp({
      showGlobalOptions: true,
      formatHelp: (shown, helper) => formatHelp(described, shown, helper, host),
    })
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => streams.stderr.write(text),
      outputError: () => {},
    })
    .exitOverride()
}

function createOption({ flags, description, choices, repeatable }: OptionDefinition): Option {
  const option = new Option(flags, description)
  if (choices) option.choices(choices)
  if (repeatable) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
  return option
}

function readGlobals(commander: Commander): GlobalOptions {
  const defaults: GlobalOptions = { config: undefined, json: false, yes: false, input: true, quiet: false, debug: false }
  return { ...defaults, ...commander.optsWithGlobals<Partial<GlobalOptions>>() }
}

/** Loaded here, because a correct command line does not need it. */
async function describeUsage(error: CommanderError, args: readonly string[]): Promise<Failure> {
  const { fromCommander } = await import('./usage-errors.ts')
  return fromCommander(error, await describeTyped(args))
}

/** Output to a pipe may still be buffered. */
const flush = (): Promise<unknown> =>
  Promise.all([process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))))
