/** A service that verifies tokens as other services do: with the published keys, and with another library than the one that signs. */
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { type Algorithm, createVerifier } from 'fast-jwt'
import type { Browser } from './browser.ts'

interface PublishedKey extends JsonWebKey {
  readonly kid: string
  readonly alg: string
}

export interface Claims extends Readonly<Record<string, unknown>> {
  readonly sub: string
  readonly iat: number
  readonly exp: number
}

export interface TokenService {
  /** Fetches the keys, as a verifier does when its copy has expired or lacks a key. */
  fetchKeys(): Promise<void>
  /** @throws Error when no fetched key verifies the token, it has expired, or its issuer or audience is another */
  verify(token: string): Claims
}

const algorithms = new Set(['EdDSA', 'ES256', 'ES512', 'RS256', 'PS256'])
const party = 'http://localhost:3000'

/** @param browser at the daemon from which it fetches the keys */
export function tokenService(browser: Browser, now: () => Date, expected = { issuer: party, audience: party }): TokenService {
  let keys: readonly PublishedKey[] = []
  return {
    fetchKeys: async () => {
      keys = (await browser.call('GET /jwks', {})).body.keys
    },
    verify: (token) => {
      const { kid } = headerOf(token)
      const key = keys.find((one) => one.kid === kid)
      if (!key) throw new Error('Unknown kid')
      if (!algorithms.has(key.alg)) throw new Error(`Unknown algorithm ${key.alg}`)
      const verify = createVerifier({
        key: createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString(),
        algorithms: [key.alg as Algorithm],
        allowedIss: expected.issuer,
        allowedAud: expected.audience,
        requiredClaims: ['sub', 'exp', 'iat', 'aud', 'iss'],
        clockTimestamp: now().getTime(),
      })
      return verify(token)
    },
  }
}

/** The first part of a token, without verification. */
export const headerOf = (token: string): { readonly alg: string; readonly kid: string } =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())

/** The claims of a token, without verification. */
export const claimsOf = (token: string): Claims => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
