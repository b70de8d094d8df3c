/** What signs in without a session, and ends with all sessions: trust in browsers, and sign-ins that wait (contract 11 §7). */
import type { App } from '../../core/app.ts'
import { inBatches } from '../../core/sweep.ts'
import { recordEvent } from '../audit/index.ts'
import type { AllRevoked } from '../sessions/index.ts'
import { endTrust } from './trusted-devices.ts'

const reason = 'sessions-revoked'
/** Rows that one statement deletes. */
const batchSize = 500
const neverAborted = new AbortController().signal

/** The listener to a revocation of all sessions, of one user or of all. */
export async function endTrustOfAll(app: App, { userId, before, signal = neverAborted }: AllRevoked): Promise<void> {
  if (userId !== undefined) {
    await endTrust(app, userId, { reason, before })
    const pending = app.db.deleteFrom('signInChallenge').where('userId', '=', userId)
    await (before ? pending.where('createdAt', '<', before) : pending).execute()
    return
  }
  const count = await deleteRows(app, 'trustedDevice', before, signal)
  await deleteRows(app, 'signInChallenge', before, signal)
  if (count > 0) await recordEvent(app, { action: 'trusted-device.removed', details: { count, reason } })
}

/** Deletes rows of all users, along the primary key. @returns how many */
async function deleteRows(
  app: App,
  table: 'trustedDevice' | 'signInChallenge',
  before: Date | undefined,
  signal: AbortSignal,
): Promise<number> {
  let count = 0
  await inBatches(app, signal, '', async (after) => {
    const all = app.db.selectFrom(table).select(['id', 'createdAt']).where('id', '>', after).orderBy('id').limit(batchSize)
    const rows = await all.execute()
    const ids = rows.flatMap(({ id, createdAt }) => (before === undefined || createdAt < before ? id : []))
    if (ids.length > 0) {
      const deleted = await app.db.deleteFrom(table).where('id', 'in', ids).executeTakeFirst()
      count += Number(deleted.numDeletedRows)
    }
    return rows.length < batchSize ? null : (rows.at(-1)?.id ?? null)
  })
  return count
}
