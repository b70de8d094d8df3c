import { expect, test } from 'vitest'
import { outlierOf } from './outlier.ts'

const points = (...values: readonly number[]) => values.map((value, position) => ({ at: String(position), value }))

test.each([
  ['one value far above the others', points(30, 34, 29, 31, 260, 33), '4'],
  ['the only value that is not zero', points(0, 0, 12, 0), '2'],
  ['a value like the others', points(30, 34, 29, 31, 36, 33), undefined],
  ['a high value among others that differ as much', points(10, 90, 20, 95, 15, 100), undefined],
  ['few', points(0, 0, 9, 0), undefined],
  ['nothing', points(0, 0, 0), undefined],
  ['one interval', points(50), undefined],
])('finds the outlier of %s', (_, series, at) => {
  expect(outlierOf(series)?.at).toBe(at)
})
