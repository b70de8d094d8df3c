/**
 * The ports of the API, which the supervisor owns, so that no connection is refused while workers are replaced. It hands each unread
 * connection to one worker and keeps its own descriptor until the worker confirms: when a worker ends first, the connection
 * goes to the next one. The round robin of `node:cluster` loses such connections, and closes the port with its last worker.
 */
import type { Worker } from 'node:cluster'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { isObject } from '../lib/objects.ts'
import { backlog, listen } from './listen.ts'
import type { Listener, ToWorker } from './messages.ts'

/** Connections that may wait for a worker. Further ones are closed, because their clients would give up before a worker is free. */
const maxWaitingConnections = 2048
/** A worker that confirms no connection for this long is stuck, or has no descriptors left and lost the connection. */
const confirmTimeoutMs = 5000

export type ConnectionHandover = ReturnType<typeof createConnectionHandover>

interface Connection {
  readonly listener: Listener
  readonly socket: Socket
}

interface State {
  readonly waiting: Connection[]
  readonly serving: Set<Worker>
  /** Workers without an unconfirmed connection, longest idle first. One connection at a time, so that a busy worker gets fewer. */
  readonly free: Set<Worker>
  readonly unconfirmed: Map<Worker, Connection & { readonly timer: NodeJS.Timeout }>
  readonly maxWaiting: number
  readonly events: { readonly onStuck: HandoverEvents['onStuck']; readonly onOverflow: () => void }
}

interface HandoverEvents {
  /**
   * A worker has not confirmed a connection in time. The callee must end that worker: only then can another one safely read from
   * the connection.
   */
  readonly onStuck: (worker: Worker) => void
  /** Connections were closed because too many wait for a worker; called at most once per minute with their number. */
  readonly onOverflow: (closed: number) => void
}

export function createConnectionHandover({ onStuck, onOverflow }: HandoverEvents) {
  // Half of the descriptors: the rest is for workers, logs and the private listener.
  const maxWaiting = Math.min(maxWaitingConnections, Math.floor(findDescriptorLimit() / 2))
  const events = { onStuck, onOverflow: oncePerMinute(onOverflow) }
  const state: State = { waiting: [], serving: new Set(), free: new Set(), unconfirmed: new Map(), maxWaiting, events }
  const createListener = (listener: Listener): Server =>
    // Paused: the worker reads everything that the client has sent.
    createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true }, (socket) => accept(state, { listener, socket }))
  return {
    ...createPorts(createListener, state),
    /** @returns a server that does not listen yet; workers serve its connections as well */
    createListener,
    /** The worker gets its share of the connections from now on. */
    addWorker: (worker: Worker): void => {
      state.serving.add(worker)
      state.free.add(worker)
      handOver(state)
    },
    /** The worker gets no more connections; one that was sent to it stays with it. */
    removeWorker: (worker: Worker): void => {
      state.serving.delete(worker)
      state.free.delete(worker)
    },
    /** The worker has received its connection. */
    confirm: (worker: Worker): void => {
      settle(state, worker)?.socket.destroy()
      if (state.serving.has(worker)) state.free.add(worker)
      handOver(state)
    },
    /** The worker has ended: the connection that it did not confirm goes to another one. */
    onExit: (worker: Worker): void => {
      state.serving.delete(worker)
      reassign(state, worker)
    },
  }
}

