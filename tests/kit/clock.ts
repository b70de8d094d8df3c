/** A clock that moves only when a test moves it. */
export interface Clock {
  now(): Date
  /** @param seconds forward */
  advance(seconds: number): void
}

export function createClock(start = '2026-01-31T12:00:00.000Z'): Clock {
  let milliseconds = Date.parse(start)
  return {
    now: () => new Date(milliseconds),
    advance: (seconds) => {
      milliseconds += seconds * 1000
    },
  }
}
