/** The calls of phone numbers (contract 06 §6). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import { anyone, optionalSession, requireFresh } from '../../core/permissions.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { errors as accountErrors, changePassword } from '../accounts/index.ts'
import { settleAttempt } from '../attempts/index.ts'
import { authenticateByPassword, checkPasswordLength, errors as passwordErrors } from '../email-password/index.ts'
import { endAccessByReset } from '../email-verification/index.ts'
import { errors as organizationErrors } from '../organizations/index.ts'
import { checkNewPassword, errors as ruleErrors } from '../password-rules/index.ts'
import { cacheCurrentSession, errors as sessionErrors, shownToken, signIn } from '../sessions/index.ts'
import { findUserById, errors as userErrors, userView } from '../users/index.ts'
import { consumeCode, proven, requireCode, sendCode, sendsCodes, sendsResetCodes } from './codes.ts'
import { errors, findClaimers, findUserByNumber, readNumber, readRecipient, storedForm } from './numbers.ts'
import { findOrCreateUser, notifyVerified, setNumber } from './verification.ts'

/** Per path and client network, in addition to `smsLimit` (contract 00 §7). */
const rateLimit = { window: 60, max: 10 }

const phoneNumber = z.string().meta({ examples: ['+491701234567'] })
const phoneUser = userView.extend({ phoneNumber: z.string().nullable(), phoneNumberVerified: z.boolean().nullable() })
const codeErrors = [errors.OTP_NOT_FOUND, errors.OTP_EXPIRED, errors.TOO_MANY_ATTEMPTS, errors.INVALID_OTP]

/** Nothing says so of a session that is missing only for a part of a call (contract 06 §6). */
const noUser: ErrorEntry = { ...organizationErrors.USER_NOT_FOUND, status: 401 }

/** @throws ApiError PHONE_NUMBER_NOT_VERIFIED; a code was sent, unless its limits are reached */
async function rejectUnverified(ctx: CallContext, number: string, user: Parameters<typeof sendCode>[3]['user']): Promise<never> {
  await sendCode(ctx, 'phone-verification', number, { user }).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
  throw new ApiError(errors.PHONE_NUMBER_NOT_VERIFIED)
}

async function requestReset(ctx: CallContext, typed: string): Promise<{ status: true }> {
  if (!ctx.config.emailAndPassword.enabled) throw new ApiError(passwordErrors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED)
  if (!sendsResetCodes(ctx.config)) throw new ApiError(errors.SENDOTP_NOT_IMPLEMENTED)
  const { antiEnumeration } = ctx.config.emailAndPassword
  // A known number may be one to which no text messages are sent any more: it is rejected like an unknown one.
  const number = antiEnumeration ? await readRecipient(ctx, typed) : storedForm(typed)
  const found = await findUserByNumber(ctx, number)
  const user = found?.phoneNumberVerified ? found : null
  if (!user && !antiEnumeration) throw new ApiError(errors.PHONE_NUMBER_ISNT_REGISTERED)
  await sendCode(ctx, 'phone-password-reset', number, { user, isDecoy: !user })
  return { status: true }
}

/** With `requireVerification`, a user who gives the right password learns that the number must be verified first. */
async function onlyClaimer(ctx: CallContext, number: string): Promise<UserRow | null> {
  const [only, ...others] = await findClaimers(ctx, number)
  return others.length === 0 ? (only ?? null) : null
}

const resetRoute = (texts: { readonly summary: string; readonly description: string; readonly deprecated?: true }) =>
  route({
    ...texts,
    access: anyone(),
    body: z.object({ phoneNumber }),
    returns: z.object({ status: z.literal(true) }),
    errors: [
      passwordErrors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED,
      errors.SENDOTP_NOT_IMPLEMENTED,
      errors.PHONE_NUMBER_ISNT_REGISTERED,
      errors.INVALID_PHONE_NUMBER,
    ],
    rateLimit,
    handler: (ctx) => requestReset(ctx, ctx.body.phoneNumber),
  })

