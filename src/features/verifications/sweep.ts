import type { App } from '../../core/app.ts'
import { sweepEnded, sweptBefore } from '../../core/sweep.ts'

/** Removes secrets whose time is over, and the marks of those that were used up. */
export const sweepVerifications = (app: App, signal: AbortSignal): Promise<void> =>
  sweepEnded(app, signal, { table: 'verification', column: 'expiresAt', before: sweptBefore })
