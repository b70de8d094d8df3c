import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { recordStatements } from '../../../tests/kit/statements.ts'
import type { App } from '../../core/app.ts'
import { extend } from '../../core/app.ts'
import { passwordCosts } from './costs.ts'
import { recordPasswordSchemes, verifyPassword } from './index.ts'

const bcrypt = (cost: number) => `$2b$${String(cost).padStart(2, '0')}$abcdefghijklmnopqrstuuGUnCqbfgs3htOkLrFduUjAyLBw1Rq/u`
const pbkdf2 = (rounds: number) => `$pbkdf2-sha256$${rounds}$AAECAwQFBgcICQoLDA0ODw$tHfMv6rWGflsnwsu0gqNjOO5MZIen8bLQT63PmwMEoY`
const scrypt =
  '00112233445566778899aabbccddeeff:752487a9705449a0ea89a9896b272c8b165de88ba8fb2f1aefce908b9187a65024435b92fc8deac3a5316dfebab68a262104481f8f67364c36d49caac6f6eff2'
const config = { passwordHash: { memory: 8192, iterations: 1, queue: 1000 } }

/** Counts the hashing work of an app. */
function counting(app: App): { app: App; work: () => Record<string, number> } {
  const done: Record<string, number> = {}
  const original = app.hasher.verify
  const verify: App['hasher']['verify'] = (stored, password) => {
    for (const cost of passwordCosts(stored)) done[cost.scheme] = (done[cost.scheme] ?? 0) + cost.rounds
    return original(stored, password)
  }
  const work = () => {
    const counted = { ...done }
    for (const scheme of Object.keys(done)) delete done[scheme]
    return counted
  }
  return { app: extend(app, { hasher: { ...app.hasher, verify } }), work }
}

async function withPassword(app: App, email: string, stored: string): Promise<void> {
  const now = app.now()
  const id = app.random.id()
  await app.db.insertInto('user').values({ id, name: 'Ann', email, createdAt: now, updatedAt: now }).execute()
  const account = {
    id: app.random.id(),
    accountId: id,
    providerId: 'credential',
    userId: id,
    password: stored,
    createdAt: now,
    updatedAt: now,
  }
  await app.db.insertInto('account').values(account).execute()
}
const storedOf = async (app: App) => (await app.db.selectFrom('account').select('password').executeTakeFirstOrThrow()).password

describe('sign-in with an imported hash', () => {
  test.each([
    ['the reference', 'pässWord1', scrypt],
    ['bcrypt', 'pässWord1', '$2y$05$abcdefghijklmnopqrstuuhGdfWVExglIHzKmhyWXFsRqyFFwHeyW'],
    ['PBKDF2', 'pässWord1', pbkdf2(29_000)],
    ['argon2i', 'pässWord1', '$argon2i$v=19$m=256,p=1,t=3$c2FsdHNhbHRzYWx0c2FsdA$w4QcU/ch4uXdjbw3nY8Go1RgnlQP9Vzjd078NgaE8AY'],
    ['bcrypt, and longer than it sees', `${'a'.repeat(72)} and more`, bcrypt(5)],
  ])('%s: replaces it by an argon2id hash of the whole password', async (_, password, stored) => {
    const { app, browser } = await testApp()
    await withPassword(app, 'ann@example.com', stored)
    const signIn = async (text: string) =>
      (await browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password: text } })).status
    expect(await signIn('a wrong password')).toBe(401)
    expect(await storedOf(app)).toBe(stored)
    expect(await signIn(password)).toBe(200)
    expect(await storedOf(app)).toMatch(/^\$argon2id\$v=19\$m=8192,t=1,p=1\$/)
    expect(await signIn(password)).toBe(200)
    expect(await signIn(password.slice(0, 72).replace('pässWord1', 'pässWord'))).toBe(401)
  })

  test('keeps a password that was changed while the hash was replaced', async () => {
    const { app, browser, replaceHasher } = await testApp()
    await withPassword(app, 'ann@example.com', scrypt)
    const changed = await app.hasher.hash('another password')
    const original = app.hasher.hash
    const hash: App['hasher']['hash'] = async (password) => {
      await app.db.updateTable('account').set({ password: changed }).execute()
      return original(password)
    }
    replaceHasher({ hash })
    expect(
      (await browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password: 'pässWord1' } })).status,
    ).toBe(200)
    expect(await storedOf(app)).toBe(changed)
  })

  test('succeeds even when too many hashes wait to replace it', async () => {
    const passwordHash = { memory: 8192, iterations: 1, concurrency: 1, queue: 0 }
    const { app, browser, log, replaceHasher } = await testApp({ passwordHash })
    await withPassword(app, 'ann@example.com', scrypt)
    const original = { ...app.hasher }
    replaceHasher({ hash: () => Promise.all([original.hash('one'), original.hash('two')]).then(([one]) => one) })
    expect(
      (await browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password: 'pässWord1' } })).status,
    ).toBe(200)
    expect(await storedOf(app)).toBe(scrypt)
    expect(log.filter((line) => line.includes('was not rehashed'))).toHaveLength(1)
  })
})

