/** What the roles of members permit (contract 04 §1): configured roles, and roles that `latchkey seed` has written. */
import type { App } from '../../core/app.ts'
import { allows, permitsAll, withActions } from '../../core/permissions.ts'
import { listedNames } from '../../lib/text.ts'
import type { Config } from '../index.ts'
import { findStoredRoles, withoutStoredRoles } from '../roles/index.ts'
import type { OrganizationRoleRow } from './tables.ts'

type Permissions = Readonly<Record<string, readonly string[]>>

/** The resources and actions that Latchkey itself checks. */
export const statements = {
  organization: ['update', 'delete'],
  member: ['create', 'update', 'delete'],
  invitation: ['create', 'cancel'],
  team: ['create', 'update', 'delete'],
} as const satisfies Permissions

/** What roles may permit when members may make roles. */
const roleStatements = { ac: ['create', 'read', 'update', 'delete'] } as const satisfies Permissions

/** What roles may permit when organizations have API keys. As in better-auth, only the role of the creator does from the start. */
const keyStatements = { apiKey: ['create', 'read', 'update', 'delete'] } as const satisfies Permissions

export const defaultRoles: Readonly<Record<string, Permissions>> = {
  owner: statements,
  admin: { ...statements, organization: ['update'] },
  member: { organization: [], member: [], invitation: [], team: [] },
}
const rolesWithAccessControl: Readonly<Record<string, Permissions>> = {
  owner: { ...defaultRoles.owner, ...roleStatements },
  admin: { ...defaultRoles.admin, ...roleStatements },
  member: { ...defaultRoles.member, ac: ['read'] },
}

/** Whether members may make roles. */
export const permitsOwnRoles = ({ organization }: Config): boolean => organization.dynamicAccessControl.enabled

/** Whether organizations own the keys of a set. Programs may be built without API keys. */
export const hasOrganizationKeys = ({ apiKey }: Partial<Pick<Config, 'apiKey'>>): boolean =>
  apiKey?.enabled === true && [apiKey, ...apiKey.configurations].some(({ references }) => references === 'organization')

/** The built-in resources that exist with an option. */
const optionalStatements = (config: Config): Permissions => ({
  ...(permitsOwnRoles(config) && roleStatements),
  ...(hasOrganizationKeys(config) && keyStatements),
})

/** Resources and actions that only a configuration has. */
export function configuredStatements(config: Config): Permissions {
  const { ac = {} } = config.organization
  const builtIn = Object.entries(optionalStatements(config)).map(([resource, actions]) => [
    resource,
    [...new Set([...actions, ...(ac[resource] ?? [])])],
  ])
  return { ...ac, ...Object.fromEntries(builtIn) }
}

/** All resources, with the actions that roles may permit. */
export function declaredStatements(config: Config): Permissions {
  const configured = configuredStatements(config)
  const merged = Object.entries(statements).map(([resource, actions]) => [
    resource,
    [...new Set([...actions, ...(configured[resource] ?? [])])],
  ])
  return { ...configured, ...Object.fromEntries(merged) }
}

/** Whether a comma-separated list has the role of the creator, which every organization keeps. */
export const isCreator = ({ organization }: Config, role: string | null): boolean =>
  listedNames(role).includes(organization.creatorRole)

/** The creator may do everything with API keys, whatever the role permits. */
const withKeys = (config: Config, name: string, permissions: Permissions = {}): Permissions =>
  name === config.organization.creatorRole && hasOrganizationKeys(config) ? { ...permissions, ...keyStatements } : permissions

/** The roles of the configuration, or the built-in ones in their place. */
export const configuredRoles = (config: Config): Readonly<Record<string, Permissions>> =>
  config.organization.roles ?? (permitsOwnRoles(config) ? rolesWithAccessControl : defaultRoles)

/** Roles of an organization: of a member, or those that an invitation gives. */
export interface RolesIn {
  readonly organizationId: string
  /** Role names, separated by commas. */
  readonly role: string | null
}

interface Granted {
  readonly permissions: Permissions
  /** Whether members have made the role. */
  readonly isOwn: boolean
}

/** Of these names, the roles that members of the organization have made. */
async function findOwnRoles(app: App, organizationId: string, names: readonly string[]): Promise<OrganizationRoleRow[]> {
  if (names.length === 0 || !permitsOwnRoles(app.config)) return []
  const rows = app.db.selectFrom('organizationRole').selectAll().where('organizationId', '=', organizationId)
  return rows.where('role', 'in', names).execute()
}

/**
 * What each of these roles permits. A configured role wins over one of its name that members have made, and that over a seeded one; an
 * unknown one permits nothing.
 */
