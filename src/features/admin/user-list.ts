/** The list of users: pages by keyset, and how many users there are. */
import { sql } from 'kysely'
import { type App, memo } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { cutPage, maxPage } from '../../core/pages.ts'
import { countInTime, errors, type Search, startSearch } from '../../core/search.ts'
import { createSharedRun } from '../../lib/async.ts'
import { estimateMatches, estimateOf, rounded } from './user-estimate.ts'
import { criteriaOf } from './user-filters.ts'
import { orderOf } from './user-order.ts'
import { bounds, findUsers, matching } from './user-pages.ts'
import { type ListedUser, readCursor, type UserQuery } from './user-query.ts'
import { type Criterion, mostCounted } from './user-search.ts'

export interface UserPage {
  readonly users: (ListedUser & { organizations?: number })[]
  readonly total: number
  readonly totalIsEstimate: boolean
  /** Null: this is the last page. */
  readonly nextCursor: string | null
}

const defaultLimit = 100
/** Tables with so many more rows are not counted: their estimate is wrong by less. */
const surelyMore = 5 * mostCounted

/**
 * @param limits rows that are read at most; see `bounds`
 * @throws ApiError VALIDATION_ERROR, SEARCH_TOO_SLOW
 */
export async function listUsers(app: App, query: UserQuery, limits = bounds): Promise<UserPage> {
  const { offset = 0, cursor, sortBy = 'createdAt' } = query
  const limit = Math.min(query.limit ?? defaultLimit, maxPage)
  const search = startSearch(app, 'user.id')
  const order = orderOf(app, sortBy, query.sortDirection)
  const position = cursor === undefined ? null : readCursor(cursor, sortBy, order.sorted, order.isByTime)
  const criteria = await criteriaOf({ app, search, most: limits.found }, query)
  const reading = findUsers(app, search, { criteria, order, limit: limit + 1, offset, position, limits })
  const [{ rows: found, total: known }, all] = await Promise.all([reading, criteria.length === 0 ? countAll(app)() : null])
  const { sorted, isByTime } = order
  const { rows, hasMore, next } = cutPage(found, limit, (row) => {
    const place = [sortBy, Object(row)[sorted.alias], row.id]
    return isByTime ? [...place, row.createdAt] : place
  })
  // The last page of all says how many there are, unless it begins after the end.
  const isWhole = !position && !hasMore && (offset === 0 || rows.length > 0)
  const exact = isWhole ? offset + rows.length : known
  const total =
    exact === null
      ? atLeast(all ?? (await countMatches(app, search, criteria)), position ? rows.length : offset + found.length)
      : { total: exact, totalIsEstimate: false }
  return {
    users: query.include ? await withOrganizations(app, rows) : rows,
    ...total,
    nextCursor: next,
  }
}

interface Total {
  readonly total: number
  readonly totalIsEstimate: boolean
}

/** There are at least as many as were read or skipped. */
const atLeast = ({ total, totalIsEstimate }: Total, known: number): Total => ({
  total: totalIsEstimate ? Math.max(known, total) : total,
  totalIsEstimate,
})

/** Counts matches exactly if that reads few rows, and estimates the others. */
async function countMatches(app: App, search: Search, criteria: readonly Criterion[]): Promise<Total> {
  const some = await cheapCount(app, search, criteria)
  // The page itself was found in time, also when counting takes too long.
  const count = some
    ? await countInTime(search, app.db.selectFrom(some)).catch((error: unknown) => {
        if (error instanceof ApiError && error.entry === errors.SEARCH_TOO_SLOW) return null
        throw error
      })
    : null
  if (count !== null && count <= mostCounted) return { total: count, totalIsEstimate: false }
  const estimate = await estimateMatches(
    app,
    criteria.map(({ byRow }) => byRow),
  )
  const [{ source } = {}, ...others] = criteria
  const known = count ?? (source && others.length === 0 ? mostCounted : 0)
  return { total: Math.max(known, estimate), totalIsEstimate: true }
}

/** A query of the matches, one more than are counted at most. @returns null when it would read many other rows */
async function cheapCount(app: App, search: Search, criteria: readonly Criterion[]) {
  const matches = matching(app, search, { criteria, lead: null })
    .select('user.id')
    .limit(mostCounted + 1)
  if ((await estimateOf(app)()) <= surelyMore) return matches.as('some')
  // More than are counted.
  if (criteria.length === 1 && criteria[0]?.source) return null
  return (await app.database.estimateReads(app.db, matches.compile())) <= mostRead ? matches.as('some') : null
}

/** Rows that are read for an exact count: a database estimates their number. */
const mostRead = 1.2 * mostCounted

/** Many administrators who open the list at the same time wait for one count. */
const countAll = memo((app: App) =>
  createSharedRun(async (): Promise<Total> => {
    const estimate = await estimateOf(app)()
    if (estimate > surelyMore) return { total: rounded(estimate), totalIsEstimate: true }
    const search = startSearch(app, 'user.id')
    return { total: await countInTime(search, app.db.selectFrom('user').where(search.isInTime)), totalIsEstimate: false }
  }),
)

async function withOrganizations(app: App, users: readonly ListedUser[]): Promise<UserPage['users']> {
  if (users.length === 0 || !app.config.organization.enabled) return users.map((user) => ({ ...user, organizations: 0 }))
  const ids = users.map(({ id }) => id)
  const rows = await app.db
    .selectFrom('member')
    .select(['userId', sql<number | string | bigint>`count(*)`.as('count')])
    .where('userId', 'in', ids)
    .groupBy('userId')
    .execute()
  const counts = new Map(rows.map(({ userId, count }) => [userId, Number(count)]))
  return users.map((user) => ({ ...user, organizations: counts.get(user.id) ?? 0 }))
}
