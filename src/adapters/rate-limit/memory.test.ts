import { expect, test } from 'vitest'
import { createMemoryRateLimits } from './memory.ts'

test('a flood of keys takes no more than the bounded memory, and the newest are still counted', async () => {
  const store = createMemoryRateLimits({ now: () => new Date(0), limit: 100 })
  const rule = { window: 60, max: 1 }
  for (let index = 0; index < 1000; index += 1) await store.take(`k${index}`, rule)
  expect(await store.take('k999', rule)).toMatchObject({ allowed: false })
  expect(await store.take('k0', rule)).toMatchObject({ allowed: true })
})
