import { expect, test } from 'vitest'
import { createMemoryKeyValue } from './key-value.ts'

test('drops an entry exactly when it expires', async () => {
  let at = 1000
  const store = createMemoryKeyValue({ now: () => new Date(at) })
  await store.add('a', 'x', 10)
  at += 9999
  expect(await store.get(['a'])).toEqual(['x'])
  at += 1
  expect(await store.get(['a'])).toEqual([null])
})

test('never grows beyond its limit', async () => {
  const store = createMemoryKeyValue({ now: () => new Date(0), limit: 10 })
  for (let index = 0; index < 100; index += 1) await store.add(`k${index}`, 'x', 10)
  const values = await store.get(Array.from({ length: 100 }, (_, index) => `k${index}`))
  expect(values.filter((value) => value !== null).length).toBeLessThanOrEqual(10)
  expect(values[99]).toBe('x')
})
