import type { Insertable, Selectable } from 'kysely'
import type { App } from '../../core/app.ts'
import { beforeCreate } from '../../core/database-hooks.ts'
import { ApiError } from '../../core/errors.ts'
import { createId } from '../../core/ids.ts'
import { statement } from '../../core/statement.ts'
import type { Database } from '../index.ts'
import { errors } from './errors.ts'

export type AccountRow = Selectable<Database['account']>
export type AccountDraft = Insertable<Database['account']>

const credential = 'credential'

const findByProvider = statement(
  { account: 'account' },
  (db, { providerId, accountId }: { providerId: string; accountId: string }) =>
    db.selectFrom('account').where('account.providerId', '=', providerId).where('account.accountId', '=', accountId),
)

/** The account that holds a user's password; null when the user has none. */
export async function findCredentialAccount(app: App, userId: string): Promise<AccountRow | null> {
  const [found] = await findByProvider(app, { providerId: credential, accountId: userId })
  return found?.account ?? null
}

/** Every way in which a user can sign in, oldest first. */
export const listAccounts = (app: App, userId: string): Promise<AccountRow[]> =>
  app.db.selectFrom('account').selectAll().where('userId', '=', userId).orderBy('createdAt').orderBy('id').execute()

/** Those of many users, in an order that does not depend on when they came. */
export const listAccountsOf = (app: App, userIds: readonly string[]): Promise<AccountRow[]> =>
  app.db.selectFrom('account').selectAll().where('userId', 'in', userIds).orderBy('providerId').orderBy('accountId').execute()

/** Many in one statement, for moving in. @param drafts all with the same columns */
export async function insertAccounts(app: App, drafts: readonly AccountDraft[]): Promise<void> {
  await app.db.insertInto('account').values(drafts).execute()
}

/**
 * The account of a first password, as it will be inserted. Made before the transaction opens, since a hook may have its say.
 * @param passwordHash a PHC string
 * @throws ApiError FAILED_TO_CREATE_ACCOUNT when the hook refuses
 */
export async function draftCredentialAccount(app: App, userId: string, passwordHash: string): Promise<AccountDraft> {
  const now = app.now()
  const account = {
    id: createId(app, 'account'),
    accountId: userId,
    providerId: credential,
    userId,
    password: passwordHash,
    createdAt: now,
    updatedAt: now,
  }
  const draft = await beforeCreate(app, 'account', account)
  if (!draft) throw new ApiError(errors.FAILED_TO_CREATE_ACCOUNT)
  return draft
}

export async function insertAccount(app: App, draft: AccountDraft): Promise<void> {
  await app.db.insertInto('account').values(draft).execute()
}
