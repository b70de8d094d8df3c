/** What a right code permits: to sign in, to sign up, and to add a number to the account of the current user. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import type { LockableNotice } from '../../core/message.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { requireSignUp } from '../../core/sign-up.ts'
import { transaction } from '../../core/transaction.ts'
import { write } from '../../core/write.ts'
import { isEmailAddress } from '../../lib/text.ts'
import { recordEvent } from '../audit/index.ts'
import { defineMails, sendMail } from '../outbox/index.ts'
import {
  type DescribedUser,
  describeUser,
  exampleUser,
  findUserByEmail,
  findUserById,
  holdUser,
  insertUser,
  lockUser,
  type UserUpdate,
  updateUser,
  userCreation,
  errors as userErrors,
  userUpdate,
} from '../users/index.ts'
import { errors, findClaimers, findUserByNumber } from './numbers.ts'
import { textsOf } from './texts.ts'

export interface NumberNotice extends LockableNotice {
  readonly user: DescribedUser
}

export const mails = defineMails(textsOf, {
  'phone-number-changed': {
    isNotice: true,
    option: ({ phoneNumber }) => phoneNumber.sendPhoneNumberChanged,
    example: (app) => ({ user: exampleUser(app) }),
  },
})

const record = (tx: App, action: 'phone-number.verified' | 'phone-number.released', userId: string): Promise<void> =>
  recordEvent(tx, { action, target: { type: 'user', id: userId } })

/**
 * Adds a verified number to a user. A user who has the number without having verified it loses it: the user who receives its text messages is its owner.
 * @param user as read in this call
 * @throws ApiError PHONE_NUMBER_ALREADY_EXISTS when another user has verified it; FAILED_TO_UPDATE_USER, also when their sign-in methods
 * have changed since they were read
 */
export async function setNumber(app: App, user: UserRow, number: string): Promise<UserRow> {
  const work = async (tx: App, draft: UserUpdate) => {
    // A thief whose session ends at this moment, by a new password, must not keep a number.
    if (!(await holdUser(tx, user))) throw new ApiError(userErrors.FAILED_TO_UPDATE_USER)
    await releaseNumber(tx, user.id, number)
    await lockUser(tx, user.id)
    const former = await findUserById(tx, user.id)
    const updated = await updateUser(tx, user.id, draft)
    if (!updated) throw new ApiError(userErrors.FAILED_TO_UPDATE_USER)
    await record(tx, 'phone-number.verified', user.id)
    if (updated.emailVerified && former?.phoneNumber !== number)
      await sendMail(tx, mails['phone-number-changed'], updated, { user: describeUser(tx, updated) })
    return updated
  }
  const columns = { phoneNumber: number, phoneNumberVerified: true }
  return write(app, [userUpdate(app, columns)], work).catch((error: unknown) => {
    throw app.database.isUniqueViolation(error) ? new ApiError(errors.PHONE_NUMBER_ALREADY_EXISTS, { cause: error }) : error
  })
}

async function releaseNumber(tx: App, userId: string, number: string): Promise<void> {
  const owner = await findUserByNumber(tx, number)
  if (owner && owner.id !== userId) throw new ApiError(errors.PHONE_NUMBER_ALREADY_EXISTS)
  await endClaims(tx, number, userId)
}

/** Ends the unverified claims of a number, except the claim of one user: the user who receives its text messages is its owner. */
async function endClaims(tx: App, number: string, exceptId = ''): Promise<void> {
  for (const { id } of await findClaimers(tx, number)) {
    if (id === exceptId) continue
    const released = await clearNumber(tx, id)
      .where('phoneNumber', '=', number)
      .where((eb) => eb.or([eb('phoneNumberVerified', 'is', null), eb('phoneNumberVerified', '=', false)]))
      .executeTakeFirst()
    if (released.numUpdatedRows > 0n) await reportRelease(tx, id)
  }
}

