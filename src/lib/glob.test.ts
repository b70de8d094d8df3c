/** Globs against a reference that is slow and obviously right (contract 00 §6). */
import { array, assert, constantFrom, property, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { globMatcher } from './url.ts'

/** Tries every possibility, and so takes exponential time. */
function matchesSlowly(pattern: readonly string[], text: readonly string[]): boolean {
  const [segment, ...rest] = pattern
  if (segment === undefined) return text.every((part) => part === '')
  if (segment === '**') return matchesSlowly(rest, text) || (text.length > 0 && matchesSlowly(pattern, text.slice(1)))
  const [part, ...others] = text
  return part !== undefined && matchesSegmentSlowly(segment, part) && matchesSlowly(rest, others)
}

function matchesSegmentSlowly(segment: string, part: string): boolean {
  if (segment === '') return part === ''
  if (segment.startsWith('*'))
    return matchesSegmentSlowly(segment.slice(1), part) || (part !== '' && matchesSegmentSlowly(segment, part.slice(1)))
  return part !== '' && (segment[0] === '?' || segment[0] === part[0]) && matchesSegmentSlowly(segment.slice(1), part.slice(1))
}

const patterns = array(constantFrom('*', '**', '?', '/', '/**/', 'a', 'b', '.'), { maxLength: 8 })
const texts = array(constantFrom('/', '/', '\\', 'a', 'a', 'b', '.'), { maxLength: 10 })

test('a glob matches the same texts as the slow reference', () => {
  let matching = 0
  void assert(
    property(tuple(patterns, texts), ([pattern, text]) => {
      const expected = matchesSlowly(pattern.join('').split('/'), text.join('').split(/[/\\]/))
      if (expected) matching += 1
      expect(globMatcher(pattern.join(''))(text.join(''))).toBe(expected)
    }),
    { numRuns: 20_000 },
  )
  // Otherwise the comparison would be of refusals only.
  expect(matching).toBeGreaterThan(500)
})

test.each([
  ['/a/**/b', '/a/b', true],
  ['/a/**/b', '/a/x/y/b', true],
  ['/a/**/b', '/a/xb', false],
  ['/a/**', '/a', true],
  ['/a/**', '/ab', false],
  ['/a/**', '/a/x/y/', true],
  ['/a/*', '/a/x/', true],
  ['/a/*', '/a/x//', true],
  ['/a/*', '/a/x/y', false],
  ['/a/x*y*z', '/a/x1y2y3z', true],
  ['/a/x*y*z', '/a/x1y2y3', false],
  ['/a/?', '/a/', false],
  ['/a/?', '/a/\\', false],
  ['/a/**b', '/a/x/b', false],
  ['*.example.com', 'app.example.com', true],
  ['*.example.com', 'app/x.example.com', false],
])('%s on %s: %s', (pattern, text, expected) => expect(globMatcher(pattern)(text)).toBe(expected))
