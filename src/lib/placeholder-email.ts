/** Email addresses for users who have none: users of a provider without addresses, and users who signed up with a phone number. */
import { isEmailAddress } from './text.ts'

/** Below `.invalid`, which no mail reaches and no one can register (RFC 2606 §2). Apps may use other names below it. */
const placeholderDomain = 'users.latchkey.invalid'

/**
 * The placeholder for a user without an email address. It differs for each key, in lower case and within 64 characters before the `@`.
 * @param kind what the key belongs to, such as `reddit`
 * @param key letters, digits and hyphens that no other user has, such as a random ID or the hash of a provider's subject
 */
export const placeholderEmail = (kind: string, key: string): string =>
  `${`${kind}-${key}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .slice(0, 64)}@${placeholderDomain}`

/** Whether no mail can ever reach an address, in any case. Users cannot sign up with one, and nothing is sent to it. */
export const isPlaceholderEmail = (email: string): boolean => /[@.]invalid$/i.test(email)

/** Whether a text is an email address that a user can be given, or be invited at. */
export const isReachableEmail = (text: string): boolean => isEmailAddress(text) && !isPlaceholderEmail(text)
