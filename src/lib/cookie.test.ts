import { describe, expect, test } from 'vitest'
import { findCookies, readSignedCookie, serializeCookie, signCookie } from './cookie.ts'
import { createKeyring } from './keyring.ts'

const keyring = createKeyring(['test-secret-1'])
const token = 'abcDEF0123456789abcDEF0123456789'
const signed = `${token}.UMNnlSdubQ9icbluuuVFtOoRs1kepnS59ptE9MGo%2FKQ%3D`

describe('a signed cookie', () => {
  test('matches the example of the contract (00 §13)', () => expect(signCookie(token, keyring)).toBe(signed))
  test('is read back, encoded or not', () => {
    expect(readSignedCookie(signed, keyring)).toBe(token)
    expect(readSignedCookie(decodeURIComponent(signed), keyring)).toBe(token)
  })
  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['no signature', token],
    ['a signature for another value', signed.replace('abc', 'abd')],
    ['a short signature', `${token}.abc=`],
    ['no value', '.UMNnlSdubQ9icbluuuVFtOoRs1kepnS59ptE9MGo%2FKQ%3D'],
    ['a broken escape', `${signed}%`],
  ])('%s is not a cookie', (_, sent) => expect(readSignedCookie(sent, keyring)).toBeNull())
})

describe('Set-Cookie', () => {
  test('has its attributes in the order of the contract', () => {
    const all = { maxAge: 12.9, domain: 'a.test', path: '/', httpOnly: true, secure: true, sameSite: 'lax', partitioned: true }
    expect(serializeCookie('n', 'v', all)).toBe(
      'n=v; Max-Age=12; Domain=a.test; Path=/; HttpOnly; Secure; SameSite=Lax; Partitioned',
    )
  })
  test('rejects a lifetime above 400 days', () => {
    expect(() => serializeCookie('n', 'v', { maxAge: 34_560_001 })).toThrow(RangeError)
  })
  test('a __Host- cookie is secure, has the path / and no domain', () => {
    expect(serializeCookie('__Host-n', 'v', { domain: 'a.test', path: '/x' })).toBe('__Host-n=v; Path=/; Secure')
  })
})

describe('the Cookie header', () => {
  test('gives the first cookie of a name, without quotes', () => {
    expect(findCookies('a=1; b="2"; a=3', 'a')).toEqual(['1', '3'])
    expect(findCookies('a=1; b="2"; a=3', 'b')).toEqual(['2'])
  })
  test('does not find a name inside another', () => expect(findCookies('xa=1; ab=2', 'a')).toEqual([]))
})
