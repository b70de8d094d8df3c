/** Roles that members make for their organization while the service runs, as in better-auth 1.7. */
import type { App } from '../../core/app.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { permitsAll, withActions } from '../../core/permissions.ts'
import { countRows } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import { createId } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import { hasRole } from '../roles/index.ts'
import { roleEvent } from './events.ts'
import { cancelInvitationsOfRole } from './invitations.ts'
import { errors, type MemberRow, type OrganizationRoleRow } from './model.ts'
import {
  compared,
  configuredRoles,
  declaredStatements,
  findUndeclaredRoles,
  isCreator,
  listRoles,
  memberAllows,
  permissionsOf,
} from './permissions.ts'
import { findMember, lockOrganization } from './store.ts'

type Permissions = Readonly<Record<string, readonly string[]>>

/** Who changes a role: a member, or an operator, who needs no role in the organization. */
export type RoleAuthor = Pick<MemberRow, 'organizationId'> & { readonly userId: string | null }

/** How a call names a role. */
export interface NamedRole {
  readonly roleName?: string | undefined
  readonly roleId?: string | undefined
}

/** Maximum number of roles. Call it outside a transaction: it may be a function of the configuration. */
export async function maximumRoles(app: App, organizationId: string): Promise<number> {
  const { maximumRolesPerOrganization: limit } = app.config.organization.dynamicAccessControl
  return typeof limit === 'function' ? await limit(organizationId) : limit
}

export async function findOwnRole(
  app: App,
  organizationId: string,
  { roleName, roleId }: NamedRole,
): Promise<OrganizationRoleRow | null> {
  const rows = app.db.selectFrom('organizationRole').selectAll().where('organizationId', '=', organizationId)
  const found = roleName ? rows.where('role', '=', roleName) : rows.where('id', '=', roleId ?? '')
  return (await found.executeTakeFirst()) ?? null
}

/** The roles that members have made, oldest first. */
export const listOwnRoles = (app: App, organizationId: string): Promise<OrganizationRoleRow[]> =>
  app.db
    .selectFrom('organizationRole')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/**
 * Checks what a member wants a role to permit: nothing that they have not themselves.
 * @param member null: an operator, who may permit everything that is declared
 * @throws ApiError INVALID_RESOURCE; `refusal` with the missing permissions
 */
async function checkPermission(app: App, member: MemberRow | null, permission: Permissions, refusal: ErrorEntry): Promise<void> {
  const declared = declaredStatements(app.config)
  if (Object.keys(permission).some((resource) => !Object.hasOwn(declared, resource))) throw new ApiError(errors.INVALID_RESOURCE)
  const own = member ? await permissionsOf(app, member) : [declared]
  const missingPermissions = Object.entries(permission).flatMap(([resource, actions]) =>
    actions.filter((action) => !permitsAll(own, [{ [resource]: [action] }])).map((action) => `${resource}:${action}`),
  )
  if (missingPermissions.length > 0) throw new ApiError(refusal, { members: { missingPermissions } })
}

/** @throws ApiError ROLE_NAME_IS_ALREADY_TAKEN */
async function checkName(app: App, organizationId: string, role: string): Promise<void> {
  if ((await findUndeclaredRoles(app, { organizationId, role })).length === 0)
    throw new ApiError(errors.ROLE_NAME_IS_ALREADY_TAKEN)
}

/**
 * Writes a role within a transaction that locks the organization; the unique key decides about its name.
 * @param write gets the member as they are then, null for an operator: their role may have changed since the call was admitted
 */
async function writeRole<T>(
  app: App,
  { organizationId, userId }: RoleAuthor,
  write: (tx: App, member: MemberRow | null) => Promise<T>,
): Promise<T> {
  try {
    return await transaction(app, async (tx) => {
      await lockOrganization(tx, organizationId)
      const member = userId === null ? null : await findMember(tx, organizationId, userId)
      if (userId !== null && !member) throw new ApiError(errors.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION)
      return write(tx, member)
    })
  } catch (error) {
    if (app.database.isUniqueViolation(error)) throw new ApiError(errors.ROLE_NAME_IS_ALREADY_TAKEN, { cause: error })
    throw error
  }
}

/**
 * Creates a role. Whether the member may do it is checked by the call.
 * @param limit roles that the organization may have
 * @throws ApiError TOO_MANY_ROLES, INVALID_RESOURCE, YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE, ROLE_NAME_IS_ALREADY_TAKEN
 */
export const createOwnRole = (
  app: App,
  by: RoleAuthor,
  { role, permission }: { readonly role: string; readonly permission: Permissions },
  limit: number,
): Promise<OrganizationRoleRow> =>
  writeRole(app, by, async (tx, member) => {
    const { organizationId } = by
    const roles = tx.db.selectFrom('organizationRole').where('organizationId', '=', organizationId)
    if ((await countRows(roles)) >= limit) throw new ApiError(errors.TOO_MANY_ROLES)
    await checkPermission(tx, member, permission, errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE)
    await checkName(tx, organizationId, role)
    const row = { id: createId(tx, 'organizationRole'), organizationId, role, createdAt: tx.now(), updatedAt: null }
    await tx.db
      .insertInto('organizationRole')
      .values({ ...row, permission: JSON.stringify(permission) })
      .execute()
    await recordEvent(tx, roleEvent('organization-role.created', row, { role, permission }))
    return { ...row, permission }
  })

