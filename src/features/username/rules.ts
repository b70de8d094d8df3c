/** Which usernames are valid, and the form in which they are stored and compared. */
import type { App } from '../../core/app.ts'
import { ApiError, defineErrors } from '../../core/errors.ts'
import type { Config } from '../index.ts'

export const errors = defineErrors({
  INVALID_USERNAME_OR_PASSWORD: [401, 'invalid username or password'],
  USERNAME_IS_TOO_SHORT: [422, 'username is too short'],
  USERNAME_IS_TOO_LONG: [422, 'username is too long'],
  USERNAME_IS_INVALID: [422, 'username is invalid'],
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: [422, 'username is already taken. please try another.'],
})

export const ruleErrors = [errors.USERNAME_IS_TOO_SHORT, errors.USERNAME_IS_TOO_LONG, errors.USERNAME_IS_INVALID]

/** Characters of the columns. */
export const columnLength = 255

const simple = /^[a-zA-Z0-9_.]+$/
/** Control characters, and spaces at either end, which some databases ignore when they compare. */
const unprintable = /\p{C}|^\p{Z}|\p{Z}$/u

const isAccepted = async ({ username: { usernameValidator } }: Config, text: string): Promise<boolean> =>
  !unprintable.test(text) && (usernameValidator ? (await usernameValidator(text)) === true : simple.test(text))

/**
 * Reads a username as typed. A validator of the configuration may accept more than ASCII: characters that look the same or differ in
 * their encoding only (Unicode NFKC) are then one username.
 * @returns the form that is stored: in lower case
 * @throws ApiError USERNAME_IS_TOO_SHORT, USERNAME_IS_TOO_LONG, USERNAME_IS_INVALID
 */
export async function readUsername({ config }: App, typed: string): Promise<string> {
  if (typed.length < config.username.minUsernameLength) throw new ApiError(errors.USERNAME_IS_TOO_SHORT)
  if (typed.length > config.username.maxUsernameLength) throw new ApiError(errors.USERNAME_IS_TOO_LONG)
  if (!typed.isWellFormed() || !(await isAccepted(config, typed))) throw new ApiError(errors.USERNAME_IS_INVALID)
  const compatible = typed.normalize('NFKC')
  // A few letters have another compatible form in lower case than as typed.
  const stored = compatible.toLowerCase().normalize('NFKC')
  if (stored.length > columnLength) throw new ApiError(errors.USERNAME_IS_TOO_LONG)
  // Otherwise the other form could have characters that the validator does not accept.
  if (compatible !== typed && !(await isAccepted(config, compatible))) throw new ApiError(errors.USERNAME_IS_INVALID)
  return stored
}
