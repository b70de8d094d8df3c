/** Events by filters, in pages by keyset: each filter has an index in the order of the list. */
import { type Compilable, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Search } from '../../core/search.ts'
import type { EventRow } from './event.ts'

export interface EventFilter {
  readonly action?: readonly string[] | undefined
  readonly outcome?: readonly string[] | undefined
  readonly actorKind?: readonly string[] | undefined
  readonly actorId?: string | undefined
  /** About this user. */
  readonly aboutId?: string | undefined
  /** About or by this user. */
  readonly userId?: string | undefined
  readonly targetType?: string | undefined
  readonly targetId?: string | undefined
  readonly organizationId?: string | undefined
  readonly ipAddress?: string | undefined
  readonly requestId?: string | undefined
  readonly createdAfter?: Date | undefined
  readonly createdBefore?: Date | undefined
  /** One of these columns has exactly this value. */
  readonly anyId?: string | undefined
}

export interface EventPosition {
  readonly createdAt: Date
  readonly id: string
}

export interface EventPage {
  readonly limit: number
  /** Excluded itself; null: from the end. */
  readonly position: EventPosition | null
  /** `older`: newest first; `newer`: oldest first. */
  readonly direction: 'older' | 'newer'
}

type Condition = RawBuilder<SqlBool>
type Equality = readonly [column: (typeof leads)[number], value: string]
const columnOf = (name: string) => sql.ref(`auditEvent.${name}`)
/** For rows that are read by their ids: an index of the column would be read once for each of them. */
const equalsInRow = ([column, value]: Equality): Condition => sql<SqlBool>`coalesce(${columnOf(column)}, '') = ${value}`
const equals = ([column, value]: Equality): Condition => sql<SqlBool>`${columnOf(column)} = ${value}`

const idColumns = ['id', 'actorId', 'userId', 'targetId', 'organizationId', 'requestId', 'ipAddress'] as const
const exactColumns = ['actorId', 'targetType', 'targetId', 'organizationId', 'ipAddress', 'requestId'] as const
const listColumns = ['outcome', 'actorKind'] as const
/** The columns that an index begins with, in the order of how few events have the same value. */
const leads = [
  ...(['id', 'requestId', 'targetId', 'ipAddress', 'actorId', 'userId', 'organizationId'] as const),
  ...(['action', 'targetType', 'outcome', 'actorKind'] as const),
] as const

/** More queries than this for one page are merged into fewer, which may sort more rows. */
const maxQueries = 24

/** Events that all queries of a page read together, in looking for a combination that no index has. */
const mostRead = 4000

export interface FoundEvents {
  readonly positions: readonly EventPosition[]
  /** Where reading stopped before the page was full: later events may match too. Null: it was full, or there are no others. */
  readonly end: EventPosition | null
}

/**
 * The events of one page. A filter with alternatives is one query for each, because a query that combines them could not use an index
 * in the order of the list. A combination that no index has is looked for among a bounded number of events: a page may be short.
 * @param deadline default: that of the database
 */
export async function findEvents(app: App, filter: EventFilter, page: EventPage, deadline?: Search): Promise<FoundEvents> {
  const either = alternatives(filter)
  const read = Math.floor(mostRead / either.length)
  const parts = await Promise.all(
    either.map((conditions) => readPart(app, { equal: [...conditions, ...equalities(filter)], filter, page, read, deadline })),
  )
  const compare = order(page)
  const ends = parts.flatMap(({ end }) => (end ? [end] : [])).sort(compare)
  const [end = null] = ends
  const found = new Map(parts.flatMap(({ positions }) => positions.map((position) => [position.id, position])))
  // After the first end, some queries have not looked.
  const complete = [...found.values()].sort(compare).filter((position) => !end || compare(position, end) <= 0)
  return { positions: complete.slice(0, page.limit), end: complete.length < page.limit ? end : null }
}

/** One page of events, with all of their columns; see `findEvents`. */
export async function readEvents(app: App, filter: EventFilter, page: EventPage, deadline?: Search) {
  const { positions, end } = await findEvents(app, filter, page, deadline)
  if (positions.length === 0) return { rows: [], end }
  const ids = positions.map(({ id }) => id)
  const rows: EventRow[] = await app.db.selectFrom('auditEvent').selectAll().where('id', 'in', ids).execute()
  return { rows: rows.sort(order(page)), end }
}

interface Part {
  readonly equal: readonly Equality[]
  readonly filter: EventFilter
  readonly page: EventPage
  /** Events that are read at most. */
  readonly read: number
  readonly deadline: Search | undefined
}

/** The ids alone, which the indexes contain: rows that a page does not show are not read. */
async function readPart(app: App, { equal, filter, page, read, deadline }: Part): Promise<FoundEvents> {
  const run = <R>(query: Compilable<R>) => (deadline ? deadline.run(query) : app.db.executeQuery(query.compile()).then(rowsOf))
  const [lead, ...others] = equal.toSorted(([one], [other]) => leads.indexOf(one) - leads.indexOf(other))
  const rest = [...others.map(equalsInRow), ...listConditions(filter)]
  const first = [...(deadline ? [deadline.isInTime] : []), ...(lead ? [equals(lead)] : []), ...timeConditions(filter)]
  const inIndex = inOrder(selectFrom(app, [...first, ...pageConditions(page)]), page).select(['createdAt', 'id'])
  if (rest.length === 0) return { positions: await run(inIndex.limit(page.limit)), end: null }
  const slice = inIndex.limit(read).as('slice')
  const joined = app.db.selectFrom(slice).innerJoin('auditEvent', 'auditEvent.id', 'slice.id')
  const matching = rest.reduce((events, condition) => events.where(condition), joined)
  const columns = ['auditEvent.createdAt', 'auditEvent.id'] as const
  const positions = await run(inOrder(matching, page).modifyFront(app.database.inJoinOrder).select(columns).limit(page.limit))
  if (positions.length === page.limit) return { positions, end: null }
  const [end = null] = await run(inIndex.limit(1).offset(read - 1))
  return { positions, end }
}

