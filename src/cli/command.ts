/**
 * Commands as data, for help, docs and completion. Files with commands load for `--help` too, so they import nothing heavy: zod
 * is passed as an argument; `action` imports `app.ts`, features, adapters and migrate with `await import(…)`.
 */
import type { z } from 'zod'
import type { OpenApp, OpenOptions } from '../app.ts'
import type { Environment } from '../project/environment.ts'
import { type ExitCode, exitCodes, Failure } from '../project/failure.ts'
import type { LoadConfigOptions, LoadedConfig } from '../project/load-config.ts'
import type { SchemaUse } from '../project/schema-check.ts'
import type { Output, Streams } from './output.ts'
import type { Prompt } from './prompt.ts'
import { withValue } from './wrong-value.ts'

export type Zod = typeof z

export interface OptionDefinition {
  /** In commander's syntax: `--workers <n>`, `-f, --follow`, `--no-name`. */
  readonly flags: string
  readonly description: string
  /** Allowed values, also for shell completion. */
  readonly choices?: readonly string[]
  /** Repeated options collect a list. */
  readonly repeatable?: boolean
}

export interface ArgumentDefinition {
  /** `<name>`, `[name]` or `[name...]`; its value is a member of the input under this name. */
  readonly syntax: string
  readonly description: string
  readonly choices?: readonly string[]
}

/** What an option or argument accepts. */
interface Accepts<T> {
  readonly schema: (z: Zod) => z.ZodType<T>
}
export type Option<T = unknown> = OptionDefinition & Accepts<T>
export type Argument<T = unknown> = ArgumentDefinition & Accepts<T>
type NoInputs = Readonly<Record<never, never>>
/** The checked values of options and arguments. */
export type ValuesOf<I> = { readonly [name in keyof I]: I[name] extends Accepts<infer T> ? T : never }

/** The values of the options of every command. */
export interface GlobalOptions {
  readonly config: string | undefined
  readonly json: boolean
  readonly yes: boolean
  readonly input: boolean
  readonly quiet: boolean
  readonly debug: boolean
}

/** What an action receives. */
export interface Context<O = unknown> {
  readonly options: O
  readonly global: GlobalOptions
  readonly output: Output
  readonly prompt: Prompt
  readonly stdin: Streams['stdin']
  readonly cwd: string
  readonly env: Environment
  /** Aborted by SIGINT, SIGTERM and `--timeout`; a long action should end soon after. */
  readonly signal: AbortSignal
  /** The value of `--wait-for-db`, in seconds. `openApp` and `openReadyApp` wait that long. */
  readonly waitForDatabase: number
  /** Finds, imports, completes and checks the configuration. @throws Failure with exit code 8 */
  readonly loadConfig: (options?: ConfigOptions) => Promise<LoadedConfig>
  /** Loads the configuration and connects to its database; closed after the action. @throws Failure 6, 8 */
  readonly openApp: (options?: ConfigOptions) => Promise<OpenApp & { readonly loaded: LoadedConfig }>
  /**
   * Opens the app on a database with the tables that the command uses. A reading command changes no table.
   * @throws Failure MIGRATIONS_NOT_GENERATED, MIGRATIONS_PENDING, and as `openApp`
   */
  readonly openReadyApp: (use: ReadyAppUse) => Promise<Pick<OpenApp, 'app' | 'database'> & { readonly loaded: LoadedConfig }>
}

type ConfigOptions = Pick<LoadConfigOptions, 'overrides' | 'needs'> & Pick<OpenOptions, 'tablePrefix'>

export interface ReadyAppUse extends Pick<SchemaUse, 'tables'>, Pick<OpenOptions, 'tablePrefix'> {
  readonly mode: 'write' | 'read'
}

interface CommandText {
  /** More sentences for `--help`. */
  readonly description?: string
  readonly examples: readonly string[]
  /** Exit codes other than 0, 1, 2 and 130. */
  readonly exitCodes?: readonly ExitCode[]
  /** Default of `--timeout`, in seconds. Absent: the command has no `--timeout`, or handles it itself. */
  readonly deadline?: number
  /** The command handles SIGINT and SIGTERM itself. */
  readonly handlesSignals?: boolean
}

interface CommandDefinition<A, O> extends CommandText {
  /** By name: `[file]` is `file`. */
  readonly arguments?: A
  /** By name: `--lock-timeout` is `lockTimeout`. */
  readonly options?: O
  /** Adds `--wait-for-db`, and the exit codes 6 and 8. */
  readonly usesDatabase?: boolean
  /** @returns the exit code, 0 if none. Failures are thrown. */
  readonly action: (context: Context<ValuesOf<A & O>>) => Promise<ExitCode | undefined> | Promise<void>
}

/** A command without the types of its options. */
export interface Command extends CommandText {
  readonly name: string
  /** One line without a full stop. */
  readonly summary: string
  readonly arguments: readonly ArgumentDefinition[]
  readonly options: readonly OptionDefinition[]
  /** Checks options and arguments. @throws Failure USAGE */
  parse(given: object): Promise<Readonly<Record<string, unknown>>>
  action(context: Context): Promise<ExitCode | undefined> | Promise<void>
}

