import type { Updateable } from 'kysely'
import type { App } from '../../core/app.ts'
import { afterCreate, afterUpdate, beforeUpdate } from '../../core/database-hooks.ts'
import { ApiError } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import { transaction } from '../../core/transaction.ts'
import type { Database } from '../index.ts'
import { holdUser } from '../users/index.ts'
import { type AccountDraft, draftCredentialAccount, findCredentialAccount, insertAccount } from './accounts.ts'
import { errors } from './errors.ts'

interface PasswordChange {
  /** A PHC string. */
  readonly passwordHash: string
  /**
   * The stored password that must still be in force, null for none: of two who have proved the same one, the second has not
   * proved the newer. Left out: whatever is in force.
   */
  readonly replacing?: string | null
  /** False when somebody else sets it for the user; default: true. */
  readonly isOwn?: boolean
  /** What belongs to it, in the same transaction, after the password is written; what it throws undoes both. */
  readonly together?: (app: App) => Promise<unknown>
}

/**
 * Puts a new password in force, or gives a first one; the hooks of the installation are asked, and whoever listens is told.
 * @returns false when nothing was written: `replacing` is no longer in force, or the user is gone
 * @throws ApiError FAILED_TO_UPDATE_ACCOUNT, FAILED_TO_CREATE_ACCOUNT when a hook refuses
 */
export async function changePassword(app: App, userId: string, change: PasswordChange): Promise<boolean> {
  const account = await findCredentialAccount(app, userId)
  const created = account ? null : await draftCredentialAccount(app, userId, change.passwordHash)
  const columns = await draftColumns(app, account !== null, change.passwordHash)
  const isWritten = await wholeOrNot(app, async (inner) => {
    // Held first: everybody who writes for a user takes his row before any other.
    if (!(await holdUser(inner, userId))) return false
    if (
      !(await writePassword(inner, userId, columns, change.replacing)) &&
      !(await addPassword(inner, created, change.replacing))
    )
      return false
    await change.together?.(inner)
    await emit(inner, 'password.changed', { userId, isOwn: change.isOwn ?? true })
    return true
  })
  if (isWritten && account) await afterUpdate(app, 'account', { ...account, ...columns })
  if (isWritten && created) await afterCreate(app, 'account', created)
  return isWritten
}

/** A transaction that leaves nothing when `work` returns false: whoever comes too late has not changed how the user signs in. */
async function wholeOrNot(app: App, work: (app: App) => Promise<boolean>): Promise<boolean> {
  const undone = new Error('Undone')
  try {
    await transaction(app, async (inner) => {
      if (!(await work(inner))) throw undone
    })
    return true
  } catch (error) {
    if (error === undone) return false
    throw error
  }
}

type AccountColumns = Updateable<Database['account']>

async function draftColumns(app: App, isUpdate: boolean, passwordHash: string): Promise<AccountColumns> {
  const columns = { password: passwordHash, updatedAt: app.now() }
  const draft = isUpdate ? await beforeUpdate(app, 'account', columns) : columns
  if (!draft) throw new ApiError(errors.FAILED_TO_UPDATE_ACCOUNT)
  return draft
}

async function writePassword(
  app: App,
  userId: string,
  columns: AccountColumns,
  replacing: string | null | undefined,
): Promise<boolean> {
  const ofUser = app.db.updateTable('account').set(columns).where('providerId', '=', 'credential').where('accountId', '=', userId)
  const inForce = replacing === null ? ofUser.where('password', 'is', null) : ofUser.where('password', '=', replacing ?? '')
  const updated = await (replacing === undefined ? ofUser : inForce).executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** @returns false when there is an account by now, or a password had to be in force */
async function addPassword(app: App, draft: AccountDraft | null, replacing: string | null | undefined): Promise<boolean> {
  if (!draft || typeof replacing === 'string') return false
  try {
    await insertAccount(app, draft)
    return true
  } catch (error) {
    if (app.database.isUniqueViolation(error)) return false
    throw error
  }
}

/**
 * Stores the same password under another hash, unless it was changed meanwhile. Nobody is told: for everybody else nothing has happened.
 * @param stored the hash that it replaces
 */
export async function replacePasswordHash(app: App, userId: string, stored: string, passwordHash: string): Promise<void> {
  await app.db
    .updateTable('account')
    .set({ password: passwordHash })
    .where('providerId', '=', 'credential')
    .where('accountId', '=', userId)
    .where('password', '=', stored)
    .execute()
}
