/** The HTTP server of a worker, for the connections that the supervisor hands over, public and private ones. */
import type { EventEmitter } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { App } from '../core/app.ts'
import { isAmbiguous } from '../http/request.ts'
import { bareHeaders, createServer, type Health, unexpectedResponse } from '../http/server.ts'
import { findDescriptorLimit, oncePerMinute } from './connection-handover.ts'
import type { Listener } from './messages.ts'
import { isAuthorized } from './private-listener.ts'

/** In milliseconds, as Node's options. */
const timeouts = {
  /** Limits clients that send one byte per second. */
  headersTimeout: 15_000,
  // Bodies are small: half a minute would only help clients that hold connections open.
  requestTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  // Longer than the usual minute of load balancers, so that the load balancer closes idle connections, not this server.
  keepAliveTimeout: 65_000,
}

export interface APIServer {
  /**
   * @param socket an unread connection; when too many are open, the public one that has waited for longest for its client is closed
   * @param listener where it came in
   */
  accept(socket: Socket, listener: Listener): void
  /** Requests received since the start. */
  requests(): number
  /** From now on every response closes its connection. */
  startDraining(): void
  /**
   * Resolves when the last connection is closed.
   * @param idleTimeoutMs how long idle connections stay open, because a request may be on its way
   * @param timeoutMs after which all connections are closed
   */
  drained(idleTimeoutMs: number, timeoutMs: number): Promise<void>
}

export function createAPIServer(app: App, health: Health): APIServer {
  const responders = createResponders(app, health)
  /** Of the private connections. Every other one is public. */
  const listeners = new WeakMap<Socket, Listener>()
  const connections = createConnections(app)
  let requests = 0
  let isDraining = false
  const rejected = new WeakSet<Socket>()
  const server = createHttpServer({ ...timeouts, maxHeaderSize: 16_384 }, (incoming, outgoing) => {
    // What follows an ambiguous request may be its body; Node reads it before it closes the connection.
    if (rejected.has(incoming.socket)) return
    requests += 1
    connections.onRequest(incoming, outgoing)
    if (isDraining) outgoing.setHeader('connection', 'close')
    const respond = responders[listeners.get(incoming.socket) ?? 'public']
    if (isAmbiguous(incoming)) {
      rejected.add(incoming.socket)
      rejectAmbiguous(outgoing)
    } else respond(incoming, outgoing)
  })
  server.on('clientError', rejectUnreadable)
  // The server never listens itself; it enforces its timeouts only after this event.
  server.emit('listening')

  return {
    accept: (socket, listener) => {
      if (listener !== 'public') listeners.set(socket, listener)
      serveConnection(server, socket)
      connections.add(socket, listener)
    },
    requests: () => requests,
    startDraining: () => {
      isDraining = true
      for (const outgoing of connections.responses) if (!outgoing.headersSent) outgoing.setHeader('connection', 'close')
    },
    drained: (idleTimeoutMs, timeoutMs) => drain(server, connections.open, idleTimeoutMs, timeoutMs),
  }
}

async function drain(server: Server, open: ReadonlySet<Socket>, idleTimeoutMs: number, timeoutMs: number): Promise<void> {
  const closeIdle = setInterval(() => server.closeIdleConnections(), Math.max(idleTimeoutMs, 1))
  const closeAll = setTimeout(() => open.forEach((socket) => void socket.destroy()), timeoutMs)
  for (const socket of open) await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(closeIdle)
  clearTimeout(closeAll)
}

type Responder = (incoming: IncomingMessage, outgoing: ServerResponse) => void

function createResponders(app: App, health: Health): Readonly<Record<Listener, Responder>> {
  const { token } = app.config.server.private.api
  const create = (options: Parameters<typeof createServer>[2]) =>
    getRequestListener(createServer(app, health, options).fetch, { errorHandler: (error) => toResponse(app, error) })
  const respondPrivate = create({ isPrivileged: true })
  const onSocket: Responder = (incoming, outgoing) => {
    // The token of the listener is not a session token.
    delete incoming.headers.authorization
    void respondPrivate(incoming, outgoing)
  }
  return {
    public: create({}),
    'private-socket': onSocket,
    'private-port': (incoming, outgoing) => {
      // Without a configured token no request has it.
      if (token !== undefined && isAuthorized(incoming, token)) onSocket(incoming, outgoing)
      else outgoing.writeHead(401, { ...bareHeaders, 'www-authenticate': 'Bearer' }).end(unauthorized)
    },
  }
}

const unauthorized = '{"code":"UNAUTHORIZED","message":"Unauthorized"}'

