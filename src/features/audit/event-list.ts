/** Events by filters, in pages by keyset: each filter has an index in the order of the list. */
import { type Compilable, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { EventRow } from './event.ts'

export interface EventFilter {
  readonly action?: readonly string[] | undefined
  readonly outcome?: readonly string[] | undefined
  readonly actorKind?: readonly string[] | undefined
  readonly actorId?: string | undefined
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

/** Runs queries with a deadline. */
export interface Deadline {
  /** The first condition of each query. */
  readonly isInTime: RawBuilder<SqlBool>
  run<R>(query: Compilable<R>): Promise<R[]>
}

type Condition = RawBuilder<SqlBool>
const equals = (column: string, value: string): Condition => sql<SqlBool>`${sql.ref(column)} = ${value}`

const idColumns = ['id', 'actorId', 'userId', 'targetId', 'organizationId', 'requestId', 'ipAddress'] as const
const exactColumns = ['actorId', 'targetType', 'targetId', 'organizationId', 'ipAddress', 'requestId'] as const
const listColumns = ['outcome', 'actorKind'] as const

/** More queries than this for one page are merged into fewer, which may sort more rows. */
const maxQueries = 24

/**
 * One page of events. A filter with alternatives is one query for each, because a query that combines them could not use an index
 * in the order of the list.
 * @param deadline for filters of which no index has the combination; default: that of the database
 */
export async function readEvents(app: App, filter: EventFilter, page: EventPage, deadline?: Deadline): Promise<EventRow[]> {
  const common = [...(deadline ? [deadline.isInTime] : []), ...commonConditions(filter), ...pageConditions(page)]
  const ids = await Promise.all(
    alternatives(filter).map((conditions) => {
      const query = selectIds(app, [...common, ...conditions], page)
      return deadline ? deadline.run(query) : query.execute()
    }),
  )
  const found = new Map(ids.flat().map((position) => [position.id, position]))
  const wanted = [...found.values()].sort(order(page)).slice(0, page.limit)
  if (wanted.length === 0) return []
  const events = app.db.selectFrom('auditEvent').selectAll()
  const rows = await events
    .where(
      'id',
      'in',
      wanted.map(({ id }) => id),
    )
    .execute()
  return rows.sort(order(page))
}

/** The ids alone, which the indexes contain: rows that a page does not show are not read. */
const selectIds = (app: App, conditions: readonly Condition[], { limit, direction }: EventPage) =>
  app.db
    .selectFrom('auditEvent')
    .select(['createdAt', 'id'])
    .$call((events) => conditions.reduce((found, condition) => found.where(condition), events))
    .orderBy('createdAt', direction === 'older' ? 'desc' : 'asc')
    .orderBy('id', direction === 'older' ? 'desc' : 'asc')
    .limit(limit)

const order =
  ({ direction }: EventPage) =>
  (one: EventPosition, other: EventPosition): number => {
    const ascending = one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1)
    return direction === 'older' ? -ascending : ascending
  }

/** Not as a comparison of tuples, for which MySQL reads the index from its start. */
function pageConditions({ position, direction }: EventPage): Condition[] {
  if (!position) return []
  const [createdAt, id] = [sql.ref('createdAt'), sql.ref('id')]
  const isBeyond = sql.raw(direction === 'older' ? '<' : '>')
  return [
    sql<SqlBool>`${createdAt} ${isBeyond}= ${position.createdAt}`,
    sql<SqlBool>`(${createdAt} ${isBeyond} ${position.createdAt} or ${id} ${isBeyond} ${position.id})`,
  ]
}

function commonConditions(filter: EventFilter): Condition[] {
  const { createdAfter, createdBefore } = filter
  const lists = listColumns.flatMap((column) => {
    const values = filter[column]
    return values ? [sql<SqlBool>`${sql.ref(column)} in (${sql.join(values)})`] : []
  })
  const exact = exactColumns.flatMap((column) => {
    const value = filter[column]
    return value === undefined ? [] : [equals(column, value)]
  })
  return [
    ...exact,
    ...(createdAfter ? [sql<SqlBool>`${sql.ref('createdAt')} >= ${createdAfter}`] : []),
    ...(createdBefore ? [sql<SqlBool>`${sql.ref('createdAt')} < ${createdBefore}`] : []),
    ...lists,
  ]
}

/** @returns the conditions of each query: an event of the list meets all of at least one of them */
function alternatives({ action, userId, anyId }: EventFilter): Condition[][] {
  const users = userId === undefined ? [[]] : [[equals('userId', userId)], [equals('actorId', userId)]]
  const ids = anyId === undefined ? [[]] : idColumns.map((column) => [equals(column, anyId)])
  const either = users.flatMap((user) => ids.map((id) => [...user, ...id]))
  if (!action) return either
  if (action.length * either.length > maxQueries) {
    const isOne = sql<SqlBool>`${sql.ref('action')} in (${sql.join(action)})`
    return either.map((conditions) => [...conditions, isOne])
  }
  return either.flatMap((conditions) => action.map((name) => [...conditions, equals('action', name)]))
}

/** Events after a number in the chain, in its order: no event that is committed late is left out. For `--follow`. */
export async function readChained(app: App, filter: EventFilter, after: number, limit: number): Promise<EventRow[]> {
  const any = alternatives(filter).map((conditions) => sql`(${sql.join([sql`1 = 1`, ...conditions], sql` and `)})`)
  return app.db
    .selectFrom('auditEvent')
    .selectAll()
    .where('sequence', '>', after)
    .where(sql<SqlBool>`(${sql.join(any, sql` or `)})`)
    .$call((events) => commonConditions(filter).reduce((found, condition) => found.where(condition), events))
    .orderBy('sequence')
    .limit(limit)
    .execute()
}

/** The ids of events that have no number yet: those of the last seconds. */
export async function readUnchained(app: App): Promise<string[]> {
  const rows = await app.db.selectFrom('auditEvent').select('id').where('sequence', 'is', null).execute()
  return rows.map(({ id }) => id)
}
