/** The list of users: pages by keyset, and how many users there are. */
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { type App, memo } from '../../core/app.ts'
import { maxPage } from '../../core/pages.ts'
import { isTooSlow, type Search, startSearch } from '../../core/search.ts'
import { createSharedRun } from '../../lib/async.ts'
import { criteriaOf } from './user-filters.ts'
import {
  columnOf,
  cursorOf,
  type ListColumn,
  type ListedUser,
  listedColumns,
  type Position,
  readCursor,
  type UserQuery,
} from './user-query.ts'
import type { Condition, Criterion } from './user-search.ts'

export interface UserPage {
  readonly users: (ListedUser & { organizations?: number })[]
  readonly total: number
  readonly totalIsEstimate: boolean
  /** Null: this is the last page. */
  readonly nextCursor: string | null
}

const defaultLimit = 100
/** Up to here totals are exact. */
const mostCounted = 10_000
/** Tables with so many more rows are not counted: their estimate is wrong by less. */
const surelyMore = 5 * mostCounted

/** @throws ApiError VALIDATION_ERROR, SEARCH_TOO_SLOW */
export async function listUsers(app: App, query: UserQuery): Promise<UserPage> {
  const { offset = 0, cursor, sortBy = 'createdAt' } = query
  const limit = Math.min(query.limit ?? defaultLimit, maxPage)
  const search = startSearch(app, 'user.id')
  const order = orderOf(app, sortBy, query.sortDirection)
  const position = cursor === undefined ? null : readCursor(cursor, sortBy, order.sorted)
  const criteria = await criteriaOf(app, search, query)
  const conditions = criteria.map(({ condition }) => condition)
  const reading = position
    ? readAfter(app, search, { conditions, order, limit: limit + 1 }, position)
    : readPage(app, search, { conditions, order, limit: limit + 1, offset })
  const [found, all] = await Promise.all([reading, criteria.length === 0 ? countAll(app)() : null])
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const hasMore = found.length > limit
  // The last page of all says how many there are, unless it begins after the end.
  const isWhole = !position && !hasMore && (offset === 0 || rows.length > 0)
  const total = isWhole
    ? { total: offset + rows.length, totalIsEstimate: false }
    : atLeast(all ?? (await countMatches(app, search, criteria)), position ? rows.length : offset + found.length)
  return {
    users: query.include ? await withOrganizations(app, rows) : rows,
    ...total,
    nextCursor: hasMore && last ? cursorOf(sortBy, { value: Object(last)[order.sorted.alias], id: last.id }) : null,
  }
}

type Direction = UserQuery['sortDirection']

interface Order {
  readonly sorted: ListColumn & { readonly alias: string }
  readonly value: RawBuilder<unknown>
  /** Equal values are sorted by id. A unique column is alone: MariaDB has an index for it, but none for both. */
  readonly keys: readonly RawBuilder<unknown>[]
  readonly direction: Direction
}

/** Characters by which long texts are sorted, so that a cursor can contain them. */
const sortedCharacters = 255

/** @throws ApiError VALIDATION_ERROR for an unknown column */
function orderOf(app: App, sortBy: string, direction: Direction): Order {
  const column = columnOf(app, sortBy, 'sortBy')
  const name = column.column === 'name' ? 'sortName' : column.column
  const isLong = column.kind === 'text' && name !== 'sortName'
  const value = isLong ? sql`substr(${sql.ref(`user.${name}`)}, 1, ${sql.lit(sortedCharacters)})` : sql.ref(`user.${name}`)
  const isUnique = column.primary || (column.unique && !column.nullable)
  const keys = isUnique ? [value] : [value, sql.ref('user.id')]
  return { sorted: { ...column, alias: isLong ? 'sortedText' : name }, value, keys, direction }
}

interface Reading {
  readonly conditions: readonly Condition[]
  readonly order: Order
  readonly limit: number
  readonly offset?: number
}

const matching = (app: App, { isInTime }: Search, conditions: readonly Condition[]) =>
  conditions.reduce((users, condition) => users.where(condition), app.db.selectFrom('user').where(isInTime))

function readPage(app: App, search: Search, { conditions, order, limit, offset = 0 }: Reading) {
  const { value, sorted } = order
  const page = inOrder(matching(app, search, conditions), order).limit(limit)
  const listed = listedColumns(app)
  const columns = [
    ...listed.map((name) => `user.${name}` as const),
    ...(listed.some((name) => name === sorted.alias) ? [] : [value.as(sorted.alias)]),
  ]
  if (offset === 0) return search.run(page.select(columns))
  // The rows that are skipped are not read, if an index has all that the conditions need.
  const skipped = page.select('user.id').offset(offset).as('page')
  const rows = app.db.selectFrom(skipped).innerJoin('user', 'user.id', 'page.id').select(columns)
  return search.run(inOrder(rows, order))
}

