/** The conditions of the list of users. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { escapeLike } from '../../core/pages.ts'
import { sortNameOf } from '../users/index.ts'
import type { Search } from './search.ts'
import { columnOf, invalidQuery, isText, type ListColumn, readList, readValue, type UserQuery } from './user-query.ts'

type Condition = RawBuilder<SqlBool>

/**
 * Matches that a search fetches by index before it reads the list. With more of them, the list in its own order has a match so often
 * that it is read instead: what a database chooses by itself may read all users.
 */
const mostMatches = 1000
/** Different roles of users, as they are stored. */
const mostRoles = 1000

const ref = (column: string) => sql.ref(`user.${column}`)
const any = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`

/** @throws ApiError VALIDATION_ERROR, SEARCH_TOO_SLOW */
export async function conditionsOf(app: App, search: Search, query: UserQuery): Promise<Condition[]> {
  return [
    ...(await searchConditions(app, search, query)),
    ...(query.filterValue === undefined || query.filterValue === '' ? [] : [filterCondition(app, query)]),
    ...statusConditions(app, query),
    ...(query.role ? [await roleCondition(app, search, query.role)] : []),
    ...relationConditions(app, query),
    ...timeConditions(query),
  ]
}

async function searchConditions(app: App, search: Search, query: UserQuery): Promise<Condition[]> {
  const { searchValue, searchField, searchOperator } = query
  const found = query.search ? [await startCondition(app, search, query.search, ['id', 'email', 'name'])] : []
  if (!searchValue) return found
  if (searchOperator === 'starts_with') return [...found, await startCondition(app, search, searchValue, [searchField])]
  return [...found, patternCondition(columnOf(app, searchField), searchOperator, searchValue)]
}

type Start = 'id' | 'email' | 'name'

/** Whether one of these fields begins with a text, or the id is the text. */
async function startCondition(app: App, search: Search, given: string, fields: readonly Start[]): Promise<Condition> {
  const conditions = fields.flatMap((field) => startsOf(field, given))
  const ids = new Set<string>()
  for (const { byIndex } of conditions) {
    const matches = app.db.selectFrom('user').select('user.id').where(search.isInTime).where(byIndex)
    for (const { id } of await search.run(matches.limit(mostMatches + 1))) ids.add(id)
    if (ids.size > mostMatches) return any(conditions.map(({ byRow }) => byRow))
  }
  return ids.size === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${ref('id')} in (${sql.join([...ids])})`
}

/** The same condition in two forms: for an index, and for the rows of a list that is read in another order. */
function startsOf(field: Start, given: string): readonly { readonly byIndex: Condition; readonly byRow: Condition }[] {
  if (field === 'id') {
    const isSame = sql<SqlBool>`${ref('id')} = ${given}`
    return [{ byIndex: isSame, byRow: isSame }]
  }
  const start = given.toLowerCase()
  if (field === 'email') return [{ byIndex: isBetween('email', start), byRow: beginsWith(ref('email'), start) }]
  const short = sortNameOf(start)
  const isLonger = short.length < start.length ? sql` and ${beginsWith(sql`lower(${ref('name')})`, start)}` : sql``
  // Users whom an application inserted, until a job has read their names.
  const isUnread = sql<SqlBool>`(${ref('sortName')} is null and ${beginsWith(sql`lower(${ref('name')})`, start)})`
  return [
    {
      byIndex: sql<SqlBool>`(${isBetween('sortName', short)}${isLonger})`,
      byRow: sql<SqlBool>`(${beginsWith(ref('sortName'), short)}${isLonger})`,
    },
    { byIndex: isUnread, byRow: isUnread },
  ]
}

/** The last character of Unicode, after which no text of the same start comes. */
const last = '\u{10FFFF}'

const isBetween = (column: string, start: string): Condition =>
  sql<SqlBool>`(${ref(column)} >= ${start} and ${ref(column)} < ${`${start}${last}`})`

const beginsWith = (value: RawBuilder<unknown>, start: string): Condition =>
  sql<SqlBool>`substr(${value}, 1, ${[...start].length}) = ${start}`

const patterns = {
  contains: (text: string) => `%${text}%`,
  starts_with: (text: string) => `${text}%`,
  ends_with: (text: string) => `%${text}`,
}
type PatternOperator = keyof typeof patterns
const isPattern = (operator: string): operator is PatternOperator => operator in patterns

