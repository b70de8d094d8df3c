/** How a second factor is proven: by a code of an app, a code that was sent, or a backup code (contract 11 §4). */
import { z } from 'zod'
import { type App, deviceOf } from '../../core/app.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import type { CallContext, SessionView, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import { shownToken } from '../sessions/index.ts'
import { countWrongCode, endSuspension, noteWrongCode, rejectWhileLocked, succeeded, suspicious } from './attempts.ts'
import { type FoundBackupCode, findBackupCode, hasBackupCodes, useBackupCode } from './backup-codes.ts'
import { countAttempt } from './challenge.ts'
import type { Channel } from './config.ts'
import { enableFactor, requireBegunProof, type SignedIn } from './enrolment.ts'
import { channelsOf, firstFactorOf, hasTOTP, reachableChannels, sendsCodes, usableChannels } from './methods.ts'
import { errors, type FactorRow, findFactors } from './model.ts'
import { notify, notifyOfKnownPassword, originOf } from './notices.ts'
import { cancelReset } from './pending-resets.ts'
import {
  type AnswerOptions,
  answerChallenge,
  isTrusted,
  probationOf,
  probationOfNew,
  type SecondProof,
  stepUp,
} from './proofs.ts'
import { compareCode, consumeCode } from './sent-codes.ts'
import { finishApp, finishSentCode } from './setup.ts'
import { findSetup, type Subject, subjectOf } from './subject.ts'
import { activateSecret, matchCode, pendingSecret, useTimeStep } from './totp.ts'

/** Blanks and hyphens are for readers. */
export const code = z
  .string()
  .max(64)
  .transform((text) => text.replaceAll(/[\s-]/g, ''))
  .meta({ examples: ['482913'] })
export const challengeToken = z
  .string()
  .max(100)
  .optional()
  .meta({ description: 'In place of the challenge cookie, for programs', examples: ['2fa-aBcDeFgHiJkLmNoPqRsT'] })
export const trustDevice = z.boolean().optional().describe('Demand no second factor in this browser for a time')
export const revokeOtherSessions = z.boolean().optional().describe('Revoke all other sessions, with a session only')
export const answer = z.object({ code, trustDevice, revokeOtherSessions, challengeToken })

export const backupAnswer = answer.omit({ revokeOtherSessions: true }).extend({ disableSession: z.boolean().optional() })

/** The response to a proof. */
async function respond(ctx: CallContext, subject: Subject, proof: SecondProof, options: AnswerOptions) {
  const session =
    subject.kind === 'challenge'
      ? await answerChallenge(ctx, subject.challenge, proof, options)
      : await stepUp(ctx, subject, proof, options)
  return responseOf(ctx, session, subject)
}

function responseOf(ctx: CallContext, session: SessionView, { challenge, user }: Subject) {
  const url = challenge?.first.callbackURL
  return { token: shownToken(ctx, session), user, ...(url !== undefined && { redirect: true, url }) }
}

/** @throws ApiError TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE; the challenge is over */
async function admitAttempt(ctx: CallContext, { challenge }: Subject): Promise<void> {
  if (challenge) await countAttempt(ctx, challenge)
}

async function rejectCode(ctx: CallContext, { kind, user }: Subject, factor: string, entry: ErrorEntry): Promise<never> {
  await countWrongCode(ctx, user, factor, kind === 'challenge')
  throw new ApiError(entry)
}

const signedIn = (ctx: CallContext, session: SessionView, user: UserRow): SignedIn => Object.assign(ctx, { session, user })

