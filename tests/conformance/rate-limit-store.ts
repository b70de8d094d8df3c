/** What every implementation of `RateLimitStore` promises (contract 00 §7). */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RateLimitStore } from '../../src/core/ports.ts'
import { type Clock, createClock } from '../kit/clock.ts'

/** Stores that count in the same place, as two daemons would. */
export type OpenStores = (now: Clock['now'], count: number) => Promise<{ stores: RateLimitStore[]; close(): Promise<void> }>

const rule = { window: 10, max: 3 }

/**
 * @param name of the implementation
 * @param open empty stores
 * @param isShared whether several stores count together
 */
export function rateLimitStoreSuite(name: string, open: OpenStores, { isShared }: { isShared: boolean }): void {
  async function openOne(): Promise<{ store: RateLimitStore; clock: Clock }> {
    const clock = createClock()
    const { stores, close } = await open(clock.now, 1)
    onTestFinished(close)
    const [store] = stores
    if (!store) throw new Error('no store was opened')
    return { store, clock }
  }

  describe(`rate limits: ${name}`, () => {
    test('of 100 calls at once against a limit of 3, exactly 3 pass', async () => {
      const { store } = await openOne()
      const decisions = await Promise.all(Array.from({ length: 100 }, () => store.take('192.0.2.1/sign-in/email', rule)))
      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(3)
      for (const decision of decisions)
        expect(decision).toEqual(decision.allowed ? { allowed: true, retryAfter: 0 } : { allowed: false, retryAfter: 10 })
    })
    test('of 100 calls at once on a key that is in use, exactly the rest passes', async () => {
      const { store } = await openOne()
      await store.take('a', rule)
      const decisions = await Promise.all(Array.from({ length: 100 }, () => store.take('a', rule)))
      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(2)
    })
    if (isShared)
      test('two daemons count together', async () => {
        const clock = createClock()
        const { stores, close } = await open(clock.now, 2)
        onTestFinished(close)
        const decisions = await Promise.all(Array.from({ length: 100 }, (_, index) => stores[index % 2]?.take('a', rule)))
        expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(3)
        expect(stores.map((store) => store.isShared)).toEqual([true, true])
        expect(await stores[0]?.find(['a'])).toMatchObject([{ count: 3 }])
        expect(await stores[1]?.delete(['a'])).toBe(1)
        expect(await stores[0]?.find(['a'])).toEqual([null])
      })
    test('the window slides with every allowed call', async () => {
      const { store, clock } = await openOne()
      for (let call = 0; call < 3; call += 1) {
        expect(await store.take('a', rule)).toEqual({ allowed: true, retryAfter: 0 })
        clock.advance(9)
      }
      expect(await store.take('a', rule)).toEqual({ allowed: false, retryAfter: 1 })
    })
    test('a refused call leaves no trace', async () => {
      const { store, clock } = await openOne()
      for (let call = 0; call < 3; call += 1) await store.take('a', rule)
      for (let second = 0; second < 9; second += 1) {
        expect(await store.take('a', rule)).toEqual({ allowed: false, retryAfter: 10 - second })
        clock.advance(1)
      }
      clock.advance(1)
      expect((await store.take('a', rule)).allowed).toBe(true)
    })
    test.each([
      [0.001, 10],
      [1, 9],
      [1.001, 9],
      [9, 1],
      [9.999, 1],
    ])('%f s after the last allowed call the next may come in %i s', async (elapsed, retryAfter) => {
      const { store, clock } = await openOne()
      await store.take('a', { window: 10, max: 1 })
      clock.advance(elapsed)
      expect(await store.take('a', { window: 10, max: 1 })).toEqual({ allowed: false, retryAfter })
    })
    test('exactly at the end of the window one more call passes, and is counted on', async () => {
      const { store, clock } = await openOne()
      for (let call = 0; call < 3; call += 1) await store.take('a', rule)
      clock.advance(10)
      expect((await store.take('a', rule)).allowed).toBe(true)
      expect(await store.take('a', rule)).toEqual({ allowed: false, retryAfter: 10 })
    })
    test('after the window counting begins anew', async () => {
      const { store, clock } = await openOne()
      for (let call = 0; call < 3; call += 1) await store.take('a', rule)
      clock.advance(10.001)
      for (let call = 0; call < 3; call += 1) expect((await store.take('a', rule)).allowed).toBe(true)
      expect((await store.take('a', rule)).allowed).toBe(false)
    })
    test('a clock that was set back by more than the window locks nobody out', async () => {
      const { store, clock } = await openOne()
      for (let call = 0; call < 3; call += 1) await store.take('a', rule)
      clock.advance(-5)
      expect(await store.take('a', rule)).toEqual({ allowed: false, retryAfter: 10 })
      clock.advance(-3600)
      for (let call = 0; call < 3; call += 1) expect((await store.take('a', rule)).allowed).toBe(true)
      expect((await store.take('a', rule)).allowed).toBe(false)
    })
    test('what is counted can be looked at, which counts nothing', async () => {
      const { store, clock } = await openOne()
      const lastRequest = clock.now().getTime()
      for (let call = 0; call < 5; call += 1) await store.take('a', rule)
      const expected = [null, { count: 3, lastRequest }, null, { count: 3, lastRequest }]
      expect(await store.find(['b', 'a', 'A', 'a'])).toEqual(expected)
      expect(await store.find(['b', 'a', 'A', 'a'])).toEqual(expected)
      expect(await store.find([])).toEqual([])
      clock.advance(9)
      expect(await store.take('a', rule)).toEqual({ allowed: false, retryAfter: 1 })
    })
    test('what is forgotten begins anew, and nothing else does', async () => {
      const { store } = await openOne()
      for (const key of ['a', 'b']) for (let call = 0; call < 3; call += 1) await store.take(key, rule)
      expect(await store.delete(['a', 'c'])).toBe(1)
      expect(await store.delete(['a'])).toBe(0)
      expect(await store.delete([])).toBe(0)
      expect((await store.find(['a']))[0]).toBeNull()
      const decisions = await Promise.all(Array.from({ length: 50 }, () => store.take('a', rule)))
      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(3)
      expect((await store.take('b', rule)).allowed).toBe(false)
    })
    test('keys are counted apart, byte for byte', async () => {
      const { store } = await openOne()
      const keys = [
        'a',
        'A',
        'á',
        '192.0.2.1/sign-in/email',
        '2001:db8:0:1::/64/sign-in/email',
        'a\'b"c`d\\e{f}',
        `long${'x'.repeat(400)}`,
      ]
      for (const key of keys) expect(await store.take(key, { window: 10, max: 1 })).toEqual({ allowed: true, retryAfter: 0 })
      for (const key of keys) expect((await store.take(key, { window: 10, max: 1 })).allowed).toBe(false)
    })
    test('a rule that was changed counts from the next call', async () => {
      const { store } = await openOne()
      for (let call = 0; call < 3; call += 1) await store.take('a', rule)
      expect((await store.take('a', { window: 10, max: 4 })).allowed).toBe(true)
      expect((await store.take('a', { window: 10, max: 4 })).allowed).toBe(false)
      expect((await store.take('a', { window: 3600, max: 100 })).allowed).toBe(true)
    })
  })
}
