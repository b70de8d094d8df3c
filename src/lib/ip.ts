/** Client addresses: which header to believe, and how to count an IPv6 network. */
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Addresses and networks as one set to ask. @throws Error for a text that is neither */
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

/** The canonical text of an address (RFC 5952; an IPv4-mapped one as IPv4); null when it is none. */
export function canonicalAddress(text: string): string | null {
  const bare = withoutBrackets(text)
  const kind = isIP(bare)
  if (kind === 4) return bare
  if (kind !== 6 || bare.includes('%')) return null
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (!mapped) return canonical
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** `[2001:db8::1]:443` is how an IPv6 address stands before a port. */
const withoutBrackets = (text: string) => (text.startsWith('[') ? text.slice(1, text.indexOf(']')) : text)

/**
 * The client's address, for counting. Behind a proxy of ours it is the nearest one that is not ours, since the entries to its
 * left are the client's to invent; the proxy's own when it names none.
 * @param socketAddress the other end of the connection
 * @param forwarded the values of the configured headers, in order of preference
 */
export function clientAddress(
  socketAddress: string,
  forwarded: readonly (string | undefined)[],
  isTrustedProxy: (address: string) => boolean,
): string {
  const peer = canonicalAddress(socketAddress) ?? ''
  if (!peer || !isTrustedProxy(peer)) return peer
  return canonicalAddress(nearestHop(forwarded, isTrustedProxy)) ?? peer
}

/** The same as it is shown and stored: as the proxy wrote it, and empty when it named none (contract 00 §8). */
export function toldAddress(
  socketAddress: string,
  forwarded: readonly (string | undefined)[],
  isTrustedProxy: (address: string) => boolean,
): string {
  const peer = canonicalAddress(socketAddress) ?? ''
  return peer && isTrustedProxy(peer) ? withoutBrackets(nearestHop(forwarded, isTrustedProxy)) : peer
}

/** The last hop that proxies of ours vouch for; empty when there is none. */
function nearestHop(forwarded: readonly (string | undefined)[], isTrustedProxy: (address: string) => boolean): string {
  for (const header of forwarded) {
    let nearest = ''
    for (const hop of header?.split(',').reverse() ?? []) {
      const address = canonicalAddress(hop.trim())
      if (address === null) break
      nearest = hop.trim()
      if (!isTrustedProxy(address)) break
    }
    if (nearest) return nearest
  }
  return ''
}

/** What limits count by: an IPv4 address, or the /64 network that one IPv6 customer holds. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [left = '', right = ''] = address.split('::')
  const head = left ? left.split(':') : []
  const tail = right ? right.split(':') : []
  const groups = address.includes('::') ? [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail] : head
  return `${groups.slice(0, 4).join(':')}::/64`
}
