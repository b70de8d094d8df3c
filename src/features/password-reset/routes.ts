import { z } from 'zod'
import { errorPage } from '../../core/api-errors.ts'
import { apiURL } from '../../core/base-url.ts'
import { ApiError } from '../../core/errors.ts'
import { redirect } from '../../core/reply.ts'
import { type Context, route } from '../../core/route.ts'
import { callbackURL, emailAddress } from '../../core/schemas.ts'
import { errors as passwordErrors } from '../email-password/index.ts'
import { errors as ruleErrors } from '../password-rules/index.ts'
import { errors } from './errors.ts'
import { canReset, findResetUser, requestReset, resetPassword } from './reset.ts'

const token = z.string().max(100)
const message = 'If this email exists in our system, check your email for the reset link'

/** One call under two names: the older one is gone from newer clients (contract 10). */
const request = {
  summary: 'Send a link to a new password',
  access: 'public',
  body: z.object({ email: emailAddress, redirectTo: callbackURL.optional() }),
  returns: z.object({ status: z.literal(true), message: z.literal(message) }),
  errors: [errors.RESET_PASSWORD_ISNT_ENABLED],
  rateLimit: { window: 60, max: 3 },
  handler: async (ctx: Context<unknown, { readonly email: string; readonly redirectTo?: string | undefined }>) => {
    if (!canReset(ctx)) throw new ApiError(errors.RESET_PASSWORD_ISNT_ENABLED)
    await requestReset(ctx, ctx.body.email, ctx.body.redirectTo)
    return { status: true as const, message: message as typeof message }
  },
} as const

export const routes = {
  'POST /request-password-reset': route(request),
  'POST /forget-password': route(request),
  'GET /reset-password/:token': route({
    summary: 'Follow a link to a new password',
    access: 'public',
    params: z.object({ token }),
    query: z.object({ callbackURL }),
    callback: 'query',
    returns: z.never(),
    undocumented: true,
    handler: async (ctx) => {
      if (!ctx.query.callbackURL) return redirect(errorPage(ctx.config, 'INVALID_TOKEN'))
      const target = new URL(ctx.query.callbackURL, apiURL(ctx.config))
      if (await findResetUser(ctx, ctx.params.token)) target.searchParams.set('token', ctx.params.token)
      else target.searchParams.set('error', 'INVALID_TOKEN')
      return redirect(target.href)
    },
  }),
  'POST /reset-password': route({
    summary: 'Set a new password by a link',
    access: 'public',
    query: z.object({ token: token.optional() }),
    body: z.object({ newPassword: z.string(), token: token.optional() }),
    returns: z.object({ status: z.literal(true) }),
    errors: [
      errors.INVALID_TOKEN,
      passwordErrors.PASSWORD_TOO_SHORT,
      passwordErrors.PASSWORD_TOO_LONG,
      ...Object.values(ruleErrors),
    ],
    handler: async (ctx) => {
      const given = ctx.body.token || ctx.query.token
      if (!given) throw new ApiError(errors.INVALID_TOKEN)
      await resetPassword(ctx, given, ctx.body.newPassword)
      return { status: true as const }
    },
  }),
}
