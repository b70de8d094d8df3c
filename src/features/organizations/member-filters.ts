/** The conditions of lists of members. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { parameterError } from '../../core/errors.ts'
import { comparableTime, escapeLike, invalidQuery } from '../../core/pages.ts'
import { beginsWith, isBetween, type Search } from '../../core/search.ts'
import { nameStarts } from '../users/index.ts'
import type { MemberQuery } from './member-list.ts'
import { holdsRequiredFactor } from './second-factor-policy.ts'

/** @throws ApiError VALIDATION_ERROR */
function timeOf(text: string): Date {
  const { data: time } = comparableTime.safeParse(new Date(text))
  if (!time) throw parameterError(invalidQuery, ['filterValue'])
  return time
}

/** @throws ApiError VALIDATION_ERROR, SEARCH_TOO_SLOW */
export async function memberConditions(app: App, found: Search, query: MemberQuery): Promise<MemberCondition[]> {
  const { search, teamId, filterField } = query
  const own = [
    ...(teamId ? [isInTeam(teamId)] : []),
    ...(filterField && filterField !== 'twoFactorEnabled' ? [filterCondition(query, filterField)] : []),
  ]
  const searched = search ? [await searchCondition(app, found, search)] : []
  const factor = filterField === 'twoFactorEnabled' ? [{ condition: await factorCondition(app, query), namesUser: true }] : []
  return [...searched, ...factor, ...own.map((condition) => ({ condition, namesUser: false }))]
}

const isInTeam = (teamId: string) =>
  sql<SqlBool>`${sql.ref('member.id')} in (select ${sql.ref('memberId')} from ${sql.table('teamMember')} where ${sql.ref('teamId')} = ${teamId})`

interface MemberCondition {
  readonly condition: RawBuilder<SqlBool>
  /** Whether it needs the row of the user. */
  readonly namesUser: boolean
}

/** Users that a search finds before it reads the members. With more, each member is compared. */
const mostUsers = 1000

/** @throws ApiError SEARCH_TOO_SLOW */
async function searchCondition(app: App, found: Search, search: string): Promise<MemberCondition> {
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
    const condition = sql<SqlBool>`(${beginsWith(name, start)} or ${beginsWith(email, start)} or ${memberId} = ${search} or ${userId} = ${search})`
    return { condition, namesUser: true }
  }
  const ids = sql.join(['', ...users.map(({ id }) => id)])
  return { condition: sql<SqlBool>`(${sql.ref('member.userId')} in (${ids}) or ${memberId} = ${search})`, namesUser: false }
}

const comparisons = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const
const patterns = {
  contains: (text: string) => `%${text}%`,
  starts_with: (text: string) => `${text}%`,
  ends_with: (text: string) => `%${text}`,
}

/**
 * Members whose user has a second factor that satisfies policies, or has none.
 * @throws ApiError VALIDATION_ERROR for other values and operators, and without second factors
 */
async function factorCondition(app: App, { filterOperator: operator, filterValue: value }: MemberQuery) {
  if (!app.config.twoFactor.enabled) throw parameterError(invalidQuery, ['filterField'])
  if (value !== 'true' && value !== 'false') throw parameterError(invalidQuery, ['filterValue'])
  if (operator !== 'eq' && operator !== 'ne') throw parameterError(invalidQuery, ['filterOperator'])
  const isSatisfied = await holdsRequiredFactor(app)
  return (value === 'true') === (operator === 'eq') ? isSatisfied : sql<SqlBool>`not (${isSatisfied})`
}

/** @throws ApiError VALIDATION_ERROR for a value that the operator cannot have */
function filterCondition({ filterOperator: operator, filterValue: given }: MemberQuery, filterField: string) {
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
