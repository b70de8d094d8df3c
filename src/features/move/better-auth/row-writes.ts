/** Writes the rows of one kind with their entries: what changed, what was removed, and what waits for the unique value of another row. */
import type { App } from '../../../core/app.ts'
import { transaction } from '../../../core/transaction.ts'
import { recordEvent } from '../../audit/index.ts'
import { removeDependents } from './dependents.ts'
import { countEntries, deleteEntries, type Entry, insertEntries, pageEntries, updateEntry } from './entries.ts'
import { type Draft, type Kind, type Left, left, type MoveContext } from './kind.ts'
import type { KindName } from './shapes.ts'
import type { SourceDatabase } from './source.ts'
import { presentIds } from './source-pages.ts'

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

export interface Work {
  readonly draft: Draft
  readonly entry: Entry | undefined
  readonly sourceId: string
  readonly hash: string
}

/** More rows than any table has that took values of each other; the memory is limited. */
const mostWaiting = 10_000

/** Also removes what an earlier run has copied of the row. */
export async function leave(
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

/** @returns false when another row of Latchkey has one of its unique values */
async function tryWrite(run: Run, kind: Kind, work: readonly Work[], counts: KindCounts): Promise<boolean> {
  const { app } = run.context
  try {
    await transaction(app, (tx) => writeBatch(tx, run, kind, work))
    for (const { entry } of work) counts[entry ? 'updated' : 'inserted'] += 1
    return true
  } catch (error) {
    if (app.database.isUniqueViolation(error)) return false
    throw error
  }
}

/** @param waiting gets the rows whose unique value another one has: it may be a row that this run removes or changes later */
export async function writeAll(run: Run, kind: Kind, work: readonly Work[], counts: KindCounts, waiting: Work[]): Promise<void> {
  if (work.length === 0 || (await tryWrite(run, kind, work, counts))) return
  const [one, ...more] = work
  if (one && more.length === 0) {
    if (waiting.length < mostWaiting) waiting.push(one)
    else await leave(run, kind, one, taken, counts)
    return
  }
  // One of them caused it: the halves find it in few transactions.
  const middle = Math.ceil(work.length / 2)
  await writeAll(run, kind, work.slice(0, middle), counts, waiting)
  await writeAll(run, kind, work.slice(middle), counts, waiting)
}

const taken = left('another row has the same unique value')

/** After all rows: removes those that the old database has no longer, then writes what waited for their values. */
export async function settle(run: Run, kind: Kind, counts: KindCounts, waiting: readonly Work[]): Promise<void> {
  await removeMissing(run, kind, counts, waiting.length > 0)
  let rest = [...waiting]
  while (rest.length > 0) {
    const still: Work[] = []
    for (const one of rest) if (!(await tryWrite(run, kind, [one], counts))) still.push(one)
    const [first, ...others] = still
    if (first && still.length === rest.length) rest = [...others, ...(await yieldValue(run, kind, first, counts))]
    else rest = still
  }
}

/** Two rows may have exchanged their values: one of them is written again, after the other. @returns it, if it has a copy */
async function yieldValue(run: Run, kind: Kind, one: Work, counts: KindCounts): Promise<Work[]> {
  const { entry } = one
  if (entry) {
    await transaction(run.context.app, (tx) => removeRows(tx, kind, [entry]))
    return [{ ...one, entry: undefined }]
  }
  await leave(run, kind, one, taken, counts)
  return []
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
  const ids = gone.map(({ targetId }) => targetId)
  await removeDependents(tx, kind.name, ids)
  await kind.remove(tx, ids)
  await deleteEntries(
    tx,
    kind.name,
    gone.map(({ sourceId }) => sourceId),
  )
}

/** Rows that were deleted in the old database since. Without one, the counts say so, and nothing is compared. */
async function removeMissing(
  { context, source, batch, signal }: Run,
  kind: Kind,
  counts: KindCounts,
  isCompared: boolean,
): Promise<void> {
  const { app, tables } = context
  const expected = counts.rows - counts.left
  if (!isCompared && (await countEntries(app, kind.name)) <= expected) return
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
