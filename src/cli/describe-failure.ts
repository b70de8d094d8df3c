/** Every error a command can end with, as a failure that its user can act on. */
import { maskSecrets } from '../lib/mask-secrets.ts'
import { exitCodes } from './exit-codes.ts'
import { CliFailure } from './failure.ts'
import type { Output } from './output.ts'

/** The database's own way of telling failures apart; null while none is open. */
export type Unreachable = ((error: unknown) => boolean) | null

/** @param isUnreachable of the database that the command has opened */
export async function toFailure(error: unknown, isUnreachable: Unreachable): Promise<CliFailure> {
  if (error instanceof CliFailure) return error
  if (isUnreachable?.(error)) return unreachableFailure('The database could not be reached', error)
  const [{ MigrationFault }, { ApiError }] = await Promise.all([import('../migrate/errors.ts'), import('../core/errors.ts')])
  if (error instanceof MigrationFault) return migrationFailure(error)
  if (error instanceof ApiError) return new CliFailure(error.entry.code, error.entry.message, { cause: error })
  if (error instanceof Error && 'path' in error && 'syscall' in error) return fileFailure(error)
  const message = error instanceof Error ? maskSecrets(error.message) : `Something was thrown that is no error: ${typeof error}`
  return new CliFailure('UNEXPECTED', message, { hint: 'Add --debug to see where it happened.', cause: error })
}

const fileReasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this account may not',
  EPERM: 'this account may not',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  EROFS: 'the file system is read-only',
  ENOSPC: 'there is no space left',
}
const fileWork: Readonly<Record<string, string>> = { open: 'opened', read: 'read', write: 'written', mkdir: 'made' }

function fileFailure(error: Error & { readonly path: unknown; readonly syscall: unknown }): CliFailure {
  const reason = 'code' in error ? fileReasons[String(error.code)] : undefined
  const work = fileWork[String(error.syscall)] ?? `used (${error.syscall})`
  return new CliFailure('FILE_ACCESS', maskSecrets(reason ? `${error.path} cannot be ${work}: ${reason}` : error.message), {
    hint: 'Check the path, and the owner and the mode of file and folder.',
    cause: error,
  })
}

/** @param what as in "The database could not be reached" */
export function unreachableFailure(what: string, cause: unknown): CliFailure {
  const reason = cause instanceof Error ? maskSecrets(reasonOf(cause)) : ''
  return new CliFailure('UNREACHABLE', reason ? `${what}: ${reason}` : what, {
    exitCode: exitCodes.unreachable,
    hint: 'Check that it runs and that its address is right: `latchkey config show --origin`, `latchkey doctor`.',
    cause,
  })
}

/** Node reports one error for each address of a host, under a message that is empty. */
const reasonOf = (error: Error): string =>
  error instanceof AggregateError && !error.message
    ? error.errors.map((each) => (each instanceof Error ? each.message : '')).join(', ')
    : error.message

/** A failure of a migration, which brings its exit code. Apart from the class, so that it need not be loaded. */
async function migrationFailure(fault: import('../migrate/errors.ts').MigrationFault): Promise<CliFailure> {
  const { faultExitCodes } = await import('../migrate/errors.ts')
  const { migrationHint } = await import('./migration-hints.ts')
  const id = fault.code.toLowerCase().replaceAll('_', '-')
  return new CliFailure(fault.code, fault.message, {
    exitCode: faultExitCodes[fault.code],
    hint: migrationHint(fault),
    details: fault.details.map((path) => ({ id, path, message: '' })),
    cause: fault.cause ?? fault,
  })
}

/** The page that explains a code: a heading for each. */
const docsOf = (code: string): string => `docs/errors.md#${code.toLowerCase().replaceAll('_', '-')}`

/** What happened, why, and what to type next; with --json one document on standard output as well. */
export function printFailure(failure: CliFailure, output: Output): void {
  const { code, message, hint, retryable, details, exitCode } = failure
  if (output.json && !output.hasWritten()) {
    const shown = { code, message, hint: hint ?? null, docs: docsOf(code), retryable, exitCode, details }
    output.result('error/v1', shown, [])
  }
  output.failure(message)
  for (const detail of details) {
    // What has only one thing to say has said it.
    if (details.length === 1 && !detail.hint && message === `${detail.path}: ${detail.message}`) continue
    output.error(`  ${[detail.path, detail.message].filter(Boolean).join(': ')}`)
    if (detail.hint) output.error(`    ${detail.hint}`)
  }
  if (hint) output.error(hint)
  if (output.debug) output.error(stackOf(failure))
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const own = error instanceof CliFailure && error.cause !== undefined ? '' : maskSecrets(error.stack ?? '')
  return [own, stackOf(error.cause)].filter(Boolean).join('\ncaused by ')
}
