import { expect, test } from 'vitest'
import { backoffSteps, delayAfter } from './counters.ts'

const perNetwork = { failures: 10, firstDelay: 1, longestDelay: 900 }
const perAccount = { failures: 50, firstDelay: 1, longestDelay: 60 }

test('delays from the tenth failure per network, doubling from one second to 15 minutes', () => {
  const delays = Array.from({ length: 24 }, (_, position) => delayAfter(perNetwork, position + 1))
  expect(delays).toEqual([...Array(9).fill(0), 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900])
  expect(delayAfter(perNetwork, 1_000_000)).toBe(900)
})

test('delays from the fiftieth failure per account, up to a minute', () => {
  expect([49, 50, 51, 55, 56, 57, 1000].map((failures) => delayAfter(perAccount, failures))).toEqual([0, 1, 2, 32, 60, 60, 60])
})

test('backoff steps match the delays', () => {
  for (const policy of [
    perNetwork,
    perAccount,
    { failures: 1, firstDelay: 60, longestDelay: 60 },
    { failures: 3, firstDelay: 7, longestDelay: 8 },
  ]) {
    const found = backoffSteps(policy)
    for (let failures = 0; failures < 80; failures += 1) {
      const delay = found.find((step) => failures >= step.failures)?.delay ?? 0
      expect(delay).toBe(delayAfter(policy, failures))
    }
  }
})
