/** The providers of the configuration, those of `genericOAuth` included, and their endpoints. */
import { processDiscoveryResponse } from 'oauth4webapi'
import { type App, memo } from '../../core/app.ts'
import type { CallContext } from '../../core/request.ts'
import { apiURL } from '../../core/route.ts'
import { isObject } from '../../lib/objects.ts'
import { errorReason } from '../../lib/redact.ts'
import type { Config } from '../index.ts'
import type { GenericProvider } from './config.ts'
import { type Endpoints, type ProviderDeclaration, ResponseError } from './provider.ts'
import type { ProviderOptions } from './provider-options.ts'
import { providers } from './providers/index.ts'
import { firstText, isYes, membersOf } from './reading.ts'
import { standardProfile } from './standard-profile.ts'

export interface ConfiguredProvider {
  readonly id: string
  readonly declaration: ProviderDeclaration
  readonly options: ProviderOptions
  /** Of `genericOAuth`: its redirect URI, its error codes and the order of its scopes differ (contract 03 §8). */
  readonly generic: GenericProvider | null
}

/** All providers, configured or not, by their ID. */
export const declaredProviders = () => providers

/** The enabled providers in the order of the configuration, so that buttons have this order too. */
export function configuredProviders({ socialProviders, genericOAuth }: Config): readonly ConfiguredProvider[] {
  const enabled = Object.entries(socialProviders).filter(([, options]) => options.enabled)
  const builtIn = enabled.map(([id, options]) => openBuiltIn(id, options))
  return genericOAuth.enabled ? [...builtIn, ...genericOAuth.config.map(openGeneric)] : builtIn
}

/** @param written what the file exports. An operator may register the redirect URI of a provider before they enable it. */
export function disabledProviders({ socialProviders }: Config, written: object): readonly ConfiguredProvider[] {
  const section: unknown = Reflect.get(written, 'socialProviders')
  const names = isObject(section) ? Object.keys(section) : []
  const disabled = Object.entries(socialProviders).filter(([id, options]) => !options.enabled && names.includes(id))
  return disabled.map(([id, options]) => openBuiltIn(id, options))
}

function openBuiltIn(id: string, options: ProviderOptions): ConfiguredProvider {
  const declaration = (providers as Readonly<Record<string, ProviderDeclaration>>)[id]
  if (!declaration) throw new Error(`There is no provider ${id}`)
  return { id, declaration, options, generic: null }
}

const providersById = memo(
  ({ config }: App) => new Map(configuredProviders(config).map((provider) => [provider.id, provider] as const)),
)

export const findProvider = (app: App, id: string): ConfiguredProvider | undefined => providersById(app).get(id)

/** Logs what failed at a provider. Only the reason: errors of the libraries contain responses, and so tokens. */
export function warnOf({ log, request }: CallContext, { id }: ConfiguredProvider, message: string, error: unknown): void {
  log.warn({ providerId: id, requestId: request.id, reason: errorReason(error) }, message)
}

/** The URL to which the provider returns: what is registered there. */
export function redirectURI(config: Config, { id, options, generic }: ConfiguredProvider): string {
  return options.redirectURI ?? `${apiURL(config)}/${generic ? 'oauth2/callback' : 'callback'}/${encodeURIComponent(id)}`
}

/** The page on which operators register an application. A self-hosted instance has its own. */
export function registrationURL({ declaration, options }: ConfiguredProvider): string | undefined {
  const { issuer } = options
  const url = declaration.registrationURL
  if (issuer === undefined || declaration.issuer === undefined) return url
  return url?.replace(declaration.issuer, () => issuer)
}

function openGeneric(generic: GenericProvider): ConfiguredProvider {
  const declaration: ProviderDeclaration = {
    name: generic.name ?? generic.providerId,
    scopes: {},
    pkce: generic.pkce,
    nonce: true,
    authentication: generic.authentication,
    responseType: generic.responseType,
    loginHint: true,
    parameters: () => ({ access_type: generic.accessType, ...generic.authorizationUrlParams }),
    profile: standardProfile,
  }
  const { authorizationUrl, tokenUrl, userInfoUrl, scopes, overrideUserInfo, ...same } = generic
  const options: ProviderOptions = {
    ...same,
    scope: scopes,
    disableDefaultScope: false,
    disableIdTokenSignIn: true,
    overrideUserInfoOnSignIn: overrideUserInfo,
    authorizationEndpoint: authorizationUrl,
    tokenEndpoint: tokenUrl,
    userInfoEndpoint: userInfoUrl,
    clientKey: undefined,
    verifyIdToken: undefined,
    refreshAccessToken: undefined,
  }
  return { id: generic.providerId, declaration, options, generic }
}

