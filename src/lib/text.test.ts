import { expect, test } from 'vitest'
import { formatDuration, isEmailAddress, isWellFormed } from './text.ts'

test.each(['a@b.co', "o'x@b.co", 'a+b@sub.b-c.co', 'A@B.CO'])('%s is an email address', (text) =>
  expect(isEmailAddress(text)).toBe(true),
)
test.each([
  'a@b',
  'a@b.c',
  '.a@b.co',
  'a..b@c.co',
  'a.@b.co',
  'ü@b.co',
  '',
  ' a@b.co',
  'a@b.co ',
  'a@b.co\n',
  `a@${'b.'.repeat(200)}co`,
])('%s is not an email address', (text) => expect(isEmailAddress(text)).toBe(false))
test.each([['x'], ['💚'], [7], [null], [{ ü: ['\ud83d\udc9a', { a: true }] }]])('%j is well-formed', (value) =>
  expect(isWellFormed(value)).toBe(true),
)
test.each([['\ud800'], ['a\udfffb'], [['\udc00\ud800']], [{ '\ud800': 1 }], [{ a: [{ b: 'x\ud83d' }] }]])(
  '%j is not well-formed',
  (value) => expect(isWellFormed(value)).toBe(false),
)
test('checks a value that is nested deeper than the stack', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}"\\ud800"${']'.repeat(100_000)}`)
  expect(isWellFormed(deep)).toBe(false)
})

test('rejects a hostile text in linear time', () => {
  const started = process.threadCpuUsage()
  isEmailAddress(`${'a'.repeat(60)}@${'a-'.repeat(120)}`)
  expect(process.threadCpuUsage(started).user).toBeLessThan(50_000)
})

test.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [119, '1 minute'],
  [600, '10 minutes'],
  [3600, '1 hour'],
  [5400, '90 minutes'],
  [86_400, '24 hours'],
  [172_800, '2 days'],
])('formats %i seconds as %s', (seconds, words) => expect(formatDuration(seconds)).toBe(words))
