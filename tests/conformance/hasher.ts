/** The behaviour that every implementation of `Hasher` must have. */
import { describe, expect, test } from 'vitest'
import { createHasher, type HasherImplementation, type HasherOptions } from '../../src/adapters/hasher.ts'
import type { Metrics } from '../../src/core/ports.ts'

const metrics: Metrics = { count: () => {}, observe: () => {} }
const costs: HasherOptions = { memory: 256, iterations: 2, parallelism: 1, queue: 64 }
const all: readonly HasherImplementation[] = ['@node-rs/argon2', 'argon2']

/** @param implementation the one to test; the others must understand its texts, and it theirs */
export function hasherSuite(implementation: HasherImplementation): void {
  const create = (options: HasherOptions = costs) => createHasher(options, metrics, implementation)

  describe(`hashes by ${implementation}`, () => {
    test('are PHC strings of argon2id with the configured costs, and a salt of 16 bytes of their own', async () => {
      const hasher = await create()
      expect(hasher.implementation).toBe(implementation)
      const [one, two] = [await hasher.hash('correct horse'), await hasher.hash('correct horse')]
      expect(one).toMatch(/^\$argon2id\$v=19\$m=256,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
      expect(one).not.toBe(two)
    })
    test('verify the password, and no other', async () => {
      const hasher = await create()
      const stored = await hasher.hash('correct horse')
      expect(await hasher.verify(stored, 'correct horse')).toBe(true)
      for (const wrong of ['', 'correct hors', 'correct horse ', 'Correct horse', 'correct horse\0'])
        expect(await hasher.verify(stored, wrong)).toBe(false)
    })
    test('depend on every byte of a long password', async () => {
      const hasher = await create()
      const long = 'a'.repeat(4095)
      const stored = await hasher.hash(`${long}b`)
      expect(await hasher.verify(stored, `${long}b`)).toBe(true)
      expect(await hasher.verify(stored, `${long}c`)).toBe(false)
    })
    test('accept a password in any of its equivalent forms (NFKC)', async () => {
      const hasher = await create()
      const stored = await hasher.hash('Zürich ﬁnance 1²')
      expect(await hasher.verify(stored, 'Zu\u0308rich finance 12')).toBe(true)
      expect(await hasher.verify(stored, 'Zurich finance 12')).toBe(false)
    })
    test.each(all)('are verified by %s, and the other way round', async (other) => {
      const [one, two] = [await create(), await createHasher({ ...costs, parallelism: 2 }, metrics, other)]
      expect(await two.verify(await one.hash('correct horse'), 'correct horse')).toBe(true)
      expect(await one.verify(await two.hash('correct horse'), 'correct horse')).toBe(true)
      expect(await two.verify(await one.hash('correct horse'), 'wrong horse')).toBe(false)
    })
    test('are verified with their parameters in another order', async () => {
      const hasher = await create()
      const stored = (await hasher.hash('correct horse')).replace('m=256,t=2,p=1', 'm=256,p=1,t=2')
      expect(await hasher.verify(stored, 'correct horse')).toBe(true)
      expect(hasher.needsRehash(stored)).toBe(false)
    })
    test('need a rehash exactly when the costs differ', async () => {
      const hasher = await create()
      const stored = await hasher.hash('correct horse')
      expect(hasher.needsRehash(stored)).toBe(false)
      for (const other of [{ memory: 512 }, { iterations: 3 }, { parallelism: 2 }])
        expect((await create({ ...costs, ...other })).needsRehash(stored)).toBe(true)
      expect(hasher.needsRehash('unknown')).toBe(true)
    })
    test.each([
      '',
      'plain text',
      '$argon2id$',
      '$argon2id$v=19$m=256,t=2,p=1$c2FsdHNhbHRzYWx0c2Fs$',
      '$argon2i$v=19$m=256,t=2,p=1$c2FsdHNhbHRzYWx0c2Fs$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g',
      '$argon2id$v=16$m=256,t=2,p=1$c2FsdHNhbHRzYWx0c2Fs$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g',
      '$argon2id$v=19$m=256,t=2,p=1$c2FsdHNhbHRzYWx0c2Fsd$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g',
      '$argon2id$v=19$m=256,t=2,p=1$c2FsdHNhbHRzYWx0c2Fs$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2h',
      '$argon2id$v=19$m=4,t=2,p=1$c2FsdHNhbHRzYWx0c2Fs$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g',
      '$argon2id$v=19$m=9999999,t=2,p=1$c2FsdHNhbHRzYWx0c2Fs$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g',
      '$argon2id$v=19$m=256,t=0,p=1$c2FsdHNhbHRzYWx0c2Fs$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g',
      '$argon2id$v=19$m=256,t=2,t=2$c2FsdHNhbHRzYWx0c2Fs$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g',
      '$argon2id$v=19$m=256,t=2,p=0$c2FsdHNhbHRzYWx0c2Fs$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g',
    ])('an invalid stored hash (%s) matches no password', async (stored) => {
      const hasher = await create()
      expect(await hasher.verify(stored, 'correct horse')).toBe(false)
      expect(hasher.needsRehash(stored)).toBe(true)
    })
  })
}
