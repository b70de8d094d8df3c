/** A change that the servers can only make by copying the table, while every write to it waits: only small tables, or acknowledged. */
import type { Kysely } from 'kysely'
import type { Database } from '../features/index.ts'
import { estimateRows } from './execute.ts'
import { MigrationError } from './migration-error.ts'
import type { FileStatement } from './migration-files.ts'

/** A copy of as many rows takes about a second at most. */
const smallTable = 10_000
/** Rows that a server copies in a second: from a busy machine with many indexes to an idle one. */
const rowsPerSecond = { least: 10_000, most: 100_000 }

const copied = /^\s*alter\s+table\s+[`"]?(\w+)[`"]?.*\balgorithm\s*=\s*copy\b/is

/** @throws MigrationError COPY_NEEDED with the estimate, unless `copy:<column>` is acknowledged */
export async function checkCopying(
  db: Kysely<Database>,
  { change, sql }: Pick<FileStatement, 'change' | 'sql'>,
  acknowledge: readonly string[],
): Promise<void> {
  const table = copied.exec(sql)?.[1]
  if (table === undefined) return
  const name = `copy:${change ? change.name.slice(change.name.indexOf(':') + 1) : table}`
  if (acknowledge.includes(name)) return
  const rows = (await estimateRows(db, table)) ?? 0
  if (rows <= smallTable) return
  const [from, to] = [Math.ceil(rows / rowsPerSecond.most), Math.ceil(rows / rowsPerSecond.least)]
  const cost = `about ${rows} rows, which takes about ${from} to ${to} s. Until then every write to it waits, and users may be unable to sign in`
  throw new MigrationError(
    'COPY_NEEDED',
    `The server must copy the table ${table}: ${cost}. Not executed: ${change?.name ?? sql}`,
    {
      details: [name],
    },
  )
}
