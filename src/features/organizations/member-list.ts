/** Lists of members, memberships and teams, in pages. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { cutPage, escapeLike, isAfter, type Position, readPosition } from '../../core/pages.ts'
import { countInTime, startSearch } from '../../core/search.ts'
import { countRows } from '../../core/statement.ts'
import type { Config } from '../index.ts'
import { memberConditions } from './member-filters.ts'
import { type ListedMember, listedMemberView, type MemberRow, type OrganizationRow, type TeamRow } from './model.ts'
import { objectPageQuery, pageView } from './page-parameters.ts'
import { anyId } from './schemas.ts'

const filterValue = z.string().max(255)

/** The query of better-auth v1.7, with pages by keyset and a search. */
export const memberQuery = z.object({
  ...objectPageQuery,
  offset: z.coerce.number().int().nonnegative().optional().describe('Rows to skip, without `after`; slow for long lists'),
  sortBy: z.enum(['createdAt', 'role']).default('createdAt'),
  sortDirection: z.enum(['asc', 'desc']).default('asc'),
  filterField: z
    .enum(['id', 'userId', 'role', 'teamId', 'createdAt', 'twoFactorEnabled'])
    .optional()
    .describe(
      '`twoFactorEnabled`: with `true` or `false`, whether they have a second factor that satisfies the policy; requires the permission `organization:update`',
    ),
  filterValue: z.union([filterValue, z.array(filterValue).max(100)]).optional(),
  filterOperator: z
    .enum(['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'not_in', 'contains', 'starts_with', 'ends_with'])
    .default('eq'),
  search: z.string().max(320).optional().describe('Start of a name or email address, or an exact ID'),
  teamId: anyId.optional().describe('Only members of this team'),
})
export type MemberQuery = z.output<typeof memberQuery> & {
  /** `true`: the members have `lastSignInAt`. */
  readonly lastSignIn?: 'true' | 'false' | undefined
}

/** The response of a call that lists members. */
export const memberPage = (config: Config) =>
  z.object({ members: z.array(listedMemberView(config)), ...pageView }).meta({ title: 'MemberPage' })

export interface Page<R> {
  readonly rows: R[]
  readonly total: number
  readonly hasMore: boolean
  /** The position of the next page; null: this is the last one. */
  readonly next: string | null
}

/** Members of an organization with their users, by the time when they joined, or by role. @throws ApiError SEARCH_TOO_SLOW */
export async function listMembers(app: App, organization: OrganizationRow, query: MemberQuery): Promise<Page<ListedMember>> {
  const { limit, offset = 0, sortBy, sortDirection } = query
  const columns = [`member.${sortBy}`, 'member.id'] as const
  const position = await readPosition({ after: query.after }, sortBy === 'role' ? 'text' : 'time', (id) =>
    findMemberPosition(app, organization.id, sortBy, id),
  )
  const search = startSearch(app, 'member.id')
  const conditions = await memberConditions(app, search, query)
  const members = app.db.selectFrom('member').where('member.organizationId', '=', organization.id).where(search.isInTime)
  const matching = conditions.reduce(
    (found, { condition }) => found.where(condition),
    members.innerJoin('user', 'user.id', 'member.userId'),
  )
  const read = (part: RawBuilder<SqlBool> | null, count: number) =>
    search.run(
      (part ? matching.where(part) : matching)
        .selectAll('member')
        .select(['user.name', 'user.email', 'user.image', 'user.lastSignInAt'])
        .orderBy(`member.${sortBy}`, sortDirection)
        .orderBy('member.id', sortDirection)
        .limit(count)
        .offset(position ? 0 : offset),
    )
  const found: Awaited<ReturnType<typeof read>> = []
  for (const part of position ? partsAfter(columns, position, sortDirection) : [null]) {
    if (found.length <= limit) found.push(...(await read(part, limit + 1 - found.length)))
  }
  const rows = found.map(({ name, email, image, lastSignInAt, ...member }) => ({
    ...member,
    ...(query.lastSignIn === 'true' && { lastSignInAt }),
    user: { id: member.userId, name, email, image },
  }))
  const page = cutPage(rows, limit, (member) => memberPosition(member, sortBy))
  if (conditions.length === 0) return { ...page, total: organization.memberCount }
  // The first page has them all: counting would search the organization again.
  if (!position && offset === 0 && !page.hasMore) return { ...page, total: page.rows.length }
  if (conditions.some(({ namesUser }) => namesUser)) return { ...page, total: await countInTime(search, matching) }
  const counted = conditions.reduce((some, { condition }) => some.where(condition), members)
  return { ...page, total: await countInTime(search, counted) }
}

type SortBy = MemberQuery['sortBy']

const memberPosition = (member: Pick<MemberRow, 'id' | 'role' | 'createdAt'>, sortBy: SortBy): Position => [
  sortBy === 'role' ? member.role : member.createdAt,
  member.id,
]

async function findMemberPosition(app: App, organizationId: string, sortBy: SortBy, id: string): Promise<Position | null> {
  const rows = app.db.selectFrom('member').select(['id', 'role', 'createdAt']).where('id', '=', id)
  const found = await rows.where('organizationId', '=', organizationId).executeTakeFirst()
  return found ? memberPosition(found, sortBy) : null
}

export interface Membership {
  readonly organization: Pick<OrganizationRow, 'id' | 'name' | 'slug' | 'logo'>
  readonly role: string
  readonly memberCount: number
  readonly joinedAt: Date
}

interface MembershipQuery {
  readonly search?: string | undefined
  readonly limit: number
  readonly after?: string | undefined
}

const sortName = sql<string>`lower(${sql.ref('organization.name')})`

const isNamedAfter = ([name, id]: Position) =>
  sql<SqlBool>`(${sortName} > ${name} or (${sortName} = ${name} and ${sql.ref('organization.id')} > ${id}))`

/** The organizations of a user with their role in each, by name. `search`: part of a name or slug, or an exact ID */
export async function listMemberships(
  app: App,
  userId: string,
  { search, limit, after }: MembershipQuery,
): Promise<Page<Membership>> {
  const text = search ? `%${escapeLike(search.toLowerCase())}%` : null
  const own = app.db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .where('member.userId', '=', userId)
    .where('organization.deletedAt', 'is', null)
  const matching = text
    ? own.where(
        sql<SqlBool>`(${sortName} like ${text} escape '!' or lower(${sql.ref('organization.slug')}) like ${text} escape '!'
          or ${sql.ref('organization.id')} = ${search})`,
      )
    : own
  const position = await readPosition({ after }, 'text', async (id) => {
    const found = await own.select(sortName.as('name')).where('organization.id', '=', id).executeTakeFirst()
    return found ? [found.name, id] : null
  })
  const following = position ? matching.where(isNamedAfter(position)) : matching
  const found = await following
    .select(['organization.id', 'organization.name', 'organization.slug', 'organization.logo', 'organization.memberCount'])
    .select(['member.role', 'member.createdAt as joinedAt', sortName.as('sortName')])
    .orderBy(sortName)
    .orderBy('organization.id')
    .limit(limit + 1)
    .execute()
  const { rows, ...page } = cutPage(found, limit, (row) => [row.sortName, row.id])
  // Without a search, the rows of the organizations need not be read.
  const counted = text ? matching : app.db.selectFrom('member').where('member.userId', '=', userId)
  const memberships = rows.map(({ id, name, slug, logo, role, memberCount, joinedAt }) => ({
    organization: { id, name, slug, logo },
    role,
    memberCount,
    joinedAt,
  }))
  return { ...page, rows: memberships, total: await countRows(counted) }
}

export interface TeamQuery {
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

/** The teams of an organization, oldest first: all of them, or a page. */
export async function listTeams(app: App, organizationId: string, { limit, after }: TeamQuery): Promise<Page<TeamRow>> {
  const teams = app.db.selectFrom('team').where('organizationId', '=', organizationId)
  const position = await readPosition({ after }, 'time', async (id) => {
    const found = await teams.select('createdAt').where('id', '=', id).executeTakeFirst()
    return found ? [found.createdAt, id] : null
  })
  const following = position ? teams.where(isAfter(['createdAt', 'id'], position)) : teams
  const found = await following
    .selectAll()
    .orderBy('createdAt')
    .orderBy('id')
    .$if(limit !== undefined, (rows) => rows.limit((limit ?? 0) + 1))
    .execute()
  const page = cutPage(found, limit, ({ createdAt, id }) => [createdAt, id])
  if (limit === undefined && after === undefined) return { ...page, total: found.length }
  return { ...page, total: await countRows(teams) }
}

/** The number of members by team, in one query; teams without members are missing. */
export async function countTeamMembers(app: App, teams: readonly TeamRow[]): Promise<ReadonlyMap<string, number>> {
  if (teams.length === 0) return new Map()
  const ids = teams.map(({ id }) => id)
  const rows = await app.db
    .selectFrom('teamMember')
    .select(['teamId', sql<number | string | bigint>`count(*)`.as('count')])
    .where('teamId', 'in', ids)
    .groupBy('teamId')
    .execute()
  return new Map(rows.map(({ teamId, count }) => [teamId, Number(count)]))
}

/**
 * Two conditions: whether a row comes after a position, for a column in which many rows may have the same value: rows of that value, then those of others. Each
 * reads the index from its place, in the order of the list.
 */
function partsAfter([column, idColumn]: readonly [string, string], [value, id]: Position, direction: 'asc' | 'desc') {
  const [ordered, unique] = [sql.ref(column), sql.ref(idColumn)]
  const isBeyond = sql.raw(direction === 'asc' ? '>' : '<')
  return [sql<SqlBool>`(${ordered} = ${value} and ${unique} ${isBeyond} ${id})`, sql<SqlBool>`${ordered} ${isBeyond} ${value}`]
}
