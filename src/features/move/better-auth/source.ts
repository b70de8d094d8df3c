/** The values of the old database, which three products write in different ways. */
import type { SourceValue } from '../../../core/source-database.ts'
import { instantOf } from '../../../lib/zone-clock.ts'

export type * from '../../../core/source-database.ts'

export function textOf(value: SourceValue | undefined): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? Buffer.from(value).toString('utf8') : String(value)
}

export function numberOf(value: SourceValue | undefined): number | null {
  const text = textOf(value)
  const number = text === null || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : null
}

const truths = new Set(['1', 't', 'true'])
const untruths = new Set(['0', 'f', 'false'])

/** `bit(1)` is a byte. @returns null for null and for anything that is neither */
export function truthOf(value: SourceValue | undefined): boolean | null {
  const text = (typeof value === 'object' && value !== null ? String(value[0]) : textOf(value))?.toLowerCase()
  if (text === undefined) return null
  return truths.has(text) ? true : untruths.has(text) ? false : null
}

const form = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?\s?(Z|UTC|([+-])(\d\d):?(\d\d)?)?$/i

/**
 * A moment. Texts without a zone are times of a clock in `zone`; whole numbers are seconds or milliseconds since 1970.
 * @param zone an IANA name, such as `Europe/Berlin`
 * @param pick which of the two moments that the clock shows in the hour in which it is turned back
 * @returns null for null, and for any other text, or a year outside of 1970 to 9999
 */
export function timeOf(value: SourceValue | undefined, zone: string, pick: 'earlier' | 'later' = 'earlier'): Date | null {
  const text = textOf(value)
  if (text === null) return null
  if (/^\d{9,16}$/.test(text)) return inRange(Number(text) < 1e11 ? Number(text) * 1000 : Number(text))
  const found = form.exec(text)
  if (!found) return null
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number)
  const milliseconds = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'))
  const clock = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second, milliseconds)
  const [, , , , , , , , given, sign, hours, minutes] = found
  if (given === undefined) return inRange(zone === 'UTC' ? clock : instantOf(clock, zone, pick))
  const offset = hours === undefined ? 0 : (Number(hours) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1)
  return inRange(clock - offset * 60_000)
}

const latest = Date.UTC(9999, 11, 31)
const inRange = (milliseconds: number): Date | null =>
  milliseconds >= 0 && milliseconds <= latest ? new Date(milliseconds) : null
