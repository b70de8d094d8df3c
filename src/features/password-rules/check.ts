import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { isBreached } from '../../lib/breached-passwords.ts'
import { contextWords, isMadeOf, type PasswordOwner } from './context-words.ts'
import { errors } from './errors.ts'

/**
 * Whether a password may be taken as a new one: asked before it is hashed, wherever one is set. Its length is checked
 * elsewhere, since the wire has other checks in between.
 * @param owner whom it is for; what is known of him
 * @throws ApiError PASSWORD_COMPROMISED, PASSWORD_TOO_PERSONAL
 */
export async function checkNewPassword(app: App, password: string, owner: PasswordOwner): Promise<void> {
  const { enabled, blockCommon, contextWords: withWords } = app.config.passwordRules
  if (!enabled) return
  if (blockCommon && isBreached(password)) throw new ApiError(errors.PASSWORD_COMPROMISED)
  if (withWords && isMadeOf(contextWords(app.config, owner), password)) throw new ApiError(errors.PASSWORD_TOO_PERSONAL)
}
