/**
 * A call is authenticated before its transactions begin. In between, the session or the API key may be revoked: by a reset, a ban, or
 * the owner of the email address who takes the account over. So the last step of each transaction of an authenticated call locks the
 * credential and checks it once more: what ends it waits for the commit, or the transaction is rolled back. As the last step, because
 * rows of users are locked before those of sessions: two administrators who change each other would otherwise wait for each other.
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
  /** The transaction that ends it, until it is committed. */
  endedIn: App['db'] | null
  /** Checks the permission of the call once more, which its user may have lost since; throws to reject. Null: it needs none. */
  recheck: ((tx: App) => Promise<void>) | null
  /** The transaction that has checked the permission itself, with a lock. */
  recheckedIn: App['db'] | null
}

/** Lets all transactions of a call from now on depend on its credential. */
export function holdCredential(
  ctx: App,
  {
    credential,
    user,
    hold,
  }: { readonly user: Pick<Identity['user'], 'id'> } & Pick<Identity, 'hold'> & {
      readonly credential: Pick<Identity['credential'], 'id'>
    },
): void {
  const credentialHold: CredentialHold = {
    credentialId: credential.id,
    userId: user.id,
    lock: hold,
    isOver: false,
    endedIn: null,
    recheck: null,
    recheckedIn: null,
  }
  Object.assign(ctx, { credentialHold })
}

/**
 * The last step of each transaction.
 * @throws ApiError UNAUTHORIZED when the credential of the call was revoked since it was verified; whatever `recheck` throws
 */
export async function lockCredential(tx: App): Promise<void> {
  const { credentialHold: held } = tx
  if (!held || held.isOver || held.endedIn === tx.db) return
  if (!(await held.lock(tx))) throw new ApiError(errors.UNAUTHORIZED)
  if (held.recheckedIn !== tx.db) await held.recheck?.(tx)
}

/** Lets all transactions of a call depend on its permission too. @param recheck throws when the user no longer has it */
export function holdPermission({ credentialHold: held }: App, recheck: (tx: App) => Promise<void>): void {
  if (held) held.recheck = recheck
}

/** Notes that a transaction has checked the permission with a lock; what it changes may then be the permission itself. */
export function confirmPermission({ credentialHold: held, db }: App): void {
  if (held) held.recheckedIn = db
}

/** Notes what a transaction ends: sessions, API keys or a user. @param ids of credentials or users */
export function endCredentials(tx: App, ids: readonly string[]): void {
  const { credentialHold: held } = tx
  if (!held || !(ids.includes(held.credentialId) || ids.includes(held.userId))) return
  held.endedIn = tx.db
  const end = async () => void Object.assign(held, { isOver: true })
  // A rollback revokes nothing.
  if (tx.commitQueue) tx.commitQueue.push(end)
  else held.isOver = true
}
