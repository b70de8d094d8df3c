/**
 * Statements for whose whole time writes wait: a copy of a table, and a change of all its rows in one transaction. Only for small
 * tables, or acknowledged. Also holds for statements written by hand.
 */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../features/index.ts'
import { estimateRows } from './execute.ts'
import { MigrationError } from './migration-error.ts'
import type { FileStatement } from './migration-files.ts'
import { readSliceSize } from './slices.ts'

/** A copy of as many rows takes about a second at most. */
const smallTable = 10_000
/** Rows that a server copies or changes in a second: from a busy machine with many indexes to an idle one. */
const rowsPerSecond = { least: 10_000, most: 100_000 }

interface Blocking {
  readonly kind: 'copy' | 'rows'
  /** The tables, of which the largest one decides. */
  readonly tables: readonly string[]
}

const identifier = '[`"]?(\\w+)[`"]?'
const changed = new RegExp(
  `^\\s*(?:alter\\s+table\\s+${identifier}|create\\s+(?:unique\\s+)?index\\s.*?\\bon\\s+${identifier}|drop\\s+index\\s.*?\\bon\\s+${identifier}|optimize\\s+table\\s+${identifier})`,
  'is',
)
const rowChange = /^\s*(?:update|delete|insert|replace)\b/i
const isOnline = (text: string): boolean =>
  /\balgorithm\s*=?\s*(?:instant|inplace|nocopy)\b/i.test(text) && !/\block\s*=?\s*(?:shared|exclusive)\b/i.test(text)

/** @returns null for a statement during which writes go on */
function findBlocking({ sql: text }: Pick<FileStatement, 'sql'>): Blocking | null {
  const table = changed.exec(text)?.slice(1).find(Boolean)
  // Without a named algorithm the server copies silently.
  if (table !== undefined) return isOnline(text) ? null : { kind: 'copy', tables: [table] }
  if (!rowChange.test(text)) return null
  const size = readSliceSize(text)
  if (size !== null && size <= smallTable) return null
  // Rows that an insert reads are locked too; its own are new.
  const read = /^\s*(?:insert|replace)\b/i.test(text) ? (/\bselect\b.*/is.exec(text)?.[0] ?? '') : text
  return { kind: 'rows', tables: [...new Set([...read.matchAll(/\w+/g)].map(([word]) => word))] }
}

/** @throws MigrationError COPY_NEEDED, SLICES_NEEDED with the estimate, unless `copy:<column>` or `rows:<table>` is acknowledged */
export async function checkBlocking(
  db: Kysely<Database>,
  statement: Pick<FileStatement, 'change' | 'sql'>,
  acknowledge: readonly string[],
): Promise<void> {
  const blocking = findBlocking(statement)
  if (!blocking || blocking.tables.length === 0) return
  const { change } = statement
  const sizes = await readSizes(db, blocking.tables)
  const [table, rows] = sizes.toSorted((one, other) => other[1] - one[1])[0] ?? ['', 0]
  const name = `${blocking.kind}:${change ? change.name.slice(change.name.indexOf(':') + 1) : table}`
  if (rows <= smallTable || acknowledge.includes(name)) return
  throw blockingError(blocking.kind, table, rows, { name, statement: change?.name ?? statement.sql })
}

/** Tables with their rows: as the server estimates them, and counted as far as that decides, because an estimate can be old. */
async function readSizes(db: Kysely<Database>, names: readonly string[]): Promise<[string, number][]> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = database() and table_type = 'BASE TABLE' and table_name in (${sql.join(names)})`.execute(db)
  const sizes: [string, number][] = []
  for (const { name } of rows) {
    const counted = await sql<{ count: number }>`select count(*) as count
      from (select 1 from ${sql.table(name)} limit ${sql.lit(smallTable + 1)}) as some_rows`.execute(db)
    sizes.push([name, Math.max((await estimateRows(db, name)) ?? 0, Number(counted.rows[0]?.count ?? 0))])
  }
  return sizes
}

function blockingError(
  kind: Blocking['kind'],
  table: string,
  rows: number,
  { name, statement }: { readonly name: string; readonly statement: string },
): MigrationError {
  const [from, to] = [Math.ceil(rows / rowsPerSecond.most), Math.ceil(rows / rowsPerSecond.least)]
  const cost = `about ${rows} rows, which takes about ${from} to ${to} s. Until then`
  const [code, reason] =
    kind === 'rows'
      ? (['SLICES_NEEDED', `The statement can lock all rows of the table ${table}: ${cost} changes of these rows wait`] as const)
      : (['COPY_NEEDED', `The server must copy the table ${table}, or may do so: ${cost} every write to it waits`] as const)
  const message = `${reason}, and users may be unable to sign in. Not executed: ${statement}`
  return new MigrationError(code, message, { details: [name] })
}
