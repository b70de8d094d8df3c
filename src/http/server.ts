/** The public listener: the API below its base path, `/livez` and `/readyz`, and the hosted pages. */
import { Hono } from 'hono'
import type { App } from '../core/app.ts'
import { apiPath } from '../core/route.ts'
import { createPages } from './dashboard.ts'
import { createHandle, type HandleOptions } from './handle.ts'
import type { Bindings } from './request.ts'

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

/** @returns a Hono application; it listens nowhere by itself */
export function createServer(app: App, health: Health, options: HandleOptions = {}): Hono<Bindings> {
  const server = new Hono<Bindings>()
  const handle = createHandle(app, options)
  server.get('/livez', () => new Response('{"status":"alive"}', { headers: bareHeaders }))
  server.get('/readyz', async () => {
    const isReady = (await health.reasons()).length === 0
    return new Response(`{"status":"${isReady ? 'ready' : 'not ready'}"}`, { status: isReady ? 200 : 503, headers: bareHeaders })
  })
  const pages = app.dashboard && !options.isPrivileged ? createPages(app, app.dashboard) : null
  const api = `${apiPath(app.config)}/`
  // One route for both: the framework is slower when several match.
  server.all('*', (call) => (pages && !call.req.path.startsWith(api) ? pages(call) : null) ?? handle(call))
  // The last resort (ASVS 16.5.4): the framework would write the error to the terminal.
  server.onError((error) => unexpectedResponse(app, error, 'A request failed outside of a call'))
  return server
}

/** Logs an error that no call has, and responds to its request. */
export function unexpectedResponse(app: App, error: unknown, message: string): Response {
  app.metrics.count('unexpected_error')
  app.log.error({ err: error }, message)
  return new Response('{"code":"INTERNAL_SERVER_ERROR","message":"Internal Server Error"}', { status: 500, headers: bareHeaders })
}
