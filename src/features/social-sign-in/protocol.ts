/** OAuth 2 as a client: the authorization request, and the token endpoint. One code for all providers. */
import * as oauth from 'oauth4webapi'
import type { App } from '../../core/app.ts'
import { definedParameters } from '../../lib/objects.ts'
import { type ConfiguredProvider, findEndpoints, redirectURI, type ServerEndpoints } from './configured-providers.ts'
import { type Parameters, type ProviderTokens, ResponseError } from './provider.ts'
import { clientIdsOf } from './provider-options.ts'
import { firstText, membersOf } from './reading.ts'

/** Where parameters with these names are in an authorization request (contract 03 §6). */
const early = ['duration', 'display', 'login_hint', 'prompt', 'hd', 'access_type', 'response_mode']
const late = ['claims']

export interface AuthorizationInput {
  readonly state: string
  readonly codeVerifier: string
  readonly nonce: string | undefined
  readonly scopes: readonly string[]
  readonly loginHint?: string | undefined
}

export const usesPKCE = ({ declaration, options }: ConfiguredProvider): boolean => options.pkce ?? declaration.pkce

/** A nonce protects what PKCE would: a stolen code cannot be used in another browser (RFC 9700 §4.5.3). */
export const usesNonce = (provider: ConfiguredProvider, scopes: readonly string[]): boolean =>
  provider.declaration.nonce === true && !usesPKCE(provider) && (!provider.generic || scopes.includes('openid'))

/**
 * The scopes to request: what the provider needs, the configuration adds, and the request adds (contract 03 §6, §8).
 * @param requested of the call
 */
export function scopesToRequest(
  { declaration, options, generic }: ConfiguredProvider,
  requested: readonly string[] = [],
): string[] {
  if (generic) return [...requested, ...options.scope]
  const defaults = options.disableDefaultScope ? [] : Object.keys(declaration.scopes)
  if (declaration.requestedScopesFirst) return [...defaults, ...requested, ...options.scope]
  return [...defaults, ...options.scope, ...requested]
}

/** The URL to which the browser is sent (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export async function authorizationURL(
  app: App,
  provider: ConfiguredProvider,
  endpoint: string,
  input: AuthorizationInput,
): Promise<string> {
  const url = new URL(endpoint)
  for (const [name, value] of await authorizationParameters(app, provider, input)) url.searchParams.set(name, value)
  return url.href
}

async function authorizationParameters(app: App, provider: ConfiguredProvider, input: AuthorizationInput) {
  const { declaration, options } = provider
  const { scopes, loginHint } = input
  const more: Parameters = {
    login_hint: declaration.loginHint ? loginHint : undefined,
    prompt: options.prompt,
    response_mode: options.responseMode,
    ...declaration.parameters?.({ options, loginHint, scopes }),
  }
  const only = (names: readonly string[]): Parameters => Object.fromEntries(names.map((name) => [name, more[name]]))
  const isElsewhere = (name: string) => early.includes(name) || late.includes(name)
  const challenge = { code_challenge_method: 'S256', code_challenge: await oauth.calculatePKCECodeChallenge(input.codeVerifier) }
  const parameters: Parameters = {
    response_type: declaration.responseType ?? 'code',
    [declaration.clientIdParameter ?? 'client_id']: clientIdOf(provider),
    state: input.state,
    scope: scopes.length > 0 ? scopes.join(declaration.scopeSeparator ?? ' ') : undefined,
    redirect_uri: redirectURI(app.config, provider),
    ...only(early),
    ...(usesPKCE(provider) && challenge),
    ...only(late),
    ...Object.fromEntries(Object.entries(more).filter(([name]) => !isElsewhere(name))),
    nonce: input.nonce,
  }
  const { parameterOrder: order = [] } = declaration
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return Object.entries(definedParameters(parameters)).sort(([one], [other]) => rank(one) - rank(other))
}

/** The client ID that starts sign-ins. */
function clientIdOf({ declaration, options }: ConfiguredProvider): string {
  const [clientId = ''] = clientIdsOf(options)
  return declaration.clientIdParameter === undefined ? clientId : (options.clientKey ?? clientId)
}

/** What the callback got, and what the request had. */
export interface CodeInput {
  readonly code: string
  /** The issuer in the callback (RFC 9207). */
  readonly iss?: string | undefined
  readonly deviceId?: string | undefined
  readonly codeVerifier: string
}

/**
 * Exchanges a code for tokens (RFC 6749 §4.1.3).
 * @throws Error when the callback is of another issuer, or the provider rejects the code or sends no valid response
 */
export async function exchangeCode(
  app: App,
  provider: ConfiguredProvider,
  endpoints: ServerEndpoints,
  input: CodeInput,
): Promise<ProviderTokens> {
  const { declaration, options, generic } = provider
  const server = serverOf(endpoints, endpoints.tokenEndpoint)
  const client = { client_id: clientIdOf(provider) }
  // A provider whose issuer is not known cannot be confused: each has a redirect URI of its own (RFC 9700 §4.4.2).
  const iss = endpoints.issuer === undefined || endpoints.issuer.includes('{') ? undefined : input.iss
  const answered = new URLSearchParams({ code: input.code, ...(iss !== undefined && { iss }) })
  const callback = oauth.validateAuthResponse(server, client, answered)
  const more: Parameters = {
    ...(options.clientKey !== undefined && { client_key: options.clientKey }),
    ...declaration.tokenParameters?.({ device_id: input.deviceId }),
  }
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    await authenticate(app, provider),
    callback,
    redirectURI(app.config, provider),
    usesPKCE(provider) ? input.codeVerifier : oauth.nopkce,
    {
      ...requestOptions(app, provider, endpoints.tokenEndpoint),
      additionalParameters: definedParameters(more),
      headers: generic?.authorizationHeaders ?? {},
    },
  )
  return readTokens(app, response, (conforming) => oauth.processAuthorizationCodeResponse(server, client, conforming))
}

