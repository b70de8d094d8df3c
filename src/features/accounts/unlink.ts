import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { transaction } from '../../core/transaction.ts'
import { holdUser } from '../users/index.ts'
import { type AccountRow, listAccounts } from './accounts.ts'
import { errors } from './errors.ts'

/** One of a provider, perhaps by the provider's own id of it; or, when no provider is named, the one whose row has this id. */
export interface AccountChoice {
  readonly providerId?: string | undefined
  readonly accountId?: string | undefined
}

/**
 * Takes a way to sign in from a user, but not the last one unless the configuration allows that.
 * @throws ApiError YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT, ACCOUNT_NOT_FOUND
 */
export async function unlinkAccount(app: App, userId: string, choice: AccountChoice): Promise<void> {
  await transaction(app, async (inner) => {
    // "Not the last one" is a rule about several rows: of two who unlink at once the second waits at the row that owns them.
    await holdUser(inner, userId)
    const accounts = await listAccounts(inner, userId)
    if (accounts.length === 1 && !app.config.account.accountLinking.allowUnlinkingAll) {
      throw new ApiError(errors.YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT)
    }
    const account = accounts.find((candidate) => isMeant(candidate, choice))
    if (!account) throw new ApiError(errors.ACCOUNT_NOT_FOUND)
    await inner.db.deleteFrom('account').where('id', '=', account.id).execute()
  })
}

function isMeant(account: AccountRow, { providerId, accountId }: AccountChoice): boolean {
  if (providerId === undefined) return account.id === accountId
  return account.providerId === providerId && (!accountId || account.accountId === accountId)
}
