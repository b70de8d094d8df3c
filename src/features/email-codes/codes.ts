/** The codes that emails carry: sent within limits, and compared with a limited number of guesses (contract 13 §4). */
import { type App, callOf } from '../../core/app.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { respondFirst, transaction } from '../../core/transaction.ts'
import { plainCode } from '../../lib/text.ts'
import { guardAttempt, type Proven } from '../attempts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { codeAccount, codeFor, countCodeRequest, mailDelay, noteMailUse, noteWrongCode } from '../email-verification/index.ts'
import { decoyMail, sendMail } from '../outbox/index.ts'
import {
  bindCode,
  type CodeName,
  checkCode,
  createCode,
  deleteToken,
  type FoundCode,
  findCodeBrowser,
  requesterOf,
  useCode,
} from '../verifications/index.ts'
import { type CodeKind, type CodeMail, errors, mails } from './mails.ts'

/** The catalogue has the code with the message of phone numbers, which the contract writes in another way. */
const otpExpired: ErrorEntry = { status: 400, code: 'OTP_EXPIRED', message: 'otp expired' }

/** What a right code proves at a sign-in. */
export const proven = { method: 'email-code', amr: ['otp', 'email'] } as const

/** The errors of calls that compare a code. */
export const codeErrors = [errors.INVALID_OTP, otpExpired, errors.TOO_MANY_ATTEMPTS]

const purposeOf = (kind: CodeKind): string => `email-code ${kind}`
/** @throws Error when the function of the configuration returns what cannot be a code */
async function makeCode(app: App, kind: CodeKind, email: string): Promise<string> {
  const { generateOTP, otpLength } = app.config.emailOTP
  if (!generateOTP) return codeFor(app, email, otpLength)
  const made: unknown = await generateOTP({ email, type: kind })
  if (typeof made !== 'string' || !/^[0-9A-Za-z]{6,32}$/.test(made))
    throw new Error('emailOTP.generateOTP must return a text of 6 to 32 letters and digits')
  return made
}

/** The browser that asks; null for a client that keeps no cookies. */
function markAsking(app: App): string | null {
  const ctx = callOf(app)
  return ctx && bindCode(ctx, 'email_otp', ctx.config.emailOTP.expiresIn)
}

/** Where a link in the same email leads. */
export interface LinkTargets {
  readonly callbackURL?: string | undefined
  readonly newUserCallbackURL?: string | undefined
  readonly errorCallbackURL?: string | undefined
}

export interface PreparingCode {
  readonly email: string
  readonly code: string
  /** The secret in the cookie of the browser that asks; null: a program asks. */
  readonly browser: string | null
  /** In seconds. */
  readonly expiresIn: number
  readonly targets: LinkTargets
}

export interface LinkOfCode {
  readonly id: string
  readonly url: string
  readonly store: (tx: App) => Promise<void>
}

export interface ComparingCode {
  readonly ctx: CallContext
  /** In lower case. */
  readonly email: string
}

/** A code of another email, which has a link too. */
export interface OtherCode extends CodeName {
  /** In seconds. */
  readonly expiresIn: number
}

interface NewEmailCode {
  /** Whom the address belongs to; null: no user. */
  readonly user: UserRow | null
  /** False: does the same work, and stores a code that is not sent. */
  readonly isSent: boolean
  /** What the code is for, when that is more than the address. */
  readonly name?: string
  readonly targets?: LinkTargets
}

/**
 * Sends a code to an email address, in place of the former one that this browser asked for. Beyond a limit nothing happens.
 * @param email in lower case
 */
export async function sendCode(
  app: App,
  kind: CodeKind,
  email: string,
  { user, isSent, name = email, targets = {} }: NewEmailCode,
): Promise<void> {
  const { expiresIn, bindToBrowser, sendVerificationOTP } = app.config.emailOTP
  const mark = markAsking(app)
  const code = await makeCode(app, kind, email)
  const hasLink = kind === 'sign-in' && typeof sendVerificationOTP !== 'function'
  const preparing = { email, code, browser: mark, expiresIn, targets }
  const { link } = hasLink ? await emit(app, 'email-code.preparing', preparing) : {}
  const expiresAt = new Date(app.now().getTime() + expiresIn * 1000)
  const row = { id: link?.id, purpose: purposeOf(kind), name, browser: bindToBrowser ? mark : null, code, expiresAt }
  const data: CodeMail = { email, otp: code, type: kind, ...requesterOf(app) }
  await transaction(app, (tx) =>
    respondFirst(tx, async (inner) => {
      const hasRoom = await countCodeRequest(inner, kind, email)
      if (hasRoom) {
        await createCode(inner, { ...row, ...(user && { value: user.id }) })
        await link?.store(inner)
      }
      await mailCode(inner, { ...data, url: link?.url }, user, hasRoom && isSent)
      const target = isSent && user ? { target: { type: 'user', id: user.id } } : {}
      await recordEvent(inner, { action: 'email-code.requested', ...target, details: { kind } })
    }),
  )
  if (isSent) app.metrics.count('sign_in_mail', { kind: `code:${kind}`, outcome: 'sent' })
}

