/**
 * Private HTTP listener: a Unix socket for the commands of this account, and optionally a port for monitoring and, with a token, for
 * calls of the operator's own servers.
 */
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readAll } from '../lib/async.ts'
import { equalInConstantTime } from '../lib/keyring.ts'
import { errorReason } from '../lib/redact.ts'
import { listen } from './connection-handover.ts'
import { forwardedHeaders } from './forwarded-calls.ts'
import type { ForwardedCall, ForwardedResponse, ServingReport } from './messages.ts'

interface PrivateResponse {
  readonly status: number
  readonly body: object | string
  readonly type?: string
}
/** By method and path. A handler gets the parsed JSON body of a POST, or undefined. */
type ControlRoutes = Readonly<Record<string, (body: unknown) => Promise<PrivateResponse>>>

export interface PrivateRoutes {
  readonly control: ControlRoutes
  /** Serves every other path; absent: they are unknown. @throws Error when no worker responds */
  readonly forward?: (call: ForwardedCall) => Promise<ForwardedResponse>
}
type PortOptions = ServingReport['privateListener']

export type PrivateListener = Awaited<ReturnType<typeof openPrivateListener>>

/** Socket addresses are limited, to 108 bytes on Linux (unix(7)). */
const maxPathBytes = 100
const maxBodyBytes = 1_048_576

/**
 * @param routes of `control` the port serves only GET; it forwards only with a token
 * @throws Error when the socket cannot be created
 */
export async function openPrivateListener(folder: string, routes: PrivateRoutes) {
  const socket = socketPath(folder)
  rmSync(socket, { force: true })
  const local = createServer((incoming, outgoing) => void respond(routes, incoming, outgoing))
  await listenOnSocket(local, socket)
  let port: { readonly server: Server; readonly options: PortOptions } | null = null

  return {
    socket,
    /** Opens, moves or closes the port as configured. @throws Failure as `listen` */
    apply: async (options: PortOptions): Promise<void> => {
      const isSame =
        port?.options.port === options.port && port?.options.host === options.host && port?.options.token === options.token
      if (isSame) return
      // Only the token changed: the port must be free before it can be opened again.
      if (port && port.options.port === options.port && port.options.host === options.host) await closed(port.server)
      const opened = options.port === undefined ? null : { server: await openPort(routes, options, options.port), options }
      port?.server.close()
      port = opened
    },
    /** @param finishes whether running requests get a response */
    close: ({ finishes = false } = {}) => {
      for (const server of [local, port?.server]) {
        server?.close()
        if (!finishes) server?.closeAllConnections()
      }
      rmSync(socket, { force: true })
      if (dirname(socket) !== folder) rmSync(dirname(socket), { recursive: true, force: true })
    },
  }
}

function socketPath(folder: string): string {
  const path = join(folder, 'control.sock')
  // Both folders have mode 0700.
  return Buffer.byteLength(path) <= maxPathBytes ? path : join(mkdtempSync(join(tmpdir(), 'latchkey-')), 'control.sock')
}

async function listenOnSocket(server: Server, path: string): Promise<void> {
  // The socket file is created here, and other accounts must not be able to connect even for a moment.
  const mask = process.umask(0o177)
  try {
    server.listen(path)
  } finally {
    process.umask(mask)
  }
  await once(server, 'listening')
  chmodSync(path, 0o600)
}

/** Control is read-only: commands that change something need access to the socket. */
async function openPort(routes: PrivateRoutes, { host, token }: PortOptions, port: number): Promise<Server> {
  const control = Object.fromEntries(Object.entries(routes.control).filter(([key]) => key.startsWith('GET ')))
  // Without a token every program of this machine could act for every user.
  const readable = token === undefined ? { control } : { ...routes, control }
  const server = createServer((incoming, outgoing) => {
    if (token === undefined || isAuthorized(incoming, token)) void respond(readable, incoming, outgoing)
    else
      write(outgoing, { status: 401, body: { code: 'UNAUTHORIZED', message: 'Unauthorized' } }, { 'www-authenticate': 'Bearer' })
  })
  await listen(server, host, port, 'server.private.port in the configuration')
  return server
}

async function closed(server: Server): Promise<void> {
  const ended = once(server.close(), 'close')
  server.closeAllConnections()
  await ended
}

/** RFC 6750 §2.1. */
const isAuthorized = ({ headers }: IncomingMessage, token: string): boolean =>
  equalInConstantTime((headers.authorization ?? '').replace(/^bearer /i, ''), token)

async function respond(routes: PrivateRoutes, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const [path = ''] = (incoming.url ?? '').split('?')
  const route = routes.control[`${incoming.method} ${path}`]
  try {
    if (!route && routes.forward) return await forward(routes.forward, incoming, outgoing)
    const body = route && incoming.method === 'POST' ? await readBody(incoming) : undefined
    write(outgoing, route ? await route(body) : { status: 404, body: { code: 'NOT_FOUND', message: 'Not Found' } })
  } catch (error) {
    write(outgoing, { status: 500, body: { code: 'UNEXPECTED', message: errorReason(error) } })
  }
}

async function forward(
  send: NonNullable<PrivateRoutes['forward']>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = '', url: target = '', rawHeaders } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const bytes = hasBody ? await readAll(incoming, maxBodyBytes) : null
  if (hasBody && bytes === null)
    return write(
      outgoing,
      { status: 413, body: { code: 'PAYLOAD_TOO_LARGE', message: 'Payload too large' } },
      { connection: 'close' },
    )
  const call = { method, target, headers: forwardedHeaders(rawHeaders), body: bytes?.toString('base64') ?? null }
  const response = await send(call).catch(() => null)
  if (!response)
    return write(outgoing, {
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE', message: 'Service unavailable. Please try again later.' },
    })
  outgoing.writeHead(response.status, response.headers.flat()).end(Buffer.from(response.body, 'base64'))
}

/** @throws Error for a body that is too long or not JSON */
async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const body = await readAll(incoming, maxBodyBytes)
  if (body === null) throw new Error('The body is too long')
  return body.length === 0 ? undefined : JSON.parse(body.toString())
}

function write(outgoing: ServerResponse, { status, body, type }: PrivateResponse, headers: Record<string, string> = {}): void {
  const text = typeof body === 'string' ? body : `${JSON.stringify(body)}\n`
  const always = { 'content-type': type ?? 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  outgoing.writeHead(status, { ...always, ...headers }).end(text)
}
