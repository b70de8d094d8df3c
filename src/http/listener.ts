/** Connects the server to Node. A read goes straight from Node's own request to its own response: no other object is made for it. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { getRequestListener, RequestError } from '@hono/node-server'
import { type App, reportFailure } from '../core/app.ts'
import { apiPath } from '../core/route.ts'
import type { Received } from './request.ts'
import { isStream, type Sent } from './respond.ts'
import { bareHeaders, type Server, toResponse, unexpectedError } from './server.ts'

/** Resolves when the server has ended the response, whether or not its client has read it. */
export type RequestListener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

export const badRequest: Whole = { status: 400, headers: bareHeaders, body: '{"code":"BAD_REQUEST","message":"Bad Request"}' }

export function createListener(app: App, server: Server): RequestListener {
  const start = `${apiPath(app.config)}/`
  const onError = (error: unknown): Sent =>
    // An invalid host header or target.
    error instanceof RequestError ? badRequest : unexpectedError(app, error, 'A request failed before it reached its route')
  const listen = getRequestListener(server.fetch, { errorHandler: (error) => toResponse(onError(error)) })
  return async (incoming, outgoing) => {
    const read = plainRead(start, incoming)
    if (!read) return listen(incoming, outgoing)
    const sent = await server.handle(read)
    const { body } = sent
    if (isStream(body)) await stream(app, outgoing, sent, body)
    else write(outgoing, sent, body)
  }
}

/** Hosts and targets that can be read in one way only, with a path that is the same when it is decoded. */
const plainHost = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/
const plainTarget = /^\/[\w/-]+(?:\?[^#\\]*)?$/

/** @returns null for a request that is not a GET of the API, or that the adapter has to parse */
function plainRead(start: string, incoming: IncomingMessage): Received | null {
  const { method, url: target = '', headers } = incoming
  // Right below the root there are pages and probes too.
  if (method !== 'GET' || start === '//' || !target.startsWith(start)) return null
  if (!plainTarget.test(target) || !plainHost.test(headers.host ?? '')) return null
  const end = target.indexOf('?')
  return { method, path: end === -1 ? target : target.slice(0, end), incoming }
}

async function stream(app: App, outgoing: ServerResponse, head: Sent, body: AsyncIterable<Uint8Array>): Promise<void> {
  writeHead(outgoing, head, {})
  try {
    await pipeline(body, outgoing)
  } catch (error) {
    // Its client has left: nothing failed.
    if (Object(error).code !== 'ERR_STREAM_PREMATURE_CLOSE') reportFailure(app, error, 'A download')
  }
}

export type Whole = Sent & { readonly body: Exclude<Sent['body'], AsyncIterable<Uint8Array>> }

/** Ends a response. Its head and its body are one write. */
export function write(outgoing: ServerResponse, head: Sent, body: Whole['body']): void {
  writeHead(outgoing, head, body === null ? {} : { 'content-length': Buffer.byteLength(body) })
  outgoing.end(body)
}

function writeHead(outgoing: ServerResponse, { status, reason, headers, cookies = [] }: Sent, more: OutgoingHttpHeaders): void {
  if (reason !== undefined) outgoing.statusMessage = reason
  outgoing.writeHead(status, { ...headers, ...(cookies.length > 0 && { 'set-cookie': [...cookies] }), ...more })
}
