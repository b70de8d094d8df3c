/** Pages of events, in both directions. */
import type { App } from '../../core/app.ts'
import { parameterError } from '../../core/errors.ts'
import { invalidQuery, positionText, readPosition } from '../../core/pages.ts'
import type { Search } from '../../core/search.ts'
import { canonicalAddress } from '../../lib/ip.ts'
import { type EventFilter, type EventPosition, type EventRow, flushDenials, readEvents } from '../audit/index.ts'
import { findUserByEmail } from '../users/index.ts'
import { describeEvents } from './description.ts'

const cursorOf = (row: EventPosition | undefined): string | null => (row ? positionText([row.createdAt, row.id]) : null)

/** @throws ApiError VALIDATION_ERROR for a position that no response named: the list must not begin again */
async function readCursor(cursor: string | undefined): Promise<EventPosition | null> {
  const position = await readPosition({ cursor }, 'time')
  return position && { createdAt: position[0], id: position[1] }
}

export interface EventQuery extends Omit<EventFilter, 'anyId'> {
  readonly search?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
  readonly newer?: boolean | undefined
}

/**
 * A page of events with names.
 * @param deadline default: that of the database
 * @throws ApiError VALIDATION_ERROR for an invalid position, and for `newer` without one
 */
export async function listEvents(app: App, { limit, cursor, newer = false, ...query }: EventQuery, deadline?: Search) {
  const startedAt = app.now()
  const filter = await resolveSearch(app, query)
  const { rows, nextCursor } = await readPage(app, filter, { limit, cursor, newer }, deadline)
  return {
    events: await describeEvents(app, rows),
    nextCursor,
    previousCursor: cursor !== undefined && !newer ? cursorOf(rows[0]) : recordedSince(startedAt),
  }
}

/**
 * A page of events as they are stored.
 * @param filter null: matches none
 * @param deadline default: that of the database
 * @throws ApiError VALIDATION_ERROR for an invalid position, and for `newer` without one
 */
export async function readPage(
  app: App,
  filter: EventFilter | null,
  { limit, cursor, newer = false }: Pick<EventQuery, 'limit' | 'cursor' | 'newer'>,
  deadline?: Search,
): Promise<{ readonly rows: readonly EventRow[]; readonly nextCursor: string | null }> {
  const position = await readCursor(cursor)
  if (newer && !position) throw parameterError(invalidQuery, ['cursor'])
  // The rejected calls of this process, so that an operator finds the one that has just failed. None has an organization.
  if (filter?.organizationId === undefined) await flushDenials(app)
  const page = { limit: limit + 1, position, direction: newer ? 'newer' : 'older' } as const
  const found = filter ? await readEvents(app, filter, page, deadline) : { rows: [], end: null }
  const rows = found.rows.slice(0, limit)
  const end = found.rows.length > limit ? rows.at(-1) : (found.end ?? undefined)
  return { rows, nextCursor: cursorOf(end) }
}

/** Events of one process may be recorded in another order than that of their times, and clocks of processes differ. */
const lateMs = 5000

const recordedSince = (now: Date): string => positionText([new Date(now.getTime() - lateMs), ''])

/** @returns null when the text can match no event */
async function resolveSearch(app: App, { search, ...filter }: Omit<EventQuery, 'limit'>): Promise<EventFilter | null> {
  const ipAddress = filter.ipAddress && (canonicalAddress(filter.ipAddress) ?? filter.ipAddress)
  const normalized = { ...filter, ...(ipAddress && { ipAddress }) }
  const text = search?.trim()
  if (!text) return normalized
  if (!text.includes('@')) return text.length > 64 ? null : { ...normalized, anyId: canonicalAddress(text) ?? text }
  const user = await findUserByEmail(app, text)
  if (!user || (normalized.userId !== undefined && normalized.userId !== user.id)) return null
  return { ...normalized, userId: user.id }
}
