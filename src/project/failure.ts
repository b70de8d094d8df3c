/** Failures that end a command or a start, their exit codes, and the conversion of other errors to failures. */
import { isDenied } from '../lib/driver-errors.ts'
import { errorReason, maskSecrets } from '../lib/redact.ts'
import type { MigrationError, MigrationErrorCode } from '../migrate/migration-error.ts'

/** Listed in --help and in the docs. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  pending: 3,
  answerNeeded: 4,
  refused: 5,
  unreachable: 6,
  locked: 7,
  configInvalid: 8,
  interrupted: 130,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A few words each: --help shows them. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'Success, or nothing to do.',
  1: 'Failure.',
  2: 'Usage error.',
  3: 'Differences or pending work (with --exit-code).',
  4: 'Input needed, but there is no terminal.',
  5: 'Stopped by a safety check.',
  6: 'A database, Redis or mail server is unreachable.',
  7: 'Another process holds the lock.',
  8: 'Invalid configuration.',
  130: 'Interrupted.',
}

export interface FailureOptions {
  /** Default: 1. */
  readonly exitCode?: ExitCode
  /** What to do next. */
  readonly hint?: string | undefined
  /** Whether the same command may succeed later with nothing changed; default: for 6 and 7. */
  readonly retryable?: boolean
  /** One entry for each problem, if there are several. */
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

/** An error with a message and a hint for the user. `code` is stable and documented in docs/errors.md. */
export class Failure extends Error {
  override readonly name = 'Failure'
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

/** @param hint default: read the help of the command */
export const usageError = (message: string, hint = 'Add --help to see the options.'): Failure =>
  new Failure('USAGE', message, { exitCode: exitCodes.usage, hint })

/** A failure with exit code 8. */
export const configFailure = (code: string, message: string, options: Omit<FailureOptions, 'exitCode'>): Failure =>
  new Failure(code, message, { ...options, exitCode: exitCodes.configInvalid })

/** The user pressed Ctrl-C. */
export const interrupted = (): Failure =>
  new Failure('INTERRUPTED', 'Interrupted', { exitCode: exitCodes.interrupted, retryable: true })

/** Recognizes errors of an open database that mean it is unreachable; null if none is open. */
export type IsUnreachable = ((error: unknown) => boolean) | null

/** @param isUnreachable of the database that the command has opened */
export async function toFailure(error: unknown, isUnreachable: IsUnreachable): Promise<Failure> {
  if (error instanceof Failure) return error
  if (isUnreachable?.(error)) return unreachableFailure('Cannot connect to the database', error)
  // Loaded here, because --help does not need it.
  const { ApiError } = await import('../core/errors.ts')
  if (isMigrationError(error)) return migrationFailure(error)
  if (isDenied(error)) return deniedFailure(error)
  if (error instanceof ApiError) return new Failure(error.entry.code, error.entry.message, { cause: error })
  if (error instanceof Error && 'path' in error && 'syscall' in error) return fileFailure(error)
  const message = error instanceof Error ? errorReason(error) : `A value of type ${typeof error} was thrown`
  return new Failure('UNEXPECTED', message, { hint: 'Add --debug to see the stack trace.', cause: error })
}

const deniedFailure = (cause: unknown): Failure =>
  new Failure('DATABASE_REFUSED', `The database account is not allowed to do this: ${errorReason(cause)}`, {
    exitCode: exitCodes.unreachable,
    retryable: false,
    hint: 'Grant it SELECT, INSERT, UPDATE and DELETE on the database, or use another account: `DATABASE_URL=… latchkey …`',
    cause,
  })

const fileReasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
}
const fileActions: Readonly<Record<string, string>> = { mkdir: 'create' }

function fileFailure(error: Error & { readonly path: unknown; readonly syscall: unknown }): Failure {
  const reason = 'code' in error ? fileReasons[String(error.code)] : undefined
  const action = fileActions[String(error.syscall)] ?? String(error.syscall)
  return new Failure('FILE_ACCESS', maskSecrets(reason ? `Cannot ${action} ${error.path}: ${reason}` : error.message), {
    hint: 'Check the path, and the owner and mode of the file and its folder.',
    cause: error,
  })
}

/** @param message as in "Cannot connect to the database" @param hint default: that of a database */
export function unreachableFailure(message: string, cause: unknown, hint?: string): Failure {
  const reason = cause instanceof Error ? errorReason(cause) : ''
  return new Failure('UNREACHABLE', reason ? `${message}: ${reason}` : message, {
    exitCode: exitCodes.unreachable,
    hint:
      hint ??
      rejectionHint(cause) ??
      'Check that it is running, and check its address with `latchkey config show --origin`. Or run `latchkey doctor`.',
    cause,
  })
}

