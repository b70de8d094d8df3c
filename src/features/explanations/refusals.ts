/** What was rejected, from the audit log: each query is bounded, whatever the log contains. */
import type { App } from '../../core/app.ts'
import { startSearch } from '../../core/search.ts'
import { errors as signUpErrors } from '../../core/sign-up.ts'
import { isObject } from '../../lib/objects.ts'
import { timeOfRequest } from '../../lib/request-id.ts'
import { type EventFilter, type EventRow, readEvents } from '../audit/index.ts'

export interface Refusal {
  /** Of the event in the audit log. */
  readonly id: string
  readonly at: Date
  readonly action: string
  readonly outcome: string
  /** `POST /sign-in/email`; null: no such call, or not a call. */
  readonly route: string | null
  /** Of the error; null: the event is not a refusal, but what led to one, such as a ban. */
  readonly code: string | null
  /** A short word, when the response must not say it. */
  readonly reason: string | null
  /** Path of the option that decided; null: the event does not have it. */
  readonly setting: string | null
  /** Equal calls that this event stands for. */
  readonly count: number
  readonly requestId: string | null
  readonly ipAddress: string | null
  readonly userId: string | null
}

export interface Refusals {
  /** Newest first. */
  readonly refusals: readonly Refusal[]
  /** False: reading stopped before the end, so there may be older ones. */
  readonly isComplete: boolean
}

const refused = ['failed', 'denied']
/** Events that are the cause of later refusals, or that ended them. */
const causes = ['user.banned', 'user.unbanned', 'limits.reset', 'two-factor.locked', 'two-factor.suspended', 'two-factor.reset']

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Codes of responses whose event is of its own kind, and has none. */
const codeOf: Readonly<Record<string, string>> = { 'sign-up.rejected': signUpErrors.SIGN_UP_NOT_ALLOWED.code }

function describe({ id, createdAt, action, outcome, details, requestId, ipAddress, userId, actorId }: EventRow): Refusal {
  const { route, code, reason, setting, count } = isObject(details) ? (details as Readonly<Record<string, unknown>>) : {}
  return {
    ...{ id, at: createdAt, action, outcome, requestId, ipAddress, userId: userId ?? actorId },
    ...{ route: textOf(route), code: textOf(code) ?? codeOf[action] ?? null },
    ...{ reason: textOf(reason), setting: textOf(setting) },
    count: typeof count === 'number' ? count : 1,
  }
}

/** @param filters an event matches one of them */
async function find(app: App, filters: readonly EventFilter[], limit: number): Promise<Refusals> {
  const deadline = startSearch(app, 'auditEvent.id')
  const page = { limit, position: null, direction: 'older' } as const
  const parts = await Promise.all(filters.map((filter) => readEvents(app, filter, page, deadline)))
  const rows = new Map(parts.flatMap((part) => part.rows.map((row) => [row.id, row])))
  const sorted = [...rows.values()].sort(
    (one, other) => other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1),
  )
  const isComplete = sorted.length <= limit && parts.every(({ rows: found, end }) => end === null && found.length < limit)
  return { refusals: sorted.slice(0, limit).map(describe), isComplete }
}

/** @throws ApiError SEARCH_TOO_SLOW */
export const refusalsOfUser = (app: App, userId: string, limit: number): Promise<Refusals> =>
  find(
    app,
    [
      { userId, outcome: refused },
      { aboutId: userId, action: causes.filter((action) => isKnown(app, action)) },
    ],
    limit,
  )

const isKnown = ({ features }: App, action: string): boolean =>
  features.some(({ auditActions = {} }) => Object.hasOwn(auditActions, action))

/** @param ipAddress in its canonical form @throws ApiError SEARCH_TOO_SLOW */
export const refusalsOfAddress = (app: App, ipAddress: string, limit: number): Promise<Refusals> =>
  find(app, [{ ipAddress, outcome: refused }], limit)

/** How long an event may come after its request: they are written once a second, and later after an outage. */
const [beforeMs, afterMs] = [1000, 30_000]
const mostEvents = 2000

/** All events of a request; or the event that stands for it, when equal calls of one second are one event. @throws ApiError SEARCH_TOO_SLOW */
export async function refusalsOfRequest(app: App, requestId: string, limit: number): Promise<Refusals> {
  const own = await find(app, [{ requestId }], limit)
  const at = timeOfRequest(requestId)
  if (own.refusals.length > 0 || !at) return own
  const between = { createdAfter: new Date(at.getTime() - beforeMs), createdBefore: new Date(at.getTime() + afterMs) }
  const page = { limit: mostEvents, position: null, direction: 'newer' } as const
  const { rows } = await readEvents(app, between, page, startSearch(app, 'auditEvent.id'))
  const found = rows.filter(({ details }) => idsOf(details).includes(requestId)).map(describe)
  return { refusals: found.slice(0, limit).map((one) => ({ ...one, requestId })), isComplete: rows.length < mostEvents }
}

function idsOf(details: unknown): readonly unknown[] {
  const ids: unknown = isObject(details) ? Reflect.get(details, 'requestIds') : undefined
  return Array.isArray(ids) ? ids : []
}
