/** The second factors of one user, as operators and administrators see and reset them (contract 11 §12). */
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import { canSend } from '../outbox/index.ts'
import { revokeSessions } from '../sessions/index.ts'
import { findUserById, lockUser, updateUserFields } from '../users/index.ts'
import { type CodeFailures, explainFailures } from './attempts.ts'
import { countBackupCodes, deleteBackupCodes } from './backup-codes.ts'
import { endChallenges } from './challenge.ts'
import { type Kind, kindsOf, without, withoutPending } from './enrolment.ts'
import { type DescribedMethod, describeMethods, methodsOf } from './methods.ts'
import { findFactors, hasSecondFactor, writeFactors } from './model.ts'
import { notify } from './notices.ts'
import { resetMails } from './reset-mail.ts'
import { endTrust, findTrustedDevices, type TrustedDevice } from './trusted-devices.ts'

export interface FactorReport {
  /** Whether sign-ins demand a second factor. */
  readonly enabled: boolean
  readonly methods: readonly DescribedMethod[]
  readonly backupCodesLeft: number
  readonly trustedDevices: readonly TrustedDevice[]
  /** Null when the user has never set up a second factor. */
  readonly failures: CodeFailures | null
}

/** What a user has, without secrets. */
export async function describeFactors(app: App, user: UserRow): Promise<FactorReport> {
  const row = await findFactors(app, user.id)
  return {
    enabled: hasSecondFactor(user),
    methods: describeMethods(row, await methodsOf(app, user)),
    backupCodesLeft: await countBackupCodes(app, user.id),
    trustedDevices: await findTrustedDevices(app, user.id),
    failures: await explainFailures(app, user.id),
  }
}

/** Passkeys are removed one by one: who has lost one may still have another. */
export const resettable = ['totp', 'otp', 'backup-codes'] as const
export type ResetFactor = (typeof resettable)[number]

interface ResetOptions {
  /** Kept in the audit log. */
  readonly reason: string
  /** Default: all of them. */
  readonly factors?: readonly ResetFactor[]
}

export interface FactorReset {
  readonly factors: readonly ResetFactor[]
  /** Whether sign-ins still demand a second factor. */
  readonly enabled: boolean
  readonly sessionsRevoked: number
  /** Whether the user gets an email about it. */
  readonly isNotified: boolean
}

/**
 * Ends second factors of a user who cannot use them any more, in one transaction with their trusted browsers, pending challenges and sessions.
 * With the last factor the backup codes end too. Who may do this is decided by the code that calls it.
 * @returns null when there is no such user, or they have none of these factors
 */
export const resetFactors = (
  app: App,
  userId: string,
  { reason, factors = resettable }: ResetOptions,
): Promise<FactorReset | null> =>
  transaction(app, async (tx) => {
    const user = (await lockUser(tx, userId)) ? await findUserById(tx, userId) : null
    const owned = user ? await factorsOf(tx, userId) : []
    const chosen = owned.filter((factor) => (factors as readonly Owned[]).includes(factor))
    const isWhole = factors.length === resettable.length
    if (!user || (chosen.length === 0 && !(isWhole && hasSecondFactor(user)))) return null
    const enabled = owned.some((factor) => factor !== 'backup-codes' && !chosen.includes(factor))
    await endChosen(tx, userId, enabled ? chosen : owned)
    if (hasSecondFactor(user) !== enabled) await updateUserFields(tx, userId, { twoFactorEnabled: enabled })
    await endTrust(tx, userId, { reason: 'factors-reset' })
    await endChallenges(tx, userId)
    const sessionsRevoked = await revokeSessions(tx, { userId }, { recordedAs: 'none' })
    const ended = resettable.filter((factor) => (enabled ? chosen : owned).includes(factor))
    const details = { kinds: ended, reason, sessions: sessionsRevoked }
    await recordEvent(tx, { action: 'two-factor.reset', target: { type: 'user', id: userId }, details })
    await notify(tx, 'two-factor-reset', user, { device: null, ipAddress: null })
    const isNotified = user.emailVerified && canSend(tx, resetMails['two-factor-reset'])
    return { factors: ended, enabled, sessionsRevoked, isNotified }
  })

type Owned = Kind | 'backup-codes'

async function factorsOf(tx: App, userId: string): Promise<Owned[]> {
  const codes = await tx.db.selectFrom('backupCode').select('id').where('userId', '=', userId).limit(1).execute()
  return [...kindsOf(await findFactors(tx, userId)), ...(codes.length > 0 ? (['backup-codes'] as const) : [])]
}

async function endChosen(tx: App, userId: string, ended: readonly Owned[]): Promise<void> {
  if (ended.includes('backup-codes')) await deleteBackupCodes(tx, userId)
  if (!(await findFactors(tx, userId))) return
  const columns = { ...(ended.includes('totp') && without.totp), ...(ended.includes('otp') && without.otp) }
  // An administrator has proven the user, which ends a suspension (contract 11 §6). It stays while the suspended app is not reset.
  const failures = ended.includes('totp') ? { failures: 0, blockedUntil: 0, suspendedAt: null } : {}
  await writeFactors(tx, userId, { ...withoutPending, ...columns, ...failures })
}
