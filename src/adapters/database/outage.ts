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

interface Watch extends Required<OutageOptions> {
  failedCalls: number
  /** As of the last attempt. */
  failedBefore: number
  startedAt: number
  timer: NodeJS.Timeout | undefined
  isClosed: boolean
}

/** Logs one line at the start of an outage, and one at its end with the number of calls that failed. The metric counts each. */
export function watchDatabase(options: OutageOptions) {
  const { log, metrics } = options
  const watch: Watch = {
    probeMs: 1000,
    ...options,
    ...{ failedCalls: 0, failedBefore: 0, startedAt: 0, timer: undefined, isClosed: false },
  }
  return {
    /** Notes a call or a job that failed because the database is unavailable. */
    failed: (error: unknown): void => {
      metrics.count('database_unavailable')
      watch.failedCalls += 1
      if (watch.failedCalls > 1) return
      watch.startedAt = performance.now()
      log.error({ err: error }, 'The database is unavailable: calls that need it fail with 503 until it is back')
      probeLater(watch)
    },
    close: (): void => {
      watch.isClosed = true
      clearTimeout(watch.timer)
    },
  }
}

function probeLater(watch: Watch): void {
  if (!watch.isClosed) watch.timer = setTimeout(() => probe(watch), watch.probeMs).unref()
}

async function probe(watch: Watch): Promise<void> {
  const { database, log } = watch
  try {
    await database.checkWritable()
    // Calls may still fail although this one statement succeeds.
    if (watch.failedCalls === watch.failedBefore) return end(watch)
  } catch (error) {
    log.debug({ err: error }, 'The database is still unavailable')
  }
  watch.failedBefore = watch.failedCalls
  probeLater(watch)
}

function end(watch: Watch): void {
  const seconds = Math.round((performance.now() - watch.startedAt) / 1000)
  watch.log.info({ failedCalls: watch.failedCalls, seconds }, 'The database is available again')
  watch.failedCalls = 0
  watch.failedBefore = 0
}
