/** What an operator has pasted: a request ID, an email or IP address, the ID of a user, or a code. */
import { canonicalAddress } from '../../lib/ip.ts'
import { isRequestId } from '../../lib/request-id.ts'
import { catalogues } from './entry.ts'

export const subjectKinds = ['request', 'email', 'ip', 'user', 'code'] as const
export type SubjectKind = (typeof subjectKinds)[number]

export interface Subject {
  readonly kind: SubjectKind
  /** In the form in which it is stored. */
  readonly text: string
}

/** @param given any text; spaces around it are ignored */
export function readSubject(given: string): Subject {
  const text = given.trim()
  const address = canonicalAddress(text)
  if (address !== null) return { kind: 'ip', text: address }
  if (text.includes('@')) return { kind: 'email', text: text.toLowerCase() }
  if (isCode(text)) return { kind: 'code', text }
  return { kind: isRequestId(text) ? 'request' : 'user', text }
}

const isCode = (text: string): boolean =>
  Object.values(catalogues).some((entries) => Object.hasOwn(entries, text)) ||
  (/^[A-Z]+(_[A-Z0-9]+)+$/.test(text) && !isRequestId(text))
