/** What is unusual in a series. */

interface Value {
  readonly value: number
}

/** Fewer are noise. */
const least = 10
const deviations = 3

/** The highest value, when it is more than three standard deviations above the mean of all others. */
export function outlierOf<T extends Value>(points: readonly T[]): T | undefined {
  const highest = points.reduce<T | undefined>((found, point) => (point.value > (found?.value ?? 0) ? point : found), undefined)
  if (!highest || highest.value < least) return undefined
  const others = points.filter((point) => point !== highest).map(({ value }) => value)
  if (others.length === 0) return undefined
  const mean = others.reduce((sum, value) => sum + value, 0) / others.length
  const variance = others.reduce((sum, value) => sum + (value - mean) ** 2, 0) / others.length
  return highest.value > mean + deviations * Math.sqrt(variance) ? highest : undefined
}
