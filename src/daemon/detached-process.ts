/** Entry point of the process that `start --detach` spawns: a supervisor without a terminal. */
import { flushCompileCache } from 'node:module'
import { toFailure } from '../project/failure.ts'
import type { SupervisorOptions } from './daemon.ts'
import { type PackedFailure, packFailure, type ServingReport, sendToParent } from './messages.ts'
import type { DaemonState } from './state.ts'
import { runSupervisor } from './supervisor.ts'

export type FromDetached =
  | ({ readonly type: 'serving'; readonly state: DaemonState } & Pick<ServingReport, 'workers' | 'pendingMigrations'>)
  | { readonly type: 'failed'; readonly failure: PackedFailure }

const send = (message: FromDetached): Promise<void> => sendToParent(message)

const isOptions = (message: unknown): message is SupervisorOptions =>
  typeof message === 'object' && message !== null && 'directory' in message

async function run(options: SupervisorOptions): Promise<void> {
  try {
    const onServing = (state: DaemonState, { workers, pendingMigrations }: ServingReport) => {
      flushCompileCache()
      void send({ type: 'serving', state, workers, pendingMigrations }).then(() => process.connected && process.disconnect())
    }
    process.exitCode = await runSupervisor(options, { onServing })
  } catch (error) {
    await send({ type: 'failed', failure: packFailure(await toFailure(error, null)) })
    process.exitCode = 1
  }
  process.exit()
}

process.title = 'latchkey'
process.once('message', (message) => {
  if (isOptions(message)) void run(message)
})
