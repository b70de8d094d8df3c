/** Metrics, readiness with reasons, and orders: on a socket for this account, and if configured on a port for readers. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { equalInConstantTime } from '../lib/compare.ts'
import { listenFailure } from './failures.ts'
import type { Serving } from './messages.ts'

interface Answer {
  readonly status: number
  readonly body: object | string
  readonly type?: string
}
/** @param body what was sent with a POST: JSON, or nothing */
type Routes = Readonly<Record<string, (body: unknown) => Promise<Answer>>>
type PortOptions = Serving['privateListener']

export interface PrivateListener {
  readonly socket: string
  /** Listens where the configuration says now, if that is another place than before. @throws CliFailure as `listenFailure` */
  apply(options: PortOptions): Promise<void>
  close(): void
}

/** Bytes; longer paths do not fit into the address of a socket on every system (unix(7): 108). */
const longestPath = 100
/** Bytes. */
const longestBody = 1_048_576

/**
 * @param routes `'GET /metrics'` → answer; those that are no GET are served on the socket only
 * @throws Error when the socket cannot be made
 */
export async function openPrivateListener(folder: string, routes: Routes): Promise<PrivateListener> {
  const socket = socketPath(folder)
  rmSync(socket, { force: true })
  const local = createServer((incoming, outgoing) => void answer(routes, incoming, outgoing))
  await listenOnSocket(local, socket)
  let port: { readonly server: Server; readonly options: PortOptions } | null = null

  return {
    socket,
    apply: async (options) => {
      const isSame =
        port?.options.port === options.port && port?.options.host === options.host && port?.options.token === options.token
      if (isSame) return
      // Nothing but the token changed: the same port cannot be taken twice.
      if (port && port.options.port === options.port && port.options.host === options.host) await closed(port.server)
      const opened = options.port === undefined ? null : { server: await openPort(routes, options, options.port), options }
      port?.server.close()
      port = opened
    },
    close: () => {
      for (const server of [local, port?.server]) {
        server?.close()
        server?.closeAllConnections()
      }
      rmSync(socket, { force: true })
      if (dirname(socket) !== folder) rmSync(dirname(socket), { recursive: true, force: true })
    },
  }
}

function socketPath(folder: string): string {
  const path = join(folder, 'control.sock')
  // The folder is made with mode 0700.
  return Buffer.byteLength(path) <= longestPath ? path : join(mkdtempSync(join(tmpdir(), 'latchkey-')), 'control.sock')
}

async function listenOnSocket(server: Server, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  // The file comes to be inside this call, and nobody else may connect even for a moment.
  const mask = process.umask(0o177)
  try {
    server.listen(path, resolve)
  } finally {
    process.umask(mask)
  }
  await promise
  chmodSync(path, 0o600)
}

/** Readers only: who gives orders proves himself by his right to the socket. */
async function openPort(routes: Routes, { host, token }: PortOptions, port: number): Promise<Server> {
  const readable = Object.fromEntries(Object.entries(routes).filter(([key]) => key.startsWith('GET ')))
  const server = createServer((incoming, outgoing) => {
    if (token === undefined || isAuthorized(incoming, token)) void answer(readable, incoming, outgoing)
    else
      write(outgoing, { status: 401, body: { code: 'UNAUTHORIZED', message: 'Unauthorized' } }, { 'www-authenticate': 'Bearer' })
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, host, resolve)
  try {
    await promise
  } catch (error) {
    throw listenFailure(error, host, port, 'server.private.port in the configuration')
  }
  return server
}

async function closed(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeAllConnections()
  await promise
}

/** RFC 6750 §2.1. */
const isAuthorized = ({ headers }: IncomingMessage, token: string): boolean =>
  equalInConstantTime((headers.authorization ?? '').replace(/^bearer /i, ''), token)

async function answer(routes: Routes, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const [path = ''] = (incoming.url ?? '').split('?')
  const route = routes[`${incoming.method} ${path}`]
  try {
    const body = route && incoming.method === 'POST' ? await readBody(incoming) : undefined
    write(outgoing, route ? await route(body) : { status: 404, body: { code: 'NOT_FOUND', message: 'Not Found' } })
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown reason'
    write(outgoing, { status: 500, body: { code: 'UNEXPECTED', message } })
  }
}

/** Of whoever may use the socket. @throws Error for what is too long, or no JSON */
async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longestBody) throw new Error('The body is too long')
    chunks.push(chunk)
  }
  return length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString())
}

function write(outgoing: ServerResponse, { status, body, type }: Answer, headers: Record<string, string> = {}): void {
  const text = typeof body === 'string' ? body : `${JSON.stringify(body)}\n`
  const always = { 'content-type': type ?? 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  outgoing.writeHead(status, { ...always, ...headers }).end(text)
}
