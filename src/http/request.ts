/** What is known of a request from its head alone. */
import type { HttpBindings } from '@hono/node-server'
import type { Context as HonoContext } from 'hono'
import type { App } from '../core/app.ts'
import type { IncomingRequest } from '../core/request.ts'
import { findCookie } from '../lib/cookie.ts'
import { addressSet, clientAddress, toldAddress } from '../lib/ip.ts'

/** Under the Node server a request comes with Node's own objects; without one, in tests, it comes alone. */
export interface Bindings {
  readonly Bindings: Partial<HttpBindings>
}
export type Call = HonoContext<Bindings>

/** @returns a function that reads the head of a call; addresses and paths are looked at only when asked for */
export function createRequestReader(app: App, basePath: string): (call: Call, id: string) => IncomingRequest {
  const { trustedProxies } = app.config.server
  const { ipAddressHeaders, disableIpTracking } = app.config.advanced.ipAddress
  const names = trustedProxies.length === 0 ? [] : ipAddressHeaders.map((name) => name.toLowerCase())
  const { address, networkAddress } = createAddressing(names, addressSet(trustedProxies))
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
    networkAddress,
    // Without proxies there is one address only, which need not be looked for twice.
    address: disableIpTracking ? () => '' : names.length === 0 ? networkAddress : address,
  }
  // One set of methods for all requests, by prototype: closures or accessors made for each cost a third of a cheap call.
  return (call, id) => {
    const request: ReadRequest = Object.create(methods)
    const path = pathBelow(basePath, call.req.path)
    return Object.assign(request, { id, method: call.req.method, path, call, incoming: call.env?.incoming })
  }
}

/** @param names of the headers of our proxies */
function createAddressing(names: readonly string[], isTrustedProxy: (address: string) => boolean) {
  const find = (request: ReadRequest, by: typeof clientAddress) => {
    const forwarded = names.map((name) => request.header(name))
    return by(request.incoming?.socket.remoteAddress ?? '127.0.0.1', forwarded, isTrustedProxy)
  }
  return {
    networkAddress(this: ReadRequest): string {
      this.foundNetworkAddress ??= find(this, clientAddress)
      return this.foundNetworkAddress
    },
    address(this: ReadRequest): string {
      this.foundAddress ??= find(this, toldAddress)
      return this.foundAddress
    },
  }
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

/** `/api/auth/ok/` is `/ok`; a path elsewhere is the empty text, which no route has. */
function pathBelow(basePath: string, path: string): string {
  if (!path.startsWith(`${basePath}/`)) return ''
  const below = path.slice(basePath.length)
  return below.length > 1 && below.endsWith('/') ? below.slice(0, -1) : below
}
