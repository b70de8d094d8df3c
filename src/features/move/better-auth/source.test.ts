import { expect, test } from 'vitest'
import { timeOf, truthOf } from './source.ts'

const berlin = (text: string, pick: 'earlier' | 'later' = 'earlier') => timeOf(text, 'Europe/Berlin', pick)?.toISOString() ?? null

test.each([
  ['in winter', '2026-01-31 13:00:00', '2026-01-31T12:00:00.000Z'],
  ['in summer, with milliseconds', '2026-07-31 14:00:00.250', '2026-07-31T12:00:00.250Z'],
  ['with a zone of its own', '2026-07-31 14:00:00+00', '2026-07-31T14:00:00.000Z'],
  ['as seconds', '1769860800', '2026-01-31T12:00:00.000Z'],
  ['as milliseconds', '1769860800000', '2026-01-31T12:00:00.000Z'],
  ['that the clock skips, which is an hour later', '2026-03-29 02:30:00', '2026-03-29T01:30:00.000Z'],
  ['of the year 0', '0000-00-00 00:00:00', null],
  ['that is another text', 'soon', null],
])('reads a time %s', (_, text, expected) => expect(berlin(text)).toBe(expected))

test('of an hour that a clock shows twice, the end of something is the later one', () => {
  expect([berlin('2026-10-25 02:30:00'), berlin('2026-10-25 02:30:00', 'later')]).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T01:30:00.000Z',
  ])
})

test('a skipped time is the same for both', () => expect(berlin('2026-03-29 02:30:00', 'later')).toBe('2026-03-29T01:30:00.000Z'))

test.each([
  [1, true],
  ['f', false],
  [new Uint8Array([1]), true],
  ['maybe', null],
  [null, null],
])('%j is %s', (value, expected) => expect(truthOf(value)).toBe(expected))
