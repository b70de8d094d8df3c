/** Hashes that other implementations have made: CPython's hashlib, libxcrypt, the reference's library of argon2, published vectors. */
import { describe, expect, test } from 'vitest'
import type { Metrics } from '../core/ports.ts'
import { createHasher, type HasherImplementation, type HasherOptions } from './hasher.ts'

const observed: string[] = []
const metrics: Metrics = { count: () => {}, observe: (_name, _seconds, labels) => observed.push(String(labels?.operation)) }
const costs: HasherOptions = { memory: 256, iterations: 2, parallelism: 1, queue: 64 }
const hasher = await createHasher(costs, metrics)

const password = 'pässWord1'
const argon2 = 'm=256,p=1,t=3$c2FsdHNhbHRzYWx0c2FsdA'
const foreign: readonly (readonly [name: string, stored: string])[] = [
  [
    'scrypt of the reference',
    '00112233445566778899aabbccddeeff:752487a9705449a0ea89a9896b272c8b165de88ba8fb2f1aefce908b9187a65024435b92fc8deac3a5316dfebab68a262104481f8f67364c36d49caac6f6eff2',
  ],
  ['bcrypt 2a', '$2a$05$abcdefghijklmnopqrstuuhGdfWVExglIHzKmhyWXFsRqyFFwHeyW'],
  ['bcrypt 2b', '$2b$05$abcdefghijklmnopqrstuuhGdfWVExglIHzKmhyWXFsRqyFFwHeyW'],
  ['bcrypt 2y', '$2y$05$abcdefghijklmnopqrstuuhGdfWVExglIHzKmhyWXFsRqyFFwHeyW'],
  ['PBKDF2-SHA-256 of passlib', '$pbkdf2-sha256$29000$AAECAwQFBgcICQoLDA0ODw$tHfMv6rWGflsnwsu0gqNjOO5MZIen8bLQT63PmwMEoY'],
  ['PBKDF2-SHA-256, PHC', '$pbkdf2-sha256$i=29000,l=32$AAECAwQFBgcICQoLDA0ODw$tHfMv6rWGflsnwsu0gqNjOO5MZIen8bLQT63PmwMEoY'],
  [
    'PBKDF2-SHA-512 of passlib',
    '$pbkdf2-sha512$25000$AAECAwQFBgcICQoLDA0ODw$HD0EuLQlOpbuQA0YQbXrFmtQ7guDg7Mo0wR.4IQu4jL3FCxg5RxrHqHGrXc.XCz.V5ZCRR/uWESpzQZ4g4I9JA',
  ],
  [
    'PBKDF2-SHA-512, PHC',
    '$pbkdf2-sha512$i=25000,l=64$AAECAwQFBgcICQoLDA0ODw$HD0EuLQlOpbuQA0YQbXrFmtQ7guDg7Mo0wR+4IQu4jL3FCxg5RxrHqHGrXc+XCz+V5ZCRR/uWESpzQZ4g4I9JA',
  ],
  ['PBKDF2 of Django', 'pbkdf2_sha256$36000$seasalt7$msLHXFgGOWjYV5/TXaCo4Jk8SidPoa5ijnmBmlQGdh0='],
  ['argon2d, version 16', `$argon2d$v=16$${argon2}$ALXS6NQaPoryl3c5kaiTfcibr0EzPZTK4Lf1mXUPOQE`],
  ['argon2d', `$argon2d$v=19$${argon2}$sn2/dixBW0Mh38T3dAT2ZZ+qKByIDKsW8o2wsQT2Lo4`],
  ['argon2i, version 16', `$argon2i$v=16$${argon2}$UqpPHSv9D7Wol4fRbTo/QHSemV58wKm7qDgxNIq0HM8`],
  ['argon2i, version 16 not written', `$argon2i$${argon2}$UqpPHSv9D7Wol4fRbTo/QHSemV58wKm7qDgxNIq0HM8`],
  ['argon2i', `$argon2i$v=19$${argon2}$w4QcU/ch4uXdjbw3nY8Go1RgnlQP9Vzjd078NgaE8AY`],
]

describe.each(foreign)('%s', (_, stored) => {
  test.each<HasherImplementation>(['@node-rs/argon2', 'argon2'])('is verified with %s', async (implementation) => {
    const other = await createHasher(costs, metrics, implementation)
    expect(await other.verify(stored, password)).toBe(true)
    for (const wrong of ['', 'pässWord', 'pässWord1 ', 'passWord1']) expect(await other.verify(stored, wrong)).toBe(false)
  })
  test('is verified in every Unicode form', async () => {
    expect(await hasher.verify(stored, password.normalize('NFD'))).toBe(true)
  })
  test('needs a rehash', () => expect(hasher.needsRehash(stored)).toBe(true))
  test('goes through the bounded queue', async () => {
    observed.length = 0
    await hasher.verify(stored, password)
    expect(observed).toEqual(['verify'])
  })
})

describe('bcrypt', () => {
  test.each([
    ['U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['U*U*U', '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'],
    [
      '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789chars after 72 are ignored',
      '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui',
    ],
  ])('%s', async (known, stored) => expect(await hasher.verify(stored, known)).toBe(true))

  test('verifies only the first 72 bytes of a password', async () => {
    const stored = '$2b$05$abcdefghijklmnopqrstuuGUnCqbfgs3htOkLrFduUjAyLBw1Rq/u'
    expect(await hasher.verify(stored, 'a'.repeat(72))).toBe(true)
    expect(await hasher.verify(stored, `${'a'.repeat(72)}anything`)).toBe(true)
    expect(await hasher.verify(stored, 'a'.repeat(71))).toBe(false)
  })
})

test('verifies a hash of a password that was never normalized', async () => {
  const stored = '$pbkdf2-sha256$1000$AAECAwQFBgcICQoLDA0ODw$dl0sEbU.ZtP427guVW6amb1iw4Yls2d75P1exPDWe8I'
  expect(await hasher.verify(stored, 'ﬁnance 1²')).toBe(true)
  expect(await hasher.verify(stored, 'finance 12')).toBe(false)
})

test.each([
  ['argon2', '$argon2id$v=19$m=1048576,t=3,p=1$c2FsdHNhbHRzYWx0c2FsdA$sn2/dixBW0Mh38T3dAT2ZZ+qKByIDKsW8o2wsQT2Lo4'],
  ['bcrypt', '$2b$15$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui'],
  ['PBKDF2', '$pbkdf2-sha256$3000001$AAECAwQFBgcICQoLDA0ODw$tHfMv6rWGflsnwsu0gqNjOO5MZIen8bLQT63PmwMEoY'],
])('rejects %s with an excessive cost', async (_, stored) => {
  observed.length = 0
  expect(await hasher.verify(stored, password)).toBe(false)
  expect(observed).toEqual([])
})

test('accepts any configured cost', async () => {
  const dear = await createHasher({ ...costs, memory: 2_097_152, iterations: 2 }, metrics)
  expect(
    dear.needsRehash('$argon2id$v=19$m=2097152,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$sn2/dixBW0Mh38T3dAT2ZZ+qKByIDKsW8o2wsQT2Lo4'),
  ).toBe(false)
})
