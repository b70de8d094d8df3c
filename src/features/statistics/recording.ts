/** What is counted: events of the audit log when they are chained, and renewed sessions and sent emails, which are not events. */
import type { Selectable } from 'kysely'
import { type App, memo } from '../../core/app.ts'
import type { Listeners } from '../../core/events.ts'
import { paced } from '../../core/paced.ts'
import { transaction } from '../../core/transaction.ts'
import type { Database } from '../index.ts'
import { type Activity, dayOf, isActiveOn, noteActivity } from './activity.ts'
import { addCounts, type Count, inBothUnits, inTotalAndBy } from './counts.ts'

type Event = Pick<Selectable<Database['auditEvent']>, 'action' | 'outcome' | 'actorKind' | 'userId' | 'createdAt' | 'details'>

/** The counts of one event. Rejected calls of one client are one event with a count. */
function countsOf({ action, outcome, actorKind, createdAt: at, details }: Event): Count[] {
  const { count, route, kind } = Object(details)
  const value = typeof count === 'number' ? count : 1
  const label = `${action} ${outcome} ${actorKind}`
  const counts = [...inBothUnits({ series: 'event', label, at, value: 1 })]
  // An account that an operator or an administrator creates is not a sign-up.
  if (action === 'user.created' && actorKind === 'anonymous') counts.push(...inBothUnits({ series: 'sign-up', at, value }))
  if (action === 'user.signed-in') counts.push(...inBothUnits({ series: 'sign-in', at, value }))
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

interface Waiting {
  readonly renewals: Map<string, Activity>
  readonly mails: Map<string, { count: number; readonly at: Date }>
}

const waitingOf = memo((_: App): Waiting => ({ renewals: new Map(), mails: new Map() }))

function addMails({ mails }: Waiting, kind: string, count: number, at: Date): void {
  const known = mails.get(kind)
  if (known) known.count += count
  else mails.set(kind, { count, at })
}

/** Milliseconds between two writes. What waits is lost with a killed process: it is counted, but it is not an event of the audit log. */
const pauseMs = 2000

const requestWrite = paced(pauseMs, (app) => flushStatistics(app))

/** Writes what this process has counted in memory. @throws when the database fails; it then goes on waiting */
export async function flushStatistics(app: App): Promise<void> {
  const waiting = waitingOf(app)
  const renewals = [...waiting.renewals.values()]
  const mails = [...waiting.mails]
  if (renewals.length + mails.length === 0) return
  waiting.renewals.clear()
  waiting.mails.clear()
  const sent = mails.flatMap(([kind, { count: value, at }]) => inTotalAndBy('mail-sent', { label: kind, at, value }))
  try {
    await transaction(app, async (tx) => addCounts(tx, [...sent, ...(await noteActivity(tx, renewals))]))
  } catch (error) {
    for (const renewal of renewals) waiting.renewals.set(renewal.userId, renewal)
    for (const [kind, { count, at }] of mails) addMails(waiting, kind, count, at)
    throw error
  }
}

/** Before the app is closed. */
export const close = (app: App): Promise<void> =>
  flushStatistics(app).catch((error: unknown) =>
    app.log.warn(
      { err: error },
      'Sent emails and active users of the last seconds are not counted: the database was unavailable',
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
  'mail.sent': (app, { kind }) => {
    addMails(waitingOf(app), kind, 1, app.now())
    requestWrite(app)
  },
}
