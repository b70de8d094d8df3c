/** How a page of users is read: each way reads a bounded number of rows, or each row of the table once. */
import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Search } from '../../core/search.ts'
import { estimateMatches, estimateOf } from './user-estimate.ts'
import { inOrder, isIndexed, leadersOf, type Order, partsAfter, sortedBy } from './user-order.ts'
import { type ListedUser, listedColumns, type Position } from './user-query.ts'
import { anyOf, type Condition, type Criterion, criterion, idsOf, isOneOf, mostCounted } from './user-search.ts'

/** How far a list is read. */
export interface Bounds {
  /** Most ids of matches of a search that are read before the list. */
  readonly found: number
  /** The same for other conditions: with more matches, the list has one so often that it is read in its own order. */
  readonly matches: number
  /** Rows that are read in the order of the list for each row of a page: a few first, then more. */
  readonly walked: readonly number[]
  /** The same at last, when a search is known to have many matches. */
  readonly walkedForMany: number
}
export const bounds: Bounds = { found: mostCounted, matches: 1000, walked: [4, 40], walkedForMany: 400 }

export type UserRows = readonly (ListedUser & { readonly createdAt: Date })[]

interface Reading {
  readonly criteria: readonly Criterion[]
  readonly order: Order
  readonly limit: number
  readonly offset: number
  readonly position: Position | null
  readonly limits: Bounds
}

interface Found {
  readonly rows: UserRows
  /** The number of all matches, if it is known. */
  readonly total: number | null
}

const usersInTime = ({ db }: App, { isInTime }: Search) => db.selectFrom('user').where(isInTime)
type Users = ReturnType<typeof usersInTime>

function usersById({ db, database }: App, { isInTime }: Search): Users {
  const name = sql<'user'>`${sql.ref('user')} ${database.byPrimaryKey}`
  // Only the way to the rows differs.
  return db.selectFrom(sql.table('user').as(name)).where(isInTime) as unknown as Users
}

interface Matching {
  readonly criteria: readonly Criterion[]
  /** The criterion whose ids are found first, and joined with their rows; null: the database chooses. */
  readonly lead: Criterion | null
  /** The criteria name the users: MySQL would read the whole table to sort a tenth of it. */
  readonly isById?: boolean
}

/** The users who match. */
export function matching(app: App, search: Search, { criteria, lead, isById }: Matching, more: readonly Condition[] = []): Users {
  if (!lead?.source) {
    const users = isById ? usersById(app, search) : usersInTime(app, search)
    return withConditions(users, [...conditionsOf(criteria), ...more])
  }
  const found = sql<{ id: string }>`(${idsOf(lead.source)} limit ${sql.lit(mostIds)})`.as(sql.ref<'found'>('found'))
  const joined = app.db.selectFrom(found).innerJoin('user', 'user.id', 'found.id').modifyFront(app.database.inJoinOrder)
  const others = criteria.filter((one) => one !== lead).map(({ byRow }) => byRow)
  // Only columns of users are read of it.
  return withConditions(joined.where(search.isInTime) as unknown as Users, [...others, ...more])
}

/** A limit that no table reaches: a derived table with one is read first. */
const mostIds = 2_000_000_000

const withConditions = (users: Users, conditions: readonly Condition[]): Users =>
  conditions.reduce((narrowed, condition) => narrowed.where(condition), users)

/** Without a criterion that leads: several queries of ids are merged only for a condition that is alone. */
const conditionsOf = (criteria: readonly Criterion[]): Condition[] =>
  criteria.map(({ byRow, byIndex, source = [] }) => (source.length > 1 && criteria.length > 1 ? byRow : byIndex))

/** Users of which one in so many matches are found by an index; of more, reading every row is faster. */
const sparse = 4

/**
 * The criterion that leads: one whose matches are in other places, if no index of users serves any. The other way is to read every
 * user.
 */
async function leadOf(app: App, criteria: readonly Criterion[]): Promise<Criterion | null> {
  if (criteria.some(({ ids, column }) => ids || (column !== undefined && isIndexed(app, column)))) return null
  const many = criteria.find(({ source }) => source)
  if (!many) return null
  return (await estimateMatches(app, [many.byRow])) * sparse <= (await estimateOf(app)()) ? many : null
}