/** In any case. */
function patternCondition(column: ListColumn, operator: PatternOperator, given: string): Condition {
  const pattern = patterns[operator](escapeLike(given.toLowerCase()))
  const isLike = (value: RawBuilder<unknown>) => sql<SqlBool>`${value} like ${pattern} escape '!'`
  if (column.column === 'email') return isLike(ref('email'))
  return isLike(sql`lower(${ref(column.column)})`)
}

const comparisons = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const
const isComparison = (operator: string): operator is keyof typeof comparisons => operator in comparisons

/** @throws ApiError VALIDATION_ERROR for an unknown column, and for a value that the operator cannot have */
function filterCondition(app: App, query: UserQuery): Condition {
  const { filterField, filterOperator: operator, filterValue: given = '' } = query
  const column = columnOf(app, filterField)
  if (operator === 'in' || operator === 'not_in') {
    const values = readList(column, given)
    if (values.length === 0) return operator === 'in' ? any([]) : sql<SqlBool>`1 = 1`
    return sql<SqlBool>`${ref(column.column)} ${sql.raw(operator === 'in' ? 'in' : 'not in')} (${sql.join(values)})`
  }
  if (Array.isArray(given)) throw new ApiError(invalidQuery)
  if (isPattern(operator)) {
    if (!isText(column)) throw new ApiError(invalidQuery)
    return patternCondition(column, operator, String(given))
  }
  const value = readValue(column, given)
  const isMatch = sql<SqlBool>`${ref(column.column)} ${sql.raw(isComparison(operator) ? comparisons[operator] : '=')} ${value}`
  if (column.column !== 'name' || operator !== 'eq') return isMatch
  // By index first: no index can have a whole name.
  return sql<SqlBool>`(${isMatch} and (${ref('sortName')} = ${sortNameOf(String(value))} or ${ref('sortName')} is null))`
}

function statusConditions(app: App, { status }: UserQuery): Condition[] {
  const isBanned = sql<SqlBool>`(${ref('banned')} = ${true} and (${ref('banExpires')} is null or ${ref('banExpires')} > ${app.now()}))`
  if (status === 'banned') return [isBanned]
  if (status === 'unverified') return [sql<SqlBool>`${ref('emailVerified')} = ${false}`]
  if (status !== 'active') return []
  // Not as a comparison with the column: nearly all users match, so that an index for it would only be in the way.
  return [sql<SqlBool>`(coalesce(${ref('banned')}, ${false}) = ${false} or ${ref('banExpires')} <= ${app.now()})`]
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
    const column = sql`coalesce(nullif(${ref('role')}, ''), ${defaultRole})`
    return any(wanted.map((name) => sql<SqlBool>`instr(concat(',', ${column}, ','), ${`,${name},`}) > 0`))
  }
  const matching = stored.flatMap((row) =>
    row.role && wanted.some((name) => row.role?.split(',').includes(name)) ? [row.role] : [],
  )
  return matching.length === 0 ? any([]) : sql<SqlBool>`${ref('role')} in (${sql.join(matching)})`
}

function relationConditions({ config }: App, { provider, organizationId }: UserQuery): Condition[] {
  const has = (table: string, column: string, value: string): Condition => {
    const [userId, compared] = [sql.ref(`${table}.userId`), sql.ref(`${table}.${column}`)]
    return sql<SqlBool>`exists (select 1 from ${sql.table(table)} where ${userId} = ${ref('id')} and ${compared} = ${value})`
  }
  return [
    ...(provider ? [has('account', 'providerId', provider)] : []),
    ...(organizationId ? [config.organization.enabled ? has('member', 'organizationId', organizationId) : any([])] : []),
  ]
}

const timeConditions = ({ createdAfter, createdBefore, lastSignInAfter, lastSignInBefore }: UserQuery): Condition[] => [
  ...(createdAfter ? [sql<SqlBool>`${ref('createdAt')} >= ${createdAfter}`] : []),
  ...(createdBefore ? [sql<SqlBool>`${ref('createdAt')} < ${createdBefore}`] : []),
  ...(lastSignInAfter ? [sql<SqlBool>`${ref('lastSignInAt')} >= ${lastSignInAfter}`] : []),
  ...(lastSignInBefore ? [sql<SqlBool>`${ref('lastSignInAt')} < ${lastSignInBefore}`] : []),
]
