/** The tokens and codes of a user that wait to be used: what a lock of the account ends. */
import type { App } from '../../core/app.ts'
import { countRows } from '../../core/statement.ts'
import { deleteCodes } from './code-store.ts'
import { ownPurposes } from './token-purposes.ts'
import { deleteVerifications } from './token-store.ts'

/** Deletes them, of every purpose. @param isPreview only counts them @returns how many are usable */
export async function endPendingAccess(app: App, userId: string, isPreview: boolean): Promise<number> {
  const { db, now } = app
  const subjects = ownPurposes.map((purpose) => `${purpose}:${userId}`)
  const tokens = db.selectFrom('verification').where('subject', 'in', subjects).where('expiresAt', '>', now())
  const codes = db.selectFrom('oneTimeCode').where('value', '=', userId).where('expiresAt', '>', now())
  const count = (await countRows(tokens)) + (await countRows(codes))
  if (!isPreview) {
    await deleteVerifications(app, ownPurposes, userId)
    await deleteCodes(app, { userId })
  }
  return count
}
