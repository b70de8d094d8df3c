/** Administration of users: roles, bans and impersonation (contract 05). */
import { z } from 'zod'
import type { Listeners } from '../../core/events.ts'
import { type Feature, ofAccount, settings } from '../../core/feature.ts'
import type { Config } from '../index.ts'
import { accessRoutes } from './access-routes.ts'
import { liftExpiredBan, rejectBanned } from './bans.ts'
import { changeRoutes } from './change-routes.ts'
import { keepAdministrator, revokeImpersonationsBy, revokeImpersonationsFrom } from './changes.ts'
import { impersonationRoutes, keepOwnSession, signOutAdministrator, withoutImpersonations } from './impersonation.ts'
import { methodRoutes } from './method-routes.ts'
import { errors } from './model.ts'
import { organizationRoutes } from './organization-routes.ts'
import { readRoutes } from './read-routes.ts'

export { revokeSessionsOf } from './access-routes.ts'
export { banUser, isBanned, unbanUser } from './bans.ts'
export { type Authority, checkGivenRole, lockForChange, mayChange, removeUser, setRoleOf } from './changes.ts'
export { checkConfig, config, enabled } from './config.ts'
export { errors, indexes, tables } from './model.ts'
export { grants, isAdministrator } from './permissions.ts'
export { exportSources } from './read-routes.ts'
export { findMatches, type UserMatch } from './user-matches.ts'
export { type UserFilter, userFilter } from './user-query.ts'
export { updateUserOf } from './user-update.ts'

export const area = 'Administration'
export const plugin = 'admin'

export const publicSettings = settings(
  {
    admin: z
      .object({
        impersonationSeconds: z.int().describe('Lifetime of an impersonation'),
        setsPasswords: z.boolean().describe('Whether administrators may set passwords, and not only send reset links'),
        forcesPasswordChange: z.boolean().describe('Whether a user must replace a password that an administrator set'),
      })
      .nullable(),
  },
  ({ admin }) => ({
    admin: admin.enabled
      ? {
          impersonationSeconds: admin.impersonationSessionDuration,
          setsPasswords: admin.allowSettingPasswords,
          forcesPasswordChange: admin.forcePasswordChange,
        }
      : null,
  }),
)

/** Permissions of the application, which roles may be given in addition. */
export const configuredPermissions = ({ admin }: Config) => admin.ac ?? {}

/** In addition to those of other features, which roles may be given too (contract 10). */
export const permissions = { user: ['update'], organization: ['list'] } as const

export const auditActions = {
  'user.banned': ofAccount('A user was banned, and their sessions were revoked'),
  'user.unbanned': ofAccount('A ban was lifted or expired'),
  'user.impersonation-started': ofAccount('An administrator started to act as a user'),
  'user.impersonation-stopped': ofAccount('An administrator returned to their own session'),
}

export const routes = {
  ...changeRoutes,
  ...impersonationRoutes,
  ...accessRoutes,
  ...methodRoutes,
  ...readRoutes,
  ...organizationRoutes,
}

export const before: NonNullable<Feature['before']> = { 'POST /sign-out': signOutAdministrator }
export const after: NonNullable<Feature['after']> = {
  'GET /get-session': keepOwnSession,
  'GET /list-sessions': withoutImpersonations,
}

export const rejections = {
  'POST /delete-user': [errors.YOU_CANNOT_REMOVE_YOURSELF],
  'POST /delete-anonymous-user': [errors.YOU_CANNOT_REMOVE_YOURSELF],
  'GET /delete-user/callback': [errors.YOU_CANNOT_REMOVE_YOURSELF],
}

export const admits: NonNullable<Feature['admits']> = rejectBanned

export const on: Listeners = {
  'session.creating': liftExpiredBan,
  'sessions.revoked': (app, { userId, sessionIds }) => revokeImpersonationsBy(app, userId, sessionIds),
  'account.locking': (app, { userId, isPreview }) => (isPreview ? undefined : revokeImpersonationsBy(app, userId)),
  'session-batch.revoked': (app, { sessions }) => revokeImpersonationsFrom(app, sessions),
  'user.deleting': async (app, { userId }) => {
    await keepAdministrator(app, { userId })
    await revokeImpersonationsBy(app, userId)
  },
  'user.creating': (app, { user }) => ({ role: user.role ?? app.config.admin.defaultRole }),
}
