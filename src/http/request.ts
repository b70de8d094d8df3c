/** Reads the head of a request: path, headers, cookies and IP address. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from '../core/app.ts'
import type { ApiError } from '../core/errors.ts'
import type { IncomingRequest } from '../core/request.ts'
import { findCookies, readSignedCookies } from '../lib/cookie.ts'
import { addressSet, canonicalAddress, clientAddress, reportedAddress } from '../lib/ip.ts'

/** A request as it came: from Node's own one, from a standard one, as in tests, or from both. */
export interface Received {
  readonly method: string
  /** Decoded. */
  readonly path: string
  readonly incoming?: IncomingMessage | undefined
  /** Absent for a GET request of Node that only functions of the configuration need in this form. */
  readonly standard?: Request | undefined
  /** In place of the query as sent: of a call that a page makes. */
  readonly search?: string
  /** In place of the body as sent: of a form that was read or could not be read, or of a call that a page makes. */
  readonly body?: Readonly<Record<string, string>> | ApiError
  /** The body comes from a form: its values are texts. */
  readonly isForm?: true
  /** A call that changes nothing, made by a page while it is rendered. */
  readonly isOwn?: true
}

/** The request of a call, with what only the steps before its handler need. */
export interface CallRequest extends IncomingRequest {
  readonly received: Received
  /** For functions of the configuration, and for bodies. */
  standard(): Request
}

/** @returns a function that reads the head of a call; IP address, URL and cookies are parsed only when they are used */
export function createRequestReader(app: App, basePath: string): (received: Received, id: string) => CallRequest {
  const { address, networkAddress } = createAddressing(app)
  const methods = {
    header(this: ReadRequest, name: string): string | undefined {
      return headerOf(this.received, name)
    },
    ...createCookieReading(app),
    url(this: ReadRequest): URL {
      this.parsedURL ??= new URL(this.received.standard?.url ?? nodeURL(this.received.incoming))
      return this.parsedURL
    },
    search(this: ReadRequest): string {
      const { incoming, search } = this.received
      return search ?? (incoming ? searchOf(incoming.url ?? '') : this.url().search.slice(1))
    },
    queryParameters(this: ReadRequest): URLSearchParams {
      return new URLSearchParams(this.search())
    },
    standard(this: ReadRequest): Request {
      this.madeStandard ??= this.received.standard ?? standardOf(this.received)
      return this.madeStandard
    },
    networkAddress,
    address: app.config.advanced.ipAddress.disableIpTracking ? () => '' : address,
  }
  // One prototype for all requests: closures or accessors for each would take a third of the time of a cheap call.
  return (received, id) => {
    const request: ReadRequest = Object.create(methods)
    request.id = id
    request.method = received.method
    request.path = pathBelow(basePath, received.path)
    request.received = received
    return request
  }
}

export function headerOf({ incoming, standard }: Received, name: string): string | undefined {
  const value = incoming ? incoming.headers[name] : standard?.headers.get(name)
  return Array.isArray(value) ? value.join(', ') : (value ?? undefined)
}

/** The query of a request as it came. */
export const parametersOf = ({ incoming, standard }: Received): URLSearchParams =>
  new URLSearchParams(searchOf(incoming?.url ?? standard?.url ?? ''))

function searchOf(target: string): string {
  const start = target.indexOf('?')
  return start === -1 ? '' : (target.slice(start + 1).split('#', 1)[0] ?? '')
}

const nodeURL = (incoming: IncomingMessage | undefined): string => `http://${incoming?.headers.host ?? ''}${incoming?.url ?? ''}`

function standardOf({ method, incoming }: Received): Request {
  const headers = new Headers()
  const raw = incoming?.rawHeaders ?? []
  for (let position = 0; position < raw.length; position += 2) headers.append(raw[position] ?? '', raw[position + 1] ?? '')
  return new Request(nodeURL(incoming), { method, headers })
}

