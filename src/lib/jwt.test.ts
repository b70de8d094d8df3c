import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signJWT, verifyJWT } from './jwt.ts'

const key = Buffer.from('a secret of the tests, 0123456789 abcdefghij')
const older = Buffer.from('an older secret, 9876543210 jihgfedcba abcd')
const issuedAt = new Date('2026-01-31T12:00:00.000Z')
const later = (seconds: number) => new Date(issuedAt.getTime() + seconds * 1000)
const sign = (claims = {}) => signJWT({ email: 'a@b.co', ...claims }, { key, issuedAt, expiresIn: 3600 })
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const forge = (header: object, claims: object, by: Uint8Array = key, hash = 'sha256') => {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${createHmac(hash, by).update(input).digest('base64url')}`
}
const claims = { email: 'a@b.co', iat: issuedAt.getTime() / 1000, exp: issuedAt.getTime() / 1000 + 3600 }

describe('a signed token', () => {
  test('has the header and the claims of the wire contract', async () => {
    const [header = '', payload = ''] = (await sign({ jti: 'x' })).split('.')
    expect(Buffer.from(header, 'base64url').toString()).toBe('{"alg":"HS256"}')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual({ ...claims, jti: 'x' })
  })

  test('matches the example of the standard', async () => {
    expect(await sign()).toBe(forge({ alg: 'HS256' }, { email: 'a@b.co', iat: claims.iat, exp: claims.exp }))
  })

  test('is accepted until it expires, by any of the keys', async () => {
    const token = await sign()
    expect(await verifyJWT(token, [key], later(3599))).toEqual({ claims })
    expect(await verifyJWT(token, [older, key], later(0))).toEqual({ claims })
    expect(await verifyJWT(token, [older, key], later(3600))).toEqual({ error: 'expired' })
  })

  test('is invalid under another key, even when it has expired', async () => {
    expect(await verifyJWT(await sign(), [older], later(0))).toEqual({ error: 'invalid' })
    expect(await verifyJWT(await sign(), [older], later(9999))).toEqual({ error: 'invalid' })
    expect(await verifyJWT(await sign(), [], later(0))).toEqual({ error: 'invalid' })
  })
})

describe('a token is rejected', () => {
  test.each([
    ['without a signature', `${encode({ alg: 'none' })}.${encode(claims)}.`],
    ['by the algorithm none with a signature', forge({ alg: 'none' }, claims)],
    ['by another algorithm', forge({ alg: 'HS512' }, claims, key, 'sha512')],
    ['with an algorithm in another case', forge({ alg: 'hs256' }, claims)],
    ['with a header that must be understood', forge({ alg: 'HS256', crit: ['x'], x: 1 }, claims)],
    ['that never expires', forge({ alg: 'HS256' }, { email: 'a@b.co', iat: claims.iat })],
    ['without a time of issue', forge({ alg: 'HS256' }, { email: 'a@b.co', exp: claims.exp })],
    ['whose expiry is not a number', forge({ alg: 'HS256' }, { ...claims, exp: '9999999999' })],
    ['whose claims are a list', forge({ alg: 'HS256' }, [claims])],
    ['of two parts', 'a.b'],
    ['of five parts', 'a.b.c.d.e'],
    ['that is empty', ''],
    ['of a megabyte', 'a'.repeat(1_000_000)],
  ])('%s', async (_, token) => {
    expect(await verifyJWT(token, [key], issuedAt)).toEqual({ error: 'invalid' })
  })
})
