/** Reports an outage of the database once, however many calls fail in it. */
import type { Logger, Metrics } from '../../core/ports.ts'
import type { OpenDatabase } from './open.ts'

interface OutageOptions {
  readonly database: Pick<OpenDatabase, 'checkWritable'>
  readonly log: Pick<Logger, 'error' | 'info' | 'debug'>
  readonly metrics: Pick<Metrics, 'count'>
  /** Milliseconds between attempts to find the end. */
  readonly probeMs?: number
}

/** Logs one line at the start of an outage, and one at its end with the number of calls that failed. The metric counts each. */
export function watchDatabase({ database, log, metrics, probeMs = 1000 }: OutageOptions) {
  let failedCalls = 0
  let failedBefore = 0
  let startedAt = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const probeLater = () => {
    if (!isClosed) timer = setTimeout(probe, probeMs).unref()
  }

  async function probe(): Promise<void> {
    try {
      await database.checkWritable()
      // Calls may still fail although this one statement succeeds.
      if (failedCalls === failedBefore) return end()
    } catch (error) {
      log.debug({ err: error }, 'The database is still unavailable')
    }
    failedBefore = failedCalls
    probeLater()
  }

  function end(): void {
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    log.info({ failedCalls, seconds }, 'The database is available again')
    failedCalls = 0
    failedBefore = 0
  }

  return {
    /** Notes a call or a job that failed because the database is unavailable. */
    failed: (error: unknown): void => {
      metrics.count('database_unavailable')
      failedCalls += 1
      if (failedCalls > 1) return
      startedAt = performance.now()
      log.error({ err: error }, 'The database is unavailable: calls that need it fail with 503 until it is back')
      probeLater()
    },
    close: (): void => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
