/** The state of a sign-in that was started: stored once, bound to the browser, and consumed by the callback (RFC 6749 §10.12). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import { ApiError, defineErrors } from '../../core/errors.ts'
import type { CallContext } from '../../core/request.ts'
import { apiURL } from '../../core/route.ts'
import { signCookie } from '../../lib/cookie.ts'
import { errorReason } from '../../lib/redact.ts'
import { tokenAlphabet } from '../../lib/text.ts'
import {
  consumeVerification,
  createVerification,
  findVerification,
  type TokenPurpose,
  errors as verificationErrors,
} from '../verifications/index.ts'
import type { ConfiguredProvider } from './configured-providers.ts'
import { scopesToRequest, usesNonce } from './protocol.ts'

export const errors = defineErrors({
  UNABLE_TO_CREATE_VERIFICATION: [500, 'Unable to create verification'],
})

/** Seconds that a user has at the provider. */
const lifetime = 600
const purpose = 'oauth-state'
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
  /** An app with a scheme of its own started it: no browser is signed in, see `start.ts`. */
  isNative: z.boolean().optional(),
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
export async function createState(
  ctx: CallContext,
  provider: ConfiguredProvider,
  request: FlowRequest,
  { link, isNative }: Pick<SignInState, 'link'> & { readonly isNative: boolean },
): Promise<CreatedState> {
  const scopes = (request.replacesScopes && request.scopes) || scopesToRequest(provider, request.scopes)
  const created = {
    scopes,
    state: ctx.random.token(32, tokenAlphabet),
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
    isNative: isNative || undefined,
    link,
  }
  // Encrypted, because the code verifier is a secret until the callback.
  await storeForState(ctx, purpose, created.state, JSON.stringify(value))
  if (!isNative) bindState(ctx, created.state)
  return created
}

/** Stores a value that belongs to a state, for as long as a state lives. @throws ApiError UNABLE_TO_CREATE_VERIFICATION */
export async function storeForState(ctx: CallContext, use: TokenPurpose, state: string, value: string): Promise<void> {
  const sealed = ctx.keyring.encrypt(use, value)
  await createVerification(ctx, { purpose: use, token: state, value: sealed, expiresIn: lifetime }).catch((error: unknown) => {
    const isRejected = error instanceof ApiError && error.entry.code === verificationErrors.FAILED_TO_CREATE_VERIFICATION.code
    throw isRejected ? new ApiError(errors.UNABLE_TO_CREATE_VERIFICATION) : error
  })
}

const stateCookie = ({ config }: App) => cookieDefinition(config, 'state')

/** Concurrent starts of one browser, such as in several tabs; the oldest leaves first (contract 03 §2). */
const mostStates = 5

/** The state cookie of this response, if it has one. */
export function stateCookieHeader(ctx: CallContext): { readonly name: string; readonly header: string } | null {
  const { name } = stateCookie(ctx)
  const header = ctx.cookies.get(name)
  return header === undefined ? null : { name, header }
}

/** The states that this browser started, oldest first. */
const boundStates = (ctx: CallContext): readonly string[] =>
  ctx.request.signedCookies(stateCookie(ctx).name).flatMap((value) => value.split(','))

function bindStates(ctx: CallContext, states: readonly string[]): void {
  if (states.length === 0) stateCookie(ctx).clear(ctx.cookies)
  else stateCookie(ctx).set(ctx.cookies, signCookie(states.join(','), ctx.keyring), lifetime)
}

/** Binds a state to the browser of this call, next to those of its other tabs. */
export function bindState(ctx: CallContext, state: string): void {
  if (ctx.config.account.skipStateCookieCheck) return
  bindStates(ctx, [...boundStates(ctx).filter((bound) => bound !== state), state].slice(-mostStates))
}

/** Whether this browser presents a state cookie, of any state. A POST from another site has none (RFC 6265bis §5.2). */
export const hasStateCookie = (ctx: CallContext): boolean =>
  ctx.config.account.skipStateCookieCheck || ctx.request.cookie(stateCookie(ctx).name) !== undefined

/**
 * Consumes a state: of concurrent callbacks one gets it. A callback from another browser does not consume it.
 * @returns null when the state is unknown, used, expired, or was created for another browser
 */
export async function consumeState(ctx: CallContext, state: string): Promise<SignInState | null> {
  const bound = boundStates(ctx)
  if (!ctx.config.account.skipStateCookieCheck && !bound.includes(state)) return null
  const sealed = await consumeVerification(ctx, purpose, state)
  if (sealed === null) return null
  bindStates(
    ctx,
    bound.filter((other) => other !== state),
  )
  return storedState.parse(JSON.parse(ctx.keyring.decrypt(purpose, sealed)))
}

const finishedPurpose = 'oauth-finished'
const finished = z.object({ sessionId: z.string(), target: z.string() })

/**
 * Stores where a flow has led, so that the browser may load its callback again. The flow is complete: what prevents this does not
 * fail it.
 * @param sessionId the session that it created, or that asked for the link
 */
export async function storeFinished(ctx: CallContext, state: string, sessionId: string, target: string): Promise<void> {
  await storeForState(ctx, finishedPurpose, state, JSON.stringify({ sessionId, target })).catch((error: unknown) => {
    ctx.log.warn({ reason: errorReason(error) }, 'A finished social sign-in was not stored: its callback cannot be loaded again')
  })
}

/** Where a callback that is loaded again leads; null unless this browser has the session of its flow (contract 03 §3). */
export async function findFinished(ctx: CallContext, state: string): Promise<string | null> {
  const sealed = await findVerification(ctx, finishedPurpose, state)
  if (sealed === null) return null
  const { sessionId, target } = finished.parse(JSON.parse(ctx.keyring.decrypt(finishedPurpose, sealed)))
  const identity = await ctx.identify({ refresh: false })
  return identity?.session.id === sessionId ? target : null
}
