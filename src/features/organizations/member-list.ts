/** Lists of members, memberships and teams, in pages. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { parameterError } from '../../core/errors.ts'
import {
  comparableTime,
  cutPage,
  escapeLike,
  invalidQuery,
  isAfter,
  objectPageQuery,
  type Position,
  pageView,
  partsAfter,
  readPosition,
} from '../../core/pages.ts'
import { beginsWith, countInTime, isBetween, type Search, startSearch } from '../../core/search.ts'
import { countRows } from '../../core/statement.ts'
import type { Config } from '../index.ts'
import { nameStarts } from '../users/index.ts'
import { type MemberRow, type MemberWithUser, memberWithUserView, type OrganizationRow, type TeamRow } from './model.ts'
import { anyId } from './schemas.ts'

const filterValue = z.string().max(255)

/** The query of better-auth v1.7, with pages by keyset and a search. */
export const memberQuery = z.object({
  ...objectPageQuery,
  offset: z.coerce.number().int().nonnegative().optional().describe('Rows to skip, without `after`; slow for long lists'),
  sortBy: z.enum(['createdAt', 'role']).default('createdAt'),
  sortDirection: z.enum(['asc', 'desc']).default('asc'),
  filterField: z.enum(['id', 'userId', 'role', 'teamId', 'createdAt']).optional(),
  filterValue: z.union([filterValue, z.array(filterValue).max(100)]).optional(),
  filterOperator: z
    .enum(['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'not_in', 'contains', 'starts_with', 'ends_with'])
    .default('eq'),
  search: z.string().max(320).optional().describe('Start of a name or email address, or an exact ID'),
  teamId: anyId.optional().describe('Only members of this team'),
})
export type MemberQuery = z.output<typeof memberQuery>

/** The response of a call that lists members. */
export const memberPage = (config: Config) =>
  z.object({ members: z.array(memberWithUserView(config)), ...pageView }).meta({ title: 'MemberPage' })

interface Page<R> {
  readonly rows: R[]
  readonly total: number
  readonly hasMore: boolean
  /** The position of the next page; null: this is the last one. */
  readonly next: string | null
}

/** Members of an organization with their users, by the time when they joined, or by role. @throws ApiError SEARCH_TOO_SLOW */
export async function listMembers(app: App, organization: OrganizationRow, query: MemberQuery): Promise<Page<MemberWithUser>> {
  const { limit, offset = 0, sortBy, sortDirection } = query
  const columns = [`member.${sortBy}`, 'member.id'] as const
  const position = await readPosition({ after: query.after }, sortBy === 'role' ? 'text' : 'time', (id) =>
    findMemberPosition(app, organization.id, sortBy, id),
  )
  const search = startSearch(app, 'member.id')
  const conditions = await memberConditions(app, search, query)
  const matching = app.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.organizationId', '=', organization.id)
    .where(search.isInTime)
    .$call((members) => conditions.reduce((found, condition) => found.where(condition), members))
  const read = (part: RawBuilder<SqlBool> | null, count: number) =>
    search.run(
      (part ? matching.where(part) : matching)
        .selectAll('member')
        .select(['user.name', 'user.email', 'user.image'])
        .orderBy(`member.${sortBy}`, sortDirection)
        .orderBy('member.id', sortDirection)
        .limit(count)
        .offset(position ? 0 : offset),
    )
  const found: Awaited<ReturnType<typeof read>> = []
  for (const part of position ? partsAfter(columns, position, sortDirection) : [null]) {
    if (found.length <= limit) found.push(...(await read(part, limit + 1 - found.length)))
  }
  const members = found.map(({ name, email, image, ...member }) => ({
    ...member,
    user: { id: member.userId, name, email, image },
  }))
  const page = cutPage(members, limit, (member) => memberPosition(member, sortBy))
  if (conditions.length === 0) return { ...page, total: organization.memberCount }
  // The first page has them all: counting would search the organization again.
  if (!position && offset === 0 && !page.hasMore) return { ...page, total: page.rows.length }
  return { ...page, total: await countInTime(search, matching) }
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

/** @throws ApiError VALIDATION_ERROR */
function timeOf(text: string): Date {
  const { data: time } = comparableTime.safeParse(new Date(text))
  if (!time) throw parameterError(invalidQuery, ['filterValue'])
  return time
}

async function memberConditions(app: App, found: Search, query: MemberQuery) {
  const { search, teamId } = query
  return [
    ...(search ? [await searchCondition(app, found, search)] : []),
    ...(teamId ? [sql<SqlBool>`member.${sql.ref('teamId')} = ${teamId}`] : []),
    ...(query.filterField ? [filterCondition(query)] : []),
  ]
}

/** Users that a search finds before it reads the members. With more, each member is compared. */
const mostUsers = 1000

/** @throws ApiError SEARCH_TOO_SLOW */
async function searchCondition(app: App, found: Search, search: string) {
  const [memberId, userId, email] = [sql.ref('member.id'), sql.ref('user.id'), sql.ref('user.email')]
  const start = search.toLowerCase()
  const parts = [sql`${userId} = ${search}`, isBetween(email, start), ...nameStarts('user', search)].map(
    (condition) =>
      sql`select id from (select id from ${sql.table('user')} where ${condition} limit ${sql.lit(mostUsers + 1)}) as part`,
  )
  const query = sql<{ id: string }>`${sql.join(parts, sql` union `)}`
  const users = await found.run({ compile: () => query.compile(app.db) })
  if (users.length > mostUsers) {
    const name = sql`lower(${sql.ref('user.name')})`
    return sql<SqlBool>`(${beginsWith(name, start)} or ${beginsWith(email, start)} or ${memberId} = ${search} or ${userId} = ${search})`
  }
  const ids = sql.join(['', ...users.map(({ id }) => id)])
  return sql<SqlBool>`(${sql.ref('member.userId')} in (${ids}) or ${memberId} = ${search})`
}

const comparisons = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const
const patterns = {
  contains: (text: string) => `%${text}%`,
  starts_with: (text: string) => `${text}%`,
  ends_with: (text: string) => `%${text}`,
}

/** @throws ApiError VALIDATION_ERROR for a value that the operator cannot have */
function filterCondition({ filterField = 'id', filterOperator: operator, filterValue: given }: MemberQuery) {
  const column = sql.ref(`member.${filterField}`)
  const values = given === undefined ? [] : [given].flat()
  if (operator === 'in' || operator === 'not_in') {
    const operands = values.map((value) => (filterField === 'createdAt' ? timeOf(value) : value))
    if (operands.length === 0) return operator === 'in' ? sql<SqlBool>`1 = 0` : sql<SqlBool>`1 = 1`
    return sql<SqlBool>`${column} ${sql.raw(operator === 'in' ? 'in' : 'not in')} (${sql.join(operands)})`
  }
  const [value] = values
  if (value === undefined || values.length > 1) throw parameterError(invalidQuery, ['filterValue'])
  if (operator in comparisons) {
    const comparison = sql.raw(comparisons[operator as keyof typeof comparisons])
    return sql<SqlBool>`${column} ${comparison} ${filterField === 'createdAt' ? timeOf(value) : value}`
  }
  if (filterField === 'createdAt') throw parameterError(invalidQuery, ['filterOperator'])
  return sql<SqlBool>`${column} like ${patterns[operator as keyof typeof patterns](escapeLike(value))} escape '!'`
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

interface TeamQuery {
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
    .selectFrom('member')
    .select(['teamId', sql<number | string | bigint>`count(*)`.as('count')])
    .where('teamId', 'in', ids)
    .groupBy('teamId')
    .execute()
  return new Map(rows.map(({ teamId, count }) => [teamId ?? '', Number(count)]))
}
