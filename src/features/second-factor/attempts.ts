/** Wrong codes of a user, over all challenges and networks: they delay further codes, and in the end turn them off (contract 11 §6). */
import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { backoffSteps } from '../attempts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { findUserById, holdUser } from '../users/index.ts'
import { errors, type FactorRow, findFactors, hasSecondFactor, writeFactors } from './model.ts'
import { notify, notifyOfKnownPassword, originOf } from './notices.ts'

/** Consecutive wrong codes after which codes are turned off (NIST SP 800-63B-4 §3.2.2). */
const mostFailures = 100
const firstDelaySeconds = 30
/** Wrong codes that make it likely that another person knows the password. */
export const suspicious = 3

/** Only a caller with a proven first factor gets here, so that no account can be locked from outside. */
export function rejectWhileLocked({ now }: App, { blockedUntil }: Pick<FactorRow, 'blockedUntil'>): void {
  const seconds = Math.ceil((blockedUntil - now().getTime()) / 1000)
  if (seconds <= 0) return
  const headers = { 'retry-after': String(seconds), 'x-retry-after': String(seconds) }
  throw new ApiError(errors.ACCOUNT_TEMPORARILY_LOCKED, { headers })
}

/** Records a wrong code. Of backup codes none is counted: they cannot be guessed, and must stay open to the owner. */
export async function noteWrongCode(ctx: CallContext, user: UserRow, kind: string): Promise<void> {
  Object.assign(ctx.subject, { userId: user.id, hasFailed: true })
  ctx.metrics.count('second_factor', { kind, outcome: 'failed' })
  const target = { type: 'user', id: user.id }
  await recordEvent(ctx, { action: 'two-factor.failed', outcome: 'denied', target, details: { kind } })
}

/**
 * Counts a wrong code.
 * @param kind of the factor, for the audit log
 * @param isChallenge whether it was given at a sign-in
 */
export async function countWrongCode(ctx: CallContext, user: UserRow, kind: string, isChallenge: boolean): Promise<void> {
  await noteWrongCode(ctx, user, kind)
  await transaction(ctx, async (tx) => {
    await ensureCounter(tx, user)
    const failures = await increase(tx, user.id)
    const target = { type: 'user', id: user.id }
    if (isChallenge && failures >= suspicious) await notifyOfKnownPassword(tx, user, originOf(ctx))
    if (failures === tx.config.twoFactor.accountLockout.maxFailedAttempts)
      await recordEvent(tx, { action: 'two-factor.locked', outcome: 'denied', target, details: { failures } })
    if (failures >= mostFailures) await suspend(tx, ctx, user)
  })
}

/** A user who is setting up their first factor has no row yet. */
async function ensureCounter(tx: App, { id }: UserRow): Promise<void> {
  if ((await findFactors(tx, id)) === null && (await holdUser(tx, { id }))) await writeFactors(tx, id, {})
}

function policyOf({ config }: App) {
  const { maxFailedAttempts: failures, durationSeconds: longestDelay } = config.twoFactor.accountLockout
  return { failures, firstDelay: Math.min(firstDelaySeconds, longestDelay), longestDelay }
}

/** @returns consecutive failures; 0 when concurrent ones have caused a delay, in which none count */
async function increase(tx: App, userId: string): Promise<number> {
  const now = tx.now().getTime()
  const next = sql<number>`${sql.ref('failures')} + 1`
  const branches = tx.config.twoFactor.accountLockout.enabled
    ? backoffSteps(policyOf(tx)).map((step) => sql`when ${next} >= ${step.failures} then ${now + step.delay * 1000}`)
    : []
  const updated = await tx.db
    .updateTable('twoFactor')
    // MySQL sets columns one after the other: the count must be read before it is set.
    .set({ blockedUntil: branches.length > 0 ? sql<number>`case ${sql.join(branches, sql` `)} else 0 end` : 0 })
    .set({ failures: next })
    .where('userId', '=', userId)
    .where('blockedUntil', '<=', now)
    .executeTakeFirst()
  if (updated.numUpdatedRows === 0n) return 0
  const row = await tx.db.selectFrom('twoFactor').select('failures').where('userId', '=', userId).executeTakeFirst()
  return row?.failures ?? 0
}

