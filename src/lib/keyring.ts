/**
 * Keys from the configured secrets, newest first. The wire fixes one use of a secret itself, the signature of cookies
 * (contract 00 §5); every other key is derived by purpose (RFC 5869), and what was made with it names it.
 */
import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
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
}

interface Secret {
  readonly id: string
  readonly key: KeyObject
  readonly derived: Map<string, KeyObject>
}

/** @param secrets one or more texts, newest first; their strength is checked by the configuration */
export function createKeyring(secrets: readonly string[]): Keyring {
  const live = secrets.map(openSecret)
  const [newest] = live
  if (!newest) throw new Error('A keyring needs a secret')
  return {
    sign: (value) => signature(newest, value),
    verify: (value, given) => live.some((secret) => equalInConstantTime(signature(secret, value), given)),
    hash: (purpose, value) => keyedHash(newest, purpose, value),
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

function derivedKey(secret: Secret, purpose: string): KeyObject {
  const known = secret.derived.get(purpose)
  if (known) return known
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret.key, new Uint8Array(0), `latchkey ${purpose}`, 32)))
  secret.derived.set(purpose, key)
  return key
}
