/** The callback of a provider, for both paths (contract 03 §3, §8): error, state, code, tokens, profile, then the link or the sign-in. */
import { z } from 'zod'
import { reportFailure } from '../../core/app.ts'
import { holdCredential } from '../../core/credential-hold.ts'
import { ApiError, RedirectError } from '../../core/errors.ts'
import { EndOfCall, redirect } from '../../core/reply.ts'
import type { CallContext } from '../../core/request.ts'
import { definedParameters } from '../../lib/objects.ts'
import { bannedUser, hasSession, lockedAccount } from '../sessions/index.ts'
import { type ConfiguredProvider, findEndpoints, findProvider, warnOf } from './configured-providers.ts'
import { missingEmail, signInByIdentity } from './identity.ts'
import { type Identity, type LinkRequest, linkIdentity } from './linking.ts'
import { fetchProfile, type ProfileInput } from './profile.ts'
import { exchangeCode } from './protocol.ts'
import { type Codes, coreCodes, foreignError, genericCodes, providerErrors } from './redirect-codes.ts'
import { asApp, handOver, handOverChallenge } from './start.ts'
import { consumeState, findFinished, hasStateCookie, type SignInState, storeFinished } from './state.ts'

const text = z.string().optional()

/** Parameters that providers send. `user`: Apple, as JSON; `device_id`: VK; `iss`: RFC 9207. */
export const callbackParameters = z
  .object({
    code: text,
    error: text,
    error_description: text,
    state: text,
    device_id: text,
    iss: text,
    user: text,
  })
  .meta({ examples: [{ code: '4a0bC9dEf1', state: '2y9Xh_SgQmWlKpTnVbRcDeFaJuLiOzE-' }] })
export type CallbackParameters = z.output<typeof callbackParameters>

const maxErrorLength = 200
const maxDescriptionLength = 500

/** Half of a surrogate pair at the end could not be percent-encoded. */
const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()

/** @throws RedirectError with the provider's own error, which is shown to the user as text only */
export function throwProviderError(error: string, description: string | undefined): never {
  throw new RedirectError(undefined, cut(error, maxErrorLength), {
    description: description && cut(description, maxDescriptionLength),
    ...(!providerErrors.includes(error) && { family: foreignError }),
  })
}

/**
 * A POST from a provider's page comes without our cookies, as they are `SameSite=Lax`: the browser repeats it as a GET, which has
 * them (contract 03 §2).
 * @param open called when the cookies are there
 */
export function openFormPost<T>(
  ctx: CallContext,
  parameters: CallbackParameters | undefined,
  open: (parameters: CallbackParameters) => Promise<T>,
) {
  if (!parameters) throw new RedirectError(undefined, 'invalid_callback_request')
  if (hasStateCookie(ctx)) return open(parameters)
  return redirect(`${ctx.request.url().pathname}?${new URLSearchParams(definedParameters(parameters))}`, 303)
}

/** The callback of a provider of `socialProviders`; those of `genericOAuth` may use it too. */
export async function openCallback(ctx: CallContext, providerId: string, parameters: CallbackParameters) {
  return guardUnexpected(ctx, async () => {
    const { error, error_description, state, code } = parameters
    if (error) throwProviderError(error, error_description)
    if (!state) throw new RedirectError(undefined, 'state_not_found')
    const started = await consumeState(ctx, state)
    if (!started) return openAgain(ctx, state)
    if (!code) throw new RedirectError(started.errorURL, 'no_code')
    const provider = findProvider(ctx, providerId)
    if (!provider) throw new RedirectError(started.errorURL, 'oauth_provider_not_found')
    return complete(ctx, { provider, started, code, parameters, codes: coreCodes })
  })
}

/** The callback of a provider of `genericOAuth`. @param provider configured */
export async function openGenericCallback(ctx: CallContext, provider: ConfiguredProvider, parameters: CallbackParameters) {
  return guardUnexpected(ctx, async () => {
    const { state, code } = parameters
    const started = state ? await consumeState(ctx, state) : null
    if (!started) return openAgain(ctx, state)
    return complete(ctx, { provider, started, code: code ?? '', parameters, codes: genericCodes })
  })
}

/** A callback whose state is not usable: the browser that has finished it goes on to its target. @throws RedirectError */
async function openAgain(ctx: CallContext, state: string | undefined) {
  const target = state ? await findFinished(ctx, state) : null
  if (target === null) throw new RedirectError(undefined, 'please_restart_the_process')
  return redirect(target)
}

interface Completion {
  readonly provider: ConfiguredProvider
  readonly started: SignInState
  readonly code: string
  readonly parameters: CallbackParameters
  readonly codes: Codes
}

