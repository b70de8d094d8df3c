import { z } from 'zod'
import { callback, flagged, group } from '../../core/config.ts'
import type { LinkMail } from '../email-verification/index.ts'
import type { UserRecord } from '../users/index.ts'

export const config = {
  user: group('People', {
    deleteUser: flagged('Deleting one’s own account', {
      sendDeleteAccountVerification: z
        .union([z.boolean(), callback<(mail: LinkMail) => unknown>()])
        .default(false)
        .describe('Ask by mail before an account is deleted: `true` by our own, a function by its own'),
      deleteTokenExpiresIn: z.int().positive().max(604_800).default(86_400).describe('Life of the link in that mail, in seconds'),
      beforeDelete: callback<(user: UserRecord) => unknown>()
        .optional()
        .describe('Called before an account is deleted; what it throws stops that'),
      afterDelete: callback<(user: UserRecord) => unknown>().optional().describe('Called when an account has been deleted'),
    }),
  }),
}
