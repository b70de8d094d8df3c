/** The text of a key: how it is made, recognized and hashed. */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { App } from '../../core/app.ts'
import type { KeySet } from './key-sets.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base62 = `0123456789${letters}`
/** Enough for the 32 bits of a CRC-32. */
const checksumLength = 6
/** Longer texts are not keys, and are not hashed. */
export const maxLength = 512

/** CRC-32 (ISO 3309) of the text before it, as a number of base 62 in six characters: like those of GitHub tokens. */
function checksumOf(text: string): string {
  let [rest, digits] = [crc32(text), '']
  for (let position = 0; position < checksumLength; position += 1) {
    digits = `${base62[rest % 62]}${digits}`
    rest = Math.floor(rest / 62)
  }
  return digits
}

const hasChecksum = (key: string): boolean => checksumOf(key.slice(0, -checksumLength)) === key.slice(-checksumLength)

/**
 * Generates a key. Call it outside a transaction, because it may call a function of the configuration.
 * @throws TypeError when that function returns no text of the configured length
 */
export async function generateKey({ random }: App, set: KeySet, given: string | undefined): Promise<string> {
  const { customKeyGenerator, defaultKeyLength: length, checksum } = set
  const prefix = given || set.defaultPrefix
  if (customKeyGenerator) {
    const made: unknown = await customKeyGenerator({ length, prefix })
    if (typeof made !== 'string' || made.length < length || made.length > maxLength)
      throw new TypeError(`apiKey.customKeyGenerator must return a text of ${length} to ${maxLength} characters`)
    return made
  }
  if (checksum === 'none') return `${prefix ?? ''}${random.token(length, letters)}`
  const text = `${prefix ?? ''}${random.token(length - checksumLength, base62)}`
  return `${text}${checksumOf(text)}`
}

/** Whether a text may be a key of the set, so that it is worth a query. */
export async function isPlausible({ defaultKeyLength, checksum, customAPIKeyValidator }: KeySet, key: string): Promise<boolean> {
  if (key.length < defaultKeyLength) return false
  if (checksum === 'require' && !hasChecksum(key)) return false
  return customAPIKeyValidator ? customAPIKeyValidator({ key }) : true
}

const purpose = 'api-key'

/** Stored in place of the key, by the newest secret. */
export const hashKey = ({ config, keyring }: Pick<App, 'config' | 'keyring'>, key: string): string =>
  // better-auth must find it again after a trial.
  config.move?.trial ? hash('sha256', key, 'base64url') : keyring.hash(purpose, key)

/**
 * The hashes that the row of this key may have, newest first. The last one is the hash of better-auth: its keys are long and random, so
 * that a plain hash is safe, and their first use replaces it.
 */
export const hashesOf = ({ keyring }: Pick<App, 'keyring'>, key: string): readonly string[] => [
  ...keyring.hashes(purpose, key),
  hash('sha256', key, 'base64url'),
]
