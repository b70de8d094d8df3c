/** The connection to Redis that the key-value store and the rate limits share: one server, a cluster, or behind sentinels. */
import type { Cluster, Redis } from 'ioredis'
import type { Logger } from '../core/ports.ts'
import { withDeadline } from '../lib/async.ts'
import { errorReason } from '../lib/redact.ts'
import { redisAddressIssue } from './redis-address.ts'
import { addressesOf, connectTimeoutMs, createClient, type RedisOptions } from './redis-client.ts'

export type RedisConnection = ReturnType<typeof openRedis>

/**
 * Connects when first needed. While a server is unavailable, commands reject immediately or within `commandTimeout`, and the client
 * keeps trying to connect.
 * @throws Error when the options are invalid (see `redisAddressIssue`) or the CA file cannot be read
 */
export function openRedis(options: RedisOptions, log: Logger) {
  const issue = redisAddressIssue(options)
  if (issue) throw new Error(`${issue.message}. ${issue.hint}.`)
  const client = createClient(options)
  const failures = watchFailures(client, addressesOf(options), log)
  /** Undefined before the first command; null once the first attempt has succeeded or failed. */
  let opening: Promise<void> | null | undefined
  let closed: Promise<void> | undefined

  function open(): Promise<void> {
    // With sentinels `connect` itself keeps trying.
    const attempt = Promise.race([client.connect(), failures.first])
    return withDeadline(attempt, connectTimeoutMs, 'Redis did not respond in time')
      .catch(failures.noteUnlessKnown)
      .finally(() => {
        opening = null
      })
  }

  return {
    client,
    /** Connects if needed, then runs commands. @throws the server's error reply, or an Error with the reason why there is none */
    run: async <T>(command: () => Promise<T>): Promise<T> => {
      if (opening === undefined) opening = open()
      if (opening !== null) await opening
      try {
        return await command()
      } catch (error) {
        throw failures.explain(error)
      }
    },
    connections: countConnections(client),
    /** Idempotent. */
    close: (): Promise<void> => {
      opening = null
      closed ??= close(client)
      return closed
    },
  }
}

/** Counts the connections made: a server that was restarted or replaced may have lost the newest writes. */
function countConnections(client: Redis | Cluster): () => number {
  let count = 0
  const add = () => {
    count += 1
  }
  client.on('ready', add)
  client.on('+node', add)
  return () => count
}

/** Remembers why there is no connection. It is logged as a detail only, because the code that needed Redis reports the failure. */
function watchFailures(client: Redis | Cluster, addresses: string, log: Logger) {
  const failedOnce = Promise.withResolvers<void>()
  let last: Error | undefined
  let isReconnecting = false
  const note = (error: Error) => {
    last = error
    log.debug({ err: error }, 'The connection to Redis failed')
  }
  client.on('error', note)
  client.on('error', (error) => {
    failedOnce.resolve()
    // Its database could not be selected: the client would go on with database 0, which may belong to another application.
    if (isReply(error)) client.disconnect(true)
  })
  client.on('node error', note)
  client.on('ready', () => {
    last = undefined
    isReconnecting = false
  })
  return {
    first: failedOnce.promise,
    explain: (error: unknown): Error => {
      if (!isReply(error) || isLoginReply(error)) {
        const cause = isReply(error) ? error : (last ?? error)
        const problem = isLoginReply(cause) ? `Redis rejects the login at ${addresses}` : `Redis does not respond at ${addresses}`
        return new Error(`${problem}: ${errorReason(cause)}`, { cause })
      }
      // The server has become a replica: another master is, or will be, at the same address.
      if (error.message.includes('READONLY') && !isReconnecting) {
        isReconnecting = true
        client.disconnect(true)
      }
      return error
    },
    /** The rejection of `connect` says less than the event before it. */
    noteUnlessKnown: (error: Error) => {
      last ??= error
    },
  }
}

const isReply = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError'
const isLoginReply = (error: unknown): boolean =>
  isReply(error) && /^(NOAUTH|WRONGPASS|ERR (AUTH|invalid password))/.test(error.message)

async function close(client: Redis | Cluster): Promise<void> {
  if (client.status === 'ready') await client.quit().catch(() => client.disconnect())
  else client.disconnect()
}

/** The server's reply that the account lacks the right to a command or a key, also while connecting; null for other errors. */
export const missingRight = (error: unknown): Error | null => {
  const reply = error instanceof Error && isReply(error.cause) ? error.cause : error
  return isReply(reply) && reply.message.startsWith('NOPERM') ? reply : null
}

/** What the server reports about itself; null for what it does not report. @throws as `run` */
export async function describeRedis({ client, run }: RedisConnection) {
  const info = await run(() => client.info()).catch((error: unknown) => {
    if (missingRight(error)) return ''
    throw error
  })
  const values = new Map(info.split('\r\n').map((line) => line.split(':', 2) as [string, string | undefined]))
  return {
    version: values.get('redis_version') ?? null,
    memoryPolicy: values.get('maxmemory_policy') ?? null,
    memoryLimit: values.get('maxmemory') ?? null,
  }
}
