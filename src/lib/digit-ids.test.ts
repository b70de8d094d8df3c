/** IDs of decimal digits. */
import { expect, test } from 'vitest'
import { createDigitIds, digitIds } from './digit-ids.ts'

test('an ID is the milliseconds since 2020 and 12 random bits, and below 2^53 until 2089', () => {
  const at = (time: string, bits: number) => createDigitIds({ now: () => Date.parse(time), random: () => bits })()
  expect(at('2020-01-01T00:00:00.001Z', 5)).toBe('4101')
  expect(Number(at('2089-01-01T00:00:00Z', 4095))).toBeLessThan(2 ** 53)
})

test('IDs grow and never repeat in a process, also when the clock is set back', () => {
  const times = [2_000_000_000_000, 2_000_000_000_000, 1_999_999_999_000]
  const next = createDigitIds({ now: () => times.shift() ?? 1_999_999_999_000, random: () => 4095 })
  const ids = Array.from({ length: 4 }, () => Number(next()))
  expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index))
})

test('digitIds makes digits only', () => {
  const ids = Array.from({ length: 10_000 }, () => digitIds())
  expect(new Set(ids).size).toBe(10_000)
  expect(ids.filter((id) => !/^[1-9]\d{14,15}$/.test(id))).toEqual([])
})
