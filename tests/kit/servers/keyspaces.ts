/** A part of the shared Redis for each test file. */
import { randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import { connectRedis, redisDatabases } from './redis.ts'
import { sharedServers } from './shared.ts'

export interface Keyspace {
  /** On a server of our own with a numbered database that nobody else uses; else as given in REDIS_URL. */
  readonly url: string
  /** To be put before every key where the server may be somebody else's too. */
  readonly prefix: string
  /** Removes the keys: all of the numbered database, or those with the prefix. */
  drop(): Promise<void>
}

/** An empty keyspace that nobody else uses. */
export async function freshKeyspace(): Promise<Keyspace> {
  const { redisUrl, redisIsOwn, run } = sharedServers()
  const prefix = `latchkey_test_${run}_${randomBytes(3).toString('hex')}:`
  if (!redisIsOwn) {
    return { url: redisUrl, prefix, drop: () => connected(redisUrl, (client) => deleteMatching(client, prefix)) }
  }
  // Counted by the server, for test files run in several processes. Database 0 holds the counter.
  const count = await connected(redisUrl, (client) => client.incr('databases'))
  const url = `${redisUrl}/${1 + (count % (redisDatabases - 1))}`
  const drop = () => connected(url, async (client) => void (await client.flushdb()))
  await drop()
  return { url, prefix, drop }
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
