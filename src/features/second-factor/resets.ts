/** How a reset of second factors takes effect: immediately, or by a job when its time has come (contract 11 §12). */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { Job } from '../../core/feature.ts'
import type { UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import { canSend } from '../outbox/index.ts'
import { revokeSessions } from '../sessions/index.ts'
import { findUserById, holdUser, lockUser, updateUserFields } from '../users/index.ts'
import { deleteBackupCodes, hasBackupCodes } from './backup-codes.ts'
import { endChallenges, withoutPending } from './enabling.ts'
import { type Kind, kindsOf, without } from './enrolment.ts'
import { otherFactor } from './methods.ts'
import { errors, findFactors, hasSecondFactor, writeFactors } from './model.ts'
import {
  cancelKeyOf,
  insertReset,
  noticeOf,
  orderOf,
  type ResetFactor,
  type ResetOrder,
  type ResetRow,
  resettable,
  sendNotice,
  textNotice,
  tokenOf,
} from './pending-resets.ts'
import { resetMails } from './reset-mail.ts'
import { endTrust } from './trusted-devices.ts'

/** Unless others are named. */
export const usuallyReset: readonly ResetFactor[] = resettable.filter((factor) => factor !== 'passkeys')

export interface FactorReset {
  readonly factors: readonly ResetFactor[]
  /** Whether sign-ins still demand a second factor. */
  readonly enabled: boolean
  readonly sessionsRevoked: number
}

const kindOf = (factor: ResetFactor): Kind | null =>
  factor === 'backup-codes' ? null : factor === 'passkeys' ? 'passkey' : factor

/** What a user has that can be reset. */
async function findResettable(app: App, userId: string): Promise<ResetFactor[]> {
  const hasCodes = await hasBackupCodes(app, userId)
  const kinds = kindsOf(await findFactors(app, userId))
  const passkeys = (await otherFactor(app, 'passkey')?.count(app, userId)) ?? 0
  return resettable.filter((factor) => {
    if (factor === 'backup-codes') return hasCodes
    return (factor === 'passkeys' && passkeys > 0) || kinds.some((kind) => kind === kindOf(factor))
  })
}

/** Of these factors, those that a user has; all of them when none can be read. */
export async function ownedOf(app: App, userId: string, factors: readonly ResetFactor[]): Promise<readonly ResetFactor[]> {
  const owned = (await findResettable(app, userId)).filter((factor) => factors.includes(factor))
  return owned.length > 0 ? owned : factors
}

/** Whether a reset of these factors would change anything. A user whose factors cannot be read may still be asked for one. */
export async function canReset(app: App, user: UserRow, factors: readonly ResetFactor[]): Promise<boolean> {
  if (usuallyReset.every((factor) => factors.includes(factor)) && hasSecondFactor(user)) return true
  return (await findResettable(app, user.id)).some((factor) => factors.includes(factor))
}

/**
 * Ends second factors of a user, in a transaction, with their trusted browsers, pending challenges, sessions, and a reset that waits. With
 * the last factor the backup codes end too.
 * @returns null when there is no such user, or they have none of these factors
 */
async function applyReset(tx: App, userId: string, order: ResetOrder): Promise<FactorReset | null> {
  const user = (await lockUser(tx, userId)) ? await findUserById(tx, userId) : null
  await tx.db.deleteFrom('factorReset').where('userId', '=', userId).execute()
  if (!user || !(await canReset(tx, user, order.factors))) return null
  const owned = await findResettable(tx, userId)
  const chosen = owned.filter((factor) => order.factors.includes(factor))
  const kinds = kindsOf(await findFactors(tx, userId))
  const enabled = kinds.some((kind) => !chosen.some((factor) => kindOf(factor) === kind))
  const ended = owned.filter((factor) => chosen.includes(factor) || (factor === 'backup-codes' && !enabled))
  await endFactorsOf(tx, userId, ended, enabled)
  if (hasSecondFactor(user) !== enabled) await updateUserFields(tx, userId, { twoFactorEnabled: enabled })
  await endTrust(tx, userId, { reason: 'factors-reset' })
  await endChallenges(tx, userId)
  const sessionsRevoked = await revokeSessions(tx, { userId }, { recordedAs: 'none' })
  const { reason, requestedBy, administratorId } = order
  const asked = { requestedBy, ...(administratorId !== null && { administratorId }) }
  const details = { kinds: ended, reason, sessions: sessionsRevoked, ...asked }
  await recordEvent(tx, { action: 'two-factor.reset', target: { type: 'user', id: userId }, details })
  const about = { stage: 'done', order: { ...order, factors: ended }, effectiveAt: tx.now(), token: null } as const
  await sendNotice(tx, user, noticeOf(tx, user, about))
  tx.metrics.count('second_factor_reset', { by: requestedBy, outcome: 'done' })
  return { factors: ended, enabled, sessionsRevoked }
}

async function endFactorsOf(tx: App, userId: string, ended: readonly ResetFactor[], enabled: boolean): Promise<void> {
  if (ended.includes('backup-codes')) await deleteBackupCodes(tx, userId)
  if (ended.includes('passkeys')) await otherFactor(tx, 'passkey')?.removeAll(tx, userId)
  if (enabled && !(await findFactors(tx, userId))) return
  const columns = {
    ...(ended.includes('totp') && without.totp),
    ...(ended.includes('otp') && without.otp),
    ...(ended.includes('passkeys') && without.passkey),
  }
  // An administrator has proven the user, which ends a suspension (contract 11 §6). It stays while the suspended app is not reset.
  const failures = ended.includes('totp') ? { failures: 0, blockedUntil: 0, suspendedAt: null } : {}
  const marked = enabled ? {} : { resetAt: tx.now() }
  await writeFactors(tx, userId, { ...withoutPending, ...columns, ...failures, ...marked })
}

interface ResetOptions extends Omit<ResetOrder, 'factors'> {
  /** Default: all but passkeys. */
  readonly factors?: readonly ResetFactor[]
  /** Hours until it takes effect; 0: it does immediately. */
  readonly hours: number
  /** Of the client that asks; empty: none. */
  readonly networkAddress?: string
  /** In the transaction, before anything changes; throws to reject the reset. */
  readonly check?: (tx: App) => Promise<unknown>
}

export interface ResetResult {
  /** Of those that were named, or are reset by default, those that the user has. */
  readonly factors: readonly ResetFactor[]
  readonly effectiveAt: Date
  /** What has ended; null: the reset waits. */
  readonly reset: FactorReset | null
  /** Whether the user gets an email about it. */
  readonly isNotified: boolean
}

/**
 * Resets second factors of a user who cannot use them any more, now or after a time in which the user can cancel it. Who may do this is
 * decided by the code that calls it.
 * @throws ApiError USER_HAS_NO_SECOND_FACTOR when there is no such user, or they have none of these factors; those of `check`
 */
export async function resetFactors(app: App, userId: string, options: ResetOptions): Promise<ResetResult> {
  const { hours, check, networkAddress = '', factors = usuallyReset, ...by } = options
  const { user, order, ...result } = await transaction(app, async (tx) => {
    await check?.(tx)
    const user = (await holdUser(tx, { id: userId })) ? await findUserById(tx, userId) : null
    if (!user || !(await canReset(tx, user, factors))) throw new ApiError(errors.USER_HAS_NO_SECOND_FACTOR)
    const order = { ...by, factors: await ownedOf(tx, userId, factors) }
    const reset = hours === 0 ? await applyReset(tx, userId, { ...by, factors }) : null
    const effectiveAt = hours === 0 ? tx.now() : await insertReset(tx, user, order, hours)
    return { user, order, reset, effectiveAt }
  })
  const { reset, effectiveAt } = result
  await textNotice(app, user, { stage: reset ? 'done' : 'requested', order, effectiveAt, token: null }, networkAddress)
  const isNotified = user.emailVerified && canSend(app, resetMails['two-factor-reset'])
  return { ...result, factors: order.factors, isNotified }
}

const perRun = 500

/** Announces resets once half of their time is over, and makes those take effect whose time has come. */
export const runResets: Job['run'] = async (app, signal) => {
  const rows = app.db.selectFrom('factorReset').selectAll().limit(perRun)
  const due = await rows.where('effectiveAt', '<=', app.now()).orderBy('effectiveAt').execute()
  for (const row of due) if (!signal.aborted) await takeEffect(app, row)
  const announced = await rows.where('noticeAt', '<=', app.now()).orderBy('noticeAt').execute()
  for (const row of announced) if (!signal.aborted) await announce(app, row)
}

/** The delete decides: of concurrent runs and cancellations one gets the reset. */
const takeEffect = async (app: App, row: ResetRow): Promise<void> => {
  const done = await transaction(app, async (tx) => {
    if (!(await lockUser(tx, row.userId))) return false
    const claimed = await tx.db.deleteFrom('factorReset').where('id', '=', row.id).executeTakeFirst()
    return claimed.numDeletedRows > 0n && (await applyReset(tx, row.userId, orderOf(row))) !== null
  })
  const user = done ? await findUserById(app, row.userId) : null
  if (user) await textNotice(app, user, { stage: 'done', order: orderOf(row), effectiveAt: app.now(), token: null })
}

/** The update decides: the messages are written once. */
const announce = async (app: App, row: ResetRow): Promise<void> => {
  const about = { stage: 'soon', order: orderOf(row), effectiveAt: row.effectiveAt } as const
  const user = await transaction(app, async (tx) => {
    // The same key as before, unless `secret` has been rotated: then the former link ends with this email.
    const token = tokenOf(tx, row.id)
    const claimed = await tx.db
      .updateTable('factorReset')
      .set({ noticeAt: null, cancelKey: cancelKeyOf(tx, token) })
      .where('id', '=', row.id)
      .where('noticeAt', 'is not', null)
      .where('effectiveAt', '>', tx.now())
      .executeTakeFirst()
    if (claimed.numUpdatedRows === 0n) return null
    const owner = await findUserById(tx, row.userId)
    if (owner) await sendNotice(tx, owner, noticeOf(tx, owner, { ...about, token }))
    return owner
  })
  if (user) await textNotice(app, user, { ...about, token: null })
}
