/** Rejected calls: collected in memory, because they must not cost a statement each, and written after the responses. */
import { type App, isUnavailable, memo } from '../../core/app.ts'
import type { DeniedCall } from '../../core/feature.ts'
import { type AuditEvent, recordEvents } from './event.ts'

/** Different rejections that wait to be written; further ones are only counted. */
const maxWaiting = 500
/** Milliseconds between two writes, so that a flood of rejected calls is written as few rows with counts. */
const pauseMs = 1000

interface Waiting {
  readonly denials: Map<string, { readonly event: AuditEvent; count: number }>
  discarded: number
  /** When the last write started. */
  lastWrite: number
  isScheduled: boolean
  /** Settled when the write that is under way has ended. */
  writing: Promise<void>
}

const waitingOf = memo(
  (_: App): Waiting => ({
    denials: new Map(),
    discarded: 0,
    lastWrite: Number.NEGATIVE_INFINITY,
    isScheduled: false,
    writing: Promise.resolve(),
  }),
)

/** Notes a rejected call. Equal ones of one client are one event with a count. */
export function denied(app: App, call: DeniedCall): void {
  if (isFailedSignIn(call)) app.metrics.count('sign_in_failed', { route: call.route ?? '' })
  const waiting = waitingOf(app)
  const key = JSON.stringify([call.route, call.code, call.subjectId, 'ipAddress' in call.actor && call.actor.ipAddress])
  const known = waiting.denials.get(key)
  if (known) known.count += 1
  else if (waiting.denials.size < maxWaiting) waiting.denials.set(key, { event: describe(call), count: 1 })
  else waiting.discarded += 1
  schedule(app, waiting)
}

function describe(call: DeniedCall): AuditEvent {
  const { actor, route, status, code, subjectId } = call
  const isLimit = status === 429
  const isSignIn = isFailedSignIn(call)
  return {
    action: isLimit ? 'rate-limit.reached' : isSignIn ? 'sign-in.failed' : 'access.denied',
    outcome: isSignIn ? 'failed' : 'denied',
    ...(subjectId !== null && { target: { type: 'user', id: subjectId } }),
    details: { route, code },
    actor,
  }
}

/** A status other than 401 and 403 is here because the handler says that an authentication failed. */
function isFailedSignIn({ route, status, subjectId }: DeniedCall): boolean {
  if (route === null || status === 429) return false
  return subjectId !== null || (status !== 401 && status !== 403) || /^POST \/sign-in|\/verify-email$/.test(route)
}

/** The first one is written right after its response, the following ones once a second. */
function schedule(app: App, waiting: Waiting): void {
  if (waiting.isScheduled) return
  waiting.isScheduled = true
  const wait = Math.max(0, waiting.lastWrite + pauseMs - performance.now())
  const write = () => app.defer((outermost) => writeLater(outermost, waiting))
  if (wait === 0) write()
  else setTimeout(write, wait).unref()
}

/** While the database is unavailable, what waits is tried again once a second. The outage itself is logged once. */
async function writeLater(app: App, waiting: Waiting): Promise<void> {
  try {
    await flushDenials(app)
  } catch (error) {
    schedule(app, waiting)
    if (!isUnavailable(app, error)) throw error
    app.databaseFailed(error)
  }
}

/** Writes what waits, after a write that is under way. @throws when the database fails; it then goes on waiting */
export function flushDenials(app: App): Promise<void> {
  const waiting = waitingOf(app)
  const write = () => writeWaiting(app, waiting)
  const written = waiting.writing.then(write)
  waiting.writing = written.catch(() => undefined)
  return written
}

/** Before the app is closed. What can still not be written is at least logged. */
export async function closeDenials(app: App): Promise<void> {
  const waiting = waitingOf(app)
  if (waiting.denials.size === 0 && waiting.discarded === 0) return waiting.writing
  try {
    await flushDenials(app)
  } catch (error) {
    const count = [...waiting.denials.values()].reduce((sum, one) => sum + one.count, waiting.discarded)
    app.log.error({ err: error, count }, 'Rejected calls are missing in the audit log: the database was unavailable')
  }
}

async function writeWaiting(app: App, waiting: Waiting): Promise<void> {
  waiting.isScheduled = false
  waiting.lastWrite = performance.now()
  const denials = [...waiting.denials]
  const { discarded } = waiting
  waiting.denials.clear()
  waiting.discarded = 0
  const events = denials.map(([, { event, count }]) => (count === 1 ? event : { ...event, details: { ...event.details, count } }))
  if (discarded > 0) events.push({ action: 'audit.events-discarded', outcome: 'denied', details: { count: discarded } })
  try {
    await recordEvents(app, events)
  } catch (error) {
    waiting.discarded += discarded
    for (const [key, one] of denials) restore(waiting, key, one)
    throw error
  }
}

/** Adds what could not be written to what has come since then. */
function restore(waiting: Waiting, key: string, one: { readonly event: AuditEvent; count: number }): void {
  const known = waiting.denials.get(key)
  if (known) known.count += one.count
  else if (waiting.denials.size < maxWaiting) waiting.denials.set(key, one)
  else waiting.discarded += one.count
}
