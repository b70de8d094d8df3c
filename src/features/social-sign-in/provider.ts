/** The declaration of a provider: one per provider. All protocol code is in `protocol.ts` and `id-token.ts`. */
import type { JWTPayload } from 'jose'
import type { z } from 'zod'
import type { ProviderOptions } from './provider-options.ts'
import { type Members, membersOf, type SentProfile } from './reading.ts'

/** A provider's tokens (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). */
export interface ProviderTokens {
  readonly accessToken?: string | undefined
  readonly refreshToken?: string | undefined
  readonly idToken?: string | undefined
  readonly accessTokenExpiresAt?: Date | undefined
  readonly refreshTokenExpiresAt?: Date | undefined
  readonly tokenType?: string | undefined
  /** The scopes that the provider granted; absent when it does not report them. */
  readonly scopes?: readonly string[] | undefined
}

/** URLs of a provider. */
export interface Endpoints {
  readonly authorizationEndpoint?: string | undefined
  readonly tokenEndpoint?: string | undefined
  /** Where refresh tokens are used, if it is not the token endpoint. */
  readonly refreshEndpoint?: string | undefined
  readonly userInfoEndpoint?: string | undefined
  readonly issuer?: string | undefined
  readonly jwksUri?: string | undefined
}

type Shape = Readonly<Record<string, z.ZodType>>
/** The common options, and those of the provider. */
type OptionsWith<O> = ProviderOptions & (O extends Shape ? z.output<z.ZodObject<O>> : object)

/** What a `profile` function gets. */
export interface ProfileRequest<O = Shape> {
  readonly options: OptionsWith<O>
  readonly endpoints: Endpoints
  readonly tokens: ProviderTokens
  /** The claims of the ID token, which is verified; null without one. */
  readonly claims: JWTPayload | null
  /** The `user` that Apple posts with the first sign-in of a user. */
  readonly postedUser: unknown
  /**
   * Fetches JSON with the access token.
   * @param url default: the user info endpoint
   * @param headers more headers
   * @throws ResponseError for any status but 200, Error for anything but JSON
   */
  get(url?: string, headers?: Readonly<Record<string, string>>): Promise<unknown>
  /** The same as a POST. @param form without one, no body is sent; with `access_token` in it, no header is sent with the token */
  post(url?: string, form?: Readonly<Record<string, string>>): Promise<unknown>
  /** The same as `get` for what a sign-in does not depend on: undefined when the provider fails or refuses it. */
  tryGet(url: string): Promise<unknown>
  /** Fetches an image with the access token; undefined when there is none, or it cannot be fetched. @returns its bytes */
  download(url: string): Promise<Uint8Array | undefined>
}

/** A provider responded with an error. */
export class ResponseError extends Error {
  readonly status: number

  /** @param code of the response (RFC 6749 §5.2); anything else in its place is not quoted */
  constructor(status: number, code?: unknown) {
    const isCode = typeof code === 'string' && /^[\w.:-]{1,64}$/.test(code)
    super(`The provider responded with status ${status}${isCode ? `: ${code}` : ''}`)
    this.status = status
  }
}

export interface FetchedProfile {
  /**
   * Where each value is: `id` never changes, and never belongs to another user of the provider (OpenID Connect Core §2). The values
   * are read by `readProfile`, whatever their type.
   */
  readonly profile: SentProfile
  /** As the provider sent it, for `mapProfileToUser` and `/account-info`. */
  readonly data: object
  /** Without an email address it counts as no profile, unless its account is known. */
  readonly needsEmail?: boolean
}

/** What an authorization request is made of. */
export interface AuthorizationRequest<O = Shape> {
  readonly options: OptionsWith<O>
  readonly loginHint?: string | undefined
  readonly scopes: readonly string[]
}

export type Parameters = Readonly<Record<string, string | undefined>>

