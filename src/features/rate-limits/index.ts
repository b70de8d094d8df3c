/** Options of rate limits, and the table in which the database adapter counts requests. */
import { z } from 'zod'
import { callback, group } from '../../core/config.ts'
import type { Job } from '../../core/feature.ts'
import type { RateLimitRule, StoredRateLimit } from '../../core/ports.ts'
import { sweep } from '../../core/sweep.ts'
import { bigint, id, integer, string, unique } from '../../core/table.ts'
import type { Config } from '../index.ts'

const seconds = (text: string) => z.int().positive().describe(`${text}, in seconds`)

const rule = z.strictObject({
  window: seconds('Length of the window'),
  max: z.int().positive().describe('Requests allowed in the window'),
})

export const config = {
  rateLimit: group('Rate limits by IP address and path', {
    enabled: z.boolean().optional().describe('Default: true in production, otherwise false'),
    window: seconds('Length of the default window').default(10),
    max: z.int().positive().default(100).describe('Requests allowed in the default window'),
    customRules: z
      .record(
        z.string(),
        z.union([
          rule,
          z.literal(false),
          callback<(request: Request) => RateLimitRule | false | Promise<RateLimitRule | false>>(),
        ]),
      )
      .default({})
      .describe(
        'Rules by path, exact or with `*`: a rule, `false` for no limit, or a function of the request; the first match wins',
      ),
    storage: z
      .enum(['memory', 'database', 'secondary-storage'])
      .optional()
      .describe('Where requests are counted; default: `secondary-storage` (Redis) if configured, otherwise `memory`'),
    customStorage: z
      .strictObject({
        get: callback<(key: string) => Promise<StoredRateLimit | null | undefined>>().describe(
          'Function that returns the count of a key, or null',
        ),
        set: callback<(key: string, value: StoredRateLimit) => Promise<void>>().describe(
          'Function that stores the count of a key',
        ),
      })
      .optional()
      .describe('Custom store; counts are not exact under concurrency'),
  }),
}

export const enabled = (config: Config) => config.rateLimit.storage === 'database'

export const tables = {
  rateLimit: {
    id: id(),
    key: unique(string({ length: 512 })),
    count: integer(),
    lastRequest: bigint(),
  },
}

/** Deletes counts of expired windows by the primary key, since an index by time would cost a write on every request. */
export const sweepRateLimits: Job['run'] = (app, signal) =>
  sweep(app, signal, '', async (from, limit, endedBefore) => {
    const before = endedBefore.getTime() - longestWindowSeconds(app.config) * 1000
    const rows = await app.db
      .selectFrom('rateLimit')
      .select(['id', 'lastRequest'])
      .where('id', '>', from)
      .orderBy('id')
      .limit(limit)
      .execute()
    const ids = rows.filter(({ lastRequest }) => lastRequest < before).map(({ id }) => id)
    if (ids.length > 0) await app.db.deleteFrom('rateLimit').where('id', 'in', ids).where('lastRequest', '<', before).execute()
    return rows.length < limit ? null : (rows.at(-1)?.id ?? null)
  })

export const jobs = { rateLimits: { every: 3600, run: sweepRateLimits } }

const [daySeconds, weekSeconds] = [86_400, 604_800]

/** The windows of built-in rules are shorter than a day. A rule that is a function may return any window: a week covers it. */
function longestWindowSeconds({ rateLimit }: Config): number {
  const rules = Object.values(rateLimit.customRules ?? {})
  const windows = rules.map((rule) => (typeof rule === 'function' ? weekSeconds : rule === false ? 0 : rule.window))
  return Math.max(daySeconds, rateLimit.window, ...windows)
}
