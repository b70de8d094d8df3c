/** The codes that text messages carry: sent, and compared with a limited number of guesses. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { apiURL } from '../../core/route.ts'
import type { SignInMethod } from '../../core/sign-in.ts'
import { transaction } from '../../core/transaction.ts'
import { guardAttempt, type Proven } from '../attempts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { recordLinkRequest } from '../email-verification/index.ts'
import type { Config } from '../index.ts'
import { boundLine, canSendText, defineTexts, sendText } from '../outbox/index.ts'
import { checkCode, createCode, type FoundCode, randomCode, useCode } from '../verifications/index.ts'
import { errors, findUserByNumber } from './numbers.ts'
import { textsOf } from './texts.ts'

/** As functions of the configuration get it. */
export interface CodeMessage {
  readonly phoneNumber: string
  readonly code: string
  /** Of the hosted page on which the code is entered: the text ends with `@host #code`. */
  readonly host?: string
}

/** A page of an application may be on another host, where browsers would not fill in a code that is bound to ours. */
function hostOf({ config, request }: CallContext): Pick<CodeMessage, 'host'> {
  const { origin, hostname } = new URL(apiURL(config))
  return request.header('origin') === origin ? { host: hostname } : {}
}

/** Where browsers find the code of a text message. */
export const endOf = ({ host, code }: CodeMessage): string => (host === undefined ? '' : boundLine(host, code))

export const texts = defineTexts(textsOf, {
  'phone-verification': {
    option: ({ phoneNumber }) => phoneNumber.sendOTP,
    code: ({ code }) => code,
  },
  'phone-password-reset': {
    option: ({ phoneNumber }) => phoneNumber.sendPasswordResetOTP ?? phoneNumber.sendForgetPasswordOTP,
    code: ({ code }) => code,
  },
})

type Purpose = keyof typeof texts

export const sendsCodes = (config: Config): boolean => canSendText(config, texts['phone-verification'])
/** What a right code proves. */
export const proven = { method: 'phone-number', amr: ['otp', 'sms'] } as const

export const signInMethod: SignInMethod = {
  name: 'phone-number',
  exists: sendsCodes,
  isAvailable: (_, { phoneNumber, phoneNumberVerified }) => phoneNumber !== null && phoneNumberVerified === true,
  expects: (_, { phoneNumber, phoneNumberVerified }) =>
    phoneNumber !== null && phoneNumberVerified
      ? { proofs: [proven], reason: 'number-verified' }
      : { proofs: [], reason: 'number-not-verified' },
}
export const sendsResetCodes = (config: Config): boolean => canSendText(config, texts['phone-password-reset'])

/** A code for a number of no user is not a failure: the user adds it, or signs up with it. */
const recordRequest = (tx: App, purpose: Purpose, user: UserRow | null): Promise<void> =>
  purpose === 'phone-password-reset'
    ? recordLinkRequest(tx, 'password-reset.requested', user)
    : recordEvent(tx, { action: 'phone-number.code-requested', ...(user && { target: { type: 'user', id: user.id } }) })

/** For counting failed guesses: no email address has a space. */
const accountOf = (number: string): string => `phone ${number}`

/**
 * Sends a code to a number, in place of the former one.
 * @param user whom the number belongs to; null: the code concerns no user yet
 * @param isDecoy does the same work without sending
 * @throws ApiError SENDOTP_NOT_IMPLEMENTED, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function sendCode(
  ctx: CallContext,
  purpose: Purpose,
  number: string,
  { user, isDecoy = false }: { readonly user: UserRow | null; readonly isDecoy?: boolean },
): Promise<void> {
  const kind = texts[purpose]
  if (!canSendText(ctx.config, kind)) throw new ApiError(errors.SENDOTP_NOT_IMPLEMENTED)
  const { otpLength, expiresIn } = ctx.config.phoneNumber
  const code = randomCode(ctx, otpLength)
  const expiresAt = new Date(ctx.now().getTime() + expiresIn * 1000)
  const address = { to: number, user, networkAddress: ctx.request.networkAddress(), expiresAt, isDecoy }
  await transaction(ctx, async (tx) => {
    await sendText(tx, kind, address, { phoneNumber: number, code, ...hostOf(ctx) })
    await createCode(tx, { purpose, name: number, code, ...(user && { value: user.id }), expiresAt })
    await recordRequest(tx, purpose, user)
  })
}

const rejections = {
  missing: errors.OTP_NOT_FOUND,
  expired: errors.OTP_EXPIRED,
  exhausted: errors.TOO_MANY_ATTEMPTS,
} as const

/**
 * Compares a code that was sent to a number (contract 06 §6), without using it. Wrong codes count as failures for the number, over
 * all its codes.
 * @returns the code, and the attempt to settle
 * @throws ApiError OTP_NOT_FOUND, OTP_EXPIRED, TOO_MANY_ATTEMPTS, INVALID_OTP, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function requireCode(ctx: CallContext, purpose: Purpose, number: string, code: string): Promise<Proven<FoundCode>> {
  const found = await guardAttempt(ctx, accountOf(number), async () => {
    const attempt = await checkCode(ctx, { purpose, name: number }, code, ctx.config.phoneNumber.allowedAttempts)
    if (attempt.state === 'right') return attempt
    if (attempt.state === 'wrong') return null
    throw new ApiError(rejections[attempt.state])
  })
  if (found) return found
  const owner = await findUserByNumber(ctx, number)
  Object.assign(ctx.subject, { hasFailed: true, ...(owner && { userId: owner.id }) })
  throw new ApiError(errors.INVALID_OTP)
}

/** Uses the code that was compared. @throws ApiError OTP_NOT_FOUND when another request has used it */
export async function consumeCode(app: App, found: FoundCode): Promise<void> {
  if (!(await useCode(app, found, app.config.phoneNumber.allowedAttempts))) throw new ApiError(errors.OTP_NOT_FOUND)
}

/** For the erasure of personal data. */
export const attemptAccount = accountOf
