/** A clock that runs like that of the system, and that a test can move. */

export interface TestClock {
  now(): Date
  /** @param seconds forward; only forward, because a session from the future is not valid */
  advance(seconds: number): void
}

export function createTestClock(): TestClock {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance: (seconds) => {
      if (!(seconds >= 0)) throw new RangeError('The clock of a test moves forward only')
      ahead += seconds * 1000
    },
  }
}
