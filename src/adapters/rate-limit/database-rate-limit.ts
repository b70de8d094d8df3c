import type { App } from '../../core/app.ts'
import type { RateLimitDecision, RateLimitRule, RateLimitStore } from '../../core/ports.ts'
import { insertUnlessExists } from '../../core/write.ts'
import { retryAfter } from '../../lib/sliding-window.ts'
import { random } from '../system.ts'

const allowed: RateLimitDecision = { allowed: true, retryAfter: 0 }

/**
 * Counts in the table `rateLimit` for all daemons together; `take` rejects when the database fails.
 * One conditional update decides and counts. It matches no row for a new key and for a full window: then the row is inserted,
 * and if another request was faster, the update runs again. There is no transaction, so nothing is locked between statements.
 */
export function createDatabaseRateLimits({ db, database, now }: Pick<App, 'db' | 'database' | 'now'>): RateLimitStore {
  const insert = (key: string, lastRequest: number): Promise<boolean> =>
    insertUnlessExists({ database }, db.insertInto('rateLimit').values({ id: random.id(), key, count: 1, lastRequest }))

  const findLastRequest = async (key: string): Promise<number | undefined> =>
    (await db.selectFrom('rateLimit').select('lastRequest').where('key', '=', key).executeTakeFirst())?.lastRequest

  return {
    isShared: true,
    take: async (key, rule) => {
      const at = now().getTime()
      if (await count(db, key, rule, at)) return allowed
      const known = await findLastRequest(key)
      if (known === undefined && ((await insert(key, at)) || (await count(db, key, rule, at)))) return allowed
      const lastRequest = known ?? (await findLastRequest(key)) ?? at
      // At least a second, because the window may have moved or ended in between.
      return { allowed: false, retryAfter: Math.max(1, retryAfter(rule.window * 1000, at - lastRequest)) }
    },
    find: async (keys) => {
      if (keys.length === 0) return []
      const rows = await db.selectFrom('rateLimit').select(['key', 'count', 'lastRequest']).where('key', 'in', keys).execute()
      const counts = new Map(rows.map(({ key, count, lastRequest }) => [key, { count, lastRequest }]))
      return keys.map((key) => counts.get(key) ?? null)
    },
    delete: async (keys) => {
      if (keys.length === 0) return 0
      return Number((await db.deleteFrom('rateLimit').where('key', 'in', keys).executeTakeFirst()).numDeletedRows)
    },
    close: async () => {},
  }
}

/** `decide` of lib/sliding-window as one statement. @returns whether the request was counted, and so is allowed */
async function count(db: App['db'], key: string, { window, max }: RateLimitRule, at: number): Promise<boolean> {
  const length = window * 1000
  const result = await db
    .updateTable('rateLimit')
    // MySQL sets columns one after the other, so `count` must be computed before `lastRequest` changes.
    .set((eb) => ({
      count: eb
        .case()
        .when(eb.or([eb('lastRequest', '<', at - length), eb('lastRequest', '>', at + length)]))
        .then(1)
        .else(eb('count', '+', 1))
        .end(),
    }))
    .set({ lastRequest: at })
    .where('key', '=', key)
    .where((eb) => eb.or([eb('count', '<', max), eb('lastRequest', '<=', at - length), eb('lastRequest', '>', at + length)]))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