describe('a failed check', () => {
  test('costs one argon2id hash while nothing else is stored', async () => {
    const { app, work } = counting((await testApp(config)).app)
    expect(await verifyPassword(app, null, 'a password')).toBe(false)
    expect(work()).toEqual({ 'argon2id,19,8192,1': 1 })
    expect(await verifyPassword(app, await app.hasher.hash('another'), 'a password')).toBe(false)
    expect(work()).toEqual({ 'argon2id,19,8192,1': 1 })
  })

  test('costs the same whatever is stored: the most expensive hash of every scheme in use', async () => {
    const { app, work } = counting((await testApp(config)).app)
    for (const stored of [bcrypt(4), bcrypt(7), bcrypt(5), pbkdf2(2000), pbkdf2(1000), scrypt])
      await recordPasswordSchemes(app, [stored])
    const expected = { 'argon2id,19,8192,1': 1, bcrypt: 128, 'pbkdf2,sha256,1': 2000, scrypt: 1 }
    const candidates = [null, 'no hash at all', await app.hasher.hash('x'), bcrypt(4), bcrypt(7), pbkdf2(1), pbkdf2(2000), scrypt]
    for (const stored of candidates) {
      expect(await verifyPassword(app, stored, 'a password')).toBe(false)
      expect(work(), String(stored)).toEqual(expected)
    }
  })

  test('costs the same for a password in another Unicode form', async () => {
    const { app, work } = counting((await testApp(config)).app)
    await recordPasswordSchemes(app, [scrypt])
    for (const stored of [null, scrypt, await app.hasher.hash('x')]) {
      await verifyPassword(app, stored, 'ﬁnance')
      expect(work()).toEqual({ 'argon2id,19,8192,1': 1, scrypt: 1 })
    }
  })

  test('includes the cost of a hash that was not recorded, from the second check on', async () => {
    const kit = await testApp(config)
    const { record } = recordStatements(kit)
    const { app, work } = counting(kit.app)
    await record(() => verifyPassword(app, bcrypt(6), 'a password'))
    expect(work()).toEqual({ 'argon2id,19,8192,1': 1, bcrypt: 64 })
    expect(await app.db.selectFrom('passwordScheme').select(['scheme', 'rounds']).execute()).toEqual([
      { scheme: 'bcrypt', rounds: 64 },
    ])
    await verifyPassword(app, null, 'a password')
    expect(work()).toEqual({ 'argon2id,19,8192,1': 1, bcrypt: 64 })
  })

  test('costs the same at sign-in with and without an account', async () => {
    const { app, browser, replaceHasher } = await testApp()
    await withPassword(app, 'ann@example.com', pbkdf2(29_000))
    await recordPasswordSchemes(app, [pbkdf2(29_000)])
    const { app: watched, work } = counting(app)
    replaceHasher(watched.hasher)
    const signIn = async (email: string) =>
      (await browser().call('POST /sign-in/email', { body: { email, password: 'a password' } })).status
    expect(await signIn('ann@example.com')).toBe(401)
    const known = work()
    expect(await signIn('bob@example.com')).toBe(401)
    expect(known).toEqual({ 'argon2id,19,8192,1': 1, 'pbkdf2,sha256,1': 29_000 })
    expect(work()).toEqual(known)
  })
})

describe('schemes in use', () => {
  const schemes = (app: App) => app.db.selectFrom('passwordScheme').select(['scheme', 'rounds']).orderBy('scheme').execute()

  test('are recorded once with the highest cost, even by 64 concurrent calls', async () => {
    const { app } = await testApp()
    await Promise.all(Array.from({ length: 64 }, (_, position) => recordPasswordSchemes(app, [pbkdf2(1000 + position)])))
    await recordPasswordSchemes(app, [pbkdf2(10)])
    await recordPasswordSchemes(app, ['no hash'])
    expect(await schemes(app)).toEqual([{ scheme: 'pbkdf2,sha256,1', rounds: 1063 }])
  })

  test('are known to other processes after a minute', async () => {
    const { app, clock } = await testApp(config)
    const other = counting(extend(app, { memo: new Map() }))
    await verifyPassword(other.app, null, 'a password')
    await recordPasswordSchemes(app, [scrypt])
    clock.advance(61)
    other.work()
    await verifyPassword(other.app, null, 'a password')
    expect(other.work()).toEqual({ 'argon2id,19,8192,1': 1, scrypt: 1 })
  })

  test.each(['a wrong password', 'pässWord1'])('are recorded at a sign-in with "%s"', async (password) => {
    const { app, browser } = await testApp()
    await withPassword(app, 'ann@example.com', pbkdf2(29_000))
    await browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password } })
    await expect.poll(() => schemes(app)).toEqual([{ scheme: 'pbkdf2,sha256,1', rounds: 29_000 }])
  })

  test('keep the highest cost of one import', async () => {
    const { app } = await testApp()
    await recordPasswordSchemes(app, [bcrypt(5), pbkdf2(1000), bcrypt(8), 'no hash', bcrypt(4)])
    expect(await schemes(app)).toEqual([
      { scheme: 'bcrypt', rounds: 256 },
      { scheme: 'pbkdf2,sha256,1', rounds: 1000 },
    ])
  })
})