async function grantedBy(app: App, { organizationId, role }: RolesIn): Promise<Granted[]> {
  const names = listedNames(role)
  const configured = configuredRoles(app.config)
  const found = names.flatMap((name) => (Object.hasOwn(configured, name) ? [withKeys(app.config, name, configured[name])] : []))
  const others = names.filter((name) => !Object.hasOwn(configured, name))
  const own = await findOwnRoles(app, organizationId, others)
  const stored = await findStoredRoles(
    app,
    others.filter((name) => !own.some((one) => one.role === name)),
  )
  return [
    ...found.map((permissions) => ({ permissions, isOwn: false })),
    ...own.map(({ permission }) => ({ permissions: permission, isOwn: true })),
    ...stored.map(({ permissions }) => ({ permissions, isOwn: false })),
  ]
}

/** What each of these roles permits. */
export const permissionsOf = async (app: App, roles: RolesIn): Promise<Permissions[]> =>
  (await grantedBy(app, roles)).map(({ permissions }) => permissions)

/** What a call requires of a member; the connector `OR`: one of the resources is enough. */
export type RequiredOfMember = [required: Parameters<typeof allows>[1], connector?: 'OR']

/** Whether the member's roles permit this. */
export const memberAllows = async (app: App, member: RolesIn, ...required: RequiredOfMember): Promise<boolean> =>
  allows(await permissionsOf(app, member), ...required)

/** The part of a seeded role that members use: what it permits in the installation is not for them to know. */
const inOrganizations = (config: Config, permissions: Permissions): Permissions => {
  const declared = declaredStatements(config)
  return Object.fromEntries(Object.entries(permissions).filter(([resource]) => Object.hasOwn(declared, resource)))
}

/** Every role of the installation that permits something in organizations: configured ones first. */
export async function listRoles(app: App): Promise<{ role: string; permission: Permissions }[]> {
  const configured = Object.entries(configuredRoles(app.config)).map(([role, permission]) => ({
    role,
    permission: withKeys(app.config, role, permission),
  }))
  const rows = await app.db.selectFrom('role').select(['name', 'permissions']).orderBy('name').execute()
  const seeded = rows
    .filter(({ name }) => !Object.hasOwn(configuredRoles(app.config), name))
    .map(({ name, permissions }) => ({ role: name, permission: inOrganizations(app.config, permissions) }))
  return [...configured, ...seeded.filter(({ permission }) => Object.keys(permission).length > 0)]
}

/** Whether a member with this role may change something. */
export const permitsSomething = async (app: App, roles: RolesIn): Promise<boolean> =>
  (await permissionsOf(app, roles)).some((permissions) => Object.keys(withActions(permissions)).length > 0)

/** The names that no role of this organization has: a configured one, one that its members have made, or a seeded one. */
export async function findUndeclaredRoles(app: App, { organizationId, role }: RolesIn): Promise<string[]> {
  const others = listedNames(role).filter((name) => !Object.hasOwn(configuredRoles(app.config), name))
  const own = await findOwnRoles(app, organizationId, others)
  return withoutStoredRoles(
    app,
    others.filter((name) => !own.some((one) => one.role === name)),
  )
}

/** The same; none when the configuration accepts any name. */
export const findUnknownRoles = async (app: App, roles: RolesIn): Promise<string[]> =>
  app.config.organization.checkRoles ? findUndeclaredRoles(app, roles) : []

/**
 * Whether a member may give others this role: no role may permit more of the built-in actions than their own, or they could give it
 * to themselves (ASVS 8.2.1). Actions of the application are compared only in roles that members have made.
 */
export async function mayGrant(app: App, granting: RolesIn, role: string): Promise<boolean> {
  const { organizationId } = granting
  const given = await grantedBy(app, { organizationId, role })
  return permitsAll(
    await permissionsOf(app, granting),
    given.map((one) => compared(app.config, one)),
  )
}

/** The same for an invitation: only a member with the role of the creator gives it to others. */
export const mayInviteAs = async (app: App, granting: RolesIn, role: string): Promise<boolean> =>
  (isCreator(app.config, granting.role) || !isCreator(app.config, role)) && (await mayGrant(app, granting, role))

/** What of a role a member must have to give it to others. It does not include `ac:read`, which every member has. */
export function compared(config: Config, { permissions, isOwn }: Granted): Permissions {
  const entries = Object.entries(isOwn ? permissions : builtIn(config, permissions))
  return Object.fromEntries(
    entries.map(([resource, actions]) => [resource, resource === 'ac' ? actions.filter((one) => one !== 'read') : actions]),
  )
}

const builtIn = (config: Config, permissions: Permissions): Permissions =>
  Object.fromEntries(
    Object.entries(permissions).filter(
      ([resource]) => Object.hasOwn(statements, resource) || Object.hasOwn(optionalStatements(config), resource),
    ),
  )
