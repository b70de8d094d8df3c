/** Setting up the second factor that a rule demands, between a first factor and its session (contract 11 §10). */
import { type App, deviceOf } from '../../core/app.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import type { CallContext, SessionView, UserRow } from '../../core/request.ts'
import { apiURL } from '../../core/route.ts'
import type { Proof, SecondFactor } from '../../core/sign-in.ts'
import { transaction } from '../../core/transaction.ts'
import { dayMs } from '../../lib/iso-time.ts'
import { withParameter } from '../../lib/url.ts'
import { shownToken } from '../sessions/index.ts'
import { clearFailures, countWrongCode, rejectWhileLocked } from './attempts.ts'
import { hasBackupCodes, insertBackupCodes, makeBackupCodes } from './backup-codes.ts'
import { claimChallenge, countAttempt, pageOf, storeChallenge } from './challenge.ts'
import type { Channel } from './config.ts'
import { requirementOf } from './due.ts'
import { enableAtSignIn } from './enabling.ts'
import type { Kind } from './enrolment.ts'
import { channelsOf, otherFactor, reachableChannels, sendsBy } from './methods.ts'
import { errors, type FactorRow, findFactors, hasSecondFactor, type Method, writeFactors } from './model.ts'
import { originOf } from './notices.ts'
import { isEstablished, resumeWith, type SecondProof } from './proofs.ts'
import { type Qualifying, qualifying, type Requirement } from './rules.ts'
import { compareCode, consumeCode, sendCode } from './sent-codes.ts'
import { challengeName, type SetupSubject } from './subject.ts'
import { activateSecret, createSecret, matchCode, pendingSecret, sealSecret, secretURI } from './totp.ts'

const setupPage = '/two-factor/setup'
/** Long enough to install an app. */
const setupSeconds = 1800

/** Where the code goes that proves more than a password: the mailbox, or the phone of a user who has verified that only. */
export const codeChannel = (app: App, user: UserRow): Channel =>
  !user.emailVerified && user.phoneNumberVerified && sendsBy(app, 'sms') ? 'sms' : 'email'

/**
 * Whether a user who has proven the first factor must prove the mailbox too: otherwise a thief who has the password would make the account
 * theirs. A user who has just signed up need not, unless what they had set up was reset.
 */
async function needsCode(app: App, user: UserRow, { amr, acr }: Pick<Proof, 'amr' | 'acr'>): Promise<boolean> {
  if (acr !== undefined || amr.includes(codeChannel(app, user))) return false
  if (app.now().getTime() - user.createdAt.getTime() >= dayMs) return true
  return (await findFactors(app, user.id))?.resetAt != null
}

/**
 * Stores the first factor, until a second one is set up, and sends the code that is needed for it.
 * @returns for links and callbacks: where the browser continues
 * @throws ApiError SECOND_FACTOR_SETUP_REQUIRED to a call that responds with JSON
 */
export async function demandSetup(ctx: CallContext, user: UserRow, proof: Proof, { reason }: Requirement) {
  if (proof.reply === 'none') return { body: {}, location: '' }
  const isNeeded = await needsCode(ctx, user, proof)
  const stored = { kind: 'setup', seconds: setupSeconds, rule: reason, needsCode: isNeeded } as const
  const { id } = await storeChallenge(ctx, user, { ...proof, reason: 'required' }, stored)
  if (isNeeded && !(await isSuspended(ctx, user)))
    await sendCode(ctx, { user, name: challengeName({ id }) }, codeChannel(ctx, user))
  const page = pageOf(ctx, setupPage, proof)
  // An application may be on another origin than the pages.
  const members = page === null ? undefined : { url: new URL(page, apiURL(ctx.config)).href }
  if (proof.reply === 'json') throw new ApiError(errors.SECOND_FACTOR_SETUP_REQUIRED, { members })
  const failed = proof.errorURL ?? proof.callbackURL ?? '/'
  return { body: {}, location: page ?? withParameter(failed, 'error', 'second_factor_setup_required') }
}

const isProven = ({ challenge }: SetupSubject): boolean => challenge.codeProvenAt !== null

/**
 * The second factors that may be set up in this sign-in.
 * @throws ApiError EMAIL_CODE_REQUIRED
 */
export async function acceptedIn(app: App, setup: SetupSubject): Promise<readonly Qualifying[]> {
  if (!isProven(setup)) throw new ApiError(errors.EMAIL_CODE_REQUIRED)
  return possibleIn(app, setup)
}

