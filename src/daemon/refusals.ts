/** Answers to what never reached a route. */
import type { Duplex } from 'node:stream'
import { RequestError } from '@hono/node-server'
import type { App } from '../core/app.ts'

const json = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** A host header or a target that is no address, or a fault of our own. */
export function answerFault(app: App, error: unknown): Response {
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
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
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
  // Whoever sends nonsense may never end it himself; ended at once, he might lose the answer.
  setTimeout(() => socket.destroy(), 1000).unref()
}
