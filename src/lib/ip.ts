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
  const bare = text.startsWith('[') ? text.slice(1, text.indexOf(']')) : text
  const kind = isIP(bare)
  if (kind === 4) return bare
  if (kind !== 6 || bare.includes('%')) return null
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (!mapped) return canonical
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * The address nearest to us that is not one of our proxies: the entries to its left are the client's to invent.
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
  for (const header of forwarded) {
    const hops = header?.split(',').map((hop) => canonicalAddress(hop.trim()))
    if (!hops) continue
    let nearest = peer
    for (const hop of hops.reverse()) {
      if (hop === null) break
      nearest = hop
      if (!isTrustedProxy(hop)) break
    }
    if (nearest !== peer) return nearest
  }
  return peer
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
