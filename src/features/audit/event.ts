/** Records events in the audit log. */
import type { Insertable } from 'kysely'
import type { Actor, App } from '../../core/app.ts'
import type { AuditActions, Database } from '../index.ts'

export type AuditAction = keyof AuditActions

export interface AuditEvent {
  readonly action: AuditAction
  /** Default: succeeded. */
  readonly outcome?: 'succeeded' | 'failed' | 'denied'
  /** What the event is about. */
  readonly target?: { readonly type: string; readonly id: string }
  /** The user whom the event is about; default: the target if it is a user. */
  readonly userId?: string | null
  readonly organizationId?: string | null
  /**
   * Former and new values, reasons, counts. Never a secret, and no name or email address of a user: events outlive users, and must
   * then be pseudonymous.
   */
  readonly details?: Readonly<Record<string, unknown>>
  /** Default: the actor of `app`. */
  readonly actor?: Actor
}

type EventRow = Insertable<Database['auditEvent']>

/** Records an event in the transaction of `app`, together with the change that it reports. */
export const recordEvent = (app: App, event: AuditEvent): Promise<void> => recordEvents(app, [event])

/** The same for several events, in one statement. */
export async function recordEvents(app: App, events: readonly AuditEvent[]): Promise<void> {
  if (events.length === 0) return
  await app.db
    .insertInto('auditEvent')
    .values(events.map((event) => makeRow(app, event)))
    .execute()
}

function makeRow(app: App, event: AuditEvent): EventRow {
  const { action, outcome = 'succeeded', target, organizationId = null, details = {}, actor = app.actor } = event
  const row = {
    id: app.random.id(),
    createdAt: app.now(),
    action,
    outcome,
    ...describeActor(actor),
    targetType: target?.type ?? null,
    targetId: target?.id ?? null,
    userId: event.userId ?? (target?.type === 'user' ? target.id : null),
    organizationId,
    details: JSON.stringify(details),
  }
  return { ...row, code: app.keyring.hash('audit event', contentOf(row)) }
}

/** The content that `code` covers, in a form that does not depend on the database. */
const contentOf = (row: Omit<EventRow, 'code'>): string =>
  JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)))

type ActorColumns = Pick<EventRow, 'actorKind' | 'actorId' | 'actorName' | 'impersonatedBy' | 'ipAddress' | 'requestId'>

function describeActor(actor: Actor): ActorColumns {
  const none = { actorId: null, actorName: null, impersonatedBy: null, ipAddress: null, requestId: null }
  if (actor.kind === 'system') return { ...none, actorKind: actor.kind, actorName: actor.job ?? null }
  if (actor.kind === 'operator') return { ...none, actorKind: actor.kind, actorName: actor.name.slice(0, 64) }
  const { kind: actorKind, ipAddress, requestId } = actor
  const from = { actorKind, ipAddress: ipAddress || null, requestId }
  if (actor.kind === 'anonymous') return { ...none, ...from }
  return { ...none, ...from, actorId: actor.userId, impersonatedBy: actor.impersonatedBy ?? null }
}
