/** Times as ISO 8601 texts in UTC with milliseconds. `Date` does the same five times slower, which shows in every response. */

const digits = (text: string, at: number): number => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48

/**
 * Reads `2026-01-31T12:00:00.123Z`, and `2026-01-31 12:00:00.123` with up to three further digits, as MySQL and MariaDB write it.
 * @param text written by a database; the form is not checked
 * @returns an invalid date for a text that is too short
 */
export function parseTime(text: string): Date {
  const day = Date.UTC(digits(text, 0) * 100 + digits(text, 2), digits(text, 5) - 1, digits(text, 8))
  const minutes = digits(text, 11) * 60 + digits(text, 14)
  return new Date(day + minutes * 60_000 + digits(text, 17) * 1000 + digits(text, 20) * 10 + text.charCodeAt(22) - 48)
}

export const dayMs = 86_400_000
const padded = (count: number, length: number) => Array.from({ length: count }, (_, value) => String(value).padStart(length, '0'))
const two = padded(60, 2)
const three = padded(1000, 3)

const mostDays = 100

/**
 * The time of day is written from prepared texts, and the date once per day: most times of a response are of a few days.
 * @throws RangeError for an invalid date
 */
export function createTimeFormat(): (date: Date) => string {
  const days = new Map<number, string>()
  const write = (day: number, date: Date): string => {
    const prefix = date.toISOString().slice(0, -13)
    if (days.size >= mostDays) days.clear()
    days.set(day, prefix)
    return prefix
  }
  return (date) => {
    const time = date.getTime()
    const day = Math.floor(time / dayMs)
    const prefix = days.get(day) ?? write(day, date)
    const rest = time - day * dayMs
    const seconds = Math.floor(rest / 1000)
    const minutes = Math.floor(seconds / 60)
    const hours = Math.floor(minutes / 60)
    return `${prefix}${two[hours]}:${two[minutes - hours * 60]}:${two[seconds - minutes * 60]}.${three[rest - seconds * 1000]}Z`
  }
}
