/** How errors are written to a log: what one needs to find the cause, and no value that a caller had sent. */
import { maskSecrets } from './mask-secrets.ts'
import { printable } from './printable.ts'

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
 * Keeps type, message, frames, codes, cause and, of an aggregate, its errors. Everything else that libraries hang on
 * their errors (the statement, its parameters, the command with its arguments) is left out.
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

// Something thrown that is no error may be anything, a password too.
const describeCause = (cause: unknown, depth: number): DescribedError | string =>
  cause instanceof Error ? describe(cause, depth) : `[${typeof cause}]`

const describeAll = (errors: readonly unknown[], depth: number): DescribedError[] =>
  errors
    .filter((error) => error instanceof Error)
    .slice(0, 5)
    .map((error) => describe(error, depth))

/** Classes of SQLSTATE whose messages quote names only: connection, access, tables and columns that do not exist. */
const namesOnly = /^(?:08|28|3D|42S)/

function messageOf(error: Error): string {
  const { sqlState, sqlMessage } = members(error)
  if (typeof sqlState === 'string' || typeof sqlMessage === 'string')
    return typeof sqlState === 'string' && namesOnly.test(sqlState) ? error.message : withoutQuoted(error.message)
  // The engine quotes the beginning of the text that it could not parse.
  if (error instanceof SyntaxError && error.message.endsWith('is not valid JSON')) return 'Malformed JSON'
  return maskSecrets(error.message)
}

/**
 * A database quotes values in its messages (`Duplicate entry 'ann@example.com' for key …`) and does not escape quotes
 * in them: only what stands before the first and after the last is certain to be its own.
 */
function withoutQuoted(message: string): string {
  const first = message.indexOf("'")
  const last = message.lastIndexOf("'")
  if (first === -1) return message
  const key = /^Duplicate entry '.*' for key '([\w.]+)'$/s.exec(message)?.[1]
  return key ? `Duplicate entry '…' for key '${key}'` : `${message.slice(0, first)}'…'${message.slice(last + 1)}`
}

/** The frames alone: the text before them repeats the message as it was. */
function framesOf(error: Error): string {
  const stack = error.stack ?? ''
  const index = stack.indexOf(error.message)
  const rest = index === -1 ? stack : stack.slice(index + error.message.length)
  const frames = rest.indexOf('\n    at ')
  return frames === -1 ? '' : rest.slice(frames)
}
