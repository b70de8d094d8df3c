/** The language and the time zone of a visitor. */

/**
 * The languages with complete texts, and the numbers that they have in interfaces which name a language by a number. `de-informal` is a
 * form of address, and has none.
 */
export const languageNumbers = { en: 3, de: 6, es: 4, fr: 16, pl: 15, ru: 0, tr: 82, uk: 1 } as const

/** The tags of the languages with complete texts, English first. */
export const languages = Object.keys(languageNumbers) as (keyof typeof languageNumbers)[]

/** Locales for tests of layouts: longer texts, and from right to left. */
const isPseudo = (text: string): boolean => /^(en-XA|ar-XB)$/.test(text)

/** `de-informal` is German with "du" in place of "Sie". */
export const isInformal = (locale: string): boolean => locale.endsWith('-informal')

/** The language as browsers and mail programs know it: `de` for `de-informal`. */
export const languageTag = <L extends string>(locale: L) =>
  locale.replace(/-informal$/, '') as L extends `${infer Language}-informal` ? Language : L

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'])
/** The direction in which the language is written. */
export const directionOf = (locale: string): 'ltr' | 'rtl' => (rightToLeft.has(locale.split('-')[0] ?? '') ? 'rtl' : 'ltr')

/** The one of `locales` that was wanted, else the first in the same language: it may have been stored under another configuration. */
export const closestLocale = <L extends string>(wanted: string, locales: readonly L[]): L | undefined =>
  locales.find((locale) => locale === wanted) ?? locales.find((locale) => languageTag<string>(locale) === languageTag(wanted))

/**
 * The locale that a client or another system means: a tag, also one of a region or in another case, such as `de-AT` or `pt_BR`, or the
 * number of a language, also as a text.
 * @returns null for any other value
 */
export function readLocale<L extends string>(given: unknown, locales: readonly L[]): L | null {
  if (typeof given !== 'string' && typeof given !== 'number') return null
  const text = String(given).trim()
  const byNumber = Object.entries(languageNumbers).find(([, number]) => String(number) === text)?.[0]
  // Tags are ASCII, so that no locale of the process changes what a lower case letter is.
  const tag = byNumber ?? text.slice(0, 35).replaceAll('_', '-').toLowerCase()
  return closestLocale(tag, locales) ?? closestLocale(tag.split('-')[0] ?? '', locales) ?? null
}

/** The first of these languages that there is. @param text tags with spaces between them, as in `ui_locales` (OpenID Connect Core §3.1.2.1) */
export const wantedLocale = <L extends string>(text: string | null | undefined, locales: readonly L[]): L | null =>
  (text ?? '')
    .slice(0, 500)
    .split(' ')
    .map((tag) => readLocale(/^\d*$/.test(tag) ? null : tag, locales))
    .find((locale) => locale !== null) ?? null

/**
 * @param header `Accept-Language` (RFC 9110 §12.5.4)
 * @param locales those that there are
 * @returns the one that the browser prefers, of two forms of a language the first; undefined when it accepts none of them
 */
export function acceptedLocale<L extends string>(header: string | undefined, locales: readonly L[]): L | undefined {
  const preferred = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.trim().split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
      const language = range.split('-')[0]?.toLowerCase() ?? ''
      return {
        locale: locales.find((locale) => languageTag<string>(locale) === language),
        quality: quality === undefined ? 1 : Number(quality),
      }
    })
    .filter(({ locale, quality }) => locale !== undefined && quality > 0)
    .sort((one, other) => other.quality - one.quality)
  return preferred[0]?.locale
}

/**
 * @param chosen what the visitor has chosen, most recent first
 * @param header `Accept-Language`
 * @param locales those that there are
 * @returns the first of `locales` when there is no better one
 */
export function chooseLocale(
  chosen: readonly (string | null | undefined)[],
  header: string | undefined,
  locales: readonly string[],
): string {
  const known = chosen.map((text) => (text && isPseudo(text) ? text : closestLocale(text ?? '', locales)))
  return known.find(Boolean) ?? acceptedLocale(header, locales) ?? locales[0] ?? 'en'
}

/** Whether a text of a client is the name of a time zone, such as `Europe/Vienna` (IANA time zone database). */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Z][\w+-]*(\/[\w+-]+)*$/i.test(text) || text.length > 64) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** English dates have the day first, as the ones of most other languages. */
const dateLocale = (locale: string): string => (locale === 'en' ? 'en-GB' : locale)

/** A time for a person: `25 November 2026, 03:29 (Europe/Vienna)`. @param timeZone see `isTimeZone` */
export function formatTime(time: Date, locale: string, timeZone: string): string {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(dateLocale(locale), { ...options, timeZone }).format(time)
  return `${part({ dateStyle: 'long' })}, ${part({ timeStyle: 'short' })} (${timeZone})`
}

/** Formats seconds as a text: `1 hour`, `90 minutes`, `2 days`. */
export function formatDuration(seconds: number, locale = 'en'): string {
  const counted = (count: number, unit: string) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', useGrouping: false }).format(count)
  if (seconds >= 86_400 * 2 && seconds % 86_400 === 0) return counted(seconds / 86_400, 'day')
  if (seconds >= 3600 && seconds % 3600 === 0) return counted(seconds / 3600, 'hour')
  return seconds < 60 ? counted(seconds, 'second') : counted(Math.floor(seconds / 60), 'minute')
}

/** Forms of a text by the number in it; `#` becomes the number. */
export type PluralForms = { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>

/** The form for this count, with the number as the language writes it. @param language such as `pl` */
export const pluralOf = (language: string, count: number, forms: PluralForms): string =>
  (forms[new Intl.PluralRules(language).select(count)] ?? forms.other).replaceAll(
    '#',
    new Intl.NumberFormat(language).format(count),
  )
