import { z } from 'zod'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { redirect } from '../../core/reply.ts'
import { route } from '../../core/route.ts'
import { callbackURL, emailAddress } from '../../core/schemas.ts'
import { withParameter } from '../../lib/url.ts'
import { findUserByEmail, userView } from '../users/index.ts'
import { errors } from './errors.ts'
import { canVerify, pretendVerificationMail, sendVerificationMail } from './mails.ts'
import { followLink, linkFaults } from './verify.ts'

/** Faults of a link have the text of their redirect (contract 01 §4), so they stand in no catalogue. */
const entryOf = (fault: (typeof linkFaults)[number]): ErrorEntry => ({ status: 401, code: fault.toUpperCase(), message: fault })

export const routes = {
  'POST /send-verification-email': route({
    summary: 'Send a link that proves an address',
    access: 'optional',
    body: z.object({ email: emailAddress, callbackURL: callbackURL.optional() }),
    returns: z.object({ status: z.literal(true) }),
    errors: Object.values(errors),
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
      else await pretendVerificationMail(ctx, email, { callbackURL })
      return { status: true as const }
    },
  }),
  'GET /verify-email': route({
    summary: 'Follow a link that proves an address',
    access: 'public',
    query: z.object({ token: z.string(), callbackURL: callbackURL.optional() }),
    callback: 'query',
    returns: z.object({ status: z.literal(true), user: userView.nullable() }),
    errors: linkFaults.map(entryOf),
    handler: async (ctx) => {
      const { token, callbackURL } = ctx.query
      const outcome = await followLink(ctx, token, callbackURL)
      if ('fault' in outcome) {
        if (callbackURL) return redirect(withParameter(callbackURL, 'error', outcome.fault))
        throw new ApiError(entryOf(outcome.fault))
      }
      return callbackURL ? redirect(callbackURL) : { status: true as const, user: outcome.user }
    },
  }),
}
