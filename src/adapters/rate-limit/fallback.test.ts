import { describe, expect, test } from 'vitest'
import type { Logger, Metrics, RateLimitDecision, RateLimitStore } from '../../core/ports.ts'
import { createMemoryRateLimits } from './local-rate-limit.ts'
import { withFallback } from './rate-limits.ts'

const rule = { window: 10, max: 2 }
const allowed: RateLimitDecision = { allowed: true, retryAfter: 0 }

function setUp(take: RateLimitStore['take']) {
  const lines: string[] = []
  const counted: string[] = []
  const write = (level: string) => (_fields: object, message: string) => lines.push(`${level}: ${message}`)
  const log: Logger = { debug: () => {}, info: write('info'), warn: write('warn'), error: write('error'), child: () => log }
  const metrics: Metrics = { count: (name, labels) => counted.push(`${name} ${labels?.store}`), observe: () => {} }
  const closed: string[] = []
  const memory = createMemoryRateLimits({ now: () => new Date(0) })
  const away = () => Promise.reject(new Error('away'))
  const first: RateLimitStore = {
    isShared: true,
    take,
    find: away,
    delete: away,
    close: async () => void closed.push('first'),
  }
  const second: RateLimitStore = { ...memory, close: async () => void closed.push('second') }
  return { store: withFallback('first', first, second, { log, metrics, quietMs: 20 }), memory, lines, counted, closed }
}

describe('a store with a fallback', () => {
  test('uses only the first store as long as it responds', async () => {
    const { store, lines, counted } = setUp(async () => allowed)
    for (let call = 0; call < 5; call += 1) expect(await store.take('a', rule)).toBe(allowed)
    expect([lines, counted]).toEqual([[], []])
  })
  test('counts every request while the first store is unavailable', async () => {
    const { store, lines, counted } = setUp(() => Promise.reject(new Error('away')))
    const decisions = await Promise.all(Array.from({ length: 100 }, () => store.take('a', rule)))
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(2)
    expect(lines).toEqual(['warn: The rate limit store does not respond: rate limits are counted in memory'])
    expect(counted).toEqual(Array(100).fill('rate_limit_fallback first'))
  })
  test('logs once that the first store is back, and uses it', async () => {
    let isUnavailable = true
    const { store, lines, counted } = setUp(async () => (isUnavailable ? Promise.reject(new Error('away')) : allowed))
    await store.take('a', rule)
    isUnavailable = false
    for (let call = 0; call < 5; call += 1) expect((await store.take('a', rule)).allowed).toBe(true)
    await expect.poll(() => lines).toHaveLength(2)
    isUnavailable = true
    await store.take('a', rule)
    expect(lines.map((line) => line.slice(0, 5))).toEqual(['warn:', 'info:', 'warn:'])
    expect(counted).toHaveLength(2)
  })
  test('logs one outage while one node of a cluster fails and the others respond', async () => {
    let isFailing = true
    const { store, lines } = setUp(async (key) =>
      isFailing && key === 'on the failed node' ? Promise.reject(new Error('away')) : allowed,
    )
    for (let round = 0; round < 16; round += 1) {
      await store.take('on the failed node', rule)
      await store.take('on another node', rule)
    }
    expect(lines.map((line) => line.slice(0, 5))).toEqual(['warn:'])
    isFailing = false
    await store.take('on the failed node', rule)
    await expect.poll(() => lines.map((line) => line.slice(0, 5))).toEqual(['warn:', 'info:'])
  })
  test('does not take a late response from before the failure for the end of the outage', async () => {
    const late = Promise.withResolvers<RateLimitDecision>()
    const { store, lines } = setUp((key) => (key === 'late' ? late.promise : Promise.reject(new Error('away'))))
    const first = store.take('late', rule)
    await store.take('a', rule)
    late.resolve(allowed)
    expect(await first).toBe(allowed)
    await store.take('a', rule)
    expect(lines).toHaveLength(1)
  })
  test('does not report the counts of the second store', async () => {
    const { store, memory } = setUp(() => Promise.reject(new Error('away')))
    await store.take('a', rule)
    expect(store.isShared).toBe(true)
    await expect(store.find(['a'])).rejects.toThrow('away')
    await expect(store.delete(['a'])).rejects.toThrow('away')
    expect(await memory.find(['a'])).toEqual([null])
  })
  test('closes both stores', async () => {
    const { store, closed } = setUp(async () => allowed)
    await store.close()
    expect(closed).toEqual(['first', 'second'])
  })
})
