/** Entry point of the process that `start --detach` and `restart` spawn: a supervisor without a terminal. */
import { flushCompileCache } from 'node:module'
import { Server } from 'node:net'
import { isObject } from '../lib/objects.ts'
import { toFailure } from '../project/failure.ts'
import type { SupervisorOptions } from './daemon.ts'
import { type Address, type PackedFailure, packFailure, type ServingReport, sendToParent } from './messages.ts'
import type { DaemonState } from './state.ts'
import type { Predecessor, WantedPorts } from './succession.ts'
import { runSupervisor } from './supervisor.ts'

export interface ToDetached {
  readonly options: SupervisorOptions
  /** The address of the parent, when this daemon replaces it. */
  readonly replaces?: Address
}
/** For the command that started the daemon. */
export interface Detached extends Pick<ServingReport, 'workers' | 'pendingMigrations'> {
  readonly state: DaemonState
}
export type FromDetached =
  | ({ readonly type: 'serving' } & Detached)
  | { readonly type: 'failed'; readonly failure: PackedFailure }
  /** The first worker is ready: the parent must give up the project, and the ports that are wanted. */
  | ({ readonly type: 'ready' } & WantedPorts)

const send = (message: FromDetached): Promise<void> => sendToParent(message)

const isOrder = (message: unknown): message is ToDetached => isObject(message) && 'options' in message

async function run({ options, replaces }: ToDetached): Promise<void> {
  try {
    const onServing = (state: DaemonState, { workers, pendingMigrations }: ServingReport) => {
      flushCompileCache()
      void send({ type: 'serving', state, workers, pendingMigrations }).then(() => process.connected && process.disconnect())
    }
    process.exitCode = await runSupervisor(options, { onServing }, replaces ? predecessorAt(replaces) : null)
  } catch (error) {
    await send({ type: 'failed', failure: packFailure(await toFailure(error, null)) })
    process.exitCode = 1
  }
  process.exit()
}

/** Carries a listening socket; the last one carries that of the public port, or none. */
export interface Released {
  readonly type: 'released'
  readonly listener?: 'private-port'
}
const isReleased = (message: unknown): message is Released =>
  isObject(message) && 'type' in message && message.type === 'released'

const predecessorAt = (address: Address): Predecessor => ({
  address,
  release: async (wanted, adopt) => {
    const released = Promise.withResolvers<void>()
    process.on('message', (message, handle) => {
      if (!isReleased(message)) return
      // In the tick in which the socket arrives, so no connection is accepted before it has an owner.
      if (handle instanceof Server) adopt(message.listener ?? 'public', handle)
      if (!message.listener) released.resolve()
    })
    await send({ type: 'ready', ...wanted })
    await released.promise
  },
})

process.title = 'latchkey'
process.once('message', (message) => {
  if (isOrder(message)) void run(message)
})
