import type { App } from '../../core/app.ts'
import { sweepEnded, sweptBefore } from '../../core/sweep.ts'

/** Removes secrets whose time is over, and the marks of those that were used up, unless the configuration keeps them. */
export async function sweepVerifications(app: App, signal: AbortSignal): Promise<void> {
  if (app.config.verification.disableCleanup) return
  await sweepEnded(app, signal, { table: 'verification', column: 'expiresAt', before: sweptBefore })
}
