/** The wrong value in a usage error, without the password of a URL. */
import { maskSecrets } from '../lib/redact.ts'

/** @param value as typed; undefined if it is missing */
export const withValue = (message: string, value: unknown): string =>
  value === undefined
    ? 'is missing'
    : `${message.replace(/^Invalid [a-z]+: /, '')}${typeof value === 'string' ? `, ${quoteValue(value)}` : ''}`

const longestValue = 60
/** `not "abc"`, for messages. */
export function quoteValue(value: string | undefined): string {
  const text = maskSecrets(value ?? '')
  return `not ${JSON.stringify(text.length > longestValue ? `${text.slice(0, longestValue)}…` : text)}`
}
