import type { App } from '../../core/app.ts'
import { firstMoment, sweep, sweepBatch, sweptBefore } from '../../core/sweep.ts'

/** Removes the rows of sessions that are over. Nobody is told: every copy of one has the same end. */
export const sweepSessions = (app: App, signal: AbortSignal): Promise<void> =>
  sweep(app, signal, firstMoment, async (from) => {
    const rows = await app.db
      .selectFrom('session')
      .select(['id', 'expiresAt'])
      .where('expiresAt', '>=', from)
      .where('expiresAt', '<', sweptBefore(app))
      .orderBy('expiresAt')
      .limit(sweepBatch)
      .execute()
    const ids = rows.map(({ id }) => id)
    // Asked again: a session may have been renewed in between.
    if (ids.length > 0)
      await app.db.deleteFrom('session').where('id', 'in', ids).where('expiresAt', '<', sweptBefore(app)).execute()
    return rows.length < sweepBatch ? null : (rows.at(-1)?.expiresAt ?? null)
  })
