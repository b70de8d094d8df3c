import { expect, test } from 'vitest'
import { createMemoryKeyValue } from './memory.ts'

test('an entry disappears when the clock says so', async () => {
  let at = 1000
  const store = createMemoryKeyValue({ now: () => new Date(at) })
  await store.set('a', 'x', 10)
  at += 9999
  expect(await store.get(['a'])).toEqual(['x'])
  at += 1
  expect(await store.get(['a'])).toEqual([null])
})

test('an entry of a log disappears when the clock says so, and its number stays used', async () => {
  let at = 1000
  const store = createMemoryKeyValue({ now: () => new Date(at) })
  await store.append('a', 'x', { first: 7, above: 0, ttl: 10 })
  at += 10_000
  expect(await store.readLog('a', 6)).toEqual({ last: 7, entries: [null] })
  expect(await store.append('a', 'y', { first: 1, above: 0, ttl: 10 })).toBe(8)
})

test('the store never grows beyond its limit', async () => {
  const store = createMemoryKeyValue({ now: () => new Date(0), limit: 10 })
  for (let index = 0; index < 100; index += 1) await store.set(`k${index}`, 'x', 10)
  const values = await store.get(Array.from({ length: 100 }, (_, index) => `k${index}`))
  expect(values.filter((value) => value !== null).length).toBeLessThanOrEqual(10)
  expect(values[99]).toBe('x')
})
