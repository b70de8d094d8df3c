import { describe, expect, test } from 'vitest'
import { redact } from './redact.ts'

describe('redact', () => {
  test.each([
    'authorization',
    'Proxy-Authorization',
    'cookie',
    'set-cookie',
    'setCookie',
    'cookies',
    'password',
    'newPassword',
    'currentPassword',
    'token',
    'accessToken',
    'refresh_token',
    'secret',
    'clientSecret',
    'apiKey',
    'api_key',
    'x-api-key',
    'privateKey',
    'passphrase',
  ])('the value of %s is left out, at any depth', (name) => {
    expect(JSON.stringify(redact({ [name]: 'hunter22', a: { b: [{ [name]: ['hunter22'] }] } }))).not.toContain('hunter22')
  })
  test.each(['path', 'status', 'requestId', 'tokenHash', 'email', 'key'])('the value of %s stays', (name) => {
    expect(redact({ [name]: 'value' })).toEqual({ [name]: 'value' })
  })
  test('absent values stay absent', () => {
    expect(redact({ token: null, cookie: undefined })).toEqual({ token: null, cookie: undefined })
  })
  test('addresses lose their credentials', () => {
    const url = 'mysql://app:hunter22@db/x'
    expect(redact({ url, parsed: new URL(url) })).toEqual({ url: 'mysql://***@db/x', parsed: 'mysql://***@db/x' })
  })
  test('errors are described wherever they stand', () => {
    expect(redact({ list: [new Error('one')] })).toMatchObject({ list: [{ type: 'Error', message: 'one' }] })
    expect(redact(new Error('two'))).toMatchObject({ error: { message: 'two' } })
  })
  test('what has no JSON form does not throw', () => {
    const circular: Record<string, unknown> = { big: 1n, date: new Date(Number.NaN), bytes: new Uint8Array(3) }
    circular.self = circular
    expect(JSON.parse(JSON.stringify(redact(circular)))).toMatchObject({ big: '1', date: null, bytes: '[3 bytes]' })
  })
  test('what was given stays as it was', () => {
    const fields = { headers: { cookie: 'a=b' } }
    redact(fields)
    expect(fields).toEqual({ headers: { cookie: 'a=b' } })
  })
})