/** @throws ApiError those of the code and of the password, UNEXPECTED_ERROR when the user is gone or has another number */
async function resetPassword(ctx: CallContext, number: string, code: string, password: string): Promise<void> {
  checkPasswordLength(ctx, password)
  const { value: found, attempt } = await requireCode(ctx, 'phone-password-reset', number, code)
  await settleAttempt(ctx, attempt)
  const user = found.value === null ? null : await findUserById(ctx, found.value)
  if (user?.phoneNumber !== number) throw new ApiError(errors.UNEXPECTED_ERROR)
  await checkNewPassword(ctx, password, user)
  const isChanged = await changePassword(ctx, user.id, {
    passwordHash: await ctx.hasher.hash(password),
    ...{ by: 'code', isRecovery: true },
    inTransaction: async (tx) => {
      await consumeCode(tx, found)
      if ((await findUserById(tx, user.id))?.phoneNumber !== number) throw new ApiError(errors.UNEXPECTED_ERROR)
      return endAccessByReset(tx, user.id)
    },
  })
  if (!isChanged) throw new ApiError(errors.UNEXPECTED_ERROR)
}

export const routes = {
  'POST /sign-in/phone-number': route({
    summary: 'Sign in with a phone number and password',
    description:
      'Creates a session and sets the session cookie. Returns the session token and the user. Fails with the same error for a phone number that no user has verified and for a wrong password, and with 429 after too many failures. With `requireVerification`, it sends a code to an unverified phone number and fails.',
    access: anyone(),
    signsIn: ['first-factor'],
    body: z.object({ phoneNumber, password: z.string(), rememberMe: z.boolean().optional() }),
    returns: z.object({ token: z.string(), user: phoneUser }),
    errors: [
      passwordErrors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED,
      errors.INVALID_PHONE_NUMBER,
      errors.INVALID_PHONE_NUMBER_OR_PASSWORD,
      errors.PHONE_NUMBER_NOT_VERIFIED,
      passwordErrors.PASSWORD_MUST_BE_REPLACED,
      sessionErrors.FAILED_TO_CREATE_SESSION,
    ],
    handler: async (ctx) => {
      const { password, rememberMe: remember = true } = ctx.body
      if (!ctx.config.emailAndPassword.enabled) throw new ApiError(passwordErrors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED)
      const number = await readNumber(ctx, ctx.body.phoneNumber)
      // No email address has a space, so that an unknown number takes the same work and counts its failures too.
      const { requireVerification } = ctx.config.phoneNumber
      const named = (await findUserByNumber(ctx, number)) ?? (requireVerification ? await onlyClaimer(ctx, number) : null)
      const email = named?.email ?? `number ${number}`
      const { user, proof, recheck } = await authenticateByPassword(ctx, email, password, errors.INVALID_PHONE_NUMBER_OR_PASSWORD)
      if (requireVerification && !user.phoneNumberVerified) return rejectUnverified(ctx, number, user)
      const session = await signIn(ctx, user, { ...proof, remember }, { recheck })
      return { token: shownToken(ctx, session), user }
    },
  }),
  'POST /phone-number/send-otp': route({
    summary: 'Send a code to a phone number',
    description:
      'Sends a code with which `/phone-number/verify` verifies the phone number. A new code replaces the former one. Fails when the number is invalid, when no text message can be sent, and with 429 when the number, the network or the country gets too many.',
    access: anyone(),
    body: z.object({ phoneNumber }),
    returns: z.object({ message: z.literal('code sent') }),
    errors: [errors.SENDOTP_NOT_IMPLEMENTED, errors.INVALID_PHONE_NUMBER],
    rateLimit,
    handler: async (ctx) => {
      if (!sendsCodes(ctx.config)) throw new ApiError(errors.SENDOTP_NOT_IMPLEMENTED)
      const number = await readRecipient(ctx, ctx.body.phoneNumber)
      await sendCode(ctx, 'phone-verification', number, { user: await findUserByNumber(ctx, number) })
      return { message: 'code sent' as const }
    },
  }),
  'POST /phone-number/verify': route({
    summary: 'Verify a phone number with a code',
    description:
      'With `updatePhoneNumber`, adds the phone number to the current user, whose session must be fresh unless `phoneNumber.requireFreshSession` is off. Otherwise confirms the number that the current user claims, or signs in the user who has verified it, and ends the claims of others: creates a session, unless `disableSession` is set. Creates a user for an unknown phone number with `phoneNumber.signUpOnVerification`, and returns null without it. A code works once. Fails when it is wrong or expired, and after too many wrong codes.',
    access: optionalSession(),
    stepUp: 'by-input',
    signsIn: ['first-factor'],
    createsUsers: true,
    sensitive: true,
    body: z
      .object({
        phoneNumber,
        code: z.string().max(64),
        disableSession: z.boolean().optional(),
        updatePhoneNumber: z.boolean().optional(),
      })
      .meta({ examples: [{ phoneNumber: '+491701234567', code: '482913' }] }),
    returns: z.object({ status: z.literal(true), token: z.string().nullable(), user: phoneUser }).nullable(),
    errors: [
      ...codeErrors,
      kernelErrors.SESSION_IS_NOT_FRESH,
      noUser,
      errors.PHONE_NUMBER_ALREADY_EXISTS,
      userErrors.FAILED_TO_UPDATE_USER,
      userErrors.USER_ALREADY_EXISTS,
      userErrors.FAILED_TO_CREATE_USER,
      sessionErrors.FAILED_TO_CREATE_SESSION,
    ],
    rateLimit,
    handler: async (ctx) => {
      const { code, updatePhoneNumber = false, disableSession = false } = ctx.body
      const number = storedForm(ctx.body.phoneNumber)
      // Before the code is used: the user signs in again, and can still use it.
      const confirmsClaim = ctx.user?.phoneNumber === number && !ctx.user.phoneNumberVerified
      if (updatePhoneNumber || confirmsClaim)
        await requireFresh(ctx, ({ phoneNumber }) => phoneNumber.requireFreshSession, 'established')
      const { value: found, attempt } = await requireCode(ctx, 'phone-verification', number, code)
      const signsIn = !updatePhoneNumber && !disableSession
      if (!signsIn) await settleAttempt(ctx, attempt)
      await consumeCode(ctx, found)
      if (updatePhoneNumber) {
        if (!ctx.user || !ctx.session) throw new ApiError(noUser)
        const user = await setNumber(ctx, ctx.user, number)
        await cacheCurrentSession(ctx, ctx.session)
        return { status: true as const, token: shownToken(ctx, ctx.session), user }
      }
      const user = ctx.user && confirmsClaim ? await setNumber(ctx, ctx.user, number) : await findOrCreateUser(ctx, number)
      if (!user) {
        await settleAttempt(ctx, attempt)
        return null
      }
      await notifyVerified(ctx, number, user)
      if (!signsIn) return { status: true as const, token: null, user }
      const recheck = (tx: App) => findUserByNumber(tx, number)
      const session = await signIn(ctx, user, { ...proven, attempt }, { recheck })
      return { status: true as const, token: shownToken(ctx, session), user }
    },
  }),
  'POST /phone-number/request-password-reset': resetRoute({
    summary: 'Request a password reset by text message',
    description:
      'Sends a code with which `/phone-number/reset-password` sets a new password. Fails when no user has verified this phone number, unless `emailAndPassword.antiEnumeration` is on, and when no text message can be sent.',
  }),
  'POST /phone-number/forget-password': resetRoute({
    summary: 'Request a reset by text message (legacy)',
    description: 'Does the same as `/phone-number/request-password-reset`, for older clients. Use that path in new code.',
    deprecated: true,
  }),
  'POST /phone-number/reset-password': route({
    summary: 'Reset a password with a code',
    description:
      'Sets a new password with the code of a text message and ends all sessions and API keys of the user, unless the configuration keeps them. A code works once. Fails when the code is wrong or expired, after too many wrong codes, and when the password does not meet the password rules.',
    access: anyone(),
    body: z
      .object({ phoneNumber, otp: z.string().max(64), newPassword: z.string() })
      .meta({ examples: [{ phoneNumber: '+491701234567', otp: '482913', newPassword: 'a new horse battery staple' }] }),
    returns: z.object({ status: z.literal(true) }),
    errors: [
      passwordErrors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED,
      ...codeErrors,
      errors.UNEXPECTED_ERROR,
      passwordErrors.PASSWORD_TOO_SHORT,
      passwordErrors.PASSWORD_TOO_LONG,
      ...Object.values(ruleErrors),
      accountErrors.FAILED_TO_CREATE_ACCOUNT,
      accountErrors.FAILED_TO_UPDATE_ACCOUNT,
    ],
    rateLimit,
    handler: async (ctx) => {
      if (!ctx.config.emailAndPassword.enabled) throw new ApiError(passwordErrors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED)
      await resetPassword(ctx, storedForm(ctx.body.phoneNumber), ctx.body.otp, ctx.body.newPassword)
      return { status: true as const }
    },
  }),
}