async function possibleIn(app: App, { user, challenge }: SetupSubject): Promise<readonly Qualifying[]> {
  const { methods } = await requirementOf(app, user)
  const { totpOptions } = app.config.twoFactor
  const isPossible = {
    passkey: app.features.some(({ secondFactor }) => secondFactor?.type === 'passkey'),
    totp: !totpOptions.disable,
    // Two proofs by one channel are one factor.
    sms: reachableChannels(app, user).includes('sms') && !challenge.first.amr.includes('sms'),
  }
  return qualifying.filter((method) => (methods.length === 0 || methods.includes(method)) && isPossible[method])
}

/** The same, as they are shown; without the need of a code. */
export const offeredIn = async (app: App, setup: SetupSubject): Promise<Method[]> =>
  (await possibleIn(app, setup)).map((method) => (method === 'sms' ? { type: 'otp', channel: 'sms' } : { type: method }))

/** Too many wrong codes turn off those that are sent: the guesses of a thief who has the password must not go on for years. */
const isSuspended = async (app: App, { id }: UserRow): Promise<boolean> => (await findFactors(app, id))?.suspendedAt != null

/** The channel by which a code is sent now. @throws ApiError OTP_NOT_ENABLED */
export async function setupChannel(app: App, setup: SetupSubject, wanted: Channel | undefined): Promise<Channel> {
  if (await isSuspended(app, setup.user)) throw new ApiError(errors.OTP_NOT_ENABLED)
  if (!isProven(setup)) return codeChannel(app, setup.user)
  if ((wanted ?? 'sms') !== 'sms' || !(await possibleIn(app, setup)).includes('sms')) throw new ApiError(errors.OTP_NOT_ENABLED)
  return 'sms'
}

/** The first code of an authenticator app. */
export async function finishApp(ctx: CallContext, setup: SetupSubject, code: string) {
  if (!(await acceptedIn(ctx, setup)).includes('totp')) throw new ApiError(errors.TOTP_ISNT_CONFIGURED)
  const row = await findFactors(ctx, setup.user.id)
  if (row) rejectWhileLocked(ctx, row)
  if (!row || pendingSecret(ctx, row) === null) throw new ApiError(errors.TOTP_NOT_ENABLED)
  await countAttempt(ctx, setup.challenge)
  const step = matchCode(ctx, row, code, 'pending')
  // The mailbox was proven before: a wrong code is not that of a thief who has the password only.
  if (step === null) return rejectCode(ctx, setup, 'totp', false)
  const use = async (tx: App) => {
    if (!(await activateSecret(tx, row, step))) throw new ApiError(errors.INVALID_CODE)
  }
  return finishSetup(ctx, setup, { type: 'totp', amr: ['otp'], acr: 'urn:latchkey:acr:2', addedAt: null, use })
}

async function rejectCode(ctx: CallContext, { user }: SetupSubject, kind: string, isSuspicious: boolean): Promise<never> {
  await countWrongCode(ctx, user, kind, isSuspicious)
  throw new ApiError(errors.INVALID_CODE)
}

/** A code that was sent: first the one that proves the mailbox, then the one that enables text messages. */
export async function finishSentCode(ctx: CallContext, setup: SetupSubject, code: string) {
  const row = await findFactors(ctx, setup.user.id)
  if (row) rejectWhileLocked(ctx, row)
  const channel = await setupChannel(ctx, setup, undefined)
  const sent = await compareCode(ctx, setup, code, [channel])
  if (!sent) return rejectCode(ctx, setup, 'otp', true)
  if (!isProven(setup)) {
    await transaction(ctx, async (tx) => {
      await consumeCode(tx, sent.found)
      await clearFailures(tx, setup.user.id)
      const challenge = tx.db.updateTable('signInChallenge').set({ codeProvenAt: tx.now() })
      await challenge.where('id', '=', setup.challenge.id).execute()
    })
    return { status: true as const }
  }
  const use = async (tx: App) => {
    await consumeCode(tx, sent.found)
    const row = await findFactors(tx, setup.user.id)
    const all = new Set<Channel>([...(row ? channelsOf(row) : []), channel])
    await writeFactors(tx, setup.user.id, { otpChannels: [...all].join(','), otpAddedAt: tx.now(), otpAddedWith: deviceOf(tx) })
  }
  return finishSetup(ctx, setup, { type: 'otp', amr: ['otp', channel], acr: 'urn:latchkey:acr:2', addedAt: null, use })
}

