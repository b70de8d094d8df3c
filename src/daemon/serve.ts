/** What a worker does with the connections that the supervisor hands to it. */
import type { EventEmitter } from 'node:events'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { App } from '../core/app.ts'
import { createServer, type Health } from '../http/server.ts'
import { answerFault, answerUnreadable } from './refusals.ts'

/** Milliseconds. */
const timeouts = {
  /** Against those who send a byte a second. */
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  // Longer than the minute for which load balancers keep an idle connection: they should be the ones to end it.
  keepAliveTimeout: 65_000,
}

export interface PublicServer {
  /** @param socket unread so far */
  accept(socket: Socket): void
  /** Calls that came in since the start. */
  requests(): number
  /** From now on every answer is the last one of its connection. */
  startDraining(): void
  /**
   * Resolves when the last connection has ended.
   * @param idleGrace milliseconds that a connection without a call may stay, for a call that may be on its way
   * @param deadline milliseconds until everything is cut
   */
  drained(idleGrace: number, deadline: number): Promise<void>
}

export function createPublicServer(app: App, health: Health): PublicServer {
  const respond = getRequestListener(createServer(app, health).fetch, { errorHandler: (error) => answerFault(app, error) })
  const sockets = trackUntilClosed<Socket>()
  const answers = trackUntilClosed<ServerResponse>()
  let requests = 0
  let isDraining = false
  const server = createHttpServer({ ...timeouts, maxHeaderSize: 16_384 }, (incoming, outgoing) => {
    requests += 1
    answers.add(outgoing)
    if (isDraining) outgoing.setHeader('connection', 'close')
    void respond(incoming, outgoing)
  })
  server.on('clientError', answerUnreadable)
  // It never listens itself, and without this event it would not enforce its time-outs.
  server.emit('listening')

  return {
    accept: (socket) => {
      sockets.add(socket)
      // As `http.Server` does with connections of its own.
      socket.allowHalfOpen = true
      socket.setNoDelay(true)
      server.emit('connection', socket)
    },
    requests: () => requests,
    startDraining: () => {
      isDraining = true
      for (const outgoing of answers.open) if (!outgoing.headersSent) outgoing.setHeader('connection', 'close')
    },
    drained: async (idleGrace, deadline) => {
      const idle = setInterval(() => server.closeIdleConnections(), Math.max(idleGrace, 1))
      const cut = setTimeout(() => sockets.open.forEach((socket) => void socket.destroy()), deadline)
      await sockets.allClosed()
      clearInterval(idle)
      clearTimeout(cut)
    },
  }
}

interface Tracked<T> {
  readonly open: ReadonlySet<T>
  add(one: T): void
  allClosed(): Promise<void>
}

function trackUntilClosed<T extends EventEmitter>(): Tracked<T> {
  const open = new Set<T>()
  const empty = Promise.withResolvers<void>()
  let isAwaited = false
  const settle = () => {
    if (isAwaited && open.size === 0) empty.resolve()
  }
  return {
    open,
    add: (one) => {
      open.add(one)
      one.once('close', () => {
        open.delete(one)
        settle()
      })
    },
    allClosed: () => {
      isAwaited = true
      settle()
      return empty.promise
    },
  }
}
