/**
 * What follows when a client has just proved that a mailbox is theirs, with a magic link or a code that they asked for (contract 13 §6).
 * Another person may have signed up with the address and be waiting for its owner to verify it.
 */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, SessionAndUser, UserRow } from '../../core/request.ts'
import { requireSignUp } from '../../core/sign-up.ts'
import { runBeforeHooks } from '../../core/write.ts'
import { isSocial, listAccounts, removePassword } from '../accounts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { sendMail } from '../outbox/index.ts'
import { type Claim, claimSignIn, type GivenProof, holdCurrent, errors as sessionErrors } from '../sessions/index.ts'
import {
  describeUser,
  findUserByEmail,
  holdUser,
  insertUser,
  type NewUser,
  updateUser,
  userCreation,
  errors as userErrors,
  userRecord,
  userUpdate,
} from '../users/index.ts'
import { isStranger, revokeEarlierAccess } from './earlier-access.ts'
import type { EndedNotice } from './mails.ts'
import { mails } from './mails.ts'

interface MailboxProof {
  /** Uses the link or code, in the transaction of what it permits. @throws ApiError when another request was faster */
  readonly use: (tx: App, userId: string) => Promise<void>
  /** The client has also proved to be the user, such as by the password: nothing ends. */
  readonly isKnown?: boolean
}

/**
 * Prepares to use the proof, and to verify the email address of the user. In a browser that is not known to belong to the user, what was
 * set up before ends, unless the configuration keeps it. Call it outside a transaction, because it calls hooks.
 * @returns what does so; it throws ApiError FAILED_TO_UPDATE_USER, FAILED_TO_CREATE_SESSION, and those of `use`
 */
export async function claimByMailbox(ctx: CallContext, user: UserRow, { use, isKnown = false }: MailboxProof): Promise<Claim> {
  if (user.emailVerified)
    return async (tx) => {
      const current = await holdCurrent(tx, user)
      if (current?.email !== user.email) throw new ApiError(sessionErrors.FAILED_TO_CREATE_SESSION)
      await use(tx, user.id)
      return current
    }
  const { revokeEarlierAccess: ends = true, onEmailVerification } = ctx.config.emailVerification
  const isByStranger = ends && !isKnown && (await isStranger(ctx, user))
  await onEmailVerification?.(userRecord(user))
  const [draft] = await runBeforeHooks(ctx, [userUpdate(ctx, { emailVerified: true })])
  return async (tx) => {
    if (!isByStranger) await holdUser(tx, { id: user.id })
    const ended = isByStranger ? await endEarlierAccess(tx, user) : null
    await use(tx, user.id)
    const updated = await updateUser(tx, user.id, draft, user.email)
    if (!updated) throw new ApiError(userErrors.FAILED_TO_UPDATE_USER)
    if (ended) await sendMail(tx, mails['earlier-access-ended'], updated, { user: describeUser(tx, updated), ...ended })
    return updated
  }
}

/** @returns null when there was nothing to end */
async function endEarlierAccess(tx: App, user: UserRow): Promise<Omit<EndedNotice, 'user'> | null> {
  const accounts = await listAccounts(tx, user.id)
  const providers = accounts.filter(isSocial).map(({ providerId }) => providerId)
  const phoneNumber = Boolean(Reflect.get(user, 'phoneNumber'))
  let password = false
  const ended = await revokeEarlierAccess(tx, user, async (inner, id) => {
    password = await removePassword(inner, id, true)
  })
  if (!ended) return null
  const details = { password, providers, phoneNumber, ...ended }
  const counts = Object.values(ended)
  if (!password && !phoneNumber && providers.length === 0 && counts.every((count) => count === 0)) return null
  await recordEvent(tx, { action: 'earlier-access.ended', target: { type: 'user', id: user.id }, details })
  return details
}

interface Arrival extends MailboxProof {
  /** Reads the fields of a new user; null: there are no new users. @throws ApiError before the proof is used */
  readonly newUser: (() => Promise<Omit<NewUser, 'email' | 'emailVerified'>>) | null
  /** What the sign-in of a new or of a known user comes from. */
  readonly proof: (isNew: boolean) => GivenProof
}

/** Prepares to create the user. Call it outside a transaction, because it calls a hook. */
async function claimNew(
  ctx: CallContext,
  given: NewUser,
  { use, method }: Pick<MailboxProof, 'use'> & Pick<GivenProof, 'method'>,
) {
  const [draft] = await runBeforeHooks(ctx, [userCreation(ctx, given)])
  return async (tx: App): Promise<UserRow> => {
    await use(tx, draft.id)
    return insertUser(tx, draft, { method })
  }
}

/**
 * Signs in the user with an email address of which the client has the mailbox; the user is created if there is none. The use of the proof,
 * what it changes and the session or challenge are one transaction. Of concurrent calls one creates the user, and the others get that user.
 * @param email in lower case
 * @returns null when there is no user and none may be created; the proof is not used then
 * @throws EndOfCall with a challenge; ApiError SIGN_UP_NOT_ALLOWED, FAILED_TO_CREATE_USER, FAILED_TO_UPDATE_USER, FAILED_TO_CREATE_SESSION; those of `newUser` and
 * `use`
 */
export async function signInByMailbox(
  ctx: CallContext,
  email: string,
  { newUser, proof, ...given }: Arrival,
): Promise<(SessionAndUser & { readonly isNew: boolean }) | null> {
  const signInKnown = async (user: UserRow) => {
    const signedIn = await claimSignIn(ctx, proof(false), await claimByMailbox(ctx, user, given))
    return { ...signedIn, isNew: false }
  }
  const known = await findUserByEmail(ctx, email)
  if (known) return signInKnown(known)
  if (!newUser) return null
  const first = { kind: 'new-user', ...proof(true) } as const
  // Before the proof is used: it works once the policy admits its owner.
  await requireSignUp(ctx, { method: first.method, email })
  const claim = await claimNew(ctx, { ...(await newUser()), email, emailVerified: true }, { ...first, ...given })
  try {
    return { ...(await claimSignIn(ctx, first, claim)), isNew: true }
  } catch (error) {
    const isTaken = error instanceof ApiError && error.entry.code === userErrors.USER_ALREADY_EXISTS.code
    const user = isTaken ? await findUserByEmail(ctx, email) : null
    if (!user) throw error
    return signInKnown(user)
  }
}
