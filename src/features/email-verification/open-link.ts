/** What a verification link does when it is opened: verifies an email address, or completes a change of one. */
import type { App } from '../../core/app.ts'
import { holdCredential } from '../../core/credential-hold.ts'
import { ApiError } from '../../core/errors.ts'
import { EndOfCall } from '../../core/reply.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import type { Proof } from '../../core/sign-in.ts'
import { errors as signUpErrors } from '../../core/sign-up.ts'
import { transaction } from '../../core/transaction.ts'
import { write } from '../../core/write.ts'
import { guardSharedAttempt, settleAttempt } from '../attempts/index.ts'
import { findMailboxOwner } from '../one-mailbox/index.ts'
import { reissueSession, signIn } from '../sessions/index.ts'
import { findUserByEmail, findUserById, holdUser, type UserUpdate, updateUser, userRecord, userUpdate } from '../users/index.ts'
import { claimToken, consumeToken, releaseToken } from '../verifications/index.ts'
import { isOpenedByUser, isStranger, revokeEarlierAccess } from './earlier-access.ts'
import {
  canVerify,
  changeClaims,
  decoyVerificationMail,
  type EmailToken,
  readEmailToken,
  sendVerificationMail,
} from './verification-links.ts'

export const linkErrorCodes = [
  'token_expired',
  'invalid_token',
  'user_not_found',
  'unauthorized',
  'email_already_exists',
  'signup_not_allowed',
] as const
export type LinkFailure = { readonly error: (typeof linkErrorCodes)[number] }
/** The user whose email address was replaced; null when one was verified. `isPending`: a link to the new one must follow. */
export type Outcome = LinkFailure | { readonly user: UserRow | null; readonly isPending?: boolean }

/** The second email of a change of email address has no option of its own (contract 07). */
const secondMailExpiresInSeconds = 3600

/**
 * Where the browser continues, also after the link to a new email address; whether the call redirects there itself; and the attempt
 * by which the visitor has given a password too.
 */
type LinkTarget = Partial<Pick<Proof, 'callbackURL' | 'reply' | 'attempt'>>

/**
 * Opens a verification link (contract 01 §4): reads the token, finds the user, claims its single use, then verifies the email
 * address or replaces it. A link that is opened again gets the same response and changes nothing, because mail scanners open
 * links and users click twice.
 */
export async function openVerificationLink(ctx: CallContext, token: string, target: LinkTarget): Promise<Outcome> {
  const link = await readLink(ctx, token)
  if ('error' in link) return link
  const { user, read } = link
  if (read.updateTo !== undefined) return replaceAddress(ctx, user, read, read.updateTo, target.callbackURL)
  const used = await verifyAddress(ctx, link, () => writeVerified(ctx, link), target)
  return 'error' in used ? used : { user: null }
}

/** A verification link whose token is genuine, and the user who has its email address. It may have been used. */
export interface OpenedLink {
  readonly user: UserRow
  readonly read: EmailToken
}

/**
 * Reads the token of a link, without using it. A forged one counts as a failed attempt.
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function readLink(ctx: CallContext, token: string): Promise<OpenedLink | LinkFailure> {
  const read = await readGuarded(ctx, token)
  if ('error' in read) return read
  const user = await findUserByEmail(ctx, read.email)
  // A thief must not verify an address of a locked account.
  return user && !user.lockedAt ? { user, read } : { error: 'user_not_found' }
}

/** A forged token counts as a failed attempt; an expired one does not. */
async function readGuarded(ctx: CallContext, token: string): Promise<EmailToken | LinkFailure> {
  const read = await guardSharedAttempt(
    ctx,
    { claim: 'verify-email', networkAddress: ctx.request.networkAddress(), policy: 'perAccount' },
    async () => {
      const found = await readEmailToken(ctx, token)
      return 'error' in found && found.error === 'invalid_token' ? null : found
    },
  )
  return read ?? { error: 'invalid_token' }
}

/** @returns the result of `work`; when it fails, the token can be used again */
async function useOnce<T extends object>(
  app: App,
  { name }: EmailToken,
  work: () => Promise<T | LinkFailure>,
): Promise<T | LinkFailure> {
  try {
    const done = await work()
    if ('error' in done) await releaseToken(app, name)
    return done
  } catch (error) {
    await releaseToken(app, name)
    throw error
  }
}

/**
 * Uses a link that verifies an email address, unless it was used, and signs the visitor in if the configuration says so.
 * A challenge leaves the address verified, and the link used.
 * @param verify writes that the address is verified, and consumes the token, in one transaction
 * @returns whether this was the first use
 */
