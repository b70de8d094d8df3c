/**
 * What a command file exports. Definitions are read for every `--help`, so these files import nothing heavy: zod comes as
 * an argument, and everything else (`app.ts`, features, adapters, migrate) by `await import(…)` inside `action`.
 */
import type { z } from 'zod'
import type { OpenApp } from '../app.ts'
import type { Environment } from './environment.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { CliFailure } from './failure.ts'
import type { LoadConfigOptions, LoadedConfig } from './load-config.ts'
import type { Output } from './output.ts'
import type { Prompt } from './prompt.ts'

export type Zod = typeof z

export interface OptionDefinition {
  /** As commander reads them: `--workers <n>`, `-f, --follow`, `--no-name`. */
  readonly flags: string
  readonly description: string
  /** Values to choose from; also offered by shell completion. */
  readonly choices?: readonly string[]
  /** May be given more than once: the value is a list. */
  readonly repeatable?: boolean
}

export interface ArgumentDefinition {
  /** `<name>`, `[name]` or `[name...]`; its value is a member of the input under this name. */
  readonly syntax: string
  readonly description: string
  readonly choices?: readonly string[]
}

/** The flags that every command has. */
export interface GlobalOptions {
  readonly config: string | undefined
  readonly json: boolean
  readonly yes: boolean
  readonly input: boolean
  readonly quiet: boolean
  readonly debug: boolean
}

export interface OpenAppOptions extends Pick<LoadConfigOptions, 'overrides'> {
  /** Seconds to wait for a database that does not answer yet; default 0: one attempt. */
  readonly waitForDatabase?: number
}

/** What an action is given beside its options. */
export interface BaseContext {
  readonly global: GlobalOptions
  readonly output: Output
  readonly prompt: Prompt
  readonly cwd: string
  readonly env: Environment
  /** Aborted by SIGINT, SIGTERM and `--timeout`; a long action should end soon after. */
  readonly signal: AbortSignal
  /** Finds, imports, completes and checks the configuration. @throws CliFailure with exit code 8 */
  readonly loadConfig: (options?: Pick<LoadConfigOptions, 'overrides' | 'fallback'>) => Promise<LoadedConfig>
  /** The same, and opens what it names; the database has answered. Closed when the action has ended. @throws CliFailure 6, 8 */
  readonly openApp: (options?: OpenAppOptions) => Promise<OpenApp & { readonly loaded: LoadedConfig }>
}
export type Context<O> = BaseContext & { readonly options: O }

export interface CommandDefinition<O> {
  readonly name: string
  /** One line without a full stop. */
  readonly summary: string
  /** More sentences, shown by `--help` of this command. */
  readonly description?: string
  readonly examples: readonly string[]
  readonly arguments?: readonly ArgumentDefinition[]
  readonly options?: readonly OptionDefinition[]
  /** Those that this command may end with beside 0, 1, 2 and 130. */
  readonly exitCodes?: readonly ExitCode[]
  /** Seconds after which it ends with a failure; adds `--timeout`. Absent: the command bounds itself. */
  readonly deadline?: number
  /** The command handles SIGINT and SIGTERM itself. */
  readonly handlesSignals?: boolean
  /** The schema of its options and arguments by name: `--lock-timeout` is `lockTimeout`. */
  readonly input: (z: Zod) => z.ZodType<O>
  /** @returns the exit code; nothing is 0. Failures are thrown. */
  readonly action: (context: Context<O>) => Promise<ExitCode | undefined> | Promise<void>
}

/** A command whose options are of no concern any more. */
export interface Command extends Omit<CommandDefinition<never>, 'input' | 'action'> {
  readonly run: (input: unknown, context: BaseContext) => Promise<ExitCode>
}

/** Commands under one noun: `migrate up`. */
export interface CommandGroup {
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly examples: readonly string[]
  readonly commands: readonly Command[]
}

/** The input of a command without options. */
export const noOptions = (zod: Zod) => zod.object({})

/** Options are checked before anything else happens. @throws CliFailure from `run`, exit code 2 for a wrong option */
export function command<O>(definition: CommandDefinition<O>): Command {
  const { input, action, ...described } = definition
  return {
    ...described,
    run: async (given, context) => {
      const { z } = await import('zod')
      const parsed = input(z).safeParse(given)
      if (!parsed.success) throw usageFailure(parsed.error.issues, definition)
      return (await action({ ...context, options: parsed.data })) ?? exitCodes.done
    },
  }
}

type Described = Pick<CommandDefinition<never>, 'name' | 'options' | 'arguments'>

function usageFailure(issues: readonly z.core.$ZodIssue[], definition: Described): CliFailure {
  const details = issues.map((issue) => ({
    id: 'usage',
    path: writtenName(String(issue.path[0] ?? ''), definition),
    message: issue.message,
  }))
  const [first] = details
  return new CliFailure('USAGE', first ? `${first.path}: ${first.message}` : 'The options are wrong', {
    exitCode: exitCodes.usage,
    hint: 'Add --help to see what can be written.',
    details,
  })
}

/** `lockTimeout` → `--lock-timeout`, when there is such an option; else the name of the argument. */
function writtenName(name: string, { options, arguments: given }: Described): string {
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  if (options?.some(({ flags }) => flags.split(/[ ,]+/).includes(flag))) return flag
  return given?.find(({ syntax }) => syntax.replaceAll(/\W/g, '') === name)?.syntax ?? flag
}
