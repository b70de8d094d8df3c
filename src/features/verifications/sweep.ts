import type { App } from '../../core/app.ts'
import { firstMoment, sweep, sweepBatch, sweptBefore } from '../../core/sweep.ts'

/** Removes secrets whose time is over, and the marks of those that were used up, unless the configuration keeps them. */
export async function sweepVerifications(app: App, signal: AbortSignal): Promise<void> {
  if (app.config.verification.disableCleanup) return
  await sweep(app, signal, firstMoment, async (from) => {
    const rows = await app.db
      .selectFrom('verification')
      .select(['id', 'expiresAt'])
      .where('expiresAt', '>=', from)
      .where('expiresAt', '<', sweptBefore(app))
      .orderBy('expiresAt')
      .limit(sweepBatch)
      .execute()
    const ids = rows.map(({ id }) => id)
    // Asked again: the mark of a use may have been given another end in between.
    if (ids.length > 0)
      await app.db.deleteFrom('verification').where('id', 'in', ids).where('expiresAt', '<', sweptBefore(app)).execute()
    return rows.length < sweepBatch ? null : (rows.at(-1)?.expiresAt ?? null)
  })
}
