/** Counts that features keep by names of their own, such as codes of an email address. */
import type { App } from '../../core/app.ts'
import { type Bound, count, isLimited } from './recipient-limit.ts'

const firstKeys = (app: App, name: string) => app.keyring.hashes('mail limit', `first:${name}`)

/** @returns whether this is the first time in this many seconds, such as for a notice of what may happen again and again */
export const isFirstTime = (app: App, name: string, seconds: number): Promise<boolean> =>
  count(app, firstKeys(app, name), { max: 1, window: seconds })

/** Whether the seconds of `isFirstTime` of this name are not over. */
export async function hasHappened(app: App, name: string): Promise<boolean> {
  const row = app.db.selectFrom('mailCount').select('id').where('key', 'in', firstKeys(app, name))
  return (await row.where('expiresAt', '>', app.now()).executeTakeFirst()) !== undefined
}

const ownKeys = (app: App, name: string) => app.keyring.hashes('mail limit', `own:${name}`)

/** Counts one more of something. @returns false when there is no room in the window */
export const countOne = (app: App, name: string, bound: Bound): Promise<boolean> => count(app, ownKeys(app, name), bound)

/** @returns the seconds until there is room in each window; 0: now */
export async function waitForRoom(app: App, bounds: readonly (readonly [name: string, bound: Bound])[]): Promise<number> {
  const now = app.now()
  const waits = bounds.map(async ([name, { max }]) => {
    const full = app.db.selectFrom('mailCount').select('expiresAt').where('key', 'in', ownKeys(app, name))
    const row = await full.where('count', '>=', max).where('expiresAt', '>', now).executeTakeFirst()
    return row ? Math.ceil((row.expiresAt.getTime() - now.getTime()) / 1000) : 0
  })
  return Math.max(0, ...(await Promise.all(waits)))
}

/** Deletes what these names have counted, and that they have happened. @returns how many counts there were */
export async function clearOwnCounts(app: App, names: readonly string[]): Promise<number> {
  const keys = names.flatMap((name) => [...ownKeys(app, name), ...firstKeys(app, name)])
  return Number((await app.db.deleteFrom('mailCount').where('key', 'in', keys).executeTakeFirst()).numDeletedRows)
}

/**
 * Counts a message for limits of the feature that sends it, if emails are limited at all. One without room counts for none of the
 * limits after it.
 * @returns false when one of them has no room
 */
export async function countForLimits(app: App, bounds: readonly (readonly [name: string, bound: Bound])[]): Promise<boolean> {
  if (!isLimited(app)) return true
  for (const [name, bound] of bounds) if (!(await countOne(app, name, bound))) return false
  return true
}
