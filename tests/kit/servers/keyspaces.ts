/** A part of the shared Redis for each test file. */
import { randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import { connectRedis, redisDatabases } from './redis.ts'
import { sharedServers } from './shared.ts'

export interface Keyspace {
  /** A section of the configuration. */
  readonly redis: {
    /** With a numbered database of its own on a server of the run; else as given in REDIS_URL. */
    readonly url: string
    /** Put before every key, since the server may have other users. */
    readonly keyPrefix: string
    readonly commandTimeout: number
  }
  /** Removes the keys: all of the numbered database, or those with the prefix. */
  drop(): Promise<void>
}

/** An empty keyspace for one test only. */
export async function freshKeyspace(): Promise<Keyspace> {
  const { redisUrl, redisIsOwn, run } = sharedServers()
  const keyPrefix = `latchkey_test_${run}_${randomBytes(3).toString('hex')}:`
  // A busy machine may stand still for longer than a command may take in production: Redis would be left out of that test.
  const commandTimeout = 10_000
  if (!redisIsOwn) {
    const drop = () => connected(redisUrl, (client) => deleteMatching(client, keyPrefix))
    return { redis: { url: redisUrl, keyPrefix, commandTimeout }, drop }
  }
  // Counted by the server, for test files run in several processes. Database 0 holds the counter.
  const number = await connected(redisUrl, async (client) => {
    const next = 1 + ((await client.incr('databases')) % (redisDatabases - 1))
    await client.select(next)
    // A test that was killed has left its keys.
    await client.flushdb()
    return next
  })
  const url = `${redisUrl}/${number}`
  const drop = () => connected(url, async (client) => void (await client.flushdb()))
  return { redis: { url, keyPrefix, commandTimeout }, drop }
}

/** Removes what the run has written on a server that is not ours. */
export const dropKeyspaces = (url: string, run: string): Promise<void> =>
  connected(url, (client) => deleteMatching(client, `latchkey_test_${run}_`))

async function connected<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = connectRedis(url)
  try {
    await client.connect()
    return await work(client)
  } finally {
    client.disconnect()
  }
}

async function deleteMatching(client: Redis, prefix: string): Promise<void> {
  let cursor = '0'
  do {
    const [next, keys] = await client.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', 1000)
    if (keys.length > 0) await client.unlink(...keys)
    cursor = next
  } while (cursor !== '0')
}
