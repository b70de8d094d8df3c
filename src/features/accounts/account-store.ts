import type { Insertable, Selectable, Updateable } from 'kysely'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { group } from '../../core/config.ts'
import { defineErrors, type ErrorEntry } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
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
import { createId, hookable, type RowWrite, write, written } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import type { Database } from '../index.ts'
import type { NewSession } from '../sessions/index.ts'
import { lockUser } from '../users/index.ts'

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

/** The accounts of a user, oldest first. */
export const listAccounts = (app: App, userId: string): Promise<AccountRow[]> =>
  app.db.selectFrom('account').selectAll().where('userId', '=', userId).orderBy('createdAt').orderBy('id').execute()

/** The accounts of many users, ordered by provider, so that the order does not depend on when they were created. */
export const listAccountsOf = (app: App, userIds: readonly string[]): Promise<AccountRow[]> =>
  app.db.selectFrom('account').selectAll().where('userId', 'in', userIds).orderBy('providerId').orderBy('accountId').execute()

/** Inserts many accounts in one statement, for an import; no hook is called. @param drafts all with the same columns */
export async function insertAccounts(app: App, drafts: readonly AccountDraft[]): Promise<void> {
  await app.db.insertInto('account').values(drafts).execute()
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

interface PasswordChange {
  /** A PHC string. */
  readonly passwordHash: string
  /**
   * The stored hash that must still be current; null: the user has no password. Default: any. Without this check, the second of two
   * requests that verified the same password would replace a newer password that it has not verified.
   */
  readonly replacing?: string | null
  /** The event for the audit log; default: `password.changed`. */
  readonly recordedAs?: 'password.changed' | 'password.reset' | 'password.set'
  /** When the session that changes it was authenticated; absent: no session does. */
  readonly sessionSince?: Date | undefined
  /** A session that `inTransaction` inserts. */
  readonly session?: NewSession | undefined
  /**
   * Runs in the same transaction, after the password is written; an error rolls back both.
   * @param draft of `session`, as its hook leaves it
   */
  readonly inTransaction?: (app: App, draft: SessionDraft | undefined) => Promise<unknown>
}
type SessionDraft = NewSession['creation']['draft']

/**
 * Sets a new password, or a first one.
 * @returns false when nothing was written: `replacing` is no longer current, or the user was deleted
 * @throws ApiError FAILED_TO_UPDATE_ACCOUNT, FAILED_TO_CREATE_ACCOUNT when a hook rejects the write
 */
export async function changePassword(app: App, userId: string, change: PasswordChange): Promise<boolean> {
  const account = await findCredentialAccount(app, userId)
  const session = change.session ? [change.session.creation] : []
  try {
    // Only one of the two drafts exists, by the account that was found.
    if (account) {
      const writes = [passwordUpdate(app, change), ...session] as const
      await write(app, writes, (tx, draft, ...drafts) => replacePassword(tx, account, draft, change, drafts))
    } else {
      const writes = [credentialCreation(app, userId, change.passwordHash), ...session] as const
      await write(app, writes, (tx, draft, ...drafts) => addPassword(tx, draft, change, drafts))
    }
    return true
  } catch (error) {
    if (error === superseded || (!account && app.database.isUniqueViolation(error))) return false
    throw error
  }
}

/** Rolls back a change whose expected hash is no longer current. */
const superseded = new Error('The password is no longer the one to replace')

const passwordUpdate = (app: App, { passwordHash }: PasswordChange): RowWrite<AccountUpdate, ErrorEntry> => ({
  table: 'account',
  action: 'update',
  draft: { password: passwordHash, updatedAt: app.now() },
  rejection: errors.FAILED_TO_UPDATE_ACCOUNT,
})

async function replacePassword(
  tx: App,
  account: AccountRow,
  draft: AccountUpdate,
  change: PasswordChange,
  drafts: readonly SessionDraft[],
): Promise<void> {
  await lockOwner(tx, account.userId)
  if (!(await updatePassword(tx, account.userId, draft, change))) throw superseded
  await finish(tx, account.userId, change, drafts)
  await written(tx, 'account', 'update', { ...account, ...draft })
}

async function addPassword(tx: App, draft: AccountDraft, change: PasswordChange, drafts: readonly SessionDraft[]): Promise<void> {
  await lockOwner(tx, draft.userId)
  // A concurrent request may have added the account after it was looked up.
  if (!(await updatePassword(tx, draft.userId, { password: draft.password, updatedAt: draft.updatedAt }, change))) {
    if (typeof change.replacing === 'string') throw superseded
    await insertAccount(tx, draft)
  }
  await finish(tx, draft.userId, change, drafts)
}

const updateCredential = ({ db }: App, userId: string) =>
  db.updateTable('account').where('providerId', '=', credential).where('accountId', '=', userId)

async function updatePassword(tx: App, userId: string, draft: AccountUpdate, { replacing }: PasswordChange): Promise<boolean> {
  const update = updateCredential(tx, userId).set({ ...draft, mustReplacePassword: false })
  // A password that must be replaced is no proof: the owner of the email address may have taken the account over in between.
  const verified = update.where('password', '=', replacing ?? '').where('mustReplacePassword', '=', false)
  const current = replacing === null ? update.where('password', 'is', null) : verified
  const updated = await (replacing === undefined ? update : current).executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** Call it first in a transaction: every write for a user locks the user's row before any other row. */
async function lockOwner(tx: App, userId: string): Promise<void> {
  if (!(await lockUser(tx, userId))) throw superseded
}

async function finish(
  tx: App,
  userId: string,
  { inTransaction, sessionSince, recordedAs = 'password.changed' }: PasswordChange,
  [session]: readonly SessionDraft[],
): Promise<void> {
  await inTransaction?.(tx, session)
  await emit(tx, 'password.changed', { userId, sessionSince })
  await recordEvent(tx, { action: recordedAs, target: { type: 'user', id: userId } })
}

export type AccountUpdate = Updateable<Database['account']>

/** Rejects the present password at sign-in until it is changed; within a transaction that has locked the user. */
export async function requireNewPassword(tx: App, userId: string): Promise<void> {
  const required = updateCredential(tx, userId).set({ mustReplacePassword: true }).where('password', 'is not', null)
  if ((await required.executeTakeFirst()).numUpdatedRows > 0n)
    await recordEvent(tx, { action: 'password.replacement-required', target: { type: 'user', id: userId } })
}

/**
 * Stores a new hash of the same password, unless the password was changed. Neither hooks nor listeners are called, because the
 * password does not change.
 * @param stored the hash to replace
 */
export async function replacePasswordHash(app: App, userId: string, stored: string, passwordHash: string): Promise<void> {
  await updateCredential(app, userId).set({ password: passwordHash }).where('password', '=', stored).execute()
}
