/** The public port of one worker. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { App } from '../core/app.ts'
import { createServer, type Health } from '../http/server.ts'

/** Milliseconds. */
const timeouts = {
  /** Against those who send a byte a second. */
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  // Longer than the minute for which load balancers keep an idle connection: they should be the ones to end it.
  keepAliveTimeout: 65_000,
}

export interface Listening {
  readonly host: string
  readonly port: number
  /** Calls that came in since the start. */
  requests(): number
  /** No new connection is accepted from now on; those that are there go on. */
  stopListening(): void
  /**
   * After `stopListening`: resolves when the last connection has ended.
   * @param idleGrace milliseconds that a connection without a call may stay, for a call that may be on its way
   * @param deadline milliseconds until everything is cut
   */
  drained(idleGrace: number, deadline: number): Promise<void>
}

/** @throws Error as `net.Server` does, such as EADDRINUSE */
export async function listen(app: App, health: Health, { host, port }: { host: string; port: number }): Promise<Listening> {
  const open = new Set<ServerResponse>()
  let requests = 0
  let isDraining = false
  const respond = getRequestListener(createServer(app, health).fetch, { errorHandler: (error) => answerFault(app, error) })
  const server = createHttpServer(
    { ...timeouts, maxHeaderSize: 16_384 },
    (incoming: IncomingMessage, outgoing: ServerResponse) => {
      requests += 1
      open.add(outgoing)
      outgoing.once('close', () => open.delete(outgoing))
      if (isDraining) outgoing.setHeader('connection', 'close')
      void respond(incoming, outgoing)
    },
  )
  server.on('clientError', answerUnreadable)
  const actual = await listening(server, host, port)
  const closed = Promise.withResolvers<void>()

  return {
    host,
    port: actual,
    requests: () => requests,
    stopListening: () => {
      isDraining = true
      for (const outgoing of open) if (!outgoing.headersSent) outgoing.setHeader('connection', 'close')
      // Not the method of `http.Server`: that one also ends idle connections at once, on which a call may just be arriving.
      NetServer.prototype.close.call(server, () => closed.resolve())
    },
    drained: async (idleGrace, deadline) => {
      const timers = [
        setInterval(() => server.closeIdleConnections(), Math.max(idleGrace, 1)),
        setTimeout(() => server.closeAllConnections(), deadline),
      ]
      await closed.promise
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** @returns the port, which the system chooses when 0 is asked for */
async function listening(server: Server, host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, host, resolve)
  await promise
  server.off('error', reject)
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

const json = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** What never reached a route: a host header or a target that is no address, or a fault of our own. */
function answerFault(app: App, error: unknown): Response {
  if (error instanceof RequestError)
    return Response.json({ code: 'BAD_REQUEST', message: 'Bad Request' }, { status: 400, headers: json })
  app.metrics.count('unexpected_error')
  app.log.error({ err: error }, 'A call failed before it reached its route')
  return Response.json({ code: 'INTERNAL_SERVER_ERROR', message: 'Internal Server Error' }, { status: 500, headers: json })
}

const unreadable: Readonly<Record<string, readonly [status: string, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'REQUEST_HEADER_FIELDS_TOO_LARGE',
    'Request header fields too large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'REQUEST_TIMEOUT', 'Request timeout'],
}

/** What is no HTTP (RFC 9112 §3); the connection cannot be used any more. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket | import('node:stream').Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, code, message] = unreadable[error.code ?? ''] ?? ['400 Bad Request', 'BAD_REQUEST', 'Bad Request']
  const body = JSON.stringify({ code, message })
  const head = [
    `HTTP/1.1 ${status}`,
    ...Object.entries(json).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${[...head, 'connection: close'].join('\r\n')}\r\n\r\n${body}`)
}