/**
 * Few matches, and those of a search that can be counted, are found first and then sorted. With more of them, the list is read in its
 * own order, because a page then has few other rows between its own. If there are many, as when only the oldest users match and the
 * newest come first, all matches are sorted. What a database chooses by itself may read an index in the order of the list to its end.
 */
export async function findUsers(app: App, search: Search, reading: Reading): Promise<Found> {
  const { criteria, order, limits } = reading
  if (criteria.length === 0) return { rows: await readAll(app, search, reading), total: null }
  const ids = await findIds(app, search, reading)
  if (ids) {
    const found = { criteria: [criterion(isOneOf('id', ids))], lead: null, isById: true }
    return { rows: await readSorted(app, search, reading, found), total: ids.length }
  }
  const isSearch = criteria.some(({ source }) => source) && reading.offset === 0
  const walked = isSearch ? [...limits.walked, limits.walkedForMany] : limits.walked
  for (const each of order.isIndexed ? walked : []) {
    const rows = await walk(app, search, reading, each)
    if (rows.length === reading.limit) return { rows, total: null }
  }
  return { rows: await readSorted(app, search, reading, { criteria, lead: await leadOf(app, criteria) }), total: null }
}

/** The ids of all matches. @returns null when there are more than are found before the list */
async function findIds(app: App, search: Search, { criteria, limits }: Reading): Promise<readonly string[] | null> {
  const [{ ids, source } = {}, ...others] = criteria
  // Alone, it has found them, or there are too many.
  if (others.length === 0 && (ids || source)) return ids ?? null
  // Among those that one of them has found there are no more.
  const most = criteria.some((one) => one.ids) ? limits.found : limits.matches
  const matches = matching(app, search, { criteria, lead: await leadOf(app, criteria) }).select('user.id')
  const found = await search.run(matches.limit(most + 1))
  return found.length > most ? null : found.map(({ id }) => id)
}

/** The columns of a page, with the value that it is sorted by. */
function pageColumns(app: App, { sorted, keys: [value = sql`null`] }: Order) {
  const listed = listedColumns(app)
  const isListed = listed.some((name) => name === sorted.alias)
  return [...listed.map((name) => `user.${name}` as const), ...(isListed ? [] : [value.as(sorted.alias)])]
}

const after = ({ position, order }: Reading): Condition[] => (position ? [anyOf(partsAfter(order, position))] : [])

/** Reads each match once, whatever index there is for the order. */
function readSorted(app: App, search: Search, reading: Reading, matches: Matching): Promise<UserRows> {
  const { order, limit, offset, position } = reading
  const users = sortedBy(matching(app, search, matches, after(reading)), order).select(pageColumns(app, order))
  return search.run(users.limit(limit).offset(position ? 0 : offset))
}

/** The matches among the first rows in the order of the list. @param each rows that are read for each row of the page */
function walk(app: App, search: Search, reading: Reading, each: number): Promise<UserRows> {
  const { criteria, order, limit, position } = reading
  const offset = position ? 0 : reading.offset
  const leaders = leadersOf(app, order, criteria).map(({ byIndex }) => byIndex)
  const first = inOrder(withConditions(usersInTime(app, search), [...leaders, ...after(reading)]), order).select('user.id')
  const slice = first.limit(each * limit + 4 * offset).as('slice')
  const rows = criteria.reduce(
    (users, { byRow }) => users.where(byRow),
    app.db
      .selectFrom(slice)
      .innerJoin('user', 'user.id', 'slice.id')
      .modifyFront(app.database.inJoinOrder)
      .select(pageColumns(app, order)),
  )
  return search.run(inOrder(rows, order).limit(limit).offset(offset))
}

async function readAll(app: App, search: Search, { order, limit, offset, position }: Reading): Promise<UserRows> {
  const columns = pageColumns(app, order)
  const read = (conditions: readonly Condition[], rows: number) =>
    inOrder(withConditions(usersInTime(app, search), conditions), order).limit(rows)
  if (!position && offset > 0) {
    // The rows that are skipped are not read, if an index has the order.
    const skipped = read([], limit).select('user.id').offset(offset).as('page')
    const rows = app.db.selectFrom(skipped).innerJoin('user', 'user.id', 'page.id').select(columns)
    return search.run(inOrder(rows, order))
  }
  let found: UserRows = []
  for (const part of position ? partsAfter(order, position).map((one) => [one]) : [[]]) {
    if (found.length === limit) break
    found = [...found, ...(await search.run(read(part, limit - found.length).select(columns)))]
  }
  return found
}
