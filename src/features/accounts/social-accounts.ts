/** Accounts at providers: one row for each that is linked to a user. */
import type { App } from '../../core/app.ts'
import type { ErrorEntry } from '../../core/errors.ts'
import { countRows, statement } from '../../core/statement.ts'
import { createId, type RowWrite, written } from '../../core/write.ts'
import { type AuditEvent, recordEvents } from '../audit/index.ts'
import { type AccountDraft, type AccountRow, type AccountUpdate, errors, isSocial } from './account-store.ts'

const findWithUser = statement(
  { account: 'account', user: 'user' },
  (db, { providerId, accountId }: { providerId: string; accountId: string }) =>
    db
      .selectFrom('account')
      .innerJoin('user', 'user.id', 'account.userId')
      .where('account.providerId', '=', providerId)
      .where('account.accountId', '=', accountId),
)

/** A social account and its user, read at the same moment: the user's `accessRevision` then also proves that it is still linked. */
export async function findSocialAccount(app: App, providerId: string, accountId: string) {
  const [found] = await findWithUser(app, { providerId, accountId })
  return found ?? null
}

/**
 * Deletes the tokens with which Latchkey calls the providers of a user's accounts. A later sign-in stores new ones.
 * @param isPreview only counts the accounts
 * @returns how many accounts have tokens
 */
export async function discardProviderTokens({ db, now }: App, userId: string, isPreview: boolean): Promise<number> {
  const names = ['accessToken', 'refreshToken', 'idToken'] as const
  const own = db.selectFrom('account').where('userId', '=', userId)
  const count = await countRows(own.where((eb) => eb.or(names.map((name) => eb(name, 'is not', null)))))
  const none = { accessToken: null, refreshToken: null, idToken: null, accessTokenExpiresAt: null, refreshTokenExpiresAt: null }
  if (!isPreview && count > 0)
    await db
      .updateTable('account')
      .set({ ...none, updatedAt: now() })
      .where('userId', '=', userId)
      .execute()
  return count
}

/** A social account to create, for `write`; its draft goes to `insertAccount`. */
export function socialAccountCreation(
  app: App,
  columns: Omit<AccountDraft, 'id' | 'createdAt' | 'updatedAt'>,
): RowWrite<AccountDraft, ErrorEntry> {
  const now = app.now()
  const draft = { ...columns, id: createId(app, 'account'), createdAt: now, updatedAt: now }
  return { table: 'account', action: 'create', draft, rejection: errors.FAILED_TO_CREATE_ACCOUNT }
}

/** Columns of an account to update, for `write`; its draft goes to `updateAccount`. */
export const accountUpdate = (app: App, columns: AccountUpdate): RowWrite<AccountUpdate, ErrorEntry> => ({
  table: 'account',
  action: 'update',
  draft: { ...columns, updatedAt: app.now() },
  rejection: errors.FAILED_TO_UPDATE_ACCOUNT,
})

/** Updates an account, within `write`. @returns false when it was unlinked */
export async function updateAccount(tx: App, account: AccountRow, draft: AccountUpdate): Promise<boolean> {
  const updated = await tx.db.updateTable('account').set(draft).where('id', '=', account.id).executeTakeFirst()
  if (updated.numUpdatedRows === 0n) return false
  await written(tx, 'account', 'update', { ...account, ...draft })
  return true
}

/** The scopes that the provider granted. */
export const scopesOf = ({ scope }: Pick<AccountRow, 'scope'>): string[] => (scope ? scope.split(',') : [])

type AccountOwner = Pick<AccountRow, 'id' | 'providerId' | 'userId'>

const eventOf = (action: AuditEvent['action'], { id, providerId, userId }: AccountOwner): AuditEvent => ({
  ...{ action, target: { type: 'account', id }, userId },
  details: { providerId },
})
export const linked = (account: AccountOwner): AuditEvent => eventOf('account.linked', account)
export const unlinked = (account: AccountOwner): AuditEvent => eventOf('account.unlinked', account)

/** Deletes the social accounts of a user, within a transaction that has locked the user. */
export async function deleteSocialAccounts(tx: App, userId: string): Promise<void> {
  const owned = await tx.db.selectFrom('account').select(['id', 'providerId']).where('userId', '=', userId).execute()
  const social = owned.filter(isSocial)
  if (social.length === 0) return
  const ids = social.map(({ id }) => id)
  await tx.db.deleteFrom('account').where('id', 'in', ids).execute()
  await recordEvents(
    tx,
    social.map((account) => unlinked({ ...account, userId })),
  )
}
