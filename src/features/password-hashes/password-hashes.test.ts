import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { App } from '../../core/app.ts'
import { extend } from '../../core/app.ts'
import { passwordCost } from '../../lib/password-costs.ts'
import { jobs, notePasswordScheme, verifyPassword } from './index.ts'

const bcrypt = (cost: number) => `$2b$${String(cost).padStart(2, '0')}$abcdefghijklmnopqrstuuGUnCqbfgs3htOkLrFduUjAyLBw1Rq/u`
const pbkdf2 = (rounds: number) => `$pbkdf2-sha256$${rounds}$AAECAwQFBgcICQoLDA0ODw$tHfMv6rWGflsnwsu0gqNjOO5MZIen8bLQT63PmwMEoY`
const scrypt =
  '00112233445566778899aabbccddeeff:752487a9705449a0ea89a9896b272c8b165de88ba8fb2f1aefce908b9187a65024435b92fc8deac3a5316dfebab68a262104481f8f67364c36d49caac6f6eff2'
const never = new AbortController().signal
const config = { passwordHash: { memory: 8192, iterations: 1, queue: 1000 } }

/** The same app, which counts the work it does. */
function counting(app: App): { app: App; work: () => Record<string, number> } {
  const done: Record<string, number> = {}
  const original = app.hasher.verify
  const verify: App['hasher']['verify'] = (stored, password) => {
    const cost = passwordCost(stored)
    if (cost) done[cost.scheme] = (done[cost.scheme] ?? 0) + cost.rounds
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

describe('signing in with a hash that came from elsewhere', () => {
  test.each([
    ['the reference', 'pässWord1', scrypt],
    ['bcrypt', 'pässWord1', '$2y$05$abcdefghijklmnopqrstuuhGdfWVExglIHzKmhyWXFsRqyFFwHeyW'],
    ['PBKDF2', 'pässWord1', pbkdf2(29_000)],
    ['argon2i', 'pässWord1', '$argon2i$v=19$m=256,p=1,t=3$c2FsdHNhbHRzYWx0c2FsdA$w4QcU/ch4uXdjbw3nY8Go1RgnlQP9Vzjd078NgaE8AY'],
    ['bcrypt, and longer than it sees', `${'a'.repeat(72)} and more`, bcrypt(5)],
  ])('%s: it is replaced by one of ours, for the whole password', async (_, password, stored) => {
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

  test('never undoes a change of the password that came in between', async () => {
    const { app, browser } = await testApp()
    await withPassword(app, 'ann@example.com', scrypt)
    const changed = await app.hasher.hash('another password')
    const original = app.hasher.hash
    const hash: App['hasher']['hash'] = async (password) => {
      await app.db.updateTable('account').set({ password: changed }).execute()
      return original(password)
    }
    Object.assign(app.hasher, { hash })
    expect(
      (await browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password: 'pässWord1' } })).status,
    ).toBe(200)
    expect(await storedOf(app)).toBe(changed)
  })

  test('succeeds also while too many hashes wait for it to be replaced', async () => {
    const { app, browser, log } = await testApp({ passwordHash: { memory: 8192, iterations: 1, concurrency: 1, queue: 0 } })
    await withPassword(app, 'ann@example.com', scrypt)
    const original = { ...app.hasher }
    Object.assign(app.hasher, { hash: () => Promise.all([original.hash('one'), original.hash('two')]).then(([one]) => one) })
    expect(
      (await browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password: 'pässWord1' } })).status,
    ).toBe(200)
    expect(await storedOf(app)).toBe(scrypt)
    expect(log.filter((line) => line.includes('not hashed anew'))).toHaveLength(1)
  })
})

