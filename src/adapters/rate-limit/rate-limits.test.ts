import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Logger, Metrics } from '../../core/ports.ts'
import { type ConfigFile, featureList } from '../../features/index.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { openDatabase } from '../database/open.ts'
import { openRedis, type RedisConnection } from '../redis-connection.ts'
import type { SupervisorChannel } from './local-rate-limit.ts'
import { openRateLimits } from './rate-limits.ts'

const log: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => log }
const rule = { window: 10, max: 3 }

/** A connection to a closed port: a store that uses it falls back, which shows that it was used. */
async function openAbsentRedis(): Promise<RedisConnection> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('expected a port')
  const redis = openRedis({ url: `redis://127.0.0.1:${address.port}`, commandTimeout: 500 }, log)
  onTestFinished(() => redis.close())
  return redis
}

/** The names of the stores that were used and failed, in order. The database has no tables, the supervisor does not respond. */
async function failing(input: ConfigFile, redis: RedisConnection | null, hasSupervisor = false): Promise<string[]> {
  const parsed = parseConfig(featureList, {
    secret: 'a secret of the tests, 0123456789 abcdefghij',
    environment: 'development',
    database: { url: 'sqlite::memory:' },
    ...input,
  })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  const { db, errors, close } = openDatabase(parsed.config.database)
  onTestFinished(close)
  const failed: string[] = []
  const metrics: Metrics = { count: (_name, labels) => failed.push(labels?.store ?? ''), observe: () => {} }
  const channel: SupervisorChannel = { on: () => {}, off: () => {} }
  const ports = { config: parsed.config, db, database: errors, redis, log, metrics, now: () => new Date(0) }
  const store = openRateLimits(hasSupervisor ? { ...ports, channel } : ports)
  for (let call = 0; call < 3; call += 1) expect((await store.take('a', rule)).allowed).toBe(true)
  expect((await store.take('a', rule)).allowed).toBe(false)
  return [...new Set(failed)]
}

const storage = { get: () => Promise.reject(new Error('away')), set: async () => {} }
const mysql = { url: 'mysql://user@127.0.0.1/none' }

test('uses the memory of the process without configuration', async () => {
  expect(await failing({}, null)).toEqual([])
})
test('prefers custom storage to everything else', async () => {
  expect(await failing({ rateLimit: { customStorage: storage, storage: 'database' } }, await openAbsentRedis())).toEqual([
    'custom',
  ])
})
test('prefers the configured storage to Redis', async () => {
  expect(await failing({ rateLimit: { storage: 'database' } }, await openAbsentRedis())).toEqual(['database'])
  expect(await failing({ rateLimit: { storage: 'memory' } }, await openAbsentRedis())).toEqual([])
})
test('uses Redis when it is configured', async () => {
  expect(await failing({}, await openAbsentRedis())).toEqual(['redis'])
})
test('several workers use the supervisor without Redis, and fall back on it with Redis', async () => {
  const several: ConfigFile = { server: { workers: 2 }, database: mysql }
  expect(await failing(several, null, true)).toEqual(['supervisor'])
  expect(await failing(several, await openAbsentRedis(), true)).toEqual(['redis', 'supervisor'])
})
test('several workers without a supervisor count in each process', async () => {
  expect(await failing({ server: { workers: 2 }, database: mysql }, null)).toEqual([])
})
