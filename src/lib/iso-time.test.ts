import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTimeFormat, parseTime } from './iso-time.ts'

const anyTime = fc.date({
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

it('writes every time like Date does, in any order of days', () => {
  const format = createTimeFormat()
  fc.assert(
    fc.property(anyTime, (date) => {
      expect(format(date)).toBe(date.toISOString())
    }),
  )
  for (const extreme of [0, -1, 8.64e15, -8.64e15]) expect(format(new Date(extreme))).toBe(new Date(extreme).toISOString())
})

it('throws for an invalid date, also after a valid one', () => {
  const format = createTimeFormat()
  format(new Date(0))
  expect(() => format(new Date(Number.NaN))).toThrow(RangeError)
})

it('reads the forms that databases write', () => {
  const years = anyTime.filter((date) => date.getUTCFullYear() >= 100)
  fc.assert(
    fc.property(years, (date) => {
      const text = date.toISOString()
      expect(parseTime(text)).toEqual(date)
      expect(parseTime(text.replace('T', ' ').replace('Z', ''))).toEqual(date)
      expect(parseTime(text.replace('T', ' ').replace('Z', '000'))).toEqual(date)
    }),
  )
})

it.each(['', 'now', '2026-01-31', '2026-01-31 12:00:00'])('reads no time from %j', (text) => {
  expect(parseTime(text).getTime()).toBeNaN()
})
