/** Passkeys of users without a session, whom a function of the configuration names (`registration.resolveUser`). */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { hasSecondFactor } from '../second-factor/index.ts'
import { admitUser } from '../sessions/index.ts'
import { findUserById, lockUser } from '../users/index.ts'
import { claimChallenge, clearChallenge } from './challenge.ts'
import type { ResolvedUser } from './function-options.ts'
import { type Approved, resolveUser } from './functions.ts'
import { insertNotified, type VerifiedRegistration } from './registration.ts'
import { errors, keyedBytes, listPasskeys, type PasskeyRow } from './store.ts'

/**
 * A passkey is two factors in one, so that one without a session would be a way around those that the user has.
 * @throws ApiError SESSION_REQUIRED for a user with a second factor or a passkey
 */
async function rejectProtected(app: App, user: UserRow): Promise<void> {
  if (hasSecondFactor(user) || (await listPasskeys(app, user.id)).length > 0) throw new ApiError(errors.SESSION_REQUIRED)
}

/**
 * Who requests the options without a session. They may not exist yet.
 * @throws ApiError SESSION_REQUIRED, RESOLVED_USER_INVALID
 */
export async function findResolved(ctx: CallContext, context: string | null): Promise<ResolvedUser> {
  const resolved = await resolveUser(ctx, context)
  const user = await findUserById(ctx, resolved.id)
  if (!user) return { ...resolved, handle: keyedBytes(ctx.keyring.hash('passkey handle of no user yet', ctx.random.token(32))) }
  await rejectProtected(ctx, user)
  return resolved
}

/**
 * Adds a verified passkey to the user for whom the options were. Another one, whom `afterVerification` has named, gets it only when that
 * user does not exist: it has created the account in its place.
 * @throws ApiError RESOLVED_USER_INVALID for a user who does not exist, YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY for another one,
 * SESSION_REQUIRED for one with a second factor or a passkey; those of `admitUser` and `insertPasskey`
 */
export async function addWithoutSession(
  ctx: CallContext,
  resolved: ResolvedUser,
  { verified, userId, name }: Approved<VerifiedRegistration>,
): Promise<{ readonly passkey: PasskeyRow; readonly user: UserRow }> {
  const added = await transaction(ctx, async (tx) => {
    const user = (await lockUser(tx, userId)) ? await findUserById(tx, userId) : null
    if (!user) throw new ApiError(errors.RESOLVED_USER_INVALID)
    if (user.id !== resolved.id && (await findUserById(tx, resolved.id)))
      throw new ApiError(errors.YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY)
    await claimChallenge(tx, verified.challenge)
    await admitUser(tx, user, null)
    await rejectProtected(tx, user)
    const claimed = { ...verified, challenge: { ...verified.challenge, isUsed: true } }
    return { passkey: await insertNotified(tx, user, claimed, name), user }
  })
  clearChallenge(ctx)
  return added
}