export async function verifyTOTP(ctx: CallContext, given: z.output<typeof answer>) {
  if (ctx.config.twoFactor.totpOptions.disable) throw new ApiError(errors.TOTP_ISNT_CONFIGURED)
  const setup = await findSetup(ctx, given.challengeToken)
  if (setup) return finishApp(ctx, setup, given.code)
  const subject = await subjectOf(ctx, given.challengeToken)
  const row = await findFactors(ctx, subject.user.id)
  if (row) rejectWhileLocked(ctx, row)
  const isPending = subject.kind === 'session' && pendingSecret(ctx, row) !== null
  if (!row || (!isPending && !hasTOTP(ctx.config, row))) throw new ApiError(errors.TOTP_NOT_ENABLED)
  await admitAttempt(ctx, subject)
  const first = isPending ? matchCode(ctx, row, given.code, 'pending') : null
  if (first !== null && subject.session) return enableApp(ctx, subject, { row, step: first, given })
  const step = hasTOTP(ctx.config, row) ? matchCode(ctx, row, given.code, 'active') : null
  if (step === null) return rejectCode(ctx, subject, 'totp', errors.INVALID_CODE)
  const addedAt = probationOf(row, row.addedAt)
  const use = async (tx: App) => {
    if (!(await useTimeStep(tx, row, step, isTrusted(tx, addedAt)))) throw new ApiError(errors.INVALID_CODE)
  }
  return respond(ctx, subject, { type: 'totp', amr: ['otp'], acr: 'urn:latchkey:acr:2', addedAt, use }, given)
}

interface FirstCode {
  readonly row: FactorRow
  readonly step: number
  readonly given: AnswerOptions
}

async function enableApp(ctx: CallContext, subject: Subject & { kind: 'session' }, { row, step, given }: FirstCode) {
  await requireBegunProof(ctx)
  // One that replaces another is as old as that one.
  const addedAt = row.verified ? probationOf(row, row.addedAt) : probationOfNew(ctx, subject.user)
  const proof = { type: 'totp', amr: ['otp'], acr: 'urn:latchkey:acr:2', addedAt, use: async () => {} } as const
  const work = async (tx: App) => {
    if (!(await activateSecret(tx, row, step))) throw new ApiError(errors.INVALID_CODE)
  }
  const session = await enableFactor(signedIn(ctx, subject.session, subject.user), proof, work, given.revokeOtherSessions)
  return responseOf(ctx, session, subject)
}

interface SendingChannels {
  readonly row: FactorRow
  /** By which codes can be sent. */
  readonly usable: readonly Channel[]
  /** Whether the first code enables them. */
  readonly isFirst: boolean
}

/** What the sign-in of the challenge, or of the session, began with: another code by the same channel adds nothing (contract 11 §2). */
const firstFactor = ({ challenge, session }: Subject) => challenge?.first ?? (session && firstFactorOf(session))

/** After `enable`, the first code that is sent may be the proof in place of the app, which stays pending. */
async function channelsFor(ctx: CallContext, subject: Subject): Promise<SendingChannels> {
  const { kind, user } = subject
  const first = firstFactor(subject)
  const row = await findFactors(ctx, user.id)
  const usable = usableChannels(ctx, user, row, first)
  const isFirst = kind === 'session' && pendingSecret(ctx, row) !== null && row !== null && channelsOf(row).length === 0
  const possible = isFirst ? reachableChannels(ctx, user) : usable
  if (!row || possible.length === 0) throw new ApiError(errors.OTP_NOT_ENABLED)
  return { row, usable: possible, isFirst }
}

/** @throws ApiError OTP_NOT_ENABLED */
export async function channelFor(ctx: CallContext, subject: Subject, wanted: Channel | undefined): Promise<Channel> {
  const { usable } = await channelsFor(ctx, subject)
  const channel = wanted === undefined ? usable[0] : usable.find((one) => one === wanted)
  if (!channel) throw new ApiError(errors.OTP_NOT_ENABLED)
  return channel
}

const usedAt = { sms: 'smsUsedAt', email: 'emailUsedAt' } as const

/** Of a user whose only factor are codes by email: otherwise they could change nothing without a backup code. */
const isOnlyFactor = ({ config }: App, row: FactorRow): boolean =>
  !hasTOTP(config, row) && !row.passkeys && channelsOf(row).join() === 'email'

