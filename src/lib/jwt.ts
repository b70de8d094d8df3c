/** Signed claims (RFC 7519, HS256 of RFC 7518 §3.2), as the email links of contract 00 §9 carry them. */
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'

const algorithm = 'HS256'

interface SignOptions {
  readonly key: Uint8Array
  readonly issuedAt: Date
  /** Seconds. */
  readonly expiresIn: number
}

type VerifiedJWT = { readonly claims: JWTPayload } | { readonly error: 'expired' | 'invalid' }

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
 * Accepts one algorithm whatever the header says (RFC 8725 §3.1), and no token without an expiry.
 * @param keys any of them may have signed the token
 * @returns `expired` only for a token with a valid signature
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
      if (error instanceof errors.JWTExpired) return { error: 'expired' }
      if (!(error instanceof errors.JOSEError)) throw error
    }
  }
  return { error: 'invalid' }
}
