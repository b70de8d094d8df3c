import { z } from 'zod'
import { email, newPasswordOf, type PasswordSettings, required, userFields } from '../../components/schemas.ts'
import type { UserField } from '../../components/user-fields.tsx'

export const newPasswordOnly = (settings: PasswordSettings) => z.object({ newPassword: newPasswordOf(settings) })

/** What administrators edit of a user. */
export const userByAdministrator = (fields: readonly UserField[]) =>
  z.object({ name: z.string().max(255, 'PAYLOAD_TOO_LARGE'), email, emailVerified: z.boolean(), fields: userFields(fields) })

/** @param settings null: the user sets a password with a link */
export const newUser = (settings: PasswordSettings) =>
  z.object({
    ...{ name: required, email, emailVerified: z.boolean(), overrideSignUpPolicy: z.boolean() },
    password: settings ? newPasswordOf(settings) : z.string(),
  })
