import { expect, test } from 'vitest'
import { formatOf } from './format.ts'

test.each([
  ['en', 1_076_906, '1.08 million'],
  ['de', 1_076_906, '1,08 Millionen'],
  ['en', 20_413, '20,400'],
  ['en', 12, '12'],
])('an estimate has at most three digits: in %s, %i is %s', (locale, value, text) => {
  expect(formatOf(locale).estimate(value)).toBe(text)
})
