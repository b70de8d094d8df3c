import type { App } from '../../core/app.ts'
import { sweepEnded } from '../../core/sweep.ts'

/** Removes what is too old to matter: failures, and networks and devices that signed in long ago. */
export const sweepAttempts = (app: App, signal: AbortSignal): Promise<void> =>
  sweepEnded(app, signal, { table: 'attempt', column: 'expiresAt', before: ({ now }) => now() })
