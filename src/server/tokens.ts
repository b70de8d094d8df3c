/** Verifies JSON Web Tokens of the daemon with the keys that it publishes. */
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose'
import { type ReaderSettings, SessionError } from './options.ts'
import type { VerifiedSession } from './verified-session.ts'

/** Milliseconds: as long as the daemon allows a response of `/jwks` to be used. */
const cacheMaxAge = 300_000
/** Milliseconds between two fetches for keys that are not known, so that forged key IDs cause few. */
const cooldownDuration = 30_000
/** Claims about the token itself. */
const registered = new Set(['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'act', 'sub'])

/** Errors of a token, rather than of the keys. All other errors leave open whether it is valid. */
const invalidCodes = new Set<string>([
  errors.JWTExpired.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWTInvalid.code,
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWKSNoMatchingKey.code,
  errors.JWKSMultipleMatchingKeys.code,
])

export type VerifyToken = (token: string) => Promise<VerifiedSession | null>

/** A JSON Web Token in its compact form. A bearer token of a session has two parts. */
export const isCompactToken = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)

/**
 * Fetches the keys when they are first needed, and again after 5 minutes or for a key that is not known.
 * @returns a function that verifies a token; null when it is invalid
 * @throws SessionError SESSION_UNAVAILABLE from the function, when the keys cannot be fetched
 */
export function createTokenVerifier(settings: ReaderSettings): VerifyToken | null {
  const { api, tokens, timeout: timeoutDuration, fetch, now } = settings
  if (!tokens) return null
  const keys = createRemoteJWKSet(new URL(`${api}/jwks`), {
    cacheMaxAge,
    cooldownDuration,
    timeoutDuration,
    [customFetch]: fetch,
  })
  const audience = typeof tokens.audience === 'string' ? tokens.audience : [...tokens.audience]
  const rules = { issuer: tokens.issuer, audience, algorithms: [...tokens.algorithms], requiredClaims: ['exp', 'sub'] }
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, { ...rules, currentDate: now() })
      return describeClaims(payload)
    } catch (error) {
      if (error instanceof errors.JOSEError && invalidCodes.has(error.code)) return null
      throw new SessionError('SESSION_UNAVAILABLE', 'The keys of Latchkey cannot be fetched', { cause: error })
    }
  }
}

function describeClaims(claims: JWTPayload): VerifiedSession | null {
  const { sub, act } = claims
  if (!sub) return null
  const fields = Object.fromEntries(Object.entries(claims).filter(([name]) => !registered.has(name)))
  const impersonatedBy = String(Object(act).sub ?? '') || null
  return { source: 'jwt', user: { ...fields, id: sub }, session: null, impersonatedBy }
}
