import { describe, expect, test } from 'vitest'
import { ApiError } from '../core/errors.ts'
import type { CustomHash, Metrics } from '../core/ports.ts'
import { createHasher } from './hasher.ts'

const metrics: Metrics = { count: () => {}, observe: () => {} }
const costs = { memory: 64, iterations: 1, parallelism: 1, queue: 64 }
const reversed = (text: string) => [...text].reverse().join('')
const custom: CustomHash = {
  hash: async (password) => reversed(password),
  verify: ({ hash, password }) => hash === reversed(password),
}
const create = (more: Partial<CustomHash> = {}, options = {}) =>
  createHasher({ ...costs, ...options, custom: { ...custom, ...more } }, metrics)

describe('custom hash functions', () => {
  test('hash the normalized password into a marked text', async () => {
    const hasher = await create()
    expect(await hasher.hash('ﬁnance')).toBe('$custom$ecnanif')
    expect(await hasher.verify('$custom$ecnanif', 'ﬁnance')).toBe(true)
    expect(await hasher.verify('$custom$ecnanif', 'finance')).toBe(true)
    expect(await hasher.verify('$custom$ecnanif', 'ecnanif')).toBe(false)
    expect(hasher.needsRehash('$custom$ecnanif')).toBe(false)
  })

  test('verify texts of unknown schemes, also for a password that was never normalized', async () => {
    const hasher = await create()
    expect(await hasher.verify('drowssap a', 'a password')).toBe(true)
    expect(await hasher.verify('ecnanﬁ', 'ﬁnance')).toBe(true)
    expect(hasher.needsRehash('drowssap a')).toBe(true)
  })

  test('verify hashes in the form of a known scheme only if they are marked', async () => {
    const asked: string[] = []
    const watched = { verify: ({ hash }: { hash: string }) => asked.push(hash) > 0 }
    const builtIn = await createHasher(costs, metrics)
    const argon = await builtIn.hash('a password')
    const hasher = await create(watched)
    expect(await hasher.verify(argon, 'a password')).toBe(true)
    expect(await hasher.verify(argon, 'another')).toBe(false)
    expect(hasher.needsRehash(argon)).toBe(true)
    expect(asked).toEqual([])
    expect(await hasher.verify(`$custom$${argon}`, 'another')).toBe(true)
    expect(asked).toEqual([argon])
    // Without the functions it is unknown.
    expect(await builtIn.verify(`$custom$${argon}`, 'a password')).toBe(false)
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a buffer', Buffer.from('x')],
    ['more than the column holds', 'ä'.repeat(32_764)],
    ['half a character', 'x\ud800'],
  ])('must not return %s', async (_, made) => {
    const hasher = await create({ hash: () => made as string })
    await expect(hasher.hash('a password')).rejects.toThrow('emailAndPassword.password.hash')
  })

  test('may return as much as the column holds', async () => {
    const hasher = await create({ hash: () => 'x'.repeat(65_527) })
    expect(await hasher.hash('a password')).toHaveLength(65_535)
  })

  test.each<[string, unknown]>([
    ['a text', 'false'],
    ['nothing', undefined],
    ['a number', 1],
  ])('must not return the verdict %s', async (_, verdict) => {
    const hasher = await create({ verify: () => verdict as boolean })
    await expect(hasher.verify('x', 'a password')).rejects.toThrow('emailAndPassword.password.verify')
  })

  test('run within the same bounds as argon2id', async () => {
    const waiting: (() => void)[] = []
    const slow = () => new Promise<string>((resolve) => waiting.push(() => resolve('x')))
    const hasher = await create({ hash: slow }, { concurrency: 1, queue: 1 })
    const [one, two, three] = [hasher.hash('one'), hasher.hash('two'), hasher.hash('three')]
    await expect(three).rejects.toBeInstanceOf(ApiError)
    await expect.poll(() => waiting).toHaveLength(1)
    waiting[0]?.()
    await one
    await expect.poll(() => waiting).toHaveLength(2)
    waiting[1]?.()
    await two
  })

  test('make one decoy per process, and another one only after a failure', async () => {
    let made = 0
    const hasher = await create({
      hash: (password) => {
        made += 1
        if (made === 1) throw new Error('away')
        return reversed(password)
      },
    })
    await expect(hasher.decoy()).rejects.toThrow('away')
    const [one, two] = await Promise.all([hasher.decoy(), hasher.decoy()])
    expect([one, made]).toEqual([two, 2])
    expect(one).toMatch(/^\$custom\$[\w-]{24}$/)
    expect(await (await createHasher(costs, metrics)).decoy()).toBeNull()
  })
})
