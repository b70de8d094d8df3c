import { expect, test } from 'vitest'
import { isEmailAddress, isImageURL, isWellFormed } from './text.ts'

const local = (length: number) => 'a'.repeat(length)
test.each([
  'a@b.co',
  "o'x@b.co",
  'a+b@sub.b-c.co',
  'A@B.CO',
  'tom&jerry@example.com',
  ...'&/#=!$%*?^`{|}~+-_'.split('').map((letter) => `a${letter}b@example.com`),
  'a!@example.com',
  'a@example.xn--p1ai',
  'a@xn--mller-kva.example',
  `${local(64)}@example.com`,
  `a@${local(63)}.example`,
  `${local(64)}@${`${local(60)}.`.repeat(3)}abcdef`,
])('%s is an email address', (text) => expect(isEmailAddress(text)).toBe(true))
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
  `${local(65)}@example.com`,
  `a@${local(64)}.example`,
  'a@example-.com',
  'a@-example.com',
  'a@example.xn--',
  'a@example.xn--p1ai-',
  'a@example.c-m',
  `${local(64)}@${`${local(60)}.`.repeat(3)}abcdefg`,
  'a,b@example.com',
  'a b@example.com',
  'a"b"@example.com',
  'a(b)@example.com',
  'a@b@example.com',
  'a\0@example.com',
])('%s is not an email address', (text) => expect(isEmailAddress(text)).toBe(false))
test.each(['https://a.example/b.png', 'http://a.example', '/a.png', 'a.png', '//a.example/b', 'data:image/png;base64,AA=='])(
  '%s is the URL of an image',
  (text) => expect(isImageURL(text)).toBe(true),
)
test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0000javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:,image/png',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://a.example/1',
  'http://',
])('%j is not the URL of an image', (text) => expect(isImageURL(text)).toBe(false))

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
