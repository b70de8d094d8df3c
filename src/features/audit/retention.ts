/** Deletes the oldest events; the chain then starts at a signed anchor. */
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import { sweep } from '../../core/sweep.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from './event.ts'
import { chainStart, readState, replaceState } from './state.ts'

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
