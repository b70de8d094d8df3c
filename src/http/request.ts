/** What is known of a request from its head alone. */
import type { Socket } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context as HonoContext } from 'hono'
import type { App } from '../core/app.ts'
import type { IncomingRequest } from '../core/request.ts'
import { findCookie } from '../lib/cookie.ts'
import { addressSet, canonicalAddress, clientAddress, toldAddress } from '../lib/ip.ts'

/** Under the Node server a request comes with Node's own objects; without one, in tests, it comes alone. */
export interface Bindings {
  readonly Bindings: Partial<HttpBindings>
}
export type Call = HonoContext<Bindings>

/** @returns a function that reads the head of a call; addresses and paths are looked at only when asked for */
export function createRequestReader(app: App, basePath: string): (call: Call, id: string) => IncomingRequest {
  const { address, networkAddress } = createAddressing(app)
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
    address: app.config.advanced.ipAddress.disableIpTracking ? () => '' : address,
  }
  // One set of methods for all requests, by prototype: closures or accessors made for each cost a third of a cheap call.
  return (call, id) => {
    const request: ReadRequest = Object.create(methods)
    const path = pathBelow(basePath, call.req.path)
    return Object.assign(request, { id, method: call.req.method, path, call, incoming: call.env?.incoming })
  }
}

/** Who is at the other end, behind our own proxies: for counting, and as it is shown. */
function createAddressing({ config }: App) {
  const { trustedProxies } = config.server
  const isTrustedProxy = addressSet(trustedProxies)
  const names = config.advanced.ipAddress.ipAddressHeaders.map((name) => name.toLowerCase())
  const peerOf = ({ incoming }: ReadRequest) => (incoming ? peerAddress(incoming.socket) : '127.0.0.1')
  const find = (request: ReadRequest, by: typeof clientAddress) => {
    const forwarded = names.map((name) => request.header(name))
    return by(peerOf(request), forwarded, isTrustedProxy)
  }
  function networkAddress(this: ReadRequest): string {
    this.foundNetworkAddress ??= find(this, clientAddress)
    return this.foundNetworkAddress
  }
  function address(this: ReadRequest): string {
    this.foundAddress ??= find(this, toldAddress)
    return this.foundAddress
  }
  function directAddress(this: ReadRequest): string {
    return peerOf(this)
  }
  return trustedProxies.length > 0 ? { address, networkAddress } : { address: directAddress, networkAddress: directAddress }
}

interface ReadRequest extends IncomingRequest {
  id: string
  method: string
  path: string
  call: Call
  incoming: HttpBindings['incoming'] | undefined
  foundAddress?: string
  foundNetworkAddress?: string
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
