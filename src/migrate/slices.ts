/** Changes of rows in slices: an `update` or `delete` that ends with `limit n` is repeated until no row is left. */
import type { QueryResult } from 'kysely'
import { MigrationError } from './migration-error.ts'

/** @returns the rows of one slice; null for a statement that is executed once */
export function readSliceSize(text: string): number | null {
  const size = /^\s*(?:update|delete)\b.*\blimit\s+(\d+)\s*$/is.exec(text)?.[1]
  return size === undefined ? null : Number(size)
}

/**
 * Each slice is a transaction of its own, so that an interrupted run continues.
 * @param run executes the statement once
 * @throws MigrationError STATEMENT_FAILED when the statement finds rows again that it has changed, as `run`
 */
export async function runInSlices(text: string, run: () => Promise<QueryResult<unknown>>): Promise<void> {
  const size = BigInt(readSliceSize(text) ?? 0)
  for (;;) {
    const { numAffectedRows: found = 0n, numChangedRows: changed } = await run()
    if (found < size || size === 0n) return
    if (changed === 0n && /^\s*update\b/i.test(text)) {
      const message = 'The statement finds rows that it does not change, so that it cannot be repeated in slices'
      throw new MigrationError('STATEMENT_FAILED', `${message}. Add a condition that its rows no longer meet`, {
        details: [text],
      })
    }
  }
}
