/**
 * `restart` without a closed port: the old daemon starts the new one, which loads its configuration first. Then the old one
 * gives up the project (lock, state, private listener) and hands over the listening socket, and drains once the new one serves.
 */
import type { Server } from 'node:net'
import { isObject } from '../lib/objects.ts'
import { Failure } from '../project/failure.ts'
import type { Daemon } from './daemon.ts'
import { type DaemonOptions, type DaemonProcess, followStart, spawnDaemon } from './detach.ts'
import type { Detached } from './detached-process.ts'
import type { Address, ServingReport } from './messages.ts'
import { openPrivateListener, type PrivateListener, type PrivateRoutes } from './private-listener.ts'
import { createStateFolder, type DaemonState, lockProject, removeState, writeState } from './state.ts'

/** What `latchkey restart` sends: it decides which program runs and in which environment. */
export interface RestartOrder extends DaemonProcess {
  readonly options: DaemonOptions
}

export const isRestartOrder = (value: unknown): value is RestartOrder =>
  isObject(value) && 'command' in value && 'env' in value && 'options' in value

/** The daemon that this process replaces. */
export interface Predecessor {
  readonly address: Address
  /** Waits until it has given up the project. @param adopt gets its listening socket immediately; null to leave the port closed */
  readonly release: (adopt: ((server: Server) => void) | null) => Promise<void>
}

export type Place = ReturnType<typeof createPlace>

/** What only one daemon of a project can have: the lock, the state file and the private listener. */
export function createPlace(directory: string) {
  const folder = createStateFolder(directory)
  let unlock: (() => void) | null = null
  let listener: PrivateListener | null = null
  let announced: DaemonState | null = null
  /** @throws Failure ALREADY_RUNNING, STATE_FOLDER */
  const lock = (): void => {
    unlock = lockProject(directory)
  }
  const open = async (routes: PrivateRoutes): Promise<void> => {
    listener = await openPrivateListener(folder, routes)
  }
  /** @throws Failure as `listen` */
  const applyPort = async (options: Parameters<PrivateListener['apply']>[0]): Promise<void> => listener?.apply(options)
  return {
    lock,
    open,
    applyPort,
    /** All of it, from another daemon. After `leave`, the state is the same as before. */
    take: async (routes: PrivateRoutes, port: Parameters<PrivateListener['apply']>[0]): Promise<void> => {
      lock()
      await open(routes)
      if (announced && listener) writeState(folder, { ...announced, socket: listener.socket })
      await applyPort(port)
    },
    socket: (): string => listener?.socket ?? '',
    announce: (state: DaemonState): void => {
      announced = state
      writeState(folder, state)
    },
    /** For another daemon; requests to the private listener that have begun get a response. */
    leave: (options: { finishes?: boolean } = {}): void => {
      listener?.close(options)
      removeState(folder, process.pid)
      unlock?.()
      listener = null
      unlock = null
    },
  }
}

interface Holding {
  readonly place: Place
  readonly routes: PrivateRoutes
}

/**
 * Opens the private and the public port once the first worker is ready. The port of a predecessor is adopted, not opened.
 * @returns the public port
 * @throws Failure as `listen`, ALREADY_RUNNING
 */
export async function openPorts(
  { connections }: Daemon,
  { address: { host, port }, privateListener }: ServingReport,
  { place, routes, predecessor }: Holding & { readonly predecessor: Predecessor | null },
): Promise<number> {
  if (!predecessor) {
    await place.applyPort(privateListener)
    return connections.listen(host, port)
  }
  const { address, release } = predecessor
  const isSame = address.configuredHost === host && address.configuredPort === port
  // Before the release: when another program uses the new port, the predecessor continues.
  const opened = isSame ? address.port : await connections.listen(host, port)
  await release(isSame ? connections.adoptPort : null)
  await place.take(routes, privateListener)
  return opened
}

/**
 * Starts the daemon that replaces this one, and stops this one when the new one serves.
 * @throws Failure with the reason why it does not start; then this daemon continues
 */
export async function replaceDaemon(
  daemon: Daemon,
  { place, routes, stop }: Holding & { readonly stop: () => void },
  order: RestartOrder,
): Promise<Detached> {
  const { connections, serving } = daemon
  if (!serving || daemon.phase !== 'serving')
    throw new Failure('NOT_SERVING', 'The daemon is starting or stopping', { retryable: true })
  const { child } = spawnDaemon(order, order.options)
  let isReleased = false
  const onReady = (takesPort: boolean) => {
    isReleased = true
    place.leave({ finishes: true })
    if (takesPort) connections.sendPort((server) => void child.send({ type: 'released' }, server))
    else child.send({ type: 'released' })
  }
  try {
    const started = await followStart(child, { options: order.options, replaces: serving.address }, { onReady })
    // After the response to the command.
    setImmediate(() => void connections.leavePort().then(stop))
    return started
  } catch (error) {
    child.kill('SIGKILL')
    // The new daemon has failed although it was ready.
    if (isReleased) await place.take(routes, serving.privateListener)
    throw error
  } finally {
    if (child.connected) child.disconnect()
    child.unref()
  }
}
