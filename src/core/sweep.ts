/** Deletes expired rows without slowing down other work: in small batches, with pauses, for a limited time. */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { App } from './app.ts'

/** Rows that one statement deletes: few enough that no other statement waits long. */
const batchSize = 1000
/** Rows are kept this long after they expired, because the clocks of machines differ. */
const sweepSlackMs = 3_600_000

/** The rest is left for the next run. */
const maxRunMs = 240_000
const [minPauseMs, maxPauseMs] = [10, 1000]

/**
 * @param first the position of the first batch, such as a key lower than all others
 * @param step deletes one batch: from position `from`, at most `limit` rows that expired before `before`. Returns the position of
 * the next batch, or null at the end. It must advance even past rows that it does not delete, and never go back: a database reads
 * deleted rows again until it purges them
 * @param signal stops between two batches
 */
export async function sweep<C>(
  app: App,
  signal: AbortSignal,
  first: C,
  step: (from: C, limit: number, before: Date) => Promise<C | null>,
): Promise<void> {
  const end = app.now().getTime() + maxRunMs
  const isLate = () => app.now().getTime() >= end
  const isDone = await inBatches(app, signal, first, (from) => step(from, batchSize, sweptBefore(app)), isLate)
  if (!isDone && !signal.aborted) app.metrics.count('sweep_unfinished')
}

/**
 * Does long work in steps, with pauses in which other work goes on.
 * @param first the position of the first step
 * @param step does the work from a position, and returns the next one, or null at the end
 * @param isLate asked before each step: whether to leave the rest
 * @param signal stops between two steps
 * @returns whether it came to the end
 */
export async function inBatches<C>(
  { now }: Pick<App, 'now'>,
  signal: AbortSignal,
  first: C,
  step: (from: C) => Promise<C | null>,
  isLate: () => boolean = () => false,
): Promise<boolean> {
  let from: C | null = first
  while (from !== null) {
    if (signal.aborted || isLate()) return false
    const startedAt = now().getTime()
    from = await step(from)
    // As long as the step took, so that other work gets half of the time on any database.
    if (from !== null) await pauseFor(now().getTime() - startedAt, signal)
  }
  return true
}

const pauseFor = (takenMs: number, signal: AbortSignal): Promise<unknown> =>
  pause(Math.min(maxPauseMs, Math.max(minPauseMs, takenMs)), undefined, { signal }).catch(() => undefined)

/** Rows that expired before this time may be deleted. */
const sweptBefore = (app: App): Date => new Date(app.now().getTime() - sweepSlackMs)

/** The lowest time that every database can compare. */
const lowestTime = new Date('1000-01-01T00:00:00Z')

interface EndedRows {
  readonly table: string
  /** The time at which a row expires; indexed. */
  readonly column: string
  /** Rows that expired before this time are deleted; called for each batch. Default: an hour ago. */
  readonly before?: (app: App) => Date
}

/** Deletes the expired rows of a table, in the order of the index. Emits no event. @param signal stops between two batches */
export const sweepEnded = (app: App, signal: AbortSignal, { table, column, before = sweptBefore }: EndedRows): Promise<void> =>
  sweep(app, signal, lowestTime, async (from, limit) => {
    const [rows, end] = [sql.table(table), sql.ref(column)]
    const found = await sql<{ id: string; end: Date }>`select id, ${end} as ${sql.ref('end')} from ${rows}
      where ${end} >= ${from} and ${end} < ${before(app)} order by ${end} limit ${sql.lit(limit)}`.execute(app.db)
    const ids = found.rows.map(({ id }) => id)
    // The condition is repeated, because another request may have extended a row in between.
    if (ids.length > 0) await sql`delete from ${rows} where id in (${sql.join(ids)}) and ${end} < ${before(app)}`.execute(app.db)
    return found.rows.length < limit ? null : (found.rows.at(-1)?.end ?? null)
  })

/** Of work that nothing interrupts. */
export const neverAborted: AbortSignal = new AbortController().signal

/** Fewer than of expired rows, which no call needs. */
const revokedSize = 500

/**
 * Deletes rows of all users, along the primary key.
 * @param before only those that were created before; undefined: all
 * @param signal stops between two batches
 * @returns how many
 */
export async function deleteInBatches(
  app: App,
  table: 'trustedDevice' | 'signInChallenge' | 'termsChallenge',
  before: Date | undefined,
  signal: AbortSignal,
): Promise<number> {
  let count = 0
  await inBatches(app, signal, '', async (after) => {
    const all = app.db.selectFrom(table).select(['id', 'createdAt']).where('id', '>', after).orderBy('id').limit(revokedSize)
    const rows = await all.execute()
    const ids = rows.flatMap(({ id, createdAt }) => (before === undefined || createdAt < before ? id : []))
    if (ids.length > 0) {
      const deleted = await app.db.deleteFrom(table).where('id', 'in', ids).executeTakeFirst()
      count += Number(deleted.numDeletedRows)
    }
    return rows.length < revokedSize ? null : (rows.at(-1)?.id ?? null)
  })
  return count
}
