import type { App } from '../../core/app.ts'
import { type AccountRow, listAccountsOf } from '../accounts/index.ts'
import { describeUserRecord, streamUserPages } from '../users/index.ts'

export interface ExportOptions {
  /** Whether whoever reads it may try passwords. */
  readonly withPasswordHashes: boolean
}

/**
 * Everybody as `importUsers` reads it, some at a time. Tokens of providers are never among it. It is no picture of one moment:
 * who comes or changes meanwhile may be in it or not.
 */
export async function* exportUsers(app: App, options: ExportOptions): AsyncGenerator<object[], void, undefined> {
  for await (const users of streamUserPages(app)) {
    const accounts = await listAccountsOf(
      app,
      users.map(({ id }) => id),
    )
    const byUser = Map.groupBy(accounts, ({ userId }) => userId)
    yield users.map((user) => ({
      user: describeUserRecord(app, user),
      accounts: (byUser.get(user.id) ?? []).map((account) => describe(account, options)),
    }))
  }
}

function describe(account: AccountRow, { withPasswordHashes }: ExportOptions): object {
  const { providerId, accountId, scope, password, createdAt, updatedAt } = account
  return { providerId, accountId, scope, createdAt, updatedAt, ...(withPasswordHashes && password !== null && { password }) }
}
