/**
 * Password hashes of other systems that are too quick to guess. They are never stored as they are: an import hashes the weak hash
 * again with argon2id, and a sign-in computes the weak hash from the password first.
 */
import { createHash, createHmac, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { digitOf, md5Crypt, phpass } from './crypt.ts'

/** How a weak hash is computed from a password. */
export interface Recipe {
  /** One of `steps`, and what it computes with: `before-md5` is MD5 of the salt and the password. */
  readonly algorithm: string
  readonly rounds: number
  readonly salt: Buffer
}
export interface WeakHash {
  /** For messages. */
  readonly form: string
  /** Null for a password in plain text. */
  readonly recipe: Recipe | null
  /** The hash as text; it does not contain the salt. */
  readonly value: string
}

type Step = (detail: string, recipe: Recipe, password: Buffer) => string | Promise<string>

const derive = promisify(pbkdf2)
const digest = (algorithm: string, ...parts: readonly Buffer[]): Buffer =>
  createHash(algorithm).update(Buffer.concat(parts)).digest()

const steps: Readonly<Record<string, Step>> = {
  after: (algorithm, { salt }, password) => digest(algorithm, password, salt).toString('hex'),
  before: (algorithm, { salt }, password) => digest(algorithm, salt, password).toString('hex'),
  hmac: (algorithm, { salt }, password) => createHmac(algorithm, salt).update(password).digest('hex'),
  repeated: (algorithm, { salt, rounds }, password) => {
    let last = digest(algorithm, salt, password)
    for (let round = 1; round < rounds; round += 1) last = digest(algorithm, last)
    return last.toString('hex')
  },
  pbkdf2: async (algorithm, { salt, rounds }, password) => (await derive(password, salt, rounds, 32, algorithm)).toString('hex'),
  phpass: async (algorithm, { salt, rounds }, password) =>
    // Drupal stores 43 characters, which is longer than the text of MD5.
    (await phpass(algorithm === 'md5' ? 'md5' : 'sha512', rounds, salt, password)).slice(0, 43),
  crypt: (magic, { salt }, password) => md5Crypt(`$${magic}$`, salt, password),
}

const known =
  /^(?:(?:after|before|hmac)-(?:md5|sha1|sha224|sha256|sha384|sha512)|repeated-sha256|pbkdf2-sha1|phpass-(?:md5|sha512)|crypt-(?:1|apr1))$/

/** The most rounds of phpass in use; about half a second. */
const maxRounds = 2 ** 19

export const isComputable = ({ algorithm, rounds }: Recipe): boolean =>
  known.test(algorithm) && rounds >= 1 && rounds <= maxRounds

/** WordPress and phpBB remove spaces around a password before they hash it; other programs with the same hash do not. */
const passwordsOf = ({ algorithm }: Recipe, password: Buffer): Buffer[] => {
  const trimmed = password.toString().trim()
  const isTrimmed = algorithm.startsWith('phpass') && Buffer.byteLength(trimmed) !== password.length
  return isTrimmed ? [Buffer.from(trimmed), password] : [password]
}

/** @returns the values of a weak hash that match a password */
export function computeWeakHashes(recipe: Recipe, password: Buffer): Promise<string[]> {
  const [name = '', detail = ''] = recipe.algorithm.split('-')
  return Promise.all(passwordsOf(recipe, password).map(async (form) => (await steps[name]?.(detail, recipe, form)) ?? ''))
}

/** @returns null when it is not a known weak hash, or computing it would cost too much */
export function readWeakHash(text: string): WeakHash | null {
  if (text.length > 1024) return null
  for (const [pattern, read] of readers) {
    const match = pattern.exec(text)
    const weak = match && read(...match.slice(1).map((part) => part ?? ''))
    if (weak) return weak.recipe === null || isComputable(weak.recipe) ? weak : null
  }
  return null
}

const weak = (form: string, value: string, algorithm: string, salt: Buffer | string = '', rounds = 1): WeakHash => ({
  form,
  value,
  recipe: { algorithm, rounds, salt: Buffer.from(salt) },
})

const digestBytes: Readonly<Record<string, number>> = { md5: 16, sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 }
const isDigest = (algorithm: string, hexadecimal: string): boolean => hexadecimal.length === 2 * (digestBytes[algorithm] ?? 0)

type Read = (...groups: string[]) => WeakHash | null

const readers: readonly (readonly [RegExp, Read])[] = [
  [/^\{(?:noop|plain|clear|cleartext)\}(.+)$/is, (value) => ({ form: 'a password in plain text', value, recipe: null })],
  [/^(?:\{ldap\})?\{(S?)(MD5|SHA|SHA256|SHA384|SHA512)\}([A-Za-z0-9+/]{22,340}={0,2})$/i, ldap],
  [/^\{(MD5|SHA-1|SHA-256|SHA-512)\}(\{[^{}]{0,64}\})?([0-9a-f]{32,128})$/i, springDigest],
  [
    /^\{sha256\}([0-9a-f]{16})([0-9a-f]{64})$/i,
    (salt, hex) => weak('SHA-256 of Spring Security', hex.toLowerCase(), 'repeated-sha256', Buffer.from(salt, 'hex'), 1024),
  ],
  [/^(md5|sha1|sha224|sha256|sha384|sha512)\$([^$]{0,64})\$([0-9a-f]{32,128})$/i, withSalt],
  [/^([0-9a-f]{32,128})$/i, bareDigest],
  [
    /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{22})$/,
    (log, salt, value) => weak('MD5 of phpass ($P$, $H$)', value, 'phpass-md5', salt, 2 ** digitOf(log)),
  ],
  [
    /^\$S\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{43})$/,
    (log, salt, value) => weak('SHA-512 of Drupal ($S$)', value, 'phpass-sha512', salt, 2 ** digitOf(log)),
  ],
  [
    /^(?:\{(?:crypt|md5-crypt)\})?\$(1|apr1)\$([^$]{0,8})\$([./0-9A-Za-z]{22})$/i,
    (magic, salt, value) => weak(`MD5-crypt ($${magic}$)`, value, `crypt-${magic}`, salt, 1000),
  ],
  // A marker, a salt of 16 bytes and a key of 32.
  [/^(AA[A-Za-z0-9+/]{64}==)$/, aspNet],
]

