/**
 * Starts a flow at a provider. In a browser, the state is bound to it by a cookie. An app with a scheme of its own opens the system
 * browser, which has none of the app's cookies: there the flow goes through a starting address that is opened once and sets the cookie,
 * and its callback hands the session to the app (contract 03 §2).
 */
import { z } from 'zod'
import { type App, extend } from '../../core/app.ts'
import { ApiError, defineErrors } from '../../core/errors.ts'
import { EndOfCall } from '../../core/reply.ts'
import type { CallContext } from '../../core/request.ts'
import { apiURL } from '../../core/route.ts'
import type { Config } from '../index.ts'
import { consumeVerification, findVerification } from '../verifications/index.ts'
import { type ConfiguredProvider, findEndpoints, warnOf } from './configured-providers.ts'
import { authorizationURL } from './protocol.ts'
import {
  bindState,
  createState,
  type FlowRequest,
  type SignInState,
  stateCookieHeader,
  errors as stateErrors,
  storeForState,
} from './state.ts'

/** Scopes in a request: together with the login hint they fit into a URL. */
export const requestedScopes = z.array(z.string().max(512)).max(100)
/** The account that a user means, such as an email address. */
export const loginHint = z.string().max(2048)

export const errors = defineErrors({
  INVALID_OAUTH_CONFIGURATION: [400, 'Invalid OAuth configuration'],
  INVALID_AUTHORIZATIONURL: [400, 'Invalid authorizationURL'],
})

const { INVALID_OAUTH_CONFIGURATION } = errors
/** Of the calls that start a flow. */
export const startErrors = { INVALID_OAUTH_CONFIGURATION, ...stateErrors }

/**
 * Starts a flow: creates its state, and makes the URL of the provider.
 * @returns the URL to open: of the provider, or the starting address for a native app
 * @throws ApiError INVALID_OAUTH_CONFIGURATION when the provider has no endpoints, or they cannot be discovered;
 * UNABLE_TO_CREATE_VERIFICATION when a hook rejects the state
 */
export async function startFlow(
  ctx: CallContext,
  provider: ConfiguredProvider,
  request: FlowRequest,
  link?: SignInState['link'],
): Promise<string> {
  const { authorizationEndpoint, tokenEndpoint } = await findEndpoints(ctx, provider).catch((error: unknown) => {
    warnOf(ctx, provider, 'The endpoints of a provider cannot be discovered', error)
    return { authorizationEndpoint: undefined, tokenEndpoint: undefined }
  })
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined) throw new ApiError(errors.INVALID_OAUTH_CONFIGURATION)
  // A link that an attacker started natively could be finished in the browser of another user, whose social account it would link.
  const isNative = !link && isStartedByApp(ctx, request)
  const created = await createState(ctx, provider, request, { link, isNative })
  const url = await authorizationURL(ctx, provider, authorizationEndpoint, { ...created, loginHint: request.loginHint })
  if (!isNative) return url
  await storeForState(ctx, startPurpose, created.state, url)
  return `${startingAddress(ctx)}?${new URLSearchParams({ authorizationURL: url })}`
}

const startPurpose = 'oauth-start'
/** The path that the published Expo client opens in the system browser. */
const startingPath = '/expo-authorization-proxy'
const startingAddress = ({ config }: App): string => apiURL(config) + startingPath

/** Whether a URL has the scheme of an app, such as `myapp://`. */
const isAppURL = (text: string | undefined): text is string => {
  const protocol = text === undefined ? undefined : URL.parse(text)?.protocol
  return protocol !== undefined && protocol !== 'http:' && protocol !== 'https:'
}

/** Whether apps with a scheme of their own are trusted: without one, no flow is native. */
export const hasApps = ({ trustedOrigins }: Config): boolean =>
  typeof trustedOrigins === 'function' || trustedOrigins.some(isAppURL)

/** Browsers send an origin and Fetch Metadata with a POST, programs neither. The cookies that a client stores say nothing. */
const isStartedByApp = ({ request }: CallContext, { callbackURL }: FlowRequest): boolean =>
  isAppURL(callbackURL) && !request.header('origin')?.startsWith('http') && request.header('sec-fetch-site') === undefined

/**
 * Opens a starting address in the system browser: binds the state to that browser. Of concurrent requests one gets it.
 * @param given the URL of the provider as the start returned it, also within the starting address, as the client of 1.7 sends it
 * @returns the URL of the provider
 * @throws ApiError INVALID_AUTHORIZATIONURL unless it is the URL of a native start that is still open
 */
export async function openStartingAddress(ctx: CallContext, given: string): Promise<string> {
  const sent = URL.parse(given)
  const isWrapped = sent !== null && sent.origin + sent.pathname === startingAddress(ctx)
  const url = isWrapped ? sent.searchParams.get('authorizationURL') : given
  const state = url === null ? null : URL.parse(url)?.searchParams.get('state')
  const stored = state ? await findVerification(ctx, startPurpose, state) : null
  const isSame = stored !== null && ctx.keyring.decrypt(startPurpose, stored) === url
  if (!url || !state || !isSame || (await consumeVerification(ctx, startPurpose, state)) === null)
    throw new ApiError(errors.INVALID_AUTHORIZATIONURL)
  bindState(ctx, state)
  return url
}

/**
 * The context in which the callback of a native start signs in: the session of the system browser is not that of the app, and is
 * neither replaced nor read.
 */
export const asApp = (ctx: CallContext): CallContext =>
  extend(ctx, { sessionToken: () => null, credential: () => null, identify: async () => null })

/**
 * Hands the cookies of a session that was just created to the app, as the parameter that the published Expo client reads. The browser
 * gets none: a link with the state of an attacker would sign its visitor in to the attacker's account.
 * @param targets the first one with the scheme of an app is opened
 */
export function handOver(ctx: CallContext, targets: readonly (string | undefined)[]): string {
  const url = new URL(targets.find(isAppURL) ?? '')
  const own = stateCookieHeader(ctx)
  url.searchParams.set(
    'cookie',
    ctx.cookies
      .headers()
      .filter((header) => header !== own?.header)
      .join(', '),
  )
  ctx.cookies.discard()
  if (own) ctx.cookies.set(own.name, own.header)
  return url.href
}

/** Hands a challenge to the app: a page in this browser could not give the app its session. @returns a handler of errors */
export const handOverChallenge =
  (ctx: CallContext, target: string) =>
  (error: unknown): { readonly challenge: string } => {
    if (error instanceof EndOfCall) return { challenge: handOver(ctx, [target]) }
    throw error
  }
