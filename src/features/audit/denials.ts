/** Rejected calls: collected in memory, because they must not cost a statement each, and written after the responses. */
import { type Actor, type App, memo } from '../../core/app.ts'
import type { DeniedCall } from '../../core/feature.ts'
import { inTurn, paced } from '../../core/paced.ts'
import { errors as signUpErrors } from '../../core/sign-up.ts'
import { networkOf } from '../../lib/ip.ts'
import { type AuditEvent, recordEvents } from './event.ts'

/** Different rejections that wait to be written: of and about known users, of other clients, and without a client. */
const room = { known: 500, unknown: 500, total: 1500 }
/** Different rejections of unknown clients that a process writes in a minute: anyone can cause them, with a new address each time. */
const [unknownPerMinute, minuteMs] = [1000, 60_000]
/** IDs of equal calls that one event has in addition to its own: those of a user who tries again, not all of a flood. */
const maxOthers = 16
/** Milliseconds between two writes, so that a flood of rejected calls is written as few rows with counts. */
const pauseMs = 1000

interface Denial {
  readonly event: AuditEvent
  /** Without a client: of more of them than are recorded. */
  readonly of: 'known' | 'unknown' | 'all'
  /** The details that remain without its client; absent: all. */
  readonly shared?: AuditEvent['details']
  count: number
  /** IDs of equal calls after the first one, whose ID the event has. */
  readonly others: string[]
}

interface Waiting {
  readonly denials: Map<string, Denial>
  readonly size: { known: number; unknown: number }
  /** Rejections of unknown clients in this minute. */
  readonly minute: { startedAt: number; count: number }
  discarded: number
}

const waitingOf = memo(
  (_: App): Waiting => ({
    denials: new Map(),
    size: { known: 0, unknown: 0 },
    minute: { startedAt: Number.NEGATIVE_INFINITY, count: 0 },
    discarded: 0,
  }),
)

/**
 * Notes a rejected call. Equal ones of one client are one event with a count. So that a flood from many addresses neither fills the
 * database nor hides attacks on accounts, calls of unknown clients have limits of their own; past them, their clients are not recorded.
 */
export function denied(app: App, call: DeniedCall): void {
  // It has an event of its own, with the reason.
  if (call.code === signUpErrors.SIGN_UP_NOT_ALLOWED.code) return
  if (isFailedSignIn(call)) app.metrics.count('sign_in_failed', { route: call.route ?? '' })
  const waiting = waitingOf(app)
  const isKnown = call.subjectId !== null || call.actor.kind === 'user'
  add(waiting, keyOf(call), { event: describe(call), of: isKnown ? 'known' : 'unknown', count: 1, others: [] }, true)
  requestWrite(app)
}

/**
 * Notes an event of a feature that strangers can cause any number of times, within the same limits.
 * @param shared the details that remain when more clients cause it than are recorded: few different ones
 */
export function noteDenied(app: App, { shared, ...event }: AuditEvent & Pick<Denial, 'shared'>): void {
  const { actor } = app
  const key = JSON.stringify([event.action, event.target, event.details, clientOf(actor)])
  const of = actor.kind === 'anonymous' ? 'unknown' : 'known'
  add(waitingOf(app), key, { event: { ...event, outcome: 'denied', actor }, of, shared, count: 1, others: [] }, true)
  requestWrite(app)
}

/** Addresses of one IPv6 network are one client, who may have them all. */
function keyOf({ actor, route, code, subjectId, reason }: DeniedCall): string {
  return JSON.stringify([route, code, subjectId, reason, ...clientOf(actor)])
}

function clientOf(actor: Actor): (string | undefined)[] {
  if (actor.kind === 'user') return [actor.ipAddress, actor.userId, actor.impersonatedBy]
  return ['ipAddress' in actor ? networkOf(actor.ipAddress) : '']
}

