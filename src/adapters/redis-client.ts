/** The client of ioredis for the configured servers, with the options that an unavailable server needs. */
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { type RedisOptions as ClientOptions, Cluster, Redis } from 'ioredis'
import type { Config } from '../features/index.ts'
import { isLoopback } from '../lib/ip.ts'
import { parseRedisAddress, usesTLS } from './redis-address.ts'

type RedisAddress = NonNullable<ReturnType<typeof parseRedisAddress>>
/** The section `redis` of the configuration. */
export type RedisOptions = Partial<Config['redis']> & Pick<Config['redis'], 'commandTimeout'>

export const connectTimeoutMs = 5000

const parseAddresses = (options: RedisOptions): RedisAddress[] =>
  (options.cluster ?? options.sentinel?.nodes ?? [options.url ?? ''])
    .map((text) => parseRedisAddress(text, options.sentinel ? 26_379 : 6379))
    .filter((address) => address !== null)

/** Of all nodes, for messages: without user and password. */
export const addressesOf = (options: RedisOptions): string =>
  parseAddresses(options)
    .map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
    .join(', ')

/** @throws Error when the CA file cannot be read */
export function createClient(options: RedisOptions): Redis | Cluster {
  const addresses = parseAddresses(options)
  const tls: ConnectionOptions | undefined = usesTLS(addresses, options.tls)
    ? { rejectUnauthorized: true, ...(options.ca === undefined ? {} : { ca: readFileSync(options.ca, 'utf8') }) }
    : undefined
  const [first] = addresses
  if (!first) throw new Error('The address of Redis is missing')
  const natMap = tls || options.tls === 'off' ? undefined : onlyLoopback(first)
  const common = { ...commonOptions(options, first), ...(tls ? { tls } : {}) }
  if (options.cluster) return createCluster(addresses, common, natMap, options.commandTimeout)
  if (!options.sentinel) return new Redis({ ...common, host: first.host, port: first.port })
  return new Redis({
    ...common,
    sentinels: addresses.map(({ host, port }) => ({ host, port })),
    name: options.sentinel.name,
    sentinelUsername: first.username,
    sentinelPassword: first.password,
    sentinelCommandTimeout: connectTimeoutMs,
    enableTLSForSentinelMode: tls !== undefined,
    sentinelTLS: tls,
    natMap,
  })
}

/** Short at most: until it is connected again, a daemon cannot learn of sessions that another one has revoked. */
const backoffMs = (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 10), 250)

const commonOptions = ({ commandTimeout }: RedisOptions, { username, password, db }: RedisAddress) =>
  ({
    username,
    password,
    db,
    connectionName: 'latchkey',
    disableClientInfo: true,
    // Nothing here needs RESP 3, and an old server's error reply to its HELLO repeats the password.
    protocol: 2,
    lazyConnect: true,
    // It needs the right to INFO, and without it prints a line that is not JSON. A server that still loads responds with an error.
    enableReadyCheck: false,
    connectTimeout: connectTimeoutMs,
    // `disconnect` is for servers that are unavailable: they will not close their half of the connection.
    disconnectTimeout: 100,
    retryStrategy: backoffMs,
    // A dead server is a quick error: by the time a queued or resent command succeeds, its request has been responded to.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout,
    // A server that hangs costs one timeout and not one per command: the first one closes the connection.
    socketTimeout: commandTimeout,
  }) satisfies ClientOptions

type NodeOptions = ReturnType<typeof commonOptions> & { readonly tls?: ConnectionOptions }
type NatMap = (address: string) => { host: string; port: number } | null

function createCluster(
  addresses: readonly RedisAddress[],
  redisOptions: NodeOptions,
  natMap: NatMap | undefined,
  commandTimeout: number,
) {
  const retryDelayMs = 100
  return new Cluster(
    addresses.map(({ host, port }) => ({ host, port })),
    {
      redisOptions,
      lazyConnect: true,
      // It needs the right to CLUSTER INFO.
      enableReadyCheck: false,
      enableOfflineQueue: false,
      clusterRetryStrategy: backoffMs,
      slotsRefreshTimeout: connectTimeoutMs,
      retryDelayOnFailover: retryDelayMs,
      retryDelayOnClusterDown: retryDelayMs,
      // Each retry waits: more of them would outlast the deadline of a command.
      maxRedirections: Math.max(2, Math.floor(commandTimeout / retryDelayMs)),
      // Names stay names, so that certificates are checked against them.
      dnsLookup: (host, callback) => callback(null, host),
      natMap,
    },
  )
}

/**
 * Clusters and sentinels announce further addresses. A connection that is unencrypted because it stays on this machine must not
 * leave it.
 */
const onlyLoopback =
  ({ host: known }: RedisAddress): NatMap =>
  (address) => {
    const colon = address.lastIndexOf(':')
    const [host, port] = [address.slice(0, colon), Number(address.slice(colon + 1))]
    return isLoopback(host) ? null : { host: known, port }
  }
