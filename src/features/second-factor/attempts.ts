/** Wrong codes of a user, over all challenges and networks: they delay further codes, and in the end turn them off (contract 11 §6). */
import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { backoffSteps } from '../attempts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { errors, type FactorRow } from './model.ts'
import { notify, notifyOfKnownPassword, originOf } from './notices.ts'

/** Consecutive wrong codes after which codes are turned off (NIST SP 800-63B-4 §3.2.2). */
const mostFailures = 100
const firstDelaySeconds = 30
/** Wrong codes that make it likely that somebody else knows the password. */
const suspicious = 3

/** Only a caller with a proven first factor gets here, so that nobody can lock an account from outside. */
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
  await recordEvent(ctx, { action: 'two-factor.failed', outcome: 'failed', target, details: { kind } })
}

/**
 * Counts a wrong code.
 * @param kind of the factor, for the audit log
 * @param isChallenge whether it was given at a sign-in
 */
export async function countWrongCode(ctx: CallContext, user: UserRow, kind: string, isChallenge: boolean): Promise<void> {
  await noteWrongCode(ctx, user, kind)
  await transaction(ctx, async (tx) => {
    const failures = await increase(tx, user.id)
    const target = { type: 'user', id: user.id }
    if (isChallenge && failures === suspicious) await notifyOfKnownPassword(tx, user, originOf(ctx))
    if (failures === tx.config.twoFactor.accountLockout.maxFailedAttempts)
      await recordEvent(tx, { action: 'two-factor.locked', outcome: 'denied', target, details: { failures } })
    if (failures >= mostFailures) await suspend(tx, ctx, user)
  })
}

/** @returns consecutive failures; 0 when concurrent ones have caused a delay, in which none count */
async function increase(tx: App, userId: string): Promise<number> {
  const { enabled, maxFailedAttempts: failures, durationSeconds: longestDelay } = tx.config.twoFactor.accountLockout
  const now = tx.now().getTime()
  const policy = { failures, firstDelay: Math.min(firstDelaySeconds, longestDelay), longestDelay }
  const next = sql<number>`${sql.ref('failures')} + 1`
  const branches = enabled
    ? backoffSteps(policy).map((step) => sql`when ${next} >= ${step.failures} then ${now + step.delay * 1000}`)
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

/** The columns of a success, which ends the failures before it. */
export const succeeded = ({ now }: App) => ({ failures: 0, blockedUntil: 0, lastUsedAt: now(), updatedAt: now() })

/**
 * After a proof that cannot be guessed, such as a backup code: codes that are sent work again. An authenticator app must be set up anew.
 */
export async function endSuspension(tx: App, userId: string): Promise<void> {
  await tx.db
    .updateTable('twoFactor')
    .set({ ...succeeded(tx), suspendedAt: null })
    .where('userId', '=', userId)
    .execute()
}
