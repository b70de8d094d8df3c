/** Deletes the oldest events; the chain then starts at a signed anchor. */
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import { sweep } from '../../core/sweep.ts'
import { transaction } from '../../core/transaction.ts'
import type { AuditActions } from '../index.ts'
import { recordEvent } from './event.ts'
import { chainStart, readState, replaceState } from './state.ts'

/** Of the feature `admin`, which depends on this one. */
const impersonationStarted: keyof AuditActions = 'user.impersonation-started'

/**
 * Removes the IP addresses of a user from the events that they caused, also while they impersonated another
 * user, and from failed attempts to authenticate as them, in the transaction of `app`. Their keyed hashes stay, so that the chain
 * stays valid. Record `user.erased` too, without which a missing address is a problem.
 */
export async function eraseAddresses(app: App, userId: string): Promise<void> {
  const events = app.db.updateTable('auditEvent').set({ ipAddress: null }).where('ipAddress', 'is not', null)
  await events.where('actorId', '=', userId).execute()
  await events.where('userId', '=', userId).where('actorKind', '=', 'anonymous').execute()
  // By the users as whom they acted, because `impersonatedBy` has no index.
  const started = app.db.selectFrom('auditEvent').select('userId').distinct().where('actorId', '=', userId)
  for (const { userId: impersonated } of await started.where('action', '=', impersonationStarted).execute())
    await events.where('actorId', '=', impersonated).where('impersonatedBy', '=', userId).execute()
}

/** Deletes numbered events past `audit.retention`, in the order of the chain, up to the first one that must stay. */
export const sweepEvents: Job['run'] = async (app, signal) => {
  let deleted = 0
  const first = (await readState(app, 'anchor'))?.sequence ?? 0
  await sweep(app, signal, first, async (_, limit) => {
    const end = new Date(app.now().getTime() - app.config.audit.retention * 1000)
    const removed = await transaction(app, (tx) => deleteBatch(tx, limit, end))
    deleted += removed?.count ?? 0
    return removed && removed.count === limit ? removed.sequence : null
  })
  if (deleted > 0) await recordEvent(app, { action: 'audit.events-deleted', details: { count: deleted } })
}

async function deleteBatch(tx: App, limit: number, end: Date): Promise<{ count: number; sequence: number } | null> {
  const anchor = await readState(tx, 'anchor')
  const { sequence: start } = anchor ?? chainStart
  const chained = tx.db.selectFrom('auditEvent').select(['sequence', 'hash', 'createdAt']).where('sequence', '>', start)
  const rows = await chained.orderBy('sequence').limit(limit).execute()
  const kept = rows.findIndex(({ createdAt }) => createdAt >= end)
  const expired = kept === -1 ? rows : rows.slice(0, kept)
  const last = expired.at(-1)
  if (!last) return null
  const sequence = Number(last.sequence)
  if (!(await replaceState(tx, 'anchor', anchor?.sequence, { sequence, hash: last.hash ?? '' }))) return null
  await tx.db.deleteFrom('auditEvent').where('sequence', '>', start).where('sequence', '<=', sequence).execute()
  return { count: expired.length, sequence }
}
