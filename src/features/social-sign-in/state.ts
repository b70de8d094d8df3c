/** The state of a sign-in that was started: stored once, bound to the browser, and consumed by the callback (RFC 6749 §10.12). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import { ApiError, defineErrors } from '../../core/errors.ts'
import type { CallContext } from '../../core/request.ts'
import { apiURL } from '../../core/route.ts'
import { readSignedCookies, signCookie } from '../../lib/cookie.ts'
import { consumeVerification, createVerification, errors as verificationErrors } from '../verifications/index.ts'
import { type ConfiguredProvider, findEndpoints, warnOf } from './configured-providers.ts'
import { authorizationURL, scopesToRequest, usesNonce } from './protocol.ts'

export const errors = defineErrors({
  INVALID_OAUTH_CONFIGURATION: [400, 'Invalid OAuth configuration'],
  UNABLE_TO_CREATE_VERIFICATION: [500, 'Unable to create verification'],
})

/** Scopes in a request: together with the login hint they fit into a URL. */
export const requestedScopes = z.array(z.string().max(512)).max(100)
/** The account that a user means, such as an email address. */
export const loginHint = z.string().max(2048)

/** Seconds that a user has at the provider. */
const lifetime = 600
const purpose = 'oauth-state'
const stateAlphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_'
/** RFC 7636 §4.1: the longest one. */
const verifierLength = 128

const storedState = z.object({
  providerId: z.string(),
  callbackURL: z.string(),
  errorURL: z.string().optional(),
  newUserURL: z.string().optional(),
  codeVerifier: z.string(),
  /** When the request had one. */
  nonce: z.string().optional(),
  requestSignUp: z.boolean().optional(),
  /** The user to link, and the session that asked for it. */
  link: z.object({ userId: z.string(), email: z.string(), sessionId: z.string() }).optional(),
})
export type SignInState = z.output<typeof storedState>

/** What a call says about the flow that it starts. */
export interface FlowRequest {
  readonly callbackURL?: string | undefined
  readonly errorCallbackURL?: string | undefined
  readonly newUserCallbackURL?: string | undefined
  readonly requestSignUp?: boolean | undefined
  readonly scopes?: readonly string[] | undefined
  /** Whether `scopes` replace those of the configuration. */
  readonly replacesScopes?: boolean
  readonly loginHint?: string | undefined
}

interface CreatedState {
  readonly scopes: readonly string[]
  readonly state: string
  readonly codeVerifier: string
  readonly nonce: string | undefined
}

/** Creates a state, and the cookie that binds it to this browser. @throws ApiError UNABLE_TO_CREATE_VERIFICATION */
async function createState(
  ctx: CallContext,
  provider: ConfiguredProvider,
  request: FlowRequest,
  link?: SignInState['link'],
): Promise<CreatedState> {
  const scopes = (request.replacesScopes && request.scopes) || scopesToRequest(provider, request.scopes)
  const created = {
    scopes,
    state: ctx.random.token(32, stateAlphabet),
    codeVerifier: ctx.random.token(verifierLength),
    nonce: usesNonce(provider, scopes) ? ctx.random.token(32) : undefined,
  }
  const value: SignInState = {
    providerId: provider.id,
    callbackURL: request.callbackURL || new URL(apiURL(ctx.config)).origin,
    // Empty counts as absent (contract 00 §13).
    errorURL: request.errorCallbackURL || undefined,
    newUserURL: request.newUserCallbackURL,
    codeVerifier: created.codeVerifier,
    nonce: created.nonce,
    requestSignUp: request.requestSignUp,
    link,
  }
  // Encrypted, because the code verifier is a secret until the callback.
  const sealed = ctx.keyring.encrypt(purpose, JSON.stringify(value))
  await createVerification(ctx, { purpose, token: created.state, value: sealed, expiresIn: lifetime }).catch((error: unknown) => {
    const isRejected = error instanceof ApiError && error.entry.code === verificationErrors.FAILED_TO_CREATE_VERIFICATION.code
    throw isRejected ? new ApiError(errors.UNABLE_TO_CREATE_VERIFICATION) : error
  })
  if (!ctx.config.account.skipStateCookieCheck)
    stateCookie(ctx).set(ctx.cookies, signCookie(created.state, ctx.keyring), lifetime)
  return created
}

const stateCookie = ({ config }: App) => cookieDefinition(config, 'state')

/** Whether this browser presents a state cookie, of any state. A POST from another site has none (RFC 6265bis §5.2). */
export const hasStateCookie = (ctx: CallContext): boolean =>
  ctx.config.account.skipStateCookieCheck || ctx.request.cookie(stateCookie(ctx).name) !== undefined

/**
 * Consumes a state: of concurrent callbacks one gets it. A callback from another browser does not consume it.
 * @returns null when the state is unknown, used, expired, or was created for another browser
 */
export async function consumeState(ctx: CallContext, state: string): Promise<SignInState | null> {
  if (!ctx.config.account.skipStateCookieCheck) {
    const bound = readSignedCookies(ctx.request.cookies(stateCookie(ctx).name), ctx.keyring)
    if (!bound.includes(state)) return null
  }
  const sealed = await consumeVerification(ctx, purpose, state)
  if (sealed === null) return null
  stateCookie(ctx).clear(ctx.cookies)
  return storedState.parse(JSON.parse(ctx.keyring.decrypt(purpose, sealed)))
}

/**
 * Starts a flow: creates its state, and makes the URL of the provider.
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
  const created = await createState(ctx, provider, request, link)
  return authorizationURL(ctx, provider, authorizationEndpoint, { ...created, loginHint: request.loginHint })
}
