/** Key pairs: generated, stored with an encrypted private key, and opened to sign. */
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import type { Config } from '../index.ts'
import { algorithmOf, modulusLengthOf } from './config.ts'
import type { KeyRow } from './key-states.ts'

const privateKeyPurpose = 'signing key'
/** Distinguishes encrypted keys from those in plain text, also when their secret is not configured any more. */
const encrypted = 'encrypted:'

export const secretUses = {
  signingKeys: { table: 'jwks', column: 'privateKey', prefix: encrypted, noun: 'signing key' },
} as const

export const publicJWK = z.looseObject({
  kty: z.string(),
  crv: z.string().optional(),
  n: z.string().optional(),
})

export const readPublicKey = ({ publicKey }: Pick<KeyRow, 'publicKey'>) => publicJWK.parse(JSON.parse(publicKey))

/** A new key pair, as columns of a row. RSA takes long: call it outside a transaction. */
export async function createKeyPair(app: App): Promise<Pick<KeyRow, 'algorithm' | 'publicKey' | 'privateKey'>> {
  const algorithm = algorithmOf(app.config)
  const pair = await generateKeyPair(algorithm, { modulusLength: modulusLengthOf(app.config), extractable: true })
  const [publicKey, privateKey] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)])
  return { algorithm, publicKey: JSON.stringify(publicKey), privateKey: sealPrivateKey(app, JSON.stringify(privateKey)) }
}

/** A private key as it is stored. @param text a JSON Web Key */
export const sealPrivateKey = ({ config, keyring }: App, text: string): string =>
  config.jwt.jwks.disablePrivateKeyEncryption ? text : encrypted + keyring.encrypt(privateKeyPurpose, text)

/** Whether new keys would be of another kind: the configuration has changed. */
export function isOfOtherKind(config: Config, row: KeyRow): boolean {
  if (row.algorithm !== algorithmOf(config)) return true
  const { n } = readPublicKey(row)
  return n !== undefined && Buffer.from(n, 'base64url').length * 8 !== modulusLengthOf(config)
}

const sealedText = ({ privateKey }: Pick<KeyRow, 'privateKey'>): string | null =>
  privateKey.startsWith(encrypted) ? privateKey.slice(encrypted.length) : null

/** Whether the private key can be decrypted: its secret is configured. */
export function canOpen({ keyring }: Pick<App, 'keyring'>, row: Pick<KeyRow, 'privateKey'>): boolean {
  const sealed = sealedText(row)
  return sealed === null || keyring.knows(sealed)
}

/** A JSON Web Key as text. @throws Error if it was encrypted with a secret that is not configured any more, or was changed */
export function openPrivateKeyText({ keyring }: Pick<App, 'keyring'>, row: Pick<KeyRow, 'privateKey'>): string {
  const sealed = sealedText(row)
  return sealed === null ? row.privateKey : keyring.decrypt(privateKeyPurpose, sealed)
}

const openPrivateKey = (app: App, row: KeyRow): JWK => JSON.parse(openPrivateKeyText(app, row))

const imported = memo((_: App) => new Map<string, Promise<CryptoKey | Uint8Array>>())

/** The private key of a row, decrypted once per process. @throws Error as `openPrivateKey` */
export function importPrivateKey(app: App, row: KeyRow): Promise<CryptoKey | Uint8Array> {
  const known = imported(app).get(row.id)
  if (known !== undefined) return known
  const key = Promise.resolve().then(() => importJWK(openPrivateKey(app, row), row.algorithm))
  imported(app).set(row.id, key)
  key.catch(() => imported(app).delete(row.id))
  return key
}

/** Discards the private keys of all other rows. */
export function keepImported(app: App, rows: readonly KeyRow[]): void {
  const kept = new Set(rows.map(({ id }) => id))
  for (const id of imported(app).keys()) if (!kept.has(id)) imported(app).delete(id)
}

/**
 * The private key encrypted with the newest secret.
 * @returns null when it is already, or cannot be decrypted
 */
export function resealPrivateKey(app: App, row: KeyRow): string | null {
  const sealed = sealedText(row)
  if (sealed === null || app.keyring.isNewest(sealed) || !canOpen(app, row)) return null
  return encrypted + app.keyring.encrypt(privateKeyPurpose, app.keyring.decrypt(privateKeyPurpose, sealed))
}
