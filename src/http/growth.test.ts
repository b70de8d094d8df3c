/** Work before authentication grows no faster than its input (ASVS 15.2.2): ten times the input costs at most twelve times. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import { findCookies, readSignedCookie } from '../lib/cookie.ts'
import { addressSet, canonicalAddress, clientAddress, reportedAddress } from '../lib/ip.ts'
import { verifyJWT } from '../lib/jwt.ts'
import { createKeyring } from '../lib/keyring.ts'
import { decodeSessionData } from '../lib/session-data.ts'
import { isEmailAddress } from '../lib/text.ts'
import { headerTarget, isOnOrigin, isRelativePath, originMatcher, wildcardPath, withParameter } from '../lib/url.ts'
import { queryOf } from './input.ts'

type Work = () => unknown

const maxGrowth = 12
/**
 * Noise only adds time, so that the least of many runs is the cost; a busy machine may need seconds until it is quiet for one of them.
 * Work that grows faster never gets below the bound.
 */
const maxRounds = 1000
/** A first run of the small input that is slow by chance would hide any growth. */
const minRounds = 6

async function cpuTime(work: Work, repetitions: number): Promise<number> {
  const started = process.cpuUsage()
  for (let repetition = 0; repetition < repetitions; repetition += 1) await work()
  const { user, system } = process.cpuUsage(started)
  return user + system
}

/** As many as take several milliseconds, compared with which reading the clock costs nothing. */
async function findRepetitions(work: Work): Promise<number> {
  let repetitions = 1
  while ((await cpuTime(work, repetitions)) < 5000 && repetitions < 10_000) repetitions *= 2
  return repetitions
}

/**
 * The small input runs ten times as often, so that the garbage collector has as much to do for it: with less garbage, most runs
 * would end before it starts. The order changes, because a collector that starts once per round would always meet the same input.
 */
async function expectLinear(size: number, workFor: (size: number) => Work): Promise<void> {
  const [small, large] = [workFor(size), workFor(size * 10)]
  await cpuTime(small, 20)
  const repetitions = await findRepetitions(large)
  let [least, least10] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const growth = () => (10 * least10) / least
  for (let round = 0; round < minRounds || (round < maxRounds && growth() > maxGrowth); round += 1) {
    if (round % 2 === 0) least = Math.min(least, await cpuTime(small, 10 * repetitions))
    least10 = Math.min(least10, await cpuTime(large, repetitions))
    if (round % 2 === 1) least = Math.min(least, await cpuTime(small, 10 * repetitions))
  }
  expect(growth()).toBeLessThanOrEqual(maxGrowth)
}

const keyring = createKeyring(['a secret of the tests, 0123456789 abcdefghij'])
const isTrustedProxy = addressSet(['10.0.0.0/8'])
const origins = [
  'https://acme-*-team-*.example.app',
  '*-a*-a*-a*.example.app',
  'https://**-?*-*.example.app',
  'https://app.example.com',
  'myapp://open',
].map(originMatcher)
const rules = ['/a/**/b/**/c/**/d', '/**/*a*a*a*b', '/sign-in/*'].map(wildcardPath)
const numbered = (size: number, one: (position: number) => string, separator: string) =>
  Array.from({ length: size / 10 }, (_, position) => one(position)).join(separator)

