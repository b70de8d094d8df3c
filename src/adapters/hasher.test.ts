import { describe, expect, test } from 'vitest'
import { ApiError } from '../core/errors.ts'
import type { Metrics } from '../core/ports.ts'
import { createHasher, type HasherOptions } from './hasher.ts'

const cheap: HasherOptions = { memory: 64, iterations: 1, parallelism: 1, queue: 64 }

function countingMetrics() {
  const counted: string[] = []
  const observed: string[] = []
  const metrics: Metrics = {
    count: (name) => counted.push(name),
    observe: (name, _seconds, labels) => observed.push(`${name} ${labels?.operation}`),
  }
  return { metrics, counted, observed }
}

describe('the queue of the hasher', () => {
  test('rejects beyond its bound with 503 and Retry-After, and accepts hashes again afterwards', async () => {
    const { metrics, counted, observed } = countingMetrics()
    const hasher = await createHasher({ ...cheap, memory: 8192, concurrency: 1, queue: 3 }, metrics)
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => hasher.hash('a password')))
    const refused = results.filter((result) => result.status === 'rejected').map((result): unknown => result.reason)
    expect(refused).toHaveLength(6)
    for (const error of refused) {
      if (!(error instanceof ApiError)) throw error
      expect(error.entry.status).toBe(503)
      expect(Number(error.headers?.['retry-after'])).toBeGreaterThanOrEqual(1)
    }
    expect(counted).toEqual(Array(6).fill('hash_rejected'))
    expect(observed).toEqual(Array(4).fill('hash_duration hash'))
    await expect(hasher.hash('a password')).resolves.toContain('$argon2id$')
  })
  test('reports a longer wait when more hashes are waiting', async () => {
    const { metrics } = countingMetrics()
    // A mean of some 50 ms is assumed before the first hash: 200 of them, one at a time, are about ten seconds.
    const hasher = await createHasher({ ...cheap, concurrency: 1, queue: 199 }, metrics)
    const results = await Promise.allSettled(Array.from({ length: 201 }, () => hasher.hash('a password')))
    const last = results.at(-1)
    const error: unknown = last?.status === 'rejected' ? last.reason : null
    expect(error instanceof ApiError && error.headers?.['retry-after']).toBe('10')
  })
  test('does not block the event loop', async () => {
    const hasher = await createHasher({ ...cheap, memory: 19_456, iterations: 2, concurrency: 2 }, countingMetrics().metrics)
    let turns = 0
    const counter = setInterval(() => (turns += 1), 1)
    await Promise.all(Array.from({ length: 6 }, () => hasher.hash('a password')))
    clearInterval(counter)
    expect(turns).toBeGreaterThan(10)
  })
})

test('an oversized password is rejected before it reaches a thread', async () => {
  const { metrics, observed } = countingMetrics()
  const hasher = await createHasher(cheap, metrics)
  const stored = await hasher.hash('a password')
  await expect(hasher.hash('ä'.repeat(2049))).rejects.toThrow('4096')
  await expect(hasher.verify(stored, 'a'.repeat(4097))).rejects.toThrow('4096')
  await expect(hasher.verify(stored, 'a'.repeat(4096))).resolves.toBe(false)
  expect(observed).toEqual(['hash_duration hash', 'hash_duration verify'])
})

test('uses the faster library when it loads', async () => {
  expect((await createHasher(cheap, countingMetrics().metrics)).implementation).toBe('@node-rs/argon2')
})
