/** Changes of users by administrators and operators: who may change whom, roles and removal. */
import type { App } from '../../core/app.ts'
import { confirmPermission } from '../../core/credential-hold.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { allows, grantsOf, permitsAll } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { write } from '../../core/write.ts'
import { type AuditEvent, recordEvent } from '../audit/index.ts'
import { errors as organizationErrors } from '../organizations/index.ts'
import { revokeSessions } from '../sessions/index.ts'
import { deleteUser, findUserById, lockUser, type UserUpdate, updateUser, userUpdate } from '../users/index.ts'
import { errors } from './model.ts'
import { findMissingRoles, permissionsOf, roleNames } from './permissions.ts'

/** By whom, and with which permission, a user is changed. */
export interface Authority {
  /** Null: an operator, who may change everyone. */
  readonly administrator: UserRow | null
  readonly required: Parameters<typeof allows>[1]
  /** The error when they lack the permission, or the user's roles permit what those of the administrator do not. */
  readonly refusal: ErrorEntry
}

/**
 * Whether an administrator may change a user: one whose roles permit no more than theirs, or themselves.
 * @param administrator with what their roles permit
 */
export const mayChange = async (
  app: App,
  { id, own }: { readonly id: string; readonly own: Parameters<typeof permitsAll>[0] },
  target: Pick<UserRow, 'id' | 'role'>,
): Promise<boolean> => target.id === id || permitsAll(own, await grantsOf(app, target))

/**
 * Locks the user to be changed and the administrator until the transaction ends, and checks the administrator once more: of two administrators who
 * demote or ban each other at the same time, one fails.
 * @returns the user as they are now; null when there is none
 * @throws ApiError `refusal`
 */
export async function lockForChange(
  tx: App,
  { administrator, required, refusal }: Authority,
  userId: string,
): Promise<UserRow | null> {
  const ids = administrator ? [administrator.id, userId] : [userId]
  const rows = await tx.db.selectFrom('user').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute()
  const target = rows.find(({ id }) => id === userId) ?? null
  if (!administrator) return target
  const current = rows.find(({ id }) => id === administrator.id)
  const own = current && !current.banned ? await grantsOf(tx, current) : []
  if (!allows(own, required)) throw new ApiError(refusal)
  if (target && !(await mayChange(tx, { id: administrator.id, own }, target))) throw new ApiError(refusal)
  confirmPermission(tx)
  return target
}

/** What decides about an update, and what belongs to it. */
interface UserChange {
  readonly userId: string
  readonly columns: UserUpdate
  /** Before the update, in its transaction; throws to reject it. */
  readonly check?: (tx: App, target: UserRow) => Promise<void>
  /** After the update, in its transaction. */
  readonly finish?: (tx: App, user: UserRow) => Promise<unknown>
  /** In addition to what the update itself records. @param target as they were before */
  readonly event: (target: UserRow, user: UserRow) => AuditEvent | null
}

/**
 * Updates a user, with the hooks of the configuration. Sign-ins that are under way fail, and cached copies are discarded.
 * @throws ApiError USER_NOT_FOUND, FAILED_TO_UPDATE_USER, `refusal`
 */
export function changeUser(app: App, authority: Authority, change: UserChange): Promise<UserRow> {
  const { userId, columns, check, finish, event } = change
  return write(app, [userUpdate(app, columns)], async (tx, draft) => {
    const target = await lockForChange(tx, authority, userId)
    if (!target) throw new ApiError(errors.USER_NOT_FOUND)
    await check?.(tx, target)
    await lockUser(tx, userId)
    const user = await updateUser(tx, userId, draft)
    if (!user) throw new ApiError(errors.USER_NOT_FOUND)
    await finish?.(tx, user)
    const recorded = event(target, user)
    if (recorded) await recordEvent(tx, recorded)
    return user
  })
}

/**
 * Checks that the administrator may give these roles: they exist, and permit no more than the administrator's own (ASVS 8.2.1). A name
 * without a role would give its user power when a role of that name is created.
 * @param role comma-separated names
 * @throws ApiError ROLE_NOT_FOUND, YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE
 */
export async function checkGivenRole(app: App, administrator: UserRow, role: string): Promise<void> {
  const names = roleNames(app, role)
  if (!permitsAll(await grantsOf(app, administrator), await permissionsOf(app, names)))
    throw new ApiError(errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE)
  if ((await findMissingRoles(app, names)).length > 0) throw new ApiError(organizationErrors.ROLE_NOT_FOUND)
}

const setRole: Authority['required'] = { user: ['set-role'] }