/** Functions are methods, so that one with options of its own fits into the list of providers. */
export interface ProviderDeclaration<O extends Shape = Shape> extends Endpoints {
  /** As users know it. */
  readonly name: string
  /** The page on which operators register an application. */
  readonly registrationURL?: string
  /** Whether it rejects redirect URIs with http:, those of localhost included. */
  readonly requiresHTTPS?: boolean
  /**
   * The email addresses that it sends: `verified`: all are verified; `reported`: it says which are; `unverified`: it never says;
   * `none`: it sends none.
   */
  readonly emails?: 'verified' | 'reported' | 'unverified' | 'none'
  /** Whether users without an email address get a placeholder. Otherwise they cannot sign up. */
  readonly placeholders?: boolean
  /** `code id_token`: Apple sends names only with an ID token. Default `code`. */
  readonly responseType?: 'code' | 'code id_token'
  /** Default scopes, and what each of them grants, in plain English. */
  readonly scopes: Readonly<Record<string, string>>
  /** Scopes are joined by a space, unless the provider differs from RFC 6749 §3.3. */
  readonly scopeSeparator?: ','
  /** Whether scopes of the request come before those of the configuration (contract 03 §6). */
  readonly requestedScopesFirst?: true
  /** Whether a code challenge is sent (RFC 7636); the option `pkce` overrides it. */
  readonly pkce: boolean
  /** Whether a nonce is sent, for ID tokens of providers without PKCE (OpenID Connect Core §15.5.2). */
  readonly nonce?: boolean
  /** How the client authenticates at the token endpoint (RFC 6749 §2.3.1). Default `post`. */
  readonly authentication?: 'basic' | 'post'
  /** `json`: the token endpoint expects JSON in place of a form (RFC 6749 §4.1.3). */
  readonly tokenRequestFormat?: 'json'
  /** The parameter for the client ID, if the provider differs from RFC 6749. */
  readonly clientIdParameter?: 'client_key'
  /** Options of this provider only. */
  readonly options?: O
  /** Makes the client secret when the option `clientSecret` is absent. @param now for its expiry */
  clientSecret?(options: OptionsWith<O>, now: Date): Promise<string>
  /** The options that it needs. */
  readonly clientSecretOptions?: readonly string[]
  /** Whether `login_hint` is sent (OpenID Connect Core §3.1.2.1). */
  readonly loginHint?: boolean
  /** More parameters of the authorization request. */
  parameters?(request: AuthorizationRequest<O>): Parameters
  /** The first parameters of the authorization request, in this order; default: the order of contract 03 §6. */
  readonly parameterOrder?: readonly string[]
  /** More parameters of the token request. @param callback the parameters of the callback */
  tokenParameters?(callback: Parameters): Parameters
  /** `false`: the provider has no refresh tokens. */
  readonly refresh?: false
  /** More parameters of the refresh request. */
  refreshParameters?(request: AuthorizationRequest<O>): Parameters
  /** Whether an app can sign in with an ID token that it got itself. */
  readonly idTokenSignIn?: boolean
  /** Audiences of such an ID token; default: the client ID. */
  audiences?(options: OptionsWith<O>): readonly string[]
  /** Accepted issuers, if there are others than `issuer`. @param claims not verified */
  issuers?(claims: JWTPayload, request: Pick<ProfileRequest<O>, 'options' | 'endpoints'>): readonly string[]
  /** Seconds after which an ID token of an app is too old. Default: until it expires. */
  readonly maxTokenAge?: number
  /** @returns null when the provider has no usable profile @throws when the provider's response is not as documented */
  profile(request: ProfileRequest<NoInfer<O>>): Promise<FetchedProfile | null>
}

/** Declares a provider. */
export const provider = <const O extends Shape = Record<never, never>>(
  declaration: ProviderDeclaration<O>,
): ProviderDeclaration<O> => declaration

/** Maps the members that the provider sent; null for a user who must not sign in. */
type MapProfile = (sent: Members, request: ProfileRequest) => SentProfile | null

/** A profile from the claims of the ID token. */
export const profileFromClaims =
  (map: MapProfile) =>
  async (request: ProfileRequest): Promise<FetchedProfile | null> => {
    const profile = request.claims && map(request.claims, request)
    return profile && { profile, data: request.claims }
  }

/** A profile from the user info endpoint. @param load default: GET with the access token */
export const profileFromUserInfo =
  (map: MapProfile, load = (request: ProfileRequest) => request.get()) =>
  async (request: ProfileRequest): Promise<FetchedProfile | null> => {
    const data = await load(request)
    const profile = map(membersOf(data), request)
    return profile && { profile, data: Object(data) }
  }
