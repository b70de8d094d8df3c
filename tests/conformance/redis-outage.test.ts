/** Without Redis every limit stays in force (no fail-open), and the outage is logged once. */
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRedisKeyValue } from '../../src/adapters/key-value.ts'
import { createMemoryRateLimits } from '../../src/adapters/rate-limit/local-rate-limit.ts'
import { withFallback } from '../../src/adapters/rate-limit/rate-limits.ts'
import { createRedisRateLimits } from '../../src/adapters/rate-limit/redis-rate-limit.ts'
import { openRedis } from '../../src/adapters/redis-connection.ts'
import type { RateLimitStore } from '../../src/core/ports.ts'
import { startRedis } from '../kit/servers/index.ts'
import { silentLog, watch } from './ports.ts'

const rule = { window: 600, max: 3 }
const now = () => new Date(1_760_000_000_000)
/** Shorter ones would be met by a busy machine that stands still. */
const hangTimeout = 1000

async function setUp({ commandTimeout = 10_000 } = {}) {
  const server = await startRedis()
  const redis = openRedis({ url: server.url, commandTimeout }, silentLog)
  const watched = watch()
  const store = withFallback(
    'redis',
    createRedisRateLimits({ redis, keyPrefix: 'test:', now }),
    createMemoryRateLimits({ now }),
    { ...watched, quietMs: 100 },
  )
  const kv = createRedisKeyValue({ redis, keyPrefix: 'test:' })
  onTestFinished(async () => {
    await redis.close()
    await server.stop()
  })
  return { server, redis, store, kv, ...watched }
}

async function countAllowed(store: RateLimitStore, key: string, calls: number): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: calls }, () => store.take(key, rule)))
  return decisions.filter((decision) => decision.allowed).length
}

/** Asks until the store counts in Redis again: then nothing is added to the metric. */
async function waitUntilBack(store: RateLimitStore, counted: readonly string[]): Promise<void> {
  let call = 0
  await expect
    .poll(
      async () => {
        const before = counted.length
        call += 1
        await store.take(`probe ${call}`, rule)
        return counted.length - before
      },
      { interval: 50 },
    )
    .toBe(0)
}

describe('a Redis that is killed while calls are counted', () => {
  test('keeps every limit in force, is logged once, and is used again when it is back', async () => {
    const { server, store, lines, counted } = await setUp()
    expect(await countAllowed(store, 'a', 10)).toBe(3)
    expect(counted).toEqual([])

    const underWay = Array.from({ length: 50 }, (_, index) => countAllowed(store, `under way ${index}`, 20))
    await server.kill()
    // Some were counted by Redis before its end and some in process after it; no call passed uncounted.
    for (const passed of await Promise.all(underWay)) expect(passed).toBeLessThanOrEqual(6)
    expect(await countAllowed(store, 'b', 100)).toBe(3)
    expect(await countAllowed(store, 'b', 100)).toBe(0)
    expect(counted.length).toBeGreaterThanOrEqual(200)
    expect(new Set(counted)).toEqual(new Set(['rate_limit_fallback redis']))
    expect(lines.map(({ level }) => level)).toEqual(['warn'])

    await server.restart()
    await waitUntilBack(store, counted)
    await expect.poll(() => lines.map(({ level }) => level)).toEqual(['warn', 'info'])
    expect(await countAllowed(store, 'c', 100)).toBe(3)
    expect(await countAllowed(store, 'c', 100)).toBe(0)
    expect(lines).toHaveLength(2)
  })
  test('delays no call', async () => {
    const { server, store, kv } = await setUp()
    await store.take('a', rule)
    await server.kill()
    await store.take('a', rule)
    const started = performance.now()
    for (let call = 0; call < 100; call += 1) {
      await store.take('a', rule)
      await expect(kv.get(['a'])).rejects.toThrow('Redis does not respond')
    }
    expect(performance.now() - started).toBeLessThan(2000)
  })
  test('reports the reason to a ping', async () => {
    const { server, kv } = await setUp()
    await kv.ping()
    await server.kill()
    await expect
      .poll(() => kv.ping().catch((error: unknown) => String((error instanceof Error && error.cause) || '')))
      .toContain('ECONNREFUSED')
  })
})

test('a Redis that hangs costs one timeout, not one per call, and is used again when it continues', async () => {
  const { server, store, lines, counted } = await setUp({ commandTimeout: hangTimeout })
  await store.take('a', rule)
  process.kill(server.pid, 'SIGSTOP')
  onTestFinished(() => {
    process.kill(server.pid, 'SIGCONT')
  })
  const started = performance.now()
  for (let call = 0; call < 50; call += 1) await store.take('b', rule)
  // One after the other they would be 50 timeouts, 50 seconds.
  expect(performance.now() - started).toBeLessThan(10 * hangTimeout)
  expect(await countAllowed(store, 'b', 100)).toBe(0)
  expect(lines).toHaveLength(1)
  process.kill(server.pid, 'SIGCONT')
  await waitUntilBack(store, counted)
  await expect.poll(() => lines.map(({ level }) => level)).toEqual(['warn', 'info'])
})

test('a Redis that is unavailable is tried again at least four times a second', async () => {
  const { server, redis, store } = await setUp()
  await store.take('a', rule)
  const delays: number[] = []
  redis.client.on('reconnecting', (delay: number) => delays.push(delay))
  await server.kill()
  await expect.poll(() => delays.length).toBeGreaterThan(8)
  expect(Math.max(...delays)).toBe(250)
})

test('a Redis that starts after the daemon is used from then on', async () => {
  const { server, store, lines, counted } = await setUp()
  await server.kill()
  expect(await countAllowed(store, 'a', 100)).toBe(3)
  expect(lines.map(({ level }) => level)).toEqual(['warn'])
  await server.restart()
  await waitUntilBack(store, counted)
  expect(await countAllowed(store, 'c', 100)).toBe(3)
})

test('a Redis that has become a replica is replaced by the master behind the same address', async () => {
  const { redis, server, store, lines, counted } = await setUp()
  const operator = new Redis(server.url)
  onTestFinished(() => operator.disconnect())
  await store.take('a', rule)
  await operator.call('REPLICAOF', '127.0.0.1', '1')
  const reconnects = once(redis.client, 'reconnecting')
  expect(await countAllowed(store, 'b', 100)).toBe(3)
  await reconnects
  await operator.call('REPLICAOF', 'NO', 'ONE')
  await waitUntilBack(store, counted)
  expect(await countAllowed(store, 'c', 100)).toBe(3)
  await expect.poll(() => lines.map(({ level }) => level)).toEqual(['warn', 'info'])
})
