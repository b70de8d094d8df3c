import { expect, test } from 'vitest'
import { isEmailAddress } from './email.ts'

test.each(['a@b.co', "o'x@b.co", 'a+b@sub.b-c.co', 'A@B.CO'])('%s is an address', (text) =>
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
])('%s is none', (text) => expect(isEmailAddress(text)).toBe(false))
test('a hostile text is refused in linear time', () => {
  const started = process.hrtime.bigint()
  isEmailAddress(`${'a'.repeat(60)}@${'a-'.repeat(120)}`)
  expect(process.hrtime.bigint() - started).toBeLessThan(50_000_000n)
})
