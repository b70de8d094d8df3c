/** URLs that some programs read as trusted and that are not (ASVS 3.7.2). A redirect to one is an open redirect. */
import { expect, test } from 'vitest'
import { isOnOrigin, isRelativePath, originMatcher } from './url.ts'

const trusted = [
  'https://app.example.com',
  '*.example.com',
  'https://*.example.org',
  'http://localhost:3000',
  'myapp://open',
].map(originMatcher)
const isTrusted = (target: string) => isRelativePath(target) || isOnOrigin(target, trusted)

const hosts = ['app.example.com', 'login.example.com', 'x.example.org']
const controls = ['\t', '\n', '\r', '\0', '\u000b', '\u001f', '\u007f', '\u00a0', '\u2028', '\u2029', ' ']

const hostile = [
  // The host is what stands behind the last user name, before the first slash, backslash, question mark or hash.
  ...hosts.flatMap((host) => [
    `https://${host}@evil.test`,
    `https://${host}:443@evil.test/`,
    `https://user:${host}@evil.test`,
    `https://${host}%40evil.test`,
    `https://${host}\\@evil.test`,
    `https://evil.test\\${host}`,
    `https://evil.test\\.${host}`,
    `https://evil.test/${host}`,
    `https://evil.test?${host}`,
    `https://evil.test#${host}`,
    `https://evil.test#.${host}`,
    `https://${host}.evil.test`,
    `https://${host}-evil.test`,
    `https://${host}evil.test`,
    `https://${host}%2eevil.test`,
    `https://${host}%00.evil.test`,
    `https://evil.test%2f@${host}:x`,
    `https:\\\\evil.test\\${host}`,
    `https:${host}.evil.test`,
    `https:/${host}.evil.test`,
    `//${host}`,
    `///${host}`,
    `\\\\${host}`,
    `/\\${host}`,
    `//${host}@evil.test`,
    host,
    `${host}/x`,
    `ftp://${host}`,
    `javascript://${host}/%0aalert(1)`,
    `data:text/html,${host}`,
  ]),
  // Look-alikes of letters, dots and slashes.
  'https://аpp.example.com.evil.test',
  'https://app.example。com.evil.test',
  'https://app.exаmple.com',
  'https://app.example.cоm',
  'https://app.ехample.com',
  'https://app.example.com∕evil.test',
  'https://app.example.com／@evil.test',
  'https://app.example.com＠evil.test',
  'https://evil.test／.example.com',
  'https://ⓔvil.test/.example.com',
  // Another port or protocol than the one that was named.
  'http://localhost:3001',
  'http://localhost',
  'https://localhost:3000',
  'http://localhost:3000.evil.test',
  'http://localhost:3000@evil.test',
  'http://127.0.0.1:3000',
  'http://app.example.org',
  'https://example.com',
  'https://example.org',
  'https://app.example.com:8443',
  'myapp:open',
  'myapp:/open',
  'myap://open',
  'evilmyapp://open',
  // Paths that browsers read as hosts, and characters that parsers drop or fold.
  '//evil.test',
  '///evil.test',
  '////evil.test',
  '/\\evil.test',
  '\\/evil.test',
  '\\\\evil.test',
  '/%2fevil.test',
  '/%2Fevil.test',
  '/%5cevil.test',
  '/%5Cevil.test',
  '/\t/evil.test',
  '/\n/evil.test',
  '/\r\n/evil.test',
  '/ /evil.test',
  '/x:y',
  '/x#y',
  '/x?u=http://evil.test',
  '/x?u=//evil.test\\',
  '/é',
  '/x y',
  '/x"y',
  "/x'y",
  '/x<y',
  '/x|y',
  '/x;y',
  '/x\\y',
  './x',
  '../x',
  'x',
  '?x',
  '#x',
  ' /x',
  '.',
  // No addresses of the web.
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\nscript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://app.example.com/x',
  'view-source:https://app.example.com',
  'about:blank',
  'mailto:a@app.example.com',
  'https:',
  'https://',
  'https:///',
  'https://:443',
  'https://.example.com',
  'https://..example.com/',
  'null',
  'undefined',
  'https://[::1]/app.example.com',
  'https://1.1.1.1/app.example.com',
  'https://0x7f.1/.example.com',
  ...controls.flatMap((control) => [
    `${control}https://app.example.com`,
    `https://app.example.com${control}`,
    `https://app.example.com${control}.evil.test`,
    `https://evil.test${control}.example.com`,
    `ht${control}tps://app.example.com`,
  ]),
]

test('the corpus has the documented size', () => {
  expect(new Set(hostile).size).toBeGreaterThanOrEqual(150)
})

test.each(hostile.map((target) => [JSON.stringify(target), target]))('%s is not trusted', (_, target) => {
  expect(isTrusted(target)).toBe(false)
})

test.each([
  'https://app.example.com/x?y=z#w',
  'https://a.b.example.com',
  'https://deep.er.example.org/x',
  'http://localhost:3000/callback',
  'myapp://open/x',
  '/x/y?z=%20',
])('%s is', (target) => expect(isTrusted(target)).toBe(true))
