/**
 * The public port: held by the supervisor from the first worker to the last, so that nobody is refused while workers come
 * and go. Each connection is handed, unread, to one worker after another, and is kept here until the worker has confirmed
 * it: of a worker that ends first it goes to the next, or waits for one.
 */
import type { Worker } from 'node:cluster'
import { createServer, type Socket } from 'node:net'
import { listenFailure } from './failures.ts'
import type { ToWorker } from './messages.ts'

/** Beyond it the newest is turned away: who waits that long has given up anyway. */
const longestQueue = 2048

export interface Connections {
  /** @returns the port, which the system chooses when 0 is asked for @throws CliFailure as `listenFailure` */
  listen(host: string, port: number): Promise<number>
  /** The worker serves: it gets its share from now on. */
  add(worker: Worker): void
  /** The worker gets no more; what it was given it has, or will confirm. */
  remove(worker: Worker): void
  /** The worker has what it was given. */
  confirm(worker: Worker): void
  /** The worker has ended. */
  forget(worker: Worker): void
  /** Accepts nothing more. */
  close(): void
}

interface State {
  readonly waiting: Socket[]
  /** Those that can take one, the one that has waited longest first; one at a time, so that a busy worker gets fewer. */
  readonly free: Set<Worker>
  readonly serving: Set<Worker>
  readonly given: Map<Worker, Socket>
}

export function createConnections(): Connections {
  const state: State = { waiting: [], free: new Set(), serving: new Set(), given: new Map() }
  // Unread: what a client has sent already is the worker's to read.
  const server = createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true }, (socket) => receive(state, socket))
  return {
    listen: (host, port) => listening(server, host, port),
    add: (worker) => {
      state.serving.add(worker)
      state.free.add(worker)
      handOut(state)
    },
    remove: (worker) => {
      state.serving.delete(worker)
      state.free.delete(worker)
    },
    confirm: (worker) => {
      state.given.get(worker)?.destroy()
      state.given.delete(worker)
      if (state.serving.has(worker)) state.free.add(worker)
      handOut(state)
    },
    forget: (worker) => {
      state.serving.delete(worker)
      takeBack(state, worker)
    },
    close: () => {
      if (server.listening) server.close()
      for (const socket of state.waiting.splice(0)) socket.destroy()
    },
  }
}

function receive(state: State, socket: Socket): void {
  // A client that goes away while it waits; there is nobody to tell.
  socket.on('error', () => {})
  if (state.waiting.length >= longestQueue) socket.destroy()
  else state.waiting.push(socket)
  handOut(state)
}

function handOut(state: State): void {
  const { waiting, free, given } = state
  for (;;) {
    const [worker] = free
    const socket = worker && waiting.shift()
    if (!socket) return
    if (socket.destroyed) continue
    free.delete(worker)
    given.set(worker, socket)
    const message: ToWorker = { type: 'connection' }
    // `keepOpen`: two processes hold it until one of them is sure.
    worker.send(message, socket, { keepOpen: true }, (error) => {
      if (error) takeBack(state, worker)
    })
  }
}

function takeBack(state: State, worker: Worker): void {
  const socket = state.given.get(worker)
  state.given.delete(worker)
  state.free.delete(worker)
  if (socket) state.waiting.unshift(socket)
  handOut(state)
}

async function listening(server: ReturnType<typeof createServer>, host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  // Node's own default is 511, which a burst of new connections can fill while this process does something else.
  server.listen({ host, port, backlog: 4096 }, resolve)
  try {
    await promise
  } catch (error) {
    throw listenFailure(error, host, port, '--port, or server.port in the configuration')
  }
  server.off('error', reject)
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}
