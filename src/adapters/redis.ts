/** The connection to Redis that the key-value store and the rate limits share: one server, a cluster, or behind sentinels. */
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { type RedisOptions as ClientOptions, Cluster, Redis } from 'ioredis'
import type { Logger } from '../core/ports.ts'
import { withDeadline } from '../lib/deadline.ts'
import { isLoopback } from '../lib/loopback.ts'
import { parseRedisAddress, type RedisAddress, type RedisPlace, redisAddressFault, usesTLS } from '../lib/redis-address.ts'

export interface RedisOptions extends RedisPlace {
  /** Path of a PEM file. */
  readonly ca?: string | undefined
  /** In milliseconds. */
  readonly commandTimeout: number
}

export interface RedisConnection {
  readonly client: Redis | Cluster
  /** Connects for the first command. Null as soon as the first attempt has succeeded or failed. */
  opening(): Promise<void> | null
  /** What to throw when a command failed: the server's own answer, or that there is none, and behind it why. */
  explain(error: unknown): Error
  /** Idempotent. */
  close(): Promise<void>
}

const connectTimeout = 5000

/**
 * Connects when first needed. A server that is away makes commands reject at once, or within `commandTimeout`, while the
 * client goes on trying to connect for ever.
 * @throws Error when the options have a fault (see `redisAddressFault`) or the CA file cannot be read
 */
export function openRedis(options: RedisOptions, log: Logger): RedisConnection {
  const fault = redisAddressFault(options)
  if (fault) throw new Error(`${fault.message}. ${fault.hint}.`)
  const client = createClient(options)
  const failures = watchFailures(client, log)
  let opening: Promise<void> | null | undefined
  let closed: Promise<void> | undefined
  return {
    client,
    opening: () => {
      if (opening === undefined) {
        // With sentinels `connect` itself goes on trying.
        const attempt = Promise.race([client.connect(), failures.first])
        opening = withDeadline(attempt, connectTimeout, 'Redis did not answer in time')
          .catch(failures.noteUnlessKnown)
          .finally(() => {
            opening = null
          })
      }
      return opening
    },
    explain: failures.explain,
    close: () => {
      opening = null
      closed ??= close(client)
      return closed
    },
  }
}

/** Remembers why there is no connection. The log tells it to whoever asks for details: who needed Redis reports the rest. */
function watchFailures(client: Redis | Cluster, log: Logger) {
  const failedOnce = Promise.withResolvers<void>()
  let last: Error | undefined
  let isLeaving = false
  const note = (error: Error) => {
    last = error
    log.debug({ err: error }, 'connection to Redis failed')
  }
  client.on('error', note)
  client.on('error', () => failedOnce.resolve())
  client.on('node error', note)
  client.on('ready', () => {
    last = undefined
    isLeaving = false
  })
  return {
    first: failedOnce.promise,
    explain: (error: unknown): Error => {
      if (!isReply(error)) return new Error('Redis does not answer', { cause: last ?? error })
      // The server has become a replica: behind the same address there is, or will be, another master.
      if (error.message.includes('READONLY') && !isLeaving) {
        isLeaving = true
        client.disconnect(true)
      }
      return error
    },
    /** `connect` is rejected with less than the event before it told. */
    noteUnlessKnown: (error: Error) => {
      last ??= error
    },
  }
}

const isReply = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError'

async function close(client: Redis | Cluster): Promise<void> {
  const isTold =
    client.status === 'ready' &&
    (await client.quit().then(
      () => true,
      () => false,
    ))
  if (!isTold) client.disconnect()
}

function createClient(options: RedisOptions): Redis | Cluster {
  const texts = options.cluster ?? options.sentinel?.nodes ?? [options.url ?? '']
  const addresses = texts
    .map((text) => parseRedisAddress(text, options.sentinel ? 26_379 : 6379))
    .filter((address) => address !== null)
  const tls: ConnectionOptions | undefined = usesTLS(addresses, options.tls)
    ? { rejectUnauthorized: true, ...(options.ca === undefined ? {} : { ca: readFileSync(options.ca, 'utf8') }) }
    : undefined
  const [first] = addresses
  if (!first) throw new Error('Redis has no address')
  const natMap = tls || options.tls === 'off' ? undefined : stayOnThisMachine(first)
  const common = { ...commonOptions(options, first), ...(tls ? { tls } : {}) }
  if (options.cluster) return createCluster(addresses, common, natMap, options.commandTimeout)
  if (!options.sentinel) return new Redis({ ...common, host: first.host, port: first.port })
  return new Redis({
    ...common,
    sentinels: addresses.map(({ host, port }) => ({ host, port })),
    name: options.sentinel.name,
    sentinelUsername: first.username,
    sentinelPassword: first.password,
    sentinelCommandTimeout: connectTimeout,
    enableTLSForSentinelMode: tls !== undefined,
    sentinelTLS: tls,
    natMap,
  })
}

const backOff = (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 10), 2000)

const commonOptions = ({ commandTimeout }: RedisOptions, { username, password, db }: RedisAddress) =>
  ({
    username,
    password,
    db,
    connectionName: 'latchkey',
    disableClientInfo: true,
    // Nothing here needs RESP 3, and an old server's answer to its HELLO repeats the password.
    protocol: 2,
    lazyConnect: true,
    connectTimeout,
    // `disconnect` is for servers that are away: nobody will close the other half of the connection.
    disconnectTimeout: 100,
    retryStrategy: backOff,
    // A dead server is a quick error: what would wait for it, or be sent again, has been answered otherwise by then.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout,
    // A server that hangs costs one timeout and not one for each command: the connection is given up with the first.
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
  const retryDelay = 100
  return new Cluster(
    addresses.map(({ host, port }) => ({ host, port })),
    {
      redisOptions,
      lazyConnect: true,
      enableOfflineQueue: false,
      clusterRetryStrategy: backOff,
      slotsRefreshTimeout: connectTimeout,
      retryDelayOnFailover: retryDelay,
      retryDelayOnClusterDown: retryDelay,
      // Each retry waits: more of them would outlast the deadline of a command.
      maxRedirections: Math.max(2, Math.floor(commandTimeout / retryDelay)),
      // Names stay names, so that certificates are checked against them.
      dnsLookup: (host, callback) => callback(null, host),
      natMap,
    },
  )
}

/**
 * Clusters and sentinels tell where to connect next. A connection that is plain because it stays on this machine must not
 * be led away from it.
 */
const stayOnThisMachine =
  ({ host: known }: RedisAddress): NatMap =>
  (address) => {
    const colon = address.lastIndexOf(':')
    const [host, port] = [address.slice(0, colon), Number(address.slice(colon + 1))]
    return isLoopback(host) ? null : { host: known, port }
  }
