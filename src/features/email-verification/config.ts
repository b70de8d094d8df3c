import { z } from 'zod'
import { callback, group } from '../../core/config.ts'
import type { DescribedUser, UserRecord } from '../users/index.ts'

/** What a function that sends a link is given; times of the user are texts. */
export interface LinkMail {
  readonly user: DescribedUser
  readonly url: string
  readonly token: string
}

export const config = {
  emailVerification: group('Proving that an address is one’s own', {
    sendVerificationEmail: z
      .union([z.boolean(), callback<(mail: LinkMail) => unknown>()])
      .optional()
      .describe(
        'Function that sends the link in place of our own mail; `false` sends none. Default: our own, when mail is configured',
      ),
    sendOnSignUp: z.boolean().default(false).describe('Send a link to every new address'),
    autoSignInAfterVerification: z.boolean().default(false).describe('Begin a session when the link is followed'),
    expiresIn: z.int().positive().max(604_800).default(3600).describe('Life of a link, in seconds'),
    onEmailVerification: callback<(user: UserRecord) => unknown>()
      .optional()
      .describe('Called once for each link, before the address counts as verified'),
  }),
}
