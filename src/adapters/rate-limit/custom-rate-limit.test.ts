import { expect, test } from 'vitest'
import type { StoredRateLimit } from '../../core/ports.ts'
import { createCustomRateLimits } from './custom-rate-limit.ts'

const rule = { window: 10, max: 3 }
const now = () => new Date(5000)

test('stores records in the format of better-auth', async () => {
  const records = new Map<string, StoredRateLimit>()
  const store = createCustomRateLimits({
    now,
    storage: { get: async (key) => records.get(key), set: async (key, value) => void records.set(key, value) },
  })
  await store.take('a', rule)
  await store.take('a', rule)
  expect([...records]).toEqual([['a', { key: 'a', count: 2, lastRequest: 5000 }]])
})

test('serves the next request after the storage has failed once', async () => {
  let calls = 0
  const get = async () => {
    calls += 1
    if (calls === 1) throw new Error('away')
    return null
  }
  const store = createCustomRateLimits({ now, storage: { get, set: async () => {} } })
  const [first, second] = await Promise.allSettled([store.take('a', rule), store.take('a', rule)])
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled'])
})

test('rejects when the storage does not respond', async () => {
  const store = createCustomRateLimits({ now, timeoutMs: 5, storage: { get: () => new Promise(() => {}), set: async () => {} } })
  await expect(Promise.all([store.take('a', rule), store.take('a', rule)])).rejects.toThrow('in time')
})

test.each([{}, { key: 'a', count: '3', lastRequest: 5000 }, { key: 'a', count: 3, lastRequest: Number.NaN }])(
  'rejects every request for a record without its numbers (%o)',
  async (record) => {
    const text = JSON.stringify(record)
    const store = createCustomRateLimits({ now, storage: { get: async () => JSON.parse(text), set: async () => {} } })
    await expect(store.take('a', rule)).rejects.toThrow('count and lastRequest')
  },
)
