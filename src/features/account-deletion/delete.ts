import type { App } from '../../core/app.ts'
import { apiURL } from '../../core/base-url.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { type Caller, guardAttempt } from '../attempts/index.ts'
import { canSend, sendMail } from '../outbox/index.ts'
import { deleteUser, describeUser, userRecord } from '../users/index.ts'
import { consumeVerification, createVerification, findVerification } from '../verifications/index.ts'
import { unknownToken } from './errors.ts'

export const purpose = 'delete-account'
const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Whether an account is deleted only by a link that was mailed to it. */
export const asksByMail = (app: App): boolean =>
  Boolean(app.config.user.deleteUser.sendDeleteAccountVerification) && canSend(app, 'delete-account')

/** Sends the link that deletes. @param callbackURL where it leads in the end; absent or empty: `/` */
export async function sendDeletionMail(app: App, user: UserRow, callbackURL: string | undefined): Promise<void> {
  const token = app.random.token(32, alphabet)
  const url = `${apiURL(app.config)}/delete-user/callback?token=${token}&callbackURL=${encodeURIComponent(callbackURL || '/')}`
  const expiresIn = app.config.user.deleteUser.deleteTokenExpiresIn
  const verification = { purpose, token, value: user.id, subject: user.id, expiresIn }
  await createVerification(app, verification, (inner) =>
    sendMail(inner, 'delete-account', user.email, { user: describeUser(inner, user), url, token }),
  )
}

/**
 * Deletes an account at once. Of several calls at once one does it.
 * @throws ApiError UNAUTHORIZED when somebody else was quicker; whatever `beforeDelete` throws
 */
export const deleteAccount = (app: App, user: UserRow): Promise<void> =>
  removeAccount(app, user, async (inner) => {
    if (!(await deleteUser(inner, user.id))) throw new ApiError(kernelErrors.UNAUTHORIZED)
  })

/**
 * Deletes an account by the link that was mailed to it.
 * @throws ApiError INVALID_TOKEN when there is no such link, it is another's, or somebody else was quicker;
 * TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER; whatever `beforeDelete` throws
 */
export async function deleteAccountByToken(ctx: Caller, user: UserRow, token: string): Promise<void> {
  const prove = async () => (await findVerification(ctx, purpose, token)) === user.id || null
  if (!(await guardAttempt(ctx, purpose, prove, { shared: 'perAccount' }))) throw new ApiError(unknownToken)
  await removeAccount(ctx, user, async (inner) => {
    const userId = await consumeVerification(inner, purpose, token)
    if (userId !== user.id || !(await deleteUser(inner, user.id))) throw new ApiError(unknownToken)
  })
}

async function removeAccount(app: App, user: UserRow, remove: (app: App) => Promise<void>): Promise<void> {
  const { beforeDelete, afterDelete } = app.config.user.deleteUser
  await beforeDelete?.(userRecord(user))
  await transaction(app, remove)
  await afterDelete?.(userRecord(user))
}
