import { describe, expect, test } from 'vitest'
import { decide, type WindowRecord } from './sliding-window.ts'

const rule = { window: 10, max: 3 }
const at = 1_760_000_000_000

describe('decide', () => {
  test('the first call is counted as one', () => {
    expect(decide(null, rule, at)).toEqual({ allowed: true, retryAfter: 0, record: { count: 1, lastRequest: at } })
  })
  test('within the window calls are counted up to the maximum, and the window slides', () => {
    let record: WindowRecord | null = null
    for (const count of [1, 2, 3]) {
      record = decide(record, rule, at + count * 9000).record
      expect(record).toEqual({ count, lastRequest: at + count * 9000 })
    }
    expect(decide(record, rule, at + 27_000 + 1)).toEqual({ allowed: false, retryAfter: 10, record: null })
  })
  test.each([
    [0, 10],
    [1, 10],
    [1000, 9],
    [9000, 1],
    [9999, 1],
  ])('%i ms after the last allowed call the next may come in %i s', (elapsed, seconds) => {
    expect(decide({ count: 3, lastRequest: at }, rule, at + elapsed)).toMatchObject({ allowed: false, retryAfter: seconds })
  })
  test('exactly at the end of the window a call is allowed and counted on', () => {
    expect(decide({ count: 3, lastRequest: at }, rule, at + 10_000).record).toEqual({ count: 4, lastRequest: at + 10_000 })
  })
  test('counting starts over after the window', () => {
    expect(decide({ count: 3, lastRequest: at }, rule, at + 10_001).record).toEqual({ count: 1, lastRequest: at + 10_001 })
  })
  test('a clock that is slightly behind makes no client wait longer than the window', () => {
    expect(decide({ count: 3, lastRequest: at }, rule, at - 2000)).toMatchObject({ allowed: false, retryAfter: 10 })
  })
  test('ignores a record from before the clock was set back by more than the window', () => {
    expect(decide({ count: 3, lastRequest: at }, rule, at - 10_001).record).toEqual({ count: 1, lastRequest: at - 10_001 })
  })
})
