/** Runs one command: streams, signals, deadline, configuration and app on demand, and its exit code. */
import { once } from 'node:events'
import { userInfo } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenApp } from '../app.ts'
import type { Actor } from '../core/app.ts'
import type { Environment } from '../project/environment.ts'
import { type ExitCode, exitCodes, Failure, interrupted, toFailure } from '../project/failure.ts'
import { loadConfig } from '../project/load-config.ts'
import type { Command, Context, GlobalOptions } from './command.ts'
import { type Output, printFailure, type Streams } from './output.ts'
import { createPrompt } from './prompt.ts'

/** What a command uses of the process that it runs in. */
export interface Host {
  readonly streams: Streams
  readonly cwd: string
  readonly env: Environment
}

export interface RunOptions extends Host {
  readonly global: GlobalOptions
  readonly output: Output
}

/** Time for an interrupted action to clean up, and for connections to close. */
const graceMs = 2000

/**
 * @param given options and arguments as typed
 * @returns the exit code, after printing a failure
 */
export async function runCommand(command: Command, given: object, options: RunOptions): Promise<ExitCode> {
  const ending = new AbortController()
  const opened: OpenApp[] = []
  const cleanups = [listenForSignals(command, ending)]
  try {
    const values = await command.parse(given)
    if (command.deadline !== undefined) cleanups.push(startDeadline(Number(values.timeout), ending))
    const context = createContext(values, options, { signal: ending.signal, opened })
    return (await Promise.race([command.action(context), afterGrace(ending.signal)])) ?? exitCodes.done
  } catch (error) {
    const reason = ending.signal.aborted ? ending.signal.reason : error
    const isUnreachable = (thrown: unknown) => opened.some(({ database }) => database.errors.isUnreachable(thrown))
    const failure = await toFailure(reason, opened.length === 0 ? null : isUnreachable)
    printFailure(failure, options.output)
    return failure.exitCode
  } finally {
    for (const cleanUp of cleanups) cleanUp()
    await closeAll(opened)
  }
}

function createContext(
  options: Readonly<Record<string, unknown>>,
  { global, output, streams, cwd, env }: RunOptions,
  { signal, opened }: { readonly signal: AbortSignal; readonly opened: OpenApp[] },
): Context {
  const isInteractive = streams.stdin.isTTY === true && streams.stdout.isTTY === true
  const isAllowed = isInteractive && global.input && !global.json && !isCI(env)
  const onBlocked = (failure: Failure) => printFailure(failure, output)
  const context: Context = {
    options,
    global,
    output,
    prompt: createPrompt({ isAllowed, yes: global.yes, streams, signal }),
    stdin: streams.stdin,
    cwd,
    env,
    signal,
    waitForDatabase: Number(options.waitForDb ?? 0),
    loadConfig: (more) => loadConfig({ cwd, env, configFlag: global.config, onBlocked, ...more }),
    openApp: async (more) => {
      const loaded = await context.loadConfig(more)
      const { openCommandApp } = await import('./ready-app.ts')
      const app = await openCommandApp(loaded, context, { actor: operator(env), tablePrefix: more?.tablePrefix })
      opened.push(app)
      return { ...app, loaded }
    },
    openReadyApp: async (use) => (await import('./ready-app.ts')).openReadyApp(context, use),
  }
  return context
}

const isCI = (env: Environment): boolean => Boolean(env.CI) && env.CI !== 'false' && env.CI !== '0'

/** In some containers the user has no name. */
function operator(env: Environment): Actor {
  try {
    return { kind: 'operator', name: userInfo().username }
  } catch {
    return { kind: 'operator', name: env.USER ?? String(process.getuid?.() ?? 'unknown') }
  }
}

async function closeAll(apps: readonly OpenApp[]): Promise<void> {
  // Connections to an unreachable server may take long to close; the process ends anyway.
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, graceMs)
  await Promise.race([Promise.allSettled(apps.map((app) => app.close())), promise])
  clearTimeout(timer)
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

function startDeadline(seconds: number, ending: AbortController): () => void {
  const timeout = new Failure('TIMEOUT', `Timed out after ${seconds} seconds`, {
    hint: 'Set a longer --timeout.',
    retryable: true,
  })
  const timer = setTimeout(() => ending.abort(timeout), seconds * 1000)
  return () => clearTimeout(timer)
}

/** Rejects only after the grace time, so that an action that ends cleanly decides the result. */
async function afterGrace(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort')
  await pause(graceMs)
  throw signal.reason
}
