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
    test('100 increases at once are 100 different numbers', async () => {
      const store = await openOne()
      const values = await Promise.all(Array.from({ length: 100 }, () => store.increase('counter')))
      expect(values.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
      expect(await store.get(['counter'])).toEqual(['100'])
    })
    test('a counter goes on from what was set', async () => {
      const store = await openOne()
      await store.set('counter', '1760000000000', 60)
      expect(await store.increase('counter')).toBe(1_760_000_000_001)
    })
    test('a text that is no number cannot be increased', async () => {
      const store = await openOne()
      await store.set('a', 'text', 60)
      await expect(store.increase('a')).rejects.toThrow()
      expect(await store.get(['a'])).toEqual(['text'])
    })
    test('answers when asked whether it is there', async () => {
      const store = await openOne()
      await expect(store.ping()).resolves.toBeUndefined()
    })
  })
}
