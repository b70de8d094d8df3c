/** Addresses of Redis servers (`redis:` and `rediss:`), and what may not be connected to. */
import { isLoopback } from './loopback.ts'

export interface RedisAddress {
  readonly host: string
  readonly port: number
  readonly username: string | undefined
  readonly password: string | undefined
  /** Number of the database. */
  readonly db: number
  /** The scheme is `rediss:`. */
  readonly isTLS: boolean
}

/** The part of the options that says where Redis is and how the way there is protected. */
export interface RedisPlace {
  readonly url?: string | undefined
  readonly cluster?: readonly string[] | undefined
  readonly sentinel?: { readonly nodes: readonly string[]; readonly name: string } | undefined
  readonly tls?: 'verify' | 'off' | undefined
}

/** Of the shape of a fault in a configuration: `path` is below the section of Redis. */
export interface RedisAddressFault {
  readonly id: string
  readonly path: string
  readonly message: string
  readonly hint: string
}

/** @returns null for a text that is no such address, or that says something we would ignore */
export function parseRedisAddress(text: string, defaultPort = 6379): RedisAddress | null {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'redis:' && url.protocol !== 'rediss:') || !url.hostname || url.search || url.hash) return null
  const db = /^\/?$|^\/(\d{1,4})$/.exec(url.pathname)
  const [username, password] = [decode(url.username), decode(url.password)]
  if (!db || username === null || password === null) return null
  return {
    host: url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname,
    port: url.port ? Number(url.port) : defaultPort,
    username: username || undefined,
    password: password || undefined,
    db: Number(db[1] ?? 0),
    isTLS: url.protocol === 'rediss:',
  }
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Whether these addresses are spoken to by TLS: their scheme or the option says so. */
export const usesTLS = (addresses: readonly RedisAddress[], tls: RedisPlace['tls']): boolean =>
  tls === 'verify' || addresses.some((address) => address.isTLS)

/** What is wrong with the place, or null. No message repeats an address, which may hold a password. */
export function redisAddressFault(place: RedisPlace): RedisAddressFault | null {
  const given = [place.url, place.cluster, place.sentinel].filter((one) => one !== undefined)
  if (given.length !== 1) {
    const [message, hint] = given.length
      ? ['Redis is given more than once', 'Keep one of']
      : ['Redis is enabled without an address', 'Write one of']
    return { id: 'redis-place', path: '', message, hint: `${hint} url, cluster and sentinel` }
  }
  const [path, texts] =
    place.url === undefined
      ? place.cluster
        ? ['cluster', place.cluster]
        : ['sentinel.nodes', place.sentinel?.nodes ?? []]
      : ['url', [place.url]]
  const addresses = texts.map((text) => parseRedisAddress(text)).filter((address) => address !== null)
  if (addresses.length !== texts.length || !addresses.length)
    return {
      id: 'redis-address',
      path,
      message: 'This is no address of a Redis server',
      hint: 'redis://user:password@host:6379/0, or rediss: for TLS',
    }
  return consistencyFault(path, addresses) ?? protectionFault(path, addresses, place.tls)
}

function consistencyFault(path: string, addresses: readonly RedisAddress[]): RedisAddressFault | null {
  const differ = addresses.some(({ isTLS, username, password, db }) => {
    const first = addresses[0]
    return isTLS !== first?.isTLS || username !== first.username || password !== first.password || db !== first.db
  })
  if (differ)
    return {
      id: 'redis-address',
      path,
      message: 'These addresses differ in more than host and port',
      hint: 'Use one scheme, user, password and database for all',
    }
  if (path === 'cluster' && addresses[0]?.db !== 0)
    return {
      id: 'redis-address',
      path,
      message: 'A Redis cluster has one database only',
      hint: 'Leave the number out of the addresses',
    }
  return null
}

function protectionFault(path: string, addresses: readonly RedisAddress[], tls: RedisPlace['tls']): RedisAddressFault | null {
  if (tls === 'off' && addresses.some((address) => address.isTLS))
    return {
      id: 'redis-tls',
      path: 'tls',
      message: 'tls is off, and the address asks for TLS',
      hint: 'Write redis: in the address, or leave tls out',
    }
  if (tls === 'off' || usesTLS(addresses, tls) || addresses.every((address) => isLoopback(address.host))) return null
  return {
    id: 'redis-plain',
    path,
    message: 'The connection to Redis would cross the network unprotected',
    hint: "Write rediss: in the address; or tls: 'off', if the network itself is protected",
  }
}
