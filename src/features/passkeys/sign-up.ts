/**
 * Signing up with an email address and a passkey, without a password: a code verifies the address, and the user is created together with
 * the passkey. Nothing that a stranger begins can be taken over by the owner of the address, or the other way round: a code belongs to
 * the browser that asked for it, within the limits of all codes by email (contract 13 §4).
 */
import { z } from 'zod'
import { type App, isUnavailable } from '../../core/app.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import type { CallContext, SessionView, UserRow } from '../../core/request.ts'
import { admitsSignUp } from '../../core/sign-up.ts'
import { write } from '../../core/write.ts'
import { isReachableEmail } from '../../lib/placeholder-email.ts'
import { plainCode } from '../../lib/text.ts'
import { guardAttempt, settleAttempt } from '../attempts/index.ts'
import { mails as signUpMails } from '../email-password/index.ts'
import { codeAccount, codeFor, countCodeRequest, noteWrongCode } from '../email-verification/index.ts'
import { findMailboxOwner } from '../one-mailbox/index.ts'
import { decoyMail, defineMails, sendMail } from '../outbox/index.ts'
import { errors as phoneErrors } from '../phone-number/index.ts'
import { prepareNewUser } from '../sessions/index.ts'
import { findUserByEmail, findUserById, insertUser, readUserFields, userCreation, errors as userErrors } from '../users/index.ts'
import {
  bindCode,
  checkCode,
  consumeVerification,
  createCode,
  createVerificationQuietly,
  findCodeBrowser,
  findVerification,
  insertVerification,
  useCode,
  verificationCreation,
} from '../verifications/index.ts'
import { startSession } from './authentication.ts'
import { clearChallenge } from './challenge.ts'
import { codeLifetime } from './code-lifetime.ts'
import { approveOwn } from './functions.ts'
import { sendNotice } from './mails.ts'
import { signInMethod, strengthOf } from './methods.ts'
import { insertPasskey, type VerifiedRegistration } from './registration.ts'
import { errors, type PasskeyRow } from './store.ts'
import { textsOf } from './texts.ts'
import type { BrowserResponse } from './verification.ts'

const purpose = 'passkey-sign-up'
const contextPurpose = 'passkey-context'
const cookie = 'passkey_sign_up'
const codeLength = 6
const allowedAttempts = 3

export const codeErrors = {
  invalid: phoneErrors.INVALID_OTP,
  expired: { ...phoneErrors.OTP_EXPIRED, message: 'otp expired' },
  exhausted: phoneErrors.TOO_MANY_ATTEMPTS,
} as const satisfies Readonly<Record<string, ErrorEntry>>

export const codeMails = defineMails(textsOf, {
  'passkey-sign-up': {
    ...{ toStrangers: true, hasOwnLimit: true, lifetime: () => codeLifetime },
    example: () => ({ code: '482913' }),
  },
})

const stored = z.object({ email: z.string(), name: z.string(), given: z.record(z.string(), z.unknown()) })
/** Who signs up. `given`: fields as they were sent. */
export type SignUp = z.output<typeof stored>

/**
 * Sends a code to an unknown email address that may sign up, and a notice to the owner of a known one. Both take the same work, so that neither response
 * nor response time reveals which it was (ASVS 6.3.8). The code replaces one that this browser asked for before. Beyond a limit nothing
 * is sent.
 * @throws ApiError INVALID_EMAIL, those of `readUserFields`
 */
export async function requestSignUp(
  ctx: CallContext,
  { email: typed, name = '', ...given }: { email: string; name?: string | undefined },
): Promise<void> {
  if (!isReachableEmail(typed)) throw new ApiError(userErrors.INVALID_EMAIL)
  await readUserFields(ctx, given, 'create')
  const email = typed.toLowerCase()
  const browser = bindCode(ctx, cookie, codeLifetime)
  const [known, sameMailbox] = [await findUserByEmail(ctx, email), await findMailboxOwner(ctx, email)]
  const owner = known ?? sameMailbox
  const isAdmitted = await admitsSignUp(ctx, { method: signInMethod.name, email, hidesUsers: true }, owner !== null)
  const [code, token] = [await codeFor(ctx, email, codeLength), ctx.random.token(32)]
  const value: SignUp = { email, name, given }
  await createVerificationQuietly(ctx, {
    ...{ purpose, token, value: JSON.stringify(value), expiresIn: codeLifetime, isDecoy: owner !== null || !isAdmitted },
    inTransaction: async (tx, isDecoy) => {
      const expiresAt = new Date(tx.now().getTime() + codeLifetime * 1000)
      const hasRoom = await countCodeRequest(tx, purpose, email)
      if (hasRoom) await createCode(tx, { purpose, name: email, browser, code, value: token, expiresAt })
      await (hasRoom && !isDecoy ? sendMail : decoyMail)(tx, codeMails[purpose], { email }, { code })
      await (hasRoom && owner ? sendMail : decoyMail)(tx, signUpMails['account-exists'], owner ?? { email }, {})
    },
  })
}

