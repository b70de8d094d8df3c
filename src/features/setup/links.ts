import type { App } from '../../core/app.ts'
import { apiURL } from '../../core/base-url.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { changePassword } from '../accounts/index.ts'
import { type Caller, guardAttempt } from '../attempts/index.ts'
import { checkPasswordLength, hashPassword } from '../email-password/index.ts'
import { checkNewPassword } from '../password-rules/index.ts'
import { findUserById } from '../users/index.ts'
import { consumeVerification, createVerification, findVerification, hasVerification } from '../verifications/index.ts'
import { errors } from './errors.ts'

export const purpose = 'set-up'

/** A link, shown once, whose holder may set the password of this user. */
export async function createSetupLink(app: App, userId: string): Promise<string> {
  const token = app.random.token(32)
  await createVerification(app, { purpose, token, value: userId, subject: userId, expiresIn: app.config.seed.setupLinkExpiresIn })
  return `${apiURL(app.config)}/set-up?token=${token}`
}

export const hasSetupLink = (app: App, userId: string): Promise<boolean> => hasVerification(app, purpose, userId)

/** Whose password the link may still set, or null; looking does not use it up. */
export async function findSetupUser(app: App, token: string): Promise<UserRow | null> {
  const userId = await findVerification(app, purpose, token)
  return userId === null ? null : findUserById(app, userId)
}

/**
 * The same for whoever sends it, whose guesses are counted.
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export const proveSetupLink = (ctx: Caller, token: string): Promise<UserRow | null> =>
  guardAttempt(ctx, purpose, () => findSetupUser(ctx, token), { shared: 'perNetwork' })

/**
 * Uses the link up and sets the password, both or neither.
 * @throws ApiError INVALID_TOKEN, PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, PASSWORD_COMPROMISED, PASSWORD_TOO_PERSONAL,
 * SERVICE_UNAVAILABLE, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function setPasswordByLink(ctx: Caller, token: string, password: string): Promise<void> {
  checkPasswordLength(ctx, password)
  // Hashing is costly: a made-up token must not buy any.
  const user = await proveSetupLink(ctx, token)
  if (!user) throw new ApiError(errors.INVALID_TOKEN)
  await checkNewPassword(ctx, password, user)
  const passwordHash = await hashPassword(ctx, password)
  await changePassword(ctx, user.id, {
    passwordHash,
    together: async (inner) => {
      if ((await consumeVerification(inner, purpose, token)) === null) throw new ApiError(errors.INVALID_TOKEN)
    },
  })
}
