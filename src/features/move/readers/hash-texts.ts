/** Password hashes that other systems export in parts, as the texts that an import reads. */
import { z } from 'zod'

const withoutPadding = (base64: string): string => base64.replace(/=+$/, '')

const credentialData = z.object({
  hashIterations: z.number(),
  algorithm: z.string(),
  additionalParameters: z.record(z.string(), z.array(z.string())).nullish(),
})
const secretData = z.object({ value: z.string(), salt: z.string() })

/** @returns null when the texts are not JSON of this shape */
export function readJSON<T>(schema: z.ZodType<T>, text: unknown): T | null {
  if (typeof text !== 'string') return null
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** A credential of Keycloak: argon2 or PBKDF2, whose name without a digest is SHA-1. @returns null for another algorithm */
export function keycloakHash(given: { readonly secretData: unknown; readonly credentialData: unknown }): string | null {
  const [credential, stored] = [readJSON(credentialData, given.credentialData), readJSON(secretData, given.secretData)]
  if (!credential || !stored) return null
  const { algorithm, hashIterations, additionalParameters } = credential
  const parts = `${withoutPadding(stored.salt)}$${withoutPadding(stored.value)}`
  const parameter = (name: string) => additionalParameters?.[name]?.[0]
  if (algorithm === 'argon2') {
    const version = parameter('version') === '1.0' ? 16 : 19
    const costs = `m=${parameter('memory')},t=${hashIterations},p=${parameter('parallelism')}`
    return `$argon2${parameter('type') ?? 'id'}$v=${version}$${costs}$${parts}`
  }
  const digest = { pbkdf2: 'sha1', 'pbkdf2-sha256': 'sha256', 'pbkdf2-sha512': 'sha512' }[algorithm]
  const length = Buffer.from(stored.value, 'base64').length
  return digest ? `$pbkdf2-${digest}$i=${hashIterations},l=${length}$${parts}` : null
}

const auth0Text = z.object({ value: z.string(), encoding: z.string().optional() })
const auth0Password = z.object({
  algorithm: z.string(),
  hash: auth0Text,
  salt: auth0Text.optional(),
  cost: z.number().optional(),
  blockSize: z.number().optional(),
  parallelization: z.number().optional(),
})

/** The hash of a bulk import of Auth0. @returns null for another scheme, and for no hash */
export function auth0Hash(given: unknown): string | null {
  const { data } = auth0Password.safeParse(given)
  if (!data) return null
  const { algorithm, hash, salt, cost = 0, blockSize = 8, parallelization = 1 } = data
  if (algorithm !== 'scrypt') return /^(argon2|bcrypt|pbkdf2)$/.test(algorithm) ? hash.value : null
  if (hash.encoding !== 'hex' || salt?.encoding !== 'hex') return null
  const text = (hex: string) => withoutPadding(Buffer.from(hex, 'hex').toString('base64'))
  return `$scrypt$ln=${Math.log2(cost)},r=${blockSize},p=${parallelization}$${text(salt.value)}$${text(hash.value)}`
}

/** @returns null for another scheme */
export function fusionAuthHash(given: {
  readonly encryptionScheme: string
  readonly factor: number
  /** In base64. */
  readonly salt: string
  readonly password: string
}): string | null {
  const { encryptionScheme, factor, salt, password } = given
  if (encryptionScheme === 'bcrypt')
    return password.startsWith('$2') ? password : `$2a$${String(factor).padStart(2, '0')}$${salt}${password}`
  const [, digest] = /^salted-pbkdf2-hmac-(sha256|sha512)(?:-512)?$/.exec(encryptionScheme) ?? []
  if (digest) return `$pbkdf2-${digest}$i=${factor}$${withoutPadding(salt)}$${withoutPadding(password)}`
  return null
}

export interface FirebaseParameters {
  readonly signerKey: string
  readonly saltSeparator: string
  readonly rounds: number
  readonly memory: number
}

/** @returns the hash with the signer key inside, as Supabase writes it; an import puts its name in the configuration in its place */
export const firebaseHash = (
  { signerKey, saltSeparator, rounds, memory }: FirebaseParameters,
  salt: string,
  hash: string,
): string => `$fbscrypt$v=1,n=${memory},r=${rounds},p=1,ss=${saltSeparator},sk=${signerKey}$${salt}$${hash}`