export async function verifySentCode(ctx: CallContext, given: z.output<typeof answer>) {
  const setup = await findSetup(ctx, given.challengeToken)
  if (setup) return finishSentCode(ctx, setup, given.code)
  if (!sendsCodes(ctx)) throw new ApiError(errors.OTP_ISNT_CONFIGURED)
  const subject = await subjectOf(ctx, given.challengeToken)
  const known = await findFactors(ctx, subject.user.id)
  if (known) rejectWhileLocked(ctx, known)
  const { row, usable, isFirst } = await channelsFor(ctx, subject)
  if (isFirst) await requireBegunProof(ctx)
  const sent = await compareCode(ctx, subject, given.code, usable)
  if (!sent) return rejectCode(ctx, subject, 'otp', errors.INVALID_CODE)
  const { found, channel } = sent
  const addedAt = isFirst ? probationOfNew(ctx, subject.user) : probationOf(row, row.otpAddedAt)
  const proof: SecondProof = {
    type: 'otp',
    amr: ['otp', channel],
    acr: channel === 'sms' && !firstFactor(subject)?.amr.includes('sms') ? 'urn:latchkey:acr:2' : null,
    isOnly: channel === 'email' && isOnlyFactor(ctx, row),
    addedAt,
    use: async (tx) => {
      await consumeCode(tx, found)
      const enabled = isFirst ? { otpChannels: channel, otpAddedAt: tx.now(), otpAddedWith: deviceOf(tx) } : {}
      const columns = { ...succeeded(tx, isTrusted(tx, addedAt)), ...enabled, [usedAt[channel]]: tx.now() }
      await tx.db.updateTable('twoFactor').set(columns).where('userId', '=', subject.user.id).execute()
    },
  }
  if (!isFirst || !subject.session) return respond(ctx, subject, proof, given)
  const ctxOfUser = signedIn(ctx, subject.session, subject.user)
  return responseOf(ctx, await enableFactor(ctxOfUser, proof, proof.use, given.revokeOtherSessions), subject)
}

export async function verifyBackupCode(ctx: CallContext, given: z.output<typeof backupAnswer>) {
  const subject = await subjectOf(ctx, given.challengeToken)
  const { user } = subject
  if (!(await hasBackupCodes(ctx, user.id))) throw new ApiError(errors.BACKUP_CODES_ARENT_ENABLED)
  await admitAttempt(ctx, subject)
  const found = await findBackupCode(ctx, user.id, given.code)
  if (found === null) {
    await noteWrongCode(ctx, user, 'backup-code')
    const isSuspicious = subject.challenge !== null && subject.challenge.failures + 1 >= suspicious
    if (isSuspicious) await transaction(ctx, (tx) => notifyOfKnownPassword(tx, user, originOf(ctx)))
    throw new ApiError(errors.INVALID_BACKUP_CODE)
  }
  let backupCodesLeft = 0
  const use = async (tx: App) => {
    backupCodesLeft = await useNoted(tx, ctx, user, found)
  }
  const proof = { type: 'backup-code', amr: ['otp', 'rc'], acr: 'urn:latchkey:acr:2', addedAt: null, use } as const
  if (given.disableSession) {
    await transaction(ctx, use)
    return { user, backupCodesLeft }
  }
  return { ...(await respond(ctx, subject, proof, given)), backupCodesLeft }
}

const fewCodes = 3

async function useNoted(tx: App, ctx: CallContext, user: UserRow, found: FoundBackupCode): Promise<number> {
  const left = await useBackupCode(tx, user.id, found)
  if (left === null) throw new ApiError(errors.INVALID_BACKUP_CODE)
  await endSuspension(tx, user.id)
  await cancelReset(tx, user.id)
  await recordEvent(tx, { action: 'two-factor.backup-code-used', target: { type: 'user', id: user.id }, details: { left } })
  await notify(tx, 'backup-code-used', user, originOf(ctx), { left })
  if (left <= fewCodes) await notify(tx, 'backup-codes-low', user, originOf(ctx), { left })
  return left
}
