/** Removing, renaming and restoring passkeys, and the rule that a user keeps one sign-in method (contract 12 §9). */
import type { App } from '../../core/app.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import type { SessionView } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { canSignIn, listAccounts } from '../accounts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { dropFactor, watchRemoval } from '../second-factor/index.ts'
import { revokeSessions } from '../sessions/index.ts'
import { findUserById, lockUser } from '../users/index.ts'
import { sendNotice } from './mails.ts'
import { secondFactor } from './methods.ts'
import { errors, findPasskey, isSignInMethod, notFound, type PasskeyRow } from './store.ts'

/** @throws ApiError PASSKEY_NOT_FOUND, also for that of another user */
async function findOwn(tx: App, userId: string, passkeyId: string): Promise<PasskeyRow> {
  const passkey = await findPasskey(tx, passkeyId)
  if (passkey?.userId !== userId) throw new ApiError(notFound)
  return passkey
}

interface Removal {
  /** Also revoke the sessions that it has signed in. */
  readonly revokesSessions?: boolean
  /** An operator may leave a user without a sign-in method, and without the second factor that a rule demands. */
  readonly mayBeLast?: boolean
}

/**
 * Deletes a passkey, and notifies its user.
 * @throws ApiError PASSKEY_NOT_FOUND, also for that of another user; YOU_CANT_DELETE_YOUR_LAST_PASSKEY when the user could not sign in
 * any more, unless the configuration allows it; SECOND_FACTOR_CANNOT_BE_DISABLED when a rule demands it as a second factor
 */
export function deletePasskey(app: App, userId: string, passkeyId: string, removal: Removal = {}): Promise<void> {
  const { revokesSessions = false, mayBeLast = app.config.account.accountLinking.allowUnlinkingAll } = removal
  const isByOperator = removal.mayBeLast === true
  return transaction(app, async (tx) => {
    // "Not the last one" is a rule about several rows: of two concurrent requests, the second waits for the lock on the user.
    await lockUser(tx, userId)
    const passkey = await findOwn(tx, userId, passkeyId)
    const user = await findUserById(tx, userId)
    if (!user) throw new ApiError(notFound)
    const rejectIfRequired = await watchRemoval(tx, user)
    await tx.db.deleteFrom('passkey').where('id', '=', passkeyId).execute()
    if (!isByOperator) await rejectIfRequired()
    if (!mayBeLast && isSignInMethod(tx, passkey) && !(await canSignIn(tx, user, await listAccounts(tx, userId))))
      throw new ApiError(errors.YOU_CANT_DELETE_YOUR_LAST_PASSKEY)
    await recordEvent(tx, { action: 'passkey.deleted', target: { type: 'passkey', id: passkeyId }, userId })
    await sendNotice(tx, 'passkey-removed', user, passkey)
    if (revokesSessions) await endSessionsOf(tx, passkey)
    if (tx.config.twoFactor.enabled && (await secondFactor.usability(tx, user, null)) !== 'usable')
      await dropFactor(tx, user, 'passkey', { device: null, ipAddress: null })
  })
}

async function endSessionsOf(tx: App, { id, userId }: PasskeyRow): Promise<void> {
  const sessions = tx.db.selectFrom('session').select('id').where('userId', '=', userId).where('passkeyId', '=', id)
  const ids = (await sessions.execute()).map((session) => session.id)
  if (ids.length > 0) await revokeSessions(tx, { ids })
}

/** @throws ApiError PASSKEY_NOT_FOUND; YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY for that of another user */
export function renamePasskey(app: App, userId: string, passkeyId: string, name: string): Promise<PasskeyRow> {
  return transaction(app, async (tx) => {
    const passkey = await findPasskey(tx, passkeyId)
    if (!passkey) throw new ApiError(notFound)
    if (passkey.userId !== userId) throw new ApiError(errors.YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY)
    const renamed = await tx.db.updateTable('passkey').set({ name }).where('id', '=', passkeyId).executeTakeFirst()
    if (renamed.numUpdatedRows === 0n) throw new ApiError(notFound)
    await recordEvent(tx, { action: 'passkey.renamed', target: { type: 'passkey', id: passkeyId }, userId })
    return { ...passkey, name }
  })
}

/**
 * Lifts the suspension of a passkey. Its user must have signed in with another method since: the passkey cannot have.
 * @throws ApiError PASSKEY_NOT_FOUND, also when it is not suspended; SESSION_IS_NOT_FRESH
 */
export function restorePasskey(app: App, session: SessionView, passkeyId: string): Promise<PasskeyRow> {
  const { userId, authenticatedAt, createdAt } = session
  return transaction(app, async (tx) => {
    await lockUser(tx, userId)
    const passkey = await findOwn(tx, userId, passkeyId)
    if (passkey.suspendedAt === null) throw new ApiError(notFound)
    if ((authenticatedAt ?? createdAt) <= passkey.suspendedAt) throw new ApiError(kernelErrors.SESSION_IS_NOT_FRESH)
    // A copy of the key may be ahead: the next use decides what the counter is.
    await tx.db.updateTable('passkey').set({ suspendedAt: null, counter: 0 }).where('id', '=', passkeyId).execute()
    await recordEvent(tx, { action: 'passkey.restored', target: { type: 'passkey', id: passkeyId }, userId })
    return { ...passkey, suspendedAt: null, counter: 0 }
  })
}
