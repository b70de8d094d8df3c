/** Challenges without an answer: they are deleted, and each may be a sign of a thief who has the password only (contract 11 §6). */
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import type { CallContext } from '../../core/request.ts'
import { sweep } from '../../core/sweep.ts'
import { transaction } from '../../core/transaction.ts'
import { deviceName } from '../../lib/device.ts'
import { isKnownDevice } from '../notices/index.ts'
import { findUserById } from '../users/index.ts'
import { clearChallengeCookie, countChallenge, findChallenge, mostFailures, type PendingChallenge } from './challenge.ts'
import { notifyOfKnownPassword } from './notices.ts'

/** The clocks of machines differ. */
const slackMs = 60_000

interface Abandoned {
  readonly id: string
  readonly userId: string
  readonly device: string | null
  readonly ipAddress: string | null
}

/** Deletes expired challenges, and notifies their users if a browser was not known to them. */
export const sweepChallenges: Job['run'] = (app, signal) =>
  sweep(app, signal, new Date(0), async (from, limit) => {
    const end = new Date(app.now().getTime() - slackMs)
    const found = await app.db
      .selectFrom('signInChallenge')
      .select(['id', 'userId', 'kind', 'failures', 'device', 'ipAddress', 'expiresAt'])
      .where('expiresAt', '>=', from)
      .where('expiresAt', '<', end)
      .orderBy('expiresAt')
      .limit(limit)
      .execute()
    await notifyUsers(app, found)
    const ids = found.map(({ id }) => id)
    if (ids.length > 0) await app.db.deleteFrom('signInChallenge').where('id', 'in', ids).where('expiresAt', '<', end).execute()
    // One that wrong codes have ended was counted then.
    for (const { kind, failures } of found) if (failures <= mostFailures) countChallenge(app, kind, 'expired')
    return found.length < limit ? null : (found.at(-1)?.expiresAt ?? null)
  })

/** Ends the challenge of the client. */
export async function cancelChallenge(ctx: CallContext, token: string | undefined): Promise<void> {
  const pending = await findChallenge(ctx, token, null)
  clearChallengeCookie(ctx)
  if (!pending) return
  const isDeleted = await transaction(ctx, async (tx) => {
    const deleted = await tx.db.deleteFrom('signInChallenge').where('id', '=', pending.id).executeTakeFirst()
    if (deleted.numDeletedRows > 0n) await noteCancelled(tx, pending)
    return deleted.numDeletedRows > 0n
  })
  if (isDeleted) countChallenge(ctx, pending.kind, 'cancelled')
}

/** A thief who cancels knows the password all the same: a challenge of a browser that is not known to the user counts as abandoned. */
async function noteCancelled(tx: App, { user, device, ipAddress }: PendingChallenge): Promise<void> {
  if (await isKnownDevice(tx, { userId: user.id, userAgent: device, ipAddress })) return
  await notifyOfKnownPassword(tx, user, { device: deviceName(device), ipAddress })
}

/** Before the challenges are deleted: a notice may be tried twice, and is sent once a day at most. */
async function notifyUsers(app: App, challenges: readonly Abandoned[]): Promise<void> {
  const notified = new Set<string>()
  for (const { userId, device, ipAddress } of challenges) {
    if (notified.has(userId) || (await isKnownDevice(app, { userId, userAgent: device, ipAddress }))) continue
    notified.add(userId)
    const user = await findUserById(app, userId)
    const origin = { device: deviceName(device), ipAddress }
    if (user) await transaction(app, (tx) => notifyOfKnownPassword(tx, user, origin))
  }
}
