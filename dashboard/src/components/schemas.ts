/** Parts of the schemas of forms, made of those of the API. The messages are error codes; `REQUIRED` asks to fill in the field. */
import { z } from 'zod'
import { email, newPassword } from '../../../src/features/email-password/schemas.ts'
import type { PublicSettings } from '../../../src/features/index.ts'
import type { UserField } from './user-fields.tsx'

export { email }
export const required = z.string().min(1, 'REQUIRED')

export type PasswordSettings = PublicSettings['emailPassword']

/** Without settings there is no form that needs them. */
export const newPasswordOf = (settings: PasswordSettings) => (settings ? newPassword(settings) : required)

/** Of a form that has only a button. */
export const empty = z.object({})
export const phoneOnly = z.object({ phoneNumber: required })
export const codeOnly = z.object({ code: required })
export const emailOnly = z.object({ email })

const wholeNumber = /^\s*[+-]?\d{1,15}\s*$/

/** Of what the control contains, which is text but for check boxes. */
function userField({ type, required: isRequired }: UserField) {
  if (type === 'boolean') return z.boolean()
  const text = isRequired ? required : z.string()
  return type === 'number' ? text.refine((given) => given === '' || wholeNumber.test(given), 'INVALID_NUMBER') : text
}
export const userFields = (fields: readonly UserField[]) =>
  z.object(Object.fromEntries(fields.map((field) => [field.name, userField(field)])))
