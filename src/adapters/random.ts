import { randomBytes } from 'node:crypto'
import type { Random } from '../core/ports.ts'

const alphanumeric = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** The operating system's randomness, without bias towards any character of an alphabet. */
export const random: Random = {
  id: () => draw(32, alphanumeric),
  token: (length, alphabet = alphanumeric) => {
    if (alphabet !== alphanumeric) checkAlphabet(alphabet)
    return draw(length, alphabet)
  },
  bytes: (length) => randomBytes(length),
}

function checkAlphabet(alphabet: string): void {
  if (alphabet.length < 2 || alphabet.length > 256 || new Set(alphabet).size !== alphabet.length)
    throw new Error('An alphabet has 2 to 256 different characters')
}

function draw(length: number, alphabet: string): string {
  // A byte beyond the last whole multiple of the alphabet's length would make its first characters more frequent.
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length + 8)) {
      if (byte >= limit) continue
      text += alphabet.charAt(byte % alphabet.length)
      if (text.length === length) break
    }
  }
  return text
}
