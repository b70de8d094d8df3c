/** What to type after a migration has failed. */
import type { FaultCode, MigrationFault } from '../migrate/errors.ts'

const hints: Readonly<Partial<Record<FaultCode, string>>> = {
  COLUMN_NEEDS_DEFAULT: 'Declare the column with a default, or as nullable.',
  FILES_INVALID: 'Restore the folder from version control.',
  FILE_EDITED: 'Restore the file from version control, and put the change into a new one: `latchkey migrate generate`.',
  FILE_MISSING: 'Restore the file from version control.',
  LOCK_HELD: 'Wait for the other one, or give it longer with --lock-timeout.',
  LOCK_LOST: 'Run `latchkey migrate up` again: it goes on where it stopped.',
  TABLE_BUSY: 'Look for long transactions, then run `latchkey migrate up` again: it goes on where it stopped.',
  STATEMENT_UNCERTAIN: 'Compare the table with the statement: `latchkey migrate status`.',
  STATEMENT_FAILED: 'Remove the cause, then run `latchkey migrate up` again: it goes on where it stopped.',
  DIALECT_UNSUPPORTED: 'An embedded database follows the configuration by itself when the daemon starts.',
  PLAN_CHANGED: 'Nothing was changed: look again with `latchkey migrate status`.',
  NUMBER_UNKNOWN: 'See the numbers with `latchkey migrate status`.',
}

export function migrationHint({ code, details }: MigrationFault): string | undefined {
  if (code === 'ACKNOWLEDGEMENT_NEEDED')
    return `When it may be lost, add ${details.map((name) => `--acknowledge ${name}`).join(' ')}`
  return hints[code]
}
