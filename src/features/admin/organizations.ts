/** Organizations as operators see them, who need not be members. */
import type { App } from '../../core/app.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { countRows } from '../../core/statement.ts'
import { findOrganization, type OrganizationRow, errors as organizationErrors } from '../organizations/index.ts'

/** As in other calls of administration. */
export const organizationNotFound: ErrorEntry = { ...organizationErrors.ORGANIZATION_NOT_FOUND, status: 404 }

/** @throws ApiError ORGANIZATION_NOT_FOUND */
export async function getOrganization(app: App, id: string): Promise<OrganizationRow> {
  const organization = await findOrganization(app, id)
  if (!organization) throw new ApiError(organizationNotFound)
  return organization
}

/** Members with the role of the creator that are shown. */
const shownOwners = 10

/** The numbers of an organization, and the members who have had the role of the creator for the longest time. */
export async function describeContents(app: App, organization: OrganizationRow) {
  const { id: organizationId, memberCount } = organization
  const { creatorRole } = app.config.organization
  const members = app.db.selectFrom('member').where('member.organizationId', '=', organizationId)
  const roles = (await members.select('role').distinct().execute()).map(({ role }) => role)
  const owning = roles.filter((role) => role.split(',').includes(creatorRole))
  const owners =
    owning.length === 0
      ? []
      : await members
          .innerJoin('user', 'user.id', 'member.userId')
          .select(['member.userId', 'user.name', 'user.email', 'user.image', 'member.role'])
          .where('member.role', 'in', owning)
          .orderBy('member.createdAt')
          .orderBy('member.id')
          .limit(shownOwners)
          .execute()
  const invitations = app.db
    .selectFrom('invitation')
    .where('organizationId', '=', organizationId)
    .where('pendingEmail', 'is not', null)
    .where('expiresAt', '>', app.now())
  const teams = app.db.selectFrom('team').where('organizationId', '=', organizationId)
  return { memberCount, invitationCount: await countRows(invitations), teamCount: await countRows(teams), owners }
}

/** The organizations of a user, in the order in which they joined; none when organizations are disabled. */
export async function listUserOrganizations(app: App, userId: string) {
  if (!app.config.organization.enabled) return []
  const rows = await app.db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select(['organization.id', 'organization.name', 'organization.slug', 'member.role', 'member.teamId'])
    .select('member.createdAt as joinedAt')
    .where('member.userId', '=', userId)
    .where('organization.deletedAt', 'is', null)
    .orderBy('member.createdAt')
    .orderBy('member.id')
    .limit(1000)
    .execute()
  return app.config.organization.teams.enabled ? rows : rows.map(({ teamId: _, ...row }) => row)
}
