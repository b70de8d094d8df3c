/** Locks accounts and opens them: what ends, who may open them, and the emails about it. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import type { UserRow } from '../../core/request.ts'
import { countRows } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import type { PasswordEvent } from '../accounts/index.ts'
import { type Authority, errors as adminErrors, lockForChange } from '../admin/index.ts'
import { recordEvent } from '../audit/index.ts'
import { canSend, sendMail } from '../outbox/index.ts'
import { canSendReset } from '../password-reset/index.ts'
import { lockedAccount, revokeSessions } from '../sessions/index.ts'
import { describeUser, findUserById, lockUser, updateUser } from '../users/index.ts'
import { deleteForeignLinks, findNoticeAddresses, type LockLink, useLockLink } from './lock-links.ts'
import { mails } from './mails.ts'
import { type EndedByLock, errors, type PendingCounts } from './model.ts'

type LockedUser = Pick<UserRow, 'email' | 'lockedAt' | 'lockEmail'>

/** Rejects a locked user. @throws ApiError ACCOUNT_LOCKED */
export function rejectLocked(_: App, { lockedAt }: UserRow): void {
  if (lockedAt) throw new ApiError(lockedAccount())
}

const completed = (counts: Partial<PendingCounts>): PendingCounts => ({
  apiKeys: 0,
  linksAndCodes: 0,
  linkedAccounts: 0,
  trustedBrowsers: 0,
  ...counts,
})

/** What a lock would end now. */
export async function previewLock(app: App, userId: string): Promise<EndedByLock> {
  const live = app.db.selectFrom('session').where('userId', '=', userId).where('expiresAt', '>', app.now())
  const counts = await emit(app, 'account.locking', { userId, isPreview: true })
  return { sessions: await countRows(live), ...completed(counts) }
}

/**
 * Whether a password reset by email opens the account: its current email address is that whose owner locked it. After a change by a thief
 * it is not, and the reset would be theirs.
 */
export const opensByReset = (app: App, { email, lockEmail }: Pick<LockedUser, 'email' | 'lockEmail'>): boolean =>
  lockEmail === email && app.config.emailAndPassword.enabled && (canSendReset(app) || app.config.emailOTP.enabled)

interface Lock {
  readonly by: 'link' | 'administrator' | 'operator'
  /** Whose owner may open the account; null: administrators and operators only. */
  readonly email: string | null
  readonly reason: string | null
}

export interface Locked {
  readonly user: UserRow
  readonly ended: EndedByLock
  readonly opensByReset: boolean
}

/**
 * Locks an account, in a transaction: ends what signs in to it, rejects sign-ins in progress, and notifies its addresses. A second lock
 * by another address leaves the account to administrators: one of the two is a thief.
 * @returns null when there is no such user
 */
async function applyLock(tx: App, userId: string, { by, email, reason }: Lock): Promise<Locked | null> {
  const former = (await lockUser(tx, userId)) ? await findUserById(tx, userId) : null
  if (!former) return null
  const addresses = await findNoticeAddresses(tx, userId)
  const lockEmail = former.lockedAt === null || former.lockEmail === email ? email : null
  const columns = { lockedAt: former.lockedAt ?? tx.now(), lockEmail, lockReason: reason, updatedAt: tx.now() }
  const user = await updateUser(tx, userId, columns)
  if (!user) return null
  const counts = completed(await emit(tx, 'account.locking', { userId, isPreview: false }))
  const ended = { sessions: await revokeSessions(tx, { userId }, { recordedAs: 'none' }), ...counts }
  const opens = opensByReset(tx, user)
  const details = { by, ...(reason !== null && { reason }), opensByReset: opens, ...ended }
  await recordEvent(tx, { action: 'user.locked', target: { type: 'user', id: userId }, details })
  await notifyOfLock(tx, user, [...addresses, ...(email === null ? [] : [email])], { ended, opens })
  return { user, ended, opensByReset: opens }
}

async function notifyOfLock(
  tx: App,
  user: UserRow,
  given: readonly string[],
  { ended, opens }: { readonly ended: EndedByLock; readonly opens: boolean },
): Promise<void> {
  if (!canSend(tx, mails['account-locked'])) return
  const addresses = new Set([...(user.emailVerified ? [user.email] : []), ...given])
  const notice = { user: describeUser(tx, user), ...ended }
  // Of the other addresses one may be a thief's: only the owner of this one can open the account.
  for (const email of addresses)
    await sendMail(tx, mails['account-locked'], { ...user, email }, { ...notice, opensByReset: opens && email === user.email })
}

