import { z } from 'zod'
import { callback, flagged, group } from '../../core/config.ts'
import type { LinkMail } from '../email-verification/index.ts'

export interface ChangeMail extends LinkMail {
  readonly newEmail: string
}

export const config = {
  user: group('People', {
    changeEmail: flagged('Changing one’s address', {
      sendChangeEmailVerification: z
        .union([z.boolean(), callback<(mail: ChangeMail) => unknown>()])
        .optional()
        .describe(
          'Function that asks the present address in place of our own mail; `false` asks nobody. Default: our own, when mail is configured',
        ),
    }),
  }),
}
