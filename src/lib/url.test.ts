import { describe, expect, test } from 'vitest'
import { isOnOrigin, isRelativePath, originMatcher, wildcardPath, withParameter } from './url.ts'

const allows = (origins: string[], url: string) => isOnOrigin(url, origins.map(originMatcher))

describe('trusted origins (contract 00 §13)', () => {
  test.each([
    ['*.example.com', 'https://app.example.com'],
    ['*.example.com', 'https://app.example.com/x?y'],
    ['*.example.com', 'http://a.b.example.com'],
    ['*.example.com:8080', 'https://app.example.com:8080/x'],
    ['https://*.example.com', 'https://app.example.com/x'],
    ['https://app.example.com', 'https://app.example.com/x?y'],
    ['https://app.example.com/', 'https://app.example.com/x'],
    ['http://localhost:3000', 'http://LOCALHOST:3000'],
    ['myapp://', 'myapp://foo/bar'],
  ])('%s allows %s', (origin, url) => expect(allows([origin], url)).toBe(true))

  test.each([
    ['*.example.com', 'https://example.com'],
    ['*.example.com', 'https://app.example.com:8080/x'],
    ['*.example.com', 'https://evil.com#.example.com'],
    ['*.example.com', 'https://app.example.com.evil.com'],
    ['*.example.com', 'https://app.example.com@evil.com'],
    ['*.example.com', 'https://evil.com\\.example.com'],
    ['https://*.example.com', 'http://app.example.com'],
    ['example.com', 'https://example.com'],
    ['example.com', 'example.com'],
    ['https://app.example.com', 'https://app.example.com:444/x'],
    ['https://app.example.com', 'https://app.example.com\n.evil.com'],
    ['https://app.example.com', '//app.example.com'],
    ['https://app.example.com', 'null'],
    ['https://app.example.com', 'dash'],
    ['*', 'javascript:alert(1)//'],
    ['', ''],
  ])('%s refuses %s', (origin, url) => expect(allows([origin], url)).toBe(false))
})

describe('relative paths (contract 00 §13)', () => {
  test.each(['/a', '/a?b=c&d=%20', '/a/../b', '/'])('%s is ours', (path) => expect(isRelativePath(path)).toBe(true))
  test.each(['/a#x', '/a:b', '/é', '//e', '/\\e', '/%2fe', '/%5Ce', '/a b', '/a?u=http://x.y', 'dash', ''])('%s is not', (path) =>
    expect(isRelativePath(path)).toBe(false),
  )
})

test.each([
  ['/dash', '/dash?error=x%26y'],
  ['/dash?a=b', '/dash?a=b&error=x%26y'],
  ['https://app.test/a#top', 'https://app.test/a?error=x%26y#top'],
  ['myapp://back', 'myapp://back?error=x%26y'],
])('a parameter is added to %s', (url, expected) => expect(withParameter(url, 'error', 'x&y')).toBe(expected))

test.each([
  ['/sign-in/email', '/sign-in/email', true],
  ['/sign-in/email', '/sign-in/emails', false],
  ['/sign-in/*', '/sign-in/email', true],
  ['/sign-in/*', '/sign-in/a/b', false],
  ['/sign-in/**', '/sign-in/a/b', true],
  ['/a.c', '/abc', false],
  ['/reset-password/*', '/reset-password/', true],
])('%s and %s: %s', (pattern, path, matches) => expect(wildcardPath(pattern)(path)).toBe(matches))
