import type { App } from '../../core/app.ts'
import { sweepEnded, sweptBefore } from '../../core/sweep.ts'

/** Removes the rows of sessions that are over. Nobody is told: every copy of one has the same end. */
export const sweepSessions = (app: App, signal: AbortSignal): Promise<void> =>
  sweepEnded(app, signal, { table: 'session', column: 'expiresAt', before: sweptBefore })
