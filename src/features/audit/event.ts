/** Records events in the audit log. */
import type { Insertable, Selectable } from 'kysely'
import { type Actor, type App, deviceOf, memo, requestIdOf } from '../../core/app.ts'
import type { Feature } from '../../core/feature.ts'
import { command } from '../../core/statement.ts'
import { afterCommit } from '../../core/transaction.ts'
import type { AuditActions, Database, SecurityAction } from '../index.ts'

export type AuditAction = keyof AuditActions

/** The actions about the security of an account, which its user may read. */
export const securityActions = ({ features }: { readonly features: readonly Feature[] }) =>
  features.flatMap(({ auditActions = {} }) =>
    Object.keys(auditActions).filter((action): action is SecurityAction => typeof auditActions[action] === 'object'),
  )

const readable = memo((app: App): ReadonlySet<string> => new Set(securityActions(app)))

export const isSecurityAction = (app: App, action: string): action is SecurityAction => readable(app).has(action)

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

export type EventRow = Selectable<Database['auditEvent']>
type EventDraft = Insertable<Database['auditEvent']>

/** Records an event in the transaction of `app`, together with the change that it reports. */
export const recordEvent = (app: App, event: AuditEvent): Promise<void> => recordEvents(app, [event])

/** The same for several events, in one statement. */
export async function recordEvents(app: App, events: readonly AuditEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event) => makeRow(app, event))
  const [only] = rows
  // Nearly all events are recorded alone, and building the statement would take longer than sending it.
  if (rows.length === 1 && only) await insertOne(app, only)
  else await app.db.insertInto('auditEvent').values(rows).execute()
  if (app.config.audit.log) await afterCommit(app, async () => logEvents(app, rows))
}

const insertOne = command((app, row: EventDraft & Record<string, unknown>) => app.db.insertInto('auditEvent').values(row), {
  isPrepared: true,
})

function makeRow(app: App, event: AuditEvent): EventDraft {
  const { action, outcome = 'succeeded', target, organizationId = null, actor = app.actor } = event
  const device = isSecurityAction(app, action) ? deviceOf({ actor }) : null
  const details = {
    ...event.details,
    ...('bulkActionId' in actor && { bulkActionId: actor.bulkActionId }),
    // In words, for the user whom the event is about.
    ...(device !== null && { device }),
  }
  const id = app.random.id()
  const described = describeActor(actor)
  const row = {
    id,
    createdAt: app.now(),
    action,
    outcome,
    ...described,
    ipHash: described.ipAddress && app.keyring.hash(addressPurpose, addressText(id, described.ipAddress)),
    targetType: target?.type ?? null,
    targetId: target?.id ?? null,
    userId: event.userId ?? (target?.type === 'user' ? target.id : null),
    organizationId,
  }
  const canonical = canonicalJSON(details)
  return { ...row, details: canonical, code: app.keyring.hash(codePurpose, contentOf(row, canonical)) }
}

const codePurpose = 'audit event'
const addressPurpose = 'audit ip address'

/** With the id of the event, so that equal addresses of different events cannot be recognized once they are erased. */
const addressText = (id: string, ipAddress: string): string => `${id} ${ipAddress}`

type Content = Omit<EventDraft, 'code' | 'ipAddress' | 'details' | 'sequence' | 'hash'>

/** What `code` covers: everything but the IP address, which is covered by its keyed hash and may be erased. */
function contentOf(row: Content, details: string): string {
  const { id, createdAt, action, outcome, actorKind, actorId, actorName, impersonatedBy } = row
  const actor = [actorKind, actorId, actorName, impersonatedBy, row.ipHash, row.requestId]
  const subject = [row.targetType, row.targetId, row.userId, row.organizationId]
  return JSON.stringify([id, createdAt.toISOString(), action, outcome, ...actor, ...subject, details])
}

/** Databases change the order of members, and reject halves of surrogate pairs. */
const canonicalJSON = (value: unknown): string => JSON.stringify(value, (_, member) => canonical(member))

function canonical(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** The keyed hashes that the content of a row may have: one for each configured secret. */
export const codesOf = ({ keyring }: Pick<App, 'keyring'>, row: EventRow): string[] =>
  keyring.hashes(codePurpose, contentOf(row, canonicalJSON(row.details)))

/** Whether the IP address is the recorded one; also true when it is erased, or was never known. */
export const hasRecordedAddress = ({ keyring }: Pick<App, 'keyring'>, { id, ipAddress, ipHash }: EventRow): boolean =>
  ipAddress === null || (ipHash !== null && keyring.hashes(addressPurpose, addressText(id, ipAddress)).includes(ipHash))

type ActorColumns = Pick<EventDraft, 'actorKind' | 'actorId' | 'actorName' | 'impersonatedBy' | 'requestId'> & {
  readonly ipAddress: string | null
}

function describeActor(actor: Actor): ActorColumns {
  const none = { actorId: null, actorName: null, impersonatedBy: null, ipAddress: null, requestId: null }
  if (actor.kind === 'system')
    return { ...none, actorKind: actor.kind, actorName: actor.job ?? null, requestId: actor.requestId ?? null }
  if (actor.kind === 'operator') return { ...none, actorKind: actor.kind, actorName: cut(actor.name) }
  const { kind: actorKind, ipAddress, requestId } = actor
  const from = { actorKind, ipAddress: ipAddress || null, requestId: requestId || null }
  if (actor.kind === 'anonymous') return { ...none, ...from }
  return { ...none, ...from, actorId: actor.userId, impersonatedBy: actor.impersonatedBy ?? null }
}

/** Whether another user caused an event about this one, such as an administrator, also one who impersonates them. */
export const isByOther = (
  { actorKind, actorId, impersonatedBy }: Pick<EventRow, 'actorKind' | 'actorId' | 'impersonatedBy'>,
  userId: string,
): boolean => actorKind === 'user' && (actorId !== userId || impersonatedBy !== null)

const cut = (name: string): string => [...name.toWellFormed()].slice(0, 64).join('')

/** One line for each event, to be shipped off the host (ASVS 16.4.3). Without details, which may contain text of users. */
function logEvents(app: App, rows: readonly EventDraft[]): void {
  for (const row of rows) {
    const { id, action, outcome, actorKind, actorId, actorName, impersonatedBy, targetType, targetId } = row
    const { userId, organizationId, ipAddress, requestId } = row
    const fields = { actorKind, actorId, actorName, impersonatedBy, targetType, targetId, userId, organizationId, ipAddress }
    const known = Object.entries({ ...fields, requestId: requestId ?? requestIdOf(app) }).filter(([, value]) => value != null)
    app.log.info({ auditEvent: id, action, outcome, ...Object.fromEntries(known) }, 'Audit event')
  }
}
