/** Verifies hashes of schemes that are no longer made: all on libuv's threads. */
import { pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Pbkdf2Format, ScryptFormat } from '../lib/password-formats.ts'

const derivePbkdf2 = promisify(pbkdf2)

export async function verifyPbkdf2({ digest, iterations, salt, key }: Pbkdf2Format, password: Buffer): Promise<boolean> {
  return timingSafeEqual(await derivePbkdf2(password, salt, iterations, key.length, digest), key)
}

/** Contract 00 §10. 128 N r = 32 MiB are needed, and Node's own limit is as much. */
const referenceScrypt = { N: 16_384, r: 16, p: 1, maxmem: 67_108_864 }

export function verifyScrypt({ salt, key }: ScryptFormat, password: Buffer): Promise<boolean> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, key.length, referenceScrypt, (error, derived) => {
      if (error) reject(error)
      else resolve(timingSafeEqual(derived, key))
    })
  })
}

/** bcrypt sees no more of a password (Provos and Mazières 1999, §3). */
const bcryptBytes = 72

/** Cut here, so that what decides about a longer password is written down and not left to a library. */
export async function verifyBcrypt(stored: string, password: Buffer): Promise<boolean> {
  const { compare } = await import('bcrypt')
  // PHP's `$2y$` and OpenBSD's `$2b$` are two names of the same thing, and the library knows one of them.
  return compare(password.subarray(0, bcryptBytes), stored.replace(/^\$2y\$/, '$2b$'))
}
