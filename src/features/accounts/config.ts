import { z } from 'zod'
import { group } from '../../core/config.ts'

export const config = {
  account: group('The ways in which a user signs in', {
    accountLinking: group('Several for one user', {
      allowUnlinkingAll: z.boolean().default(false).describe('Let a user take away the last one'),
    }),
  }),
}
