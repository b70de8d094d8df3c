/** The orders of the list of users, and positions in them. */
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { type App, memo } from '../../core/app.ts'
import { mergeIndexes } from '../../core/table.ts'
import { columnOf, type ListColumn, type Position, type UserQuery } from './user-query.ts'
import { anyOf, type Condition, type Criterion, column } from './user-search.ts'

type Direction = UserQuery['sortDirection']

export interface Order {
  readonly sorted: ListColumn & { readonly alias: string }
  /** The value, then what decides between equal ones. A unique column is alone: MariaDB has an index for it, but none for both. */
  readonly keys: readonly RawBuilder<unknown>[]
  readonly direction: Direction
  /** Whether an index has the users in this order. */
  readonly isIndexed: boolean
  /** Whether equal values are in the order of creation, as the index of the column has them. */
  readonly isByTime: boolean
}

/** Characters by which long texts are sorted, so that a cursor can contain them. */
const sortedCharacters = 255

/** The columns after the first one, by the first column of an index. */
const indexedColumns = memo((app: Pick<App, 'features' | 'memo'>) => {
  const indexes = mergeIndexes(app.features).user ?? []
  return new Map(indexes.map(({ columns: [first = '', ...rest] }) => [first, rest]))
})

/** Whether an index has the values of this column of users. */
export const isIndexed = (app: App, name: string): boolean => indexedColumns(app).has(name)

/** @throws ApiError VALIDATION_ERROR for an unknown column */
export function orderOf(app: App, sortBy: string, direction: Direction): Order {
  const found = columnOf(app, sortBy, 'sortBy')
  const name = found.column === 'name' ? 'sortName' : found.column
  const isLong = found.kind === 'text' && name !== 'sortName'
  const value = isLong ? sql`substr(${column(name)}, 1, ${sql.lit(sortedCharacters)})` : column(name)
  const index = indexedColumns(app).get(name)
  const isByTime = index?.[0] === 'createdAt'
  const isSingle = found.primary || (found.unique && !found.nullable)
  return {
    sorted: { ...found, alias: isLong ? 'sortedText' : name },
    keys: isSingle ? [value] : [value, ...(isByTime ? [column('createdAt')] : []), column('id')],
    direction,
    isIndexed: index !== undefined || found.unique || found.primary,
    isByTime,
  }
}

/** The conditions that an index has in this order: those on the column itself, or of an equality with a column before it. */
export function leadersOf(app: App, { sorted, isIndexed }: Order, criteria: readonly Criterion[]): Criterion[] {
  const name = sorted.column === 'name' ? 'sortName' : sorted.column
  const ranges = criteria.filter((one) => isIndexed && one.column === name)
  const equal = criteria.find(
    ({ column: first = '', isEqual }) => isEqual && name === 'createdAt' && indexedColumns(app).get(first)?.[0] === name,
  )
  return equal ? [equal, ...ranges] : ranges
}

export const inOrder = <DB, TB extends keyof DB, O>(users: SelectQueryBuilder<DB, TB, O>, { keys, direction }: Order) =>
  keys.reduce((sorted, key) => sorted.orderBy(key, direction), users)

/** The same order, for which no index is read: with few matches among many users, an index in the order would be read to its end. */
export const sortedBy = <DB, TB extends keyof DB, O>(users: SelectQueryBuilder<DB, TB, O>, { keys, direction }: Order) =>
  keys.reduce((sorted, key) => sorted.orderBy(sql`coalesce(${key}, ${key})`, direction), users)

/** Equal values after this one. */
function isLaterAmongEquals({ keys, direction, isByTime }: Order, { createdAt, id }: Position): Condition {
  const beyond = sql.raw(direction === 'asc' ? '>' : '<')
  const isNextId = sql<SqlBool>`${column('id')} ${beyond} ${id}`
  if (!isByTime) return keys.length === 1 ? anyOf([]) : isNextId
  const time = column('createdAt')
  return sql<SqlBool>`(${time} ${beyond}= ${createdAt} and (${time} ${beyond} ${createdAt} or ${isNextId}))`
}

/**
 * The rows after a position, in parts of which each reads an index from its place: equal values, then others, then none. Both databases
 * sort null before every value.
 */
export function partsAfter(order: Order, position: Position): Condition[] {
  const { keys, direction, sorted } = order
  const [value = sql`null`] = keys
  const isLater = isLaterAmongEquals(order, position)
  if (position.value === null) {
    const others = direction === 'asc' ? [sql<SqlBool>`${value} is not null`] : []
    return [sql<SqlBool>`(${value} is null and ${isLater})`, ...others]
  }
  const equals = keys.length === 1 ? [] : [sql<SqlBool>`(${value} = ${position.value} and ${isLater})`]
  const nulls = direction === 'desc' && sorted.nullable ? [sql<SqlBool>`${value} is null`] : []
  return [...equals, sql<SqlBool>`${value} ${sql.raw(direction === 'asc' ? '>' : '<')} ${position.value}`, ...nulls]
}
