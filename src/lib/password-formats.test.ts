import { expect, test } from 'vitest'
import { readPasswordFormat } from './password-formats.ts'

const bcrypt = 'abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui'

test('the costs of a hash are read', () => {
  expect(readPasswordFormat(`$2y$12$${bcrypt}`)).toEqual({
    scheme: 'bcrypt',
    cost: 12,
    hash: `$2y$12$${bcrypt}`,
    prehash: null,
    pepper: '',
  })
  const hash = 'c2FsdHNhbHRzYWx0c2FsdA$sn2/dixBW0Mh38T3dAT2ZZ+qKByIDKsW8o2wsQT2Lo4'
  const argon2 = { scheme: 'argon2', variant: 'argon2id', version: 19, memory: 256, iterations: 3, parallelism: 2 }
  expect(readPasswordFormat(`$argon2id$v=19$m=256,t=3,p=2$${hash}`)).toEqual(argon2)
  expect(readPasswordFormat(`$argon2id$m=256,p=2,t=3$${hash}`)).toEqual({ ...argon2, version: 16 })
})

test.each([
  '',
  'password',
  `$2x$12$${bcrypt}`,
  `$2b$03$${bcrypt}`,
  `$2b$15$${bcrypt}`,
  `$2b$12$${bcrypt}x`,
  '$pbkdf2-md5$1000$AAECAwQFBgcICQoLDA0ODw$tHfMv6rWGflsnwsu0gqNjOO5MZIen8bLQT63PmwMEoY',
  '$pbkdf2-sha256$0$AAECAwQFBgcICQoLDA0ODw$tHfMv6rWGflsnwsu0gqNjOO5MZIen8bLQT63PmwMEoY',
  '$pbkdf2-sha256$99999999$AAECAwQFBgcICQoLDA0ODw$tHfMv6rWGflsnwsu0gqNjOO5MZIen8bLQT63PmwMEoY',
  `$pbkdf2-sha256$1600000$AAECAwQFBgcICQoLDA0ODw$${'A'.repeat(86)}`,
  'pbkdf2_sha256$36000$$msLHXFgGOWjYV5/TXaCo4Jk8SidPoa5ijnmBmlQGdh0=',
  '00112233445566778899AABBCCDDEEFF:00',
  `${'0'.repeat(32)}:${'g'.repeat(128)}`,
  'a'.repeat(100_000),
])('%s is not a hash', (stored) => expect(readPasswordFormat(stored)).toBeNull())
