/** Randomness from a seeded sequence, so that a failure repeats. */
import { createHash } from 'node:crypto'
import type { Random } from '../../src/core/ports.ts'

const alphanumeric = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

export function createSeededRandom(seed: string): Random {
  let count = 0
  const bytes = (length: number): Uint8Array => {
    const chunks: Buffer[] = []
    for (let have = 0; have < length; have += 32) chunks.push(createHash('sha256').update(`${seed}:${++count}`).digest())
    return Buffer.concat(chunks).subarray(0, length)
  }
  const token = (length: number, alphabet = alphanumeric) =>
    Array.from(bytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
  return { id: () => token(32), token, bytes }
}