/** The authority to set roles. */
const rolesBy = (administrator: UserRow | null): Authority => ({
  administrator,
  required: setRole,
  refusal: errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE,
})

/**
 * Checks a new role, within the transaction that gives it.
 * @throws ApiError ROLE_NOT_FOUND, YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE; YOU_CANNOT_DEMOTE_YOURSELF, so that an administrator always remains
 */
export async function checkRole(tx: App, administrator: UserRow | null, target: UserRow | null, role: string): Promise<void> {
  if (!administrator) return
  await checkGivenRole(tx, administrator, role)
  if (target?.id === administrator.id && !allows(await grantsOf(tx, { ...administrator, role }), setRole))
    throw new ApiError(errors.YOU_CANNOT_DEMOTE_YOURSELF)
}

/**
 * Sets the roles of a user, which takes effect immediately (ASVS 8.3.2).
 * @param administrator null: an operator
 * @param role comma-separated names; those of an operator are checked by the command
 * @throws ApiError USER_NOT_FOUND, ROLE_NOT_FOUND, FAILED_TO_UPDATE_USER, YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE, YOU_CANNOT_DEMOTE_YOURSELF
 */
export const setRoleOf = (app: App, administrator: UserRow | null, userId: string, role: string): Promise<UserRow> =>
  changeUser(app, rolesBy(administrator), {
    userId,
    columns: { role },
    check: (tx, target) => checkRole(tx, administrator, target, role),
    finish: (tx) => revokeImpersonationsBy(tx, userId),
    event: roleChange,
  })

export const roleChange = ({ id, role: from }: UserRow, { role: to }: UserRow): AuditEvent => ({
  action: 'user.role-changed',
  target: { type: 'user', id },
  details: { from, to },
})

/** Revokes the sessions in which an administrator impersonates users. @param sessionIds only those that were started in one of these */
export async function revokeImpersonationsBy(tx: App, userId: string, sessionIds?: readonly string[]): Promise<void> {
  // An operator changes roles without administration too: then there are no impersonations, and no column for them.
  if (!tx.config.admin.enabled) return
  const rows = await tx.db
    .selectFrom('session')
    .select(['id', 'impersonatorSessionId'])
    .where('impersonatedBy', '=', userId)
    .execute()
  const ids = rows
    .filter(({ impersonatorSessionId }) => !sessionIds || sessionIds.includes(impersonatorSessionId ?? ''))
    .map(({ id }) => id)
  if (ids.length > 0) await revokeSessions(tx, { ids }, { reason: 'impersonation-ended' })
}

/** Revokes the impersonations that administrators have started in these sessions. */
export async function revokeImpersonationsFrom(
  tx: App,
  sessions: readonly { readonly id: string; readonly userId: string }[],
): Promise<void> {
  if (!tx.config.admin.enabled) return
  const userIds = [...new Set(sessions.map(({ userId }) => userId))]
  const rows = await tx.db
    .selectFrom('session')
    .select(['id', 'impersonatorSessionId'])
    .where('impersonatedBy', 'in', userIds)
    .execute()
  const ended = new Set(sessions.map(({ id }) => id))
  const ids = rows.filter(({ impersonatorSessionId }) => ended.has(impersonatorSessionId ?? '')).map(({ id }) => id)
  if (ids.length > 0) await revokeSessions(tx, { ids }, { reason: 'impersonation-ended' })
}

/**
 * Rejects the deletion of their own account by a user who may set roles, by whatever call: an administrator always remains.
 * @throws ApiError YOU_CANNOT_REMOVE_YOURSELF
 */
export async function keepAdministrator(tx: App, { userId }: { readonly userId: string }): Promise<void> {
  if (tx.actor.kind !== 'user' || tx.actor.userId !== userId) return
  const user = await findUserById(tx, userId)
  if (user && allows(await grantsOf(tx, user), setRole)) throw new ApiError(errors.YOU_CANNOT_REMOVE_YOURSELF)
}

/**
 * Deletes a user with all their data.
 * @returns false when there is none
 * @throws ApiError YOU_CANNOT_REMOVE_YOURSELF, YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS,
 * YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER
 */
export function removeUser(app: App, administrator: UserRow, userId: string): Promise<boolean> {
  if (userId === administrator.id) throw new ApiError(errors.YOU_CANNOT_REMOVE_YOURSELF)
  const authority = { administrator, required: { user: ['delete'] }, refusal: errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS }
  return transaction(app, async (tx) => (await lockForChange(tx, authority, userId)) !== null && (await deleteUser(tx, userId)))
}
