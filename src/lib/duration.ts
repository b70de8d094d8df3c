/** Seconds as people say them: `1 hour`, `90 minutes`, `2 days`. */
export function durationInWords(seconds: number): string {
  if (seconds >= 86_400 * 2 && seconds % 86_400 === 0) return count(seconds / 86_400, 'day')
  if (seconds >= 3600 && seconds % 3600 === 0) return count(seconds / 3600, 'hour')
  return seconds < 60 ? count(seconds, 'second') : count(Math.floor(seconds / 60), 'minute')
}

const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'}`
