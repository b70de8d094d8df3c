import { expect, test } from 'vitest'
import { createDecoys, passwordCosts } from './costs.ts'

const bytes = (length: number) => Uint8Array.from({ length }, (_, position) => position * 7)
const bcrypt = 'abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui'

const costs = [
  { scheme: 'argon2id,19,19456,1', rounds: 2 },
  { scheme: 'argon2i,16,256,4', rounds: 3 },
  { scheme: 'pbkdf2,sha256,1', rounds: 600_000 },
  { scheme: 'pbkdf2,sha512,2', rounds: 1000 },
  { scheme: 'bcrypt', rounds: 4096 },
  { scheme: 'bcrypt', rounds: 4096 - 1024 },
  { scheme: 'scrypt', rounds: 1 },
  { scheme: 'sha-crypt,sha256', rounds: 5000 },
  { scheme: 'sha-crypt,sha512', rounds: 656_000 },
  { scheme: 'wrapped,phpass-md5', rounds: 8192 },
  { scheme: 'wrapped,pbkdf2-sha1', rounds: 1000 },
]

test.each(costs)('decoys of %j have that cost together', ({ scheme, rounds }) => {
  const made = createDecoys({ scheme, rounds }, bytes).flatMap(passwordCosts)
  expect(made.map((cost) => cost.scheme)).toEqual(made.map(() => scheme))
  expect(made.reduce((sum, cost) => sum + cost.rounds, 0)).toBe(rounds)
})

test('decoys fill the gap between any two costs of bcrypt', () => {
  for (let low = 4; low <= 14; low += 1) {
    for (let high = low; high <= 14; high += 1) {
      const made = createDecoys({ scheme: 'bcrypt', rounds: 2 ** high - 2 ** low }, bytes).flatMap(passwordCosts)
      expect(made.reduce((sum, cost) => sum + cost.rounds, 0)).toBe(2 ** high - 2 ** low)
    }
  }
})

test('a hash of Firebase costs as much as its scrypt', () => {
  const [salt, key] = ['mmscHK3it8xnRdVk', 'A'.repeat(86)]
  expect(passwordCosts(`$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,k=main$${salt}$${key}==`)).toEqual([
    { scheme: 'scrypt,14,8,1', rounds: 1 },
  ])
})

test('no rounds and unknown schemes need no decoys', () => {
  expect(createDecoys({ scheme: 'bcrypt', rounds: 0 }, bytes)).toEqual([])
  expect(createDecoys({ scheme: 'unknown', rounds: 1 }, bytes)).toEqual([])
  expect(passwordCosts('unknown')).toEqual([])
  expect(passwordCosts(`$2b$10$${bcrypt}`)).toEqual([{ scheme: 'bcrypt', rounds: 1024 }])
  expect(passwordCosts(`$latchkey-bcrypt$pre=pepper:old$2b$10$${bcrypt}`)).toEqual([{ scheme: 'bcrypt', rounds: 1024 }])
})
