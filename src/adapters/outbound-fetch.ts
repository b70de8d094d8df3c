/** Outbound HTTP: limited in time and size, without redirects, and only to public IP addresses or hosts that the configuration names. */
import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent, buildConnector, fetch as undiciFetch } from 'undici'
import { isPublicAddress } from '../lib/ip.ts'
import { isObject } from '../lib/objects.ts'

const fetchTimeoutMs = 10_000
const maxResponseBytes = 1_048_576
/** Of an unused connection, whatever the server offers, so that a change of its DNS records takes effect. */
const maxIdleMs = 30_000

/** `fetch`, and the end of its connections. */
type OutboundFetch = typeof fetch & { close(): Promise<void> }

interface FetchOptions {
  /** Hosts that may have a private address, as `configuredHosts` returns them. Default: none. */
  readonly allowedHosts?: ReadonlySet<string>
  /** For tests. */
  readonly timeoutMs?: number
  /** For tests; default: that of the operating system. */
  readonly lookup?: LookupFunction
}

/**
 * Outbound HTTP against server-side request forgery (ASVS 13.2.4, 13.2.5, 15.3.2). The address that is checked is the address of the
 * connection: there is one DNS lookup for both. HTTP proxies are not used, because a proxy would do its own lookup.
 * @returns a `fetch` that rejects after 10 seconds, on a redirect, on a response above 1 MiB, uncompressed, and when an IP address of the
 * host is not public and the configuration does not name the host; the cause of the `TypeError` names the host
 */
export function createFetch({
  allowedHosts = new Set(),
  timeoutMs = fetchTimeoutMs,
  lookup = systemLookup,
}: FetchOptions = {}): OutboundFetch {
  let opened: Promise<Client> | undefined
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const signals = [init?.signal, input instanceof Request ? input.signal : null].filter(
      (signal) => signal instanceof AbortSignal,
    )
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...signals])
    if (!request.headers.has('user-agent')) request.headers.set('user-agent', 'latchkey')
    opened ??= openClient({ allowedHosts, timeoutMs, lookup })
    const { fetch, agent } = await opened
    // The classes of undici are not those of Node, whose version differs: plain values pass between them.
    const response = await fetch(request.url, {
      method: request.method,
      headers: [...request.headers],
      body: request.body && (await request.arrayBuffer()),
      redirect: 'error',
      dispatcher: agent,
      signal,
    })
    return limitSize(response)
  }
  return Object.assign(send, { close: async () => (await opened)?.agent.destroy() })
}

interface Client {
  readonly fetch: typeof undiciFetch
  readonly agent: Agent
}

/** undici is loaded when it is first needed, because it takes 4 MiB and most processes send no request. */
async function openClient(options: Required<FetchOptions>): Promise<Client> {
  const { Agent, buildConnector, fetch } = await import('undici')
  const connect = createConnector(buildConnector, options)
  return { fetch, agent: new Agent({ connect, allowH2: false, keepAliveMaxTimeout: maxIdleMs }) }
}

/** Checks each new connection. An IP address as host is not looked up, so that it is checked here. */
function createConnector(
  build: typeof buildConnector,
  { allowedHosts, timeoutMs, lookup }: Required<FetchOptions>,
): buildConnector.connector {
  const options = { timeout: timeoutMs, allowH2: false }
  const toConfigured = build({ ...options, lookup })
  const toPublic = build({ ...options, lookup: publicLookup(lookup) })
  return (target, callback) => {
    const { hostname, protocol, port } = target
    if (allowedHosts.has(hostWithPort({ hostname, protocol, port }))) toConfigured(target, callback)
    else if (isIP(hostname) && !isPublicAddress(hostname)) callback(notPublic(hostname), null)
    else toPublic(target, callback)
  }
}

/** A host of which one address is private is rejected as a whole, because no service on the internet has such records. */
const publicLookup =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found, family = 0) => {
      if (error) return callback(error, [])
      const addresses = typeof found === 'string' ? [{ address: found, family }] : found
      const [first] = addresses
      if (!first) return callback(new Error(`${hostname} has no IP address`), [])
      const rejected = addresses.find(({ address }) => !isPublicAddress(address))
      if (rejected) callback(notPublic(hostname, rejected.address), [])
      else if (options.all) callback(null, [...addresses])
      else callback(null, first.address, first.family)
    })

const notPublic = (host: string, address?: string): Error =>
  new Error(
    `${address === undefined ? host : `${host} has the IP address ${address}, which`} is not a public address, and the configuration does not name this host`,
  )

/** Own and browsers' origins: no request goes there. */
const ownOrigins: readonly string[] = ['baseURL', 'trustedOrigins']

/**
 * The operator's own systems may have private addresses; hosts from elsewhere, such as a discovery document, may not.
 * @param config checked configuration
 * @returns `host:port` of each http(s) URL among its texts, such as `gitlab.internal:443`
 */
export function configuredHosts(config: object): ReadonlySet<string> {
  const hosts = new Set<string>()
  const visited = new Set<unknown>()
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && /^https?:\/\//i.test(value)) {
      const url = URL.parse(value)
      if (url) hosts.add(hostWithPort(url))
    }
    if (!isObject(value) || visited.has(value)) return
    visited.add(value)
    if (Array.isArray(value) || isPlain(value)) Object.values(value).forEach(visit)
  }
  visit(Object.fromEntries(Object.entries(config).filter(([name]) => !ownOrigins.includes(name))))
  return hosts
}

/** Others, such as a pool of connections, are not part of the configuration file. */
const isPlain = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value))

const hostWithPort = ({ hostname, protocol, port }: Pick<URL, 'hostname' | 'protocol' | 'port'>): string =>
  `${hostname.replace(/^\[|\]$/g, '')}:${port || (protocol === 'https:' ? 443 : 80)}`

async function limitSize({ body, status, statusText, headers }: Awaited<ReturnType<typeof undiciFetch>>): Promise<Response> {
  if (!body) return new Response(null, { status, statusText, headers: [...headers] })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxResponseBytes) throw new RangeError('The response is larger than 1 MiB')
    chunks.push(chunk)
  }
  return new Response(Buffer.concat(chunks), { status, statusText, headers: [...headers] })
}
