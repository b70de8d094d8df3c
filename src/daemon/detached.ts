/** The process behind `start --detach`: a supervisor that owes nothing to the terminal it was started from. */
import { flushCompileCache } from 'node:module'
import { toFailure } from '../cli/describe-failure.ts'
import type { SupervisorOptions } from './daemon.ts'
import { packFailure } from './failures.ts'
import type { Failure } from './messages.ts'
import type { DaemonState } from './state.ts'
import { runSupervisor } from './supervisor.ts'

export type FromDetached =
  | { readonly type: 'serving'; readonly state: DaemonState; readonly workers: number }
  | { readonly type: 'refused'; readonly failure: Failure }

function tell(message: FromDetached): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  // Who started it may have gone meanwhile.
  if (process.send && process.connected) process.send(message, undefined, undefined, () => resolve())
  else resolve()
  return promise
}

const isOptions = (message: unknown): message is SupervisorOptions =>
  typeof message === 'object' && message !== null && 'directory' in message

async function run(options: SupervisorOptions): Promise<void> {
  try {
    const onServing = (state: DaemonState, { workers }: { workers: number }) => {
      flushCompileCache()
      void tell({ type: 'serving', state, workers }).then(() => process.connected && process.disconnect())
    }
    process.exitCode = await runSupervisor(options, { onServing })
  } catch (error) {
    await tell({ type: 'refused', failure: packFailure(await toFailure(error, null)) })
    process.exitCode = 1
  }
  process.exit()
}

process.title = 'latchkey'
process.once('message', (message) => {
  if (isOptions(message)) void run(message)
})
