import { z } from 'zod'
import { section } from '../../core/config.ts'

export const config = {
  passwordRules: section('What a new password must not be, beside too short or too long', {
    blockCommon: z.boolean().default(true).describe('Refuse passwords of the shipped list of common and breached ones'),
    contextWords: z
      .boolean()
      .default(true)
      .describe('Refuse passwords made of the name or address of the user, or of the name or host of this service'),
  }),
}
