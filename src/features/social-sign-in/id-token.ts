/** Verifies ID tokens (OpenID Connect Core §3.1.3.7, RFC 8725), and gets profiles from providers. */
import { createRemoteJWKSet, customFetch, decodeJwt, errors, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { definedMembers, isObject } from '../../lib/objects.ts'
import { isWellFormed } from '../../lib/text.ts'
import { type ConfiguredProvider, findEndpoints, type ServerEndpoints } from './configured-providers.ts'
import { clientIdOf } from './protocol.ts'
import { type FetchedProfile, type ProfileRequest, type ProviderProfile, type ProviderTokens, ResponseError } from './provider.ts'

/** Asymmetric algorithms only: a client secret must not verify a token of another client (RFC 8725 §3.1). */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'RS384', 'PS384', 'ES384', 'RS512', 'PS512', 'ES512']

/** Those of large providers have 1 to 4 KiB. */
const maxTokenLength = 16_384

/** Clocks of providers and ours may differ. */
const clockToleranceSeconds = 10

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
  { nonce, isOfApp }: Expected,
): Promise<JWTPayload | null> {
  const { declaration, options } = provider
  const endpoints = await findEndpoints(app, provider)
  if (endpoints.jwksUri === undefined) return null
  if (token.length > maxTokenLength) throw new errors.JWTInvalid('The token is too long')
  const audience = isOfApp ? declaration.audiences?.(options) : undefined
  const issuers = declaration.issuers?.(decodeJwt(token), { options, endpoints }) ?? [endpoints.issuer]
  const issuer = issuers.filter((one): one is string => Boolean(one))
  if (issuer.length === 0) throw new errors.JWTClaimValidationFailed('The issuer of the provider is not known', {}, 'iss')
  const { payload, protectedHeader } = await jwtVerify(token, keySet(app, endpoints.jwksUri), {
    algorithms,
    issuer,
    audience: audience ? [...audience] : clientIdOf(provider),
    requiredClaims: ['exp', 'iat', 'sub'],
    currentDate: app.now(),
    clockTolerance: clockToleranceSeconds,
    ...(isOfApp && declaration.maxTokenAge !== undefined && { maxTokenAge: declaration.maxTokenAge }),
  })
  if (!isIdToken(protectedHeader, payload)) throw new errors.JWTInvalid('The token is of another type')
  const isForUs = !Array.isArray(payload.aud) || payload.aud.length === 1 || payload.azp === clientIdOf(provider)
  if (!isForUs) throw new errors.JWTClaimValidationFailed('The token was issued to another client', payload, 'azp')
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

/**
 * Email addresses are compared in lower case, in which two other letters become ASCII letters, such as the Kelvin sign a `k`: an
 * address with them would become that of another person.
 */
const keepsLettersInLowerCase = (email: string): boolean =>
  !Array.from(email).some((letter) => letter > '\u007f' && /[a-z]/.test(letter.toLowerCase()))

/** Of a text column. */
const maxTextBytes = 65_535

/** What fits into the columns. An account ID that had to be cut would be that of another user. */
const storable = z.object({
  // Numbers beyond 2^53 are rounded by JSON: several users would have the same ID.
  id: z.union([z.string(), z.int().transform(String)]).pipe(z.string().min(1).max(255).refine(isWellFormed)),
  name: z
    .string()
    .nullable()
    .transform((text) => (text ?? '').slice(0, 1000).toWellFormed()),
  email: z.string().max(1000).refine(isWellFormed).refine(keepsLettersInLowerCase).nullable(),
  image: z
    .string()
    .nullish()
    .transform((text) => (text && Buffer.byteLength(text) <= maxTextBytes ? text : null)),
  emailVerified: z.boolean(),
})

export interface IdentifiedProfile extends FetchedProfile {
  readonly profile: z.output<typeof storable>
  /** What `mapProfileToUser` adds, by field. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Who identifies the user: together with `profile.id`, the identity (ASVS 6.8.1). */
  readonly issuer: string
}

interface ProfileInput {
  readonly tokens: ProviderTokens
  readonly nonce?: string | undefined
  readonly postedUser?: unknown
  /** Verified already. */
  readonly claims?: JWTPayload | null
}

/**
 * Gets the profile from the ID token, or from the provider.
 * @returns null when the provider has no usable profile
 * @throws Error when the ID token is not valid, or the provider cannot be reached or does not respond as documented
 */
export async function fetchProfile(
  app: App,
  provider: ConfiguredProvider,
  input: ProfileInput,
): Promise<IdentifiedProfile | null> {
  const { declaration, options } = provider
  const { tokens, nonce, postedUser } = input
  const endpoints = await findEndpoints(app, provider)
  const claims =
    input.claims ??
    (tokens.idToken === undefined ? null : await verifyIdToken(app, provider, tokens.idToken, { nonce, isOfApp: false }))
  if (claims === null && nonce !== undefined) checkUnverified(tokens, endpoints, nonce)
  const fetched = options.getUserInfo
    ? readOwn(await options.getUserInfo(tokens))
    : await declaration.profile({ options, endpoints, tokens, claims, postedUser, ...requestsWith(app, tokens, endpoints) })
  if (!fetched) return null
  // OpenID Connect Core §5.3.2: otherwise the access token may be that of another user.
  if (!options.getUserInfo && claims?.sub !== undefined && claims.sub !== fetched.profile.id)
    throw new Error('Profile and ID token are of different users')
  const mapped: unknown = await options.mapProfileToUser?.({ ...fetched.data })
  const fields: Readonly<Record<string, unknown>> = definedMembers(isObject(mapped) ? mapped : {})
  const profile = storable.parse({ ...fetched.profile, ...verification(fetched.profile, fields), ...fields })
  const issuer =
    declaration.issuers && claims?.iss ? canonicalIssuer(claims.iss, endpoints) : (endpoints.issuer ?? originOf(endpoints))
  return { profile, fields, data: fetched.data, issuer }
}

/**
 * Without keys no claim is used. But the token is from the token endpoint itself, and the nonce of another flow shows that the code
 * is from there too (RFC 9700 §4.5).
 */
function checkUnverified({ idToken }: ProviderTokens, { jwksUri }: ServerEndpoints, nonce: string): void {
  if (jwksUri !== undefined) throw new Error('The provider sent no ID token with the nonce')
  const sent = readClaims(idToken)?.nonce
  if (sent !== undefined && sent !== nonce) throw new Error('The ID token has another nonce')
}

/** The provider has verified its own address, and not another one that `mapProfileToUser` returns. */
function verification(
  { email }: ProviderProfile,
  fields: Readonly<Record<string, unknown>>,
): Pick<ProviderProfile, 'emailVerified'> | null {
  const isOther = 'email' in fields && String(fields.email).toLowerCase() !== email?.toLowerCase()
  return isOther ? { emailVerified: false } : null
}

/** Google's issuer has two forms. */
const canonicalIssuer = (issuer: string, { issuer: declared }: ServerEndpoints): string =>
  declared === `https://${issuer}` ? declared : issuer

/** Where tokens come from stands for an issuer that is not known. When a provider moves, its declaration must name the former origin. */
const originOf = ({ tokenEndpoint = '' }: ServerEndpoints): string => URL.parse(tokenEndpoint)?.origin ?? ''

function readOwn(result: unknown): FetchedProfile | null {
  if (!isObject(result) || !('user' in result) || !isObject(result.user)) return null
  const { id, name, email, image, emailVerified } = result.user as Record<string, unknown>
  const profile = { id: String(id ?? ''), name: String(name ?? ''), email: typeof email === 'string' ? email : null }
  const more = { image: typeof image === 'string' ? image : null, emailVerified: emailVerified === true }
  return { profile: { ...profile, ...more }, data: 'data' in result && isObject(result.data) ? result.data : result.user }
}

type Requests = Pick<ProfileRequest, 'get' | 'post' | 'download'>

function requestsWith(app: App, { accessToken = '' }: ProviderTokens, { userInfoEndpoint }: ServerEndpoints): Requests {
  const accept = 'application/json'
  const headers = { accept, authorization: `Bearer ${accessToken}` }
  const request = async (url = userInfoEndpoint, init: RequestInit = { headers }) => {
    if (url === undefined) throw new Error('The provider has no user info endpoint')
    const response = await app.fetch(url, init)
    if (response.status !== 200) throw new ResponseError(response.status)
    return response
  }
  return {
    get: async (url, more) => (await request(url, { headers: { ...more, ...headers } })).json(),
    post: async (url, form) => {
      // A token in the form is not sent in the header too (RFC 6750 §2).
      const sent = form && 'access_token' in form ? { accept } : headers
      return (await request(url, { method: 'POST', headers: sent, ...(form && { body: new URLSearchParams(form) }) })).json()
    },
    download: async (url) => {
      const response = await app.fetch(url, { headers })
      const isImage = response.headers.get('content-type')?.startsWith('image/') === true
      return response.ok && isImage ? new Uint8Array(await response.arrayBuffer()) : null
    },
  }
}
