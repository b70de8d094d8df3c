/** The public listener: the API below its base path, `/livez` and `/readyz`, and the hosted pages. */
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context as HonoContext } from 'hono'
import type { App } from '../core/app.ts'
import { apiPath } from '../core/route.ts'
import { createHandle, type Handle, type HandleOptions } from './handle.ts'
import { createPages } from './pages.ts'
import type { Received } from './request.ts'
import { isStream, type Sent } from './respond.ts'

/** Node's own objects of a request; in tests there are none. */
interface Bindings {
  readonly Bindings: Partial<HttpBindings>
}

/** A Hono application, which listens nowhere by itself. */
export interface Server extends Pick<Hono<Bindings>, 'fetch' | 'request'> {
  /** Processes a call directly, without the application. It never rejects. */
  readonly handle: Handle
}

export interface Health {
  /** Why the daemon should get no requests now; empty when it is ready. */
  readonly reasons: () => Promise<readonly string[]>
}

/** For responses of no call. */
export const bareHeaders = {
  'cache-control': 'no-store',
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
}

export function createServer(app: App, health: Health, options: HandleOptions = {}): Server {
  const server = new Hono<Bindings>()
  const call = createHandle(app, options)
  // The last resort (ASVS 16.5.4): the framework would write the error to the terminal.
  const onError = (error: unknown): Sent => unexpectedError(app, error, 'A request failed outside of a call')
  const handle: Handle = async (received) => options.answer?.(received) ?? call(received).catch(onError)
  const pages = app.dashboard && !options.isPrivileged ? createPages(app, app.dashboard, handle) : null
  const wellKnown = options.isPrivileged ? new Map<string, Sent>() : wellKnownDocuments(app)
  const api = `${apiPath(app.config)}/`
  const answer = async (received: Received): Promise<Sent> => {
    const document = ['GET', 'HEAD'].includes(received.method) ? wellKnown.get(received.path) : undefined
    if (document) return document
    const isCall = received.path.startsWith(api)
    const page = isCall ? received.method === 'POST' && (await pages?.submit(received)) : await pages?.open(received)
    return page || handle(received)
  }
  const respond = async ({ req, env }: HonoContext<Bindings>): Promise<Response> => {
    const { method, path, raw: standard } = req
    const sent = await answer({ method, path, standard, incoming: env?.incoming })
    // The adapter drops the reason phrase of a response, and clients read it.
    if (sent.reason !== undefined && env?.outgoing) env.outgoing.statusMessage = sent.reason
    return toResponse(sent)
  }
  server.get('/livez', () => new Response('{"status":"alive"}', { headers: bareHeaders }))
  server.get('/readyz', async () => {
    const isReady = (await health.reasons()).length === 0
    return new Response(`{"status":"${isReady ? 'ready' : 'not ready'}"}`, { status: isReady ? 200 : 503, headers: bareHeaders })
  })
  server.all('*', respond)
  server.onError((error) => toResponse(onError(error)))
  return Object.assign(server, { handle })
}

/** What features put below `/.well-known/`, by path; made once. */
function wellKnownDocuments({ features, config }: App): ReadonlyMap<string, Sent> {
  const entries = features.flatMap((feature) => Object.entries(feature.wellKnown?.(config) ?? {}))
  return new Map(
    entries.map(([name, reply]): [string, Sent] => {
      const { 'content-type': _, ...headers } = bareHeaders
      const sent: Sent =
        reply.kind === 'redirect'
          ? { status: reply.status, headers: { ...headers, location: reply.location }, body: null }
          : { status: 200, headers: { ...headers, 'content-type': reply.contentType, ...reply.headers }, body: reply.body }
      return [`/.well-known/${name}`, sent]
    }),
  )
}

export function toResponse({ status, reason, headers, cookies = [], body }: Sent): Response {
  const pairs = [...Object.entries(headers), ...cookies.map((cookie): [string, string] => ['set-cookie', cookie])]
  // The adapter is faster with an object.
  const init = { status, headers: cookies.length > 0 ? pairs : headers }
  const sent = isStream(body) ? ReadableStream.from(body) : body
  return new Response(sent, reason === undefined ? init : { ...init, statusText: reason })
}

/** Logs an error that no call has. @returns the response to its request */
export function unexpectedError(app: App, error: unknown, message: string): Sent {
  app.metrics.count('unexpected_error')
  app.log.error({ err: error }, message)
  return { status: 500, headers: bareHeaders, body: '{"code":"INTERNAL_SERVER_ERROR","message":"Internal Server Error"}' }
}
