/**
 * Parses stored password hashes of every scheme that can be verified. New hashes are argon2id as PHC strings; the others were
 * imported. A hash whose cost is out of bounds is rejected, because verifying it could block the threads for minutes.
 */
import type { ShaCrypt } from './crypt.ts'
import { isComputable, type Recipe } from './weak-hashes.ts'

interface Argon2Format {
  readonly scheme: 'argon2'
  readonly variant: 'argon2d' | 'argon2i' | 'argon2id'
  readonly version: 16 | 19
  /** In KiB. */
  readonly memory: number
  readonly iterations: number
  readonly parallelism: number
}
export interface BcryptFormat {
  readonly scheme: 'bcrypt'
  /** The exponent of two. */
  readonly cost: number
  /** The hash in the form of the library. */
  readonly hash: string
  /** What is hashed in place of the password: Django's and passlib's `bcrypt_sha256`, WordPress 6.8, Devise with a pepper. */
  readonly prehash: 'sha256-hex' | 'wp' | 'passlib' | 'pepper' | null
  /** Name of the pepper in `passwordHash.peppers`; empty without one. */
  readonly pepper: string
}
export interface ScryptFormat {
  readonly scheme: 'scrypt'
  /** Of Firebase: the name of the signer key in `passwordHash.firebase`, which the derived key encrypts; null in all other hashes. */
  readonly signerKey: string | null
  /** The exponent of two of N (RFC 7914 §2). */
  readonly ln: number
  readonly r: number
  readonly p: number
  readonly salt: Buffer
  readonly key: Buffer
}
export interface Pbkdf2Format {
  readonly scheme: 'pbkdf2'
  readonly digest: 'sha1' | 'sha256' | 'sha512'
  readonly iterations: number
  readonly salt: Buffer
  readonly key: Buffer
}
export interface ShaCryptFormat extends ShaCrypt {
  readonly scheme: 'sha-crypt'
  /** As text of crypt(3). */
  readonly key: string
}
/** A weak hash that argon2id has hashed again. */
export interface WrappedFormat {
  readonly scheme: 'wrapped'
  readonly recipe: Recipe
  /** Null for one that matches no password. */
  readonly outer: (Argon2Format & { readonly stored: string }) | null
}
export type PasswordFormat = Argon2Format | BcryptFormat | ScryptFormat | Pbkdf2Format | ShaCryptFormat | WrappedFormat

/** About a second each on current machines; `scrypt`: N r p, which is also 256 MiB at most. */
const maxCost = { bcrypt: 14, pbkdf2: 3_000_000, scrypt: 2 ** 21, shaCrypt: 700_000 } as const

/** @returns null for an unknown format */
export function readPasswordFormat(stored: string): PasswordFormat | null {
  if (stored.length > 1024) return null
  for (const [start, read] of readers) {
    const format = stored.startsWith(start) ? read(stored) : null
    if (format) return format
  }
  return null
}

/** By the start of the text: an import reads many hashes. */
const readers: readonly (readonly [start: string, (stored: string) => PasswordFormat | null])[] = [
  ['$argon2', (stored) => readArgon2(stored)],
  ['$2', (stored) => readBcrypt(stored)],
  ['$latchkey-bcrypt$', (stored) => readBcrypt(stored)],
  ['$pbkdf2-', (stored) => readPbkdf2(stored)],
  ['pbkdf2_', (stored) => readDjango(stored)],
  ['$5$', (stored) => readShaCrypt(stored)],
  ['$6$', (stored) => readShaCrypt(stored)],
  ['$fbscrypt$', (stored) => readFirebase(stored)],
  ['$latchkey-wrap$', (stored) => readWrapped(stored)],
  ['', (stored) => readScrypt(stored)],
]

const argon2 =
  /^\$(argon2(?:d|i|id))(?:\$v=(16|19))?\$([mtp]=\d{1,7}(?:,[mtp]=\d{1,7}){2})\$([A-Za-z0-9+/]{11,128})\$([A-Za-z0-9+/]{16,128})$/

