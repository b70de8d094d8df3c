import { expect, test } from 'vitest'
import { base32, hotp, matchTimeStep, otpauthURI, parseBase32, type TOTPAlgorithm, timeStep } from './totp.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const settings = { digits: 6, period: 30, algorithm: 'SHA1' } as const

test('codes by counter equal the ones of RFC 4226, appendix D', () => {
  const key = bytes('12345678901234567890')
  const codes = Array.from({ length: 10 }, (_, counter) => hotp(key, counter, settings))
  expect(codes).toEqual(['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'])
})

const seeds: Readonly<Record<TOTPAlgorithm, string>> = {
  SHA1: '12345678901234567890',
  SHA256: '12345678901234567890123456789012',
  SHA512: '1234567890123456789012345678901234567890123456789012345678901234',
}

test.each([
  [59, '94287082', '46119246', '90693936'],
  [1_111_111_109, '07081804', '68084774', '25091201'],
  [1_111_111_111, '14050471', '67062674', '99943326'],
  [1_234_567_890, '89005924', '91819424', '93441116'],
  [2_000_000_000, '69279037', '90698825', '38618901'],
  [20_000_000_000, '65353130', '77737706', '47863826'],
])('codes by time equal the ones of RFC 6238, appendix B: at %i s', (seconds, ...codes) => {
  const made = (['SHA1', 'SHA256', 'SHA512'] as const).map((algorithm) =>
    hotp(bytes(seeds[algorithm]), timeStep(seconds * 1000, 30), { digits: 8, algorithm }),
  )
  expect(made).toEqual(codes)
})

const secret = '0123456789abcdefghijklmnopqrstuv'

test.each([
  [59, '453468', '90453468'],
  [1_111_111_109, '367229', '74367229'],
  [1_796_000_000, '936977', '34936977'],
  [20_000_000_000, '356276', '27356276'],
])('the vectors of contract 11 §16: at %i s', (seconds, six, eight) => {
  const step = timeStep(seconds * 1000, 30)
  expect([hotp(bytes(secret), step, settings), hotp(bytes(secret), step, { ...settings, digits: 8 })]).toEqual([six, eight])
})

test('a secret is base32 in the URI, and the URI is escaped as the contract says', () => {
  expect(base32(bytes(secret))).toBe('GAYTEMZUGU3DOOBZMFRGGZDFMZTWQ2LKNNWG23TPOBYXE43UOV3A')
  expect(otpauthURI(bytes(secret), { ...settings, issuer: 'Acme App', account: 'a+b@x.co' })).toBe(
    'otpauth://totp/Acme%20App:a%2Bb%40x.co?secret=GAYTEMZUGU3DOOBZMFRGGZDFMZTWQ2LKNNWG23TPOBYXE43UOV3A&issuer=Acme+App&digits=6&period=30',
  )
})

test('base32 is read back, in any case and with padding; other text is not', () => {
  for (const text of ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'])
    expect(Buffer.from(parseBase32(base32(bytes(text))) ?? []).toString()).toBe(text)
  expect(base32(bytes('foobar'))).toBe('MZXW6YTBOI')
  expect(Buffer.from(parseBase32('mzxw 6ytb oi======') ?? []).toString()).toBe('foobar')
  expect(parseBase32('MZXW1')).toBeNull()
})

test.each([
  [-61, false],
  [-31, false],
  [-30, true],
  [0, true],
  [59, true],
  [60, false],
  [61, false],
])('%i s after the start of its step, a code matches: %s', (seconds, matches) => {
  const start = 1_796_000_010_000
  const step = timeStep(start, 30)
  const time = start + seconds * 1000
  const found = matchTimeStep(bytes(secret), hotp(bytes(secret), step, settings), settings, { time, window: 1 })
  expect(found).toBe(matches ? step : null)
})
