import type { App } from '../../core/app.ts'
import { passwordCost } from '../../lib/password-costs.ts'
import { raise } from './schemes.ts'

/** Accounts that are looked at in one statement. */
const batch = 1000

/**
 * Finds out which schemes are in use by walking all accounts along an index, and forgets those that are not: the last
 * old hash may be gone, and hashes may have been written by other means than ours.
 * @param signal ends the walk; what it has found so far is kept
 */
export async function takeCensus(app: App, signal: AbortSignal): Promise<void> {
  const started = app.now()
  const found = new Map<string, number>()
  for (let last: string | null = ''; last !== null && !signal.aborted; ) last = await countBatch(app, last, found)
  for (const [scheme, rounds] of found) await raise(app, { scheme, rounds })
  if (!signal.aborted) await forget(app, found, started)
}

/** @returns where to go on; null at the end */
async function countBatch(app: App, after: string, found: Map<string, number>): Promise<string | null> {
  const rows = await app.db
    .selectFrom('account')
    .select(['accountId', 'password'])
    .where('providerId', '=', 'credential')
    .where('accountId', '>', after)
    .orderBy('accountId')
    .limit(batch)
    .execute()
  for (const { password } of rows) {
    const cost = password === null ? null : passwordCost(password)
    if (cost) found.set(cost.scheme, Math.max(cost.rounds, found.get(cost.scheme) ?? 0))
  }
  return rows.length < batch ? null : (rows.at(-1)?.accountId ?? null)
}

/** What was noted while the walk went on stays: it may have been written behind it. */
async function forget(app: App, found: ReadonlyMap<string, number>, started: Date): Promise<void> {
  const rows = await app.db.selectFrom('passwordScheme').selectAll().where('notedAt', '<', started).execute()
  for (const { id, scheme, rounds } of rows) {
    const present = found.get(scheme)
    if (present === rounds) continue
    if (present === undefined)
      await app.db.deleteFrom('passwordScheme').where('id', '=', id).where('rounds', '=', rounds).execute()
    else
      await app.db
        .updateTable('passwordScheme')
        .set({ rounds: present })
        .where('id', '=', id)
        .where('rounds', '=', rounds)
        .execute()
  }
}
