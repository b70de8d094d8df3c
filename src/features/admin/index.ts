/** Administration of users: roles, bans and impersonation (contract 05). */
import { z } from 'zod'
import type { Listeners } from '../../core/events.ts'
import { settings } from '../../core/feature.ts'
import type { Config } from '../index.ts'
import { organizationRoutes } from './organization-routes.ts'
import { userRoutes } from './user-routes.ts'

export { checkConfig, config, enabled } from './config.ts'
export { errors, indexes, tables } from './model.ts'
export { grants, isAdministrator } from './permissions.ts'

export const area = 'Administration'

export const permissions = { organization: ['list'] } as const

export const routes = { ...userRoutes, ...organizationRoutes }

export const publicSettings = settings(
  {
    admin: z
      .object({
        impersonationSeconds: z.int().describe('Lifetime of an impersonation'),
        setsPasswords: z.boolean().describe('Whether administrators may set passwords, and not only send reset links'),
      })
      .nullable(),
  },
  ({ admin }) => ({
    admin: admin.enabled
      ? { impersonationSeconds: admin.impersonationSessionDuration, setsPasswords: admin.allowSettingPasswords }
      : null,
  }),
)

/** Permissions of the application, which roles may be given in addition. */
export const configuredPermissions = ({ admin }: Config) => admin.ac ?? {}

export const on: Listeners = {
  'user.creating': (app, { user }) => ({ role: user.role ?? app.config.admin.defaultRole }),
}
