/** What can go wrong with migrations, in terms that a user can act on. */

/** code → exit code of the command (`cli/exit-codes.ts`). */
export const faultExitCodes = {
  /** The features declare what cannot be. */
  SCHEMA_INVALID: 1,
  /** A change that would lose data needs to be named. */
  ACKNOWLEDGEMENT_NEEDED: 5,
  /** A column without a value for the rows that are there. */
  COLUMN_NEEDS_DEFAULT: 5,
  PRIMARY_KEY_CHANGED: 5,
  /** The files in the folder do not form a sequence, or cannot be read. */
  FILES_INVALID: 1,
  /** A file was edited after it was applied, in whole or in part. */
  FILE_EDITED: 1,
  /** An applied file is no longer there. */
  FILE_MISSING: 1,
  /** Another process has applied or taken back migrations since they were shown. */
  PLAN_CHANGED: 5,
  /** Another process migrates. */
  LOCK_HELD: 7,
  /** The lock was lost while migrating; what was begun is in the journal. */
  LOCK_LOST: 7,
  /** A statement waited too long for the transactions that use its table. */
  TABLE_BUSY: 7,
  /** A statement of unknown effect was interrupted. */
  STATEMENT_UNCERTAIN: 1,
  /** A statement failed; what was done before it is in the journal. */
  STATEMENT_FAILED: 1,
  /** The operation is not one of this database. */
  DIALECT_UNSUPPORTED: 2,
  /** No such migration. */
  NUMBER_UNKNOWN: 2,
} as const
export type FaultCode = keyof typeof faultExitCodes

/** `details` are the names concerned: of changes to acknowledge, of files. */
export class MigrationFault extends Error {
  override readonly name = 'MigrationFault'
  readonly code: FaultCode
  readonly details: readonly string[]
  constructor(code: FaultCode, message: string, options: { details?: readonly string[]; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.details = options.details ?? []
  }
}
