/**
 * Private listeners, which are Unix sockets for programs of this account: one for monitoring and control, which may also have a port;
 * one for calls of the operator's own servers, which the workers serve.
 */
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Server as NetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readAll } from '../lib/async.ts'
import { isAddressHost } from '../lib/ip.ts'
import { equalInConstantTime } from '../lib/keyring.ts'
import { errorReason } from '../lib/redact.ts'
import { type ConnectionHandover, movePort, type Port } from './connection-handover.ts'
import type { ServingReport } from './messages.ts'

interface PrivateResponse {
  readonly status: number
  readonly body: object | string
  readonly type?: string
}
/** By method and path. A handler gets the parsed JSON body of a POST, or undefined. */
export type ControlRoutes = Readonly<Record<string, (body: unknown) => Promise<PrivateResponse>>>

export type PrivateListener = Awaited<ReturnType<typeof openPrivateListener>>

/** Socket addresses are limited, to 108 bytes on Linux (unix(7)). */
const maxPathBytes = 100
const maxBodyBytes = 1_048_576

/**
 * @param routes of which the port serves only GET
 * @throws Error when a socket cannot be created
 */
export async function openPrivateListener(folder: string, routes: ControlRoutes, { createListener }: ConnectionHandover) {
  const sockets = socketFolder(folder)
  const [socket, apiSocket] = [join(sockets, 'control.sock'), join(sockets, 'api.sock')]
  const [local, localAPI] = [
    createServer((incoming, outgoing) => void respond(routes, incoming, outgoing)),
    createListener('private-socket'),
  ]
  await listenOnSocket(local, socket)
  await listenOnSocket(localAPI, apiSocket)
  let monitoring: Port<Server> | null = null
  let token: MonitoringToken = { value: undefined }

  return {
    socket,
    apiSocket,
    /** Opens, moves or closes the port of the monitoring as configured. @throws Failure as `listen`; then it is as before */
    apply: async (options: ServingReport['privateListener']): Promise<void> => {
      const next: MonitoringToken = { value: options.token }
      const moved = await movePort(monitoring, options, 'server.private.port', () => createMonitoring(routes, next))
      if (moved === monitoring) token.value = options.token
      else {
        monitoring?.server.close()
        monitoring = moved
        token = next
      }
    },
    /** @param finishes whether running requests get a response */
    close: ({ finishes = false } = {}) => {
      localAPI.close()
      for (const server of [local, monitoring?.server]) {
        server?.close()
        if (!finishes) server?.closeAllConnections()
      }
      for (const path of [socket, apiSocket]) rmSync(path, { force: true })
      if (sockets !== folder) rmSync(sockets, { recursive: true, force: true })
    },
  }
}

/** Of one port: it can change while the port stays open. */
interface MonitoringToken {
  value: string | undefined
}

/** Both folders have mode 0700. */
const socketFolder = (folder: string): string =>
  Buffer.byteLength(join(folder, 'control.sock')) <= maxPathBytes ? folder : mkdtempSync(join(tmpdir(), 'latchkey-'))

async function listenOnSocket(server: NetServer, path: string): Promise<void> {
  rmSync(path, { force: true })
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

/** Read-only: commands that change something need access to the socket. */
function createMonitoring(routes: ControlRoutes, token: Readonly<MonitoringToken>): Server {
  const readable = Object.fromEntries(Object.entries(routes).filter(([key]) => key.startsWith('GET ')))
  return createServer((incoming, outgoing) => {
    if (token.value === undefined && !isAddressHost(incoming.headers.host))
      write(outgoing, { status: 403, body: { code: 'INVALID_HOST', message: 'Invalid host' } })
    else if (token.value === undefined || isAuthorized(incoming, token.value)) void respond(readable, incoming, outgoing)
    else
      write(outgoing, { status: 401, body: { code: 'UNAUTHORIZED', message: 'Unauthorized' } }, { 'www-authenticate': 'Bearer' })
  })
}

/** RFC 6750 §2.1. */
export const isAuthorized = ({ headers }: IncomingMessage, token: string): boolean =>
  equalInConstantTime((headers.authorization ?? '').replace(/^bearer /i, ''), token)

async function respond(routes: ControlRoutes, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const [path = ''] = (incoming.url ?? '').split('?')
  const route = routes[`${incoming.method} ${path}`]
  try {
    const body = route && incoming.method === 'POST' ? await readBody(incoming) : undefined
    write(outgoing, route ? await route(body) : { status: 404, body: { code: 'NOT_FOUND', message: 'Not Found' } })
  } catch (error) {
    write(outgoing, { status: 500, body: { code: 'UNEXPECTED', message: errorReason(error) } })
  }
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