test.each<[name: string, text: (size: number) => string, parse: (text: string) => unknown]>([
  ['a cookie header with many cookies', (size) => numbered(size, (n) => `c${n}=v`, '; '), (text) => findCookies(text, 'missing')],
  ['a cookie header with many separators', (size) => '; '.repeat(size), (text) => findCookies(text, 'missing')],
  ['a cookie header with one long cookie', (size) => `a="${'"'.repeat(size)}"`, (text) => findCookies(text, 'a')],
  ['a signed cookie', (size) => `${'%2E.'.repeat(size)}${'x'.repeat(43)}=`, (text) => readSignedCookie(text, keyring)],
  ['a session_data cookie', (size) => btoa('['.repeat(size)), (text) => decodeSessionData(text, keyring)],
  [
    'a session_data cookie with members',
    (size) => btoa(`{"session":{${numbered(size, (n) => `"${n}":1`, ',')}}}`),
    (text) => decodeSessionData(text, keyring),
  ],
  ['a JWT with many dots', (size) => 'a.'.repeat(size), (text) => verifyJWT(text, [new Uint8Array(32)], new Date(0))],
  [
    'a JWT with long parts',
    (size) => `eyJhbGciOiJIUzI1NiJ9.${'a'.repeat(size)}.${'b'.repeat(size)}`,
    (text) => verifyJWT(text, [new Uint8Array(32)], new Date(0)),
  ],
  ['an email address of one kind of letter', (size) => `${'a'.repeat(size)}@`, isEmailAddress],
  ['an email address of dots', (size) => `a@${'a.'.repeat(size)}`, isEmailAddress],
  [
    'an origin that nearly matches wildcards',
    (size) => `https://acme-${'-team-'.repeat(size)}`,
    (text) => isOnOrigin(text, origins),
  ],
  [
    'an origin of the letters of a wildcard',
    (size) => `https://${'-a'.repeat(size)}.example.ap`,
    (text) => isOnOrigin(text, origins),
  ],
  ['an origin of labels', (size) => `https://${'a.'.repeat(size)}example.ap`, (text) => isOnOrigin(text, origins)],
  [
    'an origin with a long path',
    (size) => `https://app.example.co/${'-team-'.repeat(size)}`,
    (text) => isOnOrigin(text, origins),
  ],
  [
    'an origin of a function of the configuration',
    (size) => `${'/'.repeat(size)}x${' '.repeat(size)}x`,
    (text) => originMatcher(text)('https://a.test'),
  ],
  ['a relative target', (size) => `/${'a/../'.repeat(size)}!`, isRelativePath],
  ['a relative target with dot segments', (size) => `/${'a/../'.repeat(size)}/a`, isRelativePath],
  ['a relative target with a query', (size) => `/?${'%=&'.repeat(size)}#`, isRelativePath],
  ['a target with other letters', (size) => `/${'中'.repeat(size / 8)}`, (text) => headerTarget(text, 'http://localhost')],
  ['a target to which an error is added', (size) => `/${'#?'.repeat(size)}`, (text) => withParameter(text, 'error', 'x')],
  [
    'X-Forwarded-For with trusted hops',
    (size) => numbered(size, (n) => `10.0.${n % 256}.1`, ', '),
    (text) => clientAddress('10.0.0.1', [text], isTrustedProxy),
  ],
  [
    'X-Forwarded-For with one long hop',
    (size) => `[${'::1]:'.repeat(size)}`,
    (text) => reportedAddress('10.0.0.1', [text], isTrustedProxy),
  ],
  [
    'X-Forwarded-For with commas',
    (size) => `1.1.1.1${','.repeat(size)}`,
    (text) => clientAddress('10.0.0.1', [text], isTrustedProxy),
  ],
  ['an IP address', (size) => '1:'.repeat(size), canonicalAddress],
  ['a path against custom rules', (size) => `/a${'/b/c'.repeat(size / 4)}`, (text) => rules.some((matches) => matches(text))],
  [
    'a long name in a path against custom rules',
    (size) => `/a/b/${'ab'.repeat(size)}c`,
    (text) => rules.some((matches) => matches(text)),
  ],
  [
    'a path of slashes against custom rules',
    (size) => `/a${'/'.repeat(size)}x`,
    (text) => rules.some((matches) => matches(text)),
  ],
  [
    'a query',
    (size) => Array.from({ length: 64 }, (_, position) => `${position}=${'%41'.repeat(size / 160)}`).join('&'),
    (text) => queryOf(new URLSearchParams(text)),
  ],
  ['a query of one key', (size) => `a=${'%41'.repeat(size / 160)}&`.repeat(64), (text) => queryOf(new URLSearchParams(text))],
])('%s is parsed in linear time', (_, textOf, parse) =>
  // The head of a request has at most 16 KiB.
  expectLinear(1600, (size) => {
    const text = textOf(size)
    return () => parse(text)
  }),
)

describe('a request is handled in time linear in', () => {
  const form = 'application/x-www-form-urlencoded'
  const multipart = 'multipart/form-data; boundary=B'
  const part = (name: string, value: string) => `--B\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const bodies: [name: string, type: string, body: (size: number) => string][] = [
    ['the fields of a form', form, (size) => 'a&'.repeat(size / 2)],
    ['the value of a form', form, (size) => `a=${'%41'.repeat(size / 3)}`],
    ['the fields of a multipart form', multipart, (size) => `${part('a', '').repeat(size / 50)}--B--`],
    ['the value of a multipart form', multipart, (size) => `${part('a', '\r\n-'.repeat(size / 3))}--B--`],
    ['the delimiters of a multipart form', multipart, (size) => `${'--B'.repeat(size / 3)}--B--`],
    ['the depth of JSON', 'application/json', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)],
    ['the keys of JSON', 'application/json', (size) => `{${numbered(size, (n) => `"${n}":1`, ',')}}`],
    ['the text of JSON', 'application/json', (size) => `{"email":"${'\\u0041'.repeat(size / 6)}","password":"x"}`],
    ['a target in JSON', 'application/json', (size) => `{"callbackURL":"https://${'-a'.repeat(size / 2)}.example.app"}`],
    ['an ignored body', 'text/plain', (size) => 'x'.repeat(size)],
  ]
  test.each(bodies)('%s', async (_, type, bodyOf) => {
    const { browser } = await testApp({ trustedOrigins: ['https://acme-*-team-*.example.app'] })
    const visitor = browser()
    await expectLinear(6400, (size) => {
      const body = bodyOf(size)
      return () => visitor.request('/sign-in/email', { method: 'POST', headers: { 'content-type': type }, body })
    })
  })

  const heads: [name: string, path: (size: number) => string, headers: (size: number) => Record<string, string>][] = [
    ['its path', (size) => `/reset-password/${'a'.repeat(size)}`, () => ({})],
    ['the encoded letters of its path', (size) => `/reset-password/${'%41'.repeat(size / 3)}`, () => ({})],
    ['the slashes of its path', (size) => `/reset-password${'/'.repeat(size)}`, () => ({})],
    ['the keys of its query', (size) => `/get-session?${numbered(size, (n) => `${n}`, '&')}`, () => ({})],
    ['the value of its query', (size) => `/get-session?a=${'%41'.repeat(size / 3)}`, () => ({})],
    ['its origin', () => '/ok', (size) => ({ origin: `https://acme-${'-team-'.repeat(size / 6)}` })],
    ['its cookies', () => '/get-session', (size) => ({ cookie: numbered(size, (n) => `c${n}=1`, '; ') })],
  ]
  test.each(heads)('%s', async (_, path, headers) => {
    const { browser } = await testApp({
      trustedOrigins: ['https://acme-*-team-*.example.app'],
      rateLimit: { enabled: true, max: 1e9, customRules: { '/a/**/b/**/c/**': { window: 1, max: 1 } } },
    })
    const visitor = browser()
    await expectLinear(1600, (size) => {
      const request = { headers: headers(size) }
      const target = path(size)
      return () => visitor.request(target, request)
    })
  })
})
