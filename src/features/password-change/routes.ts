import { z } from 'zod'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { route } from '../../core/route.ts'
import { errors as passwordErrors, proveOwnPassword } from '../email-password/index.ts'
import { errors as ruleErrors } from '../password-rules/index.ts'
import { isRemembered, errors as sessionErrors, shownToken, startSession } from '../sessions/index.ts'
import { userView } from '../users/index.ts'
import { changeOwnPassword } from './passwords.ts'

const sessionFailed: ErrorEntry = { ...sessionErrors.FAILED_TO_GET_SESSION, status: 500 }
const isRefused = (error: unknown) =>
  error instanceof ApiError && error.entry.code === sessionErrors.FAILED_TO_CREATE_SESSION.code

export const routes = {
  'POST /change-password': route({
    summary: 'Replace the password of the caller',
    access: 'session',
    body: z.object({ newPassword: z.string(), currentPassword: z.string(), revokeOtherSessions: z.boolean().optional() }),
    returns: z.object({ token: z.string().nullable(), user: userView }),
    errors: [
      passwordErrors.PASSWORD_TOO_SHORT,
      passwordErrors.PASSWORD_TOO_LONG,
      passwordErrors.CREDENTIAL_ACCOUNT_NOT_FOUND,
      passwordErrors.INVALID_PASSWORD,
      ...Object.values(ruleErrors),
      sessionFailed,
    ],
    handler: async (ctx) => {
      const { newPassword, currentPassword, revokeOtherSessions = false } = ctx.body
      const user = await changeOwnPassword(ctx, ctx.user, { newPassword, currentPassword, revokeSessions: revokeOtherSessions })
      if (!revokeOtherSessions) return { token: null, user }
      const session = await startSession(ctx, user, { remember: isRemembered(ctx) }).catch((error: unknown) => {
        throw isRefused(error) ? new ApiError(sessionFailed, { cause: error }) : error
      })
      return { token: shownToken(ctx, session), user }
    },
  }),
  'POST /verify-password': route({
    summary: 'Whether a password is that of the caller',
    access: 'session',
    body: z.object({ password: z.string() }),
    returns: z.object({ status: z.literal(true) }),
    errors: [passwordErrors.INVALID_PASSWORD],
    rateLimit: { window: 10, max: 3 },
    handler: async (ctx) => {
      try {
        await proveOwnPassword(ctx, ctx.user, ctx.body.password)
      } catch (error) {
        const hasNone = error instanceof ApiError && error.entry === passwordErrors.CREDENTIAL_ACCOUNT_NOT_FOUND
        throw hasNone ? new ApiError(passwordErrors.INVALID_PASSWORD, { cause: error }) : error
      }
      return { status: true as const }
    },
  }),
}
