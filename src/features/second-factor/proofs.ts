/** What a proven second factor leads to: the session that waits for a challenge, or a stronger session (contract 11 §3, §11). */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, SessionAndUser, SessionView, UserRow } from '../../core/request.ts'
import type { Acr } from '../../core/sign-in.ts'
import { recordEvent } from '../audit/index.ts'
import { amrOf, reauthenticate, resumeSignIn, revokeSessions } from '../sessions/index.ts'
import { endFailures } from './attempts.ts'
import { challenge, claimChallenge, clearChallengeCookie, countChallenge, type PendingChallenge } from './challenge.ts'
import { rememberMethod } from './methods.ts'
import { errors, type FactorRow, findFactors, hasSecondFactor } from './model.ts'
import { cancelReset } from './pending-resets.ts'
import { trustBrowser } from './trusted-devices.ts'

/** A second factor that was compared, and is used in the transaction of what it permits. */
export interface SecondProof {
  readonly type: string
  readonly amr: readonly string[]
  /** Null: it does not make the session stronger, as codes by email. */
  readonly acr: Acr | null
  /** Permits dangerous calls although it does not make the session stronger, because the user has no other factor. */
  readonly isOnly?: boolean
  /** When the factor was added; null: long ago. */
  readonly addedAt: Date | null
  /** @throws ApiError when it was used since it was compared */
  readonly use: (tx: App) => Promise<void>
}

export interface AnswerOptions {
  readonly trustDevice?: boolean | undefined
  readonly revokeOtherSessions?: boolean | undefined
}

const strength = { 'urn:latchkey:acr:2': 1, phr: 2 } as const

const stronger = (one: Acr | null, other: Acr | null): Acr | null => {
  if (one === null || other === null) return one ?? other
  return strength[one] >= strength[other] ? one : other
}

/** `mfa` when something that the user knows and something that they have are proven (RFC 8176). */
function joined(first: readonly string[], second: SecondProof): string[] {
  const isBoth = first.includes('pwd') && second.acr !== null
  return [...new Set([...first, ...second.amr, ...(isBoth ? ['mfa'] : [])])]
}

const hourMs = 3_600_000

/** When the probation of a factor ends: until then it does not permit to remove the others. */
function trustedAt({ config }: App, { addedAt }: Pick<SecondProof, 'addedAt'>): number {
  return addedAt === null ? 0 : addedAt.getTime() + config.twoFactor.newFactorProbationHours * hourMs
}

/** Whether a factor is on no probation, or its probation is over. */
export const isTrusted = (app: App, addedAt: SecondProof['addedAt']): boolean =>
  trustedAt(app, { addedAt }) <= app.now().getTime()

const isAcr = (value: unknown): value is Acr => typeof value === 'string' && value in strength

/** The columns of a session whose user has proven a second factor. @param amr of the first one */
function provenColumns(app: App, amr: readonly string[], acr: string | null | undefined, proof: SecondProof) {
  const proven = { factorProvenAt: app.now().getTime(), factorTrustedAt: trustedAt(app, proof) }
  return {
    amr: JSON.stringify(joined(amr, proof)),
    acr: stronger(isAcr(acr) ? acr : null, proof.acr),
    ...((proof.acr !== null || proof.isOnly) && proven),
  }
}

/**
 * From when a factor is on probation: a first factor never is, because there was no other one to push out.
 * @param addedAt when it was added @returns null when it is on none
 */
export function probationOf(row: FactorRow | null, addedAt: Date | null): Date | null {
  const isFirst = row === null || addedAt === null || addedAt <= row.createdAt
  return isFirst ? null : addedAt
}

/** The same for a factor that is enabled now. */
export const probationOfNew = (app: App, user: UserRow): Date | null => (hasSecondFactor(user) ? app.now() : null)

/** What a session, or a sign-in that waits, has proven before. */
interface ProvenBefore {
  readonly factorProvenAt?: unknown
  readonly factorTrustedAt?: unknown
}

/** Whether an established factor was proven: one on no probation. */
export const isEstablished = ({ now }: App, { factorProvenAt, factorTrustedAt }: ProvenBefore): boolean =>
  factorProvenAt != null && Number(factorTrustedAt ?? 0) <= now().getTime()

/**
 * The columns of a session whose user has added a factor to others. While it is on probation it does not permit more than the proof with
 * which it was added, and does not end what that one permits.
 */
export function columnsWithNew(
  app: App,
  { amr, acr }: { readonly amr: readonly string[]; readonly acr?: string | null | undefined },
  proof: SecondProof,
  { factorProvenAt, factorTrustedAt = null }: ProvenBefore,
) {
  const columns = provenColumns(app, amr, acr, proof)
  const isKept = factorProvenAt != null && !isTrusted(app, proof.addedAt)
  return isKept ? { ...columns, factorProvenAt: Number(factorProvenAt), factorTrustedAt: Number(factorTrustedAt) } : columns
}

