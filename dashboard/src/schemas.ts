/** Schemas of forms, made of those of the API. The messages are error codes; `REQUIRED` asks to fill in the field. */
import { z } from 'zod'
import { email, newPassword } from '../../src/features/email-password/schemas.ts'
import type { PublicSettings } from '../../src/features/index.ts'
import { isSlug, normalizeSlug } from '../../src/lib/text.ts'
import type { UserField } from './components/user-fields.tsx'

const required = z.string().min(1, 'REQUIRED')

type PasswordSettings = PublicSettings['emailPassword']

/** Without settings there is no form that needs them. */
const newPasswordOf = (settings: PasswordSettings) => (settings ? newPassword(settings) : required)

export const signIn = z.object({ email, password: required, rememberMe: z.boolean() })
/** The field has an email address or a username; which usernames are valid, the API decides. */
export const signInByName = z.object({ email: required.trim().min(1, 'REQUIRED'), password: required, rememberMe: z.boolean() })
export const phoneOnly = z.object({ phoneNumber: required })
export const phoneAndPassword = z.object({ phoneNumber: required, password: required, rememberMe: z.boolean() })
export const codeOnly = z.object({ code: required })
export const codeAndPassword = (settings: PasswordSettings) => z.object({ code: required, newPassword: newPasswordOf(settings) })
export const passwordOnly = z.object({ password: required })
/** Of a form that has only a button. */
export const empty = z.object({})
export const emailOnly = z.object({ email })
export const newPasswordOnly = (settings: PasswordSettings) => z.object({ newPassword: newPasswordOf(settings) })

const wholeNumber = /^\s*[+-]?\d{1,15}\s*$/

/** Of what the control contains, which is text but for check boxes. */
function userField({ type, required: isRequired }: UserField) {
  if (type === 'boolean') return z.boolean()
  const text = isRequired ? required : z.string()
  return type === 'number' ? text.refine((given) => given === '' || wholeNumber.test(given), 'INVALID_NUMBER') : text
}
export const userFields = (fields: readonly UserField[]) =>
  z.object(Object.fromEntries(fields.map((field) => [field.name, userField(field)])))

export const signUp = ({ emailPassword, userFields: fields }: PublicSettings) =>
  z.object({
    name: required,
    email,
    username: z.string().trim(),
    password: newPasswordOf(emailPassword),
    fields: userFields(fields),
  })

export const profile = (fields: readonly UserField[]) =>
  z.object({ name: required, username: z.string().trim(), fields: userFields(fields) })
export const passwordChange = (settings: PasswordSettings) =>
  z.object({ currentPassword: required, newPassword: newPasswordOf(settings), revokeOtherSessions: z.boolean() })

/** @param own the email address to type as a confirmation */
export const accountDeletion = (own: string, needsPassword: boolean) =>
  z.object({
    email: required.refine((text) => text === '' || text.trim().toLowerCase() === own, 'EMAIL_DOES_NOT_MATCH'),
    password: needsPassword ? required : z.string(),
  })

const isURL = (text: string) => text === '' || /^https?:$/.test(URL.parse(text)?.protocol ?? '')
/** @param current the slug that the organization has, which may be of another form */
const organizationShape = (current?: string) => ({
  name: required.max(255, 'PAYLOAD_TOO_LARGE'),
  slug: required
    .max(255, 'PAYLOAD_TOO_LARGE')
    .refine((text) => text === current || text === '' || isSlug(text), 'INVALID_SLUG')
    .transform((text) => (text === current ? text : normalizeSlug(text))),
})
export const organization = z.object(organizationShape())
export const organizationSettings = (slug: string) =>
  z.object({ ...organizationShape(slug), logo: z.string().max(2048, 'PAYLOAD_TOO_LARGE').refine(isURL, 'INVALID_URL') })

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
/** Empty: no metadata. */
export const organizationMetadata = z.object({
  metadata: z
    .string()
    .refine((text) => text.trim() === '' || isObjectText(text), 'INVALID_JSON')
    .refine((text) => text.length <= 16_000, 'PAYLOAD_TOO_LARGE'),
})
export const teamNameOnly = z.object({ name: required.max(255, 'PAYLOAD_TOO_LARGE') })

/** What administrators edit of a user. */
export const userByAdministrator = (fields: readonly UserField[]) =>
  z.object({ name: z.string().max(255, 'PAYLOAD_TOO_LARGE'), email, emailVerified: z.boolean(), fields: userFields(fields) })

/** @param settings null: the user sets a password with a link */
export const newUser = (settings: PasswordSettings) =>
  z.object({ name: required, email, emailVerified: z.boolean(), password: settings ? newPasswordOf(settings) : z.string() })
/** The client that has to wait: an IP address, an account, or both. */
export const limitLookUp = z
  .object({
    account: z.string().max(320, 'PAYLOAD_TOO_LARGE'),
    address: z
      .string()
      .max(64, 'PAYLOAD_TOO_LARGE')
      .refine((text) => text.trim() === '' || /^[\d.]+$|^[\da-f:.]*:[\da-f:.]*$/i.test(text.trim()), 'INVALID_IP_ADDRESS'),
  })
  .refine(({ account, address }) => account.trim() !== '' || address.trim() !== '', {
    message: 'IP_ADDRESS_OR_ACCOUNT_REQUIRED',
    path: ['account'],
  })

type KeySettings = PublicSettings['apiKeys']
const keyName = (settings: KeySettings) => {
  const code = 'THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL'
  return settings ? required.min(settings.name.minLength, code).max(settings.name.maxLength, code) : required
}
export const apiKeyName = (settings: KeySettings) => z.object({ name: keyName(settings) })
export const newApiKey = (settings: KeySettings) =>
  z.object({
    name: keyName(settings),
    /** Days; empty: as configured. */
    expiration: z.string(),
    /** Empty: none. */
    prefix: z.string().regex(/^[a-zA-Z0-9_-]*$/, 'VALIDATION_ERROR'),
  })
