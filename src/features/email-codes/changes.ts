/** What else a code by email permits: a new password, and another email address (contract 13 §5). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import { anyone, freshSession } from '../../core/permissions.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { emailChange, requireSignUp, errors as signUpErrors } from '../../core/sign-up.ts'
import { write } from '../../core/write.ts'
import { errors as accountErrors, changePassword } from '../accounts/index.ts'
import { settleAttempt } from '../attempts/index.ts'
import { mails as changeMails, errors as emailChangeErrors } from '../email-change/index.ts'
import { checkPasswordLength, errors as passwordErrors } from '../email-password/index.ts'
import { endAccessByReset, isStranger } from '../email-verification/index.ts'
import { findMailboxOwner } from '../one-mailbox/index.ts'
import { canSend, decoyMail, sendMail } from '../outbox/index.ts'
import { checkNewPassword, checkPersonalWords, errors as ruleErrors } from '../password-rules/index.ts'
import { reissueSession } from '../sessions/index.ts'
import { findUserByEmail, holdUser, typedEmail, updateUser, errors as userErrors, userUpdate } from '../users/index.ts'
import { codeErrors, consumeCode, requireCode, sendCode } from './codes.ts'
import { done, marksBrowser, otp, rateLimit, requireAddress, success } from './inputs.ts'
import { errors, mails } from './mails.ts'

const resetRoute = (texts: { readonly summary: string; readonly description: string; readonly deprecated?: true }) =>
  route({
    ...texts,
    access: anyone(),
    body: z.object({ email: typedEmail }),
    returns: success,
    responseHeaders: marksBrowser,
    errors: [errors.SEND_EMAIL_VERIFICATION_IS_NOT_IMPLEMENTED, userErrors.INVALID_EMAIL],
    rateLimit,
    handler: async (ctx) => {
      if (!canSend(ctx, mails['email-code'])) throw new ApiError(errors.SEND_EMAIL_VERIFICATION_IS_NOT_IMPLEMENTED)
      const email = requireAddress(ctx.body.email)
      const user = await findUserByEmail(ctx, email)
      await sendCode(ctx, 'forget-password', email, { user, isSent: user !== null })
      return done
    },
  })

/** @throws ApiError those of the password and of the code; INVALID_OTP also without a user, so that the response is the same */
async function resetPassword(ctx: CallContext, email: string, code: string, password: string): Promise<void> {
  checkPasswordLength(ctx, password)
  // Without the name of the user, which the response must not reveal before the code is right.
  await checkNewPassword(ctx, password, { email })
  const { value: found, attempt } = await requireCode(ctx, 'forget-password', email, code)
  const user = await findUserByEmail(ctx, email)
  if (!user) throw new ApiError(errors.INVALID_OTP)
  checkPersonalWords(ctx, password, user)
  await settleAttempt(ctx, attempt)
  const isByStranger = await isStranger(ctx, user)
  const isChanged = await changePassword(ctx, user.id, {
    passwordHash: await ctx.hasher.hash(password),
    ...{ by: 'code', isRecovery: true, provenEmail: email },
    inTransaction: async (tx) => {
      await consumeCode(tx, 'forget-password', found)
      // Otherwise another person, who signed up with the address, would keep their access.
      const ended = await endAccessByReset(tx, user.id, isByStranger)
      const isCurrent =
        user.emailVerified || (await updateUser(tx, user.id, userUpdate(tx, { emailVerified: true }).draft, email))
      if (!isCurrent) throw new ApiError(errors.INVALID_OTP)
      return ended
    },
  })
  if (!isChanged) throw new ApiError(errors.INVALID_OTP)
}

/** Codes for a new address are bound to the user, and to both addresses. */
const changeName = ({ id, email }: UserRow, newEmail: string): string => `${id} ${email} ${newEmail}`

/** @returns the new address in lower case @throws ApiError CHANGE_EMAIL_WITH_OTP_IS_DISABLED, INVALID_EMAIL, EMAIL_IS_THE_SAME */
function requireNewAddress({ config }: App, user: UserRow, typed: string): string {
  if (!config.emailOTP.changeEmail.enabled) throw new ApiError(errors.CHANGE_EMAIL_WITH_OTP_IS_DISABLED)
  const newEmail = requireAddress(typed)
  if (newEmail === user.email) throw new ApiError(emailChangeErrors.EMAIL_IS_THE_SAME)
  return newEmail
}

/** @throws ApiError OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL, those of the code */
async function proveCurrent(ctx: CallContext, { email }: UserRow, code: string | undefined): Promise<void> {
  if (!ctx.config.emailOTP.changeEmail.verifyCurrentEmail) return
  if (!code) throw new ApiError(errors.OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL)
  const { value: found, attempt } = await requireCode(ctx, 'email-verification', email, code)
  await consumeCode(ctx, 'email-verification', found)
  await settleAttempt(ctx, attempt)
}

