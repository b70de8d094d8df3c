import { expect, test } from 'vitest'
import { createKeyring, secretUnknown } from './keyring.ts'

test('a cookie signature matches the example of the contract (00 §13)', () => {
  const value = 'abcDEF0123456789abcDEF0123456789'
  expect(createKeyring(['test-secret-1']).sign(value)).toBe('UMNnlSdubQ9icbluuuVFtOoRs1kepnS59ptE9MGo/KQ=')
})

test('after a rotation the newest secret signs and every configured one verifies', () => {
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

test('every configured secret decrypts a text, for its purpose only and unchanged', () => {
  const before = createKeyring(['old secret'])
  const rotated = createKeyring(['new secret', 'old secret'])
  // Long and of letters only: two letters of it would appear by chance in one of seventy ciphertexts.
  const text = 'GrüßevonderanderenSeite'
  const sealed = before.encrypt('mail', text)
  expect(sealed).not.toContain('anderen')
  expect(rotated.decrypt('mail', sealed)).toBe(text)
  expect(before.encrypt('mail', text)).not.toBe(sealed)
  expect(() => createKeyring(['new secret']).decrypt('mail', sealed)).toThrow(expect.objectContaining({ code: secretUnknown }))
  expect(() => rotated.decrypt('other', sealed)).toThrow()
  const forged = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`
  expect(() => rotated.decrypt('mail', forged)).toThrow()
})

test('a text for a token needs the token, the purpose and a configured secret', () => {
  const before = createKeyring(['old secret'])
  const sealed = before.encryptFor('transfer', 'token', 'GrüßevonderanderenSeite')
  expect(createKeyring(['new secret', 'old secret']).decryptFor('transfer', 'token', sealed)).toBe('GrüßevonderanderenSeite')
  expect(() => before.decryptFor('transfer', 'another', sealed)).toThrow()
  expect(() => before.decryptFor('other', 'token', sealed)).toThrow()
  expect(() => before.decrypt('transfer', sealed)).toThrow()
  expect(() => createKeyring(['new secret']).decryptFor('transfer', 'token', sealed)).toThrow(
    expect.objectContaining({ code: secretUnknown }),
  )
})
