/** What signs in without a session, and ends with all sessions: trust in browsers, and sign-ins that wait (contract 11 §7). */
import type { App } from '../../core/app.ts'
import { deleteInBatches, neverAborted } from '../../core/sweep.ts'
import { recordEvent } from '../audit/index.ts'
import type { AllRevoked } from '../sessions/index.ts'
import { endTrust } from './trusted-devices.ts'

const reason = 'sessions-revoked'

/** The listener to a revocation of all sessions, of one user or of all. */
export async function endTrustOfAll(app: App, { userId, before, signal = neverAborted }: AllRevoked): Promise<void> {
  if (userId !== undefined) {
    await endTrust(app, userId, { reason, before })
    const pending = app.db.deleteFrom('signInChallenge').where('userId', '=', userId)
    await (before ? pending.where('createdAt', '<', before) : pending).execute()
    return
  }
  const count = await deleteInBatches(app, 'trustedDevice', before, signal)
  await deleteInBatches(app, 'signInChallenge', before, signal)
  if (count > 0) await recordEvent(app, { action: 'trusted-device.removed', details: { count, reason } })
}
