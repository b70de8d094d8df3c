/** Copies the rows of one kind in batches, or only counts what would be copied. A later run writes what has changed since. */
import { type Entry, findEntries } from './entries.ts'
import { type Draft, type Kind, type Left, left } from './kind.ts'
import { type KindCounts, leave, type Run, settle, type Work, writeAll } from './row-writes.ts'
import type { KindName } from './shapes.ts'
import { type SourceRow, textOf } from './source.ts'
import { pageHashes, presentIds, rowsByIds } from './source-pages.ts'
import { recordSchemes } from './users.ts'

export type { CopyOptions, KindCounts, LeftRow, Run } from './row-writes.ts'

const idOf = (row: SourceRow): string => textOf(row.id) ?? ''

/** Empty for a row that is too large for the server's functions, which every run writes again. */
const hashOf = (row: SourceRow, choice: string): string => {
  const hash = textOf(row.hash)
  return hash === null ? '' : `${hash}${choice}`
}

export async function copyKind(run: Run, kind: Kind): Promise<KindCounts> {
  const waiting: Work[] = []
  const counts: KindCounts = { kind: kind.name, rows: 0, inserted: 0, updated: 0, removed: 0, unchanged: 0, left: 0 }
  run.leftIds.set(kind.name, new Set())
  let after: string | null = null
  for (;;) {
    run.signal.throwIfAborted()
    const rows: SourceRow[] = await pageHashes(run.source, run.context.tables, kind.name, { after, limit: run.batch })
    const last = rows.at(-1)
    if (!last) break
    after = idOf(last)
    await copyBatch(run, kind, rows, counts, waiting)
    if (rows.length < run.batch) break
    if (run.writes) await run.pause(run.signal)
  }
  if (run.writes) await settle(run, kind, counts, waiting)
  return counts
}

async function copyBatch(run: Run, kind: Kind, rows: readonly SourceRow[], counts: KindCounts, waiting: Work[]): Promise<void> {
  const { app } = run.context
  // A report shows the whole, whatever has been copied.
  const known = run.writes ? await findEntries(app, kind.name, rows.map(idOf)) : new Map<string, Entry>()
  // The choice of the operator changes what is written.
  const choice = kind.name === 'user' && run.context.verifyEmails ? 'v' : ''
  const hashes = new Map(rows.map((row) => [idOf(row), hashOf(row, choice)]))
  const changedIds = [...hashes].flatMap(([sourceId, hash]) =>
    hash !== '' && known.get(sourceId)?.hash === hash ? [] : [sourceId],
  )
  counts.rows += rows.length
  counts.unchanged += rows.length - changedIds.length
  if (changedIds.length === 0) return
  const read = new Map((await rowsByIds(run.source, run.context.tables, kind.name, changedIds)).map((row) => [idOf(row), row]))
  // A row that is changed between the two queries is written with its earlier hash, so that the next run writes it again.
  const changed = changedIds.flatMap((sourceId) => {
    const [row, hash] = [read.get(sourceId), hashes.get(sourceId)]
    return row && hash !== undefined ? [{ row, sourceId, hash, entry: known.get(sourceId) }] : []
  })
  const changedRows = changed.map(({ row }) => row)
  await kind.prepare?.(run.context, changedRows)
  const found = await findReferred(run, kind, changedRows)
  const mapped: Work[] = []
  for (const { row, sourceId, hash, entry } of changed) {
    const outcome = run.excluded.get(`${kind.name} ${sourceId}`) ?? mapRow(run, kind, row, found)
    if ('left' in outcome) await leave(run, kind, { sourceId, entry }, outcome, counts)
    else mapped.push({ draft: outcome, entry, sourceId, hash })
  }
  if (!run.writes) {
    counts.inserted += mapped.length
    return
  }
  const drafts = mapped.map(({ draft }) => draft)
  if (kind.name === 'account') await recordSchemes(run.context, drafts)
  await writeAll(run, kind, await completed(run, kind, mapped), counts, waiting)
}

async function completed({ context }: Run, { complete }: Kind, work: readonly Work[]): Promise<readonly Work[]> {
  if (!complete) return work
  const done: Work[] = []
  for (const one of work) done.push({ ...one, draft: await complete(context, one.draft) })
  return done
}

type Referred = ReadonlyMap<KindName, ReadonlySet<string>>

/** Which of the rows that these refer to exist, and are moved. */
async function findReferred(run: Run, kind: Kind, rows: readonly SourceRow[]): Promise<Referred> {
  const wanted = new Map<KindName, Set<string>>()
  for (const [column, { kind: other }] of Object.entries(kind.references)) {
    const ids = wanted.get(other) ?? new Set()
    for (const row of rows) {
      const id = textOf(row[column])
      if (id) ids.add(id)
    }
    wanted.set(other, ids)
  }
  const found = new Map<KindName, ReadonlySet<string>>()
  for (const [other, ids] of wanted) {
    const leftOut = run.leftIds.get(other)
    const present = await presentIds(run.source, run.context.tables, other, [...ids])
    found.set(other, new Set([...present].filter((id) => !leftOut?.has(id))))
  }
  return found
}

function mapRow({ context }: Run, kind: Kind, row: SourceRow, found: Referred): Draft | Left {
  const usable: Record<string, SourceRow[string]> = { ...row }
  for (const [column, { kind: other, optional }] of Object.entries(kind.references)) {
    const id = textOf(row[column])
    if (id === null || id === '' || found.get(other)?.has(id)) continue
    if (!optional) return left(`the ${other} does not exist or is not moved`, column)
    usable[column] = null
  }
  return kind.map(context, usable)
}
