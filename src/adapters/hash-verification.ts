/** Verifies a password against a hash of each scheme of lib/password-formats. */
import { createCipheriv, createHash, createHmac, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
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

/** What some hashes need and do not contain, by the names that they contain. */
export interface HashSecrets {
  /** Added to a password before bcrypt. */
  readonly peppers?: Readonly<Record<string, string>> | undefined
  /** Signer keys of Firebase projects, in base64. */
  readonly firebase?: Readonly<Record<string, string>> | undefined
}

/**
 * @param argon2 verifies a PHC string
 * @param secrets a hash that needs another one takes the same work, and matches no password
 * @returns whether a password in one form matches a hash
 */
export async function verifyFormat(
  argon2: VerifyArgon2,
  secrets: HashSecrets,
  stored: string,
  format: PasswordFormat,
  password: Buffer,
): Promise<boolean> {
  switch (format.scheme) {
    case 'argon2':
      return argon2(stored, password)
    case 'bcrypt':
      return verifyBcrypt(format, password, secrets)
    case 'pbkdf2':
      return verifyPbkdf2(format, password)
    case 'scrypt':
      return verifyScrypt(format, password, secrets)
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

function verifyScrypt(format: ScryptFormat, password: Buffer, { firebase }: HashSecrets): Promise<boolean> {
  const { salt, key, ln, r, p, signerKey } = format
  // It needs 128 N r bytes, and a little more.
  const costs = { N: 2 ** ln, r, p, maxmem: 2 ** ln * r * 128 + 33_554_432 }
  return new Promise((resolve, reject) => {
    scrypt(password, salt, signerKey === null ? key.length : 32, costs, (error, derived) => {
      if (error) reject(error)
      else resolve(isSame(signerKey === null ? derived : encrypt(derived, firebase?.[signerKey] ?? ''), key))
    })
  })
}

/** Firebase: the derived key encrypts the signer key with AES-256-CTR, and its counter starts at 0. */
function encrypt(derived: Buffer, signerKey: string): Buffer {
  const cipher = createCipheriv('aes-256-ctr', derived, Buffer.alloc(16))
  return Buffer.concat([cipher.update(Buffer.from(signerKey, 'base64')), cipher.final()])
}

/** The lengths differ when the secret of a hash is missing. */
const isSame = (made: Buffer, key: Buffer): boolean => made.length === key.length && timingSafeEqual(made, key)

/** bcrypt ignores the rest of a password (Provos and Mazières 1999, §3). */
const bcryptBytes = 72

/** What bcrypt hashes in place of a password. */
const prehashes: Readonly<Record<Exclude<BcryptFormat['prehash'], 'pepper' | null>, (password: Buffer, salt: string) => string>> =
  {
    'sha256-hex': (password) => createHash('sha256').update(password).digest('hex'),
    // WordPress removes spaces around a password before it hashes it.
    wp: (password) => createHmac('sha384', 'wp-sha384').update(password.toString().trim()).digest('base64'),
    passlib: (password, salt) => createHmac('sha256', salt).update(password).digest('base64'),
  }

/** Truncates longer passwords explicitly instead of relying on a library. */
async function verifyBcrypt(format: BcryptFormat, password: Buffer, { peppers }: HashSecrets): Promise<boolean> {
  const { compare } = await import('bcrypt')
  const { hash, prehash } = format
  const pepper = prehash === 'pepper' ? peppers?.[format.pepper] : ''
  const hashed =
    prehash === null || prehash === 'pepper'
      ? Buffer.concat([password, Buffer.from(pepper ?? '')]).subarray(0, bcryptBytes)
      : prehashes[prehash](password, hash.slice(7, 29))
  // PHP's `$2y$` and OpenBSD's `$2b$` are two names for the same scheme, and the library knows only one of them.
  return (await compare(hashed, hash.replace(/^\$2y\$/, '$2b$'))) && pepper !== undefined
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
