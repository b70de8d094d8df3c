/** The conditions of the list of users. */
import { type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { parameterError } from '../../core/errors.ts'
import { invalidQuery } from '../../core/pages.ts'
import type { Search } from '../../core/search.ts'
import { sortNameOf } from '../users/index.ts'
import { columnOf, isText, readList, readValue, type UserQuery } from './user-query.ts'
import {
  anyOf,
  type Condition,
  type Criterion,
  column,
  findByPattern,
  findByRelation,
  findByStart,
  isLike,
  isOneOf,
  isPattern,
} from './user-search.ts'

/** Different roles of users, as they are stored. */
const mostRoles = 1000

/** @throws ApiError VALIDATION_ERROR, SEARCH_TOO_SLOW */
export async function criteriaOf(app: App, search: Search, query: UserQuery): Promise<Criterion[]> {
  const conditions = [
    ...(query.filterValue === undefined || query.filterValue === '' ? [] : [filterCondition(app, query)]),
    ...statusConditions(app, query),
    ...(query.role ? [await roleCondition(app, search, query.role)] : []),
    ...timeConditions(query),
  ]
  return [...(await searches(app, search, query)), ...conditions.map((condition) => ({ condition }))]
}

async function searches(app: App, search: Search, query: UserQuery): Promise<Criterion[]> {
  const { searchValue, searchField, searchOperator, provider, organizationId } = query
  const found: Criterion[] = []
  if (query.search) found.push(await findByStart(app, search, query.search))
  if (searchValue) found.push(await findByPattern(app, search, searchField, searchOperator, searchValue))
  if (provider) found.push(await findByRelation(app, search, { table: 'account', name: 'providerId', value: provider }))
  if (organizationId && !app.config.organization.enabled) found.push({ condition: anyOf([]), matches: 0 })
  else if (organizationId)
    found.push(await findByRelation(app, search, { table: 'member', name: 'organizationId', value: organizationId }))
  return found
}

const comparisons = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

/** @throws ApiError VALIDATION_ERROR for an unknown column, and for a value that the operator cannot have */
function filterCondition(app: App, query: UserQuery): Condition {
  const { filterField, filterOperator: operator, filterValue: given = '' } = query
  const field = columnOf(app, filterField, 'filterField')
  if (operator === 'in' || operator === 'not_in') {
    const values = readList(field, given)
    if (operator === 'in') return isOneOf(field.column, values)
    return values.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${column(field.column)} not in (${sql.join(values)})`
  }
  if (Array.isArray(given)) throw parameterError(invalidQuery, ['filterValue'])
  if (isPattern(operator)) {
    if (!isText(field)) throw parameterError(invalidQuery, ['filterOperator'])
    return isLike(sql`lower(${column(field.column)})`, operator, String(given))
  }
  const value = readValue(field, given)
  const isMatch = sql<SqlBool>`${column(field.column)} ${sql.raw(comparisons[operator])} ${value}`
  if (field.column !== 'name' || operator !== 'eq') return isMatch
  // By index first: no index can have a whole name.
  return sql<SqlBool>`(${isMatch} and (${column('sortName')} = ${sortNameOf(String(value))} or ${column('sortName')} is null))`
}

function statusConditions(app: App, { status }: UserQuery): Condition[] {
  const isBanned = sql<SqlBool>`(${column('banned')} = ${true} and (${column('banExpires')} is null or ${column('banExpires')} > ${app.now()}))`
  if (status === 'banned') return [isBanned]
  if (status === 'unverified') return [sql<SqlBool>`${column('emailVerified')} = ${false}`]
  if (status !== 'active') return []
  // Not as a comparison with the column: nearly all users match, so that an index for it would only be in the way.
  return [sql<SqlBool>`(coalesce(${column('banned')}, ${false}) = ${false} or ${column('banExpires')} <= ${app.now()})`]
}

/** Users with one of these roles among theirs. A user without a role has the default one. */
async function roleCondition(app: App, search: Search, role: string): Promise<Condition> {
  const wanted = role.split(',')
  const { defaultRole } = app.config.admin
  const stored = await search.run(
    app.db
      .selectFrom('user')
      .select('role')
      .distinct()
      .limit(mostRoles + 1),
  )
  const isCommon = wanted.includes(defaultRole)
  if (isCommon || stored.length > mostRoles) {
    const names = sql`concat(',', coalesce(nullif(${column('role')}, ''), ${defaultRole}), ',')`
    return anyOf(wanted.map((name) => sql<SqlBool>`instr(${names}, ${`,${name},`}) > 0`))
  }
  const matching = stored.flatMap((row) =>
    row.role && wanted.some((name) => row.role?.split(',').includes(name)) ? [row.role] : [],
  )
  return isOneOf('role', matching)
}

const timeConditions = ({ createdAfter, createdBefore, lastSignInAfter, lastSignInBefore }: UserQuery): Condition[] => [
  ...(createdAfter ? [sql<SqlBool>`${column('createdAt')} >= ${createdAfter}`] : []),
  ...(createdBefore ? [sql<SqlBool>`${column('createdAt')} < ${createdBefore}`] : []),
  ...(lastSignInAfter ? [sql<SqlBool>`${column('lastSignInAt')} >= ${lastSignInAfter}`] : []),
  ...(lastSignInBefore ? [sql<SqlBool>`${column('lastSignInAt')} < ${lastSignInBefore}`] : []),
]
