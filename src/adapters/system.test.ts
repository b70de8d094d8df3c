import { describe, expect, test } from 'vitest'
import { random } from './system.ts'

/** Pearson's statistic of how often each character was drawn, against equal frequencies. */
function chiSquare(text: string, alphabet: string): number {
  const expected = text.length / alphabet.length
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let sum = 0
  for (const character of alphabet) sum += ((counts.get(character) ?? 0) - expected) ** 2 / expected
  return sum
}

describe('random', () => {
  test('an id has 32 characters of a-z, A-Z and 0-9', () => {
    expect(random.id()).toMatch(/^[a-zA-Z0-9]{32}$/)
    expect(new Set(Array.from({ length: 1000 }, random.id)).size).toBe(1000)
  })
  test('a token has the given length and only characters of its alphabet', () => {
    expect(random.token(24)).toMatch(/^[a-zA-Z0-9]{24}$/)
    expect(random.token(200, 'ab')).toMatch(/^[ab]{200}$/)
    expect(random.token(0)).toBe('')
  })
  test('no character is more frequent than another', () => {
    // 62 characters, 61 degrees of freedom: a statistic above 140 has a probability below 1e-7. Taking bytes modulo 62
    // without rejection would give about 2000 here.
    const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
    expect(chiSquare(random.token(200_000), alphabet)).toBeLessThan(140)
  })
  test('uses all characters of an alphabet of 256', () => {
    const alphabet = String.fromCharCode(...Array.from({ length: 256 }, (_, index) => 256 + index))
    expect(new Set(random.token(20_000, alphabet)).size).toBe(256)
  })
  test.each(['', 'a', 'aba', 'x'.repeat(257)])('rejects the alphabet "%s"', (alphabet) => {
    expect(() => random.token(8, alphabet)).toThrow('different characters')
  })
  test('returns the given number of bytes', () => {
    expect(random.bytes(20)).toHaveLength(20)
    expect(Buffer.from(random.bytes(20)).equals(Buffer.from(random.bytes(20)))).toBe(false)
  })
})
