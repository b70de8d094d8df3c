import type { App } from '../../core/app.ts'
import { sweep, sweepBatch, sweepSlack } from '../../core/sweep.ts'
import type { Config } from '../index.ts'

/** Seconds; windows of built-in rules are shorter. */
const [day, week] = [86_400, 604_800]

/** Removes counts whose window is over, walking along the primary key: an index by time would cost every call a write. */
export const sweepRateLimits = (app: App, signal: AbortSignal): Promise<void> =>
  sweep(app, signal, '', async (from) => {
    const before = app.now().getTime() - longestWindow(app.config) * 1000 - sweepSlack
    const rows = await app.db
      .selectFrom('rateLimit')
      .select(['id', 'lastRequest'])
      .where('id', '>', from)
      .orderBy('id')
      .limit(sweepBatch)
      .execute()
    const ids = rows.filter(({ lastRequest }) => lastRequest < before).map(({ id }) => id)
    if (ids.length > 0) await app.db.deleteFrom('rateLimit').where('id', 'in', ids).where('lastRequest', '<', before).execute()
    return rows.length < sweepBatch ? null : (rows.at(-1)?.id ?? null)
  })

/** A rule that is a function may say anything: a week is taken for the longest that makes sense. */
function longestWindow({ rateLimit }: Config): number {
  const rules = Object.values(rateLimit.customRules ?? {})
  const windows = rules.map((rule) => (typeof rule === 'function' ? week : rule === false ? 0 : rule.window))
  return Math.max(day, rateLimit.window, ...windows)
}