const inOrder = <DB, TB extends keyof DB, O>(users: SelectQueryBuilder<DB, TB, O>, { keys, direction }: Order) =>
  keys.reduce((sorted, key) => sorted.orderBy(key, direction), users)

/** The rows after a position, in parts of which each reads an index from its place: equal values, then others, then none. */
async function readAfter(app: App, search: Search, { conditions, order, limit }: Reading, position: Position) {
  const found: Awaited<ReturnType<typeof readPage>> = []
  for (const part of partsAfter(order, position)) {
    if (found.length >= limit) break
    found.push(...(await readPage(app, search, { conditions: [...conditions, part], order, limit: limit - found.length })))
  }
  return found
}

/** Both databases sort null before every value. */
function partsAfter({ value, keys, direction, sorted }: Order, position: Position): Condition[] {
  const beyond = sql.raw(direction === 'asc' ? '>' : '<')
  const isNextValue = sql<SqlBool>`${value} ${beyond} ${position.value}`
  if (keys.length === 1) return [isNextValue]
  const isNextId = sql<SqlBool>`${sql.ref('user.id')} ${beyond} ${position.id}`
  if (position.value === null) {
    const others = direction === 'asc' ? [sql<SqlBool>`${value} is not null`] : []
    return [sql<SqlBool>`(${value} is null and ${isNextId})`, ...others]
  }
  const nulls = direction === 'desc' && sorted.nullable ? [sql<SqlBool>`${value} is null`] : []
  return [sql<SqlBool>`(${value} = ${position.value} and ${isNextId})`, isNextValue, ...nulls]
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

async function countMatches(app: App, search: Search, criteria: readonly Criterion[]): Promise<Total> {
  const [first, ...others] = criteria
  if (first?.matches !== undefined && others.length === 0) return { total: first.matches, totalIsEstimate: false }
  const conditions = criteria.map(({ condition }) => condition)
  const some = matching(app, search, conditions)
    .select('user.id')
    .limit(mostCounted + 1)
    .as('some')
  // The page itself was found in time, also when counting takes too long.
  const count = await counted(search, app.db.selectFrom(some)).catch((error: unknown) => {
    if (isTooSlow(error)) return null
    throw error
  })
  if (count !== null && count <= mostCounted) return { total: count, totalIsEstimate: false }
  return { total: Math.max(count ?? 0, await estimateMatches(app, conditions)), totalIsEstimate: true }
}

/** Milliseconds for which an estimate is used: databases update theirs after thousands of writes. */
const estimateAgeMs = 10_000

const estimateOf = memo((app: App) => {
  let known = { until: 0, rows: 0 }
  return async (): Promise<number> => {
    const now = app.now().getTime()
    if (now >= known.until) known = { until: now + estimateAgeMs, rows: await app.database.estimateRows(app.db, 'user') }
    return known.rows
  }
})

/** Many administrators who open the list at the same time wait for one count. */
const countAll = memo((app: App) =>
  createSharedRun(async (): Promise<Total> => {
    const estimate = await estimateOf(app)()
    if (estimate > surelyMore) return { total: rounded(estimate), totalIsEstimate: true }
    const search = startSearch(app, 'user.id')
    return { total: await counted(search, app.db.selectFrom('user').where(search.isInTime)), totalIsEstimate: false }
  }),
)

async function counted<DB, TB extends keyof DB>(search: Search, rows: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const counting = rows.select(sql`count(*)`.as('count')).$castTo<{ count: number | string | bigint }>()
  const [row] = await search.run(counting)
  return Number(row?.count ?? 0)
}

/** Users of a sample. */
const sampleSize = 1000

/** Extrapolates from a sample: ids are random, so that users whose ids follow each other are as good as any. */
async function estimateMatches(app: App, conditions: readonly Condition[]): Promise<number> {
  const sample = await sampleFrom(app, app.random.id(), conditions)
  // Few users are left after the highest ids, and none when all ids were made elsewhere.
  const { size, matches } = sample.size < sampleSize ? await sampleFrom(app, '', conditions) : sample
  return rounded(((await estimateOf(app)()) * matches) / Math.max(1, size))
}

async function sampleFrom(app: App, from: string, conditions: readonly Condition[]) {
  const search = startSearch(app, 'user.id')
  const users = app.db.selectFrom('user').selectAll('user').where(search.isInTime)
  const sample = users.where('id', '>=', from).orderBy('id').limit(sampleSize).as('user')
  const matches = sql<number | string>`sum(case when ${sql.join(conditions, sql` and `)} then 1 else 0 end)`.as('matches')
  const size = sql<number | string | bigint>`count(*)`.as('size')
  const [row] = await search.run(app.db.selectFrom(sample).select([size, matches]))
  return { size: Number(row?.size ?? 0), matches: Number(row?.matches ?? 0) }
}

/** To three digits: more would seem exact. */
const rounded = (estimate: number): number => Number(estimate.toPrecision(3))

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
