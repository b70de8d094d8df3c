/** Which hosts are this machine itself, so that what is sent to them crosses no network. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
loopback.addSubnet('::ffff:127.0.0.0', 104, 'ipv6')

/**
 * Only `localhost` and literal addresses count: any other name may be given another address tomorrow.
 * @param host name or address; IPv6 with or without brackets
 */
export function isLoopback(host: string): boolean {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  if (isIPv4(bare)) return loopback.check(bare, 'ipv4')
  if (isIPv6(bare)) return loopback.check(bare, 'ipv6')
  return bare.toLowerCase() === 'localhost'
}
