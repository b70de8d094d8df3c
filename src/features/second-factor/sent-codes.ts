/** Codes by text message and email as second factor: one at a time for a challenge or a session (contract 11 §5). */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { MailKind, TextKind } from '../../core/message.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { undoneAlone } from '../../core/transaction.ts'
import type { Config } from '../index.ts'
import { countOne, resendDelay, sendMail, sendText } from '../outbox/index.ts'
import { describeUser } from '../users/index.ts'
import { checkCode, createCode, endCode, type FoundCode, randomCode, useCode } from '../verifications/index.ts'
import { type CodeMail, texts } from './code-messages.ts'
import { type Channel, channels } from './config.ts'
import { mails } from './mails.ts'
import { recipientOf } from './methods.ts'
import { errors } from './model.ts'

/** Whom codes are for, and by which name they are found: that of a challenge, or a session. */
export interface CodeOwner {
  readonly user: UserRow
  readonly name: string
}

/** What codes are for. */
export interface CodeUse {
  readonly name: string
  readonly mail: MailKind<CodeMail>
  readonly text: TextKind<CodeMail>
  /** Whether the codes of all channels are needed, so that each has its own. Else one subject has one code at a time. */
  readonly needsAll?: true
}

const asFactor: CodeUse = { name: 'two-factor', mail: mails['two-factor-code'], text: texts['two-factor-code'] }

/** By channel, because a code by email does not make a session stronger. */
const purposeOf = ({ name }: CodeUse, channel: Channel): string => `${name}-${channel}`
const shortestInterval = 30
const perHour = { max: 5, window: 3600 }

/** Seconds after which a code by this channel is sent again. */
export const resendAfter = (config: Config, channel: Channel): number =>
  channel === 'sms' ? Math.max(shortestInterval, resendDelay(config)) : shortestInterval

/** Sends a code in place of the former one; nothing when it is too soon, or there were too many. */
export async function sendCode(ctx: CallContext, owner: CodeOwner, channel: Channel, use = asFactor): Promise<void> {
  const { digits, period } = ctx.config.twoFactor.otpOptions
  const code = randomCode(ctx, digits)
  const expiresAt = new Date(ctx.now().getTime() + period * 60_000)
  await undoneAlone(ctx, async (tx) => {
    const interval = resendAfter(tx.config, channel)
    if (!(await countOne(tx, `${use.name} ${channel} ${owner.name}`, { max: 1, window: interval }))) return
    if (!(await countOne(tx, `${use.name} ${owner.user.id}`, perHour))) return
    if (!use.needsAll) await endOthers(tx, owner, channel, use)
    await createCode(tx, { purpose: purposeOf(use, channel), name: owner.name, code, value: owner.user.id, expiresAt })
    await deliver(tx, ctx, owner, { use, channel, code, expiresAt })
  }).catch((error: unknown) => {
    // The limits of text messages: the client must not learn how many others are sent.
    if (!(error instanceof ApiError && error.entry.status === 429)) throw error
  })
}

/** A code by another channel would double the guesses. */
async function endOthers(tx: App, { name }: CodeOwner, channel: Channel, use: CodeUse): Promise<void> {
  for (const other of channels) if (other !== channel) await endCode(tx, { purpose: purposeOf(use, other), name })
}

interface Delivery {
  readonly use: CodeUse
  readonly channel: Channel
  readonly code: string
  readonly expiresAt: Date
}

async function deliver(tx: App, ctx: CallContext, { user }: CodeOwner, delivery: Delivery): Promise<void> {
  const { use, channel, code, expiresAt } = delivery
  const data = { user: describeUser(tx, user), otp: code }
  if (channel === 'email') return sendMail(tx, use.mail, user, data)
  const to = recipientOf(user, 'sms') ?? ''
  await sendText(tx, use.text, { to, user, networkAddress: ctx.request.networkAddress(), expiresAt }, data)
}

/** A right code, and how it was sent. */
export interface SentCode {
  readonly found: FoundCode
  readonly channel: Channel
}

/**
 * Compares a code with those that were sent by these channels, without using it.
 * @returns null when it is wrong
 * @throws ApiError OTP_HAS_EXPIRED, TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE
 */
export async function compareCode(
  app: App,
  owner: CodeOwner,
  code: string,
  sent: readonly Channel[],
  use = asFactor,
): Promise<SentCode | null> {
  const states: string[] = []
  for (const channel of sent) {
    const { allowedAttempts } = app.config.twoFactor.otpOptions
    const found = await checkCode(app, { purpose: purposeOf(use, channel), name: owner.name }, code, allowedAttempts)
    if (found.state === 'right') return { found, channel }
    states.push(found.state)
  }
  if (states.includes('wrong')) return null
  if (states.includes('exhausted')) throw new ApiError(errors.TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE)
  throw new ApiError(errors.OTP_HAS_EXPIRED)
}

/** Uses a code. Of concurrent requests one does. @throws ApiError OTP_HAS_EXPIRED to the others */
export async function consumeCode(tx: App, found: FoundCode): Promise<void> {
  if (!(await useCode(tx, found, tx.config.twoFactor.otpOptions.allowedAttempts))) throw new ApiError(errors.OTP_HAS_EXPIRED)
}