/** Accepts the parameters in any order, because some libraries differ from the standard. */
function readArgon2(stored: string): Argon2Format | null {
  const [, variant, version = '16', parameters = '', salt = '', hash = ''] = argon2.exec(stored) ?? []
  if (variant !== 'argon2d' && variant !== 'argon2i' && variant !== 'argon2id') return null
  const values = new Map(parameters.split(',').map((parameter) => [parameter.charAt(0), Number(parameter.slice(2))]))
  const [memory = 0, iterations = 0, parallelism = 0] = [values.get('m'), values.get('t'), values.get('p')]
  const isPossible = iterations >= 1 && iterations <= 1000 && parallelism >= 1 && parallelism <= 64
  const isAffordable = memory >= 8 * parallelism && memory <= 4_194_304
  if (!isPossible || !isAffordable || !isCanonical(salt) || !isCanonical(hash)) return null
  return { scheme: 'argon2', variant, version: version === '19' ? 19 : 16, memory, iterations, parallelism }
}

/** Base64 can encode the same bytes in several ways; libraries disagree on which of them are errors. */
const isCanonical = (text: string): boolean => Buffer.from(text, 'base64').toString('base64').replaceAll('=', '') === text

/** The cost of better-auth (contract 00 §10). */
export const referenceScrypt = { ln: 14, r: 16, p: 1 } as const

/** The form of better-auth, whose salt is the text itself, not the bytes that it encodes; and the PHC string. */
function readScrypt(stored: string): ScryptFormat | null {
  const [, text, hex] = /^([0-9a-f]{32}):([0-9a-f]{128})$/.exec(stored) ?? []
  if (text && hex)
    return { scheme: 'scrypt', ...referenceScrypt, signerKey: null, salt: Buffer.from(text), key: Buffer.from(hex, 'hex') }
  const [, ln, r, p, salt = '', key = ''] =
    /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{0,512})\$([A-Za-z0-9+/]{22,172})$/.exec(stored) ?? []
  const costs = { ln: Number(ln), r: Number(r), p: Number(p) }
  if (!isPossibleScrypt(costs) || !isCanonical(salt) || !isCanonical(key)) return null
  return { scheme: 'scrypt', ...costs, signerKey: null, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') }
}

const isPossibleScrypt = ({ ln, r, p }: Pick<ScryptFormat, 'ln' | 'r' | 'p'>): boolean =>
  ln >= 1 && r >= 1 && p >= 1 && 2 ** ln * r * p <= maxCost.scrypt

const firebase =
  /^\$fbscrypt\$v=1,n=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3}),ss=([\w+/-]{0,64}={0,2}),k=([\w-]{1,32})\$([\w+/-]{8,128}={0,2})\$([\w+/-]{32,172}={0,2})$/

/** Firebase: the salt is followed by the separator of the project. Base64 may have the alphabet of URLs. */
function readFirebase(stored: string): ScryptFormat | null {
  const [, n, r, p, separator = '', signerKey = '', salt = '', key = ''] = firebase.exec(stored) ?? []
  const costs = { ln: Number(n), r: Number(r), p: Number(p) }
  if (signerKey === '' || !isPossibleScrypt(costs)) return null
  const bytes = [salt, separator].map((text) => Buffer.from(text, 'base64'))
  return { scheme: 'scrypt', ...costs, signerKey, salt: Buffer.concat(bytes), key: Buffer.from(key, 'base64') }
}

const bcrypt = /^(\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53})$/
const prehashedBcrypt =
  /^\$latchkey-bcrypt\$pre=(sha256-hex|wp|passlib|pepper:([\w-]{1,32}))(\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53})$/

/**
 * `$2x$` is not accepted: it marks hashes of a faulty implementation, which no correct one can verify. Hashes of something else than
 * the password say what it is.
 */
function readBcrypt(stored: string): BcryptFormat | null {
  const plain = bcrypt.exec(stored)
  const [, prehash = null, pepper = '', hash = plain?.[1] ?? '', digits = plain?.[2]] = plain
    ? []
    : (prehashedBcrypt.exec(stored) ?? [])
  const cost = Number(digits)
  if (!(cost >= 4 && cost <= maxCost.bcrypt)) return null
  return { scheme: 'bcrypt', cost, hash, prehash: pepper ? 'pepper' : (prehash as BcryptFormat['prehash']), pepper }
}

const pbkdf2 =
  /^\$pbkdf2-(sha1|sha256|sha512)\$(?:i=)?(\d{1,8})(?:,l=\d{1,4})?\$([A-Za-z0-9+/.]{0,512})\$([A-Za-z0-9+/.]{22,172})$/