/** Locks the account of a link. @throws ApiError INVALID_TOKEN when it was used since it was found */
export const lockByLink = (app: App, link: LockLink): Promise<Locked | null> =>
  transaction(app, async (tx) => {
    await lockUser(tx, link.userId)
    await useLockLink(tx, link)
    return applyLock(tx, link.userId, { by: 'link', email: link.email, reason: null })
  })

const locksBy = (administrator: UserRow | null): Authority => ({
  administrator,
  required: { user: ['lock'] },
  refusal: errors.YOU_ARE_NOT_ALLOWED_TO_LOCK_USERS,
})

interface StaffLock {
  readonly userId: string
  /** Kept in the audit log. */
  readonly reason?: string | undefined
  /** The owner still has the present email address, so that a password reset may open the account. */
  readonly allowReset?: boolean | undefined
}

/**
 * Locks an account on behalf of an administrator or operator.
 * @param administrator null: an operator
 * @throws ApiError USER_NOT_FOUND, YOU_CANNOT_LOCK_YOURSELF, YOU_ARE_NOT_ALLOWED_TO_LOCK_USERS
 */
export function lockAccount(app: App, administrator: UserRow | null, { userId, reason, allowReset }: StaffLock): Promise<Locked> {
  if (userId === administrator?.id) throw new ApiError(errors.YOU_CANNOT_LOCK_YOURSELF)
  return transaction(app, async (tx) => {
    const target = await lockForChange(tx, locksBy(administrator), userId)
    const by = administrator ? 'administrator' : 'operator'
    const email = target && allowReset ? target.email : null
    const locked = target && (await applyLock(tx, userId, { by, email, reason: reason?.trim() || null }))
    if (!locked) throw new ApiError(adminErrors.USER_NOT_FOUND)
    return locked
  })
}

const noLock = { lockedAt: null, lockReason: null, lockEmail: null }

async function open(tx: App, { id, lockedAt }: UserRow, details: Readonly<Record<string, unknown>>): Promise<UserRow | null> {
  await lockUser(tx, id)
  const user = await updateUser(tx, id, { ...noLock, updatedAt: tx.now() })
  if (!user) return null
  await recordEvent(tx, { action: 'user.unlocked', target: { type: 'user', id }, details: { ...details, lockedAt } })
  if (user.emailVerified) await sendMail(tx, mails['account-unlocked'], user, { user: describeUser(tx, user) })
  return user
}

/**
 * Opens a locked account on behalf of an administrator or operator. Its password must be replaced at the next sign-in.
 * @param administrator null: an operator
 * @throws ApiError USER_NOT_FOUND, YOU_ARE_NOT_ALLOWED_TO_LOCK_USERS
 */
export const unlockAccount = (
  app: App,
  administrator: UserRow | null,
  { userId, reason }: Pick<StaffLock, 'userId' | 'reason'>,
): Promise<UserRow> =>
  transaction(app, async (tx) => {
    const target = await lockForChange(tx, locksBy(administrator), userId)
    if (target && !target.lockedAt) return target
    const given = reason?.trim()
    const details = { by: administrator ? 'administrator' : 'operator', ...(given && { reason: given }) }
    const user = target && (await open(tx, target, details))
    if (!user) throw new ApiError(adminErrors.USER_NOT_FOUND)
    await deleteForeignLinks(tx, user)
    return user
  })

/**
 * Opens a locked account whose owner has reset the password by email, in its transaction. Any other new password of a locked account is
 * rejected, so that a thief does not set one that works once an administrator opens the account.
 * @throws ApiError ACCOUNT_LOCKED
 */
export async function openByReset(tx: App, { userId, by, provenEmail }: PasswordEvent): Promise<void> {
  const user = await findUserById(tx, userId)
  if (!user?.lockedAt || by === 'administrator' || by === 'operator') return
  if (provenEmail === undefined || provenEmail !== user.email || !opensByReset(tx, user)) throw new ApiError(lockedAccount())
  await open(tx, user, { by: 'reset' })
}
