/** The HTTP server of a worker, for the connections that the supervisor hands over, public and private ones. */
import { createServer as createHttpServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { App } from '../core/app.ts'
import { isWaitingForMove } from '../features/move/index.ts'
import { badRequest, createListener, type RequestListener, type Whole, write } from '../http/listener.ts'
import { isAmbiguous } from '../http/request.ts'
import { bareHeaders, createServer, type Health } from '../http/server.ts'
import { type Connection, createConnections } from './connections.ts'
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
  const connections = createConnections(app.log)
  const { open } = connections
  let requests = 0
  let isDraining = false
  const server = createHttpServer({ ...timeouts, maxHeaderSize: 16_384 }, (incoming, outgoing) => {
    const connection = open.get(incoming.socket)
    // What follows an ambiguous request may be its body; Node reads it before it closes the connection.
    if (!connection || connection.isRejected) return
    requests += 1
    connections.onRequest(connection, outgoing)
    if (isDraining) outgoing.setHeader('connection', 'close')
    connection.isRejected = isAmbiguous(incoming)
    const respond = connection.isRejected ? rejectAmbiguous : responders[connection.listener]
    void respond(incoming, outgoing).then(() => connections.onResponse(connection, outgoing))
  })
  server.on('clientError', rejectUnreadable)
  // The server never listens itself; it enforces its timeouts only after this event.
  server.emit('listening')

  return {
    accept: (socket, listener) => {
      serveConnection(server, socket)
      connections.add(socket, listener)
    },
    requests: () => requests,
    startDraining: () => {
      isDraining = true
      for (const { response } of open.values()) if (response && !response.headersSent) response.setHeader('connection', 'close')
    },
    drained: (idleTimeoutMs, timeoutMs) => drain(server, open, idleTimeoutMs, timeoutMs),
  }
}

async function drain(
  server: Server,
  open: ReadonlyMap<Socket, Connection>,
  idleTimeoutMs: number,
  timeoutMs: number,
): Promise<void> {
  const closeIdle = setInterval(() => server.closeIdleConnections(), Math.max(idleTimeoutMs, 1))
  const closeAll = setTimeout(() => open.forEach(({ socket }) => void socket.destroy()), timeoutMs)
  for (const socket of open.keys()) await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(closeIdle)
  clearTimeout(closeAll)
}

function createResponders(app: App, health: Health): Readonly<Record<Listener, RequestListener>> {
  const { token } = app.config.server.private.api
  const respondPrivate = createListener(app, createServer(app, health, { isPrivileged: true }))
  const onSocket: RequestListener = (incoming, outgoing) => {
    // The token of the listener is not a session token.
    delete incoming.headers.authorization
    return respondPrivate(incoming, outgoing)
  }
  const wait = waitingFor(app)
  return {
    public: wait(createListener(app, createServer(app, health))),
    'private-socket': wait(onSocket),
    // Without a configured token no request has it.
    'private-port': async (incoming, outgoing) =>
      token !== undefined && isAuthorized(incoming, token)
        ? onSocket(incoming, outgoing)
        : write(outgoing, unauthorized, unauthorized.body),
  }
}

/**
 * Until a move is final, each request gets 503: a client that got 401, or no session, would sign its user out.
 * @returns the listener itself when nothing is waited for
 */
function waitingFor(app: App): (listener: RequestListener) => RequestListener {
  if (!app.config.move.wait) return (listener) => listener
  followRename(app)
  return (listener) => async (incoming, outgoing) =>
    incoming.url === '/livez' || !(await isWaitingForMove(app))
      ? listener(incoming, outgoing)
      : write(outgoing, waiting, waiting.body)
}

/** Jobs must use the tables under their names soon after the switch, also when no request comes. */
function followRename(app: App): void {
  if (!app.tablePrefix?.value) return
  const timer = setInterval(async () => {
    if (!(await isWaitingForMove(app))) clearInterval(timer)
  }, renameCheckMs)
  timer.unref()
}

const renameCheckMs = 200

const waiting: Whole = {
  status: 503,
  headers: { ...bareHeaders, 'retry-after': '1' },
  body: '{"code":"SERVICE_UNAVAILABLE","message":"Service unavailable. Please try again later."}',
}

const unauthorized: Whole = {
  status: 401,
  headers: { ...bareHeaders, 'www-authenticate': 'Bearer' },
  body: '{"code":"UNAUTHORIZED","message":"Unauthorized"}',
}

/** A proxy in front may have read this request in another way, so what follows it is not read. */
const rejectAmbiguous: RequestListener = async (_, outgoing) =>
  write(outgoing, { ...badRequest, headers: { ...badRequest.headers, connection: 'close' } }, badRequest.body)

function serveConnection(server: Server, socket: Socket): void {
  // `http.Server` sets the same for connections that it accepts itself.
  socket.allowHalfOpen = true
  socket.setNoDelay(true)
  server.emit('connection', socket)
}

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
