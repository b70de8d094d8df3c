/** Writes the lines of a checked file: in batches, each in one transaction. A line whose row exists is left as it is. */
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { hasTable } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { insertionsOf } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import { recordPasswordSchemes } from '../password-hashes/index.ts'
import { insertUsers, sortNameOf } from '../users/index.ts'
import type { FileLine } from './check.ts'
import { findById } from './keys.ts'
import { findLineType, partsOfUser } from './line-types.ts'
import { isLeft } from './losses.ts'
import { type ParsedLine, parseJSON, parseLine } from './parsed-line.ts'
import type { Rows } from './user-form.ts'

const batchSize = 1000

/**
 * @param lines of a file that `checkExport` found without problems
 * @param progress gets the number of lines so far
 * @throws what the database throws; what was written before stays, and a second run goes on
 */
export async function importExport(
  app: App,
  lines: AsyncIterable<FileLine>,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: (lines: number) => void },
): Promise<number> {
  let [batch, read, written]: [ParsedLine[], number, number] = [[], 0, 0]
  const flush = async () => {
    signal.throwIfAborted()
    written += await writeBatch(app, batch)
    batch = []
    progress(read)
  }
  for await (const { number, text } of lines) {
    const members = parseJSON(text)
    if (typeof members === 'string' || !findLineType(String(members.type))) continue
    const line = await parseLine(app, number, members)
    if (!('rows' in line) || isLeft(line)) continue
    if (batch.length === batchSize || (batch[0] && batch[0].type !== line.type)) await flush()
    batch.push(line)
    read += 1
  }
  await flush()
  return written
}

async function writeBatch(app: App, batch: readonly ParsedLine[]): Promise<number> {
  const [first] = batch
  if (!first) return 0
  const stored = await findById(
    app,
    first.table,
    batch.map(({ id }) => id),
  )
  const known = new Set(stored.map(({ id }) => id))
  const added = batch.filter(({ id }) => !known.has(id))
  if (added.length === 0) return 0
  const hashes = added.flatMap(({ rows }) => (rows.account ?? []).flatMap(({ password }) => (password ? [String(password)] : [])))
  if (hashes.length > 0) await recordPasswordSchemes(app, hashes)
  await transaction(app, (tx) => insertLines(tx, first.table, added))
  return added.length
}

async function insertLines(tx: App, table: string, lines: readonly ParsedLine[]): Promise<void> {
  const all: Rows = {}
  for (const [name, list] of lines.flatMap(({ rows }) => Object.entries(rows))) {
    all[name] ??= []
    all[name].push(...list)
  }
  if (table === 'user') {
    await insertUsers(tx, (all.user ?? []) as unknown as UserRow[])
    for (const part of partsOfUser) await insertRows(tx, part.table, all[part.table] ?? [])
  } else await insertRows(tx, table, (all[table] ?? []).map(completed(table)))
  if (table === 'member') await countMembers(tx, lines)
  await recordEvent(tx, { action: 'data.imported', details: { [lines[0]?.type ?? table]: lines.length } })
}

const completed = (table: string) => (row: Record<string, unknown>) =>
  table === 'organization' ? { ...row, sortName: sortNameOf(String(row.name)) } : row

async function insertRows(tx: App, table: string, rows: Rows[string]): Promise<void> {
  if (!hasTable(tx, table)) return
  for (const some of insertionsOf(rows))
    await tx.db
      .insertInto(table as 'team')
      .values(some as never)
      .execute()
}

async function countMembers(tx: App, lines: readonly ParsedLine[]): Promise<void> {
  const ids = new Set(lines.map(({ members }) => String(members.organizationId)))
  for (const id of ids) {
    const members = tx.db.selectFrom('member').select((eb) => eb.fn.countAll<number>().as('count'))
    const { count } = await members.where('organizationId', '=', id).executeTakeFirstOrThrow()
    await tx.db
      .updateTable('organization')
      .set({ memberCount: Number(count) })
      .where('id', '=', id)
      .execute()
  }
}
