/**
 * Reads the password hashes of other systems in the texts that they export, and returns those that `password-formats.ts` verifies.
 * Vectors of each form are in `imported-hashes.test.ts`.
 */
import { readPasswordFormat } from './password-formats.ts'

/**
 * @returns the hash to store; null when the form is unknown, or
 * verifying it would cost too much
 */
export function readImportedHash(text: string): string | null {
  if (text.length > 1024) return null
  if (readPasswordFormat(text)) return text
  for (const read of readers) {
    const stored = read(text)
    if (stored !== null) return readPasswordFormat(stored) ? stored : null
  }
  return null
}

/** Django writes `!` and a random text for a user who cannot sign in with a password. */
export const hasNoPassword = (text: string): boolean => /^![A-Za-z0-9]{0,64}$/.test(text)

const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64').replaceAll('=', '')
const fromHex = (text: string): Buffer => Buffer.from(text, 'hex')
const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64')

const scrypt = (ln: number, r: number | string, p: number | string, salt: Buffer | string, key: Buffer): string =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(key)}`
const pbkdf2 = (digest: string, iterations: number | string, salt: Buffer | string, key: Buffer): string =>
  `$pbkdf2-${digest}$${iterations}$${base64(salt)}$${base64(key)}`

/** N as other systems write it. @returns NaN unless it is a power of two */
const exponentOf = (n: string): number => (Number.isInteger(Math.log2(Number(n))) ? Math.log2(Number(n)) : Number.NaN)

type Reader = (text: string) => string | null

/** @param make gets the groups of the pattern */
const reader =
  (pattern: RegExp, make: (...groups: string[]) => string): Reader =>
  (text) => {
    const match = pattern.exec(text)
    return match ? make(...match.slice(1).map((group) => group ?? '')) : null
  }

const readers: readonly Reader[] = [
  // Spring Security, LDAP, Dovecot and Django: a prefix before a hash of a common form.
  reader(
    /^(?:\{(?:bcrypt|argon2(?:@\w+)?|argon2id?|crypt|(?:sha256|sha512|blf)-crypt)\}|bcrypt\$(?=\$)|argon2(?=\$argon2))(\$.+)$/i,
    (hash) => hash,
  ),
  reader(/^bcrypt_sha256\$(\$2.+)$/, (hash) => `$latchkey-bcrypt$pre=sha256-hex${hash}`),
  // passlib, version 2: bcrypt of an HMAC whose key is the salt.
  reader(
    /^\$bcrypt-sha256\$v=2,t=(2[aby]),r=(\d{1,2})\$([./A-Za-z0-9]{22})\$([./A-Za-z0-9]{31})$/,
    (type, cost, salt, key) => `$latchkey-bcrypt$pre=passlib$${type}$${cost.padStart(2, '0')}$${salt}${key}`,
  ),
  // WordPress 6.8.
  reader(/^\$wp(\$2y\$.+)$/, (hash) => `$latchkey-bcrypt$pre=wp${hash}`),
  // Lucia 1 and 2; and its oldest form, with a lower cost. The bytes of the salt are its text.
  reader(/^s2:([A-Za-z0-9]{16}):([0-9a-f]{128})$/, (salt, key) => scrypt(14, 16, 1, salt, fromHex(key))),
  reader(/^([A-Za-z0-9]{16}):([0-9a-f]{128})$/, (salt, key) => scrypt(14, 8, 1, salt, fromHex(key))),
  // Werkzeug, Django, Spring Security.
  reader(/^scrypt:(\d{1,9}):(\d{1,3}):(\d{1,3})\$([^$]{1,128})\$([0-9a-f]{44,256})$/, (n, r, p, salt, key) =>
    scrypt(exponentOf(n), r, p, salt, fromHex(key)),
  ),
  reader(/^scrypt\$(\d{1,9})\$([^$]{1,128})\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9+/]{22,172}={0,2})$/, (n, salt, r, p, key) =>
    scrypt(exponentOf(n), r, p, salt, fromBase64(key)),
  ),
  reader(/^\{scrypt(?:@\w+)?\}\$([0-9a-f]{1,8})\$([A-Za-z0-9+/]{8,172}={0,2})\$([A-Za-z0-9+/]{22,172}={0,2})$/, springScrypt),
  // passlib and LDAP: SHA-1 has no name.
  reader(/^\$pbkdf2(\$\d{1,8}\$.+)$/, (rest) => `$pbkdf2-sha1${rest}`),
  reader(
    /^\{PBKDF2(?:-(SHA(?:1|256|512)))?\}(\d{1,8}\$.+)$/i,
    (digest, rest) => `$pbkdf2-${digest.toLowerCase() || 'sha1'}$${rest}`,
  ),
  // Django with SHA-1 is read as it is stored; Werkzeug, Spring Security 5.8 (310,000 rounds, a salt of 16 bytes).
  reader(/^pbkdf2:(sha1|sha256|sha512):(\d{1,8})\$([^$]{1,128})\$([0-9a-f]{40,256})$/, (digest, iterations, salt, key) =>
    pbkdf2(digest, iterations, salt, fromHex(key)),
  ),
  reader(/^\{pbkdf2@SpringSecurity_v5_8\}([0-9a-f]{32})([0-9a-f]{64})$/, (salt, key) =>
    pbkdf2('sha256', 310_000, fromHex(salt), fromHex(key)),
  ),
  reader(/^(AQ[A-Za-z0-9+/]{30,200}={0,2})$/, aspNet),
]

/** Parameters as one number in hexadecimal digits: log2 N, r and p. */
function springScrypt(hexadecimal: string, salt: string, key: string): string {
  const parameters = Number.parseInt(hexadecimal, 16)
  return scrypt(parameters >> 16, (parameters >> 8) & 0xff, parameters & 0xff, fromBase64(salt), fromBase64(key))
}

const aspNetDigests = ['sha1', 'sha256', 'sha512']

/** ASP.NET Core Identity, version 3: a marker, the digest, the rounds, the length of the salt (big endian), salt and key. */
function aspNet(text: string): string {
  const bytes = fromBase64(text)
  const saltLength = bytes.readUInt32BE(9)
  const salt = bytes.subarray(13, 13 + saltLength)
  return pbkdf2(aspNetDigests[bytes.readUInt32BE(1)] ?? '', bytes.readUInt32BE(5), salt, bytes.subarray(13 + saltLength))
}
