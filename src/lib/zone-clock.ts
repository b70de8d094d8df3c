/** Times of a clock in a time zone, as databases store them that keep no zone. */

const formats = new Map<string, Intl.DateTimeFormat>()

/** @throws RangeError for an unknown zone */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const part = 'numeric'
  const parts = { year: part, month: part, day: part, hour: part, minute: part, second: part, hourCycle: 'h23' } as const
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...parts })
  formats.set(zone, made)
  return made
}

/** @param zone an IANA name, such as `Europe/Berlin` */
export function isZone(zone: string): boolean {
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

/** Offsets change at the quarter of an hour. */
const quarterMs = 900_000
const mostOffsets = 100_000
const offsets = new Map<string, number>()

/** Milliseconds by which the clock of a zone is ahead of UTC; kept, because it takes long. @param instant since 1970 */
export function offsetAt(instant: number, zone: string): number {
  const key = `${zone} ${Math.floor(instant / quarterMs)}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  const offset = shown - Math.floor(instant / 1000) * 1000
  if (offsets.size >= mostOffsets) offsets.clear()
  offsets.set(key, offset)
  return offset
}

const dayMs = 86_400_000

/**
 * The instant at which a clock shows a time. One that is skipped in spring is an hour later.
 * @param local the time on the clock, as if it were UTC, in milliseconds
 * @param pick which of the two instants, in the hour in which the clock is turned back
 */
export function instantOf(local: number, zone: string, pick: 'earlier' | 'later'): number {
  const around = [...new Set([offsetAt(local - dayMs, zone), offsetAt(local + dayMs, zone)])]
  const fitting = around.map((offset) => local - offset).filter((instant) => instant + offsetAt(instant, zone) === local)
  if (fitting.length === 0) return local - (around[0] ?? 0)
  return pick === 'later' ? Math.max(...fitting) : Math.min(...fitting)
}