const fullHint =
  'All connections of the database server are in use. Raise max_connections, or max_user_connections of the account; or lower database.poolSize or server.workers.'
const statements = 'docs/install.md shows the statements'
const loginHint = `Check the user and the password in its address: \`latchkey config show --origin\`. If there is no such account for this host, create it: ${statements}.`
/** By the numbers of errors of MySQL and MariaDB. */
const rejectionHints: Readonly<Record<number, string>> = {
  1040: fullHint,
  1203: fullHint,
  1226: fullHint,
  1045: loginHint,
  1698: loginHint,
  1044: `Grant the account SELECT, INSERT, UPDATE and DELETE on the database: ${statements}. Or correct its name in the address: \`latchkey config show --origin\`.`,
  1049: `Create the database: ${statements}. Or correct its name in the address: \`latchkey config show --origin\`.`,
  1130: `Create the account for this host, or for a network such as '10.0.0.%': ${statements}.`,
}
/** What to do when the database server rejects a connection; undefined for any other error. */
export const rejectionHint = (error: unknown): string | undefined =>
  error instanceof Error && 'errno' in error ? rejectionHints[Number(error.errno)] : undefined

// By name: the supervisor loads this file, and must not load the migrations, which a reload replaces.
const isMigrationError = (error: unknown): error is MigrationError => error instanceof Error && error.name === 'MigrationError'

function migrationFailure(error: MigrationError): Failure {
  const id = error.code.toLowerCase().replaceAll('_', '-')
  return new Failure(error.code, error.message, {
    exitCode: error.exitCode,
    hint: migrationHint(error),
    ...(error.code === 'DATABASE_REFUSED' ? { retryable: false } : {}),
    details: error.details.map((path) => ({ id, path, message: '' })),
    cause: error.cause ?? error,
  })
}

const resume = 'run `latchkey migrate up` again. It resumes where it stopped.'
const migrationHints: Readonly<Partial<Record<MigrationErrorCode, string>>> = {
  COLUMN_NEEDS_DEFAULT: 'Declare the column with a default, or as nullable.',
  FILES_INVALID: 'Compare the folder with version control. Two merged branches: docs/migrations.md explains what to do.',
  FILE_EDITED: 'Restore the file from version control, and write the change as a new migration: `latchkey migrate generate`.',
  FILE_MISSING: 'Restore the file from version control.',
  LOCK_HELD: 'Wait for the other run, or set a longer --lock-timeout.',
  LOCK_LOST: `To continue, ${resume}`,
  TABLE_BUSY: `Look for long transactions, then ${resume}`,
  STATEMENT_UNCERTAIN: 'Compare the table with the statement: `latchkey migrate status`.',
  DATABASE_REFUSED:
    'Grant it CREATE, ALTER, DROP, INDEX and REFERENCES, or migrate with a second account: `DATABASE_URL=… latchkey migrate up`',
  NAMES_TAKEN:
    'Use a database of its own, or rename these. If they are tables of Latchkey, as after restoring a dump without its journal: `latchkey migrate adopt`',
  STILL_REFERENCED: 'Drop these foreign keys, or the tables that have them, then run the command again.',
  SHAPE_DIFFERS: 'Change the tables to that shape, or use a database of its own and `latchkey migrate up`.',
  ORPHANS: `List them with the statement below, set their column to null or delete them, then ${resume}`,
  STATEMENT_FAILED: `Fix the cause, then ${resume}`,
  DIALECT_UNSUPPORTED: 'An embedded database is updated when the daemon starts; it needs no migrations.',
  PLAN_CHANGED: 'Nothing was changed. Review the migrations again: `latchkey migrate status`.',
  NUMBER_UNKNOWN: 'List the numbers: `latchkey migrate status`.',
}

function migrationHint({ code, details }: MigrationError): string | undefined {
  const flags = details.map((name) => `--acknowledge ${name}`).join(' ')
  if (code === 'ACKNOWLEDGEMENT_NEEDED') return `To accept the data loss, add ${flags}`
  if (code === 'DAEMONS_UNSEEN')
    return `Run \`latchkey restart\` with this version on every machine, and check that no older daemon runs. Then add ${flags}`
  if (code === 'COPY_NEEDED')
    return `In a statement written by hand, name an algorithm that lets writes go on: \`algorithm=inplace, lock=none\`. To accept that writes wait, run it in a quiet hour with ${flags}`
  if (code === 'SLICES_NEEDED')
    return `End the statement with \`limit 1000\`, so that it is repeated until no row is left. To execute it in one transaction, add ${flags}`
  if (code !== 'IN_USE') return migrationHints[code]
  return `First run \`latchkey reload\` there, with a configuration that does not use it, then run \`latchkey migrate up\` (or down) again. To execute it anyway, which makes requests fail, add ${flags}`
}