/**
 * Copies a verified number to the column with the unique key, in the transaction that changed the user. So a verified number belongs to
 * one user, however it was written, and any number of users may claim it.
 * @throws whatever the database throws when another user has verified the number
 */
export async function syncVerifiedNumber(tx: App, userId: string): Promise<void> {
  const former = await findVerifiedNumber(tx, userId)
  await tx.db
    .updateTable('user')
    .set((eb) => ({
      verifiedPhoneNumber: eb.case().when('phoneNumberVerified', '=', true).then(eb.ref('phoneNumber')).else(null).end(),
    }))
    .where('id', '=', userId)
    .execute()
  const number = await findVerifiedNumber(tx, userId)
  if (number !== null && number !== former) await emit(tx, 'phone-number.changed', { userId })
}

async function findVerifiedNumber(tx: App, userId: string): Promise<string | null> {
  const user = tx.db.selectFrom('user').select('verifiedPhoneNumber').where('id', '=', userId)
  return (await user.executeTakeFirst())?.verifiedPhoneNumber ?? null
}

/** Removes the number of a user, verified or not, in a transaction that has locked the user. */
export async function removeNumber(tx: App, userId: string): Promise<void> {
  const removed = await clearNumber(tx, userId).where('phoneNumber', 'is not', null).executeTakeFirst()
  if (removed.numUpdatedRows > 0n) await reportRelease(tx, userId)
}

const clearNumber = (tx: App, userId: string) =>
  tx.db.updateTable('user').set({ phoneNumber: null, phoneNumberVerified: null, updatedAt: tx.now() }).where('id', '=', userId)

async function reportRelease(tx: App, userId: string): Promise<void> {
  await emit(tx, 'user.updated', { userId })
  await record(tx, 'phone-number.released', userId)
}

/**
 * The user who has verified a number of which the code was right; created if the configuration says so. A user who only claims the
 * number is never signed in by it: their claim ends.
 * @returns null when there is none
 * @throws ApiError SIGN_UP_NOT_ALLOWED, USER_ALREADY_EXISTS, FAILED_TO_CREATE_USER, FAILED_TO_UPDATE_USER, PHONE_NUMBER_ALREADY_EXISTS
 */
export async function findOrCreateUser(app: App, number: string): Promise<UserRow | null> {
  const user = await findUserByNumber(app, number)
  const { signUpOnVerification } = app.config.phoneNumber
  if (user || !signUpOnVerification) {
    await transaction(app, (tx) => endClaims(tx, number))
    return user
  }
  const email = await freeEmail(app, await signUpOnVerification.getTempEmail(number))
  const name = (await signUpOnVerification.getTempName?.(number)) ?? number
  const fields = { phoneNumber: number, phoneNumberVerified: true }
  await requireSignUp(app, { method: 'phone-number', email: email.toLowerCase() })
  return write(app, [userCreation(app, { email, name, fields })], async (tx, draft) => {
    await endClaims(tx, number)
    const created = await insertUser(tx, draft, { method: 'phone-number' })
    await record(tx, 'phone-number.verified', created.id)
    return created
  })
}

/**
 * The placeholder, with a random part when another user has it: a stranger who signs up with the placeholder of a number must not keep
 * its owner out.
 * @throws TypeError when it is not an email address
 */
async function freeEmail(app: App, email: string): Promise<string> {
  if (!isEmailAddress(email)) throw new TypeError('phoneNumber.signUpOnVerification.getTempEmail must return an email address')
  if (!(await findUserByEmail(app, email))) return email
  const [local = '', domain = ''] = email.split('@')
  return `${local.slice(0, 40)}-${app.random.id().slice(0, 16).toLowerCase()}@${domain}`
}

/** Calls the function of the configuration for a verified number; what it throws fails the call. */
export async function notifyVerified(ctx: CallContext, phoneNumber: string, user: UserRow): Promise<void> {
  await ctx.config.phoneNumber.callbackOnVerification?.({ phoneNumber, user: describeUser(ctx, user) })
}