/** The public port, and that for the operator's own servers. The listening sockets outlive this process when another one takes them. */
function createPorts(createListener: (listener: Listener) => Server, { waiting }: State) {
  const server = createListener('public')
  let privatePort: Port<Server> | null = null
  const stop = (): void => {
    if (server.listening) server.close()
    privatePort?.server.close()
    privatePort = null
  }
  return {
    /** @returns the port, which the system chooses for 0 @throws Failure as `listen` */
    listen: (host: string, port: number) => listen(server, host, port, '--port, or server.port in the configuration'),
    /** Opens, moves or closes the private port as configured. @throws Failure as `listen`; then it is as before */
    applyPrivatePort: async (options: PortOptions): Promise<void> => {
      const moved = await movePort(privatePort, options, 'server.private.api.port', () => createListener('private-port'))
      if (moved !== privatePort) privatePort?.server.close()
      privatePort = moved
    },
    /** @returns the listening sockets for another process, which gets the connections that this one has not accepted */
    sharedPorts: (wanted: { readonly takesPort: boolean; readonly api?: PortOptions }) => ({
      public: wanted.takesPort ? server : null,
      private: privatePort && wanted.api && isSamePort(privatePort, wanted.api) ? privatePort.server : null,
    }),
    /** Listens on sockets of another process, without a moment in which nothing listens. */
    adoptPort: (received: Server): void => void server.listen(received, backlog),
    adoptPrivatePort: (received: Server, { host, port = 0 }: PortOptions): void => {
      privatePort = { server: createListener('private-port').listen(received, backlog), host, port }
    },
    /** Stops listening; resolves when every accepted connection has a worker. */
    leavePorts: async (): Promise<void> => {
      stop()
      while (waiting.length > 0) await pause(10)
    },
    /** Stops listening and closes the connections that wait for a worker. */
    close: (): void => {
      stop()
      for (const { socket } of waiting.splice(0)) socket.destroy()
    },
  }
}

function accept(state: State, connection: Connection): void {
  // The client may disconnect while it waits; `handOver` skips destroyed sockets.
  connection.socket.on('error', () => {})
  state.waiting.push(connection)
  handOver(state)
  if (state.waiting.length <= state.maxWaiting) return
  // The newest: the others have waited and are next.
  state.waiting.pop()?.socket.destroy()
  state.events.onOverflow()
}

function handOver(state: State): void {
  const { waiting, free, unconfirmed, events } = state
  for (;;) {
    const [worker] = free
    const connection = worker && waiting.shift()
    if (!connection) return
    const { listener, socket } = connection
    if (socket.destroyed) continue
    free.delete(worker)
    const expire = () => unconfirmed.get(worker)?.socket === socket && events.onStuck(worker)
    // `setImmediate`: after a pause of this process, confirmations that have arrived are read first.
    const timer = setTimeout(() => setImmediate(expire), confirmTimeoutMs)
    unconfirmed.set(worker, { ...connection, timer })
    const message: ToWorker = { type: 'connection', listener }
    worker.send(message, socket, { keepOpen: true }, (error) => {
      if (error) reassign(state, worker)
    })
  }
}

function settle({ unconfirmed }: State, worker: Worker): Connection | undefined {
  const handedOver = unconfirmed.get(worker)
  clearTimeout(handedOver?.timer)
  unconfirmed.delete(worker)
  return handedOver
}

function reassign(state: State, worker: Worker): void {
  const connection = settle(state, worker)
  state.free.delete(worker)
  if (connection) state.waiting.unshift(connection)
  handOver(state)
}

/** The limit of open files of this process; infinite if there is none, or the system does not report it. */
export function findDescriptorLimit(): number {
  // Without this the report waits for DNS lookups.
  const report: unknown = Object.assign(process.report, { excludeNetwork: true }).getReport()
  const limits = isObject(report) && isObject(report.userLimits) ? report.userLimits.open_files : undefined
  const limit = isObject(limits) ? limits.soft : undefined
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY
}

/** @returns a function that may be called often; it passes on the first call, then at most one per minute with their number */
export function oncePerMinute(report: (count: number) => void): () => void {
  let count = 0
  let last = Number.NEGATIVE_INFINITY
  return () => {
    count += 1
    if (performance.now() - last < 60_000) return
    last = performance.now()
    report(count)
    count = 0
  }
}

export interface PortOptions {
  readonly host: string
  /** Absent: none. */
  readonly port?: number | undefined
}
export interface Port<S extends Server> {
  readonly server: S
  readonly host: string
  readonly port: number
}

const isSamePort = (current: Port<Server>, { host, port }: PortOptions): boolean => current.host === host && current.port === port

/** @param option of the port, in the configuration @returns the same port if it has not changed @throws Failure as `listen` */
export async function movePort<S extends Server>(
  current: Port<S> | null,
  wanted: PortOptions,
  option: string,
  create: () => S,
): Promise<Port<S> | null> {
  const { host, port } = wanted
  if (port === undefined) return null
  if (current && isSamePort(current, wanted)) return current
  const server = create()
  await listen(server, host, port, `${option} in the configuration`)
  return { server, host, port }
}