export interface FinishedSetup {
  readonly session: SessionView
  readonly user: UserRow
  /** That are new, and were not shown before. */
  readonly backupCodes: readonly string[]
}

/**
 * Enables a second factor that was just proven, and goes on with the sign-in. Of concurrent answers one gets the session.
 * @throws ApiError INVALID_TWO_FACTOR_COOKIE to the others, FAILED_TO_CREATE_SESSION; those of `proof.use`
 */
export async function completeSetup(
  ctx: CallContext,
  { challenge, user }: SetupSubject,
  proof: SecondProof,
): Promise<FinishedSetup> {
  // Those of an app were shown with its secret, and wait for its first code. A factor on probation gets none, which would outlast it.
  const mayHave = proof.type !== 'totp' && (!hasSecondFactor(user) || isEstablished(ctx, challenge.first.columns ?? {}))
  const isWithout = mayHave && !(await hasBackupCodes(ctx, user.id))
  const backup = isWithout ? await makeBackupCodes(ctx) : null
  const created = await resumeWith(ctx, challenge, proof, async (tx) => {
    await claimChallenge(tx, challenge)
    const work = async () => {
      await proof.use(tx)
      if (backup) await insertBackupCodes(tx, user.id, backup, true)
      return true
    }
    return enableAtSignIn(tx, user.id, { kind: proof.type, origin: originOf(ctx), work })
  })
  return { ...created, backupCodes: backup?.codes ?? [] }
}

async function finishSetup(ctx: CallContext, setup: SetupSubject, proof: SecondProof) {
  const { session, user, backupCodes } = await completeSetup(ctx, setup, proof)
  const url = setup.challenge.first.callbackURL
  return {
    ...{ token: shownToken(ctx, session), user },
    ...(backupCodes.length > 0 && { backupCodes: [...backupCodes] }),
    ...(url !== undefined && { redirect: true, url }),
  }
}

interface Pending {
  readonly row: FactorRow
  readonly totpURI: string
  readonly backupCodes: string[]
}

/** Stores a secret and backup codes that wait for a first code of the app. @throws ApiError TOTP_ISNT_CONFIGURED */
export async function beginTOTP(ctx: CallContext, { id: userId, email }: UserRow, issuer: string | undefined): Promise<Pending> {
  if (ctx.config.twoFactor.totpOptions.disable) throw new ApiError(errors.TOTP_ISNT_CONFIGURED)
  const backup = await makeBackupCodes(ctx)
  const columns = { pendingSecret: sealSecret(ctx, createSecret(ctx)), pendingIssuer: issuer ?? null, pendingAt: ctx.now() }
  await transaction(ctx, async (tx) => {
    await writeFactors(tx, userId, columns)
    await insertBackupCodes(tx, userId, backup, true)
  })
  const row = await findFactors(ctx, userId)
  const totpURI = row && secretURI(ctx, row, email, 'pending')
  if (!row || !totpURI) throw new ApiError(kernelErrors.UNAUTHORIZED)
  return { row, totpURI, backupCodes: [...backup.codes] }
}

/**
 * Begins the set-up of a factor in a sign-in that waits for it. Codes that are sent and passkeys are enabled by their first use.
 * @throws ApiError EMAIL_CODE_REQUIRED, TOTP_ISNT_CONFIGURED, OTP_ISNT_CONFIGURED; that of a user who has no passkey
 */
export async function beginInSetup(ctx: CallContext, setup: SetupSubject, method: Kind, issuer: string | undefined) {
  const accepted = await acceptedIn(ctx, setup)
  if (method === 'totp') {
    if (!accepted.includes('totp')) throw new ApiError(errors.TOTP_ISNT_CONFIGURED)
    const { totpURI, backupCodes } = await beginTOTP(ctx, setup.user, issuer)
    return { method, totpURI, backupCodes }
  }
  if (method === 'passkey') throw new ApiError(factorOf(ctx, method).missing)
  if (!accepted.includes('sms')) throw new ApiError(errors.OTP_ISNT_CONFIGURED)
  return { method, backupCodes: [] }
}

/** @throws ApiError TWO_FACTOR_ISNT_ENABLED when its feature is not */
export function factorOf(app: App, type: string): SecondFactor {
  const factor = otherFactor(app, type)
  if (!factor) throw new ApiError(errors.TWO_FACTOR_ISNT_ENABLED)
  return factor
}
