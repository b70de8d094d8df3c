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

test('a counter keeps the expiry of its entry', async () => {
  let at = 1000
  const store = createMemoryKeyValue({ now: () => new Date(at) })
  await store.set('a', '4', 10)
  expect(await store.increase('a')).toBe(5)
  at += 10_000
  expect(await store.increase('a')).toBe(1)
})

test('the store never grows beyond its limit', async () => {
  const store = createMemoryKeyValue({ now: () => new Date(0), limit: 10 })
  for (let index = 0; index < 100; index += 1) await store.set(`k${index}`, 'x', 10)
  const values = await store.get(Array.from({ length: 100 }, (_, index) => `k${index}`))
  expect(values.filter((value) => value !== null).length).toBeLessThanOrEqual(10)
  expect(values[99]).toBe('x')
})
