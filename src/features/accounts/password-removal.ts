/** Ends a password that another person than the owner of the email address may have set (contract 01 §4). */
import type { App } from '../../core/app.ts'
import { emit } from '../../core/events.ts'
import { type AuditEvent, recordEvent } from '../audit/index.ts'
import { type AccountDraft, insertAccount } from './account-store.ts'
import { type EndedAccess, passwordSet } from './new-password.ts'

export const passwordRemoved = (userId: string, details: AuditEvent['details'] = {}): AuditEvent => ({
  action: 'password.removed',
  target: { type: 'user', id: userId },
  details,
})

/** @returns whether the user had a password */
async function deleteCredential({ db }: App, userId: string): Promise<boolean> {
  const owned = db.deleteFrom('account').where('providerId', '=', 'credential').where('accountId', '=', userId)
  return (await owned.executeTakeFirst()).numDeletedRows > 0n
}

/**
 * Removes the password of a user, as if they had never had one; within a transaction that has locked the user. An email says why.
 * @param isAnnounced the code that calls it sends an email of its own
 * @returns whether there was one
 */
export async function removePassword(tx: App, userId: string, isAnnounced = false): Promise<boolean> {
  if (!(await deleteCredential(tx, userId))) return false
  await recordEvent(tx, passwordRemoved(userId))
  await emit(tx, 'password.removed', { userId, isAnnounced })
  return true
}

/**
 * Inserts the draft of `credentialCreation` in place of a former password; within `write`, with the user locked.
 * @param ended what ended before, in the same transaction
 */
export async function replaceCredential(tx: App, draft: AccountDraft, ended: EndedAccess): Promise<void> {
  const { userId } = draft
  await deleteCredential(tx, userId)
  await insertAccount(tx, draft)
  await passwordSet(tx, { userId, by: 'verification-link', ended, apiKeysLeft: 0 })
}
