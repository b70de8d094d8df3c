/** Gets profiles from providers, and reads them (contract 03 §3). */
import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import type { App } from '../../core/app.ts'
import { definedMembers, isObject } from '../../lib/objects.ts'
import { isPlaceholderEmail, placeholderEmail } from '../../lib/placeholder-email.ts'
import { errorReason } from '../../lib/redact.ts'
import { isEmailAddress } from '../../lib/text.ts'
import type { ConfiguredProvider, ServerEndpoints } from './configured-providers.ts'
import { readClaims, verifyIdToken } from './id-token.ts'
import { type FetchedProfile, type ProfileRequest, type ProviderTokens, ResponseError } from './provider.ts'
import { firstText, maxIdLength, membersOf, type ReadProfile, readId, readProfile, type SentProfile } from './reading.ts'

export interface IdentifiedProfile extends Pick<FetchedProfile, 'data' | 'needsEmail'> {
  readonly profile: ReadProfile
  /** What `mapProfileToUser` adds, by field. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Who identifies the user: together with `profile.id`, the identity (ASVS 6.8.1). */
  readonly issuer: string
  /** How the provider has authenticated the user, as its ID token says (OIDC Core §2 `amr`). */
  readonly amr: readonly string[]
}

export interface ProfileInput {
  readonly endpoints: ServerEndpoints
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
  const { endpoints, tokens, nonce, postedUser } = input
  const claims =
    input.claims ??
    (tokens.idToken === undefined
      ? null
      : await verifyIdToken(app, provider, tokens.idToken, { endpoints, nonce, isOfApp: false }))
  if (claims === null && nonce !== undefined) checkUnverified(tokens, endpoints, nonce)
  const fetched = options.getUserInfo
    ? readOwn(await options.getUserInfo(tokens))
    : await declaration.profile({
        options,
        endpoints,
        tokens,
        claims,
        postedUser,
        ...requestsWith(app, provider, tokens, endpoints),
      })
  if (!fetched) return null
  const { data, needsEmail = false } = fetched
  const mapped: unknown = await options.mapProfileToUser?.({ ...data })
  const fields: Readonly<Record<string, unknown>> = definedMembers(isObject(mapped) ? mapped : {})
  const issuer =
    declaration.issuers && claims?.iss ? canonicalIssuer(claims.iss, endpoints) : (endpoints.issuer ?? originOf(endpoints))
  if (issuer.length > maxIdLength) throw new Error('The issuer is too long')
  const sent = ownAddressOnly(fetched.profile)
  // OpenID Connect Core §5.3.2: otherwise the access token may belong to another user.
  if (!options.getUserInfo && claims?.sub !== undefined && claims.sub !== readId(sent.id))
    throw new Error('Profile and ID token are of different users')
  const { profile, tooLong } = readProfile({ ...sent, ...verification(sent, fields), ...fields })
  if (tooLong.length > 0)
    app.log.warn({ providerId: provider.id, members: tooLong }, 'Values of a provider profile are too long, and were left out')
  return { profile: withPlaceholder(provider, issuer, profile), fields, data, needsEmail, issuer, amr: amrOf(claims) }
}

/** Only of a verified token, and no more than a token can reasonably name. */
const amrOf = (claims: JWTPayload | null): string[] =>
  Array.isArray(claims?.amr) ? claims.amr.filter((one) => typeof one === 'string').slice(0, 16) : []

/** A provider must not give its users the placeholder of a user of another one. */
const ownAddressOnly = (sent: SentProfile): SentProfile =>
  isPlaceholderEmail(firstText(sent.email)) ? { ...sent, email: null } : sent

/** For users of providers without email addresses: the same at each sign-in, and of this user only. */
function withPlaceholder({ id, declaration }: ConfiguredProvider, issuer: string, profile: ReadProfile): ReadProfile {
  if (!declaration.placeholders || isEmailAddress(profile.email ?? '')) return profile
  const key = createHash('sha256')
    .update(JSON.stringify([issuer, profile.id]))
    .digest('hex')
  return { ...profile, email: placeholderEmail(id, key.slice(0, 40)) }
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
  { email }: SentProfile,
  fields: Readonly<Record<string, unknown>>,
): Pick<SentProfile, 'emailVerified'> | null {
  const isOther = 'email' in fields && firstText(fields.email).toLowerCase() !== firstText(email).toLowerCase()
  return isOther ? { emailVerified: false } : null
}

/** Google's issuer has two forms. */
const canonicalIssuer = (issuer: string, { issuer: declared }: ServerEndpoints): string =>
  declared === `https://${issuer}` ? declared : issuer

/** Where tokens come from stands for an issuer that is not known. When a provider moves, its declaration must name the former origin. */
const originOf = ({ tokenEndpoint = '' }: ServerEndpoints): string => URL.parse(tokenEndpoint)?.origin ?? ''

/** What `getUserInfo` of the configuration returns. */
function readOwn(result: unknown): FetchedProfile | null {
  const { user, data } = membersOf(result)
  if (!isObject(user)) return null
  const { id, name, email, image, emailVerified } = membersOf(user)
  return { profile: { id, name, email, image, emailVerified }, data: isObject(data) ? data : user }
}

type Requests = Pick<ProfileRequest, 'get' | 'post' | 'tryGet' | 'download'>

function requestsWith(
  app: App,
  { id }: ConfiguredProvider,
  { accessToken = '' }: ProviderTokens,
  { userInfoEndpoint }: ServerEndpoints,
): Requests {
  const accept = 'application/json'
  const headers = { accept, authorization: `Bearer ${accessToken}` }
  const request = async (url = userInfoEndpoint, init: RequestInit = { headers }) => {
    if (url === undefined) throw new Error('The provider has no user info endpoint')
    const response = await app.fetch(url, init)
    if (response.status !== 200) throw new ResponseError(response.status)
    return response
  }
  const get: Requests['get'] = async (url, more) => (await request(url, { headers: { ...more, ...headers } })).json()
  const attempt = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      app.log.warn({ providerId: id, reason: errorReason(error) }, 'A provider did not send all of a profile')
      return undefined
    })
  return {
    get,
    post: async (url, form) => {
      // A token in the form is not sent in the header too (RFC 6750 §2).
      const sent = form && 'access_token' in form ? { accept } : headers
      return (await request(url, { method: 'POST', headers: sent, ...(form && { body: new URLSearchParams(form) }) })).json()
    },
    tryGet: (url) => attempt(get(url)),
    download: (url) => attempt(downloadImage(app, url, headers)),
  }
}

async function downloadImage(app: App, url: string, headers: Record<string, string>): Promise<Uint8Array | undefined> {
  const response = await app.fetch(url, { headers })
  const isImage = response.headers.get('content-type')?.startsWith('image/') === true
  return response.ok && isImage ? new Uint8Array(await response.arrayBuffer()) : undefined
}