/** The open connections, of which too many close the public one that has waited for longest for its client. */
function createConnections({ log }: App) {
  const maxConnections = findMaxConnections()
  const open = new Set<Socket>()
  const waiting = createWaiting()
  const responses = new Set<ServerResponse>()
  const warn = oncePerMinute((closed) =>
    log.warn({ open: open.size, maxConnections, closed }, 'Too many open connections: waiting ones were closed'),
  )
  return {
    open,
    responses,
    add: (socket: Socket, listener: Listener): void => {
      track(open, socket)
      if (listener === 'public') waiting.add(socket)
      if (open.size <= maxConnections) return
      // A flood of silent connections, unfinished bodies or unread responses must not lock out clients that send a request
      // immediately.
      const closed = waiting.findLongest() ?? socket
      closed.destroy()
      warn()
    },
    onRequest: (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      waiting.onRequest(incoming, outgoing)
      responses.add(outgoing)
      outgoing.once('close', () => {
        responses.delete(outgoing)
        waiting.onResponse(outgoing, incoming.socket)
      })
    },
  }
}

/** About a millisecond of work. A flood of new connections must not cost more than it does harm. */
const maxSearched = 10_000

/** Connections that wait for their client: for a request, for the rest of its body, or until it has read the response. */
function createWaiting() {
  /** Longest first. Also those whose call is running: they keep their place, or a new connection would be the longest. */
  const waiting = new Set<Socket>()
  /** The last response of a connection, until it is sent. */
  const running = new WeakMap<Socket, ServerResponse>()
  const moveToEnd = (socket: Socket): void => {
    if (waiting.delete(socket) && !socket.destroyed) waiting.add(socket)
  }
  const isWaiting = (socket: Socket): boolean => {
    const response = running.get(socket)
    return !response?.req.complete || response.writableEnded
  }
  return {
    add: (socket: Socket): void => track(waiting, socket),
    onRequest: ({ socket }: IncomingMessage, outgoing: ServerResponse): void => {
      moveToEnd(socket)
      running.set(socket, outgoing)
    },
    onResponse: (outgoing: ServerResponse, socket: Socket): void => {
      moveToEnd(socket)
      if (running.get(socket) === outgoing) running.delete(socket)
    },
    findLongest: (): Socket | undefined => {
      let left = maxSearched
      for (const socket of waiting) {
        if (isWaiting(socket)) return socket
        left -= 1
        if (left === 0) return undefined
      }
    },
  }
}

function serveConnection(server: Server, socket: Socket): void {
  // `http.Server` sets the same for connections that it accepts itself.
  socket.allowHalfOpen = true
  socket.setNoDelay(true)
  server.emit('connection', socket)
}

/** Adds it to the set until it is closed. */
function track<T extends EventEmitter>(open: Set<T>, one: T): void {
  open.add(one)
  one.once('close', () => open.delete(one))
}

/** At least 100 descriptors are left for database, Redis, logs and outgoing calls. */
const findMaxConnections = (): number => {
  const limit = findDescriptorLimit()
  return Math.max(16, Math.floor(limit - Math.max(100, limit / 4)))
}

/** For an invalid host header or target, or an internal error. */
function toResponse(app: App, error: unknown): Response {
  if (error instanceof RequestError)
    return Response.json({ code: 'BAD_REQUEST', message: 'Bad Request' }, { status: 400, headers: bareHeaders })
  return unexpectedResponse(app, error, 'A request failed before it reached its route')
}

const rejectAmbiguous = (outgoing: ServerResponse) =>
  outgoing.writeHead(400, { ...bareHeaders, connection: 'close' }).end('{"code":"BAD_REQUEST","message":"Bad Request"}')

const unreadable: Readonly<Record<string, readonly [status: string, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'REQUEST_HEADER_FIELDS_TOO_LARGE',
    'Request header fields too large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'REQUEST_TIMEOUT', 'Request timeout'],
}

/** For input that is not HTTP (RFC 9112 §3), after which the connection is unusable. */
function rejectUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, code, message] = unreadable[error.code ?? ''] ?? ['400 Bad Request', 'BAD_REQUEST', 'Bad Request']
  const body = JSON.stringify({ code, message })
  const head = [
    `HTTP/1.1 ${status}`,
    ...Object.entries(bareHeaders).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${[...head, 'connection: close'].join('\r\n')}\r\n\r\n${body}`)
  // Such a client may never close the connection; closing it immediately could discard the response.
  setTimeout(() => socket.destroy(), 1000).unref()
}