/** The form of passlib, with `.` for `+`, and the PHC string with `i=…,l=…`. */
function readPbkdf2(stored: string): Pbkdf2Format | null {
  const [, digest, iterations, salt = '', key = ''] = pbkdf2.exec(stored) ?? []
  const bytes = (text: string) => Buffer.from(text.replaceAll('.', '+'), 'base64')
  return pbkdf2Format(digest, Number(iterations), bytes(salt), bytes(key))
}

/** The format of Django: the salt is plain text. */
function readDjango(stored: string): Pbkdf2Format | null {
  const [, digest, iterations, salt = '', key = ''] =
    /^pbkdf2_(sha1|sha256|sha512)\$(\d{1,8})\$([^$]{1,512})\$([A-Za-z0-9+/]{22,172}={0,2})$/.exec(stored) ?? []
  return pbkdf2Format(digest, Number(iterations), Buffer.from(salt), Buffer.from(key, 'base64'))
}

function pbkdf2Format(digest: string | undefined, iterations: number, salt: Buffer, key: Buffer): Pbkdf2Format | null {
  if (digest !== 'sha1' && digest !== 'sha256' && digest !== 'sha512') return null
  const format = { scheme: 'pbkdf2', digest, iterations, salt, key } as const
  return iterations >= 1 && iterations * blocksOf(format) <= maxCost.pbkdf2 && key.length <= 128 ? format : null
}

const shaCrypt = /^\$([56])\$(?:rounds=([1-9]\d{3,5})\$)?([^$:]{0,16})\$([./0-9A-Za-z]{43}|[./0-9A-Za-z]{86})$/

/** A number of rounds below 1,000 is never written, because crypt(3) raises it. */
function readShaCrypt(stored: string): ShaCryptFormat | null {
  const [, name, given = '5000', salt = '', key = ''] = shaCrypt.exec(stored) ?? []
  const [digest, rounds] = [name === '5' ? 'sha256' : 'sha512', Number(given)] as const
  const isPossible = Buffer.byteLength(salt) <= 16 && key.length === (digest === 'sha256' ? 43 : 86)
  return name && isPossible && rounds <= maxCost.shaCrypt
    ? { scheme: 'sha-crypt', digest, rounds, salt: Buffer.from(salt), key }
    : null
}

const wrapped = /^\$latchkey-wrap\$([a-z0-9-]{1,32}),(\d{1,7})\$([A-Za-z0-9+/]{0,400})(\$argon2id\$.+|\$none)$/

/** @param outer an argon2id hash as a PHC string; default: one that no password matches */
export const writeWrapped = ({ algorithm, rounds, salt }: Recipe, outer = '$none'): string =>
  `$latchkey-wrap$${algorithm},${rounds}$${salt.toString('base64').replaceAll('=', '')}${outer}`

function readWrapped(stored: string): WrappedFormat | null {
  const [, algorithm = '', rounds, salt = '', outer = ''] = wrapped.exec(stored) ?? []
  const recipe = { algorithm, rounds: Number(rounds), salt: Buffer.from(salt, 'base64') }
  const format = readArgon2(outer)
  if (!isComputable(recipe) || (!format && outer !== '$none')) return null
  return { scheme: 'wrapped', recipe, outer: format && { ...format, stored: outer } }
}

/** Each block of the key costs all iterations again (RFC 8018 §5.2). */
export const blocksOf = ({ digest, key }: Pick<Pbkdf2Format, 'digest' | 'key'>): number =>
  Math.ceil(key.length / digestBytes[digest])

export const digestBytes = { sha1: 20, sha256: 32, sha512: 64 } as const

/** Routes have lower limits; this one catches a missing check. */
const maxPasswordBytes = 4096

/**
 * Returns the forms in which a password is verified: NFKC first, so that a password typed on another keyboard matches (SP 800-63B-4
 * §3.1.1.2, contract 00 §10); then as typed, because imported hashes may come from software that did not normalize.
 */
export function toForms(password: string): [normalized: string, ...typed: string[]] {
  if (Buffer.byteLength(password) > maxPasswordBytes)
    throw new Error(`A password of more than ${maxPasswordBytes} bytes reached the hasher`)
  const normalized = password.normalize('NFKC')
  return normalized === password ? [normalized] : [normalized, password]
}
