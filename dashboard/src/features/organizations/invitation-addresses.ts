/** Email addresses in a text that was pasted: from a spreadsheet, an address book or another email. */
import { isEmailAddress } from '../../../../src/lib/text.ts'

export interface Address {
  /** In lower case, as the API compares it; what is not an email address stays as it was typed. */
  readonly email: string
  readonly isValid: boolean
}

const quoted = /"[^"]*"/g
const bracketed = /<([^<>]*)>/

/** The words of one entry: in `Name <name@example.com>` only the addresses. */
function wordsOf(entry: string): string[] {
  const hasName = bracketed.test(entry)
  return [...entry.matchAll(/<([^<>]*)>|[^\s<>]+/g)].flatMap(([word, inside]) =>
    inside === undefined ? (hasName && !word.includes('@') ? [] : [word]) : inside.trim().split(/\s+/),
  )
}

const bare = (word: string): string => word.replace(/^mailto:/i, '').replaceAll(/^[<>"'([]+|[<>"')\].:]+$/g, '')

function addressOf(text: string): Address {
  const isValid = isEmailAddress(text)
  return { email: isValid ? text.toLowerCase() : text, isValid }
}

/**
 * Reads addresses that are separated by commas, semicolons, spaces or lines, with or without names (RFC 5322 §3.4).
 * @returns each of them once, in the order of the text
 */
export function readAddresses(text: string): Address[] {
  const entries = text.replaceAll(quoted, ' ').split(/[,;\r\n]+/)
  const words = entries.flatMap(wordsOf).map(bare)
  const byEmail = new Map(words.filter(Boolean).map((word) => [word.toLowerCase(), addressOf(word)]))
  return [...byEmail.values()]
}

/** The part of a text that is typed completely: without a last word that is not an address yet. */
export function completedPart(text: string): string {
  const [, complete = '', last = ''] = /^([\s\S]*[\s,;>]|)([^\s,;>]*)$/.exec(text) ?? []
  return isEmailAddress(bare(last)) ? text : complete
}
