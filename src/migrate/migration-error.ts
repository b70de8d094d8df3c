/** Errors of migrations that a user can act on. */

/** Exit code of the command for each error code. */
const exitCodes = {
  /** The features declare an impossible schema. */
  SCHEMA_INVALID: 1,
  /** A change would lose data and is not acknowledged. */
  ACKNOWLEDGEMENT_NEEDED: 5,
  /** A new column has no value for existing rows. */
  COLUMN_NEEDS_DEFAULT: 5,
  PRIMARY_KEY_CHANGED: 5,
  /** What a migration creates exists already, and Latchkey did not create it. */
  NAMES_TAKEN: 5,
  /** Foreign keys of other programs refer to a table that a migration drops. */
  STILL_REFERENCED: 5,
  /** `adopt`: the tables do not have exactly the shape of a migration. */
  SHAPE_DIFFERS: 5,
  /** The files are unreadable or not numbered in sequence. */
  FILES_INVALID: 1,
  /** A file was edited after it was applied, completely or in part. */
  FILE_EDITED: 1,
  /** An applied file is missing. */
  FILE_MISSING: 1,
  /** A running daemon uses what a statement drops. */
  IN_USE: 5,
  /** Daemons of an earlier version may use what a statement drops, and cannot be seen. */
  DAEMONS_UNSEEN: 5,
  /** A statement can only copy a large table, while writes to it wait, and this is not acknowledged. */
  COPY_NEEDED: 5,
  /** A statement changes the rows of a large table in one transaction, while other changes of these wait. */
  SLICES_NEEDED: 5,
  /** Rows refer to rows that do not exist, so that a foreign key cannot be added. */
  ORPHANS: 5,
  /** Another process has applied or rolled back migrations since the plan was shown. */
  PLAN_CHANGED: 5,
  /** Another migration run is in progress. */
  LOCK_HELD: 7,
  /** The lock was lost during the run; the journal has its progress. */
  LOCK_LOST: 7,
  /** A statement waited too long for transactions that use its table. */
  TABLE_BUSY: 7,
  /** An interrupted statement, written by hand, may or may not have taken effect. */
  STATEMENT_UNCERTAIN: 1,
  /** The account has no right to change tables. */
  DATABASE_REFUSED: 6,
  /** A statement failed; the journal has the progress before it. */
  STATEMENT_FAILED: 1,
  /** The database does not support the operation. */
  DIALECT_UNSUPPORTED: 2,
  /** There is no migration of this number. */
  NUMBER_UNKNOWN: 2,
} as const
export type MigrationErrorCode = keyof typeof exitCodes

/** `details` names the changes or files concerned. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
  readonly code: MigrationErrorCode
  readonly details: readonly string[]
  /** Of the command that fails with this error. */
  readonly exitCode: (typeof exitCodes)[MigrationErrorCode]
  constructor(code: MigrationErrorCode, message: string, options: { details?: readonly string[]; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.exitCode = exitCodes[code]
    this.details = options.details ?? []
  }
}

/** @param names of the changes or files concerned @throws MigrationError unless there are none */
export function rejectAny(code: MigrationErrorCode, message: string, names: readonly string[]): void {
  if (names.length > 0) throw new MigrationError(code, `${message}: ${names.join(', ')}`, { details: names })
}
