/** Password reset links for users who have forgotten their password. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { flagged } from '../../core/config.ts'
import { ApiError, defineErrors, RedirectError } from '../../core/errors.ts'
import type { Listeners } from '../../core/events.ts'
import { ofAccount, settings } from '../../core/feature.ts'
import { anyone } from '../../core/permissions.ts'
import { redirect } from '../../core/reply.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { apiPath, apiURL, route } from '../../core/route.ts'
import { callbackURL } from '../../core/schemas.ts'
import { errors as accountErrors, changePassword } from '../accounts/index.ts'
import { guardSharedAttempt } from '../attempts/index.ts'
import { hostedPath } from '../dashboard/index.ts'
import { checkPasswordLength, errors as passwordErrors } from '../email-password/index.ts'
import { endAccessByReset, endedByReset, isStranger, type LinkMail, recordLinkRequest } from '../email-verification/index.ts'
import { canSend, decoyMail, isSent, mailSender, mailTemplates, sendMail } from '../outbox/index.ts'
import { checkNewPassword, errors as ruleErrors } from '../password-rules/index.ts'
import { decoyUser, describeUser, emailAddress, findUserByEmail } from '../users/index.ts'
import {
  createVerificationQuietly,
  findLinkUser,
  mailedLinkValue,
  usePasswordLink,
  errors as verificationErrors,
} from '../verifications/index.ts'

import { mails } from './mails.ts'

export const area = 'Passwords'

export const config = {
  ...mailTemplates<{ 'reset-password': LinkMail }>({ 'reset-password': 'with the reset link' }),
  emailAndPassword: flagged('Sign-up and sign-in with email address and password', {
    sendResetPassword: mailSender<LinkMail>('password reset link'),
    resetPasswordTokenExpiresIn: z.int().positive().max(86_400).default(3600).describe('Lifetime of a reset link in seconds'),
    revokeSessionsOnPasswordReset: z.boolean().default(true).describe('Revoke all sessions of a user after a password reset'),
  }),
}

export const errors = defineErrors({
  RESET_PASSWORD_ISNT_ENABLED: [400, "Reset password isn't enabled"],
})

export { mails }

export const publicSettings = settings(
  { passwordReset: z.boolean(), passwordResetEnds: z.object({ sessions: z.boolean(), apiKeys: z.boolean() }) },
  (config) => ({
    passwordReset: config.emailAndPassword.enabled && isSent(config, mails['reset-password']),
    passwordResetEnds: endedByReset(config),
  }),
)

const purpose = 'reset-password'

/**
 * Sends a password reset link. For an unknown email address it does the same work, so that neither response nor time reveals that.
 * @param redirectTo target of the link; already validated. Absent or empty: the hosted page, if there is one
 * @param cause for the limit of emails
 */
async function requestReset(
  app: App,
  email: string,
  redirectTo: string | undefined,
  cause: 'request' | 'sign-in',
): Promise<void> {
  const token = app.random.token(24)
  const { resetPasswordTokenExpiresIn: expiresIn } = app.config.emailAndPassword
  const found = await findUserByEmail(app, email)
  const user = found ?? decoyUser(app, email)
  const url = `${apiURL(app.config)}/reset-password/${token}?callbackURL=${encodeURIComponent(redirectTo || (hostedPath(app.config, '/reset-password') ?? ''))}`
  const data = { user: describeUser(app, user), url, token }
  await createVerificationQuietly(app, {
    ...{ purpose, token, value: mailedLinkValue(user), subject: user.id, expiresIn },
    isDecoy: found === null,
    inTransaction: async (tx, isDecoy) => {
      await (isDecoy ? decoyMail : sendMail)(tx, mails['reset-password'], user, data, cause)
      await recordLinkRequest(tx, 'password-reset.requested', isDecoy ? null : user)
    },
  })
}

/**
 * Finds the user of a valid reset link, without using the link. Failures are counted.
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
async function findResetUser(ctx: CallContext, token: string): Promise<UserRow | null> {
  const shared = { claim: purpose, networkAddress: ctx.request.networkAddress(), policy: 'perAccount' } as const
  const user = await guardSharedAttempt(ctx, shared, () => findLinkUser(ctx, purpose, token))
  if (!user) ctx.subject.hasFailed = true
  return user
}

/**
 * Uses a reset link and sets the password, in one transaction.
 * @throws ApiError PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, INVALID_TOKEN, those of `checkNewPassword`, SERVICE_UNAVAILABLE,
 * TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
async function resetPassword(ctx: CallContext, token: string, password: string): Promise<void> {
  checkPasswordLength(ctx, password)
  const user = await findResetUser(ctx, token)
  if (!user) throw new ApiError(verificationErrors.INVALID_TOKEN)
  await checkNewPassword(ctx, password, user)
  const isByStranger = await isStranger(ctx, user)
  const isChanged = await changePassword(ctx, user.id, {
    passwordHash: await ctx.hasher.hash(password),
    ...{ by: 'reset-link', isRecovery: true, provenEmail: user.email },
    inTransaction: async (inner) => {
      if (!(await usePasswordLink(inner, purpose, token, user.id))) throw new ApiError(verificationErrors.INVALID_TOKEN)
      // Otherwise another person, who signed up with the address, would keep their access.
      return endAccessByReset(inner, user.id, isByStranger)
    },
  })
  if (!isChanged) throw new ApiError(verificationErrors.INVALID_TOKEN)
}

const token = z.string()
const message = 'If this email exists in our system, check your email for the reset link'

/** One call with two paths: newer clients do not use the older one (contract 10). */
const requestRoute = (texts: { readonly summary: string; readonly description: string; readonly deprecated?: true }) =>
  route({
    ...texts,
    access: anyone(),
    body: z.object({ email: emailAddress, redirectTo: callbackURL.optional() }),
    returns: z.object({ status: z.literal(true), message: z.literal(message) }),
    errors: [errors.RESET_PASSWORD_ISNT_ENABLED, verificationErrors.FAILED_TO_CREATE_VERIFICATION],
    rateLimit: { window: 60, max: 3 },
    handler: async (ctx) => {
      if (!canSendReset(ctx)) throw new ApiError(errors.RESET_PASSWORD_ISNT_ENABLED)
      await requestReset(ctx, ctx.body.email, ctx.body.redirectTo, 'request')
      return { status: true as const, message: message as typeof message }
    },
  })

