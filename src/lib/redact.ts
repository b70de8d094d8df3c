/** Makes errors, texts and log fields safe to show: a second line of defence, since no code may log secrets in the first place. */
import { isObject } from './objects.ts'

const userInformation = /([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/]*@/gi
const secretParameter = /([?&](?:[\w-]{0,20}(?:token|secret|password)|code|state)=)[^&\s#"']+/gi

/** Hides credentials in URLs (RFC 3986 §3.2.1) and secret query parameters, anywhere in a text. */
export function maskSecrets(text: string): string {
  const masked = text.includes('://') ? text.replaceAll(/\S+/g, maskUserInformation) : text
  return masked.includes('=') ? masked.replace(secretParameter, '$1***') : masked
}

const scheme = /([a-z][a-z0-9+.-]{0,20}):\/\//gi

/**
 * A password with `/`, `?` or `#` that was not encoded goes on after the end of its part: then everything before the last `@` is
 * hidden. In a well-formed web address an `@` after the host is not that of a password.
 */
function maskUserInformation(word: string): string {
  const masked = word.replace(userInformation, '$1***@')
  for (const found of masked.matchAll(scheme)) {
    const start = found.index + found[0].length
    const end = masked.lastIndexOf('@')
    if (end < start) return masked
    if (/^https?$/i.test(found[1] ?? '') && URL.canParse(masked.slice(found.index))) continue
    return `${masked.slice(0, start)}***${masked.slice(end)}`
  }
  return masked
}

/** Also those that end a line, or reverse the text after them. */
const controlCharacters = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Escapes control characters, so that text from a request adds no lines or colours to a terminal, and hides no other text. */
export const printable = (text: string): string =>
  text.replaceAll(controlCharacters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The reason of a failure for a message: the error's own text without credentials and quoted values, or "unknown reason". */
export function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  // Node reports one error per IP address of a host, under an empty message.
  if (error instanceof AggregateError && !error.message) return error.errors.map(errorReason).join(', ')
  // `fetch` names neither host nor reason itself.
  const { cause } = error
  const isFetch = error.message === 'fetch failed' && cause instanceof Error
  return isFetch ? `fetch failed: ${errorReason(cause)}` : messageOf(error)
}

export interface DescribedError {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly code?: string | number
  readonly errno?: number
  readonly sqlState?: string
  readonly cause?: DescribedError | string
  readonly errors?: readonly DescribedError[]
}

const maximumDepth = 5

/**
 * An error for the log: type, message, frames, codes, cause and the errors of an aggregate. Everything else that libraries add
 * to their errors (the statement, its parameters, the command with its arguments) is left out, because it may contain user data.
 */
export const describeError = (error: Error): DescribedError => describe(error, 0)

function describe(error: Error, depth: number): DescribedError {
  const type = error.name || 'Error'
  const message = printable(messageOf(error))
  const { code, errno, sqlState, cause, errors } = members(error)
  return {
    type,
    message,
    stack: `${type}: ${message}${framesOf(error)}`,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof errno === 'number' ? { errno } : {}),
    ...(typeof sqlState === 'string' ? { sqlState } : {}),
    ...(cause === undefined || depth >= maximumDepth ? {} : { cause: describeCause(cause, depth + 1) }),
    ...(Array.isArray(errors) && depth < maximumDepth ? { errors: describeAll(errors, depth + 1) } : {}),
  }
}

const members = (error: Error): Readonly<Record<string, unknown>> => ({
  cause: error.cause,
  ...(error instanceof AggregateError ? { errors: error.errors } : {}),
  ...error,
})

// A thrown value that is not an error may be anything, even a password.
const describeCause = (cause: unknown, depth: number): DescribedError | string =>
  cause instanceof Error ? describe(cause, depth) : `[${typeof cause}]`

const describeAll = (errors: readonly unknown[], depth: number): DescribedError[] =>
  errors
    .filter((error) => error instanceof Error)
    .slice(0, 5)
    .map((error) => describe(error, depth))

/** Classes of SQLSTATE whose messages quote names only: connection, access, tables and columns that do not exist. */
const namesOnly = /^(?:08|28|3D|42S)/
/** Other errors of MySQL and MariaDB whose messages quote only names of databases, accounts, tables, columns and keys. */
const namingNumbers = new Set([
  ...[
    1005, 1025, 1044, 1048, 1049, 1059, 1061, 1067, 1068, 1072, 1091, 1093, 1101, 1102, 1115, 1130, 1142, 1143, 1170, 1193, 1203,
  ],
  ...[
    1226, 1227, 1264, 1273, 1286, 1290, 1305, 1364, 1370, 1396, 1406, 1451, 1452, 1553, 1698, 1822, 1824, 1826, 1828, 1829, 1834,
  ],
  ...[3719, 3734, 3780, 3819, 3820, 3821, 3822, 4025],
])
const isNaming = (sqlState: unknown, errno: unknown): boolean =>
  (typeof sqlState === 'string' && namesOnly.test(sqlState)) || (typeof errno === 'number' && namingNumbers.has(errno))

function messageOf(error: Error): string {
  const { sqlState, sqlMessage, errno } = members(error)
  if (typeof sqlState === 'string' || typeof sqlMessage === 'string')
    return isNaming(sqlState, errno) ? error.message : withoutQuoted(error.message)
  const issues: unknown = Reflect.get(error, 'issues')
  if (Array.isArray(issues)) return describeIssues(issues)
  // The engine quotes the start of the text that it cannot parse.
  if (error instanceof SyntaxError && error.message.endsWith('is not valid JSON')) return 'Malformed JSON'
  return maskSecrets(error.message) || 'unknown reason'
}

/** The message of the schema library is JSON of many lines: one line names each member and what is wrong with it. */
function describeIssues(issues: readonly unknown[]): string {
  const lines = issues.filter(isObject).map(({ path, message }) => `${Array.isArray(path) ? path.join('.') : ''}: ${message}`)
  return maskSecrets(printable(lines.slice(0, 5).join('; '))) || 'unknown reason'
}

/**
 * A database quotes values in its messages (`Duplicate entry 'ann@example.com' for key …`) and does not escape quotes
 * in them, so only the text before the first quote and after the last one is certainly the database's own. The apostrophe of a
 * word, as in "Can't", opens no quote.
 */
function withoutQuoted(message: string): string {
  const first = message.search(/(?<!\w)'/)
  if (first === -1) return message
  const key = /^Duplicate entry '.*' for key '([\w.]+)'$/s.exec(message)?.[1]
  if (key) return `Duplicate entry '…' for key '${key}'`
  // A long message is cut, and may end within the value.
  const rest = /'((?!\w)[^']*)$/.exec(message.slice(first + 1))?.[1] ?? ''
  return `${message.slice(0, first)}'…'${rest}`
}

