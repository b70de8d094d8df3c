/** URLs of Redis servers (`redis:` and `rediss:`), and the rules for connecting to them. */
import type { ConfigIssue } from '../core/config.ts'
import type { Config } from '../features/index.ts'
import { isLoopback } from '../lib/ip.ts'

interface RedisAddress {
  readonly host: string
  readonly port: number
  readonly username: string | undefined
  readonly password: string | undefined
  /** Number of the database. */
  readonly db: number
  /** The scheme is `rediss:`. */
  readonly isTLS: boolean
}

/** The options that locate Redis and protect the connection. */
type RedisLocation = Partial<Pick<Config['redis'], 'url' | 'cluster' | 'sentinel' | 'tls'>>

/** @returns null for a string that is not a Redis URL, or has parts that would be ignored */
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

/** Whether connections use TLS, by the scheme of the URLs or by the option. */
export const usesTLS = (addresses: readonly RedisAddress[], tls: RedisLocation['tls']): boolean =>
  tls === 'verify' || addresses.some((address) => address.isTLS)

/**
 * Checks the location of Redis. No message repeats a URL, which may contain a password.
 * @returns null, or an issue with a path below the section `redis`
 */
export function redisAddressIssue(location: RedisLocation): ConfigIssue | null {
  const given = [location.url, location.cluster, location.sentinel].filter((one) => one !== undefined)
  if (given.length !== 1) {
    const [message, hint] = given.length
      ? ['More than one of url, cluster and sentinel is set', 'Keep one of']
      : ['The address of Redis is missing', 'Set one of']
    return { id: 'redis-place', path: '', message, hint: `${hint} url, cluster and sentinel` }
  }
  const [path, texts] =
    location.url === undefined
      ? location.cluster
        ? ['cluster', location.cluster]
        : ['sentinel.nodes', location.sentinel?.nodes ?? []]
      : ['url', [location.url]]
  const addresses = texts.map((text) => parseRedisAddress(text)).filter((address) => address !== null)
  if (addresses.length !== texts.length || !addresses.length)
    return {
      id: 'redis-address',
      path,
      message: 'Not a valid Redis URL',
      hint: 'Use redis://user:password@host:6379/0, or rediss: for TLS',
    }
  return consistencyIssue(path, addresses) ?? protectionIssue(path, addresses, location.tls)
}

function consistencyIssue(path: string, addresses: readonly RedisAddress[]): ConfigIssue | null {
  const differ = addresses.some(({ isTLS, username, password, db }) => {
    const first = addresses[0]
    return isTLS !== first?.isTLS || username !== first.username || password !== first.password || db !== first.db
  })
  if (differ)
    return {
      id: 'redis-address',
      path,
      message: 'The URLs differ in more than host and port',
      hint: 'Use one scheme, user, password and database for all',
    }
  if (path === 'cluster' && addresses[0]?.db !== 0)
    return {
      id: 'redis-address',
      path,
      message: 'A Redis cluster has only one database',
      hint: 'Remove the database number from the URLs',
    }
  return null
}

function protectionIssue(path: string, addresses: readonly RedisAddress[], tls: RedisLocation['tls']): ConfigIssue | null {
  if (tls === 'off' && addresses.some((address) => address.isTLS))
    return {
      id: 'redis-tls',
      path: 'tls',
      message: 'tls is off, but the URL requires TLS',
      hint: 'Use redis: in the URL, or remove tls',
    }
  if (tls === 'off' || usesTLS(addresses, tls) || addresses.every((address) => isLoopback(address.host))) return null
  return {
    id: 'redis-plain',
    path,
    message: 'The connection to Redis would cross the network unencrypted',
    hint: "Use rediss: in the URL, or tls: 'off' if the network itself is protected",
  }
}
