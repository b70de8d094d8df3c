import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import { redirect } from '../../core/reply.ts'
import type { SessionRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { callbackURL } from '../../core/schemas.ts'
import { errors as passwordErrors, proveOwnPassword } from '../email-password/index.ts'
import { clearSessionCookies } from '../sessions/index.ts'
import { asksByMail, deleteAccount, deleteAccountByToken, sendDeletionMail } from './delete.ts'
import { errors, unknownToken } from './errors.ts'

const token = z.string().max(100)
const answer = z.object({ success: z.literal(true), message: z.string() })
const deleted = { success: true as const, message: 'User deleted' }

function checkEnabled({ config }: App): void {
  if (!config.user.deleteUser.enabled) throw new ApiError(kernelErrors.NOT_FOUND)
}

/** Seconds since the last proof of identity; a renewal is none (the reference counts here in another unit, contract 02 §6). */
function isFresh(app: App, { authenticatedAt, createdAt }: SessionRow): boolean {
  const { freshAge } = app.config.session
  return freshAge === 0 || app.now().getTime() - (authenticatedAt ?? createdAt).getTime() <= freshAge * 1000
}

export const routes = {
  'POST /delete-user': route({
    summary: 'Delete the account of the caller, or send the link that does',
    access: 'session',
    body: z.object({ callbackURL: callbackURL.optional(), password: z.string().optional(), token: token.optional() }),
    returns: answer,
    errors: [
      passwordErrors.CREDENTIAL_ACCOUNT_NOT_FOUND,
      passwordErrors.INVALID_PASSWORD,
      errors.SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION,
      unknownToken,
    ],
    handler: async (ctx) => {
      checkEnabled(ctx)
      const { callbackURL, password, token } = ctx.body
      if (password) await proveOwnPassword(ctx, ctx.user, password)
      if (token) {
        await deleteAccountByToken(ctx, ctx.user, token)
      } else if (asksByMail(ctx)) {
        await sendDeletionMail(ctx, ctx.user, callbackURL)
        return { success: true as const, message: 'Verification email sent' }
      } else {
        if (!password && !isFresh(ctx, ctx.session))
          throw new ApiError(errors.SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION)
        await deleteAccount(ctx, ctx.user)
      }
      clearSessionCookies(ctx, ctx.cookies)
      return deleted
    },
  }),
  'GET /delete-user/callback': route({
    summary: 'Follow the link that deletes the account of the caller',
    access: 'optional',
    query: z.object({ token, callbackURL: callbackURL.optional() }),
    callback: 'query',
    returns: answer,
    errors: [errors.FAILED_TO_GET_USER_INFO, unknownToken],
    handler: async (ctx) => {
      checkEnabled(ctx)
      if (!ctx.user) throw new ApiError(errors.FAILED_TO_GET_USER_INFO)
      await deleteAccountByToken(ctx, ctx.user, ctx.query.token)
      clearSessionCookies(ctx, ctx.cookies)
      return ctx.query.callbackURL ? redirect(ctx.query.callbackURL) : deleted
    },
  }),
}
