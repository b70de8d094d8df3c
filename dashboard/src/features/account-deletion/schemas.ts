import { z } from 'zod'
import { required } from '../../components/schemas.ts'

/** @param own the email address to type as a confirmation */
export const accountDeletion = (own: string, needsPassword: boolean) =>
  z.object({
    email: required.refine((text) => text === '' || text.trim().toLowerCase() === own, 'EMAIL_DOES_NOT_MATCH'),
    password: needsPassword ? required : z.string(),
  })
