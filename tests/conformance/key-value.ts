/** What every implementation of `KeyValue` promises. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { KeyValue } from '../../src/core/ports.ts'

/** @param open an empty store, by the clock of this machine */
export function keyValueSuite(name: string, open: () => Promise<{ store: KeyValue; close(): Promise<void> }>): void {
  async function openOne(): Promise<KeyValue> {
    const { store, close } = await open()
    onTestFinished(close)
    return store
  }

  describe(`key-value store: ${name}`, () => {
    test('what was set is found, in the order of the keys, and null where nothing is', async () => {
      const store = await openOne()
      await store.set('a', 'one', 60)
      await store.set('b', 'two', 60)
      expect(await store.get(['a'])).toEqual(['one'])
      expect(await store.get(['none'])).toEqual([null])
      expect(await store.get(['b', 'none', 'a', 'b'])).toEqual(['two', null, 'one', 'two'])
      expect(await store.get([])).toEqual([])
    })
    test('values and keys are any text', async () => {
      const store = await openOne()
      const texts = ['', ' ', 'ä€😀', '\0\r\n', '{"a":[1]}', 'x'.repeat(200_000)]
      for (const [index, text] of texts.entries()) {
        await store.set(`key ${index} ä\r\n${text.slice(0, 10)}`, text, 60)
        expect(await store.get([`key ${index} ä\r\n${text.slice(0, 10)}`])).toEqual([text])
      }
    })
    test('a second value replaces the first', async () => {
      const store = await openOne()
      await store.set('a', 'one', 60)
      await store.set('a', 'two', 60)
      expect(await store.get(['a'])).toEqual(['two'])
    })
    test('a deleted entry is gone, and may be deleted again', async () => {
      const store = await openOne()
      await store.set('a', 'one', 60)
      await store.delete('a')
      await store.delete('a')
      expect(await store.get(['a'])).toEqual([null])
    })
    test('an entry disappears after its time, and not before', async () => {
      const store = await openOne()
      await store.set('long', 'x', 60)
      await store.set('short', 'x', 0.3)
      expect(await store.get(['long', 'short'])).toEqual(['x', 'x'])
      await expect.poll(() => store.get(['long', 'short']), { timeout: 5000 }).toEqual(['x', null])
    })
    test('a log begins with the number that is given, and goes on one by one', async () => {
      const store = await openOne()
      const options = { first: 1_760_000_000_000, above: 0, ttl: 60 }
      expect(await store.readLog('log', null)).toEqual({ last: null, entries: [] })
      expect(await store.readLog('log', 5)).toEqual({ last: null, entries: [] })
      expect(await store.append('log', 'a', options)).toBe(1_760_000_000_000)
      expect(await store.append('log', 'b', { ...options, first: 1 })).toBe(1_760_000_000_001)
      expect(await store.readLog('log', null)).toEqual({ last: 1_760_000_000_001, entries: [] })
      expect(await store.readLog('log', 1_759_999_999_999)).toEqual({ last: 1_760_000_000_001, entries: ['a', 'b'] })
      expect(await store.readLog('log', 1_760_000_000_001)).toEqual({ last: 1_760_000_000_001, entries: [] })
      expect(await store.readLog('other', null)).toEqual({ last: null, entries: [] })
    })
    test('a log goes on above a number when asked, with nothing in between', async () => {
      const store = await openOne()
      await store.append('log', 'a', { first: 10, above: 0, ttl: 60 })
      expect(await store.append('log', 'b', { first: 1, above: 12, ttl: 60 })).toBe(13)
      expect(await store.append('log', 'c', { first: 1, above: 12, ttl: 60 })).toBe(14)
      expect(await store.readLog('log', 9)).toEqual({ last: 14, entries: ['a', null, null, 'b', 'c'] })
      expect(await store.readLog('log', 20)).toEqual({ last: 14, entries: [] })
    })
    test('100 entries at once have 100 different numbers, and none is missing', async () => {
      const store = await openOne()
      const names = Array.from({ length: 100 }, (_, index) => `entry ${index}`)
      const numbers = await Promise.all(names.map((name) => store.append('log', name, { first: 1000, above: 0, ttl: 60 })))
      expect(numbers.toSorted((one, other) => one - other)).toEqual(names.map((_, index) => 1000 + index))
      const { last, entries } = await store.readLog('log', 999)
      expect(last).toBe(1099)
      expect(entries).toEqual(names.map((_, index) => names[numbers.indexOf(1000 + index)]))
    })
    test('of a log only the last thousand entries are told', async () => {
      const store = await openOne()
      for (let count = 0; count < 1001; count += 1) await store.append('log', 'x', { first: 1, above: 0, ttl: 60 })
      expect(await store.readLog('log', 0)).toEqual({ last: 1001, entries: null })
      expect((await store.readLog('log', 1)).entries).toHaveLength(1000)
    })
    test('an entry of a log disappears after its time', async () => {
      const store = await openOne()
      await store.append('log', 'x', { first: 1, above: 0, ttl: 0.3 })
      await expect.poll(() => store.readLog('log', 0), { timeout: 5000 }).toEqual({ last: 1, entries: [null] })
    })
    test('answers when asked whether it is there', async () => {
      const store = await openOne()
      await expect(store.ping()).resolves.toBeUndefined()
    })
  })
}