/** Replaces the address with one that the user has just proved to be theirs. @throws ApiError EMAIL_ALREADY_IN_USE, those of the code */
async function replaceAddress(ctx: CallContext, user: UserRow, newEmail: string, code: string): Promise<void> {
  const { value: found, attempt } = await requireCode(ctx, 'change-email', newEmail, code, changeName(user, newEmail))
  await settleAttempt(ctx, attempt)
  if (await findUserByEmail(ctx, newEmail)) throw new ApiError(errors.EMAIL_ALREADY_IN_USE)
  const columns = { email: newEmail, emailVerified: true }
  await write(ctx, [userUpdate(ctx, columns)], async (tx, draft) => {
    // A thief whose session ends at this moment, by a new password, must not take the account over.
    if (!(await holdUser(tx, user))) throw new ApiError(userErrors.FAILED_TO_UPDATE_USER)
    await consumeCode(tx, 'change-email', found)
    if (!(await updateUser(tx, user.id, draft, user.email))) throw new ApiError(userErrors.FAILED_TO_UPDATE_USER)
  }).catch((error: unknown) => {
    throw ctx.database.isUniqueViolation(error) ? new ApiError(errors.EMAIL_ALREADY_IN_USE, { cause: error }) : error
  })
}

const addressErrors = [
  signUpErrors.SIGN_UP_NOT_ALLOWED,
  kernelErrors.SESSION_IS_NOT_FRESH,
  errors.CHANGE_EMAIL_WITH_OTP_IS_DISABLED,
  userErrors.INVALID_EMAIL,
  emailChangeErrors.EMAIL_IS_THE_SAME,
  ...codeErrors,
]

export const changeRoutes = {
  'POST /email-otp/request-password-reset': resetRoute({
    summary: 'Request a password reset by code',
    description:
      'Sends a code with which `/email-otp/reset-password` sets a new password. The response is the same whether or not the email address is known. Fails when the address is invalid or no email can be sent.',
  }),
  'POST /forget-password/email-otp': resetRoute({
    summary: 'Request a reset by code (legacy)',
    description: 'Does the same as `/email-otp/request-password-reset`, for older clients. Use that path in new code.',
    deprecated: true,
  }),
  'POST /email-otp/reset-password': route({
    summary: 'Reset a password with a code by email',
    description:
      'Sets a new password, verifies the email address, and ends all sessions and API keys of the user, unless the configuration keeps them. A code works once. Fails when the code is wrong or expired, after too many wrong codes, and when the password does not meet the password rules; the code stays usable then.',
    access: anyone(),
    usesCredential: true,
    body: z
      .object({ email: typedEmail, otp, password: z.string() })
      .meta({ examples: [{ email: 'ann@example.com', otp: '482913', password: 'a new horse battery staple' }] }),
    returns: success,
    errors: [
      userErrors.INVALID_EMAIL,
      passwordErrors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED,
      passwordErrors.PASSWORD_TOO_SHORT,
      passwordErrors.PASSWORD_TOO_LONG,
      ...Object.values(ruleErrors),
      ...codeErrors,
      accountErrors.FAILED_TO_CREATE_ACCOUNT,
      accountErrors.FAILED_TO_UPDATE_ACCOUNT,
    ],
    rateLimit,
    handler: async (ctx) => {
      if (!ctx.config.emailAndPassword.enabled) throw new ApiError(passwordErrors.EMAIL_AND_PASSWORD_IS_NOT_ENABLED)
      await resetPassword(ctx, requireAddress(ctx.body.email), ctx.body.otp, ctx.body.password)
      return done
    },
  }),
  'POST /email-otp/request-email-change': route({
    summary: 'Request a new email address by code',
    description:
      'Sends a code to a new email address, with which `/email-otp/change-email` changes it. The response is the same when another user has the address, who is notified. Requires a fresh session, and a code that was sent to the current address, unless `emailOTP.changeEmail.verifyCurrentEmail` is off. Fails when the feature is disabled, the sign-up policy rejects the address, or it is invalid or the current one.',
    access: freshSession(),
    stepUp: 'established',
    sensitive: true,
    body: z.object({ newEmail: typedEmail, otp: otp.optional() }),
    returns: success,
    responseHeaders: marksBrowser,
    errors: [...addressErrors, errors.OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL],
    rateLimit,
    handler: async (ctx) => {
      const newEmail = requireNewAddress(ctx, ctx.user, ctx.body.newEmail)
      await requireSignUp(ctx, { ...emailChange(ctx.user, newEmail), hidesUsers: true })
      await proveCurrent(ctx, ctx.user, ctx.body.otp)
      const owner = (await findUserByEmail(ctx, newEmail)) ?? (await findMailboxOwner(ctx, newEmail, ctx.user))
      await (owner ? sendMail : decoyMail)(ctx, changeMails['email-in-use'], owner ?? { email: newEmail }, {})
      await sendCode(ctx, 'change-email', newEmail, { user: ctx.user, isSent: !owner, name: changeName(ctx.user, newEmail) })
      return done
    },
  }),
  'POST /email-otp/change-email': route({
    summary: 'Change the email address with a code',
    description:
      'Replaces the email address of the current user with one to which a code was sent. The new address is verified, and the former one gets a notice. Requires a fresh session. A code works once. Fails when the code is wrong or expired, after too many wrong codes, and when another user has the address or the sign-up policy rejects it.',
    access: freshSession(),
    stepUp: 'established',
    sensitive: true,
    body: z.object({ newEmail: typedEmail, otp }),
    returns: success,
    errors: [...addressErrors, errors.EMAIL_ALREADY_IN_USE, userErrors.FAILED_TO_UPDATE_USER],
    rateLimit,
    handler: async (ctx) => {
      const newEmail = requireNewAddress(ctx, ctx.user, ctx.body.newEmail)
      await replaceAddress(ctx, ctx.user, newEmail, ctx.body.otp)
      await reissueSession(ctx, ctx.session)
      return done
    },
  }),
}