describe('a refusal', () => {
  test('costs one hash of ours while nothing else is stored', async () => {
    const { app, work } = counting((await testApp(config)).app)
    expect(await verifyPassword(app, null, 'a password')).toBe(false)
    expect(work()).toEqual({ 'argon2id,19,8192,1': 1 })
    expect(await verifyPassword(app, await app.hasher.hash('another'), 'a password')).toBe(false)
    expect(work()).toEqual({ 'argon2id,19,8192,1': 1 })
  })

  test('costs the same whatever is stored: the dearest of every scheme in use', async () => {
    const { app, work } = counting((await testApp(config)).app)
    for (const stored of [bcrypt(4), bcrypt(7), bcrypt(5), pbkdf2(2000), pbkdf2(1000), scrypt])
      await notePasswordScheme(app, stored)
    const dearest = { 'argon2id,19,8192,1': 1, bcrypt: 128, 'pbkdf2,sha256,1': 2000, scrypt: 1 }
    const candidates = [null, 'no hash at all', await app.hasher.hash('x'), bcrypt(4), bcrypt(7), pbkdf2(1), pbkdf2(2000), scrypt]
    for (const stored of candidates) {
      expect(await verifyPassword(app, stored, 'a password')).toBe(false)
      expect(work(), String(stored)).toEqual(dearest)
    }
  })

  test('costs the same for a password in another Unicode form', async () => {
    const { app, work } = counting((await testApp(config)).app)
    await notePasswordScheme(app, scrypt)
    for (const stored of [null, scrypt, await app.hasher.hash('x')]) {
      await verifyPassword(app, stored, 'ﬁnance')
      expect(work()).toEqual({ 'argon2id,19,8192,1': 1, scrypt: 1 })
    }
  })

  test('costs what a stored hash costs of which nobody was told, from the second on', async () => {
    const { app, work } = counting((await testApp(config)).app)
    await verifyPassword(app, bcrypt(6), 'a password')
    expect(work()).toEqual({ 'argon2id,19,8192,1': 1, bcrypt: 64 })
    await expect
      .poll(() => app.db.selectFrom('passwordScheme').select(['scheme', 'rounds']).execute())
      .toEqual([{ scheme: 'bcrypt', rounds: 64 }])
    await verifyPassword(app, null, 'a password')
    expect(work()).toEqual({ 'argon2id,19,8192,1': 1, bcrypt: 64 })
  })

  test('costs the same at sign-in, with and without an account', async () => {
    const { app, browser } = await testApp()
    await withPassword(app, 'ann@example.com', pbkdf2(29_000))
    await notePasswordScheme(app, pbkdf2(29_000))
    const { app: watched, work } = counting(app)
    Object.assign(app.hasher, watched.hasher)
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

  test('are noted once, with the highest cost, also by 64 at once', async () => {
    const { app } = await testApp()
    await Promise.all(Array.from({ length: 64 }, (_, position) => notePasswordScheme(app, pbkdf2(1000 + position))))
    await notePasswordScheme(app, pbkdf2(10))
    await notePasswordScheme(app, 'no hash')
    expect(await schemes(app)).toEqual([{ scheme: 'pbkdf2,sha256,1', rounds: 1063 }])
  })

  test('are known to other processes after a minute', async () => {
    const { app, clock } = await testApp(config)
    const other = counting(extend(app, { hasher: { ...app.hasher } }))
    await verifyPassword(other.app, null, 'a password')
    await notePasswordScheme(app, scrypt)
    clock.advance(61)
    other.work()
    await verifyPassword(other.app, null, 'a password')
    expect(other.work()).toEqual({ 'argon2id,19,8192,1': 1, scrypt: 1 })
  })

  test('are found by the census, and forgotten when the last has gone', async () => {
    const { app, clock } = await testApp()
    for (let number = 0; number < 3; number += 1) await withPassword(app, `${number}@example.com`, pbkdf2(1000 + number))
    await withPassword(app, 'ann@example.com', bcrypt(8))
    await notePasswordScheme(app, scrypt)
    clock.advance(1)
    await jobs.passwordSchemes.run(app, never)
    expect(await schemes(app)).toEqual([
      { scheme: 'bcrypt', rounds: 256 },
      { scheme: 'pbkdf2,sha256,1', rounds: 1002 },
    ])
    await app.db
      .updateTable('account')
      .set({ password: pbkdf2(1) })
      .execute()
    clock.advance(1)
    await jobs.passwordSchemes.run(app, never)
    expect(await schemes(app)).toEqual([{ scheme: 'pbkdf2,sha256,1', rounds: 1 }])
  })

  test('are found by the census in more accounts than one statement returns', async () => {
    const { app, clock } = await testApp()
    const now = app.now()
    const ids = Array.from({ length: 2500 }, (_, position) => String(position).padStart(6, '0'))
    for (let start = 0; start < ids.length; start += 500) {
      const some = ids.slice(start, start + 500)
      await app.db
        .insertInto('user')
        .values(some.map((id) => ({ id, name: '', email: `${id}@example.com`, createdAt: now, updatedAt: now })))
        .execute()
      const accounts = some.map((id) => ({
        id,
        accountId: id,
        providerId: 'credential',
        userId: id,
        password: pbkdf2(Number(id) + 1),
        createdAt: now,
        updatedAt: now,
      }))
      await app.db.insertInto('account').values(accounts).execute()
    }
    clock.advance(1)
    await jobs.passwordSchemes.run(app, never)
    expect(await schemes(app)).toEqual([{ scheme: 'pbkdf2,sha256,1', rounds: 2500 }])
  })

  test('are not forgotten by a census that was ended', async () => {
    const { app, clock } = await testApp()
    await notePasswordScheme(app, scrypt)
    clock.advance(1)
    await jobs.passwordSchemes.run(app, AbortSignal.abort())
    expect(await schemes(app)).toEqual([{ scheme: 'scrypt', rounds: 1 }])
  })
})
