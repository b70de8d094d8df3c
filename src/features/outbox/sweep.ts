import type { App } from '../../core/app.ts'
import { sweepEnded } from '../../core/sweep.ts'

/** Milliseconds for which it can be seen that a mail was sent; dead ones stay until somebody has looked. */
const kept = 7 * 86_400_000

/** Removes mails that were sent long ago. */
export const sweepOutbox = (app: App, signal: AbortSignal): Promise<void> =>
  sweepEnded(app, signal, { table: 'outbox', column: 'sentAt', before: ({ now }) => new Date(now().getTime() - kept) })
