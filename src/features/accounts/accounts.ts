import type { Insertable, Selectable } from 'kysely'
import type { App } from '../../core/app.ts'
import { beforeCreate } from '../../core/database-hooks.ts'
import { ApiError } from '../../core/errors.ts'
import type { Database } from '../index.ts'
import { errors } from './errors.ts'

export type AccountRow = Selectable<Database['account']>
export type AccountDraft = Insertable<Database['account']>

const credential = 'credential'

/** The account that holds a user's password; null when the user has none. */
export async function findCredentialAccount(app: App, userId: string): Promise<AccountRow | null> {
  const account = await app.db
    .selectFrom('account')
    .selectAll()
    .where('providerId', '=', credential)
    .where('accountId', '=', userId)
    .executeTakeFirst()
  return account ?? null
}

/**
 * The account of a first password, as it will be inserted. Made before the transaction opens, since a hook may have its say.
 * @param passwordHash a PHC string
 * @throws ApiError FAILED_TO_CREATE_ACCOUNT when the hook refuses
 */
export async function draftCredentialAccount(app: App, userId: string, passwordHash: string): Promise<AccountDraft> {
  const now = app.now()
  const account = { id: app.random.id(), accountId: userId, providerId: credential, userId, password: passwordHash, createdAt: now, updatedAt: now }
  const draft = await beforeCreate(app, 'account', account)
  if (!draft) throw new ApiError(errors.FAILED_TO_CREATE_ACCOUNT)
  return draft
}

export async function insertAccount(app: App, draft: AccountDraft): Promise<void> {
  await app.db.insertInto('account').values(draft).execute()
}

/** Replaces the password, or gives a first one to a user who had none; also when two do so at once. */
export async function setCredentialPassword(app: App, userId: string, passwordHash: string): Promise<void> {
  if (await updatePassword(app, userId, passwordHash)) return
  try {
    await insertAccount(app, await draftCredentialAccount(app, userId, passwordHash))
  } catch (error) {
    if (!app.database.isUniqueViolation(error)) throw error
    await updatePassword(app, userId, passwordHash)
  }
}

async function updatePassword(app: App, userId: string, passwordHash: string): Promise<boolean> {
  const updated = await app.db
    .updateTable('account')
    .set({ password: passwordHash, updatedAt: app.now() })
    .where('providerId', '=', credential)
    .where('accountId', '=', userId)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}
