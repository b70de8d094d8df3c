import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { changePassword, findCredentialAccount } from '../accounts/index.ts'
import type { Caller } from '../attempts/index.ts'
import { checkPasswordLength, hashPassword, errors as passwordErrors, proveOwnPassword } from '../email-password/index.ts'
import { checkNewPassword } from '../password-rules/index.ts'
import { revokeUserSessions } from '../sessions/index.ts'
import { findUserById } from '../users/index.ts'
import { errors } from './errors.ts'

interface OwnChange {
  readonly currentPassword: string
  readonly newPassword: string
  /** All of them, also the caller's: his next one is begun afterwards. */
  readonly revokeSessions: boolean
}

/**
 * Replaces a password by whoever knows it. Of several who know it at once one replaces it: the others have not proved the new one.
 * @returns the user as he is with the new one, for whom a session may begin
 * @throws ApiError PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, CREDENTIAL_ACCOUNT_NOT_FOUND, INVALID_PASSWORD, those of `checkNewPassword`
 */
export async function changeOwnPassword(ctx: Caller, user: UserRow, change: OwnChange): Promise<UserRow> {
  checkPasswordLength(ctx, change.newPassword)
  const replacing = await proveOwnPassword(ctx, user, change.currentPassword)
  await checkNewPassword(ctx, change.newPassword, user)
  const after: { user: UserRow | null } = { user: null }
  const isChanged = await changePassword(ctx, user.id, {
    passwordHash: await hashPassword(ctx, change.newPassword),
    replacing,
    together: async (inner) => {
      if (change.revokeSessions) await revokeUserSessions(inner, user.id)
      after.user = await findUserById(inner, user.id)
    },
  })
  if (!isChanged || !after.user) throw new ApiError(passwordErrors.INVALID_PASSWORD)
  return after.user
}

/**
 * A first password for a user who has none; for operators and for what is asked for on his behalf, never by HTTP (contract 01 §7).
 * @throws ApiError PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, USER_ALREADY_HAS_A_PASSWORD, those of `checkNewPassword`
 */
export async function setFirstPassword(app: App, user: UserRow, newPassword: string): Promise<void> {
  checkPasswordLength(app, newPassword)
  if ((await findCredentialAccount(app, user.id))?.password) throw new ApiError(errors.USER_ALREADY_HAS_A_PASSWORD)
  await checkNewPassword(app, newPassword, user)
  const isSet = await changePassword(app, user.id, { passwordHash: await hashPassword(app, newPassword), replacing: null })
  if (!isSet) throw new ApiError(errors.USER_ALREADY_HAS_A_PASSWORD)
}

/**
 * Another password for a user, by somebody who answers for it: links by which it could be set again no longer work, and all his
 * sessions end with the former one.
 * @param options.keepSessions leave them
 * @returns how many sessions have ended; null when the user is gone
 * @throws ApiError PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, those of `checkNewPassword`
 */
export async function setPasswordForUser(
  app: App,
  user: UserRow,
  newPassword: string,
  { keepSessions = false } = {},
): Promise<number | null> {
  checkPasswordLength(app, newPassword)
  await checkNewPassword(app, newPassword, user)
  let ended = 0
  const isSet = await changePassword(app, user.id, {
    passwordHash: await hashPassword(app, newPassword),
    isOwn: false,
    together: async (inner) => {
      if (!keepSessions) ended = await revokeUserSessions(inner, user.id)
    },
  })
  return isSet ? ended : null
}