/** Cookies by name; each signature is verified once per call. */
const createCookieReading = ({ keyring }: App) => ({
  cookie(this: ReadRequest, name: string): string | undefined {
    return this.cookies(name)[0]
  },
  cookies(this: ReadRequest, name: string): readonly string[] {
    return findCookies(this.header('cookie'), name)
  },
  signedCookies(this: ReadRequest, name: string): readonly string[] {
    this.signed ??= new Map()
    const found = this.signed.get(name) ?? readSignedCookies(this.cookies(name), keyring)
    this.signed.set(name, found)
    return found
  },
})

const invalidEntryWarning =
  'A trusted proxy sent a forwarding header with an entry that is not an IP address, so limits count the address of the proxy. Let the proxy send the IP address of the client, or set advanced.ipAddress.ipAddressHeaders. This warning is logged once'

/** IP addresses of clients behind trusted proxies: for counting, and for display. */
function createAddressing({ config, log }: App) {
  const { trustedProxies } = config.server
  const isTrustedProxy = addressSet(trustedProxies)
  const names = config.advanced.ipAddress.ipAddressHeaders.map((name) => name.toLowerCase())
  const peerOf = ({ received: { incoming } }: ReadRequest) => (incoming ? peerAddress(incoming.socket) : '127.0.0.1')
  let hasWarned = false
  const warn = (entry: string) => {
    if (hasWarned) return
    hasWarned = true
    log.warn({ entry: entry.slice(0, 100), headers: names }, invalidEntryWarning)
  }
  const find = (request: ReadRequest, by: typeof clientAddress) => {
    const forwarded = names.map((name) => request.header(name))
    return by(peerOf(request), forwarded, isTrustedProxy, warn)
  }
  function networkAddress(this: ReadRequest): string {
    this.foundNetworkAddress ??= find(this, clientAddress)
    return this.foundNetworkAddress
  }
  function address(this: ReadRequest): string {
    this.foundAddress ??= find(this, reportedAddress)
    return this.foundAddress
  }
  function directAddress(this: ReadRequest): string {
    return peerOf(this)
  }
  return trustedProxies.length > 0 ? { address, networkAddress } : { address: directAddress, networkAddress: directAddress }
}

interface ReadRequest extends CallRequest {
  id: string
  method: string
  path: string
  received: Received
  madeStandard?: Request
  signed?: Map<string, readonly string[]>
  foundAddress?: string
  foundNetworkAddress?: string
  parsedURL?: URL
}

// Once per connection: parsing an IPv6 address takes two microseconds, a twentieth of a cheap call.
const peers = new WeakMap<Socket, string>()

/** The IP address at the other end of a connection; empty when it is closed. */
function peerAddress(socket: Socket): string {
  const known = peers.get(socket)
  if (known !== undefined) return known
  const address = canonicalAddress(socket.remoteAddress ?? '') ?? ''
  peers.set(socket, address)
  return address
}

/**
 * Whether a proxy in front may have read a request in another way. It names two hosts (RFC 9112 §3.2), by two Host headers or by a
 * target with a host of its own; a target that is neither a path nor a URL names none, and is not for this server. Or it has a
 * transfer coding, which HTTP/1.0 does not know (§6.1).
 */
export function isAmbiguous({ httpVersion, rawHeaders, url = '', headers }: IncomingMessage): boolean {
  const { host = '' } = headers
  if (httpVersion !== '1.1' && headers['transfer-encoding'] !== undefined) return true
  let hosts = 0
  for (let position = 0; position < rawHeaders.length; position += 2) {
    const name = rawHeaders[position]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1 || !(url.startsWith('/') || URL.parse(url)?.host === URL.parse(`http://${host}`)?.host)
}

/** `/api/auth/ok/` is `/ok`; a path outside the base path is empty, which no route is. */
function pathBelow(basePath: string, path: string): string {
  if (!path.startsWith(`${basePath}/`)) return ''
  const below = path.slice(basePath.length)
  return below.length > 1 && below.endsWith('/') ? below.slice(0, -1) : below
}
