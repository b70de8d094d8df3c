/** What the audit log reads: events by the filters in the address, their counts, and the state of the chain. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type ActionGroup, actionGroups, isGroup } from '../../events/index.ts'
import { call } from '../../session/session.ts'

export const pageSize = 50
/** Milliseconds between two looks for newer events. */
const liveMs = 4000
/** Most new events that are shown above the first page. */
const mostNew = 100

export const outcomes = ['succeeded', 'failed', 'denied'] as const
export const actorKinds = ['user', 'operator', 'system', 'anonymous'] as const
export const groupNames = Object.keys(actionGroups) as ActionGroup[]
/** Hours of a range that ends now. */
export const ranges = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const
export type RangeName = keyof typeof ranges

/** Filters that must be exactly equal. */
export const exactNames = ['actorId', 'userId', 'organizationId', 'targetId', 'ipAddress', 'requestId'] as const
export type ExactName = (typeof exactNames)[number]

export interface EventFilter extends Partial<Record<ExactName, string>> {
  readonly search?: string | undefined
  readonly outcome: readonly (typeof outcomes)[number][]
  readonly actorKind: readonly (typeof actorKinds)[number][]
  readonly group: readonly ActionGroup[]
  /** One action, from the details of an event. */
  readonly action?: string | undefined
  readonly range?: RangeName | undefined
  /** Days, such as `2026-11-22`. */
  readonly from?: string | undefined
  readonly until?: string | undefined
}

const chosen = <T extends string>(values: readonly T[], text: string | undefined): T[] =>
  values.filter((value) => text?.split(',').includes(value))

const dayOf = (text: string | undefined) =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined

/** Reads the parameters of the address. What they cannot contain is left out. */
export function readFilter(parameter: (name: string) => string | undefined): EventFilter {
  const range = parameter('range')
  const exact = exactNames.flatMap((name) => {
    const value = parameter(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    search: parameter('search'),
    outcome: chosen(outcomes, parameter('outcome')),
    actorKind: chosen(actorKinds, parameter('actor')),
    group: (parameter('group') ?? '').split(',').filter(isGroup),
    action: parameter('action'),
    range: range !== undefined && Object.hasOwn(ranges, range) ? (range as RangeName) : undefined,
    from: dayOf(parameter('from')),
    until: dayOf(parameter('until')),
    ...Object.fromEntries(exact),
  }
}

const hour = 3_600_000

/** The start of a day in the time zone of the browser. @param days after that */
const startOf = (day: string, days = 0): string => {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + days)
  return date.toISOString()
}

const list = (values: readonly string[]): string | undefined => (values.length > 0 ? values.join(',') : undefined)

/** The query of the API. A range ends now; it is counted from full minutes, so that one page has one query. */
export function queryOf({ outcome, actorKind, group, action, range, from, until, ...exact }: EventFilter) {
  const minute = Math.floor(Date.now() / 60_000) * 60_000
  const after = range ? new Date(minute - ranges[range] * hour).toISOString() : from && startOf(from)
  return {
    ...exact,
    action: action ?? list(group.flatMap((name) => actionGroups[name])),
    outcome: list(outcome),
    actorKind: list(actorKind),
    createdAfter: after,
    createdBefore: range || until === undefined ? undefined : startOf(until, 1),
  }
}

const key = ['admin', 'events'] as const

/** Empty pages after which it waits for the user to go on: each is one call, which looks at thousands of events. */
const mostEmpty = 20

/** A combination of filters may leave a page empty while there is more to look at: the list shows the first one with events. */
async function readFilledPage(filter: EventFilter, cursor: string | undefined, limit: number, signal: AbortSignal) {
  const read = (position: string | undefined) =>
    call('GET /admin/list-events', { query: { ...queryOf(filter), cursor: position, limit } }, { signal })
  let page = await read(cursor)
  for (let empty = 0; page.events.length === 0 && page.nextCursor !== null && empty < mostEmpty; empty += 1) {
    const { events, nextCursor } = await read(page.nextCursor)
    // Newer events are those since the first page.
    page = { ...page, events, nextCursor }
  }
  return page
}

export const eventsQuery = (filter: EventFilter, cursor?: string, limit = pageSize) =>
  queryOptions({
    queryKey: [...key, 'list', filter, cursor ?? '', limit],
    queryFn: ({ signal }) => readFilledPage(filter, cursor, limit, signal),
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Events that were recorded after the first page was read, oldest first. Nothing is read while the page is hidden. */
export const newerQuery = (filter: EventFilter, cursor: string) =>
  queryOptions({
    queryKey: [...key, 'newer', filter, cursor],
    queryFn: ({ signal }) =>
      call('GET /admin/list-events', { query: { ...queryOf(filter), cursor, newer: 'true', limit: mostNew } }, { signal }),
    refetchInterval: liveMs,
    // Nothing is newer than a page that was just read.
    initialData: { events: [], nextCursor: null, previousCursor: null },
    staleTime: liveMs,
  })

export const countsQuery = (filter: EventFilter) =>
  queryOptions({
    queryKey: [...key, 'counts', filter],
    queryFn: ({ signal }) => call('GET /admin/count-events', { query: queryOf(filter) }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  })
const countEvents = () => call('GET /admin/count-events', { query: {} })
export type Counts = Awaited<ReturnType<typeof countEvents>>

export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: [...key, 'event', id],
    queryFn: () => call('GET /admin/get-event', { query: { id } }),
    // Whether it is part of the chain changes a few seconds later.
    staleTime: 5000,
  })

const readStatus = () => call('GET /admin/audit-status', {})
export type AuditStatus = Awaited<ReturnType<typeof readStatus>>
export const statusQuery = queryOptions({ queryKey: [...key, 'status'], queryFn: readStatus, staleTime: 30_000 })
