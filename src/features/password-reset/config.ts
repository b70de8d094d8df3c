import { z } from 'zod'
import { callback, flagged } from '../../core/config.ts'
import type { LinkMail } from '../email-verification/index.ts'

export const config = {
  emailAndPassword: flagged('Signing up and in by address and password', {
    sendResetPassword: z
      .union([z.boolean(), callback<(mail: LinkMail) => unknown>()])
      .optional()
      .describe(
        'Function that sends the link to a new password in place of our own mail; `false` sends none. Default: our own, when mail is configured',
      ),
    resetPasswordTokenExpiresIn: z.int().positive().max(86_400).default(3600).describe('Life of that link, in seconds'),
    revokeSessionsOnPasswordReset: z
      .boolean()
      .default(true)
      .describe('End all sessions of a user who sets a new password by that link'),
  }),
}
