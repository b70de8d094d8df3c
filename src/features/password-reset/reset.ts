import type { App } from '../../core/app.ts'
import { apiURL } from '../../core/base-url.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { changePassword } from '../accounts/index.ts'
import { type Caller, guardAttempt } from '../attempts/index.ts'
import { checkPasswordLength, hashPassword } from '../email-password/index.ts'
import { canSend, pretendMail, sendMail } from '../outbox/index.ts'
import { checkNewPassword } from '../password-rules/index.ts'
import { revokeUserSessions } from '../sessions/index.ts'
import { describeUser, findUserByEmail, findUserById } from '../users/index.ts'
import {
  consumeVerification,
  createVerification,
  findVerification,
  pretendVerification,
  errors as verificationErrors,
} from '../verifications/index.ts'
import { errors } from './errors.ts'

export const purpose = 'reset-password'

/** Whether links to a new password can be sent. */
export const canReset = (app: App): boolean =>
  app.config.emailAndPassword.sendResetPassword !== false && canSend(app, 'reset-password')

/**
 * Sends a link to a new password; for an unknown address it does as much for nothing, so that neither answer nor time tells.
 * @param redirectTo where the link leads in the end; checked already
 */
export async function requestReset(app: App, email: string, redirectTo: string | undefined): Promise<void> {
  const token = app.random.token(24)
  const { resetPasswordTokenExpiresIn: expiresIn } = app.config.emailAndPassword
  const user = await findUserByEmail(app, email)
  const url = `${apiURL(app.config)}/reset-password/${token}?callbackURL=${encodeURIComponent(redirectTo ?? '')}`
  const pretend = () => pretendVerification(app, (inner) => pretendMail(inner, 'reset-password', { url, token }))
  if (!user) return pretend()
  const verification = { purpose, token, value: user.id, subject: user.id, expiresIn }
  const send = (inner: App) => sendMail(inner, 'reset-password', user.email, { user: describeUser(inner, user), url, token })
  await createVerification(app, verification, send).catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || error.entry !== verificationErrors.FAILED_TO_CREATE_VERIFICATION) throw error
    // A hook that refuses must not tell either that there is somebody to refuse.
    await pretend()
  })
}

/**
 * Whose password the link may still replace, or null; looking does not use it up. Guesses are counted.
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export const findResetUser = (ctx: Caller, token: string): Promise<UserRow | null> =>
  guardAttempt(
    ctx,
    purpose,
    async () => {
      const userId = await findVerification(ctx, purpose, token)
      return userId === null ? null : findUserById(ctx, userId)
    },
    { shared: 'perAccount' },
  )

/**
 * Uses a link up and puts the password in force, both or neither.
 * @throws ApiError PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, INVALID_TOKEN, those of `checkNewPassword`, SERVICE_UNAVAILABLE,
 * TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function resetPassword(ctx: Caller, token: string, password: string): Promise<void> {
  checkPasswordLength(ctx, password)
  const user = await findResetUser(ctx, token)
  if (!user) throw new ApiError(errors.INVALID_TOKEN)
  await checkNewPassword(ctx, password, user)
  const isChanged = await changePassword(ctx, user.id, {
    passwordHash: await hashPassword(ctx, password),
    together: async (inner) => {
      if ((await consumeVerification(inner, purpose, token)) !== user.id) throw new ApiError(errors.INVALID_TOKEN)
      if (inner.config.emailAndPassword.revokeSessionsOnPasswordReset) await revokeUserSessions(inner, user.id)
    },
  })
  if (!isChanged) throw new ApiError(errors.INVALID_TOKEN)
}
