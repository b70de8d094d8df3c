import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isGuessable } from './guessable-secret.ts'

test.each([
  'a'.repeat(64),
  '0123456789abcdef0123456789abcdef',
  'abcdefghijklmnopqrstuvwxyz012345',
  'zyxwvutsrqponmlkjihgfedcba987654',
  'QWERTYUIOPasdfghjklzxcvbnm123456',
  'CHANGE_ME_CHANGE_ME_please-123456789',
  'change.me/change.me/change.me/change.me',
  'this-is-a-very-secret-key-for-jwt-tokens',
  'better-auth-secret-123456789012345678901',
  'your-super-secret-key-at-least-32-chars'.slice(0, 25).repeat(2),
  'example-secret-do-not-use-in-prod',
  'kq83hd'.repeat(8),
  '00000000-0000-0000-0000-000000000000',
  ' '.repeat(40),
])('%j is easy to guess', (secret) => expect(isGuessable(secret, 12)).toBe(true))

test.each([
  'kq83hd92jf7s6d5f4g3h2j1k0l9z8x7c',
  'acme-secret-kq83hd92jf7s6d5f4g3h2j1k',
  'correct horse battery staple on a hill',
  '!%&/()=?*+#-;:_><|~@[]{}!%&/()=?§',
])('%j is not', (secret) => expect(isGuessable(secret, 12)).toBe(false))

test('no random secret is, in whatever form it is written', () => {
  for (let count = 0; count < 2000; count += 1) {
    const bytes = randomBytes(24)
    const forms = [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url'), randomBytes(16).toString('hex')]
    expect(forms.filter((secret) => isGuessable(secret, 12))).toEqual([])
    expect(isGuessable(randomBytes(12).toString('hex'), 12)).toBe(false)
  }
})
