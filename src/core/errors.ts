/** Errors that are part of the wire: a catalogue per feature, and the only classes of the project. */

/** Names and numbers of contract 00 §3; the reason phrase of an answer is the name. */
export const statusNames = {
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
export type ErrorStatus = keyof typeof statusNames

/** What the caller is told. */
export interface ErrorEntry {
  readonly status: ErrorStatus
  readonly code: string
  readonly message: string
}

/** Derives a code from a message (contract 00 §3): upper case, spaces to underscores, the rest dropped. */
export const codeOf = (message: string): string =>
  message
    .toUpperCase()
    .replaceAll(' ', '_')
    .replaceAll(/[^A-Z0-9_]/g, '')

type Declared = Readonly<Record<string, readonly [status: ErrorStatus, message: string]>>

/** A feature's catalogue: `CODE: [status, message]`. */
export const defineErrors = <const T extends Declared>(declared: T): { readonly [C in keyof T]: ErrorEntry } =>
  Object.fromEntries(Object.entries(declared).map(([code, [status, message]]) => [code, { status, code, message }])) as {
    [C in keyof T]: ErrorEntry
  }

/** An answer that refuses. The public text is the entry's; `cause` is for the log and never shown; a 500 without one is not logged as a failure. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly entry: ErrorEntry
  readonly extra: Readonly<Record<string, unknown>> | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  constructor(
    entry: ErrorEntry,
    options: { extra?: Record<string, unknown>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(entry.message, 'cause' in options ? { cause: options.cause } : undefined)
    this.entry = entry
    this.extra = options.extra
    this.headers = options.headers
  }
}

/** Errors of the kernel itself, which no feature owns. */
export const errors = defineErrors({
  VALIDATION_ERROR: [400, 'Invalid body parameters'],
  UNAUTHORIZED: [401, 'Unauthorized'],
  FORBIDDEN: [403, 'Forbidden'],
  NOT_FOUND: [404, 'Not Found'],
  PAYLOAD_TOO_LARGE: [413, 'Payload too large'],
  INTERNAL_SERVER_ERROR: [500, 'Internal Server Error'],
  SERVICE_UNAVAILABLE: [503, 'Service unavailable. Please try again later.'],
  TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER: [429, 'Too many requests. Please try again later.'],
  INVALID_ORIGIN: [403, 'Invalid origin'],
  MISSING_OR_NULL_ORIGIN: [403, 'Missing or null Origin'],
  INVALID_CALLBACKURL: [403, 'Invalid callbackURL'],
  INVALID_REDIRECTURL: [403, 'Invalid redirectURL'],
  INVALID_ERRORCALLBACKURL: [403, 'Invalid errorCallbackURL'],
  INVALID_NEWUSERCALLBACKURL: [403, 'Invalid newUserCallbackURL'],
  SESSION_IS_NOT_FRESH: [403, 'Session is not fresh'],
})

/** The same code with the text for a query (contract 00 §3). */
export const invalidQuery: ErrorEntry = { ...errors.VALIDATION_ERROR, message: 'Invalid query parameters' }
