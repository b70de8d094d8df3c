/** Work of a daemon on several rows at the same time, such as long actions: in turn, and with pauses. */
import { setTimeout as pause } from 'node:timers/promises'
import { type App, reportFailure } from './app.ts'

/** The rest is left for the next run. */
const maxRunMs = 240_000
const maxPauseMs = 500

interface Work<R> {
  /** What a row is, for the log, and the name of its ID there. */
  readonly what: string
  readonly idName: string
  /** The rows that are worked on, oldest first. */
  readonly find: () => Promise<readonly R[]>
  /** A part of the work on one row. A row whose part failed is left for the next run. */
  readonly step: (row: R) => Promise<void>
}

/** Works on all rows in turn until none is left, so that a long one does not delay the others. @param signal stops between two parts */
export async function workInTurn<R extends { readonly id: string }>(
  app: App,
  signal: AbortSignal,
  { what, idName, find, step }: Work<R>,
): Promise<void> {
  const end = app.now().getTime() + maxRunMs
  const failed = new Set<string>()
  while (!signal.aborted && app.now().getTime() < end) {
    const rows = (await find()).filter(({ id }) => !failed.has(id))
    if (rows.length === 0) return
    for (const row of rows) {
      const startedAt = performance.now()
      await step(row).catch((error: unknown) => {
        failed.add(row.id)
        reportFailure(app, error, what, { [idName]: row.id })
      })
      // As long as the part took, so that other work gets half of the time of the database.
      await pause(Math.min(maxPauseMs, performance.now() - startedAt), undefined, { signal }).catch(() => undefined)
    }
  }
}
