/** Calls about the sessions and permissions of users (contract 05 §2, §5). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import { allows, freshPermission, grantsOf, optionalSession, permission } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import type { Tables } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import type { Config } from '../index.ts'
import { findSessionOwner, fullSession, revokeSessions, type SessionScope, shownToken } from '../sessions/index.ts'
import { lockForChange } from './changes.ts'
import { errors, userId } from './model.ts'
import { isAlwaysPermitted, listRoles, permissionsOf, roleNames } from './permissions.ts'

const oneUser = z.object({ userId })
const success = z.object({ success: z.literal(true) })

const actions = z.record(z.string(), z.array(z.string()))
const permissionCheck = z
  .object({
    userId: userId.optional(),
    role: z.string().max(255).optional(),
    permission: actions.optional(),
    permissions: actions.optional(),
  })
  .refine(({ permission, permissions }) => (permission === undefined) !== (permissions === undefined), {
    path: ['permissions'],
  })
  .meta({ examples: [{ permissions: { user: ['ban'] } }] })

const required = { session: ['revoke'] }
const refusal = errors.YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS
const mayRevoke = freshPermission(required, refusal)

/** @param scope absent: all sessions of the user. @throws ApiError YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS, also when the user's roles permit more than the administrator's */
export const revokeSessionsOf = (
  app: App,
  administrator: UserRow,
  userId: string,
  scope: SessionScope = { userId },
): Promise<number> =>
  transaction(app, async (tx) => {
    await lockForChange(tx, { administrator, required, refusal }, userId)
    return revokeSessions(tx, scope)
  })

const sessionRoutes = {
  'POST /admin/list-user-sessions': route({
    summary: 'List the sessions of a user',
    description:
      'Returns the sessions of a user, oldest first, with expired ones that are not deleted yet. `token` is a handle that `/admin/revoke-user-session` accepts; only the own current session has its real token.',
    access: permission({ session: ['list'] }, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS),
    isRead: true,
    whileImpersonating: 'allowed',
    body: oneUser,
    returns: (_config: Config, tables: Tables) => z.object({ sessions: z.array(fullSession(tables)) }),
    handler: async (ctx) => {
      const rows = await ctx.db
        .selectFrom('session')
        .selectAll()
        .where('userId', '=', ctx.body.userId)
        .orderBy('createdAt')
        .orderBy('id')
        .execute()
      const token = (id: string) => (id === ctx.session.id ? shownToken(ctx, ctx.session) : id)
      return { sessions: rows.map((row) => ({ ...row, token: token(row.id) })) }
    },
  }),
  'POST /admin/revoke-user-session': route({
    summary: 'Revoke a session of a user',
    description:
      'Revokes one session, named by its token or handle. Succeeds for an unknown session. Fails for a user whose roles permit more than those of the current user.',
    access: mayRevoke,
    whileReadOnly: 'served',
    body: z.object({
      sessionToken: z.string().describe('The session token, or the handle that `/admin/list-user-sessions` returns'),
    }),
    returns: success,
    handler: async (ctx) => {
      const found = await findSessionOwner(ctx, ctx.body.sessionToken)
      if (found) await revokeSessionsOf(ctx, ctx.user, found.userId, { session: found })
      return { success: true as const }
    },
  }),
  'POST /admin/revoke-user-sessions': route({
    summary: 'Revoke all sessions of a user',
    description:
      'Revokes all sessions of a user. Returns how many there were. Succeeds for an unknown user. Fails for a user whose roles permit more than those of the current user.',
    access: mayRevoke,
    whileReadOnly: 'served',
    stepUp: 'recent',
    body: oneUser,
    returns: success.extend({ revoked: z.int() }),
    handler: async (ctx) => {
      const { userId } = ctx.body
      return { success: true as const, revoked: await revokeSessionsOf(ctx, ctx.user, userId) }
    },
  }),
}

const permissionRoutes = {
  'POST /admin/has-permission': route({
    summary: 'Check permissions',
    description:
      'Returns whether the current user has all of these permissions; without a session, whether users with the given role have them.',
    access: optionalSession(),
    isRead: true,
    whileImpersonating: 'allowed',
    body: permissionCheck,
    returns: z.object({ error: z.null(), success: z.boolean() }),
    handler: async (ctx) => {
      const { userId, role, permission, permissions = permission ?? {} } = ctx.body
      if (!ctx.user && (userId !== undefined || !role)) throw new ApiError(kernelErrors.UNAUTHORIZED)
      const isByKey = ctx.actor.kind === 'user' && ctx.actor.credential.kind === 'api-key'
      if (ctx.user && isAlwaysPermitted(ctx, ctx.user.id) && !isByKey) return { error: null, success: true }
      const own = ctx.user ? grantsOf(ctx, ctx.user) : permissionsOf(ctx, roleNames(ctx, role ?? null))
      return { error: null, success: allows(await own, permissions) }
    },
  }),
  'GET /admin/list-roles': route({
    summary: 'List roles',
    description: 'Returns every configured or stored role with what it permits: actions by resource.',
    access: permission({ user: ['list'] }, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS),
    returns: z.object({
      roles: z.array(
        z.object({
          role: z.string(),
          permissions: z.record(z.string(), z.array(z.string()).readonly()).readonly(),
          isAdministrator: z.boolean(),
        }),
      ),
    }),
    handler: async (ctx) => ({ roles: await listRoles(ctx) }),
  }),
}

export const accessRoutes = { ...sessionRoutes, ...permissionRoutes }
