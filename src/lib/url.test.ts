import { describe, expect, test } from 'vitest'
import { headerTarget, isOnOrigin, isRelativePath, originMatcher, wildcardPath, withParameter } from './url.ts'

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
    ['myapp://callback', 'myapp://callback'],
    ['myapp://callback', 'myapp://callback/x'],
    ['myapp://callback', 'myapp://callback?x'],
    ['myapp://callback/', 'myapp://callback#x'],
    ['https://acme-*-team-*.example.app', 'https://acme-1-team-2.example.app'],
    ['https://*.EXAMPLE.com', 'https://App.example.com'],
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
    ['https://app.example.com', 'https://user:pw@app.example.com'],
    ['https://app.example.com', 'https://user@app.example.com'],
    ['*.example.com', 'https://user@app.example.com'],
    ['myapp://callback', 'myapp://callback.evil'],
    ['myapp://callback', 'myapp://callback@evil'],
    ['https://acme-*-team-*.example.app', 'https://acme-1-team-2.example.app.evil.com'],
    ['', ''],
  ])('%s refuses %s', (origin, url) => expect(allows([origin], url)).toBe(false))
})

describe('relative paths (contract 00 §13)', () => {
  test.each(['/a', '/a?b=c&d=%20', '/a/../b', '/'])('%s is ours', (path) => expect(isRelativePath(path)).toBe(true))
  test.each([
    '/a#x',
    '/a:b',
    '/é',
    '//e',
    '/\\e',
    '/%2fe',
    '/%5Ce',
    '/a b',
    '/a?u=http://x.y',
    'dash',
    '',
    '/..//e',
    '/.//e',
    '/a/..//e',
    '/a/b/../..//e',
  ])('%s is not', (path) => expect(isRelativePath(path)).toBe(false))
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
  ['/**/email', '/sign-in/email', true],
])('%s and %s: %s', (pattern, path, matches) => expect(wildcardPath(pattern)(path)).toBe(matches))

test.each([
  ['https://app.example.com', 'https://app.example.com'],
  ['/dash?a=b', '/dash?a=b'],
  ['myapp://back', 'myapp://back'],
  ['http://localhost:4101/中', 'http://localhost:4101/%E4%B8%AD'],
  ['https://app.example.com/ü?ü=é#ß', 'https://app.example.com/%C3%BC?%C3%BC=%C3%A9#%C3%9F'],
  ['https://bücher.example.com/x', 'https://xn--bcher-kva.example.com/x'],
  ['/中 x', '/%E4%B8%AD%20x'],
  ['myapp://back/中', 'myapp://back/%E4%B8%AD'],
  ['/x\r\nset-cookie: a=b', '/xset-cookie:%20a=b'],
])('the header value of %s is %s', (target, expected) => expect(headerTarget(target, 'http://localhost')).toBe(expected))
