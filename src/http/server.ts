/** The public listener: the API below its base path, `/livez` and `/readyz`. */
import { Hono } from 'hono'
import type { App } from '../core/app.ts'
import { createHandle, type HandleOptions } from './handle.ts'
import type { Bindings } from './request.ts'

export interface Health {
  /** Why the daemon should get no requests now; empty when it is ready. */
  readonly reasons: () => Promise<readonly string[]>
}

const bare = { 'cache-control': 'no-store', 'content-type': 'application/json', 'x-content-type-options': 'nosniff' }

/** @returns a Hono application; it listens nowhere by itself */
export function createServer(app: App, health: Health, options: HandleOptions = {}): Hono<Bindings> {
  const server = new Hono<Bindings>()
  const handle = createHandle(app, options)
  server.get('/livez', () => new Response('{"status":"alive"}', { headers: bare }))
  server.get('/readyz', async () => {
    const isReady = (await health.reasons()).length === 0
    return new Response(`{"status":"${isReady ? 'ready' : 'not ready'}"}`, { status: isReady ? 200 : 503, headers: bare })
  })
  server.all('*', (call) => handle(call))
  return server
}
