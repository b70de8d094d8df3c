import type { App } from '../../core/app.ts'
import { firstMoment, sweep, sweepBatch } from '../../core/sweep.ts'

/** Removes what is too old to matter. @param signal ends it between two batches */
export const sweepAttempts = (app: App, signal: AbortSignal): Promise<void> =>
  sweep(app, signal, firstMoment, async (from) => {
    const rows = await app.db
      .selectFrom('attempt')
      .select(['id', 'expiresAt'])
      .where('expiresAt', '>=', from)
      .where('expiresAt', '<', app.now())
      .orderBy('expiresAt')
      .limit(sweepBatch)
      .execute()
    const ids = rows.map(({ id }) => id)
    // Asked again: somebody may have failed, or signed in, in between.
    if (ids.length > 0) await app.db.deleteFrom('attempt').where('id', 'in', ids).where('expiresAt', '<', app.now()).execute()
    return rows.length < sweepBatch ? null : (rows.at(-1)?.expiresAt ?? null)
  })
