/** What is counted: events of the audit log when they are chained, and renewed sessions and sent emails, which are not events. */
import type { Selectable } from 'kysely'
import { type App, memo } from '../../core/app.ts'
import type { Listeners } from '../../core/events.ts'
import { inTurn, paced } from '../../core/paced.ts'
import { transaction } from '../../core/transaction.ts'
import type { Database } from '../index.ts'
import { type Activity, dayOf, isActiveOn, noteActivity } from './activity.ts'
import { addCounts, type Count, inBothUnits, inTotalAndBy } from './counts.ts'

type Event = Pick<Selectable<Database['auditEvent']>, 'action' | 'outcome' | 'actorKind' | 'userId' | 'createdAt' | 'details'>

/** The counts of one event. Rejected calls of one client are one event with a count. */
function countsOf({ action, outcome, actorKind, createdAt: at, details }: Event): Count[] {
  const { count, route, kind, method } = Object(details)
  const value = typeof count === 'number' ? count : 1
  const label = `${action} ${outcome} ${actorKind}`
  const counts = [...inBothUnits({ series: 'event', label, at, value: 1 })]
  // An account that an operator or an administrator creates is not a sign-up.
  if (action === 'user.created' && actorKind === 'anonymous') counts.push(...inBothUnits({ series: 'sign-up', at, value }))
  if (action === 'user.signed-in') counts.push(...inTotalAndBy('sign-in', { label: String(method ?? 'unknown'), at, value }))
  if (action === 'sign-in.failed') counts.push(...inBothUnits({ series: 'sign-in-failed', at, value }))
  if (action === 'user.email-verified') counts.push(...inBothUnits({ series: 'email-verified', at, value }))
  if (action === 'rate-limit.reached')
    counts.push(...inTotalAndBy('rate-limit', { label: String(route ?? 'unknown'), at, value }))
  if (action === 'mail.failed') counts.push(...inTotalAndBy('mail-failed', { label: String(kind), at, value }))
  return counts
}

/**
 * An invitation expires at a time that is known from the start: it is counted there, and subtracted when it ends before or is renewed.
 * So nothing has to look for those that have expired. Events of former versions do not say the time.
 */
function expirationsOf({ action, details }: Event): Count[] {
  const { expiresAt, formerExpiresAt, invitationExpiresAt } = Object(details)
  const isOpen = action === 'invitation.created' || action === 'invitation.resent'
  const ended = isOpen ? formerExpiresAt : action === 'member.joined' ? invitationExpiresAt : expiresAt
  const count = (at: unknown, value: number): Count[] =>
    typeof at === 'string' ? [{ series: 'invitation-expired', unit: 'hour', at: new Date(at), value }] : []
  if (!isOpen && !['invitation.canceled', 'invitation.rejected', 'member.joined'].includes(action)) return []
  return [...count(isOpen ? expiresAt : undefined, 1), ...count(ended, -1)]
}

const signInOf = ({ action, userId, createdAt: at }: Event): Activity[] =>
  action === 'user.signed-in' && userId !== null ? [{ userId, at, isSignIn: true }] : []

/** What is counted in memory first: it happens often, and is not an event of the audit log. */
type Counted = Pick<Count, 'at' | 'value'> & {
  readonly series: 'mail-sent' | 'challenge by outcome' | 'passkey-options'
  readonly label: string
}

interface Waiting {
  readonly renewals: Map<string, Activity>
  readonly counts: Map<string, Counted>
}

const waitingOf = memo((_: App): Waiting => ({ renewals: new Map(), counts: new Map() }))

function addTo({ counts }: Waiting, counted: Counted): void {
  const key = `${counted.series} ${counted.label}`
  const known = counts.get(key)
  counts.set(key, known ? { ...known, value: known.value + counted.value } : counted)
}

const rowsOf = ({ series, ...counted }: Counted): Count[] =>
  series === 'mail-sent' ? inTotalAndBy(series, counted) : inBothUnits({ series, ...counted })

/** Milliseconds between two writes. What waits is lost with a killed process: it is counted, but it is not an event of the audit log. */
const pauseMs = 2000

/** Writes what this process has counted in memory. @throws when the database fails; it then goes on waiting */
export const flushStatistics = inTurn(async (app) => {
  const waiting = waitingOf(app)
  const renewals = [...waiting.renewals.values()]
  const counted = [...waiting.counts.values()]
  if (renewals.length + counted.length === 0) return
  waiting.renewals.clear()
  waiting.counts.clear()
  try {
    await transaction(app, async (tx) => addCounts(tx, [...counted.flatMap(rowsOf), ...(await noteActivity(tx, renewals))]))
  } catch (error) {
    for (const renewal of renewals) waiting.renewals.set(renewal.userId, renewal)
    for (const one of counted) addTo(waiting, one)
    throw error
  }
})

const requestWrite = paced(pauseMs, flushStatistics)

/**
 * Counts something once, in memory; the counts of a process are added up by one write every two seconds at most. Do not call it in a
 * transaction, which may be repeated.
 */
export function countSoon(app: App, series: Counted['series'], label = ''): void {
  addTo(waitingOf(app), { series, label, at: app.now(), value: 1 })
  requestWrite(app)
}

/** Before the app is closed. */
export const close = (app: App): Promise<void> =>
  flushStatistics(app).catch((error: unknown) =>
    app.log.warn(
      { err: error },
      'Sent emails, challenges and active users of the last seconds are not counted: the database was unavailable',
    ),
  )

export const on: Listeners = {
  'events.chained': async (tx, { events }) => {
    const activity = await noteActivity(tx, events.flatMap(signInOf))
    await addCounts(tx, [...events.flatMap(countsOf), ...events.flatMap(expirationsOf), ...activity])
  },
  'session.renewed': (app, { user }) => {
    const at = app.now()
    if (isActiveOn(user.activity, dayOf(at))) return
    waitingOf(app).renewals.set(user.id, { userId: user.id, at, isSignIn: false })
    requestWrite(app)
  },
  'mail.sent': (app, { kind }) => countSoon(app, 'mail-sent', kind),
}
