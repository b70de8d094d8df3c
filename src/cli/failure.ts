import { type ExitCode, exitCodes } from './exit-codes.ts'

export interface FailureOptions {
  /** Default: 1. */
  readonly exitCode?: ExitCode
  /** What to type or write next. */
  readonly hint?: string | undefined
  /** Whether the same command may succeed later with nothing changed; default: for 6 and 7. */
  readonly retryable?: boolean
  /** One entry for each thing that is wrong, when there are several. */
  readonly details?: readonly FailureDetail[]
  readonly cause?: unknown
}

export interface FailureDetail {
  readonly id: string
  /** Where: an option's path, a flag, a file with its line. */
  readonly path: string
  readonly message: string
  readonly hint?: string
}

/** A command ended without success, in terms that its user can act on. `code` is stable; docs/errors.md explains it. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure'
  readonly code: string
  readonly exitCode: ExitCode
  readonly hint: string | undefined
  readonly retryable: boolean
  readonly details: readonly FailureDetail[]
  constructor(code: string, message: string, options: FailureOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.exitCode = options.exitCode ?? exitCodes.failed
    this.hint = options.hint
    this.retryable = options.retryable ?? (this.exitCode === exitCodes.unreachable || this.exitCode === exitCodes.locked)
    this.details = options.details ?? []
  }
}
