/** Signed claims in a link (RFC 7519, HS256 of RFC 7518 §3.2): the one form of the e-mail links of contract 00 §9. */
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'

const algorithm = 'HS256'

export interface SignOptions {
  readonly key: Uint8Array
  readonly issuedAt: Date
  /** Seconds. */
  readonly expiresIn: number
}

/** What a token says, or why it says nothing. */
export type VerifiedJWT = { readonly claims: JWTPayload } | { readonly fault: 'expired' | 'invalid' }

/** @returns the compact form; its header is `{"alg":"HS256"}` and nothing else */
export function signJWT(claims: JWTPayload, { key, issuedAt, expiresIn }: SignOptions): Promise<string> {
  const issued = Math.floor(issuedAt.getTime() / 1000)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm })
    .setIssuedAt(issued)
    .setExpirationTime(issued + expiresIn)
    .sign(key)
}

/**
 * One algorithm is taken, whatever the header asks for (RFC 8725 §3.1), and a token that never expires is none of ours.
 * @param keys any of which may have signed it
 * @returns `expired` only for a token with a right signature
 */
export async function verifyJWT(token: string, keys: readonly Uint8Array[], now: Date): Promise<VerifiedJWT> {
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        requiredClaims: ['exp', 'iat'],
        currentDate: now,
      })
      return { claims: payload }
    } catch (error) {
      if (error instanceof errors.JWTExpired) return { fault: 'expired' }
      if (!(error instanceof errors.JOSEError)) throw error
    }
  }
  return { fault: 'invalid' }
}
