import { describe, expect, test } from 'vitest'
import { acceptedLocale, chooseLocale, formatDuration, formatTime, isTimeZone } from './locale.ts'

const locales = ['en', 'de'] as const

describe('the form of address of a visitor', () => {
  test.each([
    ['de', ['en', 'de-informal'], 'de-informal'],
    ['de-informal', ['en', 'de'], 'de'],
    ['de', ['de-informal', 'de'], 'de'],
    ['de-informal', ['de', 'de-informal'], 'de-informal'],
  ])('%s was chosen: of %j it is %s', (chosen, configured, locale) => {
    expect(chooseLocale([chosen], 'en', configured)).toBe(locale)
  })

  test('is the first one configured for a browser that prefers the language', () => {
    expect(chooseLocale([], 'de-AT', ['en', 'de-informal', 'de'])).toBe('de-informal')
    expect(chooseLocale([], 'de-AT', ['de', 'de-informal'])).toBe('de')
  })
})

describe('the language of a visitor', () => {
  test.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['fr,en;q=0.5,de;q=0.9', 'de'],
    ['fr, *;q=0.5', undefined],
    ['de;q=0', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('by %j is %s', (header, locale) => expect(acceptedLocale(header, locales)).toBe(locale))

  test('is the chosen one, then the accepted one, then the first', () => {
    expect(chooseLocale([null, 'de'], 'en', locales)).toBe('de')
    expect(chooseLocale(['fr'], 'de', locales)).toBe('de')
    expect(chooseLocale([], 'fr', locales)).toBe('en')
    expect(chooseLocale(['en-XA'], 'de', locales)).toBe('en-XA')
  })
})

test.each([
  ['Europe/Vienna', true],
  ['America/Argentina/Buenos_Aires', true],
  ['UTC', true],
  ['Europe/Nowhere', false],
  ['', false],
  ['Europe/Vienna\r\nSet-Cookie: a=b', false],
  [`Europe/${'V'.repeat(100)}`, false],
])('a time zone: %j is %s', (text, isKnown) => expect(isTimeZone(text)).toBe(isKnown))

test.each([
  ['en', 'Europe/Vienna', '25 November 2026, 03:29 (Europe/Vienna)'],
  ['de', 'Europe/Vienna', '25. November 2026, 03:29 (Europe/Vienna)'],
  ['en', 'America/New_York', '24 November 2026, 21:29 (America/New_York)'],
  ['en', 'UTC', '25 November 2026, 02:29 (UTC)'],
])('formats a time in %s and %s as %s', (locale, timeZone, text) =>
  expect(formatTime(new Date('2026-11-25T02:29:30Z'), locale, timeZone)).toBe(text),
)

test.each([
  [1, '1 second', '1 Sekunde'],
  [59, '59 seconds', '59 Sekunden'],
  [60, '1 minute', '1 Minute'],
  [119, '1 minute', '1 Minute'],
  [600, '10 minutes', '10 Minuten'],
  [3600, '1 hour', '1 Stunde'],
  [5400, '90 minutes', '90 Minuten'],
  [86_400, '24 hours', '24 Stunden'],
  [172_800, '2 days', '2 Tage'],
  [86_400 * 1500, '1500 days', '1500 Tage'],
])('formats %i seconds as %s', (seconds, english, german) => {
  expect([formatDuration(seconds, 'en'), formatDuration(seconds, 'de')]).toEqual([english, german])
})