/** What an operator configures wins over what the provider announces, which wins over what the declaration says. */
export async function findEndpoints(app: App, provider: ConfiguredProvider): Promise<ServerEndpoints> {
  const { declaration, options, generic } = provider
  const announced: Announced = generic?.discoveryUrl === undefined ? {} : await discover(app, generic)
  const named = Object.fromEntries(endpointNames.map((name) => [name, endpoint(name, { declaration, options, announced })]))
  // A refresh token belongs to the server that issued it.
  const refreshEndpoint = options.tokenEndpoint ?? declaration.refreshEndpoint ?? named.tokenEndpoint
  return { ...named, refreshEndpoint, requiresIssuer: announced.requiresIssuer ?? false }
}

const endpointNames = ['authorizationEndpoint', 'tokenEndpoint', 'userInfoEndpoint', 'issuer', 'jwksUri'] as const

export interface ServerEndpoints extends Endpoints {
  /** Whether the provider names its issuer in every callback (RFC 9207). */
  readonly requiresIssuer: boolean
}
type Announced = Endpoints & { readonly requiresIssuer?: boolean }

interface EndpointSources {
  readonly declaration: ProviderDeclaration
  readonly options: ProviderOptions
  readonly announced: Endpoints
}

/** `{tenantId}` in a declared URL stands for an option of this name; any other name is a claim, and stays. */
function endpoint(name: (typeof endpointNames)[number], { declaration, options, announced }: EndpointSources) {
  const template = options[name] ?? announced[name] ?? declaration[name]
  return template
    ?.replaceAll(/\{(\w+)\}/g, (given, option: string) =>
      String(Reflect.get(options, option) ?? Reflect.get(declaration, option) ?? given),
    )
    .replaceAll(/(?<!:)\/{2,}/g, '/')
}

/** A provider announces new endpoints rarely; keys have a cache of their own. */
const discoveryLifeMs = 3_600_000

const discovered = memo((_: App) => new Map<string, { readonly until: number; readonly announced: Promise<Announced> }>())

/** @throws Error when the provider cannot be reached, or its document is not one of OpenID Connect Discovery 1.0 */
function discover(app: App, generic: GenericProvider): Promise<Announced> {
  const key = generic.providerId
  const known = discovered(app).get(key)
  if (known && known.until > app.now().getTime()) return known.announced
  const announced = fetchDiscovery(app, generic)
  discovered(app).set(key, { until: app.now().getTime() + discoveryLifeMs, announced })
  announced.catch(() => discovered(app).delete(key))
  return announced
}

/**
 * @returns what the provider announces
 * @throws Error when it cannot be reached, the document is not one of this provider, or it announces endpoints less safe than its own
 */
export async function fetchDiscovery(
  app: Pick<App, 'fetch'>,
  { discoveryUrl = '', discoveryHeaders = {}, issuer }: Pick<GenericProvider, 'discoveryUrl' | 'discoveryHeaders' | 'issuer'>,
) {
  const response = await app.fetch(discoveryUrl, { headers: { ...discoveryHeaders, accept: 'application/json' } })
  if (response.status !== 200) throw new ResponseError(response.status)
  const document: unknown = await response.json()
  checkIssuer(discoveryUrl, issuer, firstText(membersOf(document).issuer))
  // Some servers send it as another media type, and null for what they do not have.
  const given = Object.entries(membersOf(document)).filter(([, value]) => value !== null && value !== '')
  const conforming = Response.json(Object.fromEntries(given))
  const server = await processDiscoveryResponse(new URL(issuer ?? firstText(membersOf(document).issuer)), conforming)
  const schemes = discoveryUrl.startsWith('https:') ? ['https:'] : ['https:', 'http:']
  const safe = (name: (typeof announcedEndpoints)[number]) => {
    const endpoint = server[name]
    if (endpoint === undefined || schemes.includes(URL.parse(endpoint)?.protocol ?? '')) return endpoint
    throw new Error(`${name} of the discovery document is not an https URL`)
  }
  return {
    authorizationEndpoint: safe('authorization_endpoint'),
    tokenEndpoint: safe('token_endpoint'),
    userInfoEndpoint: safe('userinfo_endpoint'),
    issuer: server.issuer,
    jwksUri: safe('jwks_uri'),
    requiresIssuer: isYes(server.authorization_response_iss_parameter_supported),
  }
}

const announcedEndpoints = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'] as const

/**
 * The address is configured, and so the issuer must belong to it or be configured too (OpenID Connect Discovery §4.3).
 * @throws Error when it does not
 */
function checkIssuer(discoveryUrl: string, configured: string | undefined, named: string): void {
  if (!named) throw new Error('The discovery document has no issuer')
  const [placeholder] = /\{\w+\}/.exec(named) ?? []
  if (placeholder)
    throw new Error(
      `The issuer in the discovery document has the placeholder ${placeholder}, because the document is for many tenants: use the discovery document of one tenant, or the provider \`microsoft\` for Microsoft`,
    )
  if (configured === undefined && !discoveryUrl.startsWith(`${named.replace(/\/$/, '')}/`))
    throw new Error('The discovery document names another issuer than its address: configure `issuer`')
}
