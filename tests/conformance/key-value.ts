/** The behaviour that every implementation of `KeyValue` must have. */
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
    test('returns values in the order of the keys, and null for a key without one', async () => {
      const store = await openOne()
      await store.add('a', 'one', 60)
      await store.add('b', 'two', 60)
      expect(await store.get(['a'])).toEqual(['one'])
      expect(await store.get(['none'])).toEqual([null])
      expect(await store.get(['b', 'none', 'a', 'b'])).toEqual(['two', null, 'one', 'two'])
      expect(await store.get([])).toEqual([])
    })
    test('accepts any text as key and as value', async () => {
      const store = await openOne()
      const texts = ['', ' ', 'ä€😀', '\0\r\n', '{"a":[1]}', 'x'.repeat(200_000)]
      for (const [index, text] of texts.entries()) {
        await store.add(`key ${index} ä\r\n${text.slice(0, 10)}`, text, 60)
        expect(await store.get([`key ${index} ä\r\n${text.slice(0, 10)}`])).toEqual([text])
      }
    })
    test('keeps the first value of a key', async () => {
      const store = await openOne()
      await store.add('a', 'one', 60)
      await store.add('a', 'two', 60)
      expect(await store.get(['a'])).toEqual(['one'])
    })
    test('keeps one of 64 values that are added concurrently', async () => {
      const store = await openOne()
      const seen = await Promise.all(
        Array.from({ length: 64 }, async (_, index) => {
          await store.add('a', String(index), 60)
          return (await store.get(['a']))[0]
        }),
      )
      expect(new Set(seen).size).toBe(1)
    })
    test('deletes several keys in one call, and ignores those without a value', async () => {
      const store = await openOne()
      for (const key of ['a', 'b', 'c']) await store.add(key, 'one', 60)
      await store.delete(['a', 'c', 'none'])
      await store.delete(['a'])
      await store.delete([])
      expect(await store.get(['a', 'b', 'c'])).toEqual([null, 'one', null])
      await store.add('a', 'two', 60)
      expect(await store.get(['a'])).toEqual(['two'])
    })
    test('drops an entry after its time, and not before', async () => {
      const store = await openOne()
      await store.add('long', 'x', 60)
      await store.add('short', 'x', 2)
      expect(await store.get(['long', 'short'])).toEqual(['x', 'x'])
      await expect.poll(() => store.get(['long', 'short'])).toEqual(['x', null])
    })
    test('has the same connection number while the connection lasts', async () => {
      const store = await openOne()
      await store.ping()
      const connection = store.connection()
      await store.get(['a'])
      expect(store.connection()).toBe(connection)
    })
    test('responds to a ping', async () => {
      const store = await openOne()
      await expect(store.ping()).resolves.toBeUndefined()
    })
  })
}
