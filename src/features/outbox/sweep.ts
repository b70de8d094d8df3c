import type { App } from '../../core/app.ts'
import { firstMoment, sweep, sweepBatch } from '../../core/sweep.ts'

/** Milliseconds for which it can be seen that a mail was sent; dead ones stay until somebody has looked. */
const kept = 7 * 86_400_000

/** Removes mails that were sent long ago. @param signal ends it between two batches */
export const sweepOutbox = (app: App, signal: AbortSignal): Promise<void> =>
  sweep(app, signal, firstMoment, async (from) => {
    const rows = await app.db
      .selectFrom('outbox')
      .select(['id', 'sentAt'])
      .where('sentAt', '>=', from)
      .where('sentAt', '<', new Date(app.now().getTime() - kept))
      .orderBy('sentAt')
      .limit(sweepBatch)
      .execute()
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await app.db.deleteFrom('outbox').where('id', 'in', ids).execute()
    return rows.length < sweepBatch ? null : (rows.at(-1)?.sentAt ?? null)
  })
