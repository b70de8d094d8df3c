import { z } from 'zod'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import { fieldShape } from '../../core/field-values.ts'
import { route } from '../../core/route.ts'
import type { Tables } from '../../core/table.ts'
import type { Config } from '../index.ts'
import { fullUser } from '../users/index.ts'
import { clearSessionCookies } from './cookies.ts'
import { errors, failedToShow, updateRefused } from './errors.ts'
import { showSession } from './identity.ts'
import { reissueSession } from './reissue.ts'
import { deleteSession, findSessionOwner, revokeSession, revokeUserSessions } from './revoke.ts'
import { listSessions, shownToken } from './sessions.ts'
import { updateSession } from './update.ts'
import { fullSession } from './view.ts'

const flag = z
  .string()
  .optional()
  .transform((value) => value === 'true')

const succeeded = z.object({ status: z.literal(true) })

/** Which they are is up to the configuration. */
type OwnFields = z.ZodType<Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>>

export const routes = {
  'GET /get-session': route({
    summary: 'The session of the caller, or null',
    access: 'public',
    query: z.object({ disableCookieCache: flag, disableRefresh: flag }),
    returns: (_config: Config, tables: Tables) => z.object({ session: fullSession(tables), user: fullUser(tables) }).nullable(),
    handler: async (ctx) => {
      // As 1.7 sends it, for caches of HTTP/1.0.
      ctx.headers.pragma = 'no-cache'
      const identity = ctx.identify()
      try {
        return identity && (await showSession(ctx, identity, ctx.query))
      } catch (error) {
        throw error instanceof ApiError ? error : new ApiError(failedToShow, { cause: error })
      }
    },
  }),
  'POST /sign-out': route({
    summary: 'End the session of the caller',
    access: 'public',
    returns: z.object({ success: z.literal(true) }),
    errors: [errors.FAILED_TO_GET_SESSION],
    handler: async (ctx) => {
      clearSessionCookies(ctx, ctx.cookies)
      const identity = ctx.identify()
      if (!identity) throw new ApiError(errors.FAILED_TO_GET_SESSION)
      await deleteSession(ctx, identity.token)
      return { success: true as const }
    },
  }),
  'GET /list-sessions': route({
    summary: 'The sessions of the caller',
    access: 'session',
    returns: (_config: Config, tables: Tables) => z.array(fullSession(tables)),
    handler: (ctx) => listSessions(ctx, ctx.session),
  }),
  'POST /update-session': route({
    summary: 'Change fields of your own in the session of the caller',
    access: 'session',
    body: ({ session }: Config): OwnFields => z.object(fieldShape(session.additionalFields)),
    returns: (_config: Config, tables: Tables) => z.object({ session: fullSession(tables) }),
    errors: [errors.FAILED_TO_UPDATE_SESSION, updateRefused],
    handler: async (ctx) => {
      const current = await updateSession(ctx, ctx.session, ctx.body)
      if (current) await reissueSession(ctx, current)
      const session = current?.session ?? ctx.session
      return { session: { ...session, token: shownToken(ctx, session) } }
    },
  }),
  'POST /revoke-session': route({
    summary: 'End one session of the caller',
    access: 'session',
    body: z.object({ token: z.string().describe('Its token, or the handle that list-sessions shows') }),
    returns: succeeded,
    errors: [errors.SESSION_NOT_FOUND],
    handler: async (ctx) => {
      const { quietRevocation } = ctx.config.session
      const session = await findSessionOwner(ctx, ctx.body.token)
      const isOwn = session?.userId === ctx.user.id
      if (session && !isOwn && !quietRevocation) throw new ApiError(kernelErrors.UNAUTHORIZED)
      const ended = session && isOwn && (await revokeSession(ctx, session))
      if (!ended && !quietRevocation) throw new ApiError(errors.SESSION_NOT_FOUND)
      return { status: true as const }
    },
  }),
  'POST /revoke-sessions': route({
    summary: 'End all sessions of the caller',
    access: 'session',
    returns: succeeded,
    handler: async (ctx) => {
      await revokeUserSessions(ctx, ctx.user.id)
      return { status: true as const }
    },
  }),
  'POST /revoke-other-sessions': route({
    summary: 'End all sessions of the caller but this one',
    access: 'session',
    returns: succeeded,
    handler: async (ctx) => {
      await revokeUserSessions(ctx, ctx.user.id, { exceptId: ctx.session.id })
      return { status: true as const }
    },
  }),
}
