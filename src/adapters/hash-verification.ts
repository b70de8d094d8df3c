/** Verifies a password against a hash of each scheme of lib/password-formats. */
import { createHash, createHmac, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { shaCrypt } from '../lib/crypt.ts'
import type {
  BcryptFormat,
  PasswordFormat,
  Pbkdf2Format,
  ScryptFormat,
  ShaCryptFormat,
  WrappedFormat,
} from '../lib/password-formats.ts'
import { computeWeakHashes } from '../lib/weak-hashes.ts'

type VerifyArgon2 = (stored: string, password: Buffer) => Promise<boolean>

/**
 * @param argon2 verifies a PHC string
 * @returns whether a password in one form matches a hash
 */
export async function verifyFormat(
  argon2: VerifyArgon2,
  stored: string,
  format: PasswordFormat,
  password: Buffer,
): Promise<boolean> {
  switch (format.scheme) {
    case 'argon2':
      return argon2(stored, password)
    case 'bcrypt':
      return verifyBcrypt(format, password)
    case 'pbkdf2':
      return verifyPbkdf2(format, password)
    case 'scrypt':
      return verifyScrypt(format, password)
    case 'sha-crypt':
      return verifyShaCrypt(format, password)
    case 'wrapped':
      return verifyWrapped(argon2, format, password)
  }
}

const derivePbkdf2 = promisify(pbkdf2)

async function verifyPbkdf2({ digest, iterations, salt, key }: Pbkdf2Format, password: Buffer): Promise<boolean> {
  return timingSafeEqual(await derivePbkdf2(password, salt, iterations, key.length, digest), key)
}

function verifyScrypt({ salt, key, ln, r, p }: ScryptFormat, password: Buffer): Promise<boolean> {
  // It needs 128 N r bytes, and a little more.
  const costs = { N: 2 ** ln, r, p, maxmem: 2 ** ln * r * 128 + 33_554_432 }
  return new Promise((resolve, reject) => {
    scrypt(password, salt, key.length, costs, (error, derived) => {
      if (error) reject(error)
      else resolve(timingSafeEqual(derived, key))
    })
  })
}

/** bcrypt ignores the rest of a password (Provos and Mazières 1999, §3). */
const bcryptBytes = 72

/** What bcrypt hashes in place of a password. */
const prehashes: Readonly<Record<NonNullable<BcryptFormat['prehash']>, (password: Buffer, salt: string) => string>> = {
  'sha256-hex': (password) => createHash('sha256').update(password).digest('hex'),
  // WordPress removes spaces around a password before it hashes it.
  wp: (password) => createHmac('sha384', 'wp-sha384').update(password.toString().trim()).digest('base64'),
  passlib: (password, salt) => createHmac('sha256', salt).update(password).digest('base64'),
}

/** Truncates longer passwords explicitly instead of relying on a library. */
async function verifyBcrypt({ hash, prehash }: BcryptFormat, password: Buffer): Promise<boolean> {
  const { compare } = await import('bcrypt')
  const hashed = prehash === null ? password.subarray(0, bcryptBytes) : prehashes[prehash](password, hash.slice(7, 29))
  // PHP's `$2y$` and OpenBSD's `$2b$` are two names for the same scheme, and the library knows only one of them.
  return compare(hashed, hash.replace(/^\$2y\$/, '$2b$'))
}

/**
 * The work of crypt(3) and phpass grows with the password in every round. PAM reads 512 bytes at most, so a longer one has no such
 * hash.
 */
const cryptBytes = 512

async function verifyShaCrypt({ key, ...parameters }: ShaCryptFormat, password: Buffer): Promise<boolean> {
  if (password.length > cryptBytes) return false
  return timingSafeEqual(Buffer.from(await shaCrypt(parameters, password)), Buffer.from(key))
}

async function verifyWrapped(argon2: VerifyArgon2, { recipe, outer }: WrappedFormat, password: Buffer): Promise<boolean> {
  if (password.length > cryptBytes) return false
  for (const value of await computeWeakHashes(recipe, password))
    if (outer && (await argon2(outer.stored, Buffer.from(value)))) return true
  return false
}
