/** The conditions of the list of users. */
import { type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { parameterError } from '../../core/errors.ts'
import { invalidQuery } from '../../core/pages.ts'
import { sortNameOf } from '../users/index.ts'
import { columnOf, isText, type ListColumn, readList, readValue, type UserFilter } from './user-query.ts'
import {
  anyOf,
  type Condition,
  type Criterion,
  column,
  criterion,
  type Finding,
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
export async function criteriaOf(finding: Finding, query: UserFilter): Promise<Criterion[]> {
  const { app } = finding
  const filters = query.filterValue === undefined || query.filterValue === '' ? [] : [await filterCriterion(finding, query)]
  const roles = query.role ? [await roleCriterion(finding, query.role)] : []
  return [
    ...(await searches(finding, query)),
    ...filters,
    ...roles,
    ...statusCriteria(app, query),
    ...factorCriteria(app, query),
    ...timeCriteria(query),
  ]
}

async function searches(finding: Finding, query: UserFilter): Promise<Criterion[]> {
  const { searchValue, searchField, searchOperator, provider, organizationId } = query
  const found: Criterion[] = []
  if (query.search) found.push(await findByStart(finding, query.search))
  if (searchValue) found.push(await findByPattern(finding, searchField, searchOperator, searchValue))
  if (provider) found.push(await findByRelation(finding, { table: 'account', name: 'providerId', value: provider }))
  if (organizationId && !finding.app.config.organization.enabled) found.push({ ...criterion(anyOf([])), ids: [] })
  else if (organizationId)
    found.push(await findByRelation(finding, { table: 'member', name: 'organizationId', value: organizationId }))
  return found
}

/** @throws ApiError VALIDATION_ERROR, SEARCH_TOO_SLOW */
async function filterCriterion(finding: Finding, query: UserFilter): Promise<Criterion> {
  const { filterField, filterOperator, filterValue } = query
  const isIndexed = filterField === 'email' || filterField === 'name'
  if (isIndexed && isPattern(filterOperator) && !Array.isArray(filterValue))
    return findByPattern(finding, filterField, filterOperator, String(filterValue))
  const { column: name } = columnOf(finding.app, filterField, 'filterField')
  const isEqual = filterOperator === 'eq'
  // No index has a whole name in its order.
  const isCompared = filterOperator in comparisons && filterOperator !== 'ne' && name !== 'name'
  return criterion(filterCondition(finding.app, query), isCompared ? { column: name, isEqual } : {})
}

const comparisons = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

/** @throws ApiError VALIDATION_ERROR for an unknown column, and for a value that the operator cannot have */
function filterCondition(app: App, query: UserFilter): Condition {
  const { filterField, filterOperator: operator, filterValue: given = '' } = query
  const field = columnOf(app, filterField, 'filterField')
  if (operator === 'in' || operator === 'not_in') {
    const values = readList(field, given)
    if (operator === 'in') return withSortName(field, values, isOneOf(field.column, values))
    return values.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${column(field.column)} not in (${sql.join(values)})`
  }
  if (Array.isArray(given)) throw parameterError(invalidQuery, ['filterValue'])
  if (isPattern(operator)) {
    if (!isText(field)) throw parameterError(invalidQuery, ['filterOperator'])
    return isLike(sql`lower(${column(field.column)})`, operator, String(given))
  }
  const value = readValue(field, given)
  const isMatch = sql<SqlBool>`${column(field.column)} ${sql.raw(comparisons[operator])} ${value}`
  return operator === 'eq' ? withSortName(field, [value], isMatch) : isMatch
}

/** By index first: no index can have a whole name. */
function withSortName(field: ListColumn, values: readonly unknown[], isMatch: Condition): Condition {
  if (field.column !== 'name') return isMatch
  const names = values.map((value) => sortNameOf(String(value)))
  return sql<SqlBool>`(${isMatch} and (${isOneOf('sortName', names)} or ${column('sortName')} is null))`
}

function statusCriteria(app: App, { status }: UserFilter): Criterion[] {
  const isBanned = sql<SqlBool>`(${column('banned')} = ${true} and (${column('banExpires')} is null or ${column('banExpires')} > ${app.now()}))`
  if (status === 'banned') return [criterion(isBanned, { column: 'banned' })]
  if (status === 'locked') return [criterion(sql<SqlBool>`${column('lockedAt')} is not null`, { column: 'lockedAt' })]
  if (status === 'unverified')
    return [criterion(sql<SqlBool>`${column('emailVerified')} = ${false}`, { column: 'emailVerified', isEqual: true })]
  if (status !== 'active') return []
  // Not as a comparison with the column: nearly all users match, so that an index for it would only be in the way.
  return [
    criterion(sql<SqlBool>`(coalesce(${column('banned')}, ${false}) = ${false} or ${column('banExpires')} <= ${app.now()})`),
    criterion(sql<SqlBool>`${column('lockedAt')} is null`),
  ]
}

/** Nearly all users may be without one, so that an index would only be in the way. */
function factorCriteria({ config }: App, { secondFactor }: UserFilter): Criterion[] {
  if (secondFactor === undefined) return []
  if (!config.twoFactor.enabled) return secondFactor === 'with' ? [{ ...criterion(anyOf([])), ids: [] }] : []
  const name = 'twoFactorEnabled'
  if (secondFactor === 'with') return [criterion(sql<SqlBool>`${column(name)} = ${true}`, { column: name, isEqual: true })]
  return [criterion(sql<SqlBool>`coalesce(${column(name)}, ${false}) = ${false}`)]
}

/** Users with one of these roles among theirs. A user without a role has the default one. */
async function roleCriterion({ app, search }: Finding, role: string): Promise<Criterion> {
  const wanted = role.split(',')
  const { defaultRole } = app.config.admin
  const stored = await search.run(
    app.db
      .selectFrom('user')
      .select('role')
      .distinct()
      .limit(mostRoles + 1),
  )
  const names = sql`concat(',', coalesce(nullif(${column('role')}, ''), ${defaultRole}), ',')`
  const byRow = anyOf(wanted.map((name) => sql<SqlBool>`instr(${names}, ${`,${name},`}) > 0`))
  if (stored.length > mostRoles) return criterion(byRow)
  const has = (given: string | null) => (given || defaultRole).split(',').some((name) => wanted.includes(name))
  const matching = stored.flatMap((row) => (has(row.role) && row.role !== null ? [row.role] : []))
  const isNull = wanted.includes(defaultRole) ? [sql<SqlBool>`${column('role')} is null`] : []
  const isEqual = matching.length === 1 && isNull.length === 0
  return { byRow, byIndex: anyOf([isOneOf('role', matching), ...isNull]), column: 'role', isEqual }
}

function timeCriteria({ createdAfter, createdBefore, lastSignInAfter, lastSignInBefore }: UserFilter): Criterion[] {
  const compare = (name: string, comparison: '>=' | '<', time: Date | undefined) =>
    time ? [criterion(sql<SqlBool>`${column(name)} ${sql.raw(comparison)} ${time}`, { column: name })] : []
  return [
    ...compare('createdAt', '>=', createdAfter),
    ...compare('createdAt', '<', createdBefore),
    ...compare('lastSignInAt', '>=', lastSignInAfter),
    ...compare('lastSignInAt', '<', lastSignInBefore),
  ]
}
