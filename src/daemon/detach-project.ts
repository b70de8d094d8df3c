/** `start --detach`, and the second half of `restart`. */
import { resolve } from 'node:path'
import type { BaseContext } from '../cli/command.ts'
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts'
import type { SupervisorOptions } from './daemon.ts'
import { startDetached } from './detach.ts'
import { alreadyRunning, findDaemon } from './state.ts'

type Flags = Pick<SupervisorOptions, 'overrides' | 'migrate' | 'acknowledge' | 'waitForDatabase'>

interface DetachContext extends Pick<BaseContext, 'global' | 'output' | 'cwd' | 'env' | 'loadConfig'> {
  /** What happens when the configuration has been found good. */
  readonly before?: () => Promise<void>
  readonly schema?: string
}

/** @throws CliFailure why it does not serve; the end of its log is on standard error then */
export async function detachDaemon(flags: Flags, context: DetachContext): Promise<ExitCode> {
  const { output, env, before, schema = 'start/v1' } = context
  // Loading adds what `.env` says, and the daemon must read that anew with every reload.
  const environment = { ...env }
  const { config, file, directory } = await context.loadConfig({ overrides: flags.overrides })
  const log = resolve(directory, config.log.file)
  await before?.()
  const running = findDaemon(directory)
  if (running) throw alreadyRunning(running)
  const { signal, forget } = interruption()
  try {
    const options = { ...flags, mode: 'detached' as const, cwd: directory, config: file, directory, log }
    const { state, workers } = await startDetached({
      ...options,
      env: environment,
      signal,
      onLogLines: (lines) => showLog(output, log, lines),
    })
    const { pid, url, host, port } = state
    output.result(schema, { detached: true, pid, url, host, port, workers, log }, [
      `Serving ${url}: process ${pid}, ${workers === 1 ? 'one worker' : `${workers} workers`}`,
      `Log ${log}`,
    ])
    output.info('Next: latchkey status, latchkey logs -f, latchkey reload, latchkey stop')
    return exitCodes.done
  } catch (error) {
    if (signal.aborted) return exitCodes.interrupted
    throw error
  } finally {
    forget()
  }
}

function showLog(output: BaseContext['output'], log: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  output.error(`The last lines of ${log}:`)
  for (const line of lines) output.error(`  ${line}`)
}

/** Ctrl-C while it starts ends it. */
function interruption(): { readonly signal: AbortSignal; readonly forget: () => void } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  process.once('SIGINT', abort).once('SIGTERM', abort)
  return { signal: controller.signal, forget: () => void process.off('SIGINT', abort).off('SIGTERM', abort) }
}
