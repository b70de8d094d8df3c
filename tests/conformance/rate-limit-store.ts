/** The behaviour that every implementation of `RateLimitStore` must have (contract 00 §7). */
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
    test('allows exactly 3 of 100 concurrent calls with a limit of 3', async () => {
      const { store } = await openOne()
      const decisions = await Promise.all(Array.from({ length: 100 }, () => store.take('192.0.2.1/sign-in/email', rule)))
      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(3)
      for (const decision of decisions)
        expect(decision).toEqual(decision.allowed ? { allowed: true, retryAfter: 0 } : { allowed: false, retryAfter: 10 })
    })
    test('allows exactly the rest of the limit to 100 concurrent calls on a key in use', async () => {
      const { store } = await openOne()
      await store.take('a', rule)
      const decisions = await Promise.all(Array.from({ length: 100 }, () => store.take('a', rule)))
      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(2)
    })
    if (isShared)
      test('counts calls of two daemons together', async () => {
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
    test('slides the window with every allowed call', async () => {
      const { store, clock } = await openOne()
      for (let call = 0; call < 3; call += 1) {
        expect(await store.take('a', rule)).toEqual({ allowed: true, retryAfter: 0 })
        clock.advance(9)
      }
      expect(await store.take('a', rule)).toEqual({ allowed: false, retryAfter: 1 })
    })
    test('does not count a rejected call', async () => {
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
    ])('%f s after the last allowed call, allows the next one in %i s', async (elapsed, retryAfter) => {
      const { store, clock } = await openOne()
      await store.take('a', { window: 10, max: 1 })
      clock.advance(elapsed)
      expect(await store.take('a', { window: 10, max: 1 })).toEqual({ allowed: false, retryAfter })
    })
    test('allows and counts one more call exactly at the end of the window', async () => {
      const { store, clock } = await openOne()
      for (let call = 0; call < 3; call += 1) await store.take('a', rule)
      clock.advance(10)
      expect((await store.take('a', rule)).allowed).toBe(true)
      expect(await store.take('a', rule)).toEqual({ allowed: false, retryAfter: 10 })
    })
    test('starts counting again after the window', async () => {
      const { store, clock } = await openOne()
      for (let call = 0; call < 3; call += 1) await store.take('a', rule)
      clock.advance(10.001)
      for (let call = 0; call < 3; call += 1) expect((await store.take('a', rule)).allowed).toBe(true)
      expect((await store.take('a', rule)).allowed).toBe(false)
    })
    test('locks out no one when the clock is set back by more than the window', async () => {
      const { store, clock } = await openOne()
      for (let call = 0; call < 3; call += 1) await store.take('a', rule)
      clock.advance(-5)
      expect(await store.take('a', rule)).toEqual({ allowed: false, retryAfter: 10 })
      clock.advance(-3600)
      for (let call = 0; call < 3; call += 1) expect((await store.take('a', rule)).allowed).toBe(true)
      expect((await store.take('a', rule)).allowed).toBe(false)
    })
    test('shows the count without counting', async () => {
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
    test('starts counting again for a cleared key only', async () => {
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
    test('counts keys separately, byte for byte', async () => {
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
    test('applies a changed rule from the next call', async () => {
      const { store } = await openOne()
      for (let call = 0; call < 3; call += 1) await store.take('a', rule)
      expect((await store.take('a', { window: 10, max: 4 })).allowed).toBe(true)
      expect((await store.take('a', { window: 10, max: 4 })).allowed).toBe(false)
      expect((await store.take('a', { window: 3600, max: 100 })).allowed).toBe(true)
    })
  })
}