/**
 * Changes what a role permits, or its name. It takes effect immediately: roles are read in every call.
 * @throws ApiError ROLE_NOT_FOUND, INVALID_RESOURCE, YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE, ROLE_NAME_IS_ALREADY_TAKEN,
 * ROLE_IS_ASSIGNED_TO_MEMBERS when a role in use would get another name
 */
export const updateOwnRole = (
  app: App,
  by: RoleAuthor,
  named: NamedRole,
  { permission, roleName = '' }: { readonly permission?: Permissions | undefined; readonly roleName?: string | undefined },
): Promise<OrganizationRoleRow> =>
  writeRole(app, by, async (tx, member) => {
    const { organizationId } = by
    const current = await findOwnRole(tx, organizationId, named)
    if (!current) throw new ApiError(errors.ROLE_NOT_FOUND)
    if (permission) await checkPermission(tx, member, permission, errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE)
    const role = roleName || current.role
    if (role !== current.role) {
      await checkName(tx, organizationId, role)
      await checkUnused(tx, current)
    }
    const changes = { role, permission: permission ?? current.permission, updatedAt: tx.now() }
    await tx.db
      .updateTable('organizationRole')
      .set({ ...changes, permission: JSON.stringify(changes.permission) })
      .where('id', '=', current.id)
      .execute()
    if (permission) await cancelInvitationsOfRole(tx, organizationId, role)
    const former = { formerRole: current.role, formerPermission: current.permission }
    await recordEvent(tx, roleEvent('organization-role.updated', current, { role, permission: changes.permission, ...former }))
    return { ...current, ...changes }
  })

/**
 * Deletes a role that no member has and no pending invitation gives.
 * @throws ApiError CANNOT_DELETE_A_PRE_DEFINED_ROLE, ROLE_NOT_FOUND, ROLE_IS_ASSIGNED_TO_MEMBERS
 */
export async function deleteOwnRole(app: App, by: RoleAuthor, named: NamedRole): Promise<void> {
  if (named.roleName && Object.hasOwn(configuredRoles(app.config), named.roleName))
    throw new ApiError(errors.CANNOT_DELETE_A_PRE_DEFINED_ROLE)
  const { organizationId } = by
  await writeRole(app, by, async (tx) => {
    const current = await findOwnRole(tx, organizationId, named)
    if (!current) throw new ApiError(errors.ROLE_NOT_FOUND)
    await checkUnused(tx, current)
    await tx.db.deleteFrom('organizationRole').where('id', '=', current.id).execute()
    await recordEvent(tx, roleEvent('organization-role.deleted', current, { role: current.role }))
  })
}

/**
 * A member would have a role that permits nothing, and later whatever another role of that name permits.
 * @throws ApiError ROLE_IS_ASSIGNED_TO_MEMBERS
 */
async function checkUnused(tx: App, { organizationId, role }: OrganizationRoleRow): Promise<void> {
  const members = tx.db.selectFrom('member').select('id').where('organizationId', '=', organizationId)
  const invitations = tx.db.selectFrom('invitation').select('id').where('organizationId', '=', organizationId)
  const isUsed =
    (await members.where(hasRole('role', role)).limit(1).executeTakeFirst()) ??
    (await invitations.where('pendingEmail', 'is not', null).where(hasRole('role', role)).limit(1).executeTakeFirst())
  if (isUsed) throw new ApiError(errors.ROLE_IS_ASSIGNED_TO_MEMBERS)
}

/** A role as a member sees it. */
interface DescribedRole extends Partial<Omit<OrganizationRoleRow, 'role' | 'permission'>> {
  readonly role: string
  readonly permission: Permissions
}

async function describe(app: App, member: MemberRow, roles: readonly (DescribedRole & { readonly isOwn: boolean })[]) {
  const own = await permissionsOf(app, member)
  const gives =
    (await memberAllows(app, member, { member: ['update'] })) || (await memberAllows(app, member, { invitation: ['create'] }))
  return roles.map(({ isOwn, permission, ...role }) => {
    const isCreatorRole = isCreator(app.config, role.role)
    const mayGrant =
      gives &&
      (!isCreatorRole || isCreator(app.config, member.role)) &&
      permitsAll(own, [compared(app.config, { permissions: permission, isOwn })])
    return { ...role, permission: withActions(permission), isCreatorRole, mayGrant }
  })
}

/** The roles that members have made, and whether this member may give each to others. */
export const describeOwnRoles = async (app: App, member: MemberRow) =>
  describe(
    app,
    member,
    (await listOwnRoles(app, member.organizationId)).map((role) => ({ ...role, isOwn: true })),
  )

/** The same for roles of the installation too; roles of the organization only for members who may read them. */
export async function describeRoles(app: App, member: MemberRow) {
  const predefined = (await listRoles(app)).map((role) => ({ ...role, isOwn: false }))
  const reads = app.config.organization.dynamicAccessControl.enabled && (await memberAllows(app, member, { ac: ['read'] }))
  const own = reads ? await listOwnRoles(app, member.organizationId) : []
  // One of its name counts in place of a seeded role, but not of a configured one.
  const shown = own.filter(({ role }) => !Object.hasOwn(configuredRoles(app.config), role))
  return describe(app, member, [
    ...predefined.filter(({ role }) => !shown.some((one) => one.role === role)),
    ...shown.map((role) => ({ ...role, isOwn: true })),
  ])
}
