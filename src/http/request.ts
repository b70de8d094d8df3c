/** What is known of a request from its head alone. */
import type { Socket } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context as HonoContext } from 'hono'
import type { App } from '../core/app.ts'
import type { IncomingRequest } from '../core/request.ts'
import { findCookie } from '../lib/cookie.ts'
import { addressSet, canonicalAddress, clientAddress } from '../lib/ip.ts'

/** Under the Node server a request comes with Node's own objects; without one, in tests, it comes alone. */
export interface Bindings {
  readonly Bindings: Partial<HttpBindings>
}
export type Call = HonoContext<Bindings>

/** @returns a function that reads the head of a call; addresses and paths are looked at only when asked for */
export function createRequestReader(app: App, basePath: string): (call: Call, id: string) => IncomingRequest {
  const findAddress = createAddressReader(app)
  function networkAddress(this: ReadRequest): string {
    this.foundAddress ??= findAddress(this)
    return this.foundAddress
  }
  const methods = {
    header(this: ReadRequest, name: string): string | undefined {
      if (!this.incoming) return this.call.req.header(name)
      const value = this.incoming.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    cookie(this: ReadRequest, name: string): string | undefined {
      return findCookie(this.header('cookie'), name)
    },
    url(this: ReadRequest): URL {
      this.parsedURL ??= new URL(this.call.req.url)
      return this.parsedURL
    },
    queryParameters(this: ReadRequest): URLSearchParams {
      if (!this.incoming) return this.url().searchParams
      const [, query = ''] = /\?([^#]*)/.exec(this.incoming.url ?? '') ?? []
      return new URLSearchParams(query)
    },
    networkAddress,
    address: app.config.advanced.ipAddress.disableIpTracking ? () => '' : networkAddress,
  }
  // One set of methods for all requests, by prototype: closures or accessors made for each cost a third of a cheap call.
  return (call, id) => {
    const request: ReadRequest = Object.create(methods)
    const path = pathBelow(basePath, call.req.path)
    return Object.assign(request, { id, method: call.req.method, path, call, incoming: call.env?.incoming })
  }
}

/** @returns a function that tells who is at the other end, behind our own proxies */
function createAddressReader({ config }: App): (request: ReadRequest) => string {
  const { trustedProxies } = config.server
  const isTrustedProxy = addressSet(trustedProxies)
  const headers = config.advanced.ipAddress.ipAddressHeaders.map((name) => name.toLowerCase())
  return (request) => {
    const peer = request.incoming ? peerAddress(request.incoming.socket) : '127.0.0.1'
    if (trustedProxies.length === 0) return peer
    const forwarded = headers.map((name) => request.header(name))
    return clientAddress(peer, forwarded, isTrustedProxy)
  }
}

interface ReadRequest extends IncomingRequest {
  id: string
  method: string
  path: string
  call: Call
  incoming: HttpBindings['incoming'] | undefined
  foundAddress?: string
  parsedURL?: URL
}

const peers = new WeakMap<Socket, string>()

/** The other end of a connection, which stays the same for all its calls; empty when it has gone. */
function peerAddress(socket: Socket): string {
  const known = peers.get(socket)
  if (known !== undefined) return known
  const address = canonicalAddress(socket.remoteAddress ?? '') ?? ''
  peers.set(socket, address)
  return address
}

/** `/api/auth/ok/` is `/ok`; a path elsewhere is the empty text, which no route has. */
function pathBelow(basePath: string, path: string): string {
  if (!path.startsWith(`${basePath}/`)) return ''
  const below = path.slice(basePath.length)
  return below.length > 1 && below.endsWith('/') ? below.slice(0, -1) : below
}
