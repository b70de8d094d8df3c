/** Export of users as lines of JSON, in the form of an import. */
import type { App } from '../../core/app.ts'
import { type AccountRow, listAccountsOf } from '../accounts/index.ts'
import { exportPasskeys } from '../passkeys/index.ts'
import { exportFactors } from '../second-factor/index.ts'
import { describeUserRecord, streamUserPages } from '../users/index.ts'

interface ExportOptions {
  /** Readers of the file can then try to crack passwords. */
  readonly withPasswordHashes: boolean
  /** Readers of the file can then answer challenges. */
  readonly withSecondFactors?: boolean
}

/**
 * Yields all users in the form that `importUsers` reads, a page at a time, without provider tokens. This is not a snapshot: users
 * that are created or changed during the export may or may not be included.
 */
export async function* exportUsers(app: App, options: ExportOptions): AsyncGenerator<object[], void, undefined> {
  for await (const users of streamUserPages(app)) {
    const ids = users.map(({ id }) => id)
    const accounts = await listAccountsOf(app, ids)
    const factors = options.withSecondFactors && app.config.twoFactor.enabled ? await exportFactors(app, ids) : null
    const passkeys = app.config.passkey.enabled ? await exportPasskeys(app, ids) : null
    const byUser = Map.groupBy(accounts, ({ userId }) => userId)
    yield users.map((user) => ({
      user: describeUserRecord(app, user),
      accounts: (byUser.get(user.id) ?? []).map((account) => describe(account, options)),
      ...(passkeys?.has(user.id) && { passkeys: passkeys.get(user.id) }),
      ...(user.twoFactorEnabled && factors?.has(user.id) && { secondFactor: factors.get(user.id) }),
    }))
  }
}

function describe(account: AccountRow, { withPasswordHashes }: ExportOptions): object {
  const { providerId, accountId, scope, password, createdAt, updatedAt } = account
  return { providerId, accountId, scope, createdAt, updatedAt, ...(withPasswordHashes && password !== null && { password }) }
}
