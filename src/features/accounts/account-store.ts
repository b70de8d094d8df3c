import type { Insertable, Selectable, Updateable } from 'kysely'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { group } from '../../core/config.ts'
import { defineErrors, type ErrorEntry } from '../../core/errors.ts'
import { statement } from '../../core/statement.ts'
import {
  boolean,
  id,
  index,
  internal,
  nullable,
  references,
  secret,
  string,
  text,
  timestamp,
  uniqueIndex,
} from '../../core/table.ts'
import { createId, hookable, insertionsOf, type RowWrite, written } from '../../core/write.ts'
import type { Database } from '../index.ts'

export const tables = {
  account: {
    id: id(),
    accountId: string({ length: 255 }),
    providerId: string({ length: 64 }),
    userId: references('user'),
    issuer: internal(nullable(string({ length: 255 }))),
    accessToken: secret(nullable(text())),
    refreshToken: secret(nullable(text())),
    idToken: secret(nullable(text())),
    accessTokenExpiresAt: nullable(timestamp()),
    refreshTokenExpiresAt: nullable(timestamp()),
    scope: nullable(text()),
    password: secret(nullable(text())),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    mustReplacePassword: internal(boolean({ default: false })),
  },
}

export const indexes = { account: [index('userId', 'providerId'), uniqueIndex('providerId', 'accountId')] }

export const config = {
  ...hookable('account', 'accounts'),
  account: group('Accounts: the sign-in methods of a user', {
    accountLinking: group('Linking several accounts to one user', {
      allowUnlinkingAll: z.boolean().default(false).describe('Allow a user to unlink their last account'),
    }),
  }),
}

export const errors = defineErrors({
  ACCOUNT_NOT_FOUND: [400, 'Account not found'],
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT: [400, "You can't unlink your last account"],
  FAILED_TO_CREATE_ACCOUNT: [400, 'Failed to create account'],
  FAILED_TO_UPDATE_ACCOUNT: [400, 'Failed to update account'],
})

export type AccountRow = Selectable<Database['account']>
export type AccountDraft = Insertable<Database['account']>
export type AccountUpdate = Updateable<Database['account']>

/** The provider ID of an account with a password. */
const credential = 'credential'

export const isSocial = ({ providerId }: Pick<AccountRow, 'providerId'>): boolean => providerId !== credential

const findByProvider = statement(
  { account: 'account' },
  (db, { providerId, accountId }: { providerId: string; accountId: string }) =>
    db.selectFrom('account').where('account.providerId', '=', providerId).where('account.accountId', '=', accountId),
)

/** The account with a user's password; null when the user has none. */
export async function findCredentialAccount(app: App, userId: string): Promise<AccountRow | null> {
  const [found] = await findByProvider(app, { providerId: credential, accountId: userId })
  return found?.account ?? null
}

/** The accounts with the passwords of many users. */
export const findCredentialAccounts = (app: App, userIds: readonly string[]) =>
  app.db
    .selectFrom('account')
    .select(['accountId', 'password', 'mustReplacePassword'])
    .where('providerId', '=', credential)
    .where('accountId', 'in', userIds)
    .execute()

/** An update of the account with a user's password. */
export const updateCredential = ({ db }: App, userId: string) =>
  db.updateTable('account').where('providerId', '=', credential).where('accountId', '=', userId)

/** The accounts of a user, oldest first. */
export const listAccounts = (app: App, userId: string): Promise<AccountRow[]> =>
  app.db.selectFrom('account').selectAll().where('userId', '=', userId).orderBy('createdAt').orderBy('id').execute()

/** The accounts of many users, ordered by provider, so that the order does not depend on when they were created. */
export const listAccountsOf = (app: App, userIds: readonly string[]): Promise<AccountRow[]> =>
  app.db.selectFrom('account').selectAll().where('userId', 'in', userIds).orderBy('providerId').orderBy('accountId').execute()

/** Inserts many accounts in few statements, for an import; no hook is called. @param drafts all with the same columns */
export async function insertAccounts(app: App, drafts: readonly AccountDraft[]): Promise<void> {
  for (const some of insertionsOf(drafts)) await app.db.insertInto('account').values(some).execute()
}

/**
 * The credential account of a user, to create with `write`; its draft goes to `insertAccount`.
 * @param passwordHash a PHC string
 */
export function credentialCreation(app: App, userId: string, passwordHash: string): RowWrite<AccountDraft, ErrorEntry> {
  const now = app.now()
  const draft = {
    id: createId(app, 'account'),
    accountId: userId,
    providerId: credential,
    userId,
    password: passwordHash,
    createdAt: now,
    updatedAt: now,
  }
  return { table: 'account', action: 'create', draft, rejection: errors.FAILED_TO_CREATE_ACCOUNT }
}

/** Inserts an account, within `write`. */
export async function insertAccount(tx: App, draft: AccountDraft): Promise<void> {
  await tx.db.insertInto('account').values(draft).execute()
  await written(tx, 'account', 'create', draft)
}
