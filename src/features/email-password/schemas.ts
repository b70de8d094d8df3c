/** Rules that forms in a browser share with the API. The message of an issue is the error code of the API. */
import { z } from 'zod'
import { isEmailAddress } from '../../lib/text.ts'

/** An email address in a form. */
export const email = z.string().trim().refine(isEmailAddress, 'INVALID_EMAIL')

/** As `emailAndPassword` has them, and `GET /public-settings`. */
export interface PasswordLengths {
  readonly minPasswordLength: number
  readonly maxPasswordLength: number
}

/**
 * Checks the length in UTF-16 code units, before normalization (contract 00 §12).
 * @returns the code of the error; null when the length is allowed
 */
export function passwordLengthError(
  password: string,
  { minPasswordLength, maxPasswordLength }: PasswordLengths,
): 'PASSWORD_TOO_SHORT' | 'PASSWORD_TOO_LONG' | null {
  if (password.length < minPasswordLength) return 'PASSWORD_TOO_SHORT'
  return password.length > maxPasswordLength ? 'PASSWORD_TOO_LONG' : null
}

/** A new password in a form. The API checks more rules than its length. */
export const newPassword = (lengths: PasswordLengths): z.ZodType<string, string> =>
  z.string().superRefine((password, context) => {
    const code = passwordLengthError(password, lengths)
    if (code !== null) context.addIssue({ code: 'custom', message: code })
  })
