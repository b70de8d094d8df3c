/** Writes a new password, and what belongs to it: sessions and credentials of programs that end with it, the event, the record. */
import type { App } from '../../core/app.ts'
import type { ErrorEntry } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import { type RowWrite, write, written } from '../../core/write.ts'
import { type AuditEvent, recordEvent } from '../audit/index.ts'
import type { NewSession } from '../sessions/index.ts'
import { lockUser } from '../users/index.ts'
import {
  type AccountDraft,
  type AccountRow,
  type AccountUpdate,
  credentialCreation,
  errors,
  findCredentialAccount,
  insertAccount,
  updateCredential,
} from './account-store.ts'

/**
 * What sets a password. `session`: the user, who gives the former one. `code`: of a text message. `operator`: at the command line, or
 * by `seed`.
 */
export type PasswordSource = 'session' | 'reset-link' | 'setup-link' | 'verification-link' | 'code' | 'administrator' | 'operator'

/** How many of them a new password has ended. */
export interface EndedAccess {
  readonly sessions: number
  readonly apiKeys: number
}

/** See `events`. */
export interface PasswordEvent {
  readonly userId: string
  readonly by: PasswordSource
  /** What ended with the former password, in the same transaction. */
  readonly ended: EndedAccess
  /** The API keys that the user still has. */
  readonly apiKeysLeft: number
  /** Since when the session that sets it has been authenticated; absent: no session does. */
  readonly sessionSince?: Date | undefined
  /** See `PasswordChange`. */
  readonly provenEmail?: string | undefined
}

interface PasswordChange {
  /** A PHC string. */
  readonly passwordHash: string
  /**
   * The stored hash that must still be current. Default: any. Without this check, the second of two requests that verified the same
   * password would replace a newer password that it has not verified.
   */
  readonly replacing?: string
  readonly by: PasswordSource
  /**
   * The user may be recovering the account from a thief: API keys and one-time tokens end too, unless the configuration keeps them.
   * Default: false.
   */
  readonly isRecovery?: boolean
  /** The email address to which the link or code of a reset was sent; absent: nothing was sent by email. */
  readonly provenEmail?: string
  /** When the session that changes it was authenticated; absent: no session does. */
  readonly sessionSince?: Date | undefined
  /** A session that `inTransaction` inserts. */
  readonly session?: NewSession | undefined
  /**
   * Runs in the same transaction, after the password is written; an error rolls back both.
   * @param draft of `session`, as its hook leaves it
   * @returns what it has ended
   */
  readonly inTransaction?: (app: App, draft: SessionDraft | undefined) => Promise<Partial<EndedAccess>>
}
type SessionDraft = NewSession['creation']['draft']

/**
 * Sets a new password, or a first one.
 * @returns what ended with it; null when nothing was written: `replacing` is no longer current, or the user was deleted
 * @throws ApiError FAILED_TO_UPDATE_ACCOUNT, FAILED_TO_CREATE_ACCOUNT when a hook rejects the write
 */
export async function changePassword(app: App, userId: string, change: PasswordChange): Promise<EndedAccess | null> {
  const account = await findCredentialAccount(app, userId)
  const session = change.session ? [change.session.creation] : []
  try {
    // Only one of the two drafts exists, by the account that was found.
    if (account) {
      const writes = [passwordUpdate(app, change), ...session] as const
      return await write(app, writes, (tx, draft, ...drafts) => replacePassword(tx, account, draft, change, drafts))
    }
    const writes = [credentialCreation(app, userId, change.passwordHash), ...session] as const
    return await write(app, writes, (tx, draft, ...drafts) => addPassword(tx, draft, change, drafts))
  } catch (error) {
    if (error === superseded || (!account && app.database.isUniqueViolation(error))) return null
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
): Promise<EndedAccess> {
  await lockOwner(tx, account.userId)
  if (!(await updatePassword(tx, account.userId, draft, change))) throw superseded
  const ended = await finish(tx, account.userId, change, drafts)
  await written(tx, 'account', 'update', { ...account, ...draft })
  return ended
}

async function addPassword(
  tx: App,
  draft: AccountDraft,
  change: PasswordChange,
  drafts: readonly SessionDraft[],
): Promise<EndedAccess> {
  await lockOwner(tx, draft.userId)
  // A concurrent request may have added the account after it was looked up.
  if (!(await updatePassword(tx, draft.userId, { password: draft.password, updatedAt: draft.updatedAt }, change))) {
    if (change.replacing !== undefined) throw superseded
    await insertAccount(tx, draft)
  }
  return finish(tx, draft.userId, change, drafts)
}

async function updatePassword(tx: App, userId: string, draft: AccountUpdate, { replacing }: PasswordChange): Promise<boolean> {
  const update = updateCredential(tx, userId).set({ ...draft, mustReplacePassword: false })
  // A password that must be replaced is not a proof: the owner of the email address may have taken the account over in between.
  const verified = update.where('password', '=', replacing ?? '').where('mustReplacePassword', '=', false)
  const updated = await (replacing === undefined ? update : verified).executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** Call it first in a transaction: every write for a user locks the user's row before any other row. */
async function lockOwner(tx: App, userId: string): Promise<void> {
  if (!(await lockUser(tx, userId))) throw superseded
}

const actions = {
  ...{ session: 'password.changed', 'reset-link': 'password.reset', code: 'password.reset', 'setup-link': 'password.set' },
  ...{ 'verification-link': 'password.set', administrator: 'password.set', operator: 'password.set' },
} as const satisfies Readonly<Record<PasswordSource, AuditEvent['action']>>

async function finish(
  tx: App,
  userId: string,
  { inTransaction, by, isRecovery = false, sessionSince, provenEmail }: PasswordChange,
  [session]: readonly SessionDraft[],
): Promise<EndedAccess> {
  const before = (await inTransaction?.(tx, session)) ?? {}
  const { apiKeysEnded = 0, apiKeysLeft = 0 } = await emit(tx, 'password.changing', { userId, isRecovery })
  const ended = { sessions: before.sessions ?? 0, apiKeys: (before.apiKeys ?? 0) + apiKeysEnded }
  await passwordSet(tx, { userId, by, ended, apiKeysLeft, sessionSince, provenEmail })
  return ended
}

/** Emits the event of a password that was written, and records it. */
export async function passwordSet(tx: App, event: PasswordEvent): Promise<void> {
  await emit(tx, 'password.changed', event)
  await recordEvent(tx, { action: actions[event.by], target: { type: 'user', id: event.userId } })
}

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
