/**
 * `restart` without a closed port: the old daemon starts the new one, which loads its configuration first. Then the old one
 * gives up the project (lock, state, private listener) and hands over the listening socket, and drains once the new one serves.
 */
import type { Server } from 'node:net'
import { isObject } from '../lib/objects.ts'
import { Failure } from '../project/failure.ts'
import type { ConnectionHandover, PortOptions } from './connection-handover.ts'
import type { Daemon } from './daemon.ts'
import { type DaemonOptions, type DaemonProcess, followStart, spawnDaemon } from './detach.ts'
import type { Detached, Released } from './detached-process.ts'
import type { Address, Listener, ServingReport } from './messages.ts'
import { type ControlRoutes, openPrivateListener, type PrivateListener } from './private-listener.ts'
import { createStateFolder, type DaemonState, lockProject, removeState, wasKilled, writeState } from './state.ts'

/** What `latchkey restart` sends: it decides which program runs and in which environment. */
export interface RestartOrder extends DaemonProcess {
  readonly options: DaemonOptions
}

export const isRestartOrder = (value: unknown): value is RestartOrder =>
  isObject(value) && 'command' in value && 'env' in value && 'options' in value

/** The daemon that this process replaces. */
export interface Predecessor {
  readonly address: Address
  /** Waits until it has given up the project. @param adopt gets its listening sockets immediately, if it has the wanted ones */
  readonly release: (wanted: WantedPorts, adopt: (listener: Listener, server: Server) => void) => Promise<void>
}

/** The ports that a new daemon wants from its predecessor, which may have another version. */
export interface WantedPorts {
  /** Whether its public port is the same. */
  readonly takesPort: boolean
  /** Its private port. */
  readonly api?: PortOptions
}

export type DaemonSlot = ReturnType<typeof createDaemonSlot>

/** What only one daemon of a project can have: the lock, the state file and the private listeners. */
export function createDaemonSlot(directory: string) {
  const folder = createStateFolder(directory)
  let unlock: (() => void) | null = null
  let listener: PrivateListener | null = null
  let announced: DaemonState | null = null
  /** @returns whether the daemon before was killed @throws Failure ALREADY_RUNNING, STATE_FOLDER */
  const lock = (): boolean => {
    unlock = lockProject(directory)
    return wasKilled(directory)
  }
  const open = async ({ routes, connections }: Served): Promise<void> => {
    listener = await openPrivateListener(folder, routes, connections)
  }
  const applyPort = async (options: Parameters<PrivateListener['apply']>[0]): Promise<void> => listener?.apply(options)
  return {
    lock,
    open,
    applyPort,
    /** All of it, from another daemon. After `leave`, the state is the same as before. */
    take: async (served: Served, port: Parameters<PrivateListener['apply']>[0]): Promise<void> => {
      lock()
      await open(served)
      if (announced && listener) writeState(folder, { ...announced, ...socketsOf(listener) })
      await applyPort(port)
    },
    sockets: () => socketsOf(listener),
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

/** What the private listeners serve. */
interface Served {
  readonly routes: ControlRoutes
  readonly connections: ConnectionHandover
}

const socketsOf = (listener: PrivateListener | null): Pick<DaemonState, 'socket' | 'apiSocket'> => ({
  socket: listener?.socket ?? '',
  apiSocket: listener?.apiSocket ?? '',
})

interface SlotAndRoutes {
  readonly place: DaemonSlot
  readonly routes: ControlRoutes
}

/**
 * Opens the private and the public port once the first worker is ready. The port of a predecessor is adopted, not opened.
 * @returns the public port
 * @throws Failure as `listen`, ALREADY_RUNNING
 */
export async function openPorts(
  daemon: Daemon,
  { address: { host, port }, privateListener }: ServingReport,
  { place, routes, predecessor }: SlotAndRoutes & { readonly predecessor: Predecessor | null },
): Promise<number> {
  const { connections } = daemon
  if (!predecessor) {
    await applyPrivatePorts(daemon, place, privateListener)
    return connections.listen(host, port)
  }
  const { address, release } = predecessor
  const isSame = address.configuredHost === host && address.configuredPort === port
  // Before the release: when another program uses the new port, the predecessor continues.
  const opened = isSame ? address.port : await connections.listen(host, port)
  const { api } = privateListener
  await release({ takesPort: isSame, api }, (listener, server) =>
    listener === 'public' ? connections.adoptPort(server) : connections.adoptPrivatePort(server, api),
  )
  await place.take({ routes, connections }, privateListener)
  // Adopted, unless it is another port than that of the predecessor.
  await connections.applyPrivatePort(api)
  return opened
}

/** @throws Failure as `listen`; then they are as before */
export async function applyPrivatePorts(
  { connections, serving }: Daemon,
  place: DaemonSlot,
  options: ServingReport['privateListener'],
): Promise<void> {
  await place.applyPort(options)
  try {
    await connections.applyPrivatePort(options.api)
  } catch (error) {
    if (serving) await place.applyPort(serving.privateListener)
    throw error
  }
}

/**
 * Starts the daemon that replaces this one, and stops this one when the new one serves.
 * @throws Failure with the reason why it does not start; then this daemon continues
 */
export async function replaceDaemon(
  daemon: Daemon,
  { place, routes, stop }: SlotAndRoutes & { readonly stop: () => void },
  order: RestartOrder,
): Promise<Detached> {
  const { connections, serving } = daemon
  if (!serving || daemon.phase !== 'serving')
    throw new Failure('NOT_SERVING', 'The daemon is starting or stopping', { retryable: true })
  const { child } = spawnDaemon(order, order.options)
  let isReleased = false
  const onReady = (wanted: WantedPorts) => {
    isReleased = true
    place.leave({ finishes: true })
    const ports = connections.sharedPorts(wanted)
    if (ports.private) child.send({ type: 'released', listener: 'private-port' } satisfies Released, ports.private)
    child.send({ type: 'released' } satisfies Released, ports.public ?? undefined)
  }
  try {
    const started = await followStart(child, { options: order.options, replaces: serving.address }, { onReady })
    // After the response to the command.
    setImmediate(() => void connections.leavePorts().then(stop))
    return started
  } catch (error) {
    child.kill('SIGKILL')
    // The new daemon has failed although it was ready.
    if (isReleased) await place.take({ routes, connections }, serving.privateListener)
    throw error
  } finally {
    if (child.connected) child.disconnect()
    child.unref()
  }
}
