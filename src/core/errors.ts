/** Error responses: each feature has a catalogue of them. Errors are the only classes of the project. */
import { isObject } from '../lib/objects.ts'

/** Names and numbers of contract 00 §3; the reason phrase of a response is the name. */
const statusNames = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  417: 'EXPECTATION_FAILED',
  422: 'UNPROCESSABLE_ENTITY',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  501: 'NOT_IMPLEMENTED',
  503: 'SERVICE_UNAVAILABLE',
} as const
type ErrorStatus = keyof typeof statusNames

/** What an error response says. */
export interface ErrorEntry {
  readonly status: ErrorStatus
  readonly code: string
  readonly message: string
  /** A name for entries whose message, and so whose code, contains a value. A route declares one entry of the family. */
  readonly family?: string
}

/** Derives a code from a message (contract 00 §3): upper case, spaces to underscores, the rest dropped. */
const codeOf = (message: string): string =>
  message
    .toUpperCase()
    .replaceAll(' ', '_')
    .replaceAll(/[^A-Z0-9_]/g, '')

/** An entry whose message contains a value, such as the name of a field. */
export const errorWithValue = (family: string, status: ErrorStatus, message: string): ErrorEntry => ({
  status,
  code: codeOf(message),
  message,
  family,
})

type Declared = Readonly<Record<string, readonly [status: ErrorStatus, message: string]>>

/** A feature's catalogue: `CODE: [status, message]`. */
export const defineErrors = <const T extends Declared>(declared: T): { readonly [C in keyof T]: ErrorEntry } =>
  Object.fromEntries(Object.entries(declared).map(([code, [status, message]]) => [code, { status, code, message }])) as {
    [C in keyof T]: ErrorEntry
  }

/** An error response with the message of its entry. `cause` is only logged; a 500 without a cause is not logged as a failure. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly entry: ErrorEntry
  readonly headers: Readonly<Record<string, string>> | undefined
  /** Values for programs, sent as `details` in the body; nothing secret. */
  readonly details: Readonly<Record<string, unknown>> | undefined
  /** Further members of the body, for errors whose contract has them next to `code`. From a form, the page of the user leads to `url`. */
  readonly members: Readonly<Record<string, string | readonly string[]>> | undefined
  /** The name of the status, such as `BAD_REQUEST`. */
  readonly statusName: string
  constructor(
    entry: ErrorEntry,
    options: {
      headers?: Record<string, string>
      details?: Readonly<Record<string, unknown>> | undefined
      members?: Readonly<Record<string, string | readonly string[]>> | undefined
      cause?: unknown
    } = {},
  ) {
    super(entry.message, 'cause' in options ? { cause: options.cause } : undefined)
    this.entry = entry
    this.headers = options.headers
    this.details = options.details
    this.members = options.members
    this.statusName = statusNames[entry.status]
  }
}

/** An error about parameters, which names them as validation by a schema does. */
export const parameterError = (entry: ErrorEntry, parameters: readonly string[], cause?: unknown): ApiError =>
  new ApiError(entry, { details: { parameters }, ...(cause !== undefined && { cause }) })

interface RedirectErrorOptions {
  readonly description?: string | undefined
  readonly family?: string
  readonly cause?: unknown
}

/**
 * Ends a call that a browser navigates to: 302 to `target` with `error=<code>` added, or to the error page without a target.
 * Throw it only with a target that was checked (contract 00 §6).
 */
export class RedirectError extends Error {
  override readonly name = 'RedirectError'
  readonly target: string | undefined
  readonly code: string
  /** Sent as `error_description`. */
  readonly description: string | undefined
  /** A name for codes that are not ours, such as those of a provider. A route declares it in their place. */
  readonly family: string | undefined
  constructor(target: string | undefined, code: string, options: RedirectErrorOptions = {}) {
    super(code, options)
    this.target = target
    this.code = code
    this.description = options.description
    this.family = options.family
  }
}

/** Errors that belong to no feature. */
export const errors = defineErrors({
  VALIDATION_ERROR: [400, 'Invalid body parameters'],
  UNAUTHORIZED: [401, 'Unauthorized'],
  FORBIDDEN: [403, 'Forbidden'],
  NOT_FOUND: [404, 'Not Found'],
  PAYLOAD_TOO_LARGE: [413, 'Payload too large'],
  INTERNAL_SERVER_ERROR: [500, 'Internal Server Error'],
  SERVICE_UNAVAILABLE: [503, 'Service unavailable. Please try again later.'],
  TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER: [429, 'Too many requests. Please try again later.'],
  INVALID_HOST: [403, 'Invalid host'],
  INVALID_ORIGIN: [403, 'Invalid origin'],
  MISSING_OR_NULL_ORIGIN: [403, 'Missing or null Origin'],
  INVALID_CALLBACKURL: [403, 'Invalid callbackURL'],
  INVALID_REDIRECTURL: [403, 'Invalid redirectURL'],
  INVALID_ERRORCALLBACKURL: [403, 'Invalid errorCallbackURL'],
  INVALID_NEWUSERCALLBACKURL: [403, 'Invalid newUserCallbackURL'],
  SESSION_IS_NOT_FRESH: [403, 'Session is not fresh'],
  NOT_ALLOWED_WHILE_IMPERSONATING_A_USER: [403, 'Not allowed while impersonating a user'],
  NOT_ALLOWED_WITH_AN_API_KEY: [403, 'Not allowed with an API key'],
})

/** 429, with the wait in the header of the contract and in the standard one. @param seconds whole seconds until the next try */
export function tooManyRequests(seconds: number): ApiError {
  const headers = { 'x-retry-after': String(seconds), 'retry-after': String(seconds) }
  return new ApiError(errors.TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER, { headers })
}

interface RefusalOptions {
  readonly status: ErrorEntry['status']
  readonly message: string
  /** Default: derived from the message, as all codes are. */
  readonly code?: string
}

// By name and not by class: a configuration may have been loaded with a copy of this module.
const mark = Symbol.for('latchkey refusal')

/**
 * Makes the error with which a function of the configuration rejects a call; any other error gives a 500.
 * @throws RangeError for a status that no response has
 */
export function refusal({ status, message, code = codeOf(message) }: RefusalOptions): Error {
  if (!(status in statusNames)) throw new RangeError(`A response cannot have the status ${status}`)
  const entry: ErrorEntry = { status, code, message }
  return Object.assign(new Error(message), { [mark]: entry })
}

/** The error response that a function of the configuration chose by `refusal`; null for any other error. */
export function findRefusal(error: unknown): ErrorEntry | null {
  if (!(error instanceof Error) || !(mark in error)) return null
  const entry: unknown = error[mark]
  return isEntry(entry) ? entry : null
}

const isEntry = (value: unknown): value is ErrorEntry => isObject(value) && 'status' in value && 'code' in value
