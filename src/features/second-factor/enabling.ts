/** How a factor is enabled: with its codes, the events and the notice, and with the end of what waited for another one (contract 11 §4, §10). */
import type { App } from '../../core/app.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import { findUserById, holdUser, lockUser, updateUserFields } from '../users/index.ts'
import { endedFailures } from './attempts.ts'
import { activateBackupCodes, deletePendingCodes, hasBackupCodes } from './backup-codes.ts'
import { hasQualifying, heldBy } from './due.ts'
import { channelsOf } from './methods.ts'
import { findFactors, hasSecondFactor, writeFactors } from './model.ts'
import { notify, type Origin, originOf } from './notices.ts'
import { isSatisfied, userRules } from './rules.ts'

export const withoutPending = { pendingSecret: null, pendingIssuer: null, pendingAt: null }

/** Ends the sign-ins of a user that wait, such as after a change of their factors. */
export async function endChallenges(tx: App, userId: string): Promise<void> {
  await tx.db.deleteFrom('signInChallenge').where('userId', '=', userId).execute()
}

/** What belongs to a new factor: its backup codes, the events, the notice. Within a transaction that has locked the user, and written it. */
export async function noteEnabled(tx: App, user: UserRow, kind: string, origin: Origin): Promise<void> {
  // Pending codes belong to the app with which they were made; of another factor they are the first ones, or stay pending.
  const isTheirs = kind === 'totp' || !(await hasBackupCodes(tx, user.id))
  const hasNewCodes = isTheirs && (await activateBackupCodes(tx, user.id))
  const isFirst = !hasSecondFactor(user)
  // The probation of factors counts from here, and not from a set-up that was given up.
  if (isFirst) await writeFactors(tx, user.id, { createdAt: tx.now(), resetAt: null, ...endedFailures, suspendedAt: null })
  const target = { type: 'user', id: user.id }
  await endMark(tx, user)
  await recordEvent(tx, { action: isFirst ? 'two-factor.enabled' : 'two-factor.method-added', target, details: { kind } })
  if (hasNewCodes) await recordEvent(tx, { action: 'two-factor.backup-codes-created', target })
  await notify(tx, 'two-factor-enabled', user, origin, { factor: kind, isTexted: await isKnownToNumber(tx, user, kind) })
}

/** A user of a move has set up a second factor again, if the rule for them accepts it. */
async function endMark(tx: App, user: UserRow): Promise<void> {
  const rule = user.mustSetUpFactor ? userRules(tx.config).find(({ moved }) => moved) : undefined
  if (!rule || !isSatisfied(rule, await heldBy(tx, user, await findFactors(tx, user.id)))) return
  await updateUserFields(tx, user.id, { mustSetUpFactor: null })
}

/** A passkey was announced when it was added, and codes that go to the number itself are of no use to an attacker. */
async function isKnownToNumber(tx: App, { id }: UserRow, kind: string): Promise<boolean> {
  if (kind !== 'otp') return kind === 'passkey'
  const row = await findFactors(tx, id)
  return row !== null && channelsOf(row).join() === 'sms'
}

interface Enabled {
  readonly kind: string
  readonly origin: Origin
  /** Writes the factor, and uses what proves it. @returns false when there is nothing to do */
  readonly work: (tx: App, user: UserRow) => Promise<boolean>
}

/**
 * Enables a factor in a sign-in, in a transaction. Other sign-ins that wait end: they began when the user had fewer factors.
 * @returns the user as changed; null when they were deleted
 */
export async function enableAtSignIn(tx: App, userId: string, { kind, origin, work }: Enabled): Promise<UserRow | null> {
  const user = (await holdUser(tx, { id: userId })) ? await findUserById(tx, userId) : null
  // Without a change, what another sign-in has begun goes on.
  if (!user || !(await work(tx, user))) return user
  await lockUser(tx, userId)
  await noteEnabled(tx, user, kind, origin)
  await updateUserFields(tx, userId, { twoFactorEnabled: true })
  await endChallenges(tx, userId)
  return findUserById(tx, userId)
}

/**
 * Makes a passkey a second factor of a user whom a rule demands one of, so that their password alone does not sign them in.
 * @returns the user as changed; null when they have no passkey that a rule accepts
 */
export async function enableQualifying(ctx: CallContext, user: UserRow): Promise<UserRow | null> {
  if (!(await hasQualifying(ctx, user))) return null
  const work = async (tx: App, current: UserRow) => {
    // Another sign-in did it.
    if (hasSecondFactor(current)) return false
    await writeFactors(tx, user.id, { passkeys: true, ...withoutPending })
    // They were shown for an app that was not proven, perhaps to a thief who had the password only.
    await deletePendingCodes(tx, user.id)
    return true
  }
  return transaction(ctx, (tx) => enableAtSignIn(tx, user.id, { kind: 'passkey', origin: originOf(ctx), work }))
}