/** Whether reset links can be sent. */
export const canSendReset = (app: App): boolean => canSend(app, mails['reset-password'])

export const auditActions = {
  'password-reset.requested': ofAccount('A password reset link was requested; failed: there is no user with the email address'),
}

/** The link leads to our own page, because no application asked for it. */
const sendToOwnPage = (app: App, { email }: UserRow, cause: 'request' | 'sign-in') =>
  requestReset(app, email, hostedPath(app.config, '/reset-password') ?? `${apiPath(app.config)}/set-up`, cause)

/** Sends a reset link on behalf of an administrator. */
export const sendPasswordReset = (app: App, user: UserRow): Promise<void> => sendToOwnPage(app, user, 'request')

export const on: Listeners = {
  'password.replacement-required': async (app, { user }) => {
    if (canSendReset(app)) await sendToOwnPage(app, user, 'sign-in')
  },
}

export const routes = {
  'POST /request-password-reset': requestRoute({
    summary: 'Request a password reset',
    description:
      'Sends a password reset link. The response is the same whether or not the email address is known. Fails when no email can be sent.',
  }),
  'POST /forget-password': requestRoute({
    summary: 'Request a password reset (legacy path)',
    description: 'Does the same as `/request-password-reset`, for older clients. Use that path in new code.',
    deprecated: true,
  }),
  'GET /reset-password/:token': route({
    summary: 'Open a password reset link',
    description:
      'Redirects to `callbackURL` with the parameter `token`, or with the parameter `error` when the link is invalid or expired. Does not use the link.',
    access: anyone(),
    params: z.object({ token }),
    query: z.object({ callbackURL }),
    callback: 'query',
    returns: z.never(),
    redirects: ['INVALID_TOKEN'],
    handler: async (ctx) => {
      if (!ctx.query.callbackURL) throw new RedirectError(undefined, 'INVALID_TOKEN')
      const target = new URL(ctx.query.callbackURL, apiURL(ctx.config))
      if (await findResetUser(ctx, ctx.params.token)) target.searchParams.set('token', ctx.params.token)
      else target.searchParams.set('error', 'INVALID_TOKEN')
      return redirect(target.href)
    },
  }),
  'POST /reset-password/check': route({
    summary: 'Check a password reset link',
    description:
      'Returns the email address of the user whose password a reset link sets, so that a page can show it and password managers store it. Does not use the link. Fails when the token is invalid or expired.',
    access: anyone(),
    whileReadOnly: 'served',
    body: z.object({ token }),
    returns: z.object({ email: z.string() }),
    errors: [verificationErrors.INVALID_TOKEN],
    handler: async (ctx) => {
      const user = await findResetUser(ctx, ctx.body.token)
      if (!user) throw new ApiError(verificationErrors.INVALID_TOKEN)
      return { email: user.email }
    },
  }),
  'POST /reset-password': route({
    summary: 'Reset a password',
    description:
      'Sets a new password with the token of a password reset link and ends all sessions and API keys of the user, unless the configuration keeps them. A token works once. Fails when the token is invalid or expired, or the password does not meet the password rules.',
    access: anyone(),
    query: z.object({ token: token.optional() }),
    body: z
      .object({ newPassword: z.string(), token: token.optional() })
      .meta({ examples: [{ newPassword: 'a new horse battery staple', token: 'Zk2p0vXnq7Lw4tR9sYb1cE6h' }] }),
    returns: z.object({ status: z.literal(true) }),
    errors: [
      verificationErrors.INVALID_TOKEN,
      passwordErrors.PASSWORD_TOO_SHORT,
      passwordErrors.PASSWORD_TOO_LONG,
      ...Object.values(ruleErrors),
      accountErrors.FAILED_TO_CREATE_ACCOUNT,
      accountErrors.FAILED_TO_UPDATE_ACCOUNT,
    ],
    handler: async (ctx) => {
      const given = ctx.body.token || ctx.query.token
      if (!given) throw new ApiError(verificationErrors.INVALID_TOKEN)
      await resetPassword(ctx, given, ctx.body.newPassword)
      return { status: true as const }
    },
  }),
}
