/**
 * What follows when a client has just proved that a mailbox is theirs, with a magic link or a code that they asked for (contract 13 §6).
 * Another person may have signed up with the address and be waiting for its owner to verify it.
 */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { write } from '../../core/write.ts'
import { isSocial, listAccounts, removePassword } from '../accounts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { sendMail } from '../outbox/index.ts'
import {
  describeUser,
  findUserByEmail,
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
  readonly use: (tx: App) => Promise<void>
  /** The client has also proved to be the user, such as by the password: nothing ends. */
  readonly isKnown?: boolean
}

/**
 * Uses the proof, and verifies the email address of the user. In a browser that is not known to belong to the user, what was set up
 * before ends, unless the configuration keeps it.
 * @returns the user as they are now
 * @throws ApiError FAILED_TO_UPDATE_USER; those of `use`
 */
export async function verifyByMailbox(ctx: CallContext, user: UserRow, { use, isKnown = false }: MailboxProof): Promise<UserRow> {
  if (user.emailVerified) {
    await transaction(ctx, use)
    return user
  }
  const { revokeEarlierAccess: ends = true, onEmailVerification } = ctx.config.emailVerification
  const isByStranger = ends && !isKnown && (await isStranger(ctx, user))
  await onEmailVerification?.(userRecord(user))
  return write(ctx, [userUpdate(ctx, { emailVerified: true })], async (tx, draft) => {
    // First, because every write for a user locks the user's row before any other row.
    const ended = isByStranger ? await endEarlierAccess(tx, user) : null
    await use(tx)
    const updated = await updateUser(tx, user.id, draft, user.email)
    if (!updated) throw new ApiError(userErrors.FAILED_TO_UPDATE_USER)
    if (ended) await sendMail(tx, mails['earlier-access-ended'], updated, { user: describeUser(tx, updated), ...ended })
    return updated
  })
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
  /** How the user signs in, for the audit log. */
  readonly method: string
  /** Reads the fields of a new user; null: there are no new users. @throws ApiError before the proof is used */
  readonly newUser: (() => Promise<Omit<NewUser, 'email' | 'emailVerified'>>) | null
}

/**
 * The user with an email address of which the client has the mailbox; created if there is none. Of concurrent calls one creates the
 * user, and the others get that user.
 * @param email in lower case
 * @returns null when there is no user and none may be created; the proof is not used then
 * @throws ApiError FAILED_TO_CREATE_USER, FAILED_TO_UPDATE_USER; those of `newUser` and `use`
 */
export async function findOrCreateByMailbox(
  ctx: CallContext,
  email: string,
  { method, newUser, ...proof }: Arrival,
): Promise<{ readonly user: UserRow; readonly isNew: boolean } | null> {
  const known = await findUserByEmail(ctx, email)
  if (known) return { user: await verifyByMailbox(ctx, known, proof), isNew: false }
  if (!newUser) return null
  const creation = userCreation(ctx, { ...(await newUser()), email, emailVerified: true })
  try {
    const user = await write(ctx, [creation], async (tx, draft) => {
      await proof.use(tx)
      return insertUser(tx, draft, method)
    })
    return { user, isNew: true }
  } catch (error) {
    const isTaken = error instanceof ApiError && error.entry.code === userErrors.USER_ALREADY_EXISTS.code
    const user = isTaken ? await findUserByEmail(ctx, email) : null
    if (!user) throw error
    return { user: await verifyByMailbox(ctx, user, proof), isNew: false }
  }
}
