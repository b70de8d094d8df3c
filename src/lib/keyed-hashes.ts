/** Imported password hashes that need a secret of the configuration: a pepper of Devise, or the signer key of a Firebase project. */
import { readPasswordFormat } from './password-formats.ts'

/** By the names that hashes contain. */
export interface HashSecretNames {
  readonly peppers: Readonly<Record<string, string>>
  readonly firebase: Readonly<Record<string, string>>
}

const signerKey = /^(\$fbscrypt\$v=1,n=\d{1,2},r=\d{1,3},p=\d{1,3},ss=[\w+/=-]{0,66},)sk=([\w+/-]{16,1024}={0,2})(\$.+)$/

/** Supabase writes the signer key into each hash. @returns null when there is none */
export const signerKeyIn = (text: string): string | null => signerKey.exec(text)?.[2] ?? null

/** @returns the hash with a name in place of the signer key that it contains */
const withKeyName = (text: string, name: string): string => text.replace(signerKey, `$1k=${name}$3`)

const isSameKey = (one: string, other: string): boolean => Buffer.from(one, 'base64').equals(Buffer.from(other, 'base64'))

/** @returns the hash with the name that its signer key has in the configuration; the same text when it contains no known key */
export function nameSignerKey(text: string, { firebase }: HashSecretNames): string {
  const key = signerKeyIn(text)
  const known = key === null ? undefined : Object.entries(firebase).find(([, value]) => isSameKey(value, key))
  return known ? withKeyName(text, known[0]) : text
}

/** @returns the option whose secret a hash needs and which is not set; null without one */
export function missingHashSecret(text: string, { peppers, firebase }: HashSecretNames): string | null {
  if (signerKeyIn(text) !== null) return 'passwordHash.firebase'
  const format = readPasswordFormat(text)
  if (format?.scheme === 'scrypt' && format.signerKey !== null && !Object.hasOwn(firebase, format.signerKey))
    return `passwordHash.firebase.${format.signerKey}`
  if (format?.scheme === 'bcrypt' && format.prehash === 'pepper' && !Object.hasOwn(peppers, format.pepper))
    return `passwordHash.peppers.${format.pepper}`
  return null
}
