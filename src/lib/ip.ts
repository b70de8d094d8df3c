/** IP addresses: of clients behind proxies, of networks that are counted, of this machine, and of the public internet. */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Returns a test for a set of IP addresses and networks. @throws Error for an entry that is neither */
export function addressSet(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Returns the canonical text of an IP address, which may have a port (RFC 5952; an IPv4-mapped one as IPv4); null when it is invalid. */
export function canonicalAddress(text: string): string | null {
  const bare = withoutPort(text)
  const kind = isIP(bare)
  if (kind === 4) return bare
  if (kind !== 6 || bare.includes('%')) return null
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (!mapped) return canonical
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Some proxies append the port: `192.0.2.1:5000`, `[2001:db8::1]:5000`. The result of anything else is not an IP address. */
function withoutPort(hop: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? []
  return bracketed ?? plain ?? hop
}

/**
 * Returns the client's IP address, for counting. Behind a trusted proxy it is the nearest one that is not trusted, because a client
 * can forge the entries to its left; or the proxy's own when there is none.
 * @param socketAddress the peer of the connection
 * @param forwarded the values of the configured headers, in order of preference
 * @param onInvalid gets an entry of a trusted proxy that is not an IP address: then the result is the address of a proxy
 */
export function clientAddress(
  socketAddress: string,
  forwarded: readonly (string | undefined)[],
  isTrustedProxy: (address: string) => boolean,
  onInvalid?: (entry: string) => void,
): string {
  const peer = canonicalAddress(socketAddress) ?? ''
  if (!peer || !isTrustedProxy(peer)) return peer
  return canonicalAddress(nearestHop(forwarded, isTrustedProxy, onInvalid)) ?? peer
}

/** Returns the same address for display and storage: as the proxy wrote it, or empty when there is none (contract 00 §8). */
export function reportedAddress(
  socketAddress: string,
  forwarded: readonly (string | undefined)[],
  isTrustedProxy: (address: string) => boolean,
): string {
  const peer = canonicalAddress(socketAddress) ?? ''
  return peer && isTrustedProxy(peer) ? withoutPort(nearestHop(forwarded, isTrustedProxy)) : peer
}

/** The last hop that trusted proxies report; empty when there is none. */
function nearestHop(
  forwarded: readonly (string | undefined)[],
  isTrustedProxy: (address: string) => boolean,
  onInvalid?: (entry: string) => void,
): string {
  for (const header of forwarded) {
    let nearest = ''
    for (const hop of hopsFromRight(header ?? '')) {
      const address = canonicalAddress(hop)
      if (address === null) {
        if (hop) onInvalid?.(hop)
        break
      }
      nearest = hop
      if (!isTrustedProxy(address)) break
    }
    if (nearest) return nearest
  }
  return ''
}

/** One at a time, because the client chooses how many there are, and the nearest ones decide. */
function* hopsFromRight(header: string): Generator<string> {
  for (let end = header.length; end >= 0; ) {
    const comma = end === 0 ? -1 : header.lastIndexOf(',', end - 1)
    yield header.slice(comma + 1, end).trim()
    end = comma
  }
}

/** Returns the unit of rate limits: an IPv4 address, or the /64 network that one IPv6 customer has. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [left = '', right = ''] = address.split('::')
  const head = left ? left.split(':') : []
  const tail = right ? right.split(':') : []
  const groups = address.includes('::') ? [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail] : head
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** The /48 network of an IPv6 address, which one customer may have; null for IPv4. */
export function siteOf(address: string): string | null {
  const network = networkOf(address)
  return network.endsWith('/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : null
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6')

/**
 * Whether a host is this machine, so that traffic to it crosses no network. Only `localhost` and literal IP addresses count, because
 * any other name may resolve to another address later.
 * @param host name or IP address; IPv6 with or without brackets
 */
export function isLoopback(host: string): boolean {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  if (isIPv4(bare)) return loopback.check(bare, 'ipv4')
  if (isIPv6(bare)) return loopback.check(bare, 'ipv6')
  return bare.toLowerCase() === 'localhost'
}

/** What IANA has assigned for use on the internet (RFC 4291 §2.4). Everything else is reserved, or for private use. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** Networks without IPv4 reach IPv4 servers by these addresses (RFC 6052), so that the IPv4 address in the last 32 bits decides. */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Whether an IP address belongs to the public internet: not to this machine, a private network, a cloud's metadata service, a group of
 * receivers, or a range that is reserved (RFC 6890).
 * @param address without brackets or port; false for a text that is not an IP address
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return ipaddr.IPv4.parse(address).range() === 'unicast'
  // A zone belongs to an address of this link.
  if (!isIPv6(address) || address.includes('%')) return false
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress() || parsed.match(translated))
    return new ipaddr.IPv4(parsed.toByteArray().slice(-4)).range() === 'unicast'
  return parsed.range() === 'unicast' && parsed.match(globalUnicast)
}

/** Addresses as one line of numbers: an IPv4 address has the number of its IPv4-mapped IPv6 address. */
function rangeOf(network: string): readonly [first: bigint, last: bigint] {
  const [address = '', given] = network.split('/')
  const isShort = isIPv4(address)
  const parsed = ipaddr.parse(address)
  const bytes = (parsed.kind() === 'ipv4' ? (parsed as ipaddr.IPv4).toIPv4MappedAddress() : parsed).toByteArray()
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  const prefix = given === undefined ? 128 : Number(given) + (isShort ? 96 : 0)
  const size = 1n << BigInt(128 - prefix)
  const first = value - (value % size)
  return [first, first + size - 1n]
}

const mappedIPv4 = rangeOf('0.0.0.0/0')
/** Of the same addresses, see `translated`. */
const translatedIPv4 = rangeOf('64:ff9b::/96')
/** Addresses that no stranger on the internet has (RFC 1918, RFC 4193, RFC 6598, and of this machine and link). */
const internalRanges = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['fc00::/7', 'fe80::/10', '::1'],
].map(rangeOf)
/** A /8 of IPv4 and a /20 of IPv6: more than the largest networks of proxies publish. */
const [mostIPv4, mostIPv6] = [1n << 24n, 1n << 108n]

/** Whether a Host header names an IP address or this machine: such a name cannot be rebound to another address (DNS rebinding). */
export function isAddressHost(host: string | undefined): boolean {
  const name = URL.parse(`http://${host ?? ''}/`)?.hostname ?? ''
  return isLoopback(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
}

/** Whether networks together have more public addresses than the proxies of one operator, so that clients are among them. */
export function coversStrangers(networks: readonly string[]): boolean {
  const ranges = networks
    .map(rangeOf)
    .filter(([first, last]) => !internalRanges.some(([from, to]) => first >= from && last <= to))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  let [short, long, end] = [0n, 0n, -1n]
  for (const [first, last] of ranges) {
    const from = first > end ? first : end + 1n
    if (last < from) continue
    const inIPv4 = overlap([from, last], mappedIPv4) + overlap([from, last], translatedIPv4)
    short += inIPv4
    long += last - from + 1n - inIPv4
    end = last
  }
  return short > mostIPv4 || long > mostIPv6
}

function overlap([first, last]: readonly [bigint, bigint], [from, to]: readonly [bigint, bigint]): bigint {
  const size = (last < to ? last : to) - (first > from ? first : from) + 1n
  return size > 0n ? size : 0n
}
