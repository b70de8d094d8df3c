/** Who may act on which keys: users on their own, members with the permission `apiKey` on those of their organization. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { errors as adminErrors } from '../admin/index.ts'
import { admit, findOwnMember, hasOrganizationKeys, errors as organizationErrors } from '../organizations/index.ts'
import { findUserById } from '../users/index.ts'
import { isInSet, isOfOrganizations, setOf } from './key-sets.ts'
import { findKey } from './keys.ts'
import { type ApiKeyRow, errors } from './model.ts'

export const ownerErrors = [errors.UNAUTHORIZED_OR_INVALID_SESSION, adminErrors.USER_NOT_FOUND]

export const organizationAccessErrors = [
  errors.USER_NOT_MEMBER_OF_ORGANIZATION,
  errors.INSUFFICIENT_API_KEY_PERMISSIONS,
  organizationErrors.SECOND_FACTOR_REQUIRED,
]

/**
 * The user who acts in a call: the current one; on the private listener the given one.
 * @throws ApiError UNAUTHORIZED_OR_INVALID_SESSION, USER_NOT_FOUND
 */
export async function actingUser(
  ctx: CallContext & { readonly user: UserRow | null },
  userId: string | null | undefined,
): Promise<UserRow> {
  if (!ctx.isPrivileged || !userId) {
    if (!ctx.user) throw new ApiError(errors.UNAUTHORIZED_OR_INVALID_SESSION)
    return ctx.user
  }
  const user = await findUserById(ctx, userId)
  if (!user) throw new ApiError(adminErrors.USER_NOT_FOUND)
  return user
}

type KeyAction = 'create' | 'read' | 'update' | 'delete'

/**
 * Checks that a user may act on the keys of an organization.
 * @throws ApiError USER_NOT_MEMBER_OF_ORGANIZATION, also when there is no such organization; INSUFFICIENT_API_KEY_PERMISSIONS;
 * SECOND_FACTOR_REQUIRED; ORGANIZATION_PLUGIN_REQUIRED without a set of organizations
 */
export async function requireKeyPermission(app: App, user: UserRow, organizationId: string, action: KeyAction): Promise<void> {
  if (!hasOrganizationKeys(app.config)) throw new ApiError(errors.ORGANIZATION_PLUGIN_REQUIRED)
  const member = await findOwnMember(app, organizationId, user)
  if (!member) throw new ApiError(errors.USER_NOT_MEMBER_OF_ORGANIZATION)
  await admit(app, member, errors.INSUFFICIENT_API_KEY_PERMISSIONS, { apiKey: [action] })
}

/**
 * The key of a call, if the user may act on it.
 * @param configId the set that the call names; absent: that of the section
 * @throws ApiError API_KEY_NOT_FOUND, and those of `requireKeyPermission`
 */
export async function requireKey(
  app: App,
  user: UserRow,
  given: { readonly id: string; readonly configId?: string | undefined },
  action: KeyAction,
): Promise<ApiKeyRow> {
  const row = await findKey(app, given.id)
  if (!row || !isInSet(row, setOf(app, given.configId).configId)) throw new ApiError(errors.API_KEY_NOT_FOUND)
  if (isOfOrganizations(setOf(app, row.configId)) && row.organizationId)
    await requireKeyPermission(app, user, row.organizationId, action)
  else if (row.userId !== user.id) throw new ApiError(errors.API_KEY_NOT_FOUND)
  return row
}
