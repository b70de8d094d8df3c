import { describe, expect, test } from 'vitest'
import { createExpiringMap } from './expiring-map.ts'

describe('an expiring map', () => {
  test('deletes an entry when it expires', () => {
    const map = createExpiringMap<string>(10)
    map.set('a', 'x', 1000, 0)
    expect(map.get('a', 999)).toBe('x')
    expect(map.get('a', 1000)).toBeUndefined()
  })
  test('keeps an entry that never expires', () => {
    const map = createExpiringMap<number>(10)
    map.set('a', 1, Number.POSITIVE_INFINITY, 0)
    expect(map.get('a', Number.MAX_SAFE_INTEGER)).toBe(1)
  })
  test('never holds more than its limit: expired entries go first, then the oldest', () => {
    const map = createExpiringMap<number>(10)
    map.set('long', 1, 1_000_000, 0)
    for (let index = 0; index < 9; index += 1) map.set(`short${index}`, index, 10, 0)
    map.set('new', 2, 1_000_000, 20)
    expect(map.size()).toBe(2)
    expect(map.get('long', 20)).toBe(1)
    for (let index = 0; index < 1000; index += 1) {
      map.set(`more${index}`, index, 1_000_000, 20)
      expect(map.size()).toBeLessThanOrEqual(10)
    }
    expect(map.get('long', 20)).toBeUndefined()
    expect(map.get('more999', 20)).toBe(999)
  })
  test('an entry that is set again is the newest', () => {
    const map = createExpiringMap<number>(3)
    for (const [second, key] of ['a', 'b', 'c', 'a', 'd'].entries()) map.set(key, second, 60_000, second * 1000)
    expect(map.get('a', 5000)).toBe(3)
    expect(map.get('b', 5000)).toBeUndefined()
  })
  test('an entry that is set again immediately has the new value and the new expiry', () => {
    const map = createExpiringMap<number>(3)
    map.set('a', 1, 1000, 0)
    map.set('a', 2, 2000, 1)
    expect(map.get('a', 1999)).toBe(2)
    expect(map.get('a', 2000)).toBeUndefined()
  })
  test('frees the memory of expired entries before it is full', () => {
    const map = createExpiringMap<number>(1000)
    for (let index = 0; index < 100; index += 1) map.set(`a${index}`, index, 10, 0)
    map.set('b', 1, 100_000, 60_000)
    expect(map.size()).toBe(1)
  })
})