/** Commands under one noun: `migrate up`. */
export interface CommandGroup {
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly examples: readonly string[]
  readonly commands: readonly Command[]
}

/** A command with the options of its definition, `--wait-for-db` and `--timeout`. @param summary one line without a full stop */
export function command<
  A extends Readonly<Record<string, Argument>> = NoInputs,
  O extends Readonly<Record<string, Option>> = NoInputs,
>(name: string, summary: string, definition: CommandDefinition<A, O>): Command {
  const { usesDatabase, deadline, exitCodes: codes = [], ...described } = definition
  const options: Readonly<Record<string, Option>> = {
    ...described.options,
    ...(usesDatabase && { waitForDb: waitForDatabaseOption }),
    ...(deadline !== undefined && { timeout: timeoutOption(deadline) }),
  }
  const inputs: Readonly<Record<string, Option | Argument>> = { ...described.arguments, ...options }
  return {
    ...definition,
    name,
    summary,
    arguments: Object.values(described.arguments ?? {}),
    options: Object.values(options),
    exitCodes: usesDatabase ? [...codes, exitCodes.unreachable, exitCodes.configInvalid] : codes,
    parse: async (given) => {
      const { z } = await import('zod')
      const shape = Object.fromEntries(Object.entries(inputs).map(([name, { schema }]) => [name, schema(z)]))
      const parsed = z.object(shape).safeParse(given)
      if (parsed.success) return parsed.data
      throw inputError(
        parsed.error.issues.map(({ path: [name = '', at], message }) => ({
          path: written(inputs[String(name)]),
          message: withValue(
            message,
            at === undefined ? Reflect.get(given, name) : Reflect.get(Object(Reflect.get(given, name)), at),
          ),
        })),
      )
    },
  }
}

/** `--lock-timeout`, or `[file]`. */
function written(input: Option | Argument | undefined): string {
  if (!input) return ''
  return 'syntax' in input ? input.syntax : (/--[\w-]+/.exec(input.flags)?.[0] ?? input.flags)
}

/** A usage error that names each wrong option or argument. */
export function inputError(issues: readonly { readonly path: string; readonly message: string }[]): Failure {
  const [first] = issues
  const message = issues.length === 1 ? `${first?.path}: ${first?.message}` : `${issues.length} options or arguments are wrong`
  return new Failure('USAGE', message, {
    exitCode: exitCodes.usage,
    hint: 'Add --help to see the options.',
    details: issues.map((issue) => ({ id: 'usage', ...issue })),
  })
}

/** @param summary one line without a full stop */
export const group = (name: string, summary: string, definition: Omit<CommandGroup, 'name' | 'summary'>): CommandGroup => ({
  name,
  summary,
  ...definition,
})

/** An option with a value. */
export const option = <T>(flags: string, description: string, schema: (z: Zod) => z.ZodType<T>): Option<T> => ({
  flags,
  description,
  schema,
})

/** An argument by position. */
export const argument = <T>(syntax: string, description: string, schema: (z: Zod) => z.ZodType<T>): Argument<T> => ({
  syntax,
  description,
  schema,
})

/** A flag without a value. */
export const flag = (flags: string, description: string) => option(flags, description, (z) => z.boolean().default(false))

/** An optional text. */
export const text = (flags: string, description: string) => option(flags, description, (z) => z.string().optional())

/** An option that may be given several times. */
export const list = (flags: string, description: string, schema = (z: Zod) => z.string()) => ({
  ...option(flags, description, (z) => z.array(schema(z)).default([])),
  repeatable: true,
})

/** A whole number from `min` to `max`. */
export const wholeNumber = (z: Zod, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, `expected a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `expected a whole number from ${min} to ${max}`)

/** A time in seconds, up to a day. */
export const seconds = (z: Zod) => wholeNumber(z, 0, 86_400)

export const waitForDatabaseOption = option('--wait-for-db <seconds>', 'Wait this long for an unreachable database [0]', (z) =>
  seconds(z).default(0),
)

const timeoutOption = (deadline: number) =>
  option('--timeout <seconds>', `Stop after this time [${deadline}]`, (z) => {
    const expected = 'expected seconds, from 1 to 86400'
    return z.coerce.number(expected).positive(expected).max(86_400, expected).default(deadline)
  })

export const globalOptions: readonly OptionDefinition[] = [
  {
    flags: '-c, --config <file>',
    description: 'Configuration file [auth.config.ts or config/auth.config.ts, in this folder or a parent]',
  },
  { flags: '--json', description: 'Print JSON' },
  { flags: '-y, --yes', description: 'Accept defaults without prompting (never for destructive actions)' },
  { flags: '--no-input', description: 'Never prompt; fail if input is needed' },
  { flags: '-q, --quiet', description: 'Print only results, warnings and errors' },
  { flags: '--debug', description: 'Print stack traces and debug messages' },
  { flags: '--no-color', description: 'Disable colors, as NO_COLOR does' },
]
