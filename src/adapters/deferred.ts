import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger, Metrics } from '../core/ports.ts'

export interface Deferred {
  add(work: () => Promise<void>): void
  /** Resolves when all that was added has ended, also what came meanwhile. */
  settled(): Promise<void>
}

/** Work that no answer waits for: it begins when the answer at hand has been written. A failure is logged and counted, since nobody else would hear of it. */
export function createDeferred(log: Logger, metrics: Metrics): Deferred {
  const running = new Set<Promise<void>>()
  return {
    add: (work) => {
      const run: Promise<void> = nextTurn()
        .then(work)
        .catch((error: unknown) => {
          metrics.count('unexpected_error')
          log.error({ err: error }, 'Deferred work has failed')
        })
        .finally(() => running.delete(run))
      running.add(run)
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
