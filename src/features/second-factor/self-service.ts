/**
 * A user who has lost all of their second factors requests a reset at sign-in: with the first factor, and codes to what was verified
 * before (contract 11 §12; NIST SP 800-63B-4 §4.2.2.2). It waits, so that the owner can cancel what a thief requested.
 */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import type { Proof } from '../../core/sign-in.ts'
import { transaction } from '../../core/transaction.ts'
import { canSend, canSendText } from '../outbox/index.ts'
import { findUserById, holdUser } from '../users/index.ts'
import { countWrongCode, rejectWhileLocked } from './attempts.ts'
import { claimChallenge, clearChallengeCookie, countAttempt, findChallenge, type PendingChallenge } from './challenge.ts'
import { type Channel, channels } from './config.ts'
import { recipientOf, shortened } from './methods.ts'
import { errors, findFactors } from './model.ts'
import { findPendingReset, insertReset, resettable, textNotice } from './pending-resets.ts'
import { resetMails } from './reset-mail.ts'
import { resetTexts } from './reset-texts.ts'
import { ownedOf } from './resets.ts'
import { type CodeUse, compareCode, consumeCode, type SentCode, sendCode } from './sent-codes.ts'
import { challengeName, type Subject } from './subject.ts'

const use: CodeUse = {
  name: 'two-factor-reset',
  mail: resetMails['two-factor-reset-code'],
  text: resetTexts['two-factor-reset-code'],
  needsAll: true,
}

const sendsBy = (app: App, channel: Channel): boolean =>
  channel === 'email' ? canSend(app, use.mail) : app.config.phoneNumber.enabled && canSendText(app.config, use.text)

/**
 * Where codes are sent, all of which are needed: the email address, and the phone number if the user has verified one. None to where the
 * first factor came from. Without an email address that was verified, the owner would not learn of a reset.
 */
function channelsOf(app: App, user: UserRow, { amr }: Pick<Proof, 'amr'>): Channel[] {
  if (!app.config.twoFactor.recovery.selfService || !user.emailVerified || !sendsBy(app, 'email')) return []
  return channels.filter((channel) => recipientOf(user, channel) !== null && sendsBy(app, channel) && !amr.includes(channel))
}

/** How the user of a challenge can request a reset; null when they cannot. */
export function recoveryOf(app: App, { user, first }: PendingChallenge) {
  const found = channelsOf(app, user, first)
  if (found.length === 0) return null
  const { selfServiceHours: hours } = app.config.twoFactor.recovery
  return { hours, channels: found.map((channel) => ({ channel, to: shortened(recipientOf(user, channel) ?? '') })) }
}

/** @throws ApiError RESETTING_SECOND_FACTORS_IS_DISABLED, INVALID_TWO_FACTOR_COOKIE, OTP_NOT_ENABLED */
async function findRequest(ctx: CallContext, token: string | undefined) {
  if (!ctx.config.twoFactor.recovery.selfService) throw new ApiError(errors.RESETTING_SECOND_FACTORS_IS_DISABLED)
  const pending = await findChallenge(ctx, token)
  if (!pending) {
    clearChallengeCookie(ctx)
    throw new ApiError(errors.INVALID_TWO_FACTOR_COOKIE)
  }
  const needed = channelsOf(ctx, pending.user, pending.first)
  if (needed.length === 0) throw new ApiError(errors.OTP_NOT_ENABLED)
  const subject: Subject = {
    kind: 'challenge',
    challenge: pending,
    user: pending.user,
    session: null,
    name: challengeName(pending),
  }
  return { pending, subject, needed }
}

/** Sends the codes with which a reset is requested. @throws ApiError as `findRequest` */
export async function sendResetCodes(ctx: CallContext, token: string | undefined): Promise<void> {
  const { subject, needed } = await findRequest(ctx, token)
  for (const channel of needed) await sendCode(ctx, subject, channel, use)
}

/** The codes that were sent, by channel. */
export type GivenCodes = Readonly<Record<Channel, string | undefined>>

/**
 * Requests a reset of all second factors. One that waits already stays as it is. The challenge is over.
 * @returns when it takes effect
 * @throws ApiError as `findRequest`; ACCOUNT_TEMPORARILY_LOCKED, INVALID_CODE, OTP_HAS_EXPIRED,
 * TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE
 */
export async function requestReset(ctx: CallContext, given: GivenCodes, token: string | undefined): Promise<Date> {
  const { pending, subject, needed } = await findRequest(ctx, token)
  const row = await findFactors(ctx, pending.userId)
  if (row) rejectWhileLocked(ctx, row)
  await countAttempt(ctx, pending)
  const codes: SentCode[] = []
  for (const channel of needed) {
    const right = await compareCode(ctx, subject, given[channel] ?? '', [channel], use)
    if (!right) {
      await countWrongCode(ctx, pending.user, 'reset', true)
      throw new ApiError(errors.INVALID_CODE)
    }
    codes.push(right)
  }
  ctx.subject.userId = pending.userId
  const { user, isNew, effectiveAt } = await transaction(ctx, (tx) => claimRequest(tx, pending, codes))
  clearChallengeCookie(ctx)
  const about = { stage: 'requested', order, effectiveAt, token: null } as const
  if (isNew) await textNotice(ctx, user, about, ctx.request.networkAddress())
  return effectiveAt
}

/** A user who has lost all has lost their passkeys too. */
const order = { requestedBy: 'user', administratorId: null, reason: null, factors: resettable } as const

async function claimRequest(tx: App, pending: PendingChallenge, codes: readonly SentCode[]) {
  const { userId: id, accessRevision } = pending
  const user = (await holdUser(tx, { id, accessRevision })) ? await findUserById(tx, id) : null
  if (!user) throw new ApiError(errors.INVALID_TWO_FACTOR_COOKIE)
  await claimChallenge(tx, pending)
  for (const { found } of codes) await consumeCode(tx, found)
  // A thief must not be able to put the time off, or to fill the mailbox of the owner.
  const waiting = await findPendingReset(tx, id)
  if (waiting) return { user, isNew: false, effectiveAt: waiting.effectiveAt }
  const owned = { ...order, factors: await ownedOf(tx, id, resettable) }
  const effectiveAt = await insertReset(tx, user, owned, tx.config.twoFactor.recovery.selfServiceHours)
  return { user, isNew: true, effectiveAt }
}
