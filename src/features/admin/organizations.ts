/** Organizations as operators see them, who need not be members. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { cutPage, escapeLike, isAfter, readPosition } from '../../core/pages.ts'
import { startSearch } from '../../core/search.ts'
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

/** Up to here totals are exact. */
const mostCounted = 10_000

interface OrganizationQuery {
  readonly search?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Organizations, newest first. `search`: an exact ID, or the start of a slug or name, in any case */
export async function listOrganizations(app: App, { search: text, limit, cursor }: OrganizationQuery) {
  const search = startSearch(app, 'organization.id')
  const all = app.db.selectFrom('organization').where(search.isInTime).where('organization.deletedAt', 'is', null)
  const matching = text ? all.where(isFound(text)) : all
  const position = await readPosition({ cursor: cursor || undefined }, 'time')
  const following = position ? matching.where(isAfter(['createdAt', 'id'], position, 'desc')) : matching
  const columns = ['id', 'name', 'slug', 'logo', 'createdAt', 'memberCount'] as const
  const newest = following.select(columns).orderBy('createdAt', 'desc').orderBy('id', 'desc')
  const found = await search.run(newest.limit(limit + 1))
  const page = cutPage(found, limit, ({ createdAt, id }) => [createdAt, id])
  const counted = matching
    .select('id')
    .limit(mostCounted + 1)
    .as('some')
  const [row] = await search.run(app.db.selectFrom(counted).select(sql<number | string | bigint>`count(*)`.as('count')))
  const count = Number(row?.count ?? 0)
  const totalIsEstimate = count > mostCounted
  const total = totalIsEstimate && !text ? Math.max(count, await app.database.estimateRows(app.db, 'organization')) : count
  return { organizations: page.rows, nextCursor: page.next, total, totalIsEstimate }
}

function isFound(text: string): RawBuilder<SqlBool> {
  const start = `${escapeLike(text.toLowerCase())}%`
  const begins = (column: string) => sql`lower(${sql.ref(column)}) like ${start} escape '!'`
  return sql<SqlBool>`(${begins('name')} or ${begins('slug')} or ${sql.ref('id')} = ${text})`
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
