/** Verifies ID tokens (OpenID Connect Core §3.1.3.7, RFC 8725). */
import { createRemoteJWKSet, customFetch, decodeJwt, errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose'
import { type App, memo } from '../../core/app.ts'
import type { ConfiguredProvider, ServerEndpoints } from './configured-providers.ts'
import { clientIdsOf } from './provider-options.ts'

/** Asymmetric algorithms only: a client secret must not verify a token of another client (RFC 8725 §3.1). */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'RS384', 'PS384', 'ES384', 'RS512', 'PS512', 'ES512']

/** Clocks of providers and ours may differ (contract 03 §3). */
const clockToleranceSeconds = 60

/** An unknown key ID fetches the keys again, at most twice a minute (`jose`), so that providers can rotate keys. */
const keySets = memo((_: App) => new Map<string, ReturnType<typeof createRemoteJWKSet>>())

function keySet(app: App, url: string) {
  const known = keySets(app).get(url)
  if (known) return known
  const fetchKeys = (target: string, { signal: _, ...init }: object & { signal?: unknown }) => app.fetch(target, init)
  const made = createRemoteJWKSet(new URL(url), { [customFetch]: fetchKeys })
  keySets(app).set(url, made)
  return made
}

interface Expected {
  readonly endpoints: ServerEndpoints
  /** The nonce that the token must have. */
  readonly nonce?: string | undefined
  /** Whether an app got it itself, and not this daemon from the token endpoint. */
  readonly isOfApp: boolean
}

/**
 * @returns the claims; null when the provider's ID tokens cannot be verified, because its keys are not known
 * @throws Error when the token is not valid
 */
export async function verifyIdToken(
  app: App,
  provider: ConfiguredProvider,
  token: string,
  { endpoints, nonce, isOfApp }: Expected,
): Promise<JWTPayload | null> {
  const { declaration, options } = provider
  if (endpoints.jwksUri === undefined) return null
  const audience = (isOfApp && declaration.audiences?.(options)) || clientIdsOf(options)
  const issuers = declaration.issuers?.(decodeJwt(token), { options, endpoints }) ?? [endpoints.issuer]
  const issuer = issuers.filter((one): one is string => Boolean(one))
  if (issuer.length === 0) throw new errors.JWTClaimValidationFailed('The issuer of the provider is not known', {}, 'iss')
  const { payload, protectedHeader } = await jwtVerify(token, keySet(app, endpoints.jwksUri), {
    algorithms,
    issuer,
    audience: [...audience],
    requiredClaims: ['exp', 'iat', 'sub'],
    currentDate: app.now(),
    clockTolerance: clockToleranceSeconds,
    ...(isOfApp && declaration.maxTokenAge !== undefined && { maxTokenAge: declaration.maxTokenAge }),
  })
  if (!isIdToken(protectedHeader, payload)) throw new errors.JWTInvalid('The token is of another type')
  const isForUs = !Array.isArray(payload.aud) || payload.aud.length === 1 || audience.some((id) => id === payload.azp)
  if (!isForUs) throw new errors.JWTClaimValidationFailed('The token was issued to another client', payload, 'azp')
  if (Number(payload.iat) * 1000 > app.now().getTime() + clockToleranceSeconds * 1000)
    throw new errors.JWTClaimValidationFailed('The token was issued in the future', payload, 'iat')
  if (!payload.sub) throw new errors.JWTClaimValidationFailed('The token has an empty subject', payload, 'sub')
  if (nonce !== undefined && payload.nonce !== nonce)
    throw new errors.JWTClaimValidationFailed('The token has another nonce', payload, 'nonce')
  return payload
}

/** The same keys sign access tokens (RFC 9068 §2.1) and logout tokens (OpenID Connect Back-Channel Logout §2.4) for a client. */
const isIdToken = ({ typ = 'JWT' }: JWTHeaderParameters, claims: JWTPayload): boolean =>
  /^(?:application\/)?jwt$/i.test(typ) && !('events' in claims)

/** The claims of an ID token that is not verified here. @returns null when it cannot be read */
export function readClaims(token: string | undefined): JWTPayload | null {
  try {
    return token === undefined ? null : decodeJwt(token)
  } catch {
    return null
  }
}

/** Whether apps can sign in with an ID token of this provider. */
export const acceptsIdTokens = ({ declaration, options }: ConfiguredProvider): boolean =>
  declaration.idTokenSignIn === true || options.verifyIdToken !== undefined