/**
 * Gets new tokens with a refresh token (RFC 6749 §6).
 * @throws Error when the provider rejects it or sends no valid response
 */
export async function refreshTokens(
  app: App,
  provider: ConfiguredProvider,
  refreshToken: string,
  scopes: readonly string[],
): Promise<ProviderTokens> {
  const { declaration, options } = provider
  if (options.refreshAccessToken) return options.refreshAccessToken(refreshToken)
  const endpoints = await findEndpoints(app, provider)
  const server = serverOf(endpoints, endpoints.refreshEndpoint)
  const client = { client_id: clientIdOf(provider) }
  const more = declaration.refreshParameters?.({ options, scopes }) ?? {}
  const response = await oauth.refreshTokenGrantRequest(server, client, await authenticate(app, provider), refreshToken, {
    ...requestOptions(app, provider, endpoints.refreshEndpoint),
    additionalParameters: definedParameters(more),
  })
  return readTokens(app, response, (conforming) => oauth.processRefreshTokenResponse(server, client, conforming))
}

export const canRefresh = ({ declaration, options }: ConfiguredProvider): boolean =>
  options.refreshAccessToken !== undefined || declaration.refresh !== false

function serverOf({ issuer, requiresIssuer }: ServerEndpoints, tokenEndpoint: string | undefined): oauth.AuthorizationServer {
  if (tokenEndpoint === undefined) throw new Error('The provider has no token endpoint')
  return {
    issuer: issuer ?? new URL(tokenEndpoint).origin,
    token_endpoint: tokenEndpoint,
    authorization_response_iss_parameter_supported: requiresIssuer,
  }
}

async function authenticate(app: App, { declaration, options }: ConfiguredProvider): Promise<oauth.ClientAuth> {
  const clientSecret = options.clientSecret ?? (await declaration.clientSecret?.(options, app.now())) ?? ''
  if (declaration.authentication === 'basic') return basic(clientSecret)
  if (declaration.clientIdParameter === undefined) return oauth.ClientSecretPost(clientSecret)
  const name = declaration.clientIdParameter
  return (_server, { client_id }, body) => {
    body.set(name, client_id)
    body.set('client_secret', clientSecret)
  }
}

/**
 * RFC 6749 §2.3.1. `oauth.ClientSecretBasic` also encodes `-`, `_`, `.` and `~`, which are in many secrets, and which X and others do not
 * decode.
 */
const basic =
  (clientSecret: string): oauth.ClientAuth =>
  (_server, { client_id }, _body, headers) => {
    const encode = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
    const pair = `${encode(client_id)}:${encode(clientSecret)}`
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }

/** The library names itself; providers that limit requests by product must see the name that `app.fetch` sets. */
const withoutLibraryName = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => !value.startsWith('oauth4webapi/')))

type TokenRequest = oauth.CustomFetchOptions<string, URLSearchParams>

/** Plain HTTP only where the configuration names it: it is checked there. */
const requestOptions = (app: App, { declaration }: ConfiguredProvider, url: string | undefined) => ({
  [oauth.customFetch]: (target: string, { signal: _, body, ...init }: TokenRequest) => {
    const headers = withoutLibraryName(init.headers)
    return declaration.tokenRequestFormat === 'json'
      ? app.fetch(target, {
          ...init,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(Object.fromEntries(body)),
        })
      : app.fetch(target, { ...init, headers, body })
  },
  [oauth.allowInsecureRequests]: url?.startsWith('http:') === true,
})

/**
 * Providers differ from RFC 6749 §5.1 in status, media type and all members but the access token, so that only that one is checked. The
 * ID token is verified later.
 */
async function readTokens(
  app: App,
  response: Response,
  validate: (conforming: Response) => Promise<oauth.TokenEndpointResponse>,
): Promise<ProviderTokens> {
  const sent: unknown = await response.json().catch((error: unknown) => {
    if (response.ok) throw error
  })
  const { error, access_token, refresh_token, id_token, scope, token_type, ...body } = membersOf(sent)
  if (!response.ok || error) throw new ResponseError(response.status, error)
  const { access_token: accessToken } = await validate(Response.json({ access_token, token_type: 'bearer' }))
  return {
    accessToken,
    refreshToken: firstText(refresh_token) || undefined,
    idToken: firstText(id_token) || undefined,
    accessTokenExpiresAt: expiry(app, body.expires_in),
    refreshTokenExpiresAt: expiry(app, body.refresh_token_expires_in ?? body.refresh_expires_in),
    tokenType: firstText(token_type) || 'bearer',
    scopes: Array.isArray(scope) ? scope.filter((one) => typeof one === 'string') : scopesOf(scope),
  }
}

const scopesOf = (scope: unknown): string[] | undefined =>
  typeof scope === 'string' ? scope.split(/[ ,]/).filter(Boolean) : undefined

/** Ten years at most: an expiry of a provider must fit into the column. */
const maxLifeSeconds = 315_360_000

/** @param sent seconds, which some providers send as a text */
function expiry(app: App, sent: unknown): Date | undefined {
  const seconds = Number.parseFloat(String(sent))
  return seconds > 0 ? new Date(app.now().getTime() + Math.min(seconds, maxLifeSeconds) * 1000) : undefined
}