export async function verifyAddress(
  ctx: CallContext,
  { user, read }: OpenedLink,
  verify: () => Promise<UserRow | LinkFailure>,
  target: LinkTarget,
): Promise<{ readonly isFirst: boolean } | LinkFailure> {
  const isFirst = await claimToken(ctx, read.name)
  const confirmed = isFirst ? await useOnce(ctx, read, verify) : user
  if ('error' in confirmed) return confirmed
  const { autoSignInAfterVerification: signsIn } = ctx.config.emailVerification
  const current = signsIn ? await ctx.identify() : null
  // Never over the session of another user: the sender of the link could sign this visitor in to their own account (ASVS 7.6.2).
  if (signsIn && isFirst && !current && isOpenedByUser(ctx)) {
    const proof = { method: 'verification-link', amr: ['email'], ...target }
    await signIn(ctx, confirmed, proof, { recheck: (tx) => findUserByEmail(tx, user.email) }).catch((error: unknown) => {
      if (!(error instanceof EndOfCall) || target.reply !== 'none') throw error
    })
    return { isFirst }
  }
  if (current?.user.id === user.id) await reissueSession(ctx, current.session)
  await settleAttempt(ctx, target.attempt)
  return { isFirst }
}

/**
 * Writes that the email address is verified.
 * @param isKnown whether the visitor has proved to be the user
 */
export async function writeVerified(
  ctx: CallContext,
  { user, read }: OpenedLink,
  isKnown = false,
): Promise<UserRow | LinkFailure> {
  const { revokeEarlierAccess: isStrict, onEmailVerification } = ctx.config.emailVerification
  const isByStranger = isStrict && !isKnown && (await isStranger(ctx, user))
  await onEmailVerification?.(userRecord(user))
  return write(ctx, [userUpdate(ctx, { emailVerified: true })], async (tx, draft) => {
    if (isByStranger) await revokeEarlierAccess(tx, user)
    await consumeToken(tx, read.name, read.expiresAt)
    return (await updateUser(tx, user.id, draft, user.email)) ?? { error: 'user_not_found' as const }
  })
}

async function replaceAddress(
  ctx: CallContext,
  user: UserRow,
  token: EmailToken,
  email: string,
  callbackURL: string | undefined,
): Promise<Outcome> {
  const current = await ctx.identify()
  if (current?.user.id !== user.id) return { error: 'unauthorized' }
  holdCredential(ctx, current)
  const isPending = ctx.config.emailAndPassword.antiEnumeration && !token.provesNew
  if (!(await claimToken(ctx, token.name))) return { user: await findUserById(ctx, user.id), isPending }
  if (isPending) return sendNewLink(ctx, user, token, email, callbackURL)
  const work = async (tx: App, draft: UserUpdate) => {
    if (!(await holdRequester(tx, user, token))) return { error: 'invalid_token' as const }
    await consumeToken(tx, token.name, token.expiresAt)
    const updated = await updateUser(tx, user.id, draft, user.email)
    if (!updated) return { error: 'user_not_found' as const }
    if (canVerify(tx) && !token.provesNew)
      await sendVerificationMail(tx, updated, { callbackURL, expiresIn: secondMailExpiresInSeconds })
    return updated
  }
  const replaced = await useOnce(ctx, token, async () => {
    if (await findUserByEmail(ctx, email)) return { error: 'email_already_exists' as const }
    return write(ctx, [userUpdate(ctx, { email, emailVerified: token.provesNew })], work).catch((error: unknown) => {
      if (ctx.database.isUniqueViolation(error)) return { error: 'email_already_exists' as const }
      if (isNotAllowed(error)) return { error: 'signup_not_allowed' as const }
      throw error
    })
  })
  if ('error' in replaced) return replaced
  await reissueSession(ctx, current.session)
  return { user: replaced }
}

/** The sign-up policy may have changed since the link was sent. */
const isNotAllowed = (error: unknown): boolean =>
  error instanceof ApiError && error.entry.code === signUpErrors.SIGN_UP_NOT_ALLOWED.code

/** Locks the user. @returns false when their sign-in methods have changed since they requested the change of email address */
const holdRequester = (tx: App, user: UserRow, { accessRevision = user.accessRevision }: EmailToken): Promise<boolean> =>
  holdUser(tx, { ...user, accessRevision })

/**
 * With `antiEnumeration` the current email address only confirms the change, and the link in an email to the new one completes it:
 * a change before that would reveal to the user whether the new email address is known.
 */
const sendNewLink = (
  ctx: CallContext,
  user: UserRow,
  token: EmailToken,
  email: string,
  callbackURL: string | undefined,
): Promise<Outcome> =>
  useOnce(ctx, token, async () => {
    const owner = (await findUserByEmail(ctx, email)) ?? (await findMailboxOwner(ctx, email, user))
    const send = owner ? decoyVerificationMail : sendVerificationMail
    const claims = { ...changeClaims(user, email), provesNew: true }
    return transaction(ctx, async (tx) => {
      if (!(await holdRequester(tx, user, token))) return { error: 'invalid_token' as const }
      await consumeToken(tx, token.name, token.expiresAt)
      await send(tx, { ...user, email, emailVerified: false }, { callbackURL, claims, expiresIn: secondMailExpiresInSeconds })
      return { user, isPending: true }
    })
  })
