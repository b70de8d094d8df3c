import { describe, expect, test } from 'vitest'
import type { Logger, Metrics, RateLimitDecision, RateLimitStore } from '../../core/ports.ts'
import { withFallback } from './fallback.ts'
import { createMemoryRateLimits } from './memory.ts'

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
  return { store: withFallback('first', first, second, { log, metrics }), memory, lines, counted, closed }
}

describe('a store with a fallback', () => {
  test('asks the first store only, as long as it answers', async () => {
    const { store, lines, counted } = setUp(async () => allowed)
    for (let call = 0; call < 5; call += 1) expect(await store.take('a', rule)).toBe(allowed)
    expect([lines, counted]).toEqual([[], []])
  })
  test('never lets calls pass uncounted while the first store is away', async () => {
    const { store, lines, counted } = setUp(() => Promise.reject(new Error('away')))
    const decisions = await Promise.all(Array.from({ length: 100 }, () => store.take('a', rule)))
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(2)
    expect(lines).toEqual(['warn: rate limits are counted elsewhere: their store does not answer'])
    expect(counted).toEqual(Array(100).fill('rate_limit_fallback first'))
  })
  test('says once that the first store is back, and uses it', async () => {
    let isAway = true
    const { store, lines, counted } = setUp(async () => (isAway ? Promise.reject(new Error('away')) : allowed))
    await store.take('a', rule)
    isAway = false
    for (let call = 0; call < 5; call += 1) expect((await store.take('a', rule)).allowed).toBe(true)
    isAway = true
    await store.take('a', rule)
    expect(lines.map((line) => line.slice(0, 5))).toEqual(['warn:', 'info:', 'warn:'])
    expect(counted).toHaveLength(2)
  })
  test('a late answer from before the failure does not count as being back', async () => {
    const late = Promise.withResolvers<RateLimitDecision>()
    const { store, lines } = setUp((key) => (key === 'late' ? late.promise : Promise.reject(new Error('away'))))
    const first = store.take('late', rule)
    await store.take('a', rule)
    late.resolve(allowed)
    expect(await first).toBe(allowed)
    await store.take('a', rule)
    expect(lines).toHaveLength(1)
  })
  test('does not take what the second store counts for the truth', async () => {
    const { store, memory } = setUp(() => Promise.reject(new Error('away')))
    await store.take('a', rule)
    expect(store.isShared).toBe(true)
    await expect(store.find(['a'])).rejects.toThrow('away')
    await expect(store.delete(['a'])).rejects.toThrow('away')
    expect(await memory.find(['a'])).toEqual([null])
  })
  test('closes both', async () => {
    const { store, closed } = setUp(async () => allowed)
    await store.close()
    expect(closed).toEqual(['first', 'second'])
  })
})
