import { expect, test } from 'vitest'
import { delayAfter, steps } from './law.ts'

const perNetwork = { failures: 10, firstDelay: 1, longestDelay: 900 }
const perAccount = { failures: 50, firstDelay: 1, longestDelay: 60 }

test('nine failures are free, the tenth costs a second, each further one twice as much, up to a quarter of an hour', () => {
  const delays = Array.from({ length: 24 }, (_, position) => delayAfter(perNetwork, position + 1))
  expect(delays).toEqual([...Array(9).fill(0), 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900])
  expect(delayAfter(perNetwork, 1_000_000)).toBe(900)
})

test('over all networks from the fiftieth, up to a minute', () => {
  expect([49, 50, 51, 55, 56, 57, 1000].map((failures) => delayAfter(perAccount, failures))).toEqual([0, 1, 2, 32, 60, 60, 60])
})

test('the steps say the same as the law', () => {
  for (const law of [
    perNetwork,
    perAccount,
    { failures: 1, firstDelay: 60, longestDelay: 60 },
    { failures: 3, firstDelay: 7, longestDelay: 8 },
  ]) {
    const found = steps(law)
    for (let failures = 0; failures < 80; failures += 1) {
      const delay = found.find((step) => failures >= step.failures)?.delay ?? 0
      expect(delay).toBe(delayAfter(law, failures))
    }
  }
})
