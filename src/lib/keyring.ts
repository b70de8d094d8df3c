/**
 * Keys from the configured secrets, newest first. The wire fixes one use of a secret itself, the signature of cookies
 * (contract 00 §5); every other key is derived by purpose (RFC 5869), and what was made with it names it.
 */
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { equalInConstantTime } from './compare.ts'

export interface Keyring {
  /** HMAC-SHA-256 by the newest secret, standard base64 with padding: 44 characters. */
  sign(value: string): string
  /** Whether any live secret made this signature. */
  verify(value: string, signature: string): boolean
  /** A keyed hash, `<key id>.<43 characters>`, by the newest key of this purpose. */
  hash(purpose: string, value: string): string
  /** The same by every live key, newest first: what a row may hold. */
  hashes(purpose: string, value: string): readonly string[]
  /** Hides a text under the newest key of this purpose (AES-256-GCM): `<key id>.<nonce, text and tag>`. */
  encrypt(purpose: string, text: string): string
  /** Whether a live secret has made this hash, whatever of. */
  knows(hash: string): boolean
  /** @throws Error for what no live key of this purpose has made; with the code SECRET_UNKNOWN when its secret has been taken away */
  decrypt(purpose: string, sealed: string): string
  /** The secrets themselves, newest first: for the tokens of e-mail links, where the wire has it so (contract 00 §9). */
  rawKeys(): readonly Uint8Array[]
}

/** Code of the error for what was hidden under a secret that is there no longer. */
export const secretUnknown = 'SECRET_UNKNOWN'

interface Secret {
  readonly id: string
  readonly key: KeyObject
  readonly derived: Map<string, KeyObject>
}

/** @param secrets one or more texts, newest first; their strength is checked by the configuration */
export function createKeyring(secrets: readonly string[]): Keyring {
  const live = secrets.map(openSecret)
  const [newest] = live
  const raw = secrets.map((text) => new Uint8Array(Buffer.from(text)))
  if (!newest) throw new Error('A keyring needs a secret')
  return {
    sign: (value) => signature(newest, value),
    verify: (value, given) => live.some((secret) => equalInConstantTime(signature(secret, value), given)),
    hash: (purpose, value) => keyedHash(newest, purpose, value),
    encrypt: (purpose, text) => `${newest.id}.${seal(derivedKey(newest, purpose), text)}`,
    decrypt: (purpose, sealed) => {
      const at = sealed.indexOf('.')
      const secret = live.find(({ id }) => id === sealed.slice(0, at))
      if (!secret) throw Object.assign(new Error('No live secret has made this'), { code: secretUnknown })
      return unseal(derivedKey(secret, purpose), sealed.slice(at + 1))
    },
    knows: (hash) => live.some(({ id }) => hash.startsWith(`${id}.`)),
    rawKeys: () => raw,
    hashes: (purpose, value) => live.map((secret) => keyedHash(secret, purpose, value)),
  }
}

function openSecret(text: string): Secret {
  const key = createSecretKey(Buffer.from(text))
  // A fingerprint and not a number: nobody has to count keys, and a removed one is recognised.
  const id = createHmac('sha256', key).update('latchkey key id').digest('base64url').slice(0, 8)
  return { id, key, derived: new Map() }
}

const signature = (secret: Secret, value: string) => createHmac('sha256', secret.key).update(value).digest('base64')

const keyedHash = (secret: Secret, purpose: string, value: string) =>
  `${secret.id}.${createHmac('sha256', derivedKey(secret, purpose)).update(value).digest('base64url')}`

const nonceLength = 12
const tagLength = 16

/** A random nonce each time: 2^32 texts under one key are the bound of NIST SP 800-38D, far above what one purpose sees. */
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

function derivedKey(secret: Secret, purpose: string): KeyObject {
  const known = secret.derived.get(purpose)
  if (known) return known
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret.key, new Uint8Array(0), `latchkey ${purpose}`, 32)))
  secret.derived.set(purpose, key)
  return key
}
