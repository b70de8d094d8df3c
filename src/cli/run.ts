/** The life of a command: streams, signals, deadline, the configuration and `app` on demand, and one style of ending. */
import { userInfo } from 'node:os'
import type { Actor } from '../core/app.ts'
import type { BaseContext, Command, GlobalOptions, OpenAppOptions } from './command.ts'
import { printFailure, toFailure, type Unreachable } from './describe-failure.ts'
import type { Environment } from './environment.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { CliFailure } from './failure.ts'
import { loadConfig } from './load-config.ts'
import type { Output, Streams } from './output.ts'
import { createPrompt, interrupted } from './prompt.ts'

export interface RunOptions {
  readonly global: GlobalOptions
  readonly output: Output
  readonly streams: Streams
  readonly cwd: string
  readonly env: Environment
}

/** Milliseconds that an interrupted action has to leave things in order. */
const grace = 2000

/**
 * @param input options and arguments as they were written
 * @returns the exit code; a failure has been printed
 */
export async function runCommand(
  command: Command,
  input: Readonly<Record<string, unknown>>,
  options: RunOptions,
): Promise<ExitCode> {
  const ending = new AbortController()
  const opened = createOpened()
  const forget = [listenForSignals(command, ending)]
  try {
    forget.push(startDeadline(command, input, ending))
    const context = createContext(options, ending.signal, opened)
    return await Promise.race([command.run(input, context), afterGrace(ending.signal)])
  } catch (error) {
    const reason = ending.signal.aborted ? ending.signal.reason : error
    const failure = await toFailure(reason, opened.isUnreachable())
    printFailure(failure, options.output)
    return failure.exitCode
  } finally {
    for (const stop of forget) stop()
    await opened.close()
  }
}

function createContext({ global, output, streams, cwd, env }: RunOptions, signal: AbortSignal, opened: Opened): BaseContext {
  const isInteractive = streams.stdin.isTTY === true && streams.stdout.isTTY === true
  const isAllowed = isInteractive && global.input && !global.json && !isCI(env)
  const load: BaseContext['loadConfig'] = (more) => loadConfig({ cwd, env, configFlag: global.config, ...more })
  return {
    global,
    output,
    prompt: createPrompt({ isAllowed, yes: global.yes, streams, signal }),
    cwd,
    env,
    signal,
    loadConfig: load,
    openApp: async (more: OpenAppOptions = {}) => {
      const loaded = await load(more)
      const { openCommandApp } = await import('./open-app.ts')
      const app = await openCommandApp(loaded, { ...more, global, output, actor: operator(env), signal })
      opened.add(app)
      return { ...app, loaded }
    },
  }
}

const isCI = (env: Environment): boolean => Boolean(env.CI) && env.CI !== 'false' && env.CI !== '0'

/** The name is for the record of who did what; not every container has one for its user. */
function operator(env: Environment): Actor {
  try {
    return { kind: 'operator', name: userInfo().username }
  } catch {
    return { kind: 'operator', name: env.USER ?? String(process.getuid?.() ?? 'unknown') }
  }
}

interface Closable {
  readonly database: { readonly errors: { isUnreachable(error: unknown): boolean } }
  close(): Promise<void>
}
interface Opened {
  add(app: Closable): void
  isUnreachable(): Unreachable
  close(): Promise<void>
}

function createOpened(): Opened {
  const apps: Closable[] = []
  return {
    add: (app) => void apps.push(app),
    isUnreachable: () =>
      apps.length === 0 ? null : (error) => apps.some(({ database }) => database.errors.isUnreachable(error)),
    close: async () => {
      // A server that is away may keep its connections open for long; the process ends anyway.
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, 2000)
      await Promise.race([Promise.allSettled(apps.map((app) => app.close())), promise])
      clearTimeout(timer)
    },
  }
}

function listenForSignals(command: Command, ending: AbortController): () => void {
  if (command.handlesSignals) return () => {}
  const end = () => {
    if (ending.signal.aborted) process.exit(exitCodes.interrupted)
    ending.abort(interrupted())
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, end)
  return () => {
    for (const signal of signals) process.off(signal, end)
  }
}

function startDeadline(command: Command, input: Readonly<Record<string, unknown>>, ending: AbortController): () => void {
  if (command.deadline === undefined) return () => {}
  const seconds = Number(input.timeout ?? command.deadline)
  if (!(seconds > 0 && seconds <= 86_400)) {
    throw new CliFailure('USAGE', '--timeout: expected seconds, from 1 to 86400', { exitCode: exitCodes.usage })
  }
  const late = new CliFailure('TIMEOUT', `Not done after ${seconds} seconds`, {
    hint: 'Give it longer with --timeout.',
    retryable: true,
  })
  const timer = setTimeout(() => ending.abort(late), seconds * 1000)
  return () => clearTimeout(timer)
}

async function afterGrace(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  // The reason is rejected with at the end of the grace only: a clean end of the action comes first.
  const startGrace = () => void setTimeout(() => reject(signal.reason), grace)
  signal.addEventListener('abort', startGrace, { once: true })
  return promise
}
