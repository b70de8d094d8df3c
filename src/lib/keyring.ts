/**
 * Keys from the configured secrets, newest first. The contract fixes the direct uses of a secret, such as the signature of cookies
 * (contract 00 §5); every other key is derived by purpose (RFC 5869), and its results carry the id of the key.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

export type Keyring = ReturnType<typeof createKeyring>

/** Error code for a text that was encrypted with a secret that is not configured any more. */
export const secretUnknown = 'SECRET_UNKNOWN'

interface Secret {
  readonly id: string
  readonly key: KeyObject
  readonly derived: Map<string, KeyObject>
}

/** @param secrets one or more texts, newest first; their strength is checked by the configuration */
export function createKeyring(secrets: readonly string[]) {
  const live = secrets.map(openSecret)
  const [newest] = live
  const raw: readonly Uint8Array[] = secrets.map((text) => new Uint8Array(Buffer.from(text)))
  if (!newest) throw new Error('A keyring needs a secret')
  return {
    /** HMAC-SHA-256 by the newest secret, standard base64 with padding: 44 characters. */
    sign: (value: string): string => signature(newest, value),
    /** Whether any configured secret made this signature. */
    verify: (value: string, given: string): boolean =>
      live.some((secret) => equalInConstantTime(signature(secret, value), given)),
    /** A keyed hash, `<key id>.<43 characters>`, by the newest key of this purpose. */
    hash: (purpose: string, value: string): string => keyedHash(newest, purpose, value),
    /** The same by the keys of all configured secrets, newest first, to look up stored hashes. */
    hashes: (purpose: string, value: string): string[] => live.map((secret) => keyedHash(secret, purpose, value)),
    /** Whether a configured secret made this hash, of any value, or encrypted this text. */
    knows: (hash: string): boolean => live.some(({ id }) => hash.startsWith(`${id}.`)),
    /** Whether the newest secret made this hash or encrypted this text. */
    isNewest: (made: string): boolean => made.startsWith(`${newest.id}.`),
    /** The ids of the configured secrets, newest first: what they made starts with the id and a dot. */
    ids: (): readonly string[] => live.map(({ id }) => id),
    /** Encrypts a text with the newest key of this purpose (AES-256-GCM): `<key id>.<nonce, text and tag>`. */
    encrypt: (purpose: string, text: string): string => `${newest.id}.${seal(derivedKey(newest, purpose), text)}`,
    /** @throws Error if no key of this purpose encrypted the text; with the code SECRET_UNKNOWN if its secret is not configured any more */
    decrypt: (purpose: string, sealed: string): string => {
      const { secret, text } = openSealed(live, sealed)
      return unseal(derivedKey(secret, purpose), text)
    },
    /** Encrypts a text so that reading it also needs a token, of which a row has a hash only. */
    encryptFor: (purpose: string, token: string, text: string): string =>
      `${newest.id}.${seal(tokenKey(newest, purpose, token), text)}`,
    /** @throws Error if it was encrypted for another token or purpose, or its secret is not configured any more */
    decryptFor: (purpose: string, token: string, sealed: string): string => {
      const { secret, text } = openSealed(live, sealed)
      return unseal(tokenKey(secret, purpose, token), text)
    },
    /** The secrets themselves, newest first, for the tokens of email links (contract 00 §9). */
    rawKeys: () => raw,
  }
}

function openSecret(text: string): Secret {
  const key = createSecretKey(Buffer.from(text))
  // A fingerprint and not a number, so that secrets need no numbering, and a removed one is recognized.
  const id = createHmac('sha256', key).update('latchkey key id').digest('base64url').slice(0, 8)
  return { id, key, derived: new Map() }
}

const signature = (secret: Secret, value: string) => createHmac('sha256', secret.key).update(value).digest('base64')

const keyedHash = (secret: Secret, purpose: string, value: string) =>
  `${secret.id}.${createHmac('sha256', derivedKey(secret, purpose)).update(value).digest('base64url')}`

const nonceLength = 12
const tagLength = 16

/** Random nonces are safe for 2^32 texts per key (NIST SP 800-38D), far more than one purpose encrypts. */
function seal(key: KeyObject, text: string): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, hidden, cipher.getAuthTag()]).toString('base64url')
}

function unseal(key: KeyObject, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
  decipher.setAuthTag(bytes.subarray(-tagLength))
  return Buffer.concat([decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()]).toString('utf8')
}

function openSealed(live: readonly Secret[], sealed: string): { secret: Secret; text: string } {
  const at = sealed.indexOf('.')
  const secret = live.find(({ id }) => id === sealed.slice(0, at))
  if (!secret) throw Object.assign(new Error('No configured secret made this'), { code: secretUnknown })
  return { secret, text: sealed.slice(at + 1) }
}

/** Not kept, unlike the keys of purposes: each token has its own. */
const tokenKey = (secret: Secret, purpose: string, token: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret.key, token, `latchkey ${purpose} by token`, 32)))

function derivedKey(secret: Secret, purpose: string): KeyObject {
  const known = secret.derived.get(purpose)
  if (known) return known
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret.key, new Uint8Array(0), `latchkey ${purpose}`, 32)))
  secret.derived.set(purpose, key)
  return key
}

/** Compares two texts in a time that depends on their lengths only. */
export function equalInConstantTime(one: string, other: string): boolean {
  const a = Buffer.from(one)
  const b = Buffer.from(other)
  return a.length === b.length && timingSafeEqual(a, b)
}
