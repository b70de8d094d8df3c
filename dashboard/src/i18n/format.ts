/** Values in the words of a locale, by `Intl`. */

export interface Format {
  /** The form for this count; `#` becomes the number. Each language has the forms that it needs (CLDR plural rules). */
  readonly plural: (count: number, forms: { readonly other: string } & Partial<Record<Intl.LDMLPluralRule, string>>) => string
  readonly number: (value: number) => string
  /** An estimate, in at most three digits: `1.08 million`. */
  readonly estimate: (value: number) => string
  /** Day and time in the time zone of the browser. */
  readonly dateTime: (value: Date) => string
  readonly date: (value: Date) => string
  /** For columns of wide tables. */
  readonly shortDate: (value: Date) => string
  /** A day of UTC, such as `14 Nov`. */
  readonly shortDay: (value: Date) => string
  /** `14:00`, in the time zone of the browser. */
  readonly hour: (value: Date) => string
  /** `1.2K`. */
  readonly compact: (value: number) => string
  /** `4.1%` for 0.041. */
  readonly percent: (value: number) => string
  /** `5 minutes ago`; from one month on, the date. */
  readonly relative: (value: Date, now: Date) => string
  /** `1:05` for 65 seconds. */
  readonly duration: (seconds: number) => string
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const monthSeconds = 30 * 86_400

const formats = new Map<string, Format>()

/** The formats of a locale, made once: that takes longer than a page with many texts. */
export function formatOf(locale: string): Format {
  const format = formats.get(locale) ?? createFormat(locale)
  formats.set(locale, format)
  return format
}

function createFormat(locale: string): Format {
  const plurals = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
  const shortDates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' })
  const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const hours = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const compacts = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
  const estimates = new Intl.NumberFormat(locale, { notation: 'compact', compactDisplay: 'long', maximumSignificantDigits: 3 })
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const relatives = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return {
    plural: (count, forms) => (forms[plurals.select(count)] ?? forms.other).replaceAll('#', numbers.format(count)),
    number: (value) => numbers.format(value),
    // Thousands as digits: `20,000` and not `20 thousand`.
    estimate: (value) => (value < 1_000_000 ? numbers.format(Number(value.toPrecision(3))) : estimates.format(value)),
    dateTime: (value) => times.format(value),
    date: (value) => dates.format(value),
    shortDate: (value) => shortDates.format(value),
    shortDay: (value) => days.format(value),
    hour: (value) => hours.format(value),
    compact: (value) => compacts.format(value),
    percent: (value) => percents.format(value),
    relative: (value, now) => {
      const seconds = (value.getTime() - now.getTime()) / 1000
      if (Math.abs(seconds) >= monthSeconds) return dates.format(value)
      const [unit, size] = units.find((each) => Math.abs(seconds) >= each[1]) ?? ['second', 1]
      // What expires in 47 hours and 59 minutes expires in 2 days; what happened as long ago was yesterday.
      const round = seconds > 0 ? Math.round : Math.trunc
      return relatives.format(unit === 'second' ? 0 : round(seconds / size), unit)
    },
    duration: (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`,
  }
}

/** A number as typed, on one line. */
export const unbroken = (number: string): string => number.replaceAll(' ', '\u00a0')
