/**
 * A call is authenticated before its transactions begin. In between, the session or the API key may be revoked: by a reset, a ban, or
 * the owner of the email address who takes the account over. So each transaction of an authenticated call first locks the credential
 * and checks it once more: what ends it waits for the transaction, or the transaction sees that it has ended.
 */
import type { App } from './app.ts'
import { ApiError, errors } from './errors.ts'
import type { Identity } from './request.ts'

export interface CredentialHold {
  readonly credentialId: string
  readonly userId: string
  /** See `Identity.hold`. */
  readonly lock: Identity['hold']
  /** The call itself has ended the credential, such as by a new password: what it still has to write is its own. */
  isOver: boolean
}

/** Lets all transactions of a call from now on depend on its credential. */
export function holdCredential(ctx: App, { credential, user, hold }: Identity): void {
  const credentialHold: CredentialHold = { credentialId: credential.id, userId: user.id, lock: hold, isOver: false }
  Object.assign(ctx, { credentialHold })
}

/**
 * The first step of each transaction.
 * @throws ApiError UNAUTHORIZED when the credential of the call was revoked since it was verified
 */
export async function lockCredential(tx: App): Promise<void> {
  const { credentialHold: held } = tx
  if (held && !held.isOver && !(await held.lock(tx))) throw new ApiError(errors.UNAUTHORIZED)
}

/** Notes what a transaction ends: sessions, API keys or a user. @param ids of credentials or users */
export function endCredentials(tx: App, ids: readonly string[]): void {
  const { credentialHold: held } = tx
  if (!held || !(ids.includes(held.credentialId) || ids.includes(held.userId))) return
  const end = async () => void Object.assign(held, { isOver: true })
  // A rollback revokes nothing.
  if (tx.commitQueue) tx.commitQueue.push(end)
  else held.isOver = true
}