/** The secret of the app ends, and codes are not sent, until another proof: guessing must not go on for years. */
async function suspend(tx: App, ctx: CallContext, user: UserRow): Promise<void> {
  const suspended = await tx.db
    .updateTable('twoFactor')
    .set({ secret: null, verified: false, suspendedAt: tx.now(), updatedAt: tx.now() })
    .where('userId', '=', user.id)
    .where('suspendedAt', 'is', null)
    .executeTakeFirst()
  if (suspended.numUpdatedRows === 0n) return
  await recordEvent(tx, { action: 'two-factor.suspended', outcome: 'denied', target: { type: 'user', id: user.id } })
  await notify(tx, 'two-factor-suspended', user, originOf(ctx))
}

export const endedFailures = { failures: 0, blockedUntil: 0 }

/**
 * The columns of a success, which ends the failures before it.
 * @param isTrusted whether the factor is on no probation: a thief who has added one must not have endless guesses at the codes of the owner
 */
export const succeeded = ({ now }: App, isTrusted = true) => ({ ...(isTrusted && endedFailures), updatedAt: now() })

/**
 * After a proof that cannot be guessed, such as a backup code: codes that are sent work again. An authenticator app must be set up again.
 */
export async function endSuspension(tx: App, userId: string): Promise<void> {
  await tx.db
    .updateTable('twoFactor')
    .set({ ...succeeded(tx), suspendedAt: null })
    .where('userId', '=', userId)
    .execute()
}

/** The same after the proof of a factor that is none of codes. It writes only if there is something to end. */
export async function endFailures(tx: App, { userId, failures, suspendedAt }: FactorRow): Promise<void> {
  if (failures > 0 || suspendedAt !== null) await endSuspension(tx, userId)
}

/**
 * The same after a new password, for a user without a second factor: wrong codes before the set-up of their first one have shown that
 * another person knew the old password. They have no backup code that could end it.
 */
export async function endSuspensionOfSetup(tx: App, userId: string): Promise<void> {
  if ((await findFactors(tx, userId))?.suspendedAt == null) return
  const user = await findUserById(tx, userId)
  if (user && !hasSecondFactor(user)) await endSuspension(tx, userId)
}

/** The wrong codes of one user. */
export interface CodeFailures {
  /** Consecutive ones. */
  readonly failures: number
  /** Seconds until the next code is compared. */
  readonly wait: number
  /** Delay in seconds after one more wrong code. */
  readonly nextDelay: number
  /** Whether codes are turned off, after 100 wrong ones. */
  readonly isSuspended: boolean
}

/** @returns null when the user has never set up a second factor */
export async function explainFailures(app: App, userId: string): Promise<CodeFailures | null> {
  const row = await findFactors(app, userId)
  if (row === null) return null
  const { failures, blockedUntil, suspendedAt } = row
  const steps = app.config.twoFactor.accountLockout.enabled ? backoffSteps(policyOf(app)) : []
  return {
    failures,
    wait: Math.max(0, Math.ceil((blockedUntil - app.now().getTime()) / 1000)),
    nextDelay: steps.find((step) => failures + 1 >= step.failures)?.delay ?? 0,
    isSuspended: suspendedAt !== null,
  }
}

/** Ends the delay of a user. Codes that were turned off stay off. @returns whether there were wrong codes */
export async function clearFailures(tx: App, userId: string): Promise<boolean> {
  const cleared = await tx.db
    .updateTable('twoFactor')
    .set(endedFailures)
    .where('userId', '=', userId)
    .where('failures', '>', 0)
    .executeTakeFirst()
  return cleared.numUpdatedRows > 0n
}
