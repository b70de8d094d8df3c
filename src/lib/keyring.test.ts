import { expect, test } from 'vitest'
import { createKeyring, secretUnknown } from './keyring.ts'

test('a cookie signature is the one of the contract (00 §13)', () => {
  const value = 'abcDEF0123456789abcDEF0123456789'
  expect(createKeyring(['test-secret-1']).sign(value)).toBe('UMNnlSdubQ9icbluuuVFtOoRs1kepnS59ptE9MGo/KQ=')
})

test('after a rotation the newest secret signs and every live one verifies', () => {
  const before = createKeyring(['old secret'])
  const rotated = createKeyring(['new secret', 'old secret'])
  expect(rotated.sign('x')).not.toBe(before.sign('x'))
  expect(rotated.verify('x', before.sign('x'))).toBe(true)
  expect(rotated.hashes('session', 'x')).toContain(before.hash('session', 'x'))
  expect(rotated.hash('session', 'x')).toBe(rotated.hashes('session', 'x')[0])
})

test('a retired secret verifies nothing', () => {
  const retired = createKeyring(['old secret'])
  const current = createKeyring(['new secret'])
  expect(current.verify('x', retired.sign('x'))).toBe(false)
  expect(current.hashes('session', 'x')).not.toContain(retired.hash('session', 'x'))
  expect([current.knows(retired.hash('session', 'x')), current.knows(current.hash('session', 'x'))]).toEqual([false, true])
})

test('a hash depends on its purpose', () => {
  const keyring = createKeyring(['secret'])
  expect(keyring.hash('session', 'x')).not.toBe(keyring.hash('setup', 'x'))
})

test('what is encrypted is read by every live secret, for its purpose only, and unchanged', () => {
  const before = createKeyring(['old secret'])
  const rotated = createKeyring(['new secret', 'old secret'])
  const sealed = before.encrypt('mail', 'Grüße')
  expect(sealed).not.toContain('Gr')
  expect(rotated.decrypt('mail', sealed)).toBe('Grüße')
  expect(before.encrypt('mail', 'Grüße')).not.toBe(sealed)
  expect(() => createKeyring(['new secret']).decrypt('mail', sealed)).toThrow(expect.objectContaining({ code: secretUnknown }))
  expect(() => rotated.decrypt('other', sealed)).toThrow()
  expect(() => rotated.decrypt('mail', `${sealed.slice(0, -2)}AA`)).toThrow()
})
