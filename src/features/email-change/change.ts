import type { App } from '../../core/app.ts'
import { afterUpdate } from '../../core/database-hooks.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import {
  canVerify,
  createEmailToken,
  sendVerificationMail,
  errors as verificationErrors,
  verificationURL,
} from '../email-verification/index.ts'
import { canSend, sendMail } from '../outbox/index.ts'
import { describeUser, draftUserUpdate, findUserByEmail, updateUser } from '../users/index.ts'
import { errors } from './errors.ts'

interface AddressChange {
  /** In lower case. */
  readonly newEmail: string
  /** Where the link in the mail leads in the end; absent or empty: `/`. */
  readonly callbackURL?: string | undefined
}

/**
 * An address that nobody has proved yet is replaced at once; a proved one is asked first, and replaced by its link.
 * @returns the user when he has the new address already; null when his present one is asked
 * @throws ApiError EMAIL_IS_THE_SAME, COULDNT_UPDATE_YOUR_EMAIL, VERIFICATION_EMAIL_ISNT_ENABLED
 */
export async function changeEmail(app: App, user: UserRow, change: AddressChange): Promise<UserRow | null> {
  if (change.newEmail === user.email) throw new ApiError(errors.EMAIL_IS_THE_SAME)
  if (await findUserByEmail(app, change.newEmail)) throw new ApiError(errors.COULDNT_UPDATE_YOUR_EMAIL)
  if (!user.emailVerified) return replaceAtOnce(app, user, change)
  if (!canAsk(app)) throw new ApiError(verificationErrors.VERIFICATION_EMAIL_ISNT_ENABLED)
  await askPresentAddress(app, user, change)
  return null
}

const canAsk = (app: App) => app.config.user.changeEmail.sendChangeEmailVerification !== false && canSend(app, 'change-email')

async function replaceAtOnce(app: App, user: UserRow, { newEmail, callbackURL }: AddressChange): Promise<UserRow> {
  const columns = await draftUserUpdate(app, { email: newEmail })
  const write = async (inner: App) => {
    const updated = await updateUser(inner, user.id, columns, user.email)
    if (!updated) throw new ApiError(errors.COULDNT_UPDATE_YOUR_EMAIL)
    if (canVerify(inner)) await sendVerificationMail(inner, updated, { callbackURL })
    return updated
  }
  const updated = await transaction(app, write).catch((error: unknown) => {
    throw app.database.isUniqueViolation(error) ? new ApiError(errors.COULDNT_UPDATE_YOUR_EMAIL, { cause: error }) : error
  })
  await afterUpdate(app, 'user', updated)
  return updated
}

async function askPresentAddress(app: App, user: UserRow, { newEmail, callbackURL }: AddressChange): Promise<void> {
  const token = await createEmailToken(app, { email: user.email, updateTo: newEmail }, app.config.emailVerification.expiresIn)
  const url = verificationURL(app, token, callbackURL)
  await sendMail(app, 'change-email', user.email, { user: describeUser(app, user), newEmail, url, token })
}
