/** What the deletion of a user does to their organizations. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { afterCommit } from '../../core/transaction.ts'
import { recordEvents } from '../audit/index.ts'
import { hasRole } from '../roles/index.ts'
import { findUserById, userRecord } from '../users/index.ts'
import { memberEvent, organizationEvent } from './events.ts'
import { errors, type OrganizationRow, organizationRecord } from './model.ts'
import { deleteRows, deleteWithRows } from './organization-deletion.ts'
import { batches } from './store.ts'

/** The organizations with other members, of whom none has the role of the creator: this user cannot be deleted before one gets it. */
export function findOrganizationsToHandOver(app: App, userId: string): Promise<{ id: string; name: string }[]> {
  const { creatorRole } = app.config.organization
  return app.db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select(['organization.id', 'organization.name'])
    .where('member.userId', '=', userId)
    .where(hasRole('member.role', creatorRole))
    .where('organization.memberCount', '>', 1)
    .where('organization.deletedAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('member as other')
            .select('other.id')
            .whereRef('other.organizationId', '=', 'member.organizationId')
            .whereRef('other.id', '<>', 'member.id')
            .where(hasRole('other.role', creatorRole)),
        ),
      ),
    )
    .orderBy('organization.name')
    .execute()
}

/**
 * Takes a user out of their organizations, within the transaction that deletes them and has locked them, so that they cannot join
 * another one. An organization without other members is deleted.
 * @throws ApiError YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER when another member would be left without one
 */
export async function leaveAllOrganizations(tx: App, { userId }: { readonly userId: string }): Promise<void> {
  // In the same order for every user, so that two of them do not wait for each other.
  const own = await tx.db
    .selectFrom('member')
    .select('organizationId')
    .where('userId', '=', userId)
    .orderBy('organizationId')
    .execute()
  await deleteRows(tx, 'invitation', 'inviterId', [userId])
  if (own.length === 0) return
  for (const batch of batches(own.map(({ organizationId }) => organizationId))) await lockOrganizations(tx, batch)
  if ((await findOrganizationsToHandOver(tx, userId)).length > 0)
    throw new ApiError(errors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER)
  const user = await findUserById(tx, userId)
  const memberships = await tx.db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .selectAll('organization')
    .select('member.role')
    .where('member.userId', '=', userId)
    .execute()
  const { left = [], deleted = [] } = Object.groupBy(memberships, ({ memberCount }) => (memberCount > 1 ? 'left' : 'deleted'))
  for (const batch of batches(left)) await recordLeaving(tx, batch, userId)
  for (const batch of batches(deleted)) await deleteWithUser(tx, batch, user)
  await deleteRows(tx, 'member', 'userId', [userId])
}

const lockOrganizations = (tx: App, ids: readonly string[]) =>
  tx.db
    .updateTable('organization')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', 'in', ids)
    .execute()

async function recordLeaving(
  tx: App,
  memberships: readonly { readonly id: string; readonly role: string }[],
  userId: string,
): Promise<void> {
  const ids = memberships.map(({ id }) => id)
  await tx.db
    .updateTable('organization')
    .set((eb) => ({ memberCount: eb('memberCount', '-', 1) }))
    .where('id', 'in', ids)
    .execute()
  await recordEvents(
    tx,
    memberships.map(({ id, role }) => memberEvent('member.left', { organizationId: id, userId }, { role })),
  )
}

/** `beforeDelete` is not called: it cannot reject the deletion of one organization without that of the user. */
async function deleteWithUser(tx: App, organizations: readonly OrganizationRow[], user: UserRow | null): Promise<void> {
  await deleteWithRows(
    tx,
    organizations.map(({ id }) => id),
  )
  await recordEvents(
    tx,
    organizations.map((organization) => organizationEvent('organization.deleted', organization)),
  )
  const { afterDelete } = tx.config.organization.organizationDeletion
  if (!afterDelete || !user || tx.actor.kind !== 'user') return
  for (const organization of organizations) {
    const data = { organization: organizationRecord(organization), user: userRecord(user) }
    await afterCommit(tx, async () => afterDelete(data), { hook: 'organizationDeletion.afterDelete' })
  }
}