/** The same for a factor of another feature. */
export const findProbation = async (app: App, user: UserRow, addedAt: Date | null): Promise<Date | null> =>
  hasSecondFactor(user) ? probationOf(await findFactors(app, user.id), addedAt) : null

/**
 * What the use of a passkey ends, in its transaction: the wrong codes of its user, and the suspension of codes. Not when it is on probation:
 * a thief who has added it would have endless guesses at the codes of the owner, and each right one is a factor on no probation.
 * @param addedAt when the passkey was added; null: long ago
 */
export async function endFailuresBy(tx: App, user: UserRow, addedAt: Date | null): Promise<void> {
  const row = hasSecondFactor(user) ? await findFactors(tx, user.id) : null
  if (row && isTrusted(tx, probationOf(row, addedAt))) await endFailures(tx, row)
}

/**
 * The columns of a session that begins with two factors in one, such as a passkey that has verified its user.
 * @param addedAt when it was added; null: it is on no probation
 */
export const provenColumnsOf = (app: App, addedAt: Date | null): Readonly<Record<string, number>> =>
  app.config.twoFactor.enabled ? { factorProvenAt: app.now().getTime(), factorTrustedAt: trustedAt(app, { addedAt }) } : {}

/**
 * Goes on with the sign-in of a challenge. Of concurrent answers one gets the session.
 * @throws ApiError INVALID_TWO_FACTOR_COOKIE, FAILED_TO_CREATE_SESSION; those of `proof.use`
 */
export async function answerChallenge(
  ctx: CallContext,
  pending: PendingChallenge,
  proof: SecondProof,
  { trustDevice = false }: AnswerOptions = {},
): Promise<SessionView> {
  let writeCookie = () => {}
  const { session } = await resumeWith(ctx, pending, proof, async (tx) => {
    await claimChallenge(tx, pending)
    await proof.use(tx)
    await cancelReset(tx, pending.user.id)
    // Who needs a backup code has just lost something.
    if (trustDevice && proof.type !== 'backup-code') writeCookie = await trustBrowser(ctx, tx, pending.user)
    return null
  })
  writeCookie()
  return session
}

/**
 * Goes on with a sign-in by a second proof. What a rule demands may follow.
 * @param claim uses the challenge and the proof; returns the user, if that changes them
 * @throws ApiError INVALID_TWO_FACTOR_COOKIE, FAILED_TO_CREATE_SESSION, SECOND_FACTOR_SETUP_REQUIRED; those of `claim`
 */
export async function resumeWith(
  ctx: CallContext,
  { first, user, kind, accessRevision }: PendingChallenge,
  proof: SecondProof,
  claim: (tx: App) => Promise<UserRow | null>,
): Promise<SessionAndUser> {
  const { amr, acr, ...proven } =
    kind === 'setup'
      ? columnsWithNew(ctx, first, { ...proof, addedAt: probationOfNew(ctx, user) }, first.columns ?? {})
      : provenColumns(ctx, first.amr, first.acr, proof)
  const resumed = { ...first, amr: JSON.parse(amr), ...(acr && { acr }), columns: { ...first.columns, ...proven } }
  const answer = { name: challenge.name, rejection: errors.INVALID_TWO_FACTOR_COOKIE, claim }
  const created = await resumeSignIn(ctx, { id: user.id, accessRevision }, resumed, answer).catch((error: unknown) => {
    if (error instanceof ApiError && error.entry === answer.rejection) clearChallengeCookie(ctx)
    throw error
  })
  clearChallengeCookie(ctx)
  if (proof.type !== 'backup-code') rememberMethod(ctx, proof.type)
  countChallenge(ctx, kind, 'passed')
  ctx.metrics.count('second_factor', { kind: proof.type, outcome: 'passed' })
  return created
}

/**
 * Makes the session of a call stronger, in place: it keeps its id, and gets a new token.
 * @throws ApiError UNAUTHORIZED when the session has ended; those of `proof.use`
 */
export async function stepUp(
  ctx: CallContext,
  { session, user }: { readonly session: SessionView; readonly user: UserRow },
  proof: SecondProof,
  { trustDevice = false, revokeOtherSessions = false }: AnswerOptions = {},
): Promise<SessionView> {
  let writeCookie = () => {}
  const columns = provenColumns(ctx, amrOf(session), session.acr, proof)
  const stronger = await reauthenticate(ctx, { session, user }, columns, async (tx) => {
    await proof.use(tx)
    await cancelReset(tx, user.id)
    if (trustDevice && proof.type !== 'backup-code') writeCookie = await trustBrowser(ctx, tx, user)
    if (revokeOtherSessions) await revokeSessions(tx, { userId: user.id, exceptId: session.id })
    const target = { type: 'session', id: session.id }
    await recordEvent(tx, { action: 'two-factor.stepped-up', target, userId: user.id, details: { kind: proof.type } })
  })
  writeCookie()
  ctx.metrics.count('second_factor', { kind: proof.type, outcome: 'passed' })
  return stronger
}
