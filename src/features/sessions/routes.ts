import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import { route } from '../../core/route.ts'
import { viewOf } from '../../core/schemas.ts'
import type { Tables } from '../../core/table.ts'
import type { Config, DeclaredTables } from '../index.ts'
import { fullUser } from '../users/index.ts'
import { clearSessionCookies } from './cookies.ts'
import { errors } from './errors.ts'
import { deleteSession } from './sessions.ts'

/** A session as its owner sees it: the visible columns, and the token that this very request carried. */
const fullSession = (tables: Tables) => viewOf<DeclaredTables['session'], { token: string }>(tables['session'], { token: z.string() })

const flag = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => value === 'true')

export const routes = {
  'GET /get-session': route({
    summary: 'The session of the caller, or null',
    access: 'public',
    query: z.object({ disableCookieCache: flag, disableRefresh: flag }),
    returns: (_config: Config, tables: Tables) => z.object({ session: fullSession(tables), user: fullUser(tables) }).nullable(),
    handler: async (ctx) => {
      const identity = ctx.identify()
      if (!identity) return null
      const found = await identity.find(ctx.cookies, { disableRefresh: ctx.query.disableRefresh })
      if (!found) clearSessionCookies(ctx, ctx.cookies)
      return found
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
}