/** Only the frames, because the text before them repeats the unmasked message. */
function framesOf(error: Error): string {
  const stack = error.stack ?? ''
  const index = stack.indexOf(error.message)
  const rest = index === -1 ? stack : stack.slice(index + error.message.length)
  const frames = rest.indexOf('\n    at ')
  return frames === -1 ? '' : rest.slice(frames)
}

const secretName =
  /^(?:(?:proxy-?)?authorization|(?:set-?)?cookies?|.*(?:password|passphrase|secret|token|private[-_]?key|api[-_]?key))$/i
const redacted = '[redacted]'
const maximumMembers = 100

/**
 * Copies log fields without the values of members named like a secret (at any depth) and without credentials in URLs; errors
 * are described as in `describeError`.
 */
export function redact(fields: object): Record<string, unknown> {
  if (fields instanceof Error) return { error: describeError(fields) }
  return redactMembers(fields, 0)
}

function redactMembers(value: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  let count = 0
  for (const [name, member] of Object.entries(value)) {
    if (++count > maximumMembers) break
    // The outermost names are written in our code; names inside a value may come from anywhere.
    copy[depth === 0 ? name : printable(name)] =
      secretName.test(name) && member !== null && member !== undefined ? redacted : clean(member, depth + 1)
  }
  return copy
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return maskSecrets(value)
  if (typeof value === 'bigint') return value.toString()
  if (!isObject(value)) return value
  if (value instanceof Error) return describeError(value)
  // An invalid date has no JSON form and would throw.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof URL) return maskSecrets(value.href)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (depth >= maximumDepth) return '[…]'
  if (Array.isArray(value)) return value.slice(0, maximumMembers).map((item) => clean(item, depth + 1))
  return redactMembers(value, depth)
}
