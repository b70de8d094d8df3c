/** Estimates of how many users there are, and how many of them match. */
import { sql } from 'kysely'
import { type App, memo } from '../../core/app.ts'
import { startSearch } from '../../core/search.ts'
import type { Condition } from './user-search.ts'

/** Milliseconds for which an estimate is used: databases update theirs after thousands of writes. */
const estimateAgeMs = 10_000

/** The number of users, as the database knows it without counting. */
export const estimateOf = memo((app: App) => {
  let known = { until: 0, rows: 0 }
  return async (): Promise<number> => {
    const now = app.now().getTime()
    if (now >= known.until) known = { until: now + estimateAgeMs, rows: await app.database.estimateRows(app.db, 'user') }
    return known.rows
  }
})

/** Users of a sample. */
const sampleSize = 1000

/** Extrapolates from a sample: ids are random, so that users whose ids follow each other are as good as any. */
export async function estimateMatches(app: App, conditions: readonly Condition[]): Promise<number> {
  const sample = await sampleFrom(app, app.random.id(), conditions)
  // Few users are left after the highest ids, and none when all ids were made elsewhere.
  const { size, matches } = sample.size < sampleSize ? await sampleFrom(app, '', conditions) : sample
  return rounded(((await estimateOf(app)()) * matches) / Math.max(1, size))
}

async function sampleFrom(app: App, from: string, conditions: readonly Condition[]) {
  const search = startSearch(app, 'user.id')
  const users = app.db.selectFrom('user').selectAll('user').where(search.isInTime)
  const sample = users.where('id', '>=', from).orderBy('id').limit(sampleSize).as('user')
  const matches = sql<number | string>`sum(case when ${sql.join(conditions, sql` and `)} then 1 else 0 end)`.as('matches')
  const size = sql<number | string | bigint>`count(*)`.as('size')
  const [row] = await search.run(app.db.selectFrom(sample).select([size, matches]))
  return { size: Number(row?.size ?? 0), matches: Number(row?.matches ?? 0) }
}

/** To three digits: more would seem exact. */
export const rounded = (estimate: number): number => Number(estimate.toPrecision(3))