function ldap(salted: string, name: string, encoded: string): WeakHash | null {
  const algorithm = name.toLowerCase().replace(/^sha$/, 'sha1')
  const bytes = Buffer.from(encoded, 'base64')
  const size = digestBytes[algorithm] ?? 0
  if (salted === '' ? bytes.length !== size : bytes.length <= size) return null
  const form = `{${salted}${name}}`.toUpperCase()
  return weak(form, bytes.subarray(0, size).toString('hex'), `after-${algorithm}`, bytes.subarray(size))
}

/** The braces belong to the salt. */
function springDigest(name: string, salt: string, hex: string): WeakHash | null {
  const algorithm = name.toLowerCase().replace('-', '')
  return isDigest(algorithm, hex) ? weak(`{${name}} of Spring Security`, hex.toLowerCase(), `after-${algorithm}`, salt) : null
}

/** Django writes MD5 and SHA-1 of the salt and the password; Werkzeug has the salt as the key of an HMAC. */
function withSalt(name: string, salt: string, hex: string): WeakHash | null {
  const algorithm = name.toLowerCase()
  if (!isDigest(algorithm, hex)) return null
  const step = algorithm === 'md5' || algorithm === 'sha1' ? 'before' : 'hmac'
  return weak(`${algorithm}$salt$…`, hex.toLowerCase(), `${salt === '' ? 'before' : step}-${algorithm}`, salt)
}

function bareDigest(hex: string): WeakHash | null {
  const algorithm = ['md5', 'sha1', 'sha256', 'sha512'].find((name) => isDigest(name, hex))
  return algorithm ? weak(`unsalted ${algorithm}`, hex.toLowerCase(), `after-${algorithm}`) : null
}

function aspNet(encoded: string): WeakHash {
  const bytes = Buffer.from(encoded, 'base64')
  return weak('ASP.NET Identity version 2', bytes.subarray(17).toString('hex'), 'pbkdf2-sha1', bytes.subarray(1, 17), 1000)
}