/**
 * Compares the code that was sent to an email address, and uses it. A wrong code counts as a failure for the address, over all its codes
 * by email; where this browser has no code, nothing is counted, so that a stranger cannot slow down the owner.
 * @returns the context with which the browser registers the passkey within ten minutes
 * @throws ApiError those of `codeErrors`, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function proveSignUp(ctx: CallContext, typed: string, otp: string): Promise<string> {
  const email = typed.toLowerCase()
  const name = { purpose, name: email, browser: await findCodeBrowser(ctx, cookie, { purpose, name: email }) }
  const found = await guardAttempt(ctx, codeAccount(email), async () => {
    const attempt = await checkCode(ctx, name, plainCode(otp), allowedAttempts)
    if (attempt.state === 'right') return attempt
    ctx.subject.hasFailed = true
    if (attempt.state !== 'wrong')
      throw new ApiError(attempt.state === 'missing' ? codeErrors.invalid : codeErrors[attempt.state])
    await noteWrongCode(ctx, purpose, email)
    return null
  })
  const token = found?.value.value ?? ''
  const value = found && (await findVerification(ctx, purpose, token))
  if (!found || value === null) {
    ctx.subject.hasFailed = true
    throw new ApiError(codeErrors.invalid)
  }
  await settleAttempt(ctx, found.attempt)
  const context = ctx.random.token(32)
  const creation = verificationCreation(ctx, {
    purpose: contextPurpose,
    token: context,
    value: value ?? '',
    expiresIn: codeLifetime,
  })
  await write(ctx, [creation], async (tx, draft) => {
    const isUsed = (await useCode(tx, found.value, allowedAttempts)) && (await consumeVerification(tx, purpose, token)) !== null
    if (!isUsed) throw new ApiError(codeErrors.invalid)
    await insertVerification(tx, draft)
  })
  return context
}

/** @returns null for an unknown context, or one that has expired */
export async function findSignUp(app: App, context: string): Promise<SignUp | null> {
  const value = await findVerification(app, contextPurpose, context)
  return value === null ? null : stored.parse(JSON.parse(value))
}

interface Finished {
  readonly passkey: PasskeyRow
  readonly user: UserRow
  /** Null when none was asked for, or the database became unavailable after the user was created. */
  readonly session: SessionView | null
}

export interface SignUpToFinish {
  readonly context: string
  readonly signUp: SignUp
  readonly verified: VerifiedRegistration
  readonly response: BrowserResponse
  /** Of the passkey, as the client gave it. */
  readonly name: string
  /** Whether the client gets a session, and whether it outlives the browser; null: it gets none. */
  readonly remember: boolean | null
}

/**
 * Creates the user with a verified email address, the passkey and the session, in one transaction: a sign-up that failed leaves nothing
 * behind. When a feature may challenge new users, or a hook must see them, the session follows.
 * @throws EndOfCall; ApiError USER_ALREADY_EXISTS when another sign-up was faster; SESSION_REQUIRED, UNABLE_TO_CREATE_SESSION, and
 * those of `insertPasskey` and `insertUser`
 */
export async function finishSignUp(ctx: CallContext, wanted: SignUpToFinish): Promise<Finished> {
  const { signUp, context, remember } = wanted
  const fields = await readUserFields(ctx, signUp.given, 'create')
  const creation = userCreation(ctx, { email: signUp.email, name: signUp.name, emailVerified: true, fields })
  const shownName = { id: creation.draft.id, name: signUp.email, displayName: signUp.name || signUp.email }
  const { verified, name } = await approveOwn(ctx, { ...wanted, user: shownName })
  const passkeyId = ctx.random.id()
  const { isUserVerified } = verified.credential
  const strength = strengthOf({ passkey: verified.credential, isUserVerified })
  const kept = { remember: remember ?? true, columns: { passkeyId }, details: { userVerified: isUserVerified } }
  const proof = { kind: 'new-user', method: signInMethod.name, ...strength, ...kept } as const
  const insert = (tx: App, draft: typeof creation.draft) => insertBoth(tx, draft, { context, verified, name, passkeyId })
  const isLater = remember === null || ctx.config.databaseHooks.session.create.before !== undefined
  const entry = isLater ? null : await prepareNewUser(ctx, creation.draft.id, proof, { rejectionStatus: 400 })
  if (!entry) {
    const made = await write(ctx, [creation], insert)
    clearChallenge(ctx)
    return { ...made, session: remember === null ? null : await signInLater(ctx, { ...made, isUserVerified }, remember) }
  }
  const created = await write(ctx, [creation, entry.session.creation], async (tx, userDraft, sessionDraft) => {
    const { user, passkey } = await insert(tx, userDraft)
    return { passkey, current: await entry.session.insert(tx, sessionDraft, user) }
  })
  clearChallenge(ctx)
  return { passkey: created.passkey, user: created.current.user, session: await entry.finish(created.current) }
}

type Approved = Pick<SignUpToFinish, 'context' | 'verified'> & { readonly name: string | null }

async function insertBoth(
  tx: App,
  draft: Parameters<typeof insertUser>[1],
  { context, verified, name, passkeyId }: Approved & { readonly passkeyId: string },
): Promise<Pick<Finished, 'user' | 'passkey'>> {
  if ((await consumeVerification(tx, contextPurpose, context)) === null) throw new ApiError(errors.SESSION_REQUIRED)
  const user = await insertUser(tx, draft, { method: signInMethod.name })
  const passkey = await insertPasskey(tx, { ...verified, id: passkeyId, userId: user.id, name })
  await sendNotice(tx, 'passkey-added', user, passkey)
  return { user, passkey }
}

/** The user exists, whatever comes of the session. */
async function signInLater(
  ctx: CallContext,
  made: Pick<Finished, 'user' | 'passkey'> & { readonly isUserVerified: boolean },
  remember: boolean,
): Promise<SessionView | null> {
  const user = (await findUserById(ctx, made.user.id)) ?? made.user
  return startSession(ctx, { ...made, user }, remember, 'new-user').catch((error: unknown) => {
    if (!isUnavailable(ctx, error)) throw error
    ctx.log.warn({ err: error, userId: user.id }, 'A user signed up without a session: the database became unavailable')
    return null
  })
}
