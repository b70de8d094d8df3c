/**
 * Reads the values that providers send. They leave members out, refuse them, and write them in other ways than they document. Only
 * a user ID that cannot be used ends a sign-in (contract 03 §3): a changed account ID would belong to another user.
 */
import { maxTextBytes } from '../../core/table.ts'
import { isRecord } from '../../lib/objects.ts'
import { isPlaceholderEmail } from '../../lib/placeholder-email.ts'
import { isEmailAddress, isWellFormed } from '../../lib/text.ts'

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>

/** The members of an object; anything else counts as an object without members. */
export const membersOf = (sent: unknown): Members => (isRecord(sent) ? sent : {})

/** The entries of a list; anything else counts as an empty list. */
export const listOf = (sent: unknown): readonly unknown[] => (Array.isArray(sent) ? sent : [])

/** The first text with visible characters, without spaces at its ends; empty if there is none. */
export const firstText = (...sent: readonly unknown[]): string =>
  sent.map((one) => (typeof one === 'string' ? one.toWellFormed().trim() : '')).find(Boolean) ?? ''

/** Whether a value stands for "yes". Some providers send it as a text or a number. */
export const isYes = (sent: unknown): boolean => [true, 'true', 1, '1'].some((yes) => sent === yes)

/** Characters of the columns for identities. */
export const maxIdLength = 255

/**
 * The ID of a user, as a text. Numbers beyond 2^53 are rounded by JSON, so that several users would have the same ID.
 * @returns null when it is missing or cannot be stored
 */
export function readId(sent: unknown): string | null {
  const id = Number.isSafeInteger(sent) || typeof sent === 'bigint' ? String(sent) : sent
  return typeof id === 'string' && id.trim() && id.length <= maxIdLength && isWellFormed(id) ? id : null
}

/**
 * Email addresses are compared in lower case, in which two other letters become ASCII letters, such as the Kelvin sign a `k`: an
 * address with them would belong to another person.
 */
const keepsLettersInLowerCase = (email: string): boolean =>
  !Array.from(email).some((letter) => letter > '\u007f' && /[a-z]/.test(letter.toLowerCase()))

/** A text with spaces or control characters is neither an email address nor a name that a provider sends in its place. */
function readEmail(sent: unknown): string | null {
  const email = firstText(sent)
  return email && !/[\s\p{Cc}]/u.test(email) && keepsLettersInLowerCase(email) ? email : null
}

/** Whether a user whom a provider vouches for can have this email address. */
export const isUsableEmail = (email: string | null): email is string =>
  email !== null && email.length <= maxEmailLength && isEmailAddress(email) && !isPlaceholderEmail(email)

/** The longest email address that every table of the wire contract can store (contract 03 §4). */
export const maxEmailLength = 255

/** Characters of a name: more than any person has, and few enough for every email that contains it. */
const maxNameLength = 1000

/** A profile as a provider sends it, with values of any type. */
export interface SentProfile {
  readonly id: unknown
  readonly name?: unknown
  readonly email?: unknown
  readonly image?: unknown
  /** Whether the provider has verified that the email address belongs to the user. */
  readonly emailVerified: unknown
}

/** A profile that can be stored. */
export interface ReadProfile {
  readonly id: string
  /** Empty when there is none. */
  readonly name: string
  /** As sent: it may also be a name that some providers send in its place. */
  readonly email: string | null
  readonly image: string | null
  /** False for everything that is not an email address. */
  readonly emailVerified: boolean
}

/** Of a picture in the profile itself: it would be part of each session and token. Microsoft's of 48 pixels has some 2 KB. */
const maxInlineBytes = 8192

/**
 * @returns the profile, and the members that were left out because they are too long
 * @throws Error when it has no usable ID
 */
export function readProfile(sent: SentProfile): { readonly profile: ReadProfile; readonly tooLong: readonly string[] } {
  const id = readId(sent.id)
  if (id === null) throw new Error(`The profile has no usable user ID: ${describe(sent.id)}`)
  const email = readEmail(sent.email)
  const [name, image] = [firstText(sent.name), firstText(sent.image)]
  const mostImageBytes = image.startsWith('data:') ? maxInlineBytes : maxTextBytes
  const fits = { name: name.length <= maxNameLength, image: Buffer.byteLength(image) <= mostImageBytes }
  const profile = {
    id,
    name: fits.name ? name : '',
    email,
    image: fits.image && image ? image : null,
    emailVerified: isYes(sent.emailVerified) && isUsableEmail(email),
  }
  return { profile, tooLong: Object.entries(fits).flatMap(([member, isShort]) => (isShort ? [] : [member])) }
}

/** What is wrong with an ID, without its value. */
function describe(sent: unknown): string {
  if (sent === undefined || sent === null || sent === '') return 'it is missing'
  if (typeof sent === 'string') return sent.length > maxIdLength ? 'it is too long' : 'it is not well-formed text'
  return typeof sent === 'number' ? 'it is a number that is not exact' : `it is of the type ${typeof sent}`
}
