/**
 * Calls the functions of the configuration (contract 12 §1). They run outside transactions, and an error in one rejects the call: what
 * `refusal` says, else 500.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON, VerifiedRegistrationResponse } from '@simplewebauthn/server'
import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import type { CallContext } from '../../core/request.ts'
import { isObject } from '../../lib/objects.ts'
import { claimBefore, type ReadChallenge } from './challenge.ts'
import { fitsAsExtensions, type PasskeyCall, type RegistrationUser, type ResolvedUser, resolvedUser } from './function-options.ts'
import { errors } from './store.ts'
import type { Assertion, BrowserResponse } from './verification.ts'

/** The headers are read when a function asks for them, which few do. */
const describeCall = ({ request }: CallContext): PasskeyCall => ({
  method: request.method,
  path: request.path,
  headers: { get: (name) => request.header(name.toLowerCase()) ?? null },
  query: Object.fromEntries(request.queryParameters()),
  address: request.address(),
  requestId: request.id,
})

/** What the options for the browser contain. @throws TypeError when the function returns no extensions */
export async function extensionsOf(
  ctx: CallContext,
  ceremony: 'registration' | 'authentication',
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { extensions } = ctx.config.passkey[ceremony]
  if (typeof extensions !== 'function') return extensions
  const made: unknown = await extensions({ ctx: describeCall(ctx) })
  if (made === undefined) return undefined
  if (!isObject(made) || Array.isArray(made) || !fitsAsExtensions(made))
    throw new TypeError(`passkey.${ceremony}.extensions must return an object of at most 8192 bytes`)
  return { ...made }
}

/** The cookie of the challenge carries it, and browsers drop a longer one. */
const mostBytes = 2400

/**
 * Who registers a passkey without a session.
 * @param context as the client sent it: nothing of it was verified
 * @throws ApiError SESSION_REQUIRED when the function knows no one, RESOLVED_USER_INVALID
 */
export async function resolveUser(ctx: CallContext, context: string | null): Promise<ResolvedUser> {
  const given = await ctx.config.passkey.registration.resolveUser?.({ ctx: describeCall(ctx), context })
  if (given === undefined || given === null) throw new ApiError(errors.SESSION_REQUIRED)
  const read = resolvedUser.safeParse(given)
  const resolved = read.success ? { ...read.data, context } : null
  if (!resolved || Buffer.byteLength(JSON.stringify(resolved)) > mostBytes) throw new ApiError(errors.RESOLVED_USER_INVALID)
  return resolved
}

const approval = z.object({ userId: z.string().max(64).nullish(), name: z.string().nullish() }).nullish()
const longestName = 64

interface Registration {
  readonly challenge: ReadChallenge
  readonly credential: { readonly verification: VerifiedRegistrationResponse }
}

/** A registration to ask about. */
interface Question<V extends Registration> {
  readonly verified: V
  readonly response: BrowserResponse
  readonly user: RegistrationUser
  readonly context: string | null
  /** As the client wants to call the passkey. */
  readonly name: string
}

export interface Approved<V extends Registration> {
  readonly verified: V
  /** That of the question, unless the function has named another one. */
  readonly userId: string
  readonly name: string | null
}

/**
 * Asks `registration.afterVerification`, once for a challenge: it may create the user.
 * @throws ApiError CHALLENGE_NOT_FOUND for a challenge that was used, RESOLVED_USER_INVALID for another result than is documented
 */
export async function approveRegistration<V extends Registration>(
  ctx: CallContext,
  { verified, response, user, context, name }: Question<V>,
): Promise<Approved<V>> {
  const { afterVerification } = ctx.config.passkey.registration
  if (!afterVerification) return { verified, userId: user.id, name: name || null }
  const challenge = await claimBefore(ctx, verified.challenge)
  const { verification } = verified.credential
  const clientData = response as unknown as RegistrationResponseJSON
  const result = approval.safeParse(await afterVerification({ ctx: describeCall(ctx), verification, user, clientData, context }))
  if (!result.success) throw new ApiError(errors.RESOLVED_USER_INVALID)
  const label = result.data?.name?.trim().slice(0, longestName)
  return { verified: { ...verified, challenge }, userId: result.data?.userId || user.id, name: name || label || null }
}

/**
 * The same for a passkey of a known user, which no function can give to another one.
 * @throws ApiError YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY; those of `approveRegistration`
 */
export async function approveOwn<V extends Registration>(ctx: CallContext, question: Question<V>): Promise<Approved<V>> {
  const approved = await approveRegistration(ctx, question)
  if (approved.userId !== question.user.id) throw new ApiError(errors.YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY)
  return approved
}

interface AssertionQuestion extends Pick<Assertion, 'verification'> {
  readonly challenge: ReadChallenge
  readonly response: BrowserResponse
  readonly userId: string
}

/**
 * Asks `authentication.afterVerification`, once for a challenge.
 * @returns the challenge, which is used when there is a function
 * @throws ApiError CHALLENGE_NOT_FOUND for a challenge that was used
 */
export async function approveAssertion(
  ctx: CallContext,
  { challenge, verification, response, userId }: AssertionQuestion,
): Promise<ReadChallenge> {
  const { afterVerification } = ctx.config.passkey.authentication
  if (!afterVerification) return challenge
  const claimed = await claimBefore(ctx, challenge)
  const clientData = response as unknown as AuthenticationResponseJSON
  try {
    await afterVerification({ ctx: describeCall(ctx), verification, clientData })
  } catch (error) {
    Object.assign(ctx.subject, { hasFailed: true, userId, reason: 'application' })
    throw error
  }
  return claimed
}
