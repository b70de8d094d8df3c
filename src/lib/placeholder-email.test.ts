import { expect, test } from 'vitest'
import { isPlaceholderEmail, placeholderEmail } from './placeholder-email.ts'
import { isEmailAddress } from './text.ts'

test('a placeholder is an email address, and is recognized in any case', () => {
  const placeholder = placeholderEmail('Reddit', 'T2_x7:q')
  expect(placeholder).toBe('reddit-t2-x7-q@users.latchkey.invalid')
  expect(isEmailAddress(placeholder)).toBe(true)
  expect(isPlaceholderEmail(placeholder.toUpperCase())).toBe(true)
  expect(isPlaceholderEmail('491701234567@phone.invalid')).toBe(true)
})

test.each(['ann@example.com', 'ann@invalid.example', 'ann@not-invalid', 'invalid@example.com'])('%s is none', (email) =>
  expect(isPlaceholderEmail(email)).toBe(false),
)