const rowsOf = <R>({ rows }: { readonly rows: R[] }): R[] => rows

const selectFrom = (app: App, conditions: readonly Condition[]) =>
  conditions.reduce((found, condition) => found.where(condition), app.db.selectFrom('auditEvent'))

const inOrder = <DB, TB extends keyof DB, O>(events: SelectQueryBuilder<DB, TB, O>, { direction }: EventPage) =>
  ['auditEvent.createdAt', 'auditEvent.id'].reduce(
    (sorted, name) => sorted.orderBy(sql.ref(name), direction === 'older' ? 'desc' : 'asc'),
    events,
  )

const order =
  ({ direction }: EventPage) =>
  (one: EventPosition, other: EventPosition): number => {
    const ascending = one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1)
    return direction === 'older' ? -ascending : ascending
  }

/** Not as a comparison of tuples, for which MySQL reads the index from its start. */
function pageConditions({ position, direction }: EventPage): Condition[] {
  if (!position) return []
  const [createdAt, id] = [columnOf('createdAt'), columnOf('id')]
  const isBeyond = sql.raw(direction === 'older' ? '<' : '>')
  return [
    sql<SqlBool>`${createdAt} ${isBeyond}= ${position.createdAt}`,
    sql<SqlBool>`(${createdAt} ${isBeyond} ${position.createdAt} or ${id} ${isBeyond} ${position.id})`,
  ]
}

const equalities = (filter: EventFilter): Equality[] => [
  ...(filter.aboutId === undefined ? [] : [['userId', filter.aboutId] as const]),
  ...exactColumns.flatMap((column): Equality[] => {
    const value = filter[column]
    return value === undefined ? [] : [[column, value]]
  }),
  ...listColumns.flatMap((column): Equality[] => {
    const [value, ...others] = filter[column] ?? []
    return value === undefined || others.length > 0 ? [] : [[column, value]]
  }),
]

/** Lists with several values, and of actions those that have no query of their own. */
const listConditions = (filter: EventFilter): Condition[] => [
  ...listColumns.flatMap((column) => {
    const values = filter[column] ?? []
    return values.length > 1 ? [isOneOf(column, values)] : []
  }),
  ...(isMerged(filter) ? [isOneOf('action', filter.action ?? [])] : []),
]

const isOneOf = (column: string, values: readonly string[]): Condition =>
  sql<SqlBool>`coalesce(${columnOf(column)}, '') in (${sql.join(values)})`

const timeConditions = ({ createdAfter, createdBefore }: EventFilter): Condition[] => [
  ...(createdAfter ? [sql<SqlBool>`${columnOf('createdAt')} >= ${createdAfter}`] : []),
  ...(createdBefore ? [sql<SqlBool>`${columnOf('createdAt')} < ${createdBefore}`] : []),
]

/** Of a user or any ID. */
function subjects({ userId, anyId }: EventFilter): Equality[][] {
  const users: Equality[][] = userId === undefined ? [[]] : [[['userId', userId]], [['actorId', userId]]]
  const ids: Equality[][] = anyId === undefined ? [[]] : idColumns.map((column) => [[column, anyId]])
  return users.flatMap((user) => ids.map((id) => [...user, ...id]))
}

const isMerged = (filter: EventFilter): boolean => (filter.action?.length ?? 0) * subjects(filter).length > maxQueries

/** @returns the equalities of each query: an event of the list meets all of at least one of them */
function alternatives(filter: EventFilter): Equality[][] {
  const either = subjects(filter)
  if (!filter.action || isMerged(filter)) return either
  const actions = filter.action.map((name): Equality => ['action', name])
  return either.flatMap((conditions) => actions.map((action) => [...conditions, action]))
}

/** Events after a number in the chain, in its order: no event that is committed late is left out. For `--follow`. */
export async function readChained(app: App, filter: EventFilter, after: number, limit: number): Promise<EventRow[]> {
  const any = alternatives(filter).map((either) => sql`(${sql.join([sql`1 = 1`, ...either.map(equals)], sql` and `)})`)
  const common = [...equalities(filter).map(equals), ...listConditions(filter), ...timeConditions(filter)]
  return app.db
    .selectFrom('auditEvent')
    .selectAll()
    .where('sequence', '>', after)
    .where(sql<SqlBool>`(${sql.join(any, sql` or `)})`)
    .$call((events) => common.reduce((found, condition) => found.where(condition), events))
    .orderBy('sequence')
    .limit(limit)
    .execute()
}

/** The ids of events that have no number yet: those of the last seconds. */
export async function readUnchained(app: App): Promise<string[]> {
  const rows = await app.db.selectFrom('auditEvent').select('id').where('sequence', 'is', null).execute()
  return rows.map(({ id }) => id)
}
