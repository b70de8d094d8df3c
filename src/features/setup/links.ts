import type { App } from '../../core/app.ts'
import { apiURL } from '../../core/base-url.ts'
import { ApiError } from '../../core/errors.ts'
import { transaction } from '../../core/transaction.ts'
import { setCredentialPassword } from '../accounts/index.ts'
import { checkPasswordLength, hashPassword } from '../email-password/index.ts'
import { consumeVerification, createVerification, findVerification, hasVerification } from '../verifications/index.ts'
import { errors } from './errors.ts'

const purpose = 'set-up'

/** A link, shown once, whose holder may set the password of this user. */
export async function createSetupLink(app: App, userId: string): Promise<string> {
  const token = app.random.token(32)
  await createVerification(app, { purpose, token, value: userId, subject: userId, expiresIn: app.config.seed.setupLinkExpiresIn })
  return `${apiURL(app.config)}/set-up?token=${token}`
}

export const hasSetupLink = (app: App, userId: string): Promise<boolean> => hasVerification(app, purpose, userId)

/** Whether the link may still be used; looking does not use it up. */
export const isSetupToken = async (app: App, token: string): Promise<boolean> => (await findVerification(app, purpose, token)) !== null

/**
 * Uses the link up and sets the password, both or neither.
 * @throws ApiError INVALID_TOKEN, PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, SERVICE_UNAVAILABLE
 */
export async function setPasswordByLink(app: App, token: string, password: string): Promise<void> {
  checkPasswordLength(app, password)
  // Hashing is costly: a made-up token must not buy any.
  if (!(await isSetupToken(app, token))) throw new ApiError(errors.INVALID_TOKEN)
  const passwordHash = await hashPassword(app, password)
  await transaction(app, async (inner) => {
    const userId = await consumeVerification(inner, purpose, token)
    if (userId === null) throw new ApiError(errors.INVALID_TOKEN)
    await setCredentialPassword(inner, userId, passwordHash)
  })
}
