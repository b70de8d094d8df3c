/** Copies the rows of one kind in batches, or only counts what would be copied. A later run writes what has changed since. */
import { hash } from 'node:crypto'
import type { App } from '../../../core/app.ts'
import { transaction } from '../../../core/transaction.ts'
import { recordEvent } from '../../audit/index.ts'
import { countEntries, deleteEntries, type Entry, findEntries, insertEntries, pageEntries, updateEntry } from './entries.ts'
import { type Draft, type Kind, type Left, left, type MoveContext } from './kind.ts'
import type { KindName } from './shapes.ts'
import { type SourceDatabase, type SourceRow, textOf } from './source.ts'
import { pageRows, presentIds } from './source-pages.ts'
import { recordSchemes } from './users.ts'

export interface LeftRow extends Left {
  readonly kind: KindName
  readonly sourceId: string
}

export interface KindCounts {
  readonly kind: KindName
  rows: number
  inserted: number
  updated: number
  removed: number
  unchanged: number
  left: number
}

export interface CopyOptions {
  readonly source: SourceDatabase
  /** False: nothing is written. */
  readonly writes: boolean
  /** Rows in a transaction. */
  readonly batch: number
  /** Between two batches, in milliseconds. */
  readonly pause: (signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
  /** Rows of the old database that stay out for a reason that only the whole table shows, by kind and ID. */
  readonly excluded: ReadonlyMap<string, Left>
  readonly onLeft: (row: LeftRow) => Promise<void>
}

/** With the rows that stay out, because what refers to them stays out too. */
export interface Run extends CopyOptions {
  readonly context: MoveContext
  readonly leftIds: Map<KindName, Set<string>>
}

/** Half of SHA-256, which no pair of rows of one ID has in common by chance. @param choice of the operator, which changes what is written */
const hashOf = (row: SourceRow, choice: string): string =>
  hash(
    'sha256',
    JSON.stringify(Object.values(row).map((value) => (typeof value === 'bigint' ? String(value) : value))) + choice,
    'base64url',
  ).slice(0, 22)

const idOf = (row: SourceRow): string => textOf(row.id) ?? ''

export async function copyKind(run: Run, kind: Kind): Promise<KindCounts> {
  const counts: KindCounts = { kind: kind.name, rows: 0, inserted: 0, updated: 0, removed: 0, unchanged: 0, left: 0 }
  run.leftIds.set(kind.name, new Set())
  let after: string | null = null
  for (;;) {
    run.signal.throwIfAborted()
    const rows: SourceRow[] = await pageRows(run.source, run.context.tables, kind.name, after, run.batch)
    const last = rows.at(-1)
    if (!last) break
    after = idOf(last)
    await copyBatch(run, kind, rows, counts)
    if (rows.length < run.batch) break
    if (run.writes) await run.pause(run.signal)
  }
  if (run.writes) await removeMissing(run, kind, counts)
  return counts
}

async function copyBatch(run: Run, kind: Kind, rows: readonly SourceRow[], counts: KindCounts): Promise<void> {
  const { app } = run.context
  // A report shows the whole, whatever has been copied.
  const known = run.writes ? await findEntries(app, kind.name, rows.map(idOf)) : new Map<string, Entry>()
  const choice = kind.name === 'user' && run.context.verifyEmails ? 'verified' : ''
  const changed = rows.flatMap((row) => {
    const [sourceId, made] = [idOf(row), hashOf(row, choice)]
    const entry = known.get(sourceId)
    if (entry?.hash === made) return []
    return [{ row, sourceId, hash: made, entry }]
  })
  counts.rows += rows.length
  counts.unchanged += rows.length - changed.length
  if (changed.length === 0) return
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
  await writeAll(run, kind, await completed(run, kind, mapped), counts)
}

async function completed({ context }: Run, { complete }: Kind, work: readonly Work[]): Promise<readonly Work[]> {
  if (!complete) return work
  const done: Work[] = []
  for (const one of work) done.push({ ...one, draft: await complete(context, one.draft) })
  return done
}

interface Work {
  readonly draft: Draft
  readonly entry: Entry | undefined
  readonly sourceId: string
  readonly hash: string
}

/** Also removes what an earlier run has copied of the row. */
async function leave(
  run: Run,
  kind: Kind,
  { sourceId, entry }: Pick<Work, 'sourceId' | 'entry'>,
  outcome: Left,
  counts: KindCounts,
): Promise<void> {
  counts.left += 1
  if (entry && run.writes) {
    await transaction(run.context.app, (tx) => removeRows(tx, kind, [entry]))
    counts.removed += 1
  }
  // Millions of sessions have expired, and nothing refers to them.
  if (kind.name === 'user' || kind.name === 'organization' || kind.name === 'team') run.leftIds.get(kind.name)?.add(sourceId)
  await run.onLeft({ ...outcome, kind: kind.name, sourceId })
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

async function writeAll(run: Run, kind: Kind, work: readonly Work[], counts: KindCounts): Promise<void> {
  if (work.length === 0) return
  const { app } = run.context
  try {
    await transaction(app, (tx) => writeBatch(tx, run, kind, work))
    for (const { entry } of work) counts[entry ? 'updated' : 'inserted'] += 1
    return
  } catch (error) {
    if (!app.database.isUniqueViolation(error)) throw error
    const [one, ...more] = work
    if (one && more.length === 0) return leave(run, kind, one, left('another row has the same unique value'), counts)
  }
  // One of them caused it: the halves find it in few transactions.
  const middle = Math.ceil(work.length / 2)
  await writeAll(run, kind, work.slice(0, middle), counts)
  await writeAll(run, kind, work.slice(middle), counts)
}

async function writeBatch(tx: App, { context }: Run, kind: Kind, work: readonly Work[]): Promise<void> {
  const added = work.filter(({ entry }) => !entry)
  if (added.length > 0) {
    await kind.insert(
      tx,
      added.map(({ draft }) => draft),
      context,
    )
    await insertEntries(
      tx,
      kind.name,
      added.map(({ draft, sourceId, hash }) => ({ sourceId, hash, targetId: draft.id })),
    )
  }
  for (const { draft, entry, hash } of work) {
    if (!entry) continue
    await kind.update(tx, draft, context)
    await updateEntry(tx, kind.name, { ...entry, hash })
  }
  if (kind.name !== 'user') return
  await recordEvent(tx, { action: 'users.imported', details: { users: added.length, changed: work.length - added.length } })
}

async function removeRows(tx: App, kind: Kind, gone: readonly Entry[]): Promise<void> {
  await kind.remove(
    tx,
    gone.map(({ targetId }) => targetId),
  )
  await deleteEntries(
    tx,
    kind.name,
    gone.map(({ sourceId }) => sourceId),
  )
}

/** Rows that were deleted in the old database since. Without one, the counts say so, and nothing is compared. */
async function removeMissing({ context, source, batch, signal }: Run, kind: Kind, counts: KindCounts): Promise<void> {
  const { app, tables } = context
  const expected = counts.rows - counts.left
  if ((await countEntries(app, kind.name)) <= expected) return
  let after = ''
  for (;;) {
    signal.throwIfAborted()
    const page = await pageEntries(app, kind.name, after, batch)
    const last = page.at(-1)
    if (!last) return
    after = last.sourceId
    const present = await presentIds(
      source,
      tables,
      kind.name,
      page.map(({ sourceId }) => sourceId),
    )
    const gone = page.filter(({ sourceId }) => !present.has(sourceId))
    if (gone.length > 0) await transaction(app, (tx) => removeRows(tx, kind, gone))
    counts.removed += gone.length
  }
}
