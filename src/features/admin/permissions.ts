/** What the roles of users permit (contract 05 §1): stored roles, configured roles, or the built-in ones. */
import { type App, memo } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { mergePermissions } from '../../core/table.ts'
import { findStoredRoles, withoutStoredRoles } from '../roles/index.ts'

type Permissions = Readonly<Record<string, readonly string[]>>

/** Every action that a call may require: of all features, and of the application. */
const allPermissions = memo((app: Pick<App, 'features' | 'memo'>): Permissions => mergePermissions(app.features))

/** The names of a user's roles. */
export const roleNames = ({ config }: Pick<App, 'config'>, role: string | null): string[] =>
  (role || config.admin.defaultRole).split(',')

/** The roles of the configuration, or the built-in ones in their place. */
const configuredRoles = (app: App): Readonly<Record<string, Permissions>> =>
  app.config.admin.roles ?? { admin: allPermissions(app), user: {} }

/** What each of these roles permits. A built-in role is replaced by a stored one of its name; an unknown one permits nothing. */
export async function permissionsOf(app: App, names: readonly string[]): Promise<readonly Permissions[]> {
  const stored = await findStoredRoles(app, names)
  const configured = configuredRoles(app)
  const others = names.filter((name) => Object.hasOwn(configured, name) && !stored.some((role) => role.name === name))
  return [...stored.map(({ permissions }) => permissions), ...others.map((name) => configured[name] ?? {})]
}

/** Of these names, those that no role has at present: a role that the configuration declares exists once `latchkey seed` has written it. */
export const findMissingRoles = (app: App, names: readonly string[]): Promise<string[]> =>
  withoutStoredRoles(
    app,
    names.filter((name) => !Object.hasOwn(configuredRoles(app), name)),
  )

/** Whether the configuration gives a user every permission, also those that nothing declares (contract 05 §1). */
export const isAlwaysPermitted = ({ config }: Pick<App, 'config'>, userId: string): boolean =>
  config.admin.adminUserIds.includes(userId)

/** What a user's roles permit, stored ones included. */
export async function grants(app: App, { id, role }: Pick<UserRow, 'id' | 'role'>): Promise<readonly Permissions[]> {
  return isAlwaysPermitted(app, id) ? [allPermissions(app)] : permissionsOf(app, roleNames(app, role))
}

/** Whether a user counts as an administrator, whom others cannot impersonate by default. */
export const isAdministrator = (app: App, { id, role }: Pick<UserRow, 'id' | 'role'>): boolean =>
  isAlwaysPermitted(app, id) || roleNames(app, role).some((name) => app.config.admin.adminRoles.includes(name))

/** Every role that is configured or stored, with what it permits. */
export async function listRoles(app: App): Promise<{ role: string; permissions: Permissions; isAdministrator: boolean }[]> {
  const rows = await app.db.selectFrom('role').select(['name', 'permissions']).orderBy('name').execute()
  const stored = rows.map(({ name, permissions }): [string, Permissions] => [name, permissions])
  const roles = Object.entries({ ...configuredRoles(app), ...Object.fromEntries(stored) })
  return roles.map(([role, permissions]) => ({
    role,
    permissions,
    isAdministrator: app.config.admin.adminRoles.includes(role),
  }))
}
