/** Removing what is over, without anybody noticing: few rows at a time, pauses in between, and an end. */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { App } from './app.ts'

/** Rows that are removed in one statement: few enough that nobody waits for them. */
export const sweepBatch = 1000
/** Milliseconds that rows are kept beyond their end, since the clocks of machines differ. */
export const sweepSlack = 3_600_000

/** Seconds after which a run ends; what is left is for the next one. */
const longestRun = 240
/** Milliseconds. */
const [shortestPause, longestPause] = [10, 1000]

/**
 * @param first where to begin, such as a key that is below all others
 * @param step does one batch from there on; returns where the next one begins, or null at the end. It must get on even when
 * rows stay, and not begin at the start again: a database remembers removed rows for a while, and would read all of them each time
 * @param signal ends it between two batches
 */
export async function sweep<C>(app: App, signal: AbortSignal, first: C, step: (from: C) => Promise<C | null>): Promise<void> {
  const end = app.now().getTime() + longestRun * 1000
  for (let from: C | null = first; from !== null && !signal.aborted && app.now().getTime() < end; ) {
    const begun = app.now().getTime()
    from = await step(from)
    // As long as the batch took: however slow the database is, half of its time belongs to others.
    if (from !== null) await pauseFor(app.now().getTime() - begun, signal)
  }
}

const pauseFor = (taken: number, signal: AbortSignal): Promise<unknown> =>
  pause(Math.min(longestPause, Math.max(shortestPause, taken)), undefined, { signal }).catch(() => undefined)

/** Before when a row must have ended to be removed at this moment. */
export const sweptBefore = (app: App): Date => new Date(app.now().getTime() - sweepSlack)

/** Where a walk along the times at which rows end begins, in terms of every database. */
const firstMoment = new Date('1000-01-01T00:00:00Z')

interface Ended {
  readonly table: string
  /** The time at which a row ends; indexed. */
  readonly column: string
  /** Before when it must have ended; asked for each batch. */
  readonly before: (app: App) => Date
}

/** Removes the rows of a table whose time is over, along the index. Nobody is told. @param signal ends it between two batches */
export const sweepEnded = (app: App, signal: AbortSignal, { table, column, before }: Ended): Promise<void> =>
  sweep(app, signal, firstMoment, async (from) => {
    const [rows, end] = [sql.table(table), sql.ref(column)]
    const found = await sql<{ id: string; end: Date }>`select id, ${end} as ${sql.ref('end')} from ${rows}
      where ${end} >= ${from} and ${end} < ${before(app)} order by ${end} limit ${sql.lit(sweepBatch)}`.execute(app.db)
    const ids = found.rows.map(({ id }) => id)
    // Asked again: somebody may have given a row another end in between.
    if (ids.length > 0) await sql`delete from ${rows} where id in (${sql.join(ids)}) and ${end} < ${before(app)}`.execute(app.db)
    return found.rows.length < sweepBatch ? null : (found.rows.at(-1)?.end ?? null)
  })
