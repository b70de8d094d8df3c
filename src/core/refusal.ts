import { codeOf, type ErrorEntry, type ErrorStatus, statusNames } from './errors.ts'

export interface RefusalOptions {
  readonly status: ErrorStatus
  readonly message: string
  /** Left out: made from the message, as all codes are. */
  readonly code?: string
}

// By name and not by class: a configuration may have been loaded with a copy of this module.
const mark = Symbol.for('latchkey refusal')

/**
 * The error with which a function of the configuration refuses a call; thrown by anything else, a call ends in a 500.
 * @throws RangeError for a status that no answer has
 */
export function refusal({ status, message, code = codeOf(message) }: RefusalOptions): Error {
  if (!(status in statusNames)) throw new RangeError(`An answer cannot have the status ${status}`)
  const entry: ErrorEntry = { status, code, message }
  return Object.assign(new Error(message), { [mark]: entry })
}

/** What a function of the configuration has refused with; null for every other error. */
export function findRefusal(error: unknown): ErrorEntry | null {
  if (!(error instanceof Error) || !(mark in error)) return null
  const entry: unknown = error[mark]
  return isEntry(entry) ? entry : null
}

const isEntry = (value: unknown): value is ErrorEntry =>
  typeof value === 'object' && value !== null && 'status' in value && 'code' in value
