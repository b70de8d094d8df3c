/** Erases the IP addresses of a user from any number of events: in slices, after the user is deleted. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Listeners } from '../../core/events.ts'
import type { Job } from '../../core/feature.ts'
import { neverAborted, sweep } from '../../core/sweep.ts'
import { id, timestamp } from '../../core/table.ts'
import { deferAfterCommit } from '../../core/transaction.ts'
import type { AuditActions, Database } from '../index.ts'

/** The users whose addresses are being erased, by their ids: each row stays until all slices are done, also when a process dies. */
export const tables = { erasure: { id: id(), createdAt: timestamp() } }

/** Of the feature `admin`, which depends on this one. */
const impersonationStarted: keyof AuditActions = 'user.impersonation-started'

type Condition = (events: ExpressionBuilder<Database, 'auditEvent'>) => Expression<SqlBool>

/** Events of each kind in the transaction that erases a user. */
const firstSlice = 1000

/** The addresses in the first events of a user are erased with the user; those in further ones after the response. */
export const on: Listeners = {
  'user.erasing': async (app, { user }) => {
    let isDone = true
    for (const condition of await conditionsOf(app, user.id))
      isDone = (await eraseSlice(app, condition, firstEvent, firstSlice)).next === null && isDone
    if (isDone) return
    await app.db.insertInto('erasure').values({ id: user.id, createdAt: app.now() }).execute()
    await deferAfterCommit(app, async (outermost) => {
      await eraseAddresses(outermost, user.id)
    })
  },
}

/** Goes on with erasures whose process died. */
export const erasures: Job = {
  every: 60,
  run: async (app, signal) => {
    const pending = await app.db.selectFrom('erasure').select('id').orderBy('createdAt').execute()
    for (const { id } of pending) if (!signal.aborted) await eraseAddresses(app, id, signal)
  },
}

/** Events of one user that `readErasures` counts. */
const mostCounted = 10_000

/** The users whose addresses are being erased, and their own events that are left, up to 10,000 for each of the first 10 users. */
export async function readErasures({ db }: App): Promise<{ readonly users: number; readonly events: number }> {
  const pending = await db.selectFrom('erasure').select('id').orderBy('createdAt').execute()
  let events = 0
  for (const { id } of pending.slice(0, 10)) {
    const left = db.selectFrom('auditEvent').select('id').where('actorId', '=', id).where('ipAddress', 'is not', null)
    events += (await left.limit(mostCounted).execute()).length
  }
  return { users: pending.length, events }
}

/**
 * Removes the IP addresses of a user from the events that they caused, also while they impersonated another
 * user, and from failed attempts to authenticate as them. Their keyed hashes stay, so that the chain stays valid. Needs the event
 * `user.erased`, without which a missing address is a problem. Idempotent; several processes may do it at the same time.
 * @param signal stops between two slices; the rest is left for the job
 * @param onProgress called after each slice with the number of events so far
 * @returns the number of events
 */
export async function eraseAddresses(
  app: App,
  userId: string,
  signal: AbortSignal = neverAborted,
  onProgress?: (events: number) => void,
): Promise<number> {
  let erased = 0
  let isDone = true
  for (const condition of await conditionsOf(app, userId)) {
    let isSwept = false
    await sweep(app, signal, firstEvent, async (from, limit) => {
      const slice = await eraseSlice(app, condition, from, limit)
      erased += slice.count
      onProgress?.(erased)
      isSwept = slice.next === null
      return slice.next
    })
    isDone = isSwept && isDone
  }
  if (isDone) await app.db.deleteFrom('erasure').where('id', '=', userId).execute()
  return erased
}

async function conditionsOf(app: App, userId: string): Promise<Condition[]> {
  const conditions: Condition[] = [
    (events) => events('actorId', '=', userId),
    (events) => events('userId', '=', userId).and('actorKind', '=', 'anonymous'),
  ]
  // By the users as whom they acted, because `impersonatedBy` has no index.
  const started = app.db.selectFrom('auditEvent').select('userId').distinct().where('actorId', '=', userId)
  for (const { userId: impersonated } of await started.where('action', '=', impersonationStarted).execute())
    conditions.push((events) => events('actorId', '=', impersonated).and('impersonatedBy', '=', userId))
  return conditions
}

interface Position {
  readonly createdAt: Date
  readonly id: string
}
const firstEvent: Position = { createdAt: new Date('1000-01-01T00:00:00Z'), id: '' }

async function eraseSlice(app: App, condition: Condition, from: Position, limit: number) {
  const rows = await app.db
    .selectFrom('auditEvent')
    .select(['createdAt', 'id'])
    .where(condition)
    .where('createdAt', '>=', from.createdAt)
    .where((events) => events.or([events('createdAt', '>', from.createdAt), events('id', '>', from.id)]))
    .where('ipAddress', 'is not', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await app.db.updateTable('auditEvent').set({ ipAddress: null }).where('id', 'in', ids).execute()
  return { count: ids.length, next: ids.length < limit ? null : (rows.at(-1) ?? null) }
}
