/** `--username` and `--phone` of commands that create or change a user. */
import type { App } from '../../core/app.ts'
import { Failure } from '../../project/failure.ts'

interface GivenNames {
  readonly username?: string | undefined
  readonly phone?: string | undefined
  readonly phoneVerified: boolean
}

/**
 * Columns by their names; an empty text removes a value.
 * @throws Failure USERNAME_DISABLED, PHONE_NUMBER_DISABLED
 */
export function readNames({ config }: App, { username, phone, phoneVerified }: GivenNames): object {
  const disabled = (code: string, option: string) =>
    new Failure(code, `${option} is off`, {
      hint: `Set ${option}: true in the configuration. On MySQL, then run latchkey migrate generate and latchkey migrate up.`,
    })
  if (username !== undefined && !config.username.enabled) throw disabled('USERNAME_DISABLED', 'username')
  if ((phone !== undefined || phoneVerified) && !config.phoneNumber.enabled)
    throw disabled('PHONE_NUMBER_DISABLED', 'phoneNumber')
  return {
    ...(username !== undefined && { username: username || null }),
    ...(phone !== undefined && { phoneNumber: phone || null }),
    ...(phoneVerified && { phoneNumberVerified: true }),
  }
}