async function mailCode(
  tx: App,
  { url, ...data }: CodeMail & { readonly url: string | undefined },
  user: UserRow | null,
  isSent: boolean,
): Promise<void> {
  const { email, type } = data
  const send = isSent ? sendMail : decoyMail
  const to = user ?? { email }
  if (type === 'change-email') return send(tx, mails['email-change-code'], { ...to, email }, data)
  await (url === undefined ? send(tx, mails['email-code'], to, data) : send(tx, mails['sign-in-email'], to, { ...data, url }))
}

/** A right code; `isSameBrowser`: this browser has asked for it. `expiresIn`: its lifetime in seconds. */
type EmailCode = FoundCode & { readonly isSameBrowser: boolean; readonly expiresIn: number }

/** Of several codes that are not right, the state that comes first here decides. */
const rejections = { wrong: null, exhausted: errors.TOO_MANY_ATTEMPTS, expired: otpExpired, missing: errors.INVALID_OTP } as const
const states = Object.keys(rejections) as (keyof typeof rejections)[]

/** The codes that this client can mean: what it has asked for, here or with a link, else what a program asked for. */
async function findCandidates(ctx: CallContext, kind: CodeKind, email: string, name: string) {
  const { bindToBrowser, expiresIn } = ctx.config.emailOTP
  const code = { purpose: purposeOf(kind), name }
  const browser = bindToBrowser ? await findCodeBrowser(ctx, 'email_otp', code) : null
  const { others = [] } = kind === 'sign-in' ? await emit(ctx, 'email-code.comparing', { ctx, email }) : {}
  const own = { name: { ...code, browser }, expiresIn, isSameBrowser: browser !== null }
  const ofLinks = others.map(({ expiresIn: lifetime, ...other }) => ({ name: other, expiresIn: lifetime, isSameBrowser: true }))
  return bindToBrowser && browser === null && ofLinks.length > 0 ? ofLinks : [own, ...ofLinks]
}

type Candidate = Awaited<ReturnType<typeof findCandidates>>[number]

async function compareCode(ctx: CallContext, candidates: readonly Candidate[], typed: string) {
  const found: (keyof typeof rejections)[] = []
  for (const { name, ...candidate } of candidates) {
    const attempt = await checkCode(ctx, name, plainCode(typed), ctx.config.emailOTP.allowedAttempts)
    if (attempt.state === 'right') return { ...attempt, ...candidate }
    found.push(attempt.state)
  }
  return { state: states.find((state) => found.includes(state)) ?? ('missing' as const) }
}

/**
 * Compares a code that was sent to an email address, without using it. A wrong code counts as a failure for the address, over all its
 * codes; where there is no code, nothing is counted, so that a stranger cannot slow down the owner.
 * @param name as it was sent with
 * @returns the code, and the attempt to settle
 * @throws ApiError `codeErrors`, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function requireCode(
  ctx: CallContext,
  kind: CodeKind,
  email: string,
  typed: string,
  name = email,
): Promise<Proven<EmailCode>> {
  const candidates = await findCandidates(ctx, kind, email, name)
  const compare = async () => {
    const attempt = await compareCode(ctx, candidates, typed)
    if (attempt.state === 'right') return attempt
    ctx.subject.hasFailed = true
    if (attempt.state === 'expired') ctx.metrics.count('sign_in_mail', { kind: `code:${kind}`, outcome: 'expired' })
    const rejection = rejections[attempt.state]
    if (rejection) throw new ApiError(rejection)
    await noteWrongCode(ctx, kind, email)
    return null
  }
  const found = await guardAttempt(ctx, codeAccount(email), compare)
  if (found) return found
  throw new ApiError(errors.INVALID_OTP)
}

/** How long ago a code was requested, in seconds. */
const secondsSince = ({ now }: App, { expiresAt, expiresIn }: EmailCode): number =>
  (now().getTime() - expiresAt.getTime()) / 1000 + expiresIn

/** For the event of a sign-in. */
export const describeUse = (app: App, found: EmailCode) => ({
  sameBrowser: found.isSameBrowser,
  ...mailDelay(secondsSince(app, found)),
})

/** Uses the code that was compared, and the link in the same email. @throws ApiError INVALID_OTP when another request has used it */
export async function consumeCode(tx: App, kind: CodeKind, found: EmailCode): Promise<void> {
  if (!(await useCode(tx, found, tx.config.emailOTP.allowedAttempts))) throw new ApiError(errors.INVALID_OTP)
  if (kind === 'sign-in') await deleteToken(tx, found.id)
  await noteMailUse(tx, `code:${kind}`, secondsSince(tx, found))
}
