/** Verification emails and links, and the second step of a change of email address; email-change owns the first. */
import { z } from 'zod'
import { ApiError, type ErrorEntry, RedirectError } from '../../core/errors.ts'
import { event } from '../../core/events.ts'
import { ofAccount } from '../../core/feature.ts'
import { anyone, optionalSession } from '../../core/permissions.ts'
import { redirect } from '../../core/reply.ts'
import type { UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { callbackURL } from '../../core/schemas.ts'
import { errors as signUpErrors } from '../../core/sign-up.ts'
import { withParameter } from '../../lib/url.ts'
import { hostedPath, linkPage } from '../dashboard/index.ts'
import { errors as sessionErrors } from '../sessions/index.ts'
import { decoyUser, emailAddress, findUserByEmail, errors as userErrors, userView } from '../users/index.ts'
import { errors as verificationErrors } from '../verifications/index.ts'
import { linkErrorCodes, openVerificationLink } from './open-link.ts'
import { canVerify, decoyVerificationMail, errors, sendVerificationMail } from './verification-links.ts'

export {
  clearEmailCodes,
  codeAccount,
  codeFor,
  countCodeRequest,
  type EmailCodeState,
  explainEmailCodes,
  mailPause,
  noteWrongCode,
} from './code-limits.ts'

import type { EndedCounts } from './earlier-access.ts'

export { endAccessByReset, endedByReset, isStranger, rememberBrowser, revokeEarlierAccess } from './earlier-access.ts'
export { mailDelay, noteMailUse, readMailDelay } from './mail-delay.ts'
export { claimByMailbox, signInByMailbox } from './mailbox-proof.ts'
export { exampleLinkMail, type LinkMail, mails } from './mails.ts'
export { type LinkFailure, type OpenedLink, readLink, verifyAddress, writeVerified } from './open-link.ts'
export {
  canVerify,
  changeClaims,
  config,
  createEmailToken,
  decoyVerificationMail,
  errors,
  publicSettings,
  recordLinkRequest,
  sendVerificationMail,
  verificationURL,
} from './verification-links.ts'

export const area = 'Email verification'

export const events = {
  /**
   * In the transaction in which the owner of an unverified email address ends what came before: it may be an attacker's. They chose so
   * on the page of the link, or reset the password in another browser than that of the user, or the configuration is strict. Listeners
   * return how much has ended.
   */
  'earlier-access.revoked': event<{ readonly userId: string }, Partial<EndedCounts>>(),
  /** Before a verification link is sent to the email address of a user: listeners return whether they sent something in its place. */
  'verification-mail.sending': event<{ readonly user: UserRow; readonly isDecoy: boolean }, { readonly isReplaced: boolean }>(),
}

export const auditActions = {
  'email-code.failed': ofAccount('A wrong code was given for an email address'),
  'email-code.suspended': ofAccount('There were so many wrong codes for an email address that it gets longer codes for a day'),
  'earlier-access.ended': ofAccount(
    'Access from before the email address of a user was verified has ended, because another person may have set it up; the details say what',
  ),
  'email-verification.requested':
    'A verification email was requested; failed: there is no unverified user with the email address',
}

/** Link errors have the text of their redirect as message (contract 01 §4), so no catalogue contains them. */
export const linkError = (code: (typeof linkErrorCodes)[number]): ErrorEntry =>
  code === 'signup_not_allowed' ? signUpErrors.SIGN_UP_NOT_ALLOWED : { status: 401, code: code.toUpperCase(), message: code }

/** The errors of calls that use a link. */
export const linkErrors = () => [
  ...linkErrorCodes.map(linkError),
  userErrors.FAILED_TO_UPDATE_USER,
  sessionErrors.FAILED_TO_CREATE_SESSION,
  verificationErrors.FAILED_TO_CREATE_VERIFICATION,
]
const verified = { status: z.literal(true), user: userView.nullable() }

export const routes = {
  'POST /send-verification-email': route({
    summary: 'Send a verification email',
    description:
      'Sends a verification link to an unverified email address. Without a session the response is the same for unknown and for verified email addresses. Fails when no email can be sent. With a session it also fails when the email address is verified or belongs to another user.',
    access: optionalSession(),
    whileImpersonating: 'allowed',
    body: z.object({ email: emailAddress, callbackURL: callbackURL.optional() }),
    returns: z.object({ status: z.literal(true) }),
    errors: [...Object.values(errors), verificationErrors.FAILED_TO_CREATE_VERIFICATION],
    rateLimit: { window: 60, max: 3 },
    handler: async (ctx) => {
      if (!canVerify(ctx)) throw new ApiError(errors.VERIFICATION_EMAIL_ISNT_ENABLED)
      const email = ctx.body.email.toLowerCase()
      if (ctx.user?.emailVerified) throw new ApiError(errors.YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL)
      if (ctx.user && ctx.user.email !== ctx.body.email)
        throw new ApiError(errors.YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_YOUR_OWN_EMAIL)
      const user = await findUserByEmail(ctx, email)
      const { callbackURL } = ctx.body
      if (user && !user.emailVerified) await sendVerificationMail(ctx, user, { callbackURL })
      else await decoyVerificationMail(ctx, user ?? decoyUser(ctx, email), { callbackURL })
      return { status: true as const }
    },
  }),
  'GET /verify-email': route({
    summary: 'Verify an email address with a link',
    description:
      'Verifies the email address, or completes a change of email address, then redirects to `callbackURL` if it is given. `user` is set only after a change of email address. Fails when the link is invalid or expired. With `callbackURL`, a failure redirects there too, with the parameter `error`. In a browser (a request that accepts HTML) it changes nothing and redirects to the hosted page, which calls `POST /verify-email`.',
    access: anyone(),
    usesCredential: true,
    query: z.object({ token: z.string(), callbackURL: callbackURL.optional() }),
    callback: 'query',
    returns: z.object(verified),
    signsIn: ['first-factor'],
    errors: linkErrors(),
    redirects: linkErrorCodes,
    handler: async (ctx) => {
      const { token, callbackURL } = ctx.query
      const page = linkPage(ctx, '/verify-email', { token, callbackURL })
      if (page !== null) return redirect(page)
      const outcome = await openVerificationLink(ctx, token, { callbackURL, reply: callbackURL ? 'redirect' : 'none' })
      if ('error' in outcome) {
        ctx.subject.hasFailed = true
        if (callbackURL) throw new RedirectError(callbackURL, outcome.error)
        throw new ApiError(linkError(outcome.error))
      }
      if (!callbackURL) return { status: true as const, user: outcome.user }
      const isOurs = callbackURL === hostedPath(ctx.config, '/email-changed')
      return redirect(outcome.isPending && isOurs ? withParameter(callbackURL, 'pending', 'true') : callbackURL)
    },
  }),
  'POST /verify-email': route({
    summary: 'Verify an email address',
    description:
      'Verifies an email address with the token of a verification link, or completes a change of email address. `user` is set only after a change. `isPending` is true when the new email address must still confirm the change with the link in a second email, which then redirects to `callbackURL`. Fails when the token is invalid or expired.',
    access: anyone(),
    usesCredential: true,
    body: z.object({ token: z.string(), callbackURL: callbackURL.optional() }),
    returns: z.object({ ...verified, isPending: z.boolean() }),
    signsIn: ['first-factor'],
    errors: linkErrors(),
    handler: async (ctx) => {
      const outcome = await openVerificationLink(ctx, ctx.body.token, { callbackURL: ctx.body.callbackURL })
      if ('error' in outcome) throw new ApiError(linkError(outcome.error))
      return { status: true as const, user: outcome.user, isPending: outcome.isPending ?? false }
    },
  }),
}
