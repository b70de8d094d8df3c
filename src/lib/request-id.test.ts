import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { requestIds, timeOfRequest } from './request-id.ts'

test('a request ID says in which second the request came', () => {
  const next = requestIds((count) => new Uint8Array(count).fill(7))
  for (const at of [0, 1_790_000_000_000, 1_790_000_000_999, 1_790_000_001_000]) {
    const id = next(at)
    expect(id).toMatch(/^[\w-]{20}$/)
    expect(timeOfRequest(id)).toEqual(new Date(Math.floor(at / 1000) * 1000))
  }
})

test('draws another random part for each request', () => {
  const next = requestIds(randomBytes)
  const ids = Array.from({ length: 1000 }, () => next(0))
  expect(new Set(ids).size).toBe(1000)
})

test.each(['', 'ann@example.com', 'short', '192.0.2.1', `${'a'.repeat(19)}!`])('%j is not a request ID', (text) => {
  expect(timeOfRequest(text)).toBeNull()
})
