/** A private Redis. */
import { Redis } from 'ioredis'
import { getBinary, redis } from './packages.ts'
import { type Server, startServer } from './server.ts'

/** Enough that every test file of a run has its own. */
export const redisDatabases = 1024

/**
 * Starts a private Redis that keeps nothing on disk: after `kill` and `restart` it is empty.
 * @param args further options of `redis-server`
 */
export async function startRedis(args: readonly string[] = []): Promise<Server> {
  const binary = await getBinary(redis)
  return startServer({
    name: 'redis',
    url: (port) => `redis://127.0.0.1:${port}`,
    command: (folder, port) => [
      binary,
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'],
      ...['--databases', String(redisDatabases)],
      ...args,
    ],
    ping: pingRedis,
  })
}

/** Rejects unless a Redis responds at the address. */
export async function pingRedis(url: string): Promise<void> {
  const client = connectRedis(url)
  try {
    await client.connect()
    await client.ping()
  } finally {
    client.disconnect()
  }
}

/** A client that fails immediately instead of retrying, and reports failures only through its promises. */
export function connectRedis(url: string): Redis {
  const once = { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0, connectTimeout: 5000 }
  // After a failed connection ioredis holds the process for this long, two seconds by default.
  const client = new Redis(url, { ...once, disconnectTimeout: 10 })
  // The rejected promise of `connect` or of the command reports the same.
  client.on('error', () => undefined)
  return client
}
