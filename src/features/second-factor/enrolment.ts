/** Setting up and removing second factors (contract 11 §4). What works stays until its replacement is verified. */
import type { App } from '../../core/app.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import type { CallContext, SessionAndUser, SessionView, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { write } from '../../core/write.ts'
import { findCredentialAccount } from '../accounts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { errors as passwordErrors, requirePassword } from '../email-password/index.ts'
import { amrOf, prepareReplacement, revokeSessions } from '../sessions/index.ts'
import { findUserById, lockUser, updateUser, updateUserFields, userUpdate } from '../users/index.ts'
import { deleteBackupCodes } from './backup-codes.ts'
import { watchRemoval } from './due.ts'
import { endChallenges, noteEnabled, withoutPending } from './enabling.ts'
import { channelsOf } from './methods.ts'
import { type FactorRow, findFactors, hasSecondFactor, writeFactors } from './model.ts'
import { notify, type Origin, originOf } from './notices.ts'
import { cancelReset } from './pending-resets.ts'
import { columnsWithNew, type SecondProof } from './proofs.ts'
import { demandStepUp } from './step-up.ts'
import { pendingSeconds } from './totp.ts'
import { endTrust } from './trusted-devices.ts'

export type SignedIn = CallContext & SessionAndUser

export const isSignedIn = <C extends CallContext & { readonly session: SessionView | null; readonly user: UserRow | null }>(
  ctx: C,
): ctx is C & SignedIn => ctx.session !== null && ctx.user !== null

/**
 * The proof that setting up or removing a factor needs: the password, or a recent sign-in of a user who has none.
 * @throws ApiError INVALID_PASSWORD, SESSION_IS_NOT_FRESH
 */
async function requireProof(ctx: SignedIn, password: string | undefined): Promise<void> {
  const account = await findCredentialAccount(ctx, ctx.user.id)
  const { allowPasswordless, stepUp } = ctx.config.twoFactor
  if (account?.password) {
    if (password === undefined) throw new ApiError(passwordErrors.INVALID_PASSWORD)
    await requirePassword(ctx, ctx.user, password)
    return
  }
  if (!allowPasswordless) throw new ApiError(passwordErrors.INVALID_PASSWORD)
  const { authenticatedAt, createdAt } = ctx.session
  const ageMs = ctx.now().getTime() - (authenticatedAt ?? createdAt).getTime()
  if (ageMs > stepUp.maxAge * 1000) throw new ApiError(kernelErrors.SESSION_IS_NOT_FRESH)
}

/** The same, and a recent proof of a second factor by a user who has one. @throws ApiError as `requireProof` */
export async function requireStrongProof(
  ctx: SignedIn,
  password: string | undefined,
  demands: 'recent' | 'established' = 'recent',
) {
  await requireProof(ctx, password)
  const identity = await ctx.identify()
  if (identity) await demandStepUp(ctx, identity, { path: ctx.request.path, demands })
}

/**
 * The proof with which `/two-factor/enable` began what a first code finishes, up to an hour later. Otherwise a thief of a session could
 * begin before its user has a second factor, or finish what the user has begun.
 * @throws ApiError SESSION_IS_NOT_FRESH
 */
export async function requireBegunProof(ctx: CallContext): Promise<void> {
  const identity = await ctx.identify()
  if (identity) await demandStepUp(ctx, identity, { path: '/two-factor/enable', demands: 'established' }, pendingSeconds)
}

interface Change {
  readonly isEnabled: boolean
  readonly columns: Readonly<Record<string, string | number | null | Date>>
  readonly revokeOtherSessions: boolean
  readonly work: (tx: App, user: UserRow) => Promise<void>
}

/** Changes the factors of a user, and replaces their session: one from before must not have what the new ones prove. */
async function changeFactors(ctx: SignedIn, { isEnabled, columns, revokeOtherSessions, work }: Change): Promise<SessionView> {
  const { ipAddress, userAgent } = ctx.session
  const kept = { ...columns, ipAddress, userAgent }
  const prepared = await prepareReplacement(ctx, { method: 'two-factor', amr: amrOf(ctx.session) }, { columns: kept })
  const writes = [prepared.session.creation, userUpdate(ctx, { twoFactorEnabled: isEnabled })] as const
  const created = await write(ctx, writes, async (tx, session, user) => {
    await lockUser(tx, ctx.user.id)
    const current = await findUserById(tx, ctx.user.id)
    if (!current) throw new ApiError(kernelErrors.UNAUTHORIZED)
    await work(tx, current)
    // Another call has enabled or removed the last one since: then another proof is demanded.
    if (hasSecondFactor(current) !== hasSecondFactor(ctx.user)) throw new ApiError(kernelErrors.SESSION_IS_NOT_FRESH)
    const updated = (await updateUser(tx, ctx.user.id, user)) ?? current
    await endChallenges(tx, ctx.user.id)
    if (revokeOtherSessions) await revokeSessions(tx, { userId: ctx.user.id })
    else await revokeSessions(tx, { ids: [ctx.session.id] }, { reason: 'replaced', recordedAs: 'none' })
    return prepared.session.insert(tx, session, updated)
  })
  return prepared.finish(created)
}

/**
 * Enables a factor that its user has just proven; codes that wait for it take the place of the former ones.
 * @param work writes the factor, and uses the proof
 * @param revokeOtherSessions ends all other sessions, which have not proven it
 */
