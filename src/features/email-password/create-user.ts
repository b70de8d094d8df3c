import type { App } from '../../core/app.ts'
import { afterCreate } from '../../core/database-hooks.ts'
import type { UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { draftCredentialAccount, insertAccount } from '../accounts/index.ts'
import { draftUser, insertUser, type NewUser } from '../users/index.ts'

/**
 * A user with the account that holds the password, both or neither.
 * @param passwordHash a PHC string
 * @param also what else belongs to it, in the same transaction
 * @throws ApiError USER_ALREADY_EXISTS, FAILED_TO_CREATE_USER, FAILED_TO_CREATE_ACCOUNT
 */
export async function createUserWithPassword(
  app: App,
  given: NewUser,
  passwordHash: string,
  also: (app: App, user: UserRow) => Promise<void> = async () => {},
): Promise<UserRow> {
  const draft = await draftUser(app, given)
  const account = await draftCredentialAccount(app, draft.id, passwordHash)
  const user = await transaction(app, async (inner) => {
    const inserted = await insertUser(inner, draft)
    await insertAccount(inner, account)
    await also(inner, inserted)
    return inserted
  })
  await afterCreate(app, 'user', user)
  await afterCreate(app, 'account', account)
  return user
}
