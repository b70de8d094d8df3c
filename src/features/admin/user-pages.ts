/** How a page of users is read: each way reads a bounded number of rows, or each row of the table once. */
import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Search } from '../../core/search.ts'
import { inOrder, leadersOf, type Order, partsAfter, sortedBy } from './user-order.ts'
import { type ListedUser, listedColumns, type Position } from './user-query.ts'
import { anyOf, type Condition, type Criterion, isOneOf } from './user-search.ts'

/** How far a list is read. */
export interface Bounds {
  /** Most ids of matches that are read before the list. */
  readonly matches: number
  /** Rows that are read in the order of the list for each row of a page: a few first, then more. */
  readonly walked: readonly number[]
}
export const bounds: Bounds = { matches: 1000, walked: [4, 40] }

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

export const matching = (app: App, { isInTime }: Search, conditions: readonly Condition[]) =>
  conditions.reduce((users, condition) => users.where(condition), app.db.selectFrom('user').where(isInTime))

/**
 * Few matches are found first and then sorted. With more of them, the list is read in its own order, because a page then has few other
 * rows between its own. If there are many, as when only the oldest users match and the newest come first, all matches are sorted.
 * What a database chooses by itself may read an index in the order of the list to its end.
 */
export async function findUsers(app: App, search: Search, reading: Reading): Promise<Found> {
  const { criteria, order, limits } = reading
  if (criteria.length === 0) return { rows: await readAll(app, search, reading), total: null }
  const ids = await findIds(app, search, criteria, limits.matches)
  if (ids) return { rows: await readSorted(app, search, reading, [isOneOf('id', ids)]), total: ids.length }
  for (const each of order.isIndexed ? limits.walked : []) {
    const rows = await walk(app, search, reading, each)
    if (rows.length === reading.limit) return { rows, total: null }
  }
  return { rows: await readSorted(app, search, reading, conditionsOf(criteria)), total: null }
}

/** Several queries of ids are merged only for a condition that is alone. */
export const conditionsOf = (criteria: readonly Criterion[]): Condition[] =>
  criteria.map(({ byRow, byIndex, source = [] }) => (source.length > 1 && criteria.length > 1 ? byRow : byIndex))

/** @returns null when there are more */
async function findIds(
  app: App,
  search: Search,
  criteria: readonly Criterion[],
  most: number,
): Promise<readonly string[] | null> {
  const [first] = criteria
  if (criteria.length === 1 && first?.ids) return first.ids
  // They were more.
  if (criteria.length === 1 && first?.source) return null
  const matches = matching(app, search, conditionsOf(criteria)).select('user.id')
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
function readSorted(app: App, search: Search, reading: Reading, conditions: readonly Condition[]): Promise<UserRows> {
  const { order, limit, offset, position } = reading
  const users = sortedBy(matching(app, search, [...conditions, ...after(reading)]), order).select(pageColumns(app, order))
  return search.run(users.limit(limit).offset(position ? 0 : offset))
}

/** The matches among the first rows in the order of the list. @param each rows that are read for each row of the page */
function walk(app: App, search: Search, reading: Reading, each: number): Promise<UserRows> {
  const { criteria, order, limit, position } = reading
  const offset = position ? 0 : reading.offset
  const leaders = leadersOf(app, order, criteria).map(({ byIndex }) => byIndex)
  const first = inOrder(matching(app, search, [...leaders, ...after(reading)]), order).select('user.id')
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
  const read = (conditions: readonly Condition[], rows: number) => inOrder(matching(app, search, conditions), order).limit(rows)
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