export function enableFactor(
  ctx: SignedIn,
  proof: SecondProof,
  work: (tx: App) => Promise<void>,
  revokeOtherSessions = false,
): Promise<SessionView> {
  const { acr, factorProvenAt, factorTrustedAt } = ctx.session
  const proven = columnsWithNew(ctx, { amr: amrOf(ctx.session), acr }, proof, { factorProvenAt, factorTrustedAt })
  // Without a code nothing was proven now: a session must not become fresh by what its thief could do.
  const columns = { ...proven, ...(proof.amr.length > 0 && { authenticatedAt: ctx.now() }) }
  return changeFactors(ctx, {
    isEnabled: true,
    columns,
    revokeOtherSessions,
    work: async (tx, user) => {
      await work(tx)
      await cancelReset(tx, user.id)
      await noteEnabled(tx, user, proof.type, originOf(ctx))
    },
  })
}

const withoutApp = {
  ...{ secret: null, issuer: null, verified: false, algorithm: null, digits: null, period: null },
  ...{ addedAt: null, addedWith: null, totpUsedAt: null },
  ...withoutPending,
}

/** The columns without one kind of factor. */
export const without = {
  totp: withoutApp,
  otp: { otpChannels: null, otpAddedAt: null, otpAddedWith: null, smsUsedAt: null, emailUsedAt: null },
  passkey: { passkeys: false },
} as const

export type Kind = keyof typeof without

/** The factors of a user, by their names. */
export function kindsOf(row: FactorRow | null): Kind[] {
  if (row === null) return []
  const has = { totp: row.verified || row.suspendedAt !== null, otp: channelsOf(row).length > 0, passkey: row.passkeys }
  return (['totp', 'otp', 'passkey'] as const).filter((kind) => has[kind])
}

/**
 * Removes one factor of the user, or all. With the last one everything goes that belongs to them: backup codes, trusted browsers.
 * @param kind null: all
 * @throws ApiError SESSION_IS_NOT_FRESH when the factors have changed since they were read
 */
export async function disableFactors(ctx: SignedIn, kind: Kind | null, revokeOtherSessions: boolean): Promise<void> {
  const present = kindsOf(await findFactors(ctx, ctx.user.id))
  const left = present.filter((one) => kind !== null && one !== kind)
  // Nothing that anyone could notice is removed. A user whose app was suspended may have no factor, and still need one.
  if (left.length === present.length && (left.length > 0 || !hasSecondFactor(ctx.user)))
    return transaction(ctx, (tx) => writeFactors(tx, ctx.user.id, withoutPending))
  await changeFactors(ctx, {
    isEnabled: left.length > 0,
    columns: {},
    revokeOtherSessions,
    work: async (tx, user) => {
      // Otherwise two sessions could remove one factor each, and leave a user who needs one and has none.
      if (kindsOf(await findFactors(tx, user.id)).join() !== present.join()) throw new ApiError(kernelErrors.SESSION_IS_NOT_FRESH)
      await removeFactors(tx, user, { kind, isLast: left.length === 0, origin: originOf(ctx) })
    },
  })
}

interface Removal {
  readonly kind: Kind | null
  readonly isLast: boolean
  readonly origin: Origin
}

/** @throws ApiError SECOND_FACTOR_CANNOT_BE_DISABLED when a rule demands what would be removed */
async function removeFactors(tx: App, user: UserRow, { kind, isLast, origin }: Removal): Promise<void> {
  const rejectIfRequired = await watchRemoval(tx, user)
  const columns = kind === null ? { ...without.totp, ...without.otp, ...without.passkey } : without[kind]
  await writeFactors(tx, user.id, isLast ? { ...columns, failures: 0, blockedUntil: 0, suspendedAt: null } : columns)
  await rejectIfRequired()
  if (isLast) await deleteBackupCodes(tx, user.id)
  await endTrust(tx, user.id, { reason: 'factor-removed' })
  const details = { kind: kind ?? 'all' }
  const action = isLast ? 'two-factor.disabled' : 'two-factor.method-removed'
  await recordEvent(tx, { action, target: { type: 'user', id: user.id }, details })
  await notify(tx, 'two-factor-disabled', user, origin, { factor: kind })
}

/**
 * A user has lost the last one of what a factor needs, such as their last passkey: it stops being a factor. Within a transaction that
 * has locked the user.
 */
export async function dropFactor(tx: App, user: UserRow, kind: Kind, origin: Origin): Promise<void> {
  const kinds = kindsOf(await findFactors(tx, user.id))
  if (!kinds.includes(kind)) return
  const isLast = kinds.length === 1
  await removeFactors(tx, user, { kind, isLast, origin })
  if (isLast) await updateUserFields(tx, user.id, { twoFactorEnabled: false })
}

/** Ends all factors of a user, such as when the owner of the email address takes the account over. @returns whether there were any */
export async function endFactors(tx: App, userId: string): Promise<boolean> {
  const deleted = await tx.db.deleteFrom('twoFactor').where('userId', '=', userId).executeTakeFirst()
  await deleteBackupCodes(tx, userId)
  await endTrust(tx, userId, { reason: 'earlier-access' })
  await endChallenges(tx, userId)
  return deleted.numDeletedRows > 0n
}