async function complete(ctx: CallContext, completion: Completion) {
  const { provider, started, parameters, codes } = completion
  const fail = (code: string): never => {
    throw new RedirectError(started.errorURL, code)
  }
  const sent = (await requestTokens(ctx, completion)) ?? fail(codes.rejectedCode)
  const fetched = await requestProfile(ctx, completion, sent)
  if (fetched === 'failed') return fail(codes.failedProfile)
  if (!fetched) return fail(codes.noProfile)
  const identity: Identity = { ...fetched, provider, tokens: sent.tokens }
  const noEmail = fetched.needsEmail ? codes.noProfile : codes.noEmail
  if (started.link) return linkFromCallback(ctx, identity, { ...completion, link: started.link, codes: { ...codes, noEmail } })
  const signingIn = signInByIdentity(started.isNative ? asApp(ctx) : ctx, identity, { ...started, reply: 'redirect' })
  const result = await (started.isNative ? signingIn.catch(handOverChallenge(ctx, started.callbackURL)) : signingIn)
  if ('challenge' in result) return redirect(result.challenge)
  if ('failure' in result && result.failure === missingEmail) return fail(noEmail)
  if ('failure' in result)
    throw new RedirectError(started.errorURL, result.failure.replaceAll(' ', '_'), { family: foreignError })
  const newUserURL = result.isNew ? started.newUserURL : undefined
  if (started.isNative) return redirect(handOver(ctx, [newUserURL, started.callbackURL]))
  return finish(ctx, parameters, result.session.id, newUserURL || started.callbackURL)
}

async function finish(ctx: CallContext, { state }: CallbackParameters, sessionId: string, target: string) {
  if (state) await storeFinished(ctx, state, sessionId, target)
  return redirect(target)
}

/** @returns null when the provider did not accept the code, or the callback belongs to another provider (RFC 9700 §4.4) */
async function requestTokens(ctx: CallContext, { provider, started, code, parameters }: Completion) {
  if (started.providerId !== provider.id) return null
  try {
    const endpoints = await findEndpoints(ctx, provider)
    const input = { code, iss: parameters.iss, deviceId: parameters.device_id, codeVerifier: started.codeVerifier }
    return { endpoints, tokens: await exchangeCode(ctx, provider, endpoints, input) }
  } catch (error) {
    warnOf(ctx, provider, 'A provider did not accept a code', error)
    return null
  }
}

async function requestProfile(
  ctx: CallContext,
  { provider, started, parameters }: Completion,
  sent: Pick<ProfileInput, 'endpoints' | 'tokens'>,
) {
  try {
    return await fetchProfile(ctx, provider, { ...sent, nonce: started.nonce, postedUser: readPosted(parameters.user) })
  } catch (error) {
    warnOf(ctx, provider, 'A provider did not identify a user', error)
    return 'failed' as const
  }
}

/** Apple's `user`; anything else than JSON counts as absent. */
function readPosted(user: string | undefined): unknown {
  try {
    return user === undefined ? null : JSON.parse(user)
  } catch {
    return null
  }
}

const linkCodes = {
  'linking not allowed': 'unable_to_link_account',
  'account of another user': 'account_already_linked_to_different_user',
  'unable to link account': 'unable_to_link_account',
} as const

async function linkFromCallback(
  ctx: CallContext,
  identity: Identity,
  { started, link, parameters, codes }: Completion & { readonly link: LinkRequest },
) {
  const { userId, sessionId } = link
  // What it wrote after the session has ended would outlive a takeover.
  holdCredential(ctx, { credential: { id: sessionId }, user: { id: userId }, hold: (tx) => hasSession(tx, userId, sessionId) })
  const result = await linkIdentity(ctx, identity, link)
  if (!('failure' in result)) return finish(ctx, parameters, sessionId, started.callbackURL)
  const code = { ...linkCodes, 'different email': codes.differentEmail, [missingEmail]: codes.noEmail }[result.failure]
  throw new RedirectError(started.errorURL, code)
}

/** Of an incident. */
const frozenCodes: Readonly<Record<string, string>> = { SIGN_IN_FROZEN: 'sign_in_frozen', SIGN_UP_FROZEN: 'sign_up_frozen' }

/** A browser gets the error page also when something unexpected fails. Every failure is a failed sign-in. @throws RedirectError */
async function guardUnexpected<T>(app: CallContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof EndOfCall) throw error
    app.subject.hasFailed = true
    if (error instanceof RedirectError) throw error
    // Always to the default error page (contract 05 §1).
    if (error instanceof ApiError && error.entry.code === bannedUser('').code)
      throw new RedirectError(undefined, 'banned', { description: error.message, cause: error })
    if (error instanceof ApiError && error.entry.code === lockedAccount().code)
      throw new RedirectError(undefined, 'account_locked', { cause: error })
    const frozen = error instanceof ApiError ? frozenCodes[error.entry.code] : undefined
    if (frozen) throw new RedirectError(undefined, frozen, { cause: error })
    reportFailure(app, error, 'A callback', { requestId: app.request.id })
    throw new RedirectError(undefined, 'internal_server_error', { cause: error })
  }
}
