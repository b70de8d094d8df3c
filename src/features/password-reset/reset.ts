import type { App } from '../../core/app.ts'
import { apiURL } from '../../core/base-url.ts'
import { ApiError } from '../../core/errors.ts'
import { changePassword } from '../accounts/index.ts'
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

/** Whether the link may still be used; looking does not use it up. */
export const isResetToken = async (app: App, token: string): Promise<boolean> =>
  (await findVerification(app, purpose, token)) !== null

/**
 * Uses a link up and puts the password in force, both or neither.
 * @throws ApiError PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, INVALID_TOKEN, those of `checkNewPassword`, SERVICE_UNAVAILABLE
 */
export async function resetPassword(app: App, token: string, password: string): Promise<void> {
  checkPasswordLength(app, password)
  const userId = await findVerification(app, purpose, token)
  const user = userId === null ? null : await findUserById(app, userId)
  if (!user) throw new ApiError(errors.INVALID_TOKEN)
  await checkNewPassword(app, password, user)
  const isChanged = await changePassword(app, user.id, {
    passwordHash: await hashPassword(app, password),
    together: async (inner) => {
      if ((await consumeVerification(inner, purpose, token)) !== user.id) throw new ApiError(errors.INVALID_TOKEN)
      if (inner.config.emailAndPassword.revokeSessionsOnPasswordReset) await revokeUserSessions(inner, user.id)
    },
  })
  if (!isChanged) throw new ApiError(errors.INVALID_TOKEN)
}
