/** IDs of decimal digits, for databases with number IDs. */

const epoch = Date.UTC(2020, 0, 1)
const perMillisecond = 4096

export interface DigitSource {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** A random whole number below 4096. */
  readonly random: () => number
}

/**
 * Creates a generator of IDs: milliseconds since 2020, times 4096, plus a random number below 4096.
 * @returns a function that never returns an ID twice; each ID is greater than the one before it, and below 2^53 until 2089
 */
export function createDigitIds({ now, random }: DigitSource): () => string {
  let last = 0
  return () => {
    last = Math.max(last + 1, (now() - epoch) * perMillisecond + random())
    return String(last)
  }
}

/**
 * For `advanced.database.generateId`: creates an ID of decimal digits below 2^53, which fits into a `bigint` and into a number of JavaScript.
 * @returns the ID; no other call in this process returns it
 */
export const digitIds: () => string = createDigitIds({
  now: () => Date.now(),
  random: () => (crypto.getRandomValues(new Uint16Array(1))[0] ?? 0) % perMillisecond,
})
