/** What the roles of members permit (contract 04 §1): configured roles, and roles that `latchkey seed` has written. */
import type { App } from '../../core/app.ts'
import { allows, permitsAll, withActions } from '../../core/permissions.ts'
import { listedNames } from '../../lib/text.ts'
import type { Config } from '../index.ts'
import { findStoredRoles, withoutStoredRoles } from '../roles/index.ts'

type Permissions = Readonly<Record<string, readonly string[]>>

/** The resources and actions that Latchkey itself checks. */
export const statements = {
  organization: ['update', 'delete'],
  member: ['create', 'update', 'delete'],
  invitation: ['create', 'cancel'],
  team: ['create', 'update', 'delete'],
} as const satisfies Permissions

export const defaultRoles: Readonly<Record<string, Permissions>> = {
  owner: statements,
  admin: { ...statements, organization: ['update'] },
  member: { organization: [], member: [], invitation: [], team: [] },
}

/** Whether a comma-separated list has the role of the creator, which every organization keeps. */
export const isCreator = ({ organization }: Config, role: string | null): boolean =>
  listedNames(role).includes(organization.creatorRole)

/** The roles of the configuration, or the built-in ones in their place. */
export const configuredRoles = ({ organization }: Config): Readonly<Record<string, Permissions>> =>
  organization.roles ?? defaultRoles

/** What each of these roles permits. A configured role wins over a seeded one of its name; an unknown one permits nothing. */
async function permissionsOf(app: App, role: string | null): Promise<Permissions[]> {
  const names = listedNames(role)
  const configured = configuredRoles(app.config)
  const found = names.flatMap((name) => (Object.hasOwn(configured, name) ? [configured[name] ?? {}] : []))
  const others = names.filter((name) => !Object.hasOwn(configured, name))
  return [...found, ...(await findStoredRoles(app, others)).map(({ permissions }) => permissions)]
}

/** What a call requires of a member; the connector `OR`: one of the resources is enough. */
export type RequiredOfMember = [required: Parameters<typeof allows>[1], connector?: 'OR']

/** Whether the member's roles permit this. */
export const memberAllows = async (
  app: App,
  { role }: { readonly role: string | null },
  ...required: RequiredOfMember
): Promise<boolean> => allows(await permissionsOf(app, role), ...required)

/** The part of a seeded role that members use: what it permits in the installation is not for them to know. */
const inOrganizations = ({ organization }: Config, permissions: Permissions): Permissions =>
  Object.fromEntries(
    Object.entries(permissions).filter(
      ([resource]) => Object.hasOwn(statements, resource) || Object.hasOwn(organization.ac ?? {}, resource),
    ),
  )

/** Every role that permits something in organizations: configured ones first. */
export async function listRoles(app: App): Promise<{ role: string; permission: Permissions }[]> {
  const configured = Object.entries(configuredRoles(app.config)).map(([role, permission]) => ({ role, permission }))
  const rows = await app.db.selectFrom('role').select(['name', 'permissions']).orderBy('name').execute()
  const seeded = rows
    .filter(({ name }) => !Object.hasOwn(configuredRoles(app.config), name))
    .map(({ name, permissions }) => ({ role: name, permission: inOrganizations(app.config, permissions) }))
  return [...configured, ...seeded.filter(({ permission }) => Object.keys(permission).length > 0)]
}

/** Whether a member with this role may change something. */
export const permitsSomething = async (app: App, role: string | null): Promise<boolean> =>
  (await permissionsOf(app, role)).some((permissions) => Object.keys(withActions(permissions)).length > 0)

/** The names that are neither configured nor seeded; none when the configuration accepts any name. */
export async function findUnknownRoles(app: App, role: string): Promise<string[]> {
  if (!app.config.organization.checkRoles) return []
  return withoutStoredRoles(
    app,
    listedNames(role).filter((name) => !Object.hasOwn(configuredRoles(app.config), name)),
  )
}

/**
 * Whether a member may give others this role: no role may permit more of the built-in actions than their own, or they could give it
 * to themselves (ASVS 8.2.1). Actions of the application are not compared.
 */
export async function mayGrant(app: App, granting: { readonly role: string | null }, role: string): Promise<boolean> {
  return permitsAll(await permissionsOf(app, granting.role), (await permissionsOf(app, role)).map(builtIn))
}

/** The same for an invitation: only a member with the role of the creator gives it to others. */
export const mayInviteAs = async (app: App, granting: { readonly role: string | null }, role: string): Promise<boolean> =>
  (isCreator(app.config, granting.role) || !isCreator(app.config, role)) && (await mayGrant(app, granting, role))

/** Every role, and whether a member may give it to others. */
export async function describeRoles(app: App, member: { readonly role: string | null }) {
  const own = await permissionsOf(app, member.role)
  const roles = await listRoles(app)
  return roles.map(({ role, permission }) => {
    const isCreatorRole = isCreator(app.config, role)
    const mayGrant =
      (allows(own, { member: ['update'] }) || allows(own, { invitation: ['create'] })) &&
      (!isCreatorRole || isCreator(app.config, member.role)) &&
      permitsAll(own, [builtIn(permission)])
    return { role, permission: withActions(permission), isCreatorRole, mayGrant }
  })
}

const builtIn = (permissions: Permissions): Permissions =>
  Object.fromEntries(Object.entries(permissions).filter(([resource]) => Object.hasOwn(statements, resource)))