/** @param isNew false: it could not be written, and was counted before */
function add(waiting: Waiting, key: string, one: Denial, isNew: boolean): void {
  const same = waiting.denials.get(key)
  if (same) addSame(same, one)
  else if (one.of !== 'all' && waiting.size[one.of] < room[one.of] && (!isNew || isInLimit(waiting, one.of))) {
    waiting.denials.set(key, one)
    waiting.size[one.of] += 1
  } else addToAll(waiting, one)
}

function addSame(same: Denial, { event: { actor }, count, others }: Denial): void {
  same.count += count
  const ids = actor && 'requestId' in actor && actor.requestId ? [actor.requestId, ...others] : others
  same.others.push(...ids.slice(0, maxOthers - same.others.length))
}

function isInLimit({ minute }: Waiting, of: 'known' | 'unknown'): boolean {
  if (of === 'known') return true
  const now = performance.now()
  if (now - minute.startedAt >= minuteMs) Object.assign(minute, { startedAt: now, count: 0 })
  minute.count += 1
  return minute.count <= unknownPerMinute
}

/** Counts a rejection without its client and user. */
function addToAll(waiting: Waiting, { event: { action, outcome, details: own }, shared, count }: Denial): void {
  const details = shared ?? own
  const { route, code } = Object(details)
  const key = JSON.stringify(shared ? [action, shared] : [action, route, code])
  const same = waiting.denials.get(key)
  if (same) same.count += count
  else if (waiting.denials.size >= room.total) waiting.discarded += count
  else {
    const actor = { kind: 'anonymous', ipAddress: '', requestId: '' } as const
    waiting.denials.set(key, {
      event: { action, ...(outcome && { outcome }), details: { ...details, clients: 'many' }, actor },
      of: 'all',
      count,
      others: [],
    })
  }
}

function describe(call: DeniedCall): AuditEvent {
  const { actor, route, status, code, subjectId, reason } = call
  const isLimit = status === 429
  const isSignIn = isFailedSignIn(call)
  return {
    action: isLimit ? 'rate-limit.reached' : isSignIn ? 'sign-in.failed' : 'access.denied',
    outcome: isSignIn ? 'failed' : 'denied',
    ...(subjectId !== null && { target: { type: 'user', id: subjectId } }),
    details: { route, code, ...(reason !== undefined && { reason }) },
    actor,
  }
}

/** A status other than 401 and 403 is here because the handler says that an authentication failed. */
function isFailedSignIn({ route, status, subjectId, isEarly = false }: DeniedCall): boolean {
  if (route === null || status === 429 || isEarly) return false
  return subjectId !== null || (status !== 401 && status !== 403) || /^POST \/sign-in|\/verify-email$/.test(route)
}

/** Before the app is closed. What can still not be written is at least logged. */
export async function closeDenials(app: App): Promise<void> {
  try {
    await flushDenials(app)
  } catch (error) {
    const waiting = waitingOf(app)
    const count = [...waiting.denials.values()].reduce((sum, one) => sum + one.count, waiting.discarded)
    app.log.error({ err: error, count }, 'Rejected calls are missing in the audit log: the database was unavailable')
  }
}

const withCount = ({ event, count, others }: Denial): AuditEvent =>
  count === 1 ? event : { ...event, details: { ...event.details, count, ...(others.length > 0 && { requestIds: [...others] }) } }

/** Writes what waits. @throws when the database fails; it then goes on waiting */
export const flushDenials = inTurn(async (app) => {
  const waiting = waitingOf(app)
  const denials = [...waiting.denials]
  const { discarded } = waiting
  waiting.denials.clear()
  Object.assign(waiting.size, { known: 0, unknown: 0 })
  waiting.discarded = 0
  const events = denials.map(([, one]) => withCount(one))
  if (discarded > 0) events.push({ action: 'audit.events-discarded', outcome: 'denied', details: { count: discarded } })
  try {
    await recordEvents(app, events)
    if (discarded > 0) app.metrics.count('audit_discarded', {}, discarded)
  } catch (error) {
    waiting.discarded += discarded
    for (const [key, one] of denials) add(waiting, key, one, false)
    throw error
  }
})

/** The first one is written right after its response, the following ones once a second. */
const requestWrite = paced(pauseMs, flushDenials)
